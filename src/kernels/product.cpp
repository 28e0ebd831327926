// The product of rows of pixels and packed weights, behind dense layers and convolutions.
#include "kernels/product.h"

#include <algorithm>

#include "kernels/divide.h"
#include "kernels/float_mode.h"

namespace wick::kernels {

template <class T>
void product(const ProductOf<T>& p, const Workers& workers) {
  if (p.pixels <= 0 || p.n <= 0) return;
  const int64_t panels = product_panels<T>(p.n);
  if (workers.count <= 1) {
    const FlushDenormals flush;
    return product_run(p, 0, p.pixels, 0, panels);
  }
  // Panels are divided among the threads when there are enough, so that each reads its part of B only.
  const bool by_panels = panels >= 2 * workers.count || p.pixels < 16 * workers.count;
  const int64_t units = by_panels ? panels : (p.pixels + 5) / 6;
  const int64_t parts = std::min<int64_t>(units, workers.count);
  workers.each(parts, [&](int64_t first, int64_t last) {
    const FlushDenormals flush;
    if (by_panels) return product_run(p, 0, p.pixels, units * first / parts, units * last / parts);
    const int64_t from = 6 * (units * first / parts), to = std::min(p.pixels, 6 * (units * last / parts));
    product_run(p, from, to, 0, panels);
  });
}

template <class T>
int64_t row_segments(int64_t k, Segment (&out)[kRowSegments]) {
  const int64_t count = std::clamp<int64_t>(ceil_div(k, kMaxDepthOf<T>), 1, kRowSegments);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t first = k * i / count;
    out[i] = {first, first, k * (i + 1) / count - first};
  }
  return count;
}

template void product<float>(const Product& p, const Workers& workers);
template int64_t row_segments<float>(int64_t k, Segment (&out)[kRowSegments]);
#ifdef WICK_HALF_KERNELS
template void product<Half>(const ProductOf<Half>& p, const Workers& workers);
template int64_t row_segments<Half>(int64_t k, Segment (&out)[kRowSegments]);
#endif

}  // namespace wick::kernels
