// Per-target code: 3x3 depthwise convolutions of bytes on 64-bit ARM in its own instructions, for the same reason as
// lanes-inl.h: eight channels by four columns, of two rows where the stride is 1, so that words of four rows of the
// image serve both. Included once per target.
#if defined(WICK_INT8_DEPTHWISE_RUNS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_INT8_DEPTHWISE_RUNS_INL_H
#undef WICK_INT8_DEPTHWISE_RUNS_INL_H
#else
#define WICK_INT8_DEPTHWISE_RUNS_INL_H
#endif

#include <cstdint>

#include "kernels/int8-inl.h"

#if HWY_ARCH_ARM_A64 && !defined(WICK_SELECTION)
#define WICK_HAS_BYTE_RUNS
HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

// Four output columns, from the first of their channels on; of the lower row only where there are two. Steps are in
// bytes.
struct ByteRuns {
  const uint8_t* x[4];     // rows of the image at the first tap, which may be one to the left of it
  int64_t step[4];         // from pixel to pixel; 0 where x is the border
  int64_t left, right;     // pixels outside: 0 or 1
  const uint8_t* border;   // what is there
  const int32_t* weights;  // of the columns of taps, kTapStep apart: eight words of each half of a block
  const int32_t* start;
  const float* scale;
  const int16_t* zero;
  const uint8_t* bounds;  // high, low, what is flipped; null: the bytes' own, and nothing
  uint8_t *upper, *lower;
  int64_t y_pixel;
};
constexpr int64_t kTapStep = 64;
constexpr int64_t kBlockWords = 48;  // of 16 channels' weights

// Sums of column t are v(2t) and v(2t + 1), of the lower row 8 further; weights v16 to v21, those of the lower row, a
// row of the image further down, v22 to v27; words of a position v28 and v29.
#define WICK_CENTER "movi v29.16b, #128\n\teor v28.16b, v28.16b, v29.16b\n\teor v30.16b, v30.16b, v29.16b\n\t"
#define WICK_CENTER_BORDER "movi v29.16b, #128\n\teor v28.16b, v28.16b, v29.16b\n\t"
#define WICK_ZIP "zip2 v29.8h, v28.8h, v30.8h\n\tzip1 v28.8h, v28.8h, v30.8h\n\t"
#define WICK_LOAD_FOUR(center)                                       \
  "ld1 {v28.8b}, [%[x0]], %[s0]\n\tld1 {v29.8b}, [%[x1]], %[s1]\n\t" \
  "ld1 {v30.8b}, [%[x2]], %[s2]\n\tld1 {v31.8b}, [%[x3]], %[s3]\n\t" \
  "zip1 v28.16b, v28.16b, v29.16b\n\tzip1 v30.16b, v30.16b, v31.16b\n\t" center WICK_ZIP
#define WICK_PASS_FOUR                                     \
  "add %[x0], %[x0], %[s0]\n\tadd %[x1], %[x1], %[s1]\n\t" \
  "add %[x2], %[x2], %[s2]\n\tadd %[x3], %[x3], %[s3]\n\t"
// Of three rows; the fourth byte of the weights is 0.
#define WICK_LOAD_THREE(center)                                                                      \
  "ld1 {v28.8b}, [%[x0]], %[s0]\n\tld1 {v29.8b}, [%[x1]], %[s1]\n\tld1 {v30.8b}, [%[x2]], %[s2]\n\t" \
  "zip1 v28.16b, v28.16b, v29.16b\n\tzip1 v30.16b, v30.16b, v30.16b\n\t" center WICK_ZIP
#define WICK_PASS_THREE "add %[x0], %[x0], %[s0]\n\tadd %[x1], %[x1], %[s1]\n\tadd %[x2], %[x2], %[s2]\n\t"
// A position that may be outside of the image.
#define WICK_EDGE(side, n, load, pass, center_border)              \
  "cbnz %[" side "], 2" #n "f\n\t" load "b 3" #n                   \
  "f\n"                                                            \
  "2" #n ":\n\tld1r {v28.16b}, [%[border]]\n\t" pass center_border \
  "mov v29.16b, v28.16b\n"                                         \
  "3" #n ":\n\t"
#define WICK_ADD(name, sum, words, weights) name " v" #sum ".4s, v" #words ".16b, v" #weights ".16b\n\t"
// Columns by taps: upper and lower row.
#define WICK_TAP0(name, a, b, c, d) \
  WICK_ADD(name, a, 28, 16) WICK_ADD(name, b, 29, 17) WICK_ADD(name, c, 28, 22) WICK_ADD(name, d, 29, 23)
#define WICK_TAP1(name, a, b, c, d) \
  WICK_ADD(name, a, 28, 18) WICK_ADD(name, b, 29, 19) WICK_ADD(name, c, 28, 24) WICK_ADD(name, d, 29, 25)
#define WICK_TAP2(name, a, b, c, d) \
  WICK_ADD(name, a, 28, 20) WICK_ADD(name, b, 29, 21) WICK_ADD(name, c, 28, 26) WICK_ADD(name, d, 29, 27)
#define WICK_C0(tap, name) tap(name, 0, 1, 8, 9)
#define WICK_C1(tap, name) tap(name, 2, 3, 10, 11)
#define WICK_C2(tap, name) tap(name, 4, 5, 12, 13)
#define WICK_C3(tap, name) tap(name, 6, 7, 14, 15)
// Upper row alone.
#define WICK_ONE0(name, a, b, c, d) WICK_ADD(name, a, 28, 16) WICK_ADD(name, b, 29, 17)
#define WICK_ONE1(name, a, b, c, d) WICK_ADD(name, a, 28, 18) WICK_ADD(name, b, 29, 19)
#define WICK_ONE2(name, a, b, c, d) WICK_ADD(name, a, 28, 20) WICK_ADD(name, b, 29, 21)

#define WICK_BEGIN(a, b) "ld1 {v" #a ".4s, v" #b ".4s}, [%[start]]\n\t"
#define WICK_WEIGHTS                                                                     \
  "ld1 {v16.16b, v17.16b}, [%[w]], %[tap]\n\tld1 {v18.16b, v19.16b}, [%[w]], %[tap]\n\t" \
  "ld1 {v20.16b, v21.16b}, [%[w]]\n\t"
#define WICK_LOWER_WEIGHTS                                                                                   \
  "shl v22.4s, v16.4s, #8\n\tshl v23.4s, v17.4s, #8\n\tshl v24.4s, v18.4s, #8\n\tshl v25.4s, v19.4s, #8\n\t" \
  "shl v26.4s, v20.4s, #8\n\tshl v27.4s, v21.4s, #8\n\t"
// Two columns, four vectors of sums, to bytes in the first register.
#define WICK_NARROW(a, b, c, d)                                                                                    \
  "scvtf v" #a ".4s, v" #a ".4s\n\tscvtf v" #b ".4s, v" #b ".4s\n\tscvtf v" #c ".4s, v" #c ".4s\n\tscvtf v" #d     \
  ".4s, v" #d ".4s\n\tfmul v" #a ".4s, v" #a ".4s, v28.4s\n\tfmul v" #b ".4s, v" #b ".4s, v29.4s\n\tfmul v" #c     \
  ".4s, v" #c ".4s, v28.4s\n\tfmul v" #d ".4s, v" #d ".4s, v29.4s\n\tfcvtns v" #a ".4s, v" #a ".4s\n\tfcvtns v" #b \
  ".4s, v" #b ".4s\n\tfcvtns v" #c ".4s, v" #c ".4s\n\tfcvtns v" #d ".4s, v" #d ".4s\n\tsqxtn v" #a ".4h, v" #a    \
  ".4s\n\tsqxtn v" #c ".4h, v" #c ".4s\n\tsqxtn2 v" #a ".8h, v" #b ".4s\n\tsqxtn2 v" #c ".8h, v" #d                \
  ".4s\n\tsqadd v" #a ".8h, v" #a ".8h, v30.8h\n\tsqadd v" #c ".8h, v" #c ".8h, v30.8h\n\tsqxtun v" #a ".8b, v" #a \
  ".8h\n\tsqxtun2 v" #a ".16b, v" #c ".8h\n\t"
#define WICK_BOUND(a)                                                                                         \
  "umin v" #a ".16b, v" #a ".16b, v16.16b\n\tumax v" #a ".16b, v" #a ".16b, v17.16b\n\teor v" #a ".16b, v" #a \
  ".16b, v18.16b\n\t"
#define WICK_STORE(y, a) "st1 {v" #a ".8b}, [%[" y "]], %[y_pixel]\n\tst1 {v" #a ".d}[1], [%[" y "]], %[y_pixel]\n\t"
#define WICK_SCALES "ld1 {v28.4s, v29.4s}, [%[scale]]\n\tld1r {v30.8h}, [%[zero]]\n\t"
#define WICK_BOUNDS "cbz %[bounds], 6f\n\tld3r {v16.16b, v17.16b, v18.16b}, [%[bounds]]\n\t"

#define WICK_PAIR(extension, name, center, center_border)                                                           \
  WICK_ARM_EXTENSION(extension)                                                                                     \
  "\n\t" WICK_BEGIN(0, 1) WICK_BEGIN(2, 3) WICK_BEGIN(4, 5) WICK_BEGIN(6, 7) WICK_BEGIN(8, 9) WICK_BEGIN(10, 11)    \
      WICK_BEGIN(12, 13) WICK_BEGIN(14, 15) WICK_WEIGHTS WICK_LOWER_WEIGHTS WICK_EDGE(                              \
          "left", 0, WICK_LOAD_FOUR(center), WICK_PASS_FOUR, center_border) WICK_C0(WICK_TAP0, name)                \
          WICK_LOAD_FOUR(center) WICK_C1(WICK_TAP0, name) WICK_C0(WICK_TAP1, name) WICK_LOAD_FOUR(center)           \
              WICK_C2(WICK_TAP0, name) WICK_C1(WICK_TAP1, name) WICK_C0(WICK_TAP2, name) WICK_LOAD_FOUR(center)     \
                  WICK_C3(WICK_TAP0, name) WICK_C2(WICK_TAP1, name) WICK_C1(WICK_TAP2, name) WICK_LOAD_FOUR(center) \
                      WICK_C3(WICK_TAP1, name) WICK_C2(WICK_TAP2, name)                                             \
                          WICK_EDGE("right", 1, WICK_LOAD_FOUR(center), WICK_PASS_FOUR, center_border)              \
                              WICK_C3(WICK_TAP2, name) WICK_SCALES WICK_NARROW(0, 1, 2, 3) WICK_NARROW(4, 5, 6, 7)  \
                                  WICK_NARROW(8, 9, 10, 11) WICK_NARROW(12, 13, 14, 15) WICK_BOUNDS WICK_BOUND(0)   \
                                      WICK_BOUND(4) WICK_BOUND(8) WICK_BOUND(12) "6:\n\t" WICK_STORE("upper", 0)    \
                                          WICK_STORE("upper", 4) WICK_STORE("lower", 8) WICK_STORE("lower", 12)
#define WICK_SINGLE(extension, name, center, center_border)                                                            \
  WICK_ARM_EXTENSION(extension)                                                                                        \
  "\n\t" WICK_BEGIN(0, 1) WICK_BEGIN(2, 3) WICK_BEGIN(4, 5) WICK_BEGIN(6, 7)                                           \
      WICK_WEIGHTS WICK_EDGE("left", 0, WICK_LOAD_THREE(center), WICK_PASS_THREE, center_border)                       \
          WICK_C0(WICK_ONE0, name) WICK_LOAD_THREE(center) WICK_C0(WICK_ONE1, name) WICK_LOAD_THREE(center)            \
              WICK_C0(WICK_ONE2, name) WICK_C1(WICK_ONE0, name) WICK_LOAD_THREE(center) WICK_C1(WICK_ONE1, name)       \
                  WICK_LOAD_THREE(center) WICK_C1(WICK_ONE2, name) WICK_C2(WICK_ONE0, name) WICK_LOAD_THREE(center)    \
                      WICK_C2(WICK_ONE1, name) WICK_LOAD_THREE(center) WICK_C2(WICK_ONE2, name)                        \
                          WICK_C3(WICK_ONE0, name) WICK_LOAD_THREE(center) WICK_C3(WICK_ONE1, name)                    \
                              WICK_EDGE("right", 1, WICK_LOAD_THREE(center), WICK_PASS_THREE, center_border)           \
                                  WICK_C3(WICK_ONE2, name) WICK_SCALES WICK_NARROW(0, 1, 2, 3) WICK_NARROW(4, 5, 6, 7) \
                                      WICK_BOUNDS WICK_BOUND(0) WICK_BOUND(4) "6:\n\t" WICK_STORE("upper", 0)          \
                                          WICK_STORE("upper", 4)

// Of so many blocks of 16 channels, one after the other.
template <Int8Form kForm, int kStride>
HWY_NOINLINE void byte_runs(const ByteRuns& given, int64_t blocks) {
  const ByteRuns t = given;
  for (int64_t i = 0; i < 2 * blocks; ++i) {
    const uint8_t *x0 = t.x[0] + 8 * i, *x1 = t.x[1] + 8 * i, *x2 = t.x[2] + 8 * i, *x3 = t.x[3] + 8 * i;
    const int32_t *w = t.weights + i / 2 * kBlockWords + i % 2 * 8, *start = t.start + 8 * i;
    const float* scale = t.scale + 8 * i;
    uint8_t *upper = t.upper + 8 * i, *lower = t.lower + 8 * i;
#define WICK_OPERANDS                                                                           \
  [x0] "+r"(x0), [x1] "+r"(x1), [x2] "+r"(x2), [x3] "+r"(x3), [w] "+r"(w), [upper] "+r"(upper), \
      [lower] "+r"(lower)                                                                       \
      : [s0] "r"(t.step[0]),                                                                    \
        [s1] "r"(t.step[1]),                                                                    \
        [s2] "r"(t.step[2]),                                                                    \
        [s3] "r"(t.step[3]),                                                                    \
        [left] "r"(t.left),                                                                     \
        [right] "r"(t.right),                                                                   \
        [border] "r"(t.border),                                                                 \
        [tap] "r"(kTapStep),                                                                    \
        [start] "r"(start),                                                                     \
        [scale] "r"(scale),                                                                     \
        [zero] "r"(t.zero),                                                                     \
        [bounds] "r"(t.bounds),                                                                 \
        [y_pixel] "r"(t.y_pixel)                                                                \
      : "cc",                                                                                   \
        "memory",                                                                               \
        "v0",                                                                                   \
        "v1",                                                                                   \
        "v2",                                                                                   \
        "v3",                                                                                   \
        "v4",                                                                                   \
        "v5",                                                                                   \
        "v6",                                                                                   \
        "v7",                                                                                   \
        "v8",                                                                                   \
        "v9",                                                                                   \
        "v10",                                                                                  \
        "v11",                                                                                  \
        "v12",                                                                                  \
        "v13",                                                                                  \
        "v14",                                                                                  \
        "v15",                                                                                  \
        "v16",                                                                                  \
        "v17",                                                                                  \
        "v18",                                                                                  \
        "v19",                                                                                  \
        "v20",                                                                                  \
        "v21",                                                                                  \
        "v22",                                                                                  \
        "v23",                                                                                  \
        "v24",                                                                                  \
        "v25",                                                                                  \
        "v26",                                                                                  \
        "v27",                                                                                  \
        "v28",                                                                                  \
        "v29",                                                                                  \
        "v30",                                                                                  \
        "v31"
    if constexpr (kForm == Int8Form::kMixedQuads) {
      if constexpr (kStride == 1) {
        __asm__ volatile(WICK_PAIR("i8mm", "usdot", "", "") : WICK_OPERANDS);
      } else {
        __asm__ volatile(WICK_SINGLE("i8mm", "usdot", "", "") : WICK_OPERANDS);
      }
    } else {
      if constexpr (kStride == 1) {
        __asm__ volatile(WICK_PAIR("dotprod", "sdot", WICK_CENTER, WICK_CENTER_BORDER) : WICK_OPERANDS);
      } else {
        __asm__ volatile(WICK_SINGLE("dotprod", "sdot", WICK_CENTER, WICK_CENTER_BORDER) : WICK_OPERANDS);
      }
    }
#undef WICK_OPERANDS
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();
#endif

#endif
