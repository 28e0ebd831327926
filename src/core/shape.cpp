// Dimension wrapping, broadcasting and dtype promotion.
#include "core/shape.h"

namespace wick {

int64_t wrap_dim(int64_t dim, int64_t rank) {
  const int64_t range = rank == 0 ? 1 : rank;
  WICK_CHECK(dim >= -range && dim < range, kIndexOutOfRange, "Dimension out of range (expected to be in range of [",
             -range, ", ", range - 1, "], but got ", dim, ")");
  return dim < 0 ? dim + range : dim;
}

IntVec wrap_dims(IntSpan dims, int64_t rank) {
  IntVec out;
  for (int64_t d : dims) {
    const int64_t wrapped = wrap_dim(d, rank);
    for (int64_t seen : out) {
      WICK_CHECK(seen != wrapped, kInvalidArgument, "dim ", wrapped, " appears multiple times in the list of dims");
    }
    out.push_back(wrapped);
  }
  return out;
}

IntVec broadcast_shapes(IntSpan a, IntSpan b) {
  const size_t rank = std::max(a.size(), b.size());
  IntVec out(rank);
  for (size_t i = 0; i < rank; ++i) {
    const size_t d = rank - 1 - i;
    const int64_t sa = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t sb = i < b.size() ? b[b.size() - 1 - i] : 1;
    WICK_CHECK(sa == sb || sa == 1 || sb == 1, kShapeMismatch, "The size of tensor a (", sa,
               ") must match the size of tensor b (", sb, ") at non-singleton dimension ", d);
    out[d] = sa == 1 ? sb : sa;
  }
  return out;
}

Tensor expand(const Tensor& t, IntSpan sizes) {
  const int64_t rank = static_cast<int64_t>(sizes.size());
  const int64_t extra = rank - t.dim();
  WICK_CHECK(extra >= 0, kShapeMismatch, "expand(torch.", name_of(t.dtype()), "Tensor{", t.sizes(), "}, size=", sizes,
             "): the number of sizes provided (", rank,
             ") must be greater or equal to the number of dimensions in the tensor (", t.dim(), ")");
  IntVec out_sizes(sizes), out_strides(sizes.size());
  for (int64_t d = rank - 1; d >= 0; --d) {
    const int64_t own = d - extra;
    int64_t want = sizes[d];
    if (own < 0) {
      WICK_CHECK(want >= 0, kShapeMismatch, "The expanded size of the tensor (", want,
                 ") isn't allowed in a leading, non-existing dimension ", d);
      // A new leading dim of size one has the stride of a dense tensor; larger ones repeat.
      out_strides[d] = 1;
      if (want != 1 ||
          (d + 1 < rank && __builtin_mul_overflow(out_strides[d + 1], out_sizes[d + 1], &out_strides[d]))) {
        out_strides[d] = 0;
      }
      continue;
    }
    const int64_t have = t.sizes()[own];
    if (want == -1) want = have;
    out_sizes[d] = want;
    out_strides[d] = t.strides()[own];
    if (have != want) {
      WICK_CHECK(have == 1, kShapeMismatch, "The expanded size of the tensor (", want,
                 ") must match the existing size (", have, ") at non-singleton dimension ", d,
                 ".  Target sizes: ", sizes, ".  Tensor sizes: ", t.sizes());
      out_strides[d] = 0;
    }
  }
  return t.as_strided(out_sizes, out_strides, t.storage_offset());
}

namespace {

// Order of categories: bool < integral < floating < complex.
int category(DType t) {
  if (is_complex(t)) return 3;
  if (is_floating(t)) return 2;
  if (is_integral(t, false)) return 1;
  return 0;
}

}  // namespace

DType promote_types(DType a, DType b) {
  if (a == b) return a;
  WICK_CHECK(!is_quantized(a) && !is_quantized(b), kUnsupported,
             "promoteTypes with quantized numbers is not handled yet; "
             "figure out what the correct rules should be, offending types: ",
             name_of(a), " ", name_of(b));
  const int ca = category(a), cb = category(b);
  if (ca != cb) {
    const DType high = ca > cb ? a : b, low = ca > cb ? b : a;
    // A complex with a real float takes the wider precision of the two.
    if (category(high) == 3 && category(low) == 2) {
      const DType real = promote_types(to_real(high), low == DType::kBFloat16 ? DType::kFloat : low);
      return to_complex(real);
    }
    return high;
  }
  if (ca == 3) return to_complex(promote_types(to_real(a), to_real(b)));
  if (ca == 2) {
    if (itemsize(a) == itemsize(b)) return DType::kFloat;  // half with bfloat16
    return itemsize(a) > itemsize(b) ? a : b;
  }
  // Integers: the wider; uint8 with int8 gives int16.
  const auto is_unsigned = [](DType t) { return t == DType::kByte || (t >= DType::kUInt16 && t <= DType::kUInt64); };
  if (is_unsigned(a) == is_unsigned(b)) return itemsize(a) > itemsize(b) ? a : b;
  const DType u = is_unsigned(a) ? a : b, s = is_unsigned(a) ? b : a;
  if (itemsize(s) > itemsize(u)) return s;
  WICK_CHECK(u == DType::kByte, kUnsupported,
             "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote ", name_of(a), " and ",
             name_of(b));
  return DType::kShort;
}

ResultType& ResultType::add(const Tensor& t) {
  std::optional<DType>& slot = t.dim() > 0 ? dim_ : zero_;
  slot = slot ? promote_types(*slot, t.dtype()) : t.dtype();
  return *this;
}

ResultType& ResultType::add(const Scalar& s) {
  DType t = s.dtype();
  if (t == DType::kDouble) t = kDefaultDType;
  if (t == DType::kComplexDouble) t = to_complex(kDefaultDType);
  number_ = number_ ? promote_types(*number_, t) : t;
  return *this;
}

DType ResultType::get() const {
  const auto combine = [](std::optional<DType> higher, std::optional<DType> lower) -> std::optional<DType> {
    if (!higher) return lower;
    if (!lower) return higher;
    if (category(*lower) <= category(*higher)) return higher;
    // A lower-priority operand of a higher category decides the category, not the precision.
    if (is_floating(*higher)) return to_complex(*higher);
    return promote_types(*higher, *lower);
  };
  const std::optional<DType> result = combine(dim_, combine(zero_, number_));
  return result.value_or(kDefaultDType);
}

bool can_cast(DType from, DType to) {
  if (is_complex(from) && !is_complex(to)) return false;
  if (is_floating(from) && is_integral(to, false)) return false;
  if (from != DType::kBool && to == DType::kBool) return false;
  return true;
}

}  // namespace wick
