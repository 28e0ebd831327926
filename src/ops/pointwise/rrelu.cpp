// The leaky ReLU whose slope is random while training. Its results are contiguous, as PyTorch's are.
#include <mutex>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/pointwise/activation.h"
#include "ops/random/distributions.h"
#include "ops/random/fill.h"

namespace wick::ops {

namespace {

void check_bounds(const Scalar& lower, const Scalar& upper) {
  WICK_CHECK(lower.to_double() <= upper.to_double(), kInvalidArgument,
             "Lower bound should be less than or equal to the upper bound");
}

// Slopes are drawn for elements that are not positive, in row-major order.
Tensor train(const Tensor& self, const Tensor* noise, double lower, double upper, GeneratorArg generator) {
  const Tensor values = contiguous(to_dtype(self, DType::kDouble));
  const Tensor slopes = Tensor::empty(self.sizes(), DType::kDouble),
               result = Tensor::empty(self.sizes(), DType::kDouble);
  GeneratorImpl& g = chosen(generator);
  {
    const std::lock_guard lock(g.mutex);
    const double* x = values.data_ptr<double>();
    for (int64_t i = 0, count = values.numel(); i < count; ++i) {
      const double slope = x[i] <= 0 ? draw_uniform<double>(g, lower, upper) : 1.0;
      slopes.data_ptr<double>()[i] = slope;
      result.data_ptr<double>()[i] = x[i] * slope;
    }
  }
  if (noise) copy_into(*noise, slopes);
  const Tensor out = Tensor::empty(self.sizes(), self.dtype());
  copy_into(out, result);
  return out;
}

}  // namespace

Tensor rrelu_with_noise(const Tensor& self, const Tensor& noise, const Scalar& lower, const Scalar& upper,
                        bool training, GeneratorArg generator) {
  check_dtype(is_floating(self.dtype()), "rrelu_with_noise_out_cpu", self.dtype());
  if (!training) return leaky_relu(contiguous(self), (lower.to_double() + upper.to_double()) / 2);
  WICK_CHECK(noise.sizes() == self.sizes() && noise.dtype() == self.dtype(), kShapeMismatch,
             "noise must have the shape and dtype of self");
  return train(self, &noise, lower.to_double(), upper.to_double(), generator);
}

Tensor rrelu(const Tensor& self, const Scalar& lower, const Scalar& upper, bool training, GeneratorArg generator) {
  check_bounds(lower, upper);
  check_dtype(is_floating(self.dtype()), "rrelu_with_noise_out_cpu", self.dtype());
  if (!training) return leaky_relu(contiguous(self), (lower.to_double() + upper.to_double()) / 2);
  return train(self, nullptr, lower.to_double(), upper.to_double(), generator);
}

}  // namespace wick::ops
