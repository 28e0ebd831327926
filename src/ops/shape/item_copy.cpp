// Strided copies by element size, whatever the dtype.
#include "ops/shape/item_copy.h"

#include <algorithm>

#include "core/budget.h"
#include "core/copy.h"
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "ops/shape/channels.h"
#include "ops/shape/view.h"

namespace wick::ops {

StridedLoop& StridedLoop::add(void* data, IntSpan byte_strides) {
  WICK_CHECK(count_ < kMaxOperands && byte_strides.size() == sizes_.size(), kInternal, "StridedLoop: bad operand");
  data_[count_] = static_cast<char*>(data);
  strides_[count_++] = IntVec(byte_strides);
  return *this;
}

StridedLoop& StridedLoop::add(const Tensor& t) {
  IntVec strides(t.strides());
  for (int64_t& s : strides) s = wrapping_mul(s, static_cast<int64_t>(t.itemsize()));
  return add(t.raw_data(), strides);
}

StridedLoop& StridedLoop::add_lines(const Tensor& t, int64_t dim) {
  add(t);
  if (!sizes_.empty()) strides_[count_ - 1][dim] = 0;
  return *this;
}

void StridedLoop::coalesce() {
  IntVec sizes;
  IntVec strides[kMaxOperands];
  for (size_t d = 0; d < sizes_.size(); ++d) {
    if (sizes_[d] == 1) continue;
    bool merge = !sizes.empty();
    for (size_t k = 0; merge && k < count_; ++k) merge = strides[k].back() == strides_[k][d] * sizes_[d];
    if (merge) {
      sizes.back() *= sizes_[d];
      for (size_t k = 0; k < count_; ++k) strides[k].back() = strides_[k][d];
    } else {
      sizes.push_back(sizes_[d]);
      for (size_t k = 0; k < count_; ++k) strides[k].push_back(strides_[k][d]);
    }
  }
  sizes_ = std::move(sizes);
  for (size_t k = 0; k < count_; ++k) strides_[k] = std::move(strides[k]);
}

void StridedLoop::run(const Body& body) {
  for (int64_t s : sizes_) {
    if (s == 0) return;
  }
  coalesce();
  int64_t inner[kMaxOperands] = {};
  if (sizes_.empty()) return body(data_, inner, 1);
  const size_t outer = sizes_.size() - 1;
  for (size_t k = 0; k < count_; ++k) inner[k] = strides_[k][outer];
  char* pointers[kMaxOperands];
  std::copy(data_, data_ + kMaxOperands, pointers);
  IntVec at(outer);
  // A tensor may have any number of elements in a few bytes (strides of 0): the run's bounds are looked at on the way.
  constexpr int64_t kPiece = 1 << 16;
  for (int64_t walked = 0;;) {
    for (int64_t first = 0; first < sizes_[outer]; first += kPiece) {
      char* piece[kMaxOperands];
      for (size_t k = 0; k < kMaxOperands; ++k) piece[k] = pointers[k] + first * inner[k];
      const int64_t n = std::min(kPiece, sizes_[outer] - first);
      body(piece, inner, n);
      walked += n;
      if (walked < kPiece) continue;
      check_budget();
      walked = 0;
    }
    size_t d = outer;
    for (;; --d) {
      if (d == 0) return;
      for (size_t k = 0; k < count_; ++k) pointers[k] += strides_[k][d - 1];
      if (++at[d - 1] < sizes_[d - 1]) break;
      for (size_t k = 0; k < count_; ++k) pointers[k] -= strides_[k][d - 1] * sizes_[d - 1];
      at[d - 1] = 0;
    }
  }
}

void copy_items(char* dst, IntSpan dst_strides, const char* src, IntSpan src_strides, IntSpan sizes, size_t itemsize) {
  const int64_t size = static_cast<int64_t>(itemsize);
  StridedLoop(sizes)
      .add(dst, dst_strides)
      .add(const_cast<char*>(src), src_strides)
      .run([&](char* const* p, const int64_t* s, int64_t n) {
        if (s[0] == size && s[1] == size) {
          std::memcpy(p[0], p[1], static_cast<size_t>(n) * itemsize);
          return;
        }
        with_item_type(itemsize, [&]<class T>(T) {
          char* to = p[0];
          const char* from = p[1];
          const int64_t to_stride = s[0], from_stride = s[1];
          for (int64_t i = 0; i < n; ++i, to += to_stride, from += from_stride) std::memcpy(to, from, sizeof(T));
        });
      });
}

Tensor with_format_of(const Tensor& self, const Tensor& result) {
  const MemoryFormat format = self.suggest_memory_format();
  const bool own = result.storage().get() != self.storage().get();
  return own && result.is_contiguous(format) ? result : wick::clone(result, format);
}

Tensor empty_of_kind(const Tensor& self, IntSpan sizes) {
  check_no_channels(self, "rearranging");
  Tensor out = Tensor::empty(sizes, self.dtype());
  out.impl()->quantizer = self.impl()->quantizer;
  return out;
}

}  // namespace wick::ops
