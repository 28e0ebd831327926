// Operators that reorder, repeat or drop elements.
#pragma once

#include "ops/boxing.h"
#include "wick/tensor.h"

namespace wick::ops {

Tensor flip(const Tensor& self, IntSpan dims);
Tensor fliplr(const Tensor& self);
Tensor flipud(const Tensor& self);
Tensor rot90(const Tensor& self, int64_t k, IntSpan dims);
Tensor roll(const Tensor& self, IntSpan shifts, IntSpan dims);
Tensor repeat(const Tensor& self, IntSpan repeats);
Tensor tile(const Tensor& self, IntSpan dims);
Tensor repeat_interleave(const Tensor& repeats, std::optional<int64_t> output_size);
Tensor repeat_interleave_self_tensor(const Tensor& self, const Tensor& repeats, std::optional<int64_t> dim,
                                     std::optional<int64_t> output_size);
Tensor repeat_interleave_self_int(const Tensor& self, int64_t repeats, std::optional<int64_t> dim,
                                  std::optional<int64_t> output_size);

Tensor pixel_shuffle(const Tensor& self, int64_t upscale_factor);
Tensor pixel_unshuffle(const Tensor& self, int64_t downscale_factor);
Tensor channel_shuffle(const Tensor& self, int64_t groups);

Tensor tril(const Tensor& self, int64_t diagonal);
Tensor triu(const Tensor& self, int64_t diagonal);
Tensor diag(const Tensor& self, int64_t diagonal);
Tensor diagflat(const Tensor& self, int64_t offset);
Tensor diag_embed(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2);
Tensor linalg_diagonal(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2);

Tensor block_diag(const TensorList& tensors);
Tensor cartesian_prod(const TensorList& tensors);
Tensor combinations(const Tensor& self, int64_t r, bool with_replacement);

// A copy of self with one part of it replaced by src.
Tensor select_scatter(const Tensor& self, const Tensor& src, int64_t dim, int64_t index);
Tensor slice_scatter(const Tensor& self, const Tensor& src, int64_t dim, std::optional<int64_t> start,
                     std::optional<int64_t> end, int64_t step);
Tensor diagonal_scatter(const Tensor& self, const Tensor& src, int64_t offset, int64_t dim1, int64_t dim2);
Tensor as_strided_scatter(const Tensor& self, const Tensor& src, IntSpan size, IntSpan stride,
                          std::optional<int64_t> storage_offset);

}  // namespace wick::ops
