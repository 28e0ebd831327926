// Per-target code: small transpositions of floats.
#if defined(WICK_TRANSPOSE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_TRANSPOSE_INL_H
#undef WICK_TRANSPOSE_INL_H
#else
#define WICK_TRANSPOSE_INL_H
#endif

#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Four rows by four columns: dst[k * width + n] = src[n * src_row + k].
[[maybe_unused]] HWY_INLINE void transpose_block(const float* src, int64_t src_row, float* dst, int64_t width) {
  const hn::FixedTag<float, 4> d;
  const hn::FixedTag<std::conditional_t<HWY_HAVE_FLOAT64, double, uint64_t>, 2> d2;
  const auto r0 = hn::LoadU(d, src), r1 = hn::LoadU(d, src + src_row);
  const auto r2 = hn::LoadU(d, src + 2 * src_row), r3 = hn::LoadU(d, src + 3 * src_row);
  const auto lo01 = hn::BitCast(d2, hn::InterleaveLower(d, r0, r1));
  const auto hi01 = hn::BitCast(d2, hn::InterleaveUpper(d, r0, r1));
  const auto lo23 = hn::BitCast(d2, hn::InterleaveLower(d, r2, r3));
  const auto hi23 = hn::BitCast(d2, hn::InterleaveUpper(d, r2, r3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d2, lo01, lo23)), d, dst);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d2, lo01, lo23)), d, dst + width);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d2, hi01, hi23)), d, dst + 2 * width);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d2, hi01, hi23)), d, dst + 3 * width);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
