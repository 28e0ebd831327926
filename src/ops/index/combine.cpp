#include "ops/index/combine.h"

#include "core/copy.h"
#include "ops/index/dtype_switch.h"
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

CombineFn assign_fn(size_t itemsize) {
  switch (itemsize) {
    case 1:
      return &assign_run<1>;
    case 2:
      return &assign_run<2>;
    case 4:
      return &assign_run<4>;
    case 8:
      return &assign_run<8>;
    default:
      return &assign_run<16>;
  }
}

template <class T>
constexpr bool kOrdered = !std::is_same_v<T, std::complex<float>> && !std::is_same_v<T, std::complex<double>>;

template <class T, Combine Op>
T combined(T a, T b) {
  if constexpr (Op == Combine::kAdd) {
    return add_items(a, b);
  } else if constexpr (Op == Combine::kMul) {
    return mul_items(a, b);
  } else if constexpr (Op == Combine::kMax) {
    return is_nan_item(a) || (!is_nan_item(b) && !(a < b)) ? a : b;
  } else {
    return is_nan_item(a) || (!is_nan_item(b) && !(b < a)) ? a : b;
  }
}

template <class T, Combine Op>
void combine_run(char* dst, int64_t ds, const char* src, int64_t ss, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    store_item(dst + i * ds, combined<T, Op>(load_item<T>(dst + i * ds), load_item<T>(src + i * ss)));
  }
}

}  // namespace

CombineFn combine_fn(Combine op, DType dtype, const char* op_name) {
  if (op == Combine::kAssign) return assign_fn(itemsize(dtype));
  CombineFn fn = nullptr;
  for_dtype(dtype, op_name, [&]<class T>(T) {
    if (op == Combine::kAdd) {
      fn = &combine_run<T, Combine::kAdd>;
    } else if (op == Combine::kMul) {
      fn = &combine_run<T, Combine::kMul>;
    } else if constexpr (kOrdered<T>) {
      fn = op == Combine::kMax ? &combine_run<T, Combine::kMax> : &combine_run<T, Combine::kMin>;
    }
  });
  check_dtype(fn != nullptr, op_name, dtype);
  return fn;
}

void combine_lines(const Tensor& target, int64_t dim, const Tensor& index, const Tensor& other, CombineFn fn,
                   bool writes_other) {
  if (other.numel() == 0) return;
  IntVec index_strides(other.dim(), 0);
  index_strides[dim] = sizeof(int64_t);
  const int64_t step = wrapping_mul(target.strides()[dim], static_cast<int64_t>(target.itemsize()));
  const auto meet = [fn, writes_other](char* t, int64_t ts, char* o, int64_t os, int64_t n) {
    if (writes_other) {
      fn(o, os, t, ts, n);
    } else {
      fn(t, ts, o, os, n);
    }
  };
  const bool reads = writes_other && fn == assign_fn(target.itemsize());
  StridedLoop(other.sizes())
      .add(other)
      .add_lines(target, dim)
      .add(index.raw_data(), index_strides)
      .run([&](char* const* p, const int64_t* s, int64_t n) {
        const int64_t* at = reinterpret_cast<const int64_t*>(p[2]);
        if (s[2] == 0) return meet(p[1] + *at * step, s[1], p[0], s[0], n);
        if (reads) {
          with_item_type(target.itemsize(), [&]<class T>(T) {
            for (int64_t i = 0; i < n; ++i) std::memcpy(p[0] + i * s[0], p[1] + at[i] * step + i * s[1], sizeof(T));
          });
          return;
        }
        for (int64_t i = 0; i < n; ++i) meet(p[1] + at[i] * step + i * s[1], 0, p[0] + i * s[0], 0, 1);
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
  const auto checked = [&](const char* p) {
    const int64_t at = load_item<int64_t>(p);
    WICK_CHECK(at >= 0 && at < size, kIndexOutOfRange, "index ", at, " is out of bounds for dimension ", dim,
               " with size ", size);
    return at;
  };
  const bool reads = writes_other && fn == assign_fn(target.itemsize());
  StridedLoop(index.sizes())
      .add(index)
      .add(target.raw_data(), target_strides)
      .add(other.raw_data(), other_strides)
      .run([&](char* const* p, const int64_t* s, int64_t n) {
        if (reads) {
          with_item_type(target.itemsize(), [&]<class T>(T) {
            for (int64_t i = 0; i < n; ++i) {
              std::memcpy(p[2] + i * s[2], p[1] + checked(p[0] + i * s[0]) * step + i * s[1], sizeof(T));
            }
          });
          return;
        }
        for (int64_t i = 0; i < n; ++i) {
          char* t = p[1] + checked(p[0] + i * s[0]) * step + i * s[1];
          char* o = p[2] + i * s[2];
          if (writes_other) {
            fn(o, 0, t, 0, 1);
          } else {
            fn(t, 0, o, 0, 1);
          }
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
