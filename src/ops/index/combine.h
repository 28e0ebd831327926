// How an indexed write stores a value: assigned, or combined with the element in place.
#pragma once

#include <string_view>

#include "ops/boxing.h"
#include "wick/tensor.h"

namespace wick::ops {

enum class Combine { kAssign, kAdd, kMul, kMax, kMin };

struct CombineFn {
  // dst[i] = dst[i] op src[i]; strides in bytes.
  void (*run)(char* dst, int64_t dst_stride, const char* src, int64_t src_stride, int64_t n) = nullptr;
  // The same with places given one by one, in bytes from dst.
  void (*at)(char* dst, const int64_t* places, const char* src, int64_t src_stride, int64_t n) = nullptr;

  void operator()(char* dst, int64_t dst_stride, const char* src, int64_t src_stride, int64_t n) const {
    run(dst, dst_stride, src, src_stride, n);
  }
};

// Refuses as check_dtype does, naming `op_name`, for dtypes without that arithmetic.
CombineFn combine_fn(Combine op, DType dtype, const char* op_name);

// For every place of `other`: target[..., index[i], ...] (along dim) meets other[..., i, ...]. The index is a
// contiguous 1-D long tensor of other.size(dim) elements, each already checked against target.size(dim).
// `writes_other`: other takes the value (fn assigns), else target does.
void combine_lines(const Tensor& target, int64_t dim, const Tensor& index, const Tensor& other, CombineFn fn,
                   bool writes_other = false);

// For every place of `index` (same rank as target; sizes within other's, and within target's but along dim):
// target[..., index, ...] meets other at the same place. Checks each index against target.size(dim).
void combine_places(const Tensor& target, int64_t dim, const Tensor& index, const Tensor& other, CombineFn fn,
                    bool writes_other = false);

// Indexed writes work on a copy of self, or on self itself when `out` is self (the in-place form). Between the two
// calls the returned tensor is written to.
Tensor begin_write(const Tensor& self, Out out, MemoryFormat format = MemoryFormat::kContiguous);
Tensor finish_write(const Tensor& written, Out out);
// t, or a copy of it when it shares memory with `target`, so that writes to the target cannot change it.
Tensor unaliased(const Tensor& t, const Tensor& target);

}  // namespace wick::ops
