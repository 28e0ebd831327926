// Per-target code: tiles of 8-bit products on 64-bit ARM in its own instructions, for the same reason as lanes-inl.h. A
// vector of the input serves four words of the depth. Included once per target.
#if defined(WICK_INT8_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_INT8_LANES_INL_H
#undef WICK_INT8_LANES_INL_H
#else
#define WICK_INT8_LANES_INL_H
#endif

#include <cstdint>

#include "kernels/int8-inl.h"

#if HWY_ARCH_ARM_A64 && !defined(WICK_SELECTION)
#define WICK_HAS_INT8_LANES
HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

// A piece of the depth, in bytes from a pixel's address: up to where whole vectors end, and to its end.
struct Int8LaneSegment {
  int64_t from, whole, end;
};

// What tiles of a panel of four vectors of columns read beside their pixels, and how sums become bytes.
struct Int8LaneTile {
  const Int8LaneSegment *segments, *segments_end;
  const void* b;
  const int32_t* start;
  const float* scale;
  const int16_t* zero;
  const uint8_t* bounds;  // high, low, what is flipped; null: the bytes' own, and nothing
};

#define WICK_ROWS_4(X, ...)       \
  X(0, 8, 9, 10, 11, __VA_ARGS__) \
  X(1, 12, 13, 14, 15, __VA_ARGS__) X(2, 16, 17, 18, 19, __VA_ARGS__) X(3, 20, 21, 22, 23, __VA_ARGS__)
#define WICK_ROWS_5(X, ...) WICK_ROWS_4(X, __VA_ARGS__) X(4, 24, 25, 26, 27, __VA_ARGS__)
#define WICK_LIST(a, b, c, d, kind) "{v" #a "." kind ", v" #b "." kind ", v" #c "." kind ", v" #d "." kind "}"
#define WICK_BEGIN(a, p, q, r, s, ...) "ld1 " WICK_LIST(p, q, r, s, "4s") ", [%[start]]\n\t"
#define WICK_LOAD_A(a, ...) "ldr q" #a ", [%[r" #a "], %[at]]\n\t"
#define WICK_LOAD_WORD(a, ...) "ldr s" #a ", [%[r" #a "], %[at]]\n\t"
#define WICK_CENTER(a, ...) "eor v" #a ".16b, v" #a ".16b, v5.16b\n\t"
#define WICK_LEAVE(a, ...)
#define WICK_PRODUCT(name, sum, b, a, lane) name " v" #sum ".4s, v" #b ".16b, v" #a ".4b[" #lane "]\n\t"
#define WICK_PRODUCTS(a, p, q, r, s, name, lane) \
  WICK_PRODUCT(name, p, 28, a, lane)             \
  WICK_PRODUCT(name, q, 29, a, lane) WICK_PRODUCT(name, r, 30, a, lane) WICK_PRODUCT(name, s, 31, a, lane)
#define WICK_STEP(rows, name, lane) \
  "ld1 " WICK_LIST(28, 29, 30, 31, "16b") ", [%[b]], #64\n\t" WICK_ROWS_##rows(WICK_PRODUCTS, name, lane)
#define WICK_EACH(operation, p, q, r, s)                                                                           \
#operation " v" #p ".4s, v" #p ".4s\n\t" #operation " v" #q ".4s, v" #q ".4s\n\t" #operation " v" #r ".4s, v" #r \
             ".4s\n\t" #operation " v" #s ".4s, v" #s ".4s\n\t"
// round(sum * scale) + zero, narrowed to the bytes of the first register.
#define WICK_NARROW(a, p, q, r, s, ...)                                                                           \
  WICK_EACH(scvtf, p, q, r, s)                                                                                    \
  "fmul v" #p ".4s, v" #p ".4s, v28.4s\n\tfmul v" #q ".4s, v" #q                                                  \
  ".4s, v29.4s\n\t"                                                                                               \
  "fmul v" #r ".4s, v" #r ".4s, v30.4s\n\tfmul v" #s ".4s, v" #s                                                  \
  ".4s, v31.4s\n\t" WICK_EACH(fcvtns, p, q, r, s) "sqxtn v" #p ".4h, v" #p ".4s\n\tsqxtn v" #r ".4h, v" #r        \
                                                  ".4s\n\t"                                                       \
                                                  "sqxtn2 v" #p ".8h, v" #q ".4s\n\tsqxtn2 v" #r ".8h, v" #s      \
                                                  ".4s\n\t"                                                       \
                                                  "sqadd v" #p ".8h, v" #p ".8h, v0.8h\n\tsqadd v" #r ".8h, v" #r \
                                                  ".8h, v0.8h\n\t"                                                \
                                                  "sqxtun v" #p ".8b, v" #p ".8h\n\tsqxtun2 v" #p ".16b, v" #r    \
                                                  ".8h\n\t"
#define WICK_BOUND(a, p, ...)                                                                               \
  "umin v" #p ".16b, v" #p ".16b, v1.16b\n\tumax v" #p ".16b, v" #p ".16b, v2.16b\n\teor v" #p ".16b, v" #p \
  ".16b, v3.16b\n\t"
#define WICK_STORE(a, p, ...) "st1 {v" #p ".16b}, [%[y]], %[y_step]\n\t"

#define WICK_TILE(rows, extension, center, name) \
  WICK_ARM_EXTENSION(extension)                  \
  "\n\tmovi v5.16b, #128\n\t"                                         \
  WICK_ROWS_##rows(WICK_BEGIN, )                                      \
  "1:\n\t"                                                            \
  "ldp %[at], %[end], [%[segment]]\n\t"                               \
  "cmp %[at], %[end]\n\t"                                             \
  "b.eq 3f\n"                                                         \
  "2:\n\t"                                                            \
  WICK_ROWS_##rows(WICK_LOAD_A, )                                     \
  "add %[at], %[at], #16\n\t"                                         \
  WICK_ROWS_##rows(center, )                                          \
  "cmp %[at], %[end]\n\t"                                             \
  WICK_STEP(rows, name, 0) WICK_STEP(rows, name, 1)                   \
  WICK_STEP(rows, name, 2) WICK_STEP(rows, name, 3)                   \
  "b.ne 2b\n"                                                         \
  "3:\n\t"                                                            \
  "ldr %[end], [%[segment], #16]\n\t"                                 \
  "add %[segment], %[segment], #24\n\t"                               \
  "cmp %[at], %[end]\n\t"                                             \
  "b.eq 5f\n"                                                         \
  "4:\n\t"                                                            \
  WICK_ROWS_##rows(WICK_LOAD_WORD, )                                  \
  "add %[at], %[at], #4\n\t"                                          \
  WICK_ROWS_##rows(center, )                                          \
  "cmp %[at], %[end]\n\t"                                             \
  WICK_STEP(rows, name, 0)                                            \
  "b.ne 4b\n"                                                         \
  "5:\n\t"                                                            \
  "cmp %[segment], %[segments_end]\n\t"                               \
  "b.ne 1b\n\t"                                                       \
  "ld1 " WICK_LIST(28, 29, 30, 31, "4s") ", [%[scale]]\n\t"           \
  "ld1r {v0.8h}, [%[zero]]\n\t"                                       \
  WICK_ROWS_##rows(WICK_NARROW, )                                     \
  "cbz %[bounds], 6f\n\t"                                             \
  "ld3r {v1.16b, v2.16b, v3.16b}, [%[bounds]]\n\t"                    \
  WICK_ROWS_##rows(WICK_BOUND, )                                      \
  "6:\n\t"                                                            \
  WICK_ROWS_##rows(WICK_STORE, )

// Tiles of kRows pixels one after the other; pixels are `a_step` and their results y_step bytes apart.
template <Int8Form kForm, int kRows>
HWY_NOINLINE void lane_strip(const Int8LaneTile& given, const uint8_t* a, int64_t a_step, uint8_t* y, int64_t y_step,
                             int64_t tiles) {
  const Int8LaneTile t = given;
  const uint8_t* row[kRows];
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) row[i] = a + i * a_step;
  for (; tiles > 0; --tiles) {
    const Int8LaneSegment* segment = t.segments;
    const void* b = t.b;
    int64_t at, end;
#define WICK_OPERANDS                                                \
  [segment] "+r"(segment), [y] "+r"(y), [b] "+r"(b), [at] "=&r"(at), \
      [end] "=&r"(end)                                               \
      : [segments_end] "r"(t.segments_end),                          \
        [start] "r"(t.start),                                        \
        [scale] "r"(t.scale),                                        \
        [zero] "r"(t.zero),                                          \
        [bounds] "r"(t.bounds),                                      \
        [y_step] "r"(y_step),                                        \
        [r0] "r"(row[0]),                                            \
        [r1] "r"(row[1]),                                            \
        [r2] "r"(row[2]),                                            \
        [r3] "r"(row[3])
#define WICK_CLOBBERS                                                                                              \
  "cc", "memory", "v0", "v1", "v2", "v3", "v4", "v5", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", \
      "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"
    if constexpr (kForm == Int8Form::kMixedQuads) {
      if constexpr (kRows == 5) {
        __asm__ volatile(WICK_TILE(5, "i8mm", WICK_LEAVE, "sudot") : WICK_OPERANDS, [r4] "r"(row[4]) : WICK_CLOBBERS);
      } else {
        __asm__ volatile(WICK_TILE(4, "i8mm", WICK_LEAVE, "sudot") : WICK_OPERANDS : WICK_CLOBBERS);
      }
    } else {
      if constexpr (kRows == 5) {
        __asm__ volatile(WICK_TILE(5, "dotprod", WICK_CENTER, "sdot")
                         : WICK_OPERANDS, [r4] "r"(row[4])
                         : WICK_CLOBBERS);
      } else {
        __asm__ volatile(WICK_TILE(4, "dotprod", WICK_CENTER, "sdot") : WICK_OPERANDS : WICK_CLOBBERS);
      }
    }
#undef WICK_OPERANDS
#undef WICK_CLOBBERS
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) row[i] += kRows * a_step;
  }
}

#undef WICK_ROWS_4
#undef WICK_ROWS_5
#undef WICK_LIST
#undef WICK_BEGIN
#undef WICK_LOAD_A
#undef WICK_LOAD_WORD
#undef WICK_CENTER
#undef WICK_LEAVE
#undef WICK_PRODUCT
#undef WICK_PRODUCTS
#undef WICK_STEP
#undef WICK_EACH
#undef WICK_NARROW
#undef WICK_BOUND
#undef WICK_STORE
#undef WICK_TILE
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();
#endif

#endif
