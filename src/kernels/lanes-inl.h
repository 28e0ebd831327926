// Per-target code: tiles of matrix products on 64-bit ARM in its own instructions, because compilers copy sums between
// the registers of loads and stores of up to four neighboring vectors, which take the fewest instructions. A vector of
// A serves as many steps of k as it has lanes. Included once per target and element type (WICK_GEMM_TYPE), float or
// float16.
#if defined(WICK_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_LANES_INL_H
#undef WICK_LANES_INL_H
#else
#define WICK_LANES_INL_H
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "kernels/epilogue.h"

#if HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64 && !defined(WICK_GEMM_DOUBLE)
#define WICK_HAS_LANES

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

// A piece of the depth, in bytes: A's from a row's address on, up to where whole vectors end, and to its end; where its
// rows of B begin.
struct LaneSegment {
  int64_t from, whole, end, b;
};

// What a tile reads beside its rows, and what it does with its sums before it stores them.
template <class T>
struct LaneTile {
  const LaneSegment *segments, *segments_end;
  const char* b;
  const T* bias;         // whole vectors
  const T* bounds;       // low and high
  const T* swish;        // 3, 0, 6 and 1/6: hardswish comes after the bounds; null: it does not
  int64_t has_low = 0;   // 0 or 1
  int64_t has_high = 0;  // only with has_low
};

#ifdef WICK_HALF_TYPE
#define WICK_ALL "8h"
#define WICK_ONE "h"
#define WICK_SIZE "2"
#define WICK_EACH_LANE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#else
#define WICK_ALL "4s"
#define WICK_ONE "s"
#define WICK_SIZE "4"
#define WICK_EACH_LANE(X) X(0) X(1) X(2) X(3)
#endif

// The registers of each shape, rows of A by vectors of B: for each row its input and its sums (for float16 the inputs
// have to be among the first 16). B is in v28 to v31.
#define WICK_ROWS_5x4(X, ...)       \
  X(0, 8, 9, 10, 11, __VA_ARGS__)   \
  X(1, 12, 13, 14, 15, __VA_ARGS__) \
  X(2, 16, 17, 18, 19, __VA_ARGS__) X(3, 20, 21, 22, 23, __VA_ARGS__) X(4, 24, 25, 26, 27, __VA_ARGS__)
#define WICK_ROWS_4x4(X, ...)     \
  X(0, 8, 9, 10, 11, __VA_ARGS__) \
  X(1, 12, 13, 14, 15, __VA_ARGS__) X(2, 16, 17, 18, 19, __VA_ARGS__) X(3, 20, 21, 22, 23, __VA_ARGS__)
#define WICK_ROWS_6x3(X, ...)                                                               \
  X(0, 7, 8, 9, __VA_ARGS__)                                                                \
  X(1, 10, 11, 12, __VA_ARGS__)                                                             \
  X(2, 13, 14, 15, __VA_ARGS__) X(3, 16, 17, 18, __VA_ARGS__) X(4, 19, 20, 21, __VA_ARGS__) \
      X(5, 22, 23, 24, __VA_ARGS__)
#define WICK_ROWS_7x3(X, ...) WICK_ROWS_6x3(X, __VA_ARGS__) X(6, 25, 26, 27, __VA_ARGS__)
#define WICK_ROWS_8x2(X, ...)                                                                             \
  X(0, 8, 9, __VA_ARGS__)                                                                                 \
  X(1, 10, 11, __VA_ARGS__)                                                                               \
  X(2, 12, 13, __VA_ARGS__) X(3, 14, 15, __VA_ARGS__) X(4, 16, 17, __VA_ARGS__) X(5, 18, 19, __VA_ARGS__) \
      X(6, 20, 21, __VA_ARGS__) X(7, 22, 23, __VA_ARGS__)

// Registers of a row as a list, and an instruction for each of its sums and vectors of B.
#define WICK_VECTOR(r) "v" #r "." WICK_ALL
#define WICK_LIST2(a, b) "{" WICK_VECTOR(a) ", " WICK_VECTOR(b) "}"
#define WICK_LIST3(a, b, c) "{" WICK_VECTOR(a) ", " WICK_VECTOR(b) ", " WICK_VECTOR(c) "}"
#define WICK_LIST4(a, b, c, d) "{" WICK_VECTOR(a) ", " WICK_VECTOR(b) ", " WICK_VECTOR(c) ", " WICK_VECTOR(d) "}"
#define WICK_ONE_OF(operation, sum, other) \
#operation " " WICK_VECTOR(sum) ", " WICK_VECTOR(sum) ", " WICK_VECTOR(other) "\n\t"
#define WICK_PRODUCT(sum, b, a, lane) \
  "fmla " WICK_VECTOR(sum) ", " WICK_VECTOR(b) ", v" #a "." WICK_ONE "[" #lane "]\n\t"
#define WICK_PRODUCTS2(a, p, q, lane) WICK_PRODUCT(p, 28, a, lane) WICK_PRODUCT(q, 29, a, lane)
#define WICK_PRODUCTS3(a, p, q, r, lane) WICK_PRODUCTS2(a, p, q, lane) WICK_PRODUCT(r, 30, a, lane)
#define WICK_PRODUCTS4(a, p, q, r, s, lane) WICK_PRODUCTS3(a, p, q, r, lane) WICK_PRODUCT(s, 31, a, lane)
#define WICK_EACH2(a, p, q, operation, by) WICK_ONE_OF(operation, p, by) WICK_ONE_OF(operation, q, by)
#define WICK_EACH3(a, p, q, r, operation, by) WICK_EACH2(a, p, q, operation, by) WICK_ONE_OF(operation, r, by)
#define WICK_EACH4(a, p, q, r, s, operation, by) WICK_EACH3(a, p, q, r, operation, by) WICK_ONE_OF(operation, s, by)
#define WICK_BEGIN2(a, p, q, ...) "ld1 " WICK_LIST2(p, q) ", [%[bias]]\n\t"
#define WICK_BEGIN3(a, p, q, r, ...) "ld1 " WICK_LIST3(p, q, r) ", [%[bias]]\n\t"
#define WICK_BEGIN4(a, p, q, r, s, ...) "ld1 " WICK_LIST4(p, q, r, s) ", [%[bias]]\n\t"
#define WICK_STORE2(a, p, q, ...) "st1 " WICK_LIST2(p, q) ", [%[c]], %[c_step]\n\t"
#define WICK_STORE3(a, p, q, r, ...) "st1 " WICK_LIST3(p, q, r) ", [%[c]], %[c_step]\n\t"
#define WICK_STORE4(a, p, q, r, s, ...) "st1 " WICK_LIST4(p, q, r, s) ", [%[c]], %[c_step]\n\t"
#define WICK_PLUS2(a, p, q, ...) \
  "ld1 " WICK_LIST2(28, 29) ", [%[add]], %[add_step]\n\t" WICK_ONE_OF(fadd, p, 28) WICK_ONE_OF(fadd, q, 29)
#define WICK_PLUS3(a, p, q, r, ...)                                                                             \
  "ld1 " WICK_LIST3(28, 29, 30) ", [%[add]], %[add_step]\n\t" WICK_ONE_OF(fadd, p, 28) WICK_ONE_OF(fadd, q, 29) \
      WICK_ONE_OF(fadd, r, 30)
#define WICK_PLUS4(a, p, q, r, s, ...)                                                                              \
  "ld1 " WICK_LIST4(28, 29, 30, 31) ", [%[add]], %[add_step]\n\t" WICK_ONE_OF(fadd, p, 28) WICK_ONE_OF(fadd, q, 29) \
      WICK_ONE_OF(fadd, r, 30) WICK_ONE_OF(fadd, s, 31)
// x * clamp(x + 3, 0, 6) / 6, by way of a register.
#define WICK_SWISH(x, by)                                                                           \
  "fadd " WICK_VECTOR(by) ", " WICK_VECTOR(x) ", " WICK_VECTOR(28) "\n\t" WICK_ONE_OF(fmax, by, 29) \
      WICK_ONE_OF(fmin, by, 30) WICK_ONE_OF(fmul, by, 31) WICK_ONE_OF(fmul, x, by)
#define WICK_SWISHES2(a, p, q, ...) WICK_SWISH(p, 0) WICK_SWISH(q, 1)
#define WICK_SWISHES3(a, p, q, r, ...) WICK_SWISHES2(a, p, q, ) WICK_SWISH(r, 2)
#define WICK_SWISHES4(a, p, q, r, s, ...) WICK_SWISHES3(a, p, q, r, ) WICK_SWISH(s, 3)
// The same where the rows' addresses are in a table.
#define WICK_SCATTER2(a, p, q, ...) "ldr %[at], [%[c]], #8\n\tst1 " WICK_LIST2(p, q) ", [%[at]]\n\t"
#define WICK_SCATTER3(a, p, q, r, ...) "ldr %[at], [%[c]], #8\n\tst1 " WICK_LIST3(p, q, r) ", [%[at]]\n\t"
#define WICK_SCATTER4(a, p, q, r, s, ...) "ldr %[at], [%[c]], #8\n\tst1 " WICK_LIST4(p, q, r, s) ", [%[at]]\n\t"
#define WICK_GATHER2(a, p, q, ...) \
  "ldr %[at], [%[add]], #8\n\tld1 " WICK_LIST2(28, 29) ", [%[at]]\n\t" WICK_ONE_OF(fadd, p, 28) WICK_ONE_OF(fadd, q, 29)
#define WICK_GATHER3(a, p, q, r, ...)                                                               \
  "ldr %[at], [%[add]], #8\n\tld1 " WICK_LIST3(28, 29, 30) ", [%[at]]\n\t" WICK_ONE_OF(fadd, p, 28) \
      WICK_ONE_OF(fadd, q, 29) WICK_ONE_OF(fadd, r, 30)
#define WICK_GATHER4(a, p, q, r, s, ...)                                                                \
  "ldr %[at], [%[add]], #8\n\tld1 " WICK_LIST4(28, 29, 30, 31) ", [%[at]]\n\t" WICK_ONE_OF(fadd, p, 28) \
      WICK_ONE_OF(fadd, q, 29) WICK_ONE_OF(fadd, r, 30) WICK_ONE_OF(fadd, s, 31)
#define WICK_LOAD_A(a, ...) "ldr q" #a ", [%[r" #a "], %[at]]\n\t"
#define WICK_LOAD_ONE(a, ...) "ldr " WICK_ONE #a ", [%[r" #a "], %[at]]\n\t"
#define WICK_LOAD_B2 "ld1 " WICK_LIST2(28, 29) ", [%[b]], #32\n\t"
#define WICK_LOAD_B3 "ld1 " WICK_LIST3(28, 29, 30) ", [%[b]], #48\n\t"
#define WICK_LOAD_B4 "ld1 " WICK_LIST4(28, 29, 30, 31) ", [%[b]], #64\n\t"

// A tile: begun with the bias, the products of all segments, what is added, the bounds, the stores.
#define WICK_NO_ACTIVATION(shape, vectors)
#define WICK_ACTIVATION(shape, vectors)                                       \
  "cbz %[swish], 8f\n\t"                                                      \
  "ld4r {v28." WICK_ALL ", v29." WICK_ALL ", v30." WICK_ALL ", v31." WICK_ALL \
  "}, [%[swish]]\n\t" WICK_ROWS_##shape(WICK_SWISHES##vectors, ) "8:\n\t"
#define WICK_TILE(shape, vectors, plus, store, activation) \
  WICK_ROWS_##shape(WICK_BEGIN##vectors, )                                                                         \
  "1:\n\t"                                                                                                         \
  "ldp %[at], %[end], [%[segment]]\n\t"                                                                            \
  "ldr %[b], [%[segment], #24]\n\t"                                                                                \
  "add %[b], %[first_b], %[b]\n\t"                                                                                 \
  "cmp %[at], %[end]\n\t"                                                                                          \
  "b.eq 3f\n"                                                                                                      \
  "2:\n\t"                                                                                                         \
  WICK_ROWS_##shape(WICK_LOAD_A, )                                                                                 \
  "add %[at], %[at], #16\n\t"                                                                                      \
  "cmp %[at], %[end]\n\t"                                                                                          \
  WICK_EACH_LANE(WICK_STEP_##shape)                                                                                \
  "b.ne 2b\n"                                                                                                      \
  "3:\n\t"                                                                                                         \
  "ldr %[end], [%[segment], #16]\n\t"                                                                              \
  "add %[segment], %[segment], #32\n\t"                                                                            \
  "cmp %[at], %[end]\n\t"                                                                                          \
  "b.eq 5f\n"                                                                                                      \
  "4:\n\t"                                                                                                         \
  WICK_ROWS_##shape(WICK_LOAD_ONE, )                                                                               \
  "add %[at], %[at], #" WICK_SIZE "\n\t"                                                                           \
  "cmp %[at], %[end]\n\t"                                                                                          \
  WICK_STEP_##shape(0)                                                                                             \
  "b.ne 4b\n"                                                                                                      \
  "5:\n\t"                                                                                                         \
  "cmp %[segment], %[segments_end]\n\t"                                                                            \
  "b.ne 1b\n\t"                                                                                                    \
  "cbz %[add], 6f\n\t"                                                                                             \
  WICK_ROWS_##shape(plus##vectors, )                                                                          \
  "6:\n\t"                                                                                                         \
  "cbz %[has_low], 7f\n\t"                                                                                         \
  "ld2r {v0." WICK_ALL ", v1." WICK_ALL "}, [%[bounds]]\n\t"                                                       \
  WICK_ROWS_##shape(WICK_EACH##vectors, fmax, 0)                                                                   \
  "cbz %[has_high], 7f\n\t"                                                                                        \
  WICK_ROWS_##shape(WICK_EACH##vectors, fmin, 1)                                                                   \
  "7:\n\t"                                                                                                         \
  activation(shape, vectors) \
  WICK_ROWS_##shape(store##vectors, )
#define WICK_STEP_5x4(lane) WICK_LOAD_B4 WICK_ROWS_5x4(WICK_PRODUCTS4, lane)
#define WICK_STEP_4x4(lane) WICK_LOAD_B4 WICK_ROWS_4x4(WICK_PRODUCTS4, lane)
#define WICK_STEP_7x3(lane) WICK_LOAD_B3 WICK_ROWS_7x3(WICK_PRODUCTS3, lane)
#define WICK_STEP_6x3(lane) WICK_LOAD_B3 WICK_ROWS_6x3(WICK_PRODUCTS3, lane)
#define WICK_STEP_8x2(lane) WICK_LOAD_B2 WICK_ROWS_8x2(WICK_PRODUCTS2, lane)

// Rows of A are at row[i]. Those of C and of what is added (null: nothing) are at c and add and c_step and add_step
// bytes apart, and c and add move past them; with kTable, their addresses are there.
template <int kRows, int kVectors, bool kTable, class T, class C, class Add>
HWY_INLINE void lane_tile(const LaneTile<T>& t, const char* const (&row)[kRows], C& c, int64_t c_step, Add& add,
                          int64_t add_step) {
  constexpr bool kSwish = has_activation(Activation::kHardSwish);
  const LaneSegment* segment = t.segments;
  const char* b;
  int64_t at, end;
#define WICK_OPERANDS                                                                  \
  [segment] "+r"(segment), [c] "+r"(c), [add] "+r"(add), [b] "=&r"(b), [at] "=&r"(at), \
      [end] "=&r"(end)                                                                 \
      : [segments_end] "r"(t.segments_end),                                            \
        [first_b] "r"(t.b),                                                            \
        [bias] "r"(t.bias),                                                            \
        [bounds] "r"(t.bounds),                                                        \
        [swish] "r"(t.swish),                                                          \
        [has_low] "r"(t.has_low),                                                      \
        [has_high] "r"(t.has_high),                                                    \
        [c_step] "r"(c_step),                                                          \
        [add_step] "r"(add_step),                                                      \
        [r0] "r"(row[0]),                                                              \
        [r1] "r"(row[1]),                                                              \
        [r2] "r"(row[2]),                                                              \
        [r3] "r"(row[3])
#define WICK_ROW5 [r4] "r"(row[4])
#define WICK_ROW6 WICK_ROW5, [r5] "r"(row[5])
#define WICK_ROW7 WICK_ROW6, [r6] "r"(row[6])
#define WICK_ROW8 WICK_ROW7, [r7] "r"(row[7])
#define WICK_CLOBBERS                                                                                                 \
  "cc", "memory", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14",      \
      "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", \
      "v31"
#define WICK_RUN_TEXT(text, ...) __asm__ volatile(text : WICK_OPERANDS __VA_ARGS__ : WICK_CLOBBERS)
#define WICK_RUN_TILE(shape, vectors, ...)                                                                \
  if constexpr (kTable && kSwish) {                                                                       \
    WICK_RUN_TEXT(WICK_TILE(shape, vectors, WICK_GATHER, WICK_SCATTER, WICK_ACTIVATION), __VA_ARGS__);    \
  } else if constexpr (kTable) {                                                                          \
    WICK_RUN_TEXT(WICK_TILE(shape, vectors, WICK_GATHER, WICK_SCATTER, WICK_NO_ACTIVATION), __VA_ARGS__); \
  } else if constexpr (kSwish) {                                                                          \
    WICK_RUN_TEXT(WICK_TILE(shape, vectors, WICK_PLUS, WICK_STORE, WICK_ACTIVATION), __VA_ARGS__);        \
  } else {                                                                                                \
    WICK_RUN_TEXT(WICK_TILE(shape, vectors, WICK_PLUS, WICK_STORE, WICK_NO_ACTIVATION), __VA_ARGS__);     \
  }
  if constexpr (kRows == 4 && kVectors == 4) {
    WICK_RUN_TILE(4x4, 4, )
  } else if constexpr (kRows == 5 && kVectors == 4) {
    WICK_RUN_TILE(5x4, 4, , WICK_ROW5)
  } else if constexpr (kRows == 6 && kVectors == 3) {
    WICK_RUN_TILE(6x3, 3, , WICK_ROW6)
  } else if constexpr (kRows == 7 && kVectors == 3) {
    WICK_RUN_TILE(7x3, 3, , WICK_ROW7)
  } else {
    static_assert(kRows == 8 && kVectors == 2);
    WICK_RUN_TILE(8x2, 2, , WICK_ROW8)
  }
}

#ifndef WICK_SELECTION
// The same where the vectors of A's rows follow each other, one of each row after the other: from a to its end. C's
// rows are c_step bytes apart, and what is in them is added where has_sums says so.
#define WICK_ROWS_4x3(X, ...) \
  X(0, 8, 9, 10, __VA_ARGS__) X(1, 11, 12, 13, __VA_ARGS__) X(2, 14, 15, 16, __VA_ARGS__) X(3, 17, 18, 19, __VA_ARGS__)
#define WICK_ROWS_5x3(X, ...) WICK_ROWS_4x3(X, __VA_ARGS__) X(4, 20, 21, 22, __VA_ARGS__)
#define WICK_STEP_4x3(lane) WICK_LOAD_B3 WICK_ROWS_4x3(WICK_PRODUCTS3, lane)
#define WICK_STEP_5x3(lane) WICK_LOAD_B3 WICK_ROWS_5x3(WICK_PRODUCTS3, lane)
#define WICK_LOAD_BLOCK4 "ld1 " WICK_LIST4(0, 1, 2, 3) ", [%[a]], #64\n\t"
#define WICK_LOAD_BLOCK5 WICK_LOAD_BLOCK4 "ldr q4, [%[a]], #16\n\t"
#define WICK_BLOCK(rows, vectors) \
  __asm__ volatile(                                            \
      WICK_ROWS_##rows##x##vectors(WICK_BEGIN##vectors, )      \
      "1:\n\t"                                                 \
      WICK_LOAD_BLOCK##rows                                    \
      "cmp %[a], %[end]\n\t"                                   \
      WICK_EACH_LANE(WICK_STEP_##rows##x##vectors)             \
      "b.ne 1b\n\t"                                            \
      "cbz %[has_sums], 2f\n\t"                                \
      WICK_ROWS_##rows##x##vectors(WICK_PLUS##vectors, )       \
      "2:\n\t"                                                 \
      WICK_ROWS_##rows##x##vectors(WICK_STORE##vectors, )      \
      : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [add] "+r"(add) \
      : [end] "r"(end), [bias] "r"(zeros), [has_sums] "r"(has_sums), [c_step] "r"(c_step), [add_step] "r"(c_step) \
      : WICK_CLOBBERS)
template <int kRows, int kVectors, class T>
HWY_INLINE void lane_block(const T* a, const T* end, const T* b, const T* zeros, T* c, int64_t c_step,
                           int64_t has_sums) {
  const T* add = c;
  static_assert((kRows == 4 || kRows == 5) && (kVectors == 3 || kVectors == 4));
  if constexpr (kVectors == 4) {
    if constexpr (kRows == 5) {
      WICK_BLOCK(5, 4);
    } else {
      WICK_BLOCK(4, 4);
    }
  } else if constexpr (kRows == 5) {
    WICK_BLOCK(5, 3);
  } else {
    WICK_BLOCK(4, 3);
  }
}
#endif
constexpr bool has_lane_tile(int64_t rows, int64_t vectors) {
  return vectors == 4 ? rows == 4 || rows == 5 : vectors == 3 ? rows == 6 || rows == 7 : vectors == 2 && rows == 8;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();
#endif

#endif
