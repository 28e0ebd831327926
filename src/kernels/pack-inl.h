// Per-target code: packing of B into panels; included once per target and element type (WICK_GEMM_TYPE).
#if defined(WICK_PACK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_PACK_INL_H
#undef WICK_PACK_INL_H
#else
#define WICK_PACK_INL_H
#endif

#include "kernels/tile-inl.h"
#include "kernels/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

// As transpose_block of floats, a block of 16 bytes' width.
[[maybe_unused]] HWY_INLINE void transpose_block(const double* src, int64_t src_row, double* dst, int64_t width) {
  for (int n = 0; n < 2; ++n)
    for (int k = 0; k < 2; ++k) dst[k * width + n] = src[n * src_row + k];
}

#ifdef WICK_HALF_TYPE
HWY_INLINE void transpose_block(const T* src, int64_t src_row, T* dst, int64_t width) {
  for (int n = 0; n < kLanes; ++n)
    for (int k = 0; k < kLanes; ++k) dst[k * width + n] = src[n * src_row + k];
}
#endif

// dst[k * width + n] = b[k * b_row + n * b_col], zero for n in [nc, width).
void pack_block(const T* b, int64_t b_row, int64_t b_col, int64_t kc, int64_t nc, int64_t width, T* dst) {
  constexpr int64_t kBlock = 16 / sizeof(T);
  if (b_col == 1) {
    for (int64_t k = 0; k < kc; ++k) {
      std::memcpy(dst + k * width, b + k * b_row, static_cast<size_t>(nc) * sizeof(T));
      std::fill(dst + k * width + nc, dst + (k + 1) * width, T(0));
    }
    return;
  }
  int64_t n = 0;
  if (b_row == 1) {
    for (; n + kBlock <= nc; n += kBlock) {
      int64_t k = 0;
      for (; k + kBlock <= kc; k += kBlock) transpose_block(b + n * b_col + k, b_col, dst + k * width + n, width);
      for (; k < kc; ++k)
        for (int64_t i = n; i < n + kBlock; ++i) dst[k * width + i] = b[i * b_col + k];
    }
  }
  for (; n < nc; ++n)
    for (int64_t k = 0; k < kc; ++k) dst[k * width + n] = b[k * b_row + n * b_col];
  for (; n < width; ++n)
    for (int64_t k = 0; k < kc; ++k) dst[k * width + n] = T(0);
}

size_t packed_size(int64_t n, int64_t k) { return static_cast<size_t>(vectors_of(n) * kLanes * k); }

WICK_RARELY_RUN void pack_all(const T* b, int64_t b_row, int64_t b_col, int64_t n, int64_t k, T* dst) {
  const int64_t panels = panels_of(n);
  for (int64_t p = 0; p < panels; ++p) {
    const Range columns = panel_columns(n, panels, p);
    const int64_t width = vectors_of(columns.size()) * kLanes;
    pack_block(b + columns.first * b_col, b_row, b_col, k, columns.size(), width, dst + columns.first * k);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
