// Pixels as normalized floats, in vectors.
#include "vision_kernels.h"

#include <algorithm>
#include <cstring>

// Vectors are kept in a struct, which those of scalable instruction sets cannot be.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vision_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wick::java::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using IntTag = hn::RebindToSigned<FloatTag>;
using ByteTag = hn::Rebind<uint8_t, IntTag>;
using Vector = hn::Vec<FloatTag>;
using Ints = hn::Vec<IntTag>;

struct Channels {
  Vector r, g, b;
};

void store(const Channels& c, size_t at, Floats out) {
  const FloatTag d;
  if (out.plane == 0) {
    hn::StoreInterleaved3(c.r, c.g, c.b, d, out.to + 3 * at);
    return;
  }
  hn::StoreU(c.r, d, out.to + at);
  hn::StoreU(c.g, d, out.to + out.plane + at);
  hn::StoreU(c.b, d, out.to + 2 * out.plane + at);
}

// The first `count` of a vector's pixels.
void store_part(const Channels& c, size_t at, size_t count, Floats out) {
  constexpr size_t kMost = HWY_MAX_BYTES / sizeof(float);
  float part[3 * kMost];
  store(c, 0, {part, out.plane == 0 ? 0 : kMost});
  if (out.plane == 0) {
    std::memcpy(out.to + 3 * at, part, 3 * count * sizeof(float));
    return;
  }
  for (size_t k = 0; k < 3; ++k) std::memcpy(out.to + k * out.plane + at, part + k * kMost, count * sizeof(float));
}

Channels normalize(Vector r, Vector g, Vector b, const float* mean, const float* std) {
  const FloatTag d;
  const auto one = [&](Vector v, int k)
                       HWY_ATTR { return hn::Div(hn::Sub(v, hn::Set(d, mean[k])), hn::Set(d, std[k])); };
  return {one(r, 0), one(g, 1), one(b, 2)};
}

// Pixels 0xAARRGGBB, or 0xAABBGGRR.
template <bool is_swapped>
Channels of_pixels(Ints p, const float* mean, const float* std) {
  const FloatTag d;
  const Ints byte = hn::Set(IntTag(), 255);
  const Vector most = hn::Set(d, 255.0f);
  const auto channel = [&](Ints v) HWY_ATTR { return hn::Div(hn::ConvertTo(d, hn::And(v, byte)), most); };
  const Vector high = channel(hn::ShiftRight<16>(p)), low = channel(p);
  return normalize(is_swapped ? low : high, channel(hn::ShiftRight<8>(p)), is_swapped ? high : low, mean, std);
}

Channels of_yuv(const uint8_t* y, const uint8_t* u, const uint8_t* v, const float* mean, const float* std) {
  const FloatTag d;
  const IntTag di;
  const ByteTag db;
  const auto load = [&](const uint8_t* from, int zero)
                        HWY_ATTR { return hn::Sub(hn::PromoteTo(di, hn::LoadU(db, from)), hn::Set(di, zero)); };
  const Ints zero = hn::Zero(di);
  const Ints luma = hn::Mul(hn::Max(load(y, 16), zero), hn::Set(di, 1192));
  const Ints cu = load(u, 128), cv = load(v, 128);
  const auto times = [&](Ints x, int factor) HWY_ATTR { return hn::Mul(x, hn::Set(di, factor)); };
  const auto channel = [&](Ints sum) HWY_ATTR {
    return hn::ConvertTo(d, hn::Min(hn::Max(hn::ShiftRight<10>(sum), zero), hn::Set(di, 255)));
  };
  return normalize(channel(hn::Add(luma, times(cv, 1634))),
                   channel(hn::Sub(hn::Sub(luma, times(cv, 833)), times(cu, 400))),
                   channel(hn::Add(luma, times(cu, 2066))), mean, std);
}

// Whether all are opaque.
template <bool is_swapped>
bool convert_pixels(const int32_t* pixels, size_t count, const float* mean, const float* std, Floats out) {
  const IntTag di;
  const size_t lanes = hn::Lanes(di);
  Ints common = hn::Set(di, -1);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const Ints p = hn::LoadU(di, pixels + i);
    common = hn::And(common, p);
    store(of_pixels<is_swapped>(p, mean, std), i, out);
  }
  if (i < count) {
    int32_t rest[HWY_MAX_BYTES / sizeof(int32_t)];
    std::fill(rest, rest + lanes, pixels[i]);
    std::memcpy(rest, pixels + i, (count - i) * sizeof(int32_t));
    const Ints p = hn::LoadU(di, rest);
    common = hn::And(common, p);
    store_part(of_pixels<is_swapped>(p, mean, std), i, count - i, out);
  }
  return hn::AllTrue(di, hn::Eq(hn::ShiftRight<24>(common), hn::Set(di, -1)));
}

bool pixels_to_floats(const int32_t* pixels, size_t count, const float* mean, const float* std, Floats out) {
  return convert_pixels<false>(pixels, count, mean, std, out);
}

bool swapped_pixels_to_floats(const int32_t* pixels, size_t count, const float* mean, const float* std, Floats out) {
  return convert_pixels<true>(pixels, count, mean, std, out);
}

void yuv_to_floats(const uint8_t* y, const uint8_t* u, const uint8_t* v, size_t count, const float* mean,
                   const float* std, Floats out) {
  const size_t lanes = hn::Lanes(FloatTag());
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) store(of_yuv(y + i, u + i, v + i, mean, std), i, out);
  if (i == count) return;
  uint8_t rest[3][HWY_MAX_BYTES] = {};
  const uint8_t* from[] = {y, u, v};
  for (int k = 0; k < 3; ++k) std::memcpy(rest[k], from[k] + i, count - i);
  store_part(of_yuv(rest[0], rest[1], rest[2], mean, std), i, count - i, out);
}

}  // namespace wick::java::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::java {

HWY_EXPORT(pixels_to_floats);
HWY_EXPORT(swapped_pixels_to_floats);
HWY_EXPORT(yuv_to_floats);

bool pixels_to_floats(const int32_t* pixels, size_t count, const float* mean, const float* std, Floats out) {
  return HWY_DYNAMIC_DISPATCH(pixels_to_floats)(pixels, count, mean, std, out);
}

bool swapped_pixels_to_floats(const int32_t* pixels, size_t count, const float* mean, const float* std, Floats out) {
  return HWY_DYNAMIC_DISPATCH(swapped_pixels_to_floats)(pixels, count, mean, std, out);
}

void yuv_to_floats(const uint8_t* y, const uint8_t* u, const uint8_t* v, size_t count, const float* mean,
                   const float* std, Floats out) {
  HWY_DYNAMIC_DISPATCH(yuv_to_floats)(y, u, v, count, mean, std, out);
}

}  // namespace wick::java
#endif
