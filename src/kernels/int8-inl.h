// Products of words of four bytes, and narrowing of their sums; included once per target.
#if defined(WICK_INT8_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_INT8_INL_H
#undef WICK_INT8_INL_H
#else
#define WICK_INT8_INL_H
#endif

#include <cstring>

#include "hwy/highway.h"
#include "kernels/int8.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
constexpr bool kWide = true;  // 512 bits, masks
#else
constexpr bool kWide = false;
#endif

// Forms with dot products of bytes that the target may have; a build for some instruction sets only leaves out those
// it does not name.
#if HWY_TARGET == HWY_SSE4 || (HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3 && defined(WICK_WITHOUT_AVXVNNI))
constexpr bool kHasQuads = false;
#else
constexpr bool kHasQuads = true;
#endif
#if HWY_ARCH_ARM_A64 && !defined(WICK_WITHOUT_I8MM)
constexpr bool kHasMixedQuads = true;
#else
constexpr bool kHasMixedQuads = false;
#endif

// Signed 16-bit products, added in pairs.
template <class V>
HWY_INLINE V multiply_pairs(V a, V b) {
#if HWY_ARCH_X86
#if HWY_TARGET <= HWY_AVX3
  if constexpr (sizeof(V) == 64) return V{_mm512_madd_epi16(a.raw, b.raw)};
#endif
#if HWY_TARGET <= HWY_AVX2
  if constexpr (sizeof(V) == 32) return V{_mm256_madd_epi16(a.raw, b.raw)};
#endif
  if constexpr (sizeof(V) == 16) return V{_mm_madd_epi16(a.raw, b.raw)};
#elif HWY_ARCH_ARM_A64
  const int16x8_t x = vreinterpretq_s16_s32(a.raw), y = vreinterpretq_s16_s32(b.raw);
  return V{vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y))};
#else
  const int16x8_t x = vreinterpretq_s16_s32(a.raw), y = vreinterpretq_s16_s32(b.raw);
  const int32x4_t low = vmull_s16(vget_low_s16(x), vget_low_s16(y));
  const int32x4_t high = vmull_s16(vget_high_s16(x), vget_high_s16(y));
  return V{vcombine_s32(vpadd_s32(vget_low_s32(low), vget_high_s32(low)),
                        vpadd_s32(vget_low_s32(high), vget_high_s32(high)))};
#endif
}

#if HWY_ARCH_ARM_A64
// GNU's assembler knows the extensions from ARMv8.2 on only.
#ifndef WICK_ARM_EXTENSION
#if defined(__clang__)
#define WICK_ARM_EXTENSION(name) ".arch_extension " name
#else
#define WICK_ARM_EXTENSION(name) ".arch armv8.2-a+crypto+" name
#endif
#endif
// Bytes of the input as the form multiplies them. SDOT's operands are signed, int8_input_offset() says so.
template <Int8Form kForm, class V>
HWY_INLINE V centered(V a) {
  if constexpr (kForm == Int8Form::kQuads) return V(veorq_s32(a.raw, vdupq_n_s32(static_cast<int32_t>(0x80808080u))));
  return a;
}
#endif

// sum + the products of four bytes: unsigned ones of a, signed ones of b. An instruction by name, because compilers
// copy the sums around the intrinsic, and because its encoding depends on the machine and not on the target.
template <Int8Form kForm, class V>
HWY_INLINE V multiply_quads(V sum, V a, V b) {
#if HWY_ARCH_X86
#if HWY_TARGET <= HWY_AVX3
  __asm__("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
#elif HWY_TARGET <= HWY_AVX2
  __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum.raw) : "x"(a.raw), "x"(b.raw));
#endif
#elif HWY_ARCH_ARM_A64
  if constexpr (kForm == Int8Form::kMixedQuads) {
    __asm__(WICK_ARM_EXTENSION("i8mm") "\n\tusdot %0.4s, %1.16b, %2.16b" : "+w"(sum.raw) : "w"(a.raw), "w"(b.raw));
  } else {
    const V signed_a = centered<kForm>(a);
    __asm__(WICK_ARM_EXTENSION("dotprod") "\n\tsdot %0.4s, %1.16b, %2.16b"
            : "+w"(sum.raw)
            : "w"(signed_a.raw), "w"(b.raw));
  }
#endif
  return sum;
}

#if HWY_ARCH_ARM_A64
// The same where a is centered().
template <Int8Form kForm, class V>
HWY_INLINE V multiply_centered(V sum, V a, V b) {
  if constexpr (kForm == Int8Form::kMixedQuads) return multiply_quads<kForm>(sum, a, b);
  __asm__(WICK_ARM_EXTENSION("dotprod") "\n\tsdot %0.4s, %1.16b, %2.16b" : "+w"(sum.raw) : "w"(a.raw), "w"(b.raw));
  return sum;
}
// And of the four bytes in a lane of a.
template <Int8Form kForm, int kLane, class V>
HWY_INLINE V multiply_lane(V sum, V a, V b) {
  if constexpr (kForm == Int8Form::kMixedQuads) {
    __asm__(WICK_ARM_EXTENSION("i8mm") "\n\tsudot %0.4s, %1.16b, %2.4b[%c3]"
            : "+w"(sum.raw)
            : "w"(b.raw), "w"(a.raw), "i"(kLane));
  } else {
    __asm__(WICK_ARM_EXTENSION("dotprod") "\n\tsdot %0.4s, %1.16b, %2.4b[%c3]"
            : "+w"(sum.raw)
            : "w"(b.raw), "w"(a.raw), "i"(kLane));
  }
  return sum;
}
#endif

// Vectors of weights that a vector of words meets.
constexpr int vectors_per_word(Int8Form form) { return form == Int8Form::kPairs ? 2 : 1; }

// A vector of words of the input, ready to meet weights.
template <Int8Form kForm, class D>
struct Words {
  using V = hn::Vec<D>;
  V even, odd;  // but for kPairs, all in `even`

  HWY_INLINE explicit Words(V words) : even(words), odd(words) {
    if constexpr (kForm == Int8Form::kPairs) {
      const D d;
      const hn::RepartitionToNarrow<D> d16;
      even = hn::And(words, hn::Set(d, 0x00ff00ff));
      odd = hn::BitCast(d, hn::ShiftRight<8>(hn::BitCast(hn::RebindToUnsigned<decltype(d16)>(), words)));
    }
  }
  // Weights of one vector; `b` of kPairs has those of the odd bytes behind it.
  HWY_INLINE V add_products(V sum, const int32_t* b) const {
    const D d;
    if constexpr (kForm != Int8Form::kPairs) {
      return multiply_quads<kForm>(sum, even, hn::Load(d, b));
    } else {
      sum = hn::Add(sum, multiply_pairs(even, hn::Load(d, b)));
      return hn::Add(sum, multiply_pairs(odd, hn::Load(d, b + hn::Lanes(d))));
    }
  }
};

// round(value), to nearest even; what is above 32767 stays there. What is far below zero stays there.
template <class VF>
HWY_INLINE auto rounded_value(VF value) {
  [[maybe_unused]] const hn::DFromV<VF> df;
  using V32 [[maybe_unused]] = hn::Vec<hn::Rebind<int32_t, hn::DFromV<VF>>>;
#if HWY_ARCH_ARM_A64
  return V32{vcvtnq_s32_f32(value.raw)};  // saturates, as narrowed() does
#else
  const VF v = hn::Min(value, hn::Set(df, 32767.0f));
#if HWY_ARCH_X86
#if HWY_TARGET <= HWY_AVX3
  if constexpr (sizeof(V32) == 64) return V32{_mm512_cvtps_epi32(v.raw)};
#endif
#if HWY_TARGET <= HWY_AVX2
  if constexpr (sizeof(V32) == 32) return V32{_mm256_cvtps_epi32(v.raw)};
#endif
  if constexpr (sizeof(V32) == 16) return V32{_mm_cvtps_epi32(v.raw)};
#else
  return hn::NearestInt(v);
#endif
#endif
}
// round(sum * scale), likewise.
template <class V32, class VF>
HWY_INLINE V32 scaled(V32 sum, VF scale) {
  return rounded_value(hn::Mul(hn::ConvertTo(hn::DFromV<VF>(), sum), scale));
}

// Four vectors of sums, narrowed to bytes within each 16-byte block: kNarrowing undoes the order.
template <class V32>
HWY_INLINE auto narrowed(V32 v0, V32 v1, V32 v2, V32 v3, const Int8Result& r) {
  using D32 = hn::DFromV<V32>;
  const hn::Repartition<int16_t, D32> d16;
  const hn::Repartition<uint8_t, D32> d8;
  const auto zero = hn::Set(d16, static_cast<int16_t>(r.zero));
  const auto a = hn::SaturatedAdd(hn::ReorderDemote2To(d16, v0, v1), zero);
  const auto b = hn::SaturatedAdd(hn::ReorderDemote2To(d16, v2, v3), zero);
  hn::Vec<decltype(d8)> bytes;
#if HWY_ARCH_X86
#if HWY_TARGET <= HWY_AVX3
  if constexpr (sizeof(V32) == 64) bytes = {_mm512_packus_epi16(a.raw, b.raw)};
#endif
#if HWY_TARGET <= HWY_AVX2
  if constexpr (sizeof(V32) == 32) bytes = {_mm256_packus_epi16(a.raw, b.raw)};
#endif
  if constexpr (sizeof(V32) == 16) bytes = {_mm_packus_epi16(a.raw, b.raw)};
#else
  bytes = decltype(bytes){vcombine_u8(vqmovun_s16(a.raw), vqmovun_s16(b.raw))};
#endif
  bytes = hn::Max(hn::Min(bytes, hn::Set(d8, static_cast<uint8_t>(r.high))), hn::Set(d8, static_cast<uint8_t>(r.low)));
  return hn::Xor(bytes, hn::Set(d8, r.flip));
}

#if HWY_ARCH_ARM_A64
// The same with what it needs in registers: bytes that are stored may be those of an Int8Result, for all a compiler
// knows.
class Narrowing {
 public:
  HWY_INLINE explicit Narrowing(const Int8Result& r)
      : zero_(vdupq_n_s16(static_cast<int16_t>(r.zero))),
        low_(vdupq_n_u8(static_cast<uint8_t>(r.low))),
        high_(vdupq_n_u8(static_cast<uint8_t>(r.high))),
        flip_(vdupq_n_u8(r.flip)) {}
  template <class V32>
  HWY_INLINE uint8x16_t bytes(V32 v0, V32 v1, V32 v2, V32 v3) const {
    const int16x8_t a = vqaddq_s16(vqmovn_high_s32(vqmovn_s32(v0.raw), v1.raw), zero_);
    const int16x8_t b = vqaddq_s16(vqmovn_high_s32(vqmovn_s32(v2.raw), v3.raw), zero_);
    const uint8x16_t all = vqmovun_high_s16(vqmovun_s16(a), b);
    return veorq_u8(vmaxq_u8(vminq_u8(all, high_), low_), flip_);
  }

 private:
  int16x8_t zero_;
  uint8x16_t low_, high_, flip_;
};
#endif

// Which 4-byte pieces of narrowed() vectors stand in the order of columns, when so many vectors (1 to 4) take part. In
// the narrowing order a block of them is 4 * vectors columns; otherwise columns run through vectors.
template <int kVectors, bool kNarrowing, size_t kLanes>
struct Pieces {
  alignas(64) int32_t index[kLanes] = {};
  constexpr Pieces() {
    constexpr int kBlocks = static_cast<int>(kLanes) / 4;
    for (int p = 0; p < kBlocks * kVectors; ++p) {
      const int block = kNarrowing ? p / kVectors : p % kBlocks, vector = kNarrowing ? p % kVectors : p / kBlocks;
      index[p] = block * 4 + vector;
    }
  }
};
template <int kVectors, bool kNarrowing, class D>
HWY_INLINE auto pieces_in_order(D d) {
  static constexpr Pieces<kVectors, kNarrowing, hn::MaxLanes(D())> kPieces;
  return hn::SetTableIndices(d, kPieces.index);
}

// The place of a column among the lanes of so many vectors, in the narrowing order.
constexpr int64_t narrowing_place(int64_t column, int64_t vectors, int64_t lanes) {
  const int64_t block = column / (4 * vectors), vector = column % (4 * vectors) / 4, lane = column % 4;
  return vector * lanes + block * 4 + lane;
}

// A word of weights in its form: `vector` is where the vector of words begins, `lane` which of them it is.
inline void put_word(const int16_t* w, Int8Form form, int64_t lanes, int64_t lane, int32_t* vector) {
  if (form != Int8Form::kPairs) {
    const int8_t bytes[4] = {static_cast<int8_t>(w[0]), static_cast<int8_t>(w[1]), static_cast<int8_t>(w[2]),
                             static_cast<int8_t>(w[3])};
    std::memcpy(vector + lane, bytes, 4);
    return;
  }
  const int16_t even[2] = {w[0], w[2]}, odd[2] = {w[1], w[3]};
  std::memcpy(vector + lane, even, 4);
  std::memcpy(vector + lanes + lane, odd, 4);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
