// Views that read the same bytes as another dtype: view.dtype and the complex/real pairs.
#include "core/copy.h"
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "ops/shape/view.h"

namespace wick::ops {

Tensor view_dtype(const Tensor& self, DType dtype) {
  if (self.dtype() == dtype) return self;
  WICK_CHECK(!is_quantized(self.dtype()) && !is_quantized(dtype), kUnsupported,
             "view(dtype): quantized tensors cannot be viewed as another dtype");
  const int64_t from = static_cast<int64_t>(self.itemsize()), to = static_cast<int64_t>(itemsize(dtype));
  IntVec sizes(self.sizes()), strides(self.strides());
  int64_t offset = self.storage_offset();
  const size_t last = sizes.size() - 1;
  if (from > to) {
    const int64_t ratio = from / to;
    WICK_CHECK(!sizes.empty(), kShapeMismatch, "self.dim() cannot be 0 to view ", name_of(self.dtype()), " as ",
               name_of(dtype), " (different element sizes)");
    WICK_CHECK(self.strides()[last] == 1, kShapeMismatch, "self.stride(-1) must be 1 to view ", name_of(self.dtype()),
               " as ", name_of(dtype), " (different element sizes), but got ", self.strides()[last]);
    sizes[last] = wrapping_mul(sizes[last], ratio);
    offset = wrapping_mul(offset, ratio);
    for (size_t d = 0; d < last; ++d) strides[d] = wrapping_mul(strides[d], ratio);
  } else if (from < to) {
    const int64_t ratio = to / from;
    WICK_CHECK(!sizes.empty(), kShapeMismatch, "self.dim() cannot be 0 to view ", name_of(self.dtype()), " as ",
               name_of(dtype), " (different element sizes)");
    const auto check = [&](bool ok, const char* what, int64_t value) {
      WICK_CHECK(ok, kShapeMismatch, what, " must be divisible by ", ratio, " to view ", name_of(self.dtype()), " as ",
                 name_of(dtype), " (different element sizes), but got ", value);
    };
    check(sizes[last] % ratio == 0, "self.size(-1)", sizes[last]);
    check(offset % ratio == 0, "self.storage_offset()", offset);
    WICK_CHECK(self.strides()[last] == 1, kShapeMismatch, "self.stride(-1) must be 1 to view ", name_of(self.dtype()),
               " as ", name_of(dtype), " (different element sizes), but got ", self.strides()[last]);
    for (size_t d = 0; d < last; ++d) {
      if (strides[d] % ratio != 0) {
        check(false, cat("self.stride(", d, ")").c_str(), strides[d]);
      }
      strides[d] /= ratio;
    }
    sizes[last] /= ratio;
    offset /= ratio;
  }
  Tensor out = make_view(self, std::move(sizes), std::move(strides), offset);
  out.impl()->dtype = dtype;
  return out;
}

namespace {

// The parts of a complex tensor as a real one, with every stride doubled; part 1 is the imaginary one.
Tensor part_of(const Tensor& self, int64_t part) {
  IntVec strides(self.strides());
  for (int64_t& s : strides) s = wrapping_mul(s, 2);
  Tensor out = make_view(self, IntVec(self.sizes()), std::move(strides),
                         wrapping_add(wrapping_mul(self.storage_offset(), 2), part));
  out.impl()->dtype = to_real(self.dtype());
  return out;
}

template <class T>
void negate(char* data, int64_t stride, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    T& v = *reinterpret_cast<T*>(data + i * stride);
    v = -v;
  }
}

}  // namespace

Tensor view_as_real(const Tensor& self) {
  WICK_CHECK(is_complex(self.dtype()), kTypeMismatch, "view_as_real is only supported for complex tensors");
  IntVec sizes(self.sizes()), strides(self.strides());
  for (int64_t& s : strides) s = wrapping_mul(s, 2);
  sizes.push_back(2);
  strides.push_back(1);
  Tensor out = make_view(self, std::move(sizes), std::move(strides), wrapping_mul(self.storage_offset(), 2));
  out.impl()->dtype = to_real(self.dtype());
  return out;
}

Tensor view_as_complex(const Tensor& self) {
  WICK_CHECK(self.dtype() == DType::kFloat || self.dtype() == DType::kDouble || self.dtype() == DType::kHalf,
             kTypeMismatch,
             "view_as_complex is only supported for half, float and double tensors, but got a tensor "
             "of scalar type: ",
             name_of(self.dtype()));
  WICK_CHECK(self.dim() != 0, kShapeMismatch, "Input tensor must have one or more dimensions");
  const int64_t last = self.dim() - 1;
  WICK_CHECK(self.sizes()[last] == 2, kShapeMismatch, "Tensor must have a last dimension of size 2");
  WICK_CHECK(self.strides()[last] == 1, kShapeMismatch, "Tensor must have a last dimension with stride 1");
  IntVec sizes(self.sizes().subspan(0, last)), strides(self.strides().subspan(0, last));
  for (int64_t& s : strides) {
    WICK_CHECK(s % 2 == 0, kShapeMismatch, "Tensor must have a stride divisible by 2 for all but last dimension");
    s /= 2;
  }
  WICK_CHECK(self.storage_offset() % 2 == 0, kShapeMismatch, "Tensor must have a storage_offset divisible by 2");
  Tensor out = make_view(self, std::move(sizes), std::move(strides), self.storage_offset() / 2);
  out.impl()->dtype = to_complex(self.dtype());
  return out;
}

Tensor real(const Tensor& self) { return is_complex(self.dtype()) ? part_of(self, 0) : self; }

Tensor imag(const Tensor& self) {
  WICK_CHECK(is_complex(self.dtype()), kTypeMismatch, "imag is not implemented for tensors with non-complex dtypes.");
  return part_of(self, 1);
}

Tensor conj_copy(const Tensor& self) {
  Tensor out = wick::clone(self);
  if (!is_complex(self.dtype())) return out;
  // A clone is dense: its imaginary parts lie two real elements apart whatever the order of its dims.
  const int64_t size = static_cast<int64_t>(itemsize(to_real(self.dtype())));
  char* first = static_cast<char*>(out.raw_data()) + size;
  if (self.dtype() == DType::kComplexFloat) {
    negate<float>(first, 2 * size, out.numel());
  } else if (self.dtype() == DType::kComplexDouble) {
    negate<double>(first, 2 * size, out.numel());
  } else {
    for (int64_t i = 0, count = out.numel(); i < count; ++i)
      reinterpret_cast<Half*>(first + i * 2 * size)->bits ^= 0x8000;
  }
  return out;
}

Tensor conj(const Tensor& self) { return is_complex(self.dtype()) ? conj_copy(self) : self; }

Tensor alias(const Tensor& self) { return self.alias(); }

Tensor detach(const Tensor& self) {
  Tensor out = self.alias();
  out.impl()->requires_grad = false;
  return out;
}

Tensor identity(const Tensor& self) { return self; }

}  // namespace wick::ops
