// Operators that create tensors from sizes and numbers.
#include "ops/shape/creation.h"

#include "core/copy.h"
#include "core/shape.h"
#include "ops/dtype_switch.h"
#include "ops/shape/number_range.h"
#include "ops/shape/out.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

DType plain_dtype(DType dtype) {
  WICK_CHECK(!is_quantized(dtype), kUnsupported, "a tensor of dtype ", name_of(dtype), " needs a quantizer");
  return dtype;
}

Tensor filled(Tensor t, const Scalar& value) {
  check_number_fits(value, t.dtype());
  fill(t, value);
  return t;
}

Tensor like(const Tensor& self, TensorOptions options, OptFormat format) {
  return wick::empty_like(self, options.dtype, format.value_or(MemoryFormat::kPreserve));
}

}  // namespace

Tensor empty_sized(IntSpan size, TensorOptions options, OptFormat format) {
  WICK_CHECK(format != MemoryFormat::kPreserve, kInvalidArgument, "unsupported memory format Preserve");
  return Tensor::empty(size, plain_dtype(options.dtype_or(kDefaultDType)), format.value_or(MemoryFormat::kContiguous));
}
Tensor empty_out(IntSpan size, OptFormat format, const Tensor& out) {
  WICK_CHECK(!format || *format != MemoryFormat::kPreserve, kInvalidArgument, "unsupported memory format Preserve");
  if (!(out.sizes() == size) || format) wick::resize(out, size, format.value_or(MemoryFormat::kContiguous));
  return out;
}
Tensor empty_strided_op(IntSpan size, IntSpan stride, TensorOptions options) {
  WICK_CHECK(size.size() == stride.size(), kInvalidArgument, "dimensionality of sizes (", size.size(),
             ") must match dimensionality of strides (", stride.size(), ")");
  return Tensor::empty_strided(size, stride, plain_dtype(options.dtype_or(kDefaultDType)));
}
Tensor empty_strided_out(IntSpan size, IntSpan stride, const Tensor& out) { return sized_out(out, size); }
Tensor empty_permuted(IntSpan size, IntSpan physical_layout, TensorOptions options) {
  WICK_CHECK(size.size() == physical_layout.size(), kInvalidArgument,
             "Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = ",
             size.size(), " is not equal to len(physical_layout) = ", physical_layout.size());
  const auto rank = static_cast<int64_t>(size.size());
  IntVec outer_first;
  std::vector<bool> seen(size.size());
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t d = physical_layout[i];
    WICK_CHECK(d >= 0 && d < rank, kIndexOutOfRange, "Dimension out of range (expected to be between 0 and ", rank - 1,
               ", but got ", d, " at index ", i, ")");
    WICK_CHECK(!seen[d], kInvalidArgument, "Duplicate dim not allowed");
    seen[d] = true;
    outer_first.push_back(size[d]);
  }
  const Tensor lying = empty_sized(outer_first, options, {});
  IntVec strides(size);
  for (int64_t i = 0; i < rank; ++i) strides[physical_layout[i]] = lying.strides()[i];
  return lying.as_strided(size, strides, 0);
}
Tensor zeros(IntSpan size, TensorOptions options) {
  return Tensor::zeros(size, plain_dtype(options.dtype_or(kDefaultDType)));
}
Tensor zeros_out(IntSpan size, const Tensor& out) { return filled(sized_out(out, size), 0); }
Tensor ones(IntSpan size, TensorOptions options) { return full(size, 1, {options.dtype_or(kDefaultDType), {}}); }
Tensor ones_out(IntSpan size, const Tensor& out) { return filled(sized_out(out, size), 1); }

Tensor full(IntSpan size, const Scalar& value, TensorOptions options) {
  const DType own = value.is_bool()      ? DType::kBool
                    : value.is_int()     ? DType::kLong
                    : value.is_complex() ? to_complex(kDefaultDType)
                                         : kDefaultDType;
  return filled(Tensor::empty(size, plain_dtype(options.dtype_or(own))), value);
}
Tensor full_out(IntSpan size, const Scalar& value, const Tensor& out) { return filled(sized_out(out, size), value); }

Tensor empty_like_op(const Tensor& self, TensorOptions options, OptFormat format) {
  return like(self, options, format);
}
Tensor empty_like_out(const Tensor& self, OptFormat format, const Tensor& out) { return sized_out(out, self.sizes()); }
Tensor zeros_like(const Tensor& self, TensorOptions options, OptFormat format) {
  return filled(like(self, options, format), 0);
}
Tensor zeros_like_out(const Tensor& self, OptFormat format, const Tensor& out) {
  return filled(sized_out(out, self.sizes()), 0);
}
Tensor ones_like(const Tensor& self, TensorOptions options, OptFormat format) {
  return filled(like(self, options, format), 1);
}
Tensor ones_like_out(const Tensor& self, OptFormat format, const Tensor& out) {
  return filled(sized_out(out, self.sizes()), 1);
}
Tensor full_like(const Tensor& self, const Scalar& value, TensorOptions options, OptFormat format) {
  return filled(like(self, options, format), value);
}
Tensor full_like_out(const Tensor& self, const Scalar& value, OptFormat format, const Tensor& out) {
  return filled(sized_out(out, self.sizes()), value);
}

Tensor new_empty(const Tensor& self, IntSpan size, TensorOptions options) {
  return Tensor::empty(size, plain_dtype(options.dtype_or(self.dtype())));
}
Tensor new_empty_out(const Tensor& self, IntSpan size, const Tensor& out) { return sized_out(out, size); }
Tensor new_empty_strided(const Tensor& self, IntSpan size, IntSpan stride, TensorOptions options) {
  return empty_strided_op(size, stride, {options.dtype_or(self.dtype()), {}});
}
Tensor new_empty_strided_out(const Tensor& self, IntSpan size, IntSpan stride, const Tensor& out) {
  return sized_out(out, size);
}
Tensor new_zeros(const Tensor& self, IntSpan size, TensorOptions options) {
  return filled(new_empty(self, size, options), 0);
}
Tensor new_zeros_out(const Tensor& self, IntSpan size, const Tensor& out) { return filled(sized_out(out, size), 0); }
Tensor new_ones(const Tensor& self, IntSpan size, TensorOptions options) {
  return filled(new_empty(self, size, options), 1);
}
Tensor new_ones_out(const Tensor& self, IntSpan size, const Tensor& out) { return filled(sized_out(out, size), 1); }
Tensor new_full(const Tensor& self, IntSpan size, const Scalar& value, TensorOptions options) {
  return filled(new_empty(self, size, options), value);
}
Tensor new_full_out(const Tensor& self, IntSpan size, const Scalar& value, const Tensor& out) {
  return filled(sized_out(out, size), value);
}

Tensor scalar_tensor(const Scalar& value, TensorOptions options) {
  return number_tensor(value, plain_dtype(options.dtype_or(kDefaultDType)));
}
Tensor scalar_tensor_out(const Scalar& value, const Tensor& out) { return filled(sized_out(out, {}), value); }

namespace {

Tensor fill_eye(const Tensor& t) {
  fill(t, 0);
  fill(diagonal(t, 0, 0, 1), 1);
  return t;
}

void check_eye(int64_t n, int64_t m) {
  WICK_CHECK(n >= 0, kInvalidArgument, "n must be greater or equal to 0, got ", n);
  WICK_CHECK(m >= 0, kInvalidArgument, "m must be greater or equal to 0, got ", m);
}

}  // namespace

Tensor eye_m(int64_t n, int64_t m, TensorOptions options) {
  check_eye(n, m);
  return fill_eye(Tensor::empty({n, m}, plain_dtype(options.dtype_or(kDefaultDType))));
}
Tensor eye(int64_t n, TensorOptions options) { return eye_m(n, n, options); }
Tensor eye_m_out(int64_t n, int64_t m, const Tensor& out) {
  check_eye(n, m);
  return fill_eye(sized_out(out, {n, m}));
}
Tensor eye_out(int64_t n, const Tensor& out) { return eye_m_out(n, n, out); }

namespace {

// Row and column of every element of the lower (or upper) triangle, row by row.
Tensor triangle_indices(const char* op, int64_t rows, int64_t cols, int64_t offset, bool upper, DType dtype) {
  WICK_CHECK(rows >= 0, kInvalidArgument, "row must be non-negative, got", rows);
  WICK_CHECK(cols >= 0, kInvalidArgument, "col must be non-negative, got", cols);
  check_dtype(is_integral(dtype, false), op, dtype);
  // So that sums of sizes and offset cannot overflow.
  constexpr int64_t kMost = int64_t{1} << 61;
  WICK_CHECK(rows <= kMost && cols <= kMost, kOutOfMemory, op, ": the size overflows");
  // Beyond the matrix a diagonal keeps all or nothing.
  offset = std::max(std::min(offset, cols), -rows);
  const auto first = [&](int64_t r) { return upper ? std::clamp<int64_t>(r + offset, 0, cols) : 0; };
  const auto last = [&](int64_t r) { return upper ? cols : std::clamp<int64_t>(r + offset + 1, 0, cols); };
  // Rows [from, to) have elements: `whole` of them all columns, the others one more (or less) each.
  const int64_t from = upper || cols == 0 ? 0 : std::min(rows, std::max<int64_t>(-offset, 0));
  const int64_t to = cols == 0 ? 0 : upper ? std::min(rows, cols - offset) : rows;
  const int64_t whole = upper ? std::clamp<int64_t>(-offset, 0, to)
                              : to - from - std::clamp<int64_t>(cols - (from + offset + 1), 0, to - from);
  const int64_t partial = to - from - whole;
  int64_t total;
  bool overflow = __builtin_mul_overflow(whole, cols, &total);
  if (partial > 0) {
    // Their mean length times 2 is a whole number.
    const int64_t least = upper ? cols - first(to - 1) : last(from);
    int64_t twice;
    overflow |= __builtin_mul_overflow(partial, 2 * least + partial - 1, &twice) ||
                __builtin_add_overflow(total, twice / 2, &total);
  }
  WICK_CHECK(!overflow && total <= INT64_MAX / 16, kOutOfMemory, op, ": the size overflows");
  const Tensor out = Tensor::empty({2, total}, DType::kLong);
  int64_t* row = out.data_ptr<int64_t>();
  int64_t* col = row + total;
  for (int64_t r = from; r < to; ++r) {
    for (int64_t c = first(r); c < last(r); ++c) {
      *row++ = r;
      *col++ = c;
    }
  }
  return to_dtype(out, dtype);
}

}  // namespace

Tensor tril_indices(int64_t row, int64_t col, int64_t offset, TensorOptions options) {
  return triangle_indices("tril_indices", row, col, offset, false, options.dtype_or(DType::kLong));
}
Tensor tril_indices_out(int64_t row, int64_t col, int64_t offset, const Tensor& out) {
  return put_out(out, triangle_indices("tril_indices", row, col, offset, false, out.dtype()));
}
Tensor triu_indices(int64_t row, int64_t col, int64_t offset, TensorOptions options) {
  return triangle_indices("triu_indices", row, col, offset, true, options.dtype_or(DType::kLong));
}
Tensor triu_indices_out(int64_t row, int64_t col, int64_t offset, const Tensor& out) {
  return put_out(out, triangle_indices("triu_indices", row, col, offset, true, out.dtype()));
}

Tensor shape_as_tensor(const Tensor& self) { return Tensor::from_values(self.sizes()); }
Tensor dim_arange(const Tensor& like, int64_t dim) { return arange(like.size(dim), {}); }

Tensor linalg_vander(const Tensor& x, std::optional<int64_t> n) {
  check_dtype(is_integral(x.dtype(), false) || is_floating(x.dtype()) || is_complex(x.dtype()), "linalg.vander",
              x.dtype());
  if (x.dim() == 0) return linalg_vander(x.as_strided({1}, {1}, x.storage_offset()), n);
  const int64_t count = n.value_or(x.size(-1));
  WICK_CHECK(count > 1, kInvalidArgument, "N must be greater than 1.");
  const DType dtype = is_integral(x.dtype(), true) ? DType::kLong : x.dtype();
  const Tensor base = wick::contiguous(to_dtype(x, dtype));
  IntVec sizes(x.sizes());
  sizes.push_back(count);
  const Tensor out = Tensor::empty(sizes, dtype);
  for_dtype(dtype, "linalg.vander", [&]<class T>(T) {
    const T* from = static_cast<const T*>(base.raw_data());
    T* to = static_cast<T*>(out.raw_data());
    for (int64_t i = 0, numel = base.numel(); i < numel; ++i) {
      T power(static_cast<typename ComputeType<T>::type>(1));
      for (int64_t k = 0; k < count; ++k, power = mul_items(power, from[i])) *to++ = power;
    }
  });
  return out;
}

Tensor vander(const Tensor& x, std::optional<int64_t> n, bool increasing) {
  WICK_CHECK(x.dim() == 1, kShapeMismatch, "x must be a one-dimensional tensor.");
  const int64_t count = n.value_or(x.numel());
  WICK_CHECK(count >= 0, kInvalidArgument, "N must be non-negative.");
  const DType dtype = is_integral(x.dtype(), true) ? DType::kLong : x.dtype();
  const Tensor powers = linalg_vander(to_dtype(x, dtype), std::max<int64_t>(count, 2));
  const Tensor out = Tensor::empty({x.numel(), count}, dtype);
  for (int64_t k = 0; k < count; ++k) {
    copy_into(select(out, 1, increasing ? k : count - 1 - k), select(powers, 1, k));
  }
  return out;
}

}  // namespace wick::ops
