// Per-target code: the tag of vectors of an element type.
#if defined(WICK_TAG_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_TAG_INL_H
#undef WICK_TAG_INL_H
#else
#define WICK_TAG_INL_H
#endif

#include "hwy/highway.h"
#ifdef WICK_HALF_TYPE
#include "kernels/half-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Full vectors.
#ifdef WICK_HALF_TYPE
template <class T>
using TagOf = std::conditional_t<sizeof(T) == 2, hn::HalfTag, hn::ScalableTag<float>>;
template <class D>
inline constexpr bool kIsHalfTag = std::is_same_v<D, hn::HalfTag>;
#else
template <class T>
using TagOf = hn::ScalableTag<T>;
template <class D>
inline constexpr bool kIsHalfTag = false;
#endif

}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
