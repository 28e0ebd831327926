// Strided copies, one version per element size, not per dtype.
#pragma once

#include <functional>

#include "wick/tensor.h"

namespace wick::ops {

// Copies sizes.size() dims of items; strides in bytes, which may be zero or negative. The caller promises that both
// ranges are inside their storages and do not overlap partially.
void copy_items(char* dst, IntSpan dst_strides, const char* src, IntSpan src_strides, IntSpan sizes, size_t itemsize);

// Walks up to kMaxOperands strided operands in step over `sizes`; adjacent dims that all operands cross evenly are
// merged. body(pointers, strides, n) gets one run of n elements, strides in bytes. Throws where a bound of the run is
// reached.
class StridedLoop {
 public:
  static constexpr size_t kMaxOperands = 4;
  using Body = std::function<void(char* const* pointers, const int64_t* strides, int64_t n)>;
  explicit StridedLoop(IntSpan sizes) : sizes_(sizes) {}
  // Strides in bytes, one for each size.
  StridedLoop& add(void* data, IntSpan byte_strides);
  // t's sizes must be the loop's sizes.
  StridedLoop& add(const Tensor& t);
  // The same, standing still along `dim`: gives the start of each line.
  StridedLoop& add_lines(const Tensor& t, int64_t dim);
  void run(const Body& body);

 private:
  void coalesce();
  IntVec sizes_;
  size_t count_ = 0;
  char* data_[kMaxOperands] = {};
  IntVec strides_[kMaxOperands];
};

// Calls fn with a value of an unsigned type of that many bytes (1, 2, 4, 8, 16).
struct Item16 {
  uint64_t lo, hi;
};
template <class Fn>
void with_item_type(size_t itemsize, Fn&& fn) {
  switch (itemsize) {
    case 1:
      return fn(uint8_t{});
    case 2:
      return fn(uint16_t{});
    case 4:
      return fn(uint32_t{});
    case 8:
      return fn(uint64_t{});
    default:
      return fn(Item16{});
  }
}

// `result` laid out in the memory format self suggests (channels-last or contiguous), in memory of its own.
Tensor with_format_of(const Tensor& self, const Tensor& result);
// An uninitialized tensor of these sizes with self's dtype and quantizer.
Tensor empty_of_kind(const Tensor& self, IntSpan sizes);

}  // namespace wick::ops
