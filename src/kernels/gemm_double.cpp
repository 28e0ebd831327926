// Matrix product of doubles.
#include "kernels/gemm.h"

#include "kernels/targets.h"

#define WICK_GEMM_TYPE double
#define WICK_GEMM_DOUBLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm_double.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/gemm-inl.h"

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(tasks);
HWY_EXPORT(run);
HWY_EXPORT(packed_size);
HWY_EXPORT(pack_all);

template <>
int64_t gemm_tasks<double>(const Gemm<double>& g, int workers) {
  return HWY_DYNAMIC_DISPATCH(tasks)(g, workers);
}
template <>
void gemm_run<double>(const Gemm<double>& g, int64_t tasks, int64_t first, int64_t last) {
  HWY_DYNAMIC_DISPATCH(run)(g, tasks, first, last);
}
template <>
size_t packed_b_size<double>(int64_t n, int64_t k) {
  return HWY_DYNAMIC_DISPATCH(packed_size)(n, k);
}
template <>
void pack_b<double>(const double* b, int64_t b_row, int64_t b_col, int64_t n, int64_t k, double* dst) {
  HWY_DYNAMIC_DISPATCH(pack_all)(b, b_row, b_col, n, k, dst);
}

}  // namespace wick::kernels
#endif
