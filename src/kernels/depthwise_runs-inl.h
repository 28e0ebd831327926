// Per-target code: tiles of depthwise convolutions on 64-bit ARM in its own instructions, for the same reason as
// lanes-inl.h: a load or store of two or four neighboring vectors of channels takes one, and moves its address to the
// next pixel. Included once per target and element type (WICK_CONV_TYPE), float or float16.
#if defined(WICK_DEPTHWISE_RUNS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_DEPTHWISE_RUNS_INL_H
#undef WICK_DEPTHWISE_RUNS_INL_H
#else
#define WICK_DEPTHWISE_RUNS_INL_H
#endif

#include <cstdint>

#include "hwy/highway.h"

// A selective build has the tiles of depthwise_tiles-inl.h alone.
#if HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64 && !defined(WICK_SELECTION)
#define WICK_HAS_DEPTHWISE_RUNS

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

// Some output columns of a row, of some vectors of channels. Steps are in bytes.
template <class T>
struct RunsTile {
  const T*
      x;  // the first pixel under the first row of taps that is inside the image; it may itself be to the left of it
  int64_t pixel, row_rest;  // from pixel to pixel; from behind the last of a row to the first of the next
  const T* w;               // the first tap of that row
  int64_t tap;              // from tap to tap, and from row to row
  int64_t tap_rows;         // at least 1
  int64_t left, right;      // pixels outside the image, at most kernel / 2
  const T* bias;
  const T* bounds;            // low and high
  const T* swish;             // as LaneTile's
  int64_t has_low, has_high;  // 0 or 1; has_high only with has_low
  T* y;
  int64_t y_pixel;
};

#ifdef WICK_HALF_TYPE
#define WICK_ALL "8h"
#else
#define WICK_ALL "4s"
#endif
#define WICK_VECTOR(r) "v" #r "." WICK_ALL
#define WICK_OPERATION(operation, to, other) \
#operation " " WICK_VECTOR(to) ", " WICK_VECTOR(to) ", " WICK_VECTOR(other) "\n\t"
#define WICK_FMLA(sum, pixel, tap) "fmla " WICK_VECTOR(sum) ", " WICK_VECTOR(pixel) ", " WICK_VECTOR(tap) "\n\t"
// With arguments that are lists of registers.
#define WICK_CALL(macro, ...) macro(__VA_ARGS__)

// Four vectors of channels by four columns: sums in v0 to v15, taps of a row in v16 to v27, a pixel in v28 to v31.
#define WICK_SUM4_0 0, 1, 2, 3
#define WICK_SUM4_1 4, 5, 6, 7
#define WICK_SUM4_2 8, 9, 10, 11
#define WICK_SUM4_3 12, 13, 14, 15
#define WICK_TAP4_0 16, 17, 18, 19
#define WICK_TAP4_1 20, 21, 22, 23
#define WICK_TAP4_2 24, 25, 26, 27
#define WICK_LIST4(a, b, c, d) "{" WICK_VECTOR(a) ", " WICK_VECTOR(b) ", " WICK_VECTOR(c) ", " WICK_VECTOR(d) "}"
#define WICK_FMLA4(a, b, c, d, e, f, g, h) \
  WICK_FMLA(a, 28, e) WICK_FMLA(b, 29, f) WICK_FMLA(c, 30, g) WICK_FMLA(d, 31, h)
#define WICK_BEGIN4(...) "ld1 " WICK_LIST4(__VA_ARGS__) ", [%[bias]]\n\t"
#define WICK_STORE4(...) "st1 " WICK_LIST4(__VA_ARGS__) ", [%[y]], %[y_pixel]\n\t"
#define WICK_LOAD_TAP4(...) "ld1 " WICK_LIST4(__VA_ARGS__) ", [%[w]], %[tap]\n\t"
#define WICK_PIXEL4 "ld1 " WICK_LIST4(28, 29, 30, 31) ", [%[x]], %[pixel]\n\t"
#define WICK_MAX4(a, b, c, d) \
  WICK_OPERATION(fmax, a, 16) WICK_OPERATION(fmax, b, 16) WICK_OPERATION(fmax, c, 16) WICK_OPERATION(fmax, d, 16)
#define WICK_MIN4(a, b, c, d) \
  WICK_OPERATION(fmin, a, 17) WICK_OPERATION(fmin, b, 17) WICK_OPERATION(fmin, c, 17) WICK_OPERATION(fmin, d, 17)
#define WICK_SWISH4(a, b, c, d) WICK_SWISH2(a, b) WICK_SWISH2(c, d)
// Two vectors by seven columns: sums in v0 to v13, taps in v14 to v23, a pixel in v30 and v31.
#define WICK_SUM2_0 0, 1
#define WICK_SUM2_1 2, 3
#define WICK_SUM2_2 4, 5
#define WICK_SUM2_3 6, 7
#define WICK_SUM2_4 8, 9
#define WICK_SUM2_5 10, 11
#define WICK_SUM2_6 12, 13
#define WICK_TAP2_0 14, 15
#define WICK_TAP2_1 16, 17
#define WICK_TAP2_2 18, 19
#define WICK_TAP2_3 20, 21
#define WICK_TAP2_4 22, 23
#define WICK_LIST2(a, b) "{" WICK_VECTOR(a) ", " WICK_VECTOR(b) "}"
#define WICK_FMLA2(a, b, c, d) WICK_FMLA(a, 30, c) WICK_FMLA(b, 31, d)
#define WICK_BEGIN2(...) "ld1 " WICK_LIST2(__VA_ARGS__) ", [%[bias]]\n\t"
#define WICK_STORE2(...) "st1 " WICK_LIST2(__VA_ARGS__) ", [%[y]], %[y_pixel]\n\t"
#define WICK_LOAD_TAP2(...) "ld1 " WICK_LIST2(__VA_ARGS__) ", [%[w]], %[tap]\n\t"
#define WICK_PIXEL2 "ld1 " WICK_LIST2(30, 31) ", [%[x]], %[pixel]\n\t"
#define WICK_MAX2(a, b) WICK_OPERATION(fmax, a, 16) WICK_OPERATION(fmax, b, 16)
#define WICK_MIN2(a, b) WICK_OPERATION(fmin, a, 17) WICK_OPERATION(fmin, b, 17)
// x * clamp(x + 3, 0, 6) / 6, by way of two registers.
#define WICK_SWISH2(a, b)                                                                                        \
  "fadd " WICK_VECTOR(16) ", " WICK_VECTOR(a) ", " WICK_VECTOR(28) "\n\tfadd " WICK_VECTOR(17) ", " WICK_VECTOR( \
      b) ", " WICK_VECTOR(28) "\n\t" WICK_OPERATION(fmax, 16, 29) WICK_OPERATION(fmax, 17, 29)                   \
      WICK_OPERATION(fmin, 16, 30) WICK_OPERATION(fmin, 17, 30) WICK_OPERATION(fmul, 16, 31)                     \
          WICK_OPERATION(fmul, 17, 31) WICK_OPERATION(fmul, a, 16) WICK_OPERATION(fmul, b, 17)

#define WICK_COLUMNS4(macro)    \
  WICK_CALL(macro, WICK_SUM4_0) \
  WICK_CALL(macro, WICK_SUM4_1) WICK_CALL(macro, WICK_SUM4_2) WICK_CALL(macro, WICK_SUM4_3)
#define WICK_COLUMNS2(macro)                                                                \
  WICK_CALL(macro, WICK_SUM2_0)                                                             \
  WICK_CALL(macro, WICK_SUM2_1) WICK_CALL(macro, WICK_SUM2_2) WICK_CALL(macro, WICK_SUM2_3) \
      WICK_CALL(macro, WICK_SUM2_4) WICK_CALL(macro, WICK_SUM2_5) WICK_CALL(macro, WICK_SUM2_6)
// What a pixel adds to a column by a tap: A with four vectors, B with two.
#define WICK_A(column, tap) WICK_CALL(WICK_FMLA4, WICK_SUM4_##column, WICK_TAP4_##tap)
#define WICK_B(column, tap) WICK_CALL(WICK_FMLA2, WICK_SUM2_##column, WICK_TAP2_##tap)
// Pixels that may be outside: those that are left out at the beginning, number n of them from 0 on, and at the end,
// from n on counted back.
#define WICK_LEFT(n, adds)                                  \
  "cmp %[left], #" #n "\n\tb.gt 2" #n "f\n\t" adds "b 3" #n \
  "f\n"                                                     \
  "2" #n                                                    \
  ":\n\tadd %[x], %[x], %[pixel]\n"                         \
  "3" #n ":\n\t"
#define WICK_RIGHT(n, adds)                                  \
  "cmp %[right], #" #n "\n\tb.gt 4" #n "f\n\t" adds "b 5" #n \
  "f\n"                                                      \
  "4" #n                                                     \
  ":\n\tadd %[x], %[x], %[pixel]\n"                          \
  "5" #n ":\n\t"

#define WICK_TAPS4_3 \
  WICK_CALL(WICK_LOAD_TAP4, WICK_TAP4_0) WICK_CALL(WICK_LOAD_TAP4, WICK_TAP4_1) WICK_CALL(WICK_LOAD_TAP4, WICK_TAP4_2)
#define WICK_TAPS2_3 \
  WICK_CALL(WICK_LOAD_TAP2, WICK_TAP2_0) WICK_CALL(WICK_LOAD_TAP2, WICK_TAP2_1) WICK_CALL(WICK_LOAD_TAP2, WICK_TAP2_2)
#define WICK_TAPS2_5 WICK_TAPS2_3 WICK_CALL(WICK_LOAD_TAP2, WICK_TAP2_3) WICK_CALL(WICK_LOAD_TAP2, WICK_TAP2_4)
// Rows of taps: kernel, stride.
#define WICK_ROW4_3_1                                                                                                \
  WICK_TAPS4_3 WICK_LEFT(0, WICK_PIXEL4 WICK_A(0, 0)) WICK_PIXEL4 WICK_A(1, 0) WICK_A(0, 1) WICK_PIXEL4 WICK_A(2, 0) \
      WICK_A(1, 1) WICK_A(0, 2) WICK_PIXEL4 WICK_A(3, 0) WICK_A(2, 1) WICK_A(1, 2) WICK_PIXEL4 WICK_A(3, 1)          \
          WICK_A(2, 2) WICK_RIGHT(0, WICK_PIXEL4 WICK_A(3, 2))
#define WICK_ROW4_3_2                                                                                                  \
  WICK_TAPS4_3 WICK_LEFT(0, WICK_PIXEL4 WICK_A(0, 0)) WICK_PIXEL4 WICK_A(0, 1) WICK_PIXEL4 WICK_A(0, 2) WICK_A(1, 0)   \
      WICK_PIXEL4 WICK_A(1, 1) WICK_PIXEL4 WICK_A(1, 2) WICK_A(2, 0) WICK_PIXEL4 WICK_A(2, 1) WICK_PIXEL4 WICK_A(2, 2) \
          WICK_A(3, 0) WICK_PIXEL4 WICK_A(3, 1) WICK_RIGHT(0, WICK_PIXEL4 WICK_A(3, 2))
#define WICK_ROW2_3_1                                                                                                \
  WICK_TAPS2_3 WICK_LEFT(0, WICK_PIXEL2 WICK_B(0, 0)) WICK_PIXEL2 WICK_B(1, 0) WICK_B(0, 1) WICK_PIXEL2 WICK_B(2, 0) \
      WICK_B(1, 1) WICK_B(0, 2) WICK_PIXEL2 WICK_B(3, 0) WICK_B(2, 1) WICK_B(1, 2) WICK_PIXEL2 WICK_B(4, 0)          \
          WICK_B(3, 1) WICK_B(2, 2) WICK_PIXEL2 WICK_B(5, 0) WICK_B(4, 1) WICK_B(3, 2) WICK_PIXEL2 WICK_B(6, 0)      \
              WICK_B(5, 1) WICK_B(4, 2) WICK_PIXEL2 WICK_B(6, 1) WICK_B(5, 2) WICK_RIGHT(0, WICK_PIXEL2 WICK_B(6, 2))
#define WICK_ROW2_3_2                                                                                                  \
  WICK_TAPS2_3 WICK_LEFT(0, WICK_PIXEL2 WICK_B(0, 0)) WICK_PIXEL2 WICK_B(0, 1) WICK_PIXEL2 WICK_B(0, 2) WICK_B(1, 0)   \
      WICK_PIXEL2 WICK_B(1, 1) WICK_PIXEL2 WICK_B(1, 2) WICK_B(2, 0) WICK_PIXEL2 WICK_B(2, 1) WICK_PIXEL2 WICK_B(2, 2) \
          WICK_B(3, 0) WICK_PIXEL2 WICK_B(3, 1) WICK_PIXEL2 WICK_B(3, 2) WICK_B(4, 0) WICK_PIXEL2 WICK_B(4, 1)         \
              WICK_PIXEL2 WICK_B(4, 2) WICK_B(5, 0) WICK_PIXEL2 WICK_B(5, 1) WICK_PIXEL2 WICK_B(5, 2) WICK_B(6, 0)     \
                  WICK_PIXEL2 WICK_B(6, 1) WICK_RIGHT(0, WICK_PIXEL2 WICK_B(6, 2))
#define WICK_ROW2_5_1                                                                                               \
  WICK_TAPS2_5 WICK_LEFT(0, WICK_PIXEL2 WICK_B(0, 0)) WICK_LEFT(1, WICK_PIXEL2 WICK_B(1, 0) WICK_B(0, 1))           \
      WICK_PIXEL2 WICK_B(2, 0) WICK_B(1, 1) WICK_B(0, 2) WICK_PIXEL2 WICK_B(3, 0) WICK_B(2, 1) WICK_B(1, 2)         \
          WICK_B(0, 3) WICK_PIXEL2 WICK_B(4, 0) WICK_B(3, 1) WICK_B(2, 2) WICK_B(1, 3) WICK_B(0, 4)                 \
              WICK_PIXEL2 WICK_B(5, 0) WICK_B(4, 1) WICK_B(3, 2) WICK_B(2, 3) WICK_B(1, 4) WICK_PIXEL2 WICK_B(6, 0) \
                  WICK_B(5, 1) WICK_B(4, 2) WICK_B(3, 3) WICK_B(2, 4) WICK_PIXEL2 WICK_B(6, 1) WICK_B(5, 2)         \
                      WICK_B(4, 3) WICK_B(3, 4) WICK_PIXEL2 WICK_B(6, 2) WICK_B(5, 3) WICK_B(4, 4)                  \
                          WICK_RIGHT(1, WICK_PIXEL2 WICK_B(6, 3) WICK_B(5, 4)) WICK_RIGHT(0, WICK_PIXEL2 WICK_B(6, 4))
#define WICK_ROW2_5_2                                                                                                 \
  WICK_TAPS2_5 WICK_LEFT(0, WICK_PIXEL2 WICK_B(0, 0)) WICK_LEFT(1, WICK_PIXEL2 WICK_B(0, 1)) WICK_PIXEL2 WICK_B(0, 2) \
      WICK_B(1, 0) WICK_PIXEL2 WICK_B(0, 3) WICK_B(1, 1) WICK_PIXEL2 WICK_B(0, 4) WICK_B(1, 2) WICK_B(2, 0)           \
          WICK_PIXEL2 WICK_B(1, 3) WICK_B(2, 1) WICK_PIXEL2 WICK_B(1, 4) WICK_B(2, 2) WICK_B(3, 0)                    \
              WICK_PIXEL2 WICK_B(2, 3) WICK_B(3, 1) WICK_PIXEL2 WICK_B(2, 4) WICK_B(3, 2) WICK_B(4, 0)                \
                  WICK_PIXEL2 WICK_B(3, 3) WICK_B(4, 1) WICK_PIXEL2 WICK_B(3, 4) WICK_B(4, 2) WICK_B(5, 0)            \
                      WICK_PIXEL2 WICK_B(4, 3) WICK_B(5, 1) WICK_PIXEL2 WICK_B(4, 4) WICK_B(5, 2) WICK_B(6, 0)        \
                          WICK_PIXEL2 WICK_B(5, 3) WICK_B(6, 1) WICK_PIXEL2 WICK_B(5, 4) WICK_B(6, 2)                 \
                              WICK_RIGHT(1, WICK_PIXEL2 WICK_B(6, 3)) WICK_RIGHT(0, WICK_PIXEL2 WICK_B(6, 4))

#define WICK_RUNS_TILE(vectors, kernel, stride) \
  __asm__ volatile(                                                                                                   \
      WICK_COLUMNS##vectors(WICK_BEGIN##vectors)                                                                      \
      "1:\n\t"                                                                                                        \
      WICK_ROW##vectors##_##kernel##_##stride                                                                         \
      "subs %[rows], %[rows], #1\n\t"                                                                                 \
      "add %[x], %[x], %[row_rest]\n\t"                                                                               \
      "b.ne 1b\n\t"                                                                                                   \
      "cbz %[has_low], 6f\n\t"                                                                                        \
      "ld2r {v16." WICK_ALL ", v17." WICK_ALL "}, [%[bounds]]\n\t"                                                    \
      WICK_COLUMNS##vectors(WICK_MAX##vectors)                                                                        \
      "cbz %[has_high], 6f\n\t"                                                                                       \
      WICK_COLUMNS##vectors(WICK_MIN##vectors)                                                                        \
      "6:\n\t"                                                                                                        \
      "cbz %[swish], 7f\n\t"                                                                                          \
      "ld4r {v28." WICK_ALL ", v29." WICK_ALL ", v30." WICK_ALL ", v31." WICK_ALL "}, [%[swish]]\n\t"                 \
      WICK_COLUMNS##vectors(WICK_SWISH##vectors)                                                                      \
      "7:\n\t"                                                                                                        \
      WICK_COLUMNS##vectors(WICK_STORE##vectors)                                                                      \
      : [x] "+r"(x), [w] "+r"(w), [y] "+r"(y), [rows] "+r"(rows)                                                      \
      : [pixel] "r"(t.pixel), [row_rest] "r"(t.row_rest), [tap] "r"(t.tap), [left] "r"(t.left), [right] "r"(t.right), \
        [bias] "r"(bias), [bounds] "r"(t.bounds), [swish] "r"(t.swish), [has_low] "r"(t.has_low),                     \
        [has_high] "r"(t.has_high), [y_pixel] "r"(t.y_pixel)                                                          \
      : "cc", "memory", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13",       \
        "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",      \
        "v29", "v30", "v31")

// The tile of channels from `c` on.
template <int kKernel, int kStride, int kVectors, class T>
HWY_INLINE void runs_tile(const RunsTile<T>& t, int64_t c) {
  const T *x = t.x + c, *w = t.w + c, *bias = t.bias + c;
  T* y = t.y + c;
  int64_t rows = t.tap_rows;
  if constexpr (kVectors == 4) {
    static_assert(kKernel == 3);
    if constexpr (kStride == 1) {
      WICK_RUNS_TILE(4, 3, 1);
    } else {
      WICK_RUNS_TILE(4, 3, 2);
    }
  } else if constexpr (kKernel == 3) {
    if constexpr (kStride == 1) {
      WICK_RUNS_TILE(2, 3, 1);
    } else {
      WICK_RUNS_TILE(2, 3, 2);
    }
  } else {
    if constexpr (kStride == 1) {
      WICK_RUNS_TILE(2, 5, 1);
    } else {
      WICK_RUNS_TILE(2, 5, 2);
    }
  }
}

// Runs of vectors of channels by columns. Four vectors by four columns have the fewest instructions; two by seven are
// for what they leave, for larger kernels, and for widths that sevens make and fours do not.
template <int kKernel, int kStride, int kVectors, class T>
HWY_NOINLINE void runs_of_channels(const RunsTile<T>& t, int64_t channels) {
  constexpr int64_t kRun = kVectors * 16 / static_cast<int64_t>(sizeof(T));
  // The last run may overlap the one before.
  for (int64_t done = 0; done < channels; done += kRun)
    runs_tile<kKernel, kStride, kVectors>(t, std::min(done, channels - kRun));
}

template <class T>
struct RunsKind {
  void (*run)(const RunsTile<T>&, int64_t channels) = nullptr;
  int64_t columns = 0, reach = 0;
};
// Null where there is none for the layer.
template <class T>
RunsKind<T> runs_for(int64_t kernel, int64_t stride, int64_t width, int64_t channels) {
  constexpr int64_t kVector = 16 / static_cast<int64_t>(sizeof(T));
  const bool is_four = channels % (4 * kVector) == 0 && width >= 4 && (width % 7 != 0 || width % 4 == 0);
  if (kernel == 3 && is_four) {
    return stride == 1 ? RunsKind<T>{&runs_of_channels<3, 1, 4, T>, 4, 6}
                       : RunsKind<T>{&runs_of_channels<3, 2, 4, T>, 4, 9};
  }
  if (width < 7 || channels < 2 * kVector) return {};
  if (kernel == 3) {
    return stride == 1 ? RunsKind<T>{&runs_of_channels<3, 1, 2, T>, 7, 9}
                       : RunsKind<T>{&runs_of_channels<3, 2, 2, T>, 7, 15};
  }
  return stride == 1 ? RunsKind<T>{&runs_of_channels<5, 1, 2, T>, 7, 11}
                     : RunsKind<T>{&runs_of_channels<5, 2, 2, T>, 7, 17};
}

// A network's first layer, of NCHW images: 3x3 of stride 2, four vectors of channels out by four columns, all inside
// the image. Nine numbers of a row are in v0 to v2, taps of it in v4 to v15, sums in v16 to v31.
template <class T>
struct PlanesTile {
  const T* x;
  int64_t row, plane_rest;  // bytes from row to row; from behind the last to the next channel's first
  const T* w;
  int64_t tap, w_rest;       // bytes from tap to tap; from behind the last row of taps to the next channel's first
  int64_t tap_rows, planes;  // at least 1
  const T *bias, *bounds, *swish;
  int64_t has_low, has_high;  // as RunsTile's
  T* y;
  int64_t y_pixel;
};
#ifdef WICK_HALF_TYPE
#define WICK_NUMBERS "ldr q0, [%[x]]\n\tldr h1, [%[x], #16]\n\t"
#define WICK_NUMBER0 "v0.h[0]"
#define WICK_NUMBER1 "v0.h[1]"
#define WICK_NUMBER2 "v0.h[2]"
#define WICK_NUMBER3 "v0.h[3]"
#define WICK_NUMBER4 "v0.h[4]"
#define WICK_NUMBER5 "v0.h[5]"
#define WICK_NUMBER6 "v0.h[6]"
#define WICK_NUMBER7 "v0.h[7]"
#define WICK_NUMBER8 "v1.h[0]"
#else
#define WICK_NUMBERS "ldp q0, q1, [%[x]]\n\tldr s2, [%[x], #32]\n\t"
#define WICK_NUMBER0 "v0.s[0]"
#define WICK_NUMBER1 "v0.s[1]"
#define WICK_NUMBER2 "v0.s[2]"
#define WICK_NUMBER3 "v0.s[3]"
#define WICK_NUMBER4 "v1.s[0]"
#define WICK_NUMBER5 "v1.s[1]"
#define WICK_NUMBER6 "v1.s[2]"
#define WICK_NUMBER7 "v1.s[3]"
#define WICK_NUMBER8 "v2.s[0]"
#endif
#define WICK_BY(sum, tap, number) "fmla " WICK_VECTOR(sum) ", " WICK_VECTOR(tap) ", " number "\n\t"
#define WICK_BY0(a, b, c, d, number) \
  WICK_BY(a, 4, number) WICK_BY(b, 5, number) WICK_BY(c, 6, number) WICK_BY(d, 7, number)
#define WICK_BY1(a, b, c, d, number) \
  WICK_BY(a, 8, number) WICK_BY(b, 9, number) WICK_BY(c, 10, number) WICK_BY(d, 11, number)
#define WICK_BY2(a, b, c, d, number) \
  WICK_BY(a, 12, number) WICK_BY(b, 13, number) WICK_BY(c, 14, number) WICK_BY(d, 15, number)
#define WICK_COLUMN0(macro, ...) WICK_CALL(macro, 16, 17, 18, 19, ##__VA_ARGS__)
#define WICK_COLUMN1(macro, ...) WICK_CALL(macro, 20, 21, 22, 23, ##__VA_ARGS__)
#define WICK_COLUMN2(macro, ...) WICK_CALL(macro, 24, 25, 26, 27, ##__VA_ARGS__)
#define WICK_COLUMN3(macro, ...) WICK_CALL(macro, 28, 29, 30, 31, ##__VA_ARGS__)
#define WICK_ALL_COLUMNS(macro, ...) \
  WICK_COLUMN0(macro, ##__VA_ARGS__) \
  WICK_COLUMN1(macro, ##__VA_ARGS__) WICK_COLUMN2(macro, ##__VA_ARGS__) WICK_COLUMN3(macro, ##__VA_ARGS__)
#define WICK_LOW(a, b, c, d) \
  WICK_OPERATION(fmax, a, 4) WICK_OPERATION(fmax, b, 4) WICK_OPERATION(fmax, c, 4) WICK_OPERATION(fmax, d, 4)
#define WICK_HIGH(a, b, c, d) \
  WICK_OPERATION(fmin, a, 5) WICK_OPERATION(fmin, b, 5) WICK_OPERATION(fmin, c, 5) WICK_OPERATION(fmin, d, 5)
#define WICK_SWISH_BY(x, by)                                                                         \
  "fadd " WICK_VECTOR(by) ", " WICK_VECTOR(x) ", " WICK_VECTOR(0) "\n\t" WICK_OPERATION(fmax, by, 1) \
      WICK_OPERATION(fmin, by, 2) WICK_OPERATION(fmul, by, 3) WICK_OPERATION(fmul, x, by)
#define WICK_SWISHES(a, b, c, d) WICK_SWISH_BY(a, 4) WICK_SWISH_BY(b, 5) WICK_SWISH_BY(c, 6) WICK_SWISH_BY(d, 7)

template <class T>
HWY_NOINLINE void planes_tile(const PlanesTile<T>& t, int64_t channels) {
  constexpr int64_t kRun = 64 / static_cast<int64_t>(sizeof(T));
  for (int64_t c = 0; c < channels; c += kRun) {
    const T *x = t.x, *w = t.w + c;
    T* y = t.y + c;
    int64_t rows, planes = t.planes;
    __asm__ volatile(
        WICK_ALL_COLUMNS(WICK_BEGIN4)
        "1:\n\tmov %[rows], %[tap_rows]\n"
        "2:\n\t"
        WICK_NUMBERS
        "subs %[rows], %[rows], #1\n\tadd %[x], %[x], %[row]\n\t"
        WICK_LOAD_TAP4(4, 5, 6, 7) WICK_LOAD_TAP4(8, 9, 10, 11) WICK_LOAD_TAP4(12, 13, 14, 15)
        WICK_COLUMN0(WICK_BY0, WICK_NUMBER0) WICK_COLUMN1(WICK_BY0, WICK_NUMBER2)
        WICK_COLUMN2(WICK_BY0, WICK_NUMBER4) WICK_COLUMN3(WICK_BY0, WICK_NUMBER6)
        WICK_COLUMN0(WICK_BY1, WICK_NUMBER1) WICK_COLUMN1(WICK_BY1, WICK_NUMBER3)
        WICK_COLUMN2(WICK_BY1, WICK_NUMBER5) WICK_COLUMN3(WICK_BY1, WICK_NUMBER7)
        WICK_COLUMN0(WICK_BY2, WICK_NUMBER2) WICK_COLUMN1(WICK_BY2, WICK_NUMBER4)
        WICK_COLUMN2(WICK_BY2, WICK_NUMBER6) WICK_COLUMN3(WICK_BY2, WICK_NUMBER8)
        "b.ne 2b\n\t"
        "subs %[planes], %[planes], #1\n\tadd %[x], %[x], %[plane_rest]\n\tadd %[w], %[w], %[w_rest]\n\tb.ne 1b\n\t"
        "cbz %[has_low], 3f\n\t"
        "ld2r {v4." WICK_ALL ", v5." WICK_ALL "}, [%[bounds]]\n\t"
        WICK_ALL_COLUMNS(WICK_LOW)
        "cbz %[has_high], 3f\n\t"
        WICK_ALL_COLUMNS(WICK_HIGH)
        "3:\n\tcbz %[swish], 4f\n\t"
        "ld4r {v0." WICK_ALL ", v1." WICK_ALL ", v2." WICK_ALL ", v3." WICK_ALL "}, [%[swish]]\n\t"
        WICK_ALL_COLUMNS(WICK_SWISHES)
        "4:\n\t"
        WICK_ALL_COLUMNS(WICK_STORE4)
        : [x] "+r"(x), [w] "+r"(w), [y] "+r"(y), [rows] "=&r"(rows), [planes] "+r"(planes)
        : [tap_rows] "r"(t.tap_rows), [row] "r"(t.row), [plane_rest] "r"(t.plane_rest), [tap] "r"(t.tap),
          [w_rest] "r"(t.w_rest), [bias] "r"(t.bias + c), [bounds] "r"(t.bounds), [swish] "r"(t.swish),
          [has_low] "r"(t.has_low), [has_high] "r"(t.has_high), [y_pixel] "r"(t.y_pixel)
        : "cc", "memory", "v0", "v1", "v2", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15",
          "v3", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30",
          "v31");
  }
}

#undef WICK_ALL
#undef WICK_VECTOR
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();
#endif

#endif
