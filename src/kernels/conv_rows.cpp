// Parts of a convolution: one image, or some rows of it.
#include "kernels/conv_rows.h"

namespace wick::kernels {

Conv2d image_of(const Conv2d& conv, int64_t image) {
  Conv2d part = conv;
  part.shape.batch = 1;
  part.x.data += image * part.x.image;
  part.y.data += image * part.y.image;
  part.residual.data += image * part.residual.image;
  return part;
}

Conv2d rows_of(const Conv2d& conv, int64_t first, int64_t last) {
  Conv2d part = conv;
  ConvShape& s = part.shape;
  const int64_t start = first * s.stride[1] - s.pad[1], skipped = std::clamp<int64_t>(start, 0, s.in[1]);
  part.x.data += skipped * part.x.row;
  s.in[1] -= skipped;
  s.pad[1] = skipped - start;
  s.out[1] = last - first;
  part.y.data += first * part.y.row;
  part.residual.data += first * part.residual.row;
  return part;
}

}  // namespace wick::kernels
