// Filling a tensor with drawn numbers, in the order PyTorch's loops go through it.
#pragma once

#include <functional>

#include "ops/boxing.h"
#include "ops/random/generator.h"
#include "wick/tensor.h"

namespace wick::ops {

inline GeneratorImpl& chosen(GeneratorArg arg) { return arg.generator ? *arg.generator : default_generator(); }

// draw(buffer, n) gives the next n numbers, which are converted to self's dtype. The generator is locked meanwhile.
void fill_drawn(const Tensor& self, GeneratorImpl& generator, const std::function<void(double*, int64_t)>& draw);
void fill_drawn_floats(const Tensor& self, GeneratorImpl& generator, const std::function<void(float*, int64_t)>& draw);
void fill_drawn_ints(const Tensor& self, GeneratorImpl& generator, const std::function<void(int64_t*, int64_t)>& draw);

// A tensor like self, each element drawn from self's element, in that order.
Tensor map_drawn(const Tensor& self, GeneratorImpl& generator, const std::function<double(double)>& draw);

}  // namespace wick::ops
