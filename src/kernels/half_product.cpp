// The product of rows of pixels and packed weights in float16, on 64-bit ARM with FEAT_FP16.
#include "kernels/half.h"

#ifdef WICK_HALF_KERNELS
#include "kernels/targets.h"

#define WICK_HALF_TYPE
#define WICK_GEMM_TYPE Half
#include "hwy/highway.h"
#include "kernels/gemm.h"
#include "kernels/half-inl.h"
#include "kernels/pack-inl.h"
#include "kernels/product-inl.h"

namespace wick::kernels {

template <>
size_t packed_b_size<Half>(int64_t n, int64_t k) {
  return HWY_NAMESPACE::packed_size(n, k);
}
template <>
void pack_b<Half>(const Half* b, int64_t b_row, int64_t b_col, int64_t n, int64_t k, Half* dst) {
  HWY_NAMESPACE::pack_all(b, b_row, b_col, n, k, dst);
}
template <>
int64_t product_lanes<Half>() {
  return HWY_NAMESPACE::lanes();
}
template <>
int64_t product_panels<Half>(int64_t n) {
  return HWY_NAMESPACE::panel_count(n);
}
template <>
PanelColumns product_panel<Half>(int64_t n, int64_t p) {
  return HWY_NAMESPACE::panel_at(n, p);
}
template <>
void product_run<Half>(const ProductOf<Half>& p, int64_t first_pixel, int64_t last_pixel, int64_t first_panel,
                       int64_t last_panel) {
  HWY_NAMESPACE::run_product(p, first_pixel, last_pixel, first_panel, last_panel);
}

template <>
int64_t product_block_rows<Half>(int64_t rows, int64_t n, int64_t k) {
  return HWY_NAMESPACE::block_rows(rows, n, k);
}
template <>
void product_blocks<Half>(const BlockProductOf<Half>& p) {
  HWY_NAMESPACE::run_blocks(p);
}

}  // namespace wick::kernels
#endif
