// Matrix product of floats, and the panels that convolutions share with it.
#include "kernels/gemm.h"

#include "kernels/targets.h"

#define WICK_GEMM_TYPE float
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm_float.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/gemm-inl.h"
#include "kernels/product-inl.h"

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(tasks);
HWY_EXPORT(run);
HWY_EXPORT(packed_size);
HWY_EXPORT(pack_all);
HWY_EXPORT(lanes);
HWY_EXPORT(panel_count);
HWY_EXPORT(panel_at);
HWY_EXPORT(run_product);
HWY_EXPORT(block_rows);
HWY_EXPORT(run_blocks);

template <>
int64_t gemm_tasks<float>(const Gemm<float>& g, int workers) {
  return HWY_DYNAMIC_DISPATCH(tasks)(g, workers);
}
template <>
void gemm_run<float>(const Gemm<float>& g, int64_t tasks, int64_t first, int64_t last) {
  HWY_DYNAMIC_DISPATCH(run)(g, tasks, first, last);
}
template <>
size_t packed_b_size<float>(int64_t n, int64_t k) {
  return HWY_DYNAMIC_DISPATCH(packed_size)(n, k);
}
template <>
void pack_b<float>(const float* b, int64_t b_row, int64_t b_col, int64_t n, int64_t k, float* dst) {
  HWY_DYNAMIC_DISPATCH(pack_all)(b, b_row, b_col, n, k, dst);
}

template <>
int64_t product_lanes<float>() {
  return HWY_DYNAMIC_DISPATCH(lanes)();
}
template <>
int64_t product_panels<float>(int64_t n) {
  return HWY_DYNAMIC_DISPATCH(panel_count)(n);
}
template <>
PanelColumns product_panel<float>(int64_t n, int64_t p) {
  return HWY_DYNAMIC_DISPATCH(panel_at)(n, p);
}
template <>
void product_run<float>(const Product& p, int64_t first_pixel, int64_t last_pixel, int64_t first_panel,
                        int64_t last_panel) {
  HWY_DYNAMIC_DISPATCH(run_product)(p, first_pixel, last_pixel, first_panel, last_panel);
}

template <>
int64_t product_block_rows<float>(int64_t rows, int64_t n, int64_t k) {
  return HWY_DYNAMIC_DISPATCH(block_rows)(rows, n, k);
}
template <>
void product_blocks<float>(const BlockProductOf<float>& p) {
  HWY_DYNAMIC_DISPATCH(run_blocks)(p);
}

}  // namespace wick::kernels
#endif
