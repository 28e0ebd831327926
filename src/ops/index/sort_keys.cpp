// Elements as unsigned keys in PyTorch's order, so that one sort serves every dtype.
#include "ops/index/sort_keys.h"

#include "ops/dtype_switch.h"
#include "ops/shape/item_copy.h"

namespace wick::ops {

namespace {

template <class T>
uint64_t key_of(T v) {
  if constexpr (std::is_same_v<T, bool>) {
    return v;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<uint64_t>(static_cast<int64_t>(v)) ^ (uint64_t{1} << 63);
  } else {
    const double wide = static_cast<double>(static_cast<typename ComputeType<T>::type>(v));
    if (wide != wide) return kNanKey;
    uint64_t bits;
    const double clean = wide == 0 ? 0.0 : wide;
    std::memcpy(&bits, &clean, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t{1} << 63);
  }
}

}  // namespace

void load_keys(const void* data, int64_t stride, DType dtype, int64_t n, uint64_t* keys, const char* op) {
  const char* p = static_cast<const char*>(data);
  for_real_dtype(dtype, op, [&]<class T>(T) {
    for (int64_t i = 0; i < n; ++i) keys[i] = key_of(load_item<T>(p + i * stride));
  });
}

void load_keyed(const void* data, int64_t stride, DType dtype, int64_t n, Keyed* out, const char* op) {
  const char* p = static_cast<const char*>(data);
  for_real_dtype(dtype, op, [&]<class T>(T) {
    for (int64_t i = 0; i < n; ++i) out[i] = {key_of(load_item<T>(p + i * stride)), i};
  });
}

void for_each_line(const Tensor& self, const Tensor& out, const Tensor& indices, int64_t dim,
                   const std::function<void(Line source, Line out, Line indices)>& body) {
  IntVec sizes(self.sizes());
  sizes[dim] = 1;
  const auto stride = [&](const Tensor& t) { return t.strides()[dim] * static_cast<int64_t>(t.itemsize()); };
  StridedLoop(sizes)
      .add_lines(self, dim)
      .add_lines(out, dim)
      .add_lines(indices, dim)
      .run([&](char* const* p, const int64_t* s, int64_t n) {
        for (int64_t i = 0; i < n; ++i) {
          body({p[0] + i * s[0], stride(self)}, {p[1] + i * s[1], stride(out)}, {p[2] + i * s[2], stride(indices)});
        }
      });
}

}  // namespace wick::ops
