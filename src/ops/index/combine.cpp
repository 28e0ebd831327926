// How indexed writes combine a value with the one in place: assign, add, multiply, extremes.
#include "ops/index/combine.h"

#include "core/copy.h"
#include "core/tensor_impl.h"
#include "ops/dtype_switch.h"
#include "ops/iterator.h"
#include "ops/shape/item_copy.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

template <size_t Size>
void assign_run(char* dst, int64_t ds, const char* src, int64_t ss, int64_t n) {
  if (ds == static_cast<int64_t>(Size) && ss == ds) {
    std::memcpy(dst, src, static_cast<size_t>(n) * Size);
    return;
  }
  for (int64_t i = 0; i < n; ++i) std::memcpy(dst + i * ds, src + i * ss, Size);
}

template <size_t Size>
void assign_at(char* dst, const int64_t* places, const char* src, int64_t ss, int64_t n) {
  for (int64_t i = 0; i < n; ++i) std::memcpy(dst + places[i], src + i * ss, Size);
}

CombineFn assign_fn(size_t itemsize) {
  switch (itemsize) {
    case 1:
      return {&assign_run<1>, &assign_at<1>};
    case 2:
      return {&assign_run<2>, &assign_at<2>};
    case 4:
      return {&assign_run<4>, &assign_at<4>};
    case 8:
      return {&assign_run<8>, &assign_at<8>};
    default:
      return {&assign_run<16>, &assign_at<16>};
  }
}

template <class T>
constexpr bool kOrdered = !std::is_same_v<T, std::complex<float>> && !std::is_same_v<T, std::complex<double>>;

template <class T, Combine Op>
T combined(T a, T b) {
  if constexpr (Op == Combine::kAdd) {
    return add_items(a, b);
  } else {
    return mul_items(a, b);
  }
}

// Combines the item at dst with b. An extreme is seldom passed: a branch that is foreseen, and no store that the next
// load has to wait for. NaN is kept.
template <class T, Combine Op>
void combine_item(char* dst, T b) {
  const T a = load_item<T>(dst);
  if constexpr (Op == Combine::kMax || Op == Combine::kMin) {
    const bool within = Op == Combine::kMax ? b <= a : a <= b;
    if (!within && !is_nan_item(a)) store_item(dst, b);
  } else {
    store_item(dst, combined<T, Op>(a, b));
  }
}

template <class T, Combine Op>
void combine_run(char* dst, int64_t ds, const char* src, int64_t ss, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    combine_item<T, Op>(dst + i * ds, load_item<T>(src + i * ss));
  }
}

template <class T, Combine Op>
void combine_at(char* dst, const int64_t* places, const char* src, int64_t ss, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    combine_item<T, Op>(dst + places[i], load_item<T>(src + i * ss));
  }
}

template <class T, Combine Op>
constexpr CombineFn kCombine = {&combine_run<T, Op>, &combine_at<T, Op>};

// Places worked out before they are met: enough to hide the call, few enough for the stack.
constexpr int64_t kPlaces = 256;

}  // namespace

CombineFn combine_fn(Combine op, DType dtype, const char* op_name) {
  if (op == Combine::kAssign) return assign_fn(itemsize(dtype));
  CombineFn fn;
  for_dtype(dtype, op_name, [&]<class T>(T) {
    if (op == Combine::kAdd) {
      fn = kCombine<T, Combine::kAdd>;
    } else if (op == Combine::kMul) {
      fn = kCombine<T, Combine::kMul>;
    } else if constexpr (kOrdered<T>) {
      fn = op == Combine::kMax ? kCombine<T, Combine::kMax> : kCombine<T, Combine::kMin>;
    }
  });
  check_dtype(fn.run != nullptr, op_name, dtype);
  return fn;
}

void combine_lines(const Tensor& target, int64_t dim, const Tensor& index, const Tensor& other, CombineFn fn,
                   bool writes_other) {
  if (other.numel() == 0) return;
  IntVec index_strides(other.dim(), 0);
  index_strides[dim] = sizeof(int64_t);
  const int64_t step = wrapping_mul(target.strides()[dim], static_cast<int64_t>(target.itemsize()));
  StridedLoop(other.sizes())
      .add(other)
      .add_lines(target, dim)
      .add(index.raw_data(), index_strides)
      .run([&](char* const* p, const int64_t* s, int64_t n) {
        const int64_t* at = reinterpret_cast<const int64_t*>(p[2]);
        char *o = p[0], *t = p[1];
        const int64_t os = s[0], ts = s[1], by = step;
        if (s[2] == 0) {
          t += *at * by;
          return writes_other ? fn(o, os, t, ts, n) : fn(t, ts, o, os, n);
        }
        if (writes_other) {
          with_item_type(target.itemsize(), [=]<class T>(T) {
            for (int64_t i = 0; i < n; ++i) std::memcpy(o + i * os, t + at[i] * by + i * ts, sizeof(T));
          });
          return;
        }
        int64_t places[kPlaces];
        for (int64_t first = 0; first < n; first += kPlaces) {
          const int64_t count = std::min(kPlaces, n - first);
          for (int64_t i = 0; i < count; ++i) places[i] = at[first + i] * by + (first + i) * ts;
          fn.at(t, places, o + first * os, os, count);
        }
      });
}

void combine_places(const Tensor& target, int64_t dim, const Tensor& index, const Tensor& other, CombineFn fn,
                    bool writes_other) {
  if (index.numel() == 0) return;
  const int64_t step = wrapping_mul(target.strides()[dim], static_cast<int64_t>(target.itemsize()));
  const int64_t size = target.sizes()[dim];
  IntVec other_strides(other.strides());
  for (int64_t& s : other_strides) s = wrapping_mul(s, static_cast<int64_t>(other.itemsize()));
  IntVec target_strides(target.strides());
  for (int64_t& s : target_strides) s = wrapping_mul(s, static_cast<int64_t>(target.itemsize()));
  target_strides[dim] = 0;
  const auto checked = [dim, size](const char* p) {
    const int64_t at = load_item<int64_t>(p);
    WICK_CHECK(at >= 0 && at < size, kIndexOutOfRange, "index ", at, " is out of bounds for dimension ", dim,
               " with size ", size);
    return at;
  };
  StridedLoop(index.sizes())
      .add(index)
      .add(target.raw_data(), target_strides)
      .add(other.raw_data(), other_strides)
      .run([&](char* const* p, const int64_t* s, int64_t n) {
        const char* from = p[0];
        char *t = p[1], *o = p[2];
        const int64_t is = s[0], ts = s[1], os = s[2], by = step;
        if (writes_other) {
          with_item_type(target.itemsize(), [=]<class T>(T) {
            for (int64_t i = 0; i < n; ++i)
              std::memcpy(o + i * os, t + checked(from + i * is) * by + i * ts, sizeof(T));
          });
          return;
        }
        int64_t places[kPlaces];
        for (int64_t first = 0; first < n; first += kPlaces) {
          const int64_t count = std::min(kPlaces, n - first);
          for (int64_t i = first; i < first + count; ++i) places[i - first] = checked(from + i * is) * by + i * ts;
          fn.at(t, places, o + first * os, os, count);
        }
      });
}

Tensor begin_write(const Tensor& self, Out out, MemoryFormat format) {
  if (!out || !out.tensor->is_same(self)) return wick::clone(self, format);
  check_no_internal_overlap(self);
  return self;
}

Tensor finish_write(const Tensor& written, Out out) {
  if (!out || out.tensor->is_same(written)) return written;
  assign_out(*out.tensor, written);
  return *out.tensor;
}

Tensor unaliased(const Tensor& t, const Tensor& target) { return t.storage() == target.storage() ? wick::clone(t) : t; }

}  // namespace wick::ops
