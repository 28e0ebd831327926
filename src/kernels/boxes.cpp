// Overlaps of a box with many others, a vector of them at a time.
#include "kernels/boxes.h"

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/boxes.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE void mark(D d, const Boxes& b, int64_t i, int64_t j, float threshold, int32_t* gone) {
  const hn::RebindToSigned<D> di;
  const auto zero = hn::Zero(d);
  const auto w = hn::Max(zero, hn::Sub(hn::Min(hn::Set(d, b.x1[i]), hn::LoadU(d, b.x1 + j)),
                                       hn::Max(hn::Set(d, b.x0[i]), hn::LoadU(d, b.x0 + j))));
  const auto h = hn::Max(zero, hn::Sub(hn::Min(hn::Set(d, b.y1[i]), hn::LoadU(d, b.y1 + j)),
                                       hn::Max(hn::Set(d, b.y0[i]), hn::LoadU(d, b.y0 + j))));
  const auto shared = hn::Mul(w, h);
  const auto all = hn::Sub(hn::Add(hn::Set(d, b.area[i]), hn::LoadU(d, b.area + j)), shared);
  const auto over = hn::Gt(hn::Div(shared, all), hn::Set(d, threshold));
  hn::StoreU(hn::Or(hn::LoadU(di, gone + j), hn::BitCast(di, hn::VecFromMask(d, over))), di, gone + j);
}

void mark_all(const Boxes& b, int64_t i, int64_t first, int64_t n, float threshold, int32_t* gone) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t j = first;
  for (; j + lanes <= n; j += lanes) mark(d, b, i, j, threshold, gone);
  for (; j < n; ++j) mark(hn::FixedTag<float, 1>(), b, i, j, threshold, gone);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(mark_all);

void mark_overlapping(const Boxes& boxes, int64_t i, int64_t first, int64_t n, float threshold, int32_t* gone) {
  HWY_DYNAMIC_DISPATCH(mark_all)(boxes, i, first, n, threshold, gone);
}

}  // namespace wick::kernels
#endif
