// Direct convolution of NCHW images: some rows at a time are transposed to NHWC, in memory that stays
// in the caches. (Kernels of three columns read them as they are: conv_depthwise.cpp.)
#include "kernels/conv_rows.h"
#include "kernels/divide.h"
#include "kernels/layout.h"
#include "kernels/product.h"
#include "kernels/selected.h"

namespace wick::kernels {
namespace {

constexpr int64_t kFewChannels = 4;
// Of rows of pixels.
constexpr int64_t kStripBytes = 64 << 10;

bool has_few_channels(const ConvShape& s) { return s.groups == 1 && s.in_channels <= kFewChannels; }

int64_t reach_of(const ConvShape& s) { return (s.kernel[1] - 1) * s.dilation[1] + 1; }

// Rows of pixels, of which a strip of the result is made.
struct Strip {
  int64_t row;   // elements
  int64_t rows;  // of output
  int64_t size;  // elements

  explicit Strip(const ConvShape& s) : row(s.in[2] * s.in_channels) {
    const int64_t fitting = (kStripBytes / 4 / std::max<int64_t>(1, row) - reach_of(s)) / s.stride[1] + 1;
    rows = std::clamp<int64_t>(fitting, 1, std::max<int64_t>(1, s.out[1]));
    size = round_up(std::min(s.in[1], (rows - 1) * s.stride[1] + reach_of(s)) * row, 16);
  }
};

}  // namespace

bool supports_nchw_input(const ConvShape& s) { return takes_planes(s) || (kHasDirectNchw && has_few_channels(s)); }
bool takes_planes(const ConvShape& s) {
  // A selective build has tiles for the stride that first layers have.
  const bool strides = s.stride[2] == 2 || (kAllTiles && s.stride[2] == 1);
  return build::kPlanes && has_few_channels(s) && s.kernel[2] == 3 && strides && s.dilation[2] == 1 &&
         s.out_channels >= product_lanes();
}

size_t conv_rows_scratch_size(const ConvShape& shape, ConvMethod method) {
  return kHasDirectNchw && method == ConvMethod::kDirectNchw ? static_cast<size_t>(Strip(shape).size) : 0;
}

void conv_rows(const Conv2d& conv, int64_t first, int64_t last, float* buffer) {
  if (first >= last) return;
  const ConvShape& s = conv.shape;
  if (build::kPlanes && conv.method == ConvMethod::kPlanes)
    return conv_depthwise(rows_of(conv, first, last), Workers{});
  if (!kHasDirectNchw || conv.method != ConvMethod::kDirectNchw)
    return conv_direct(rows_of(conv, first, last), Workers{});
  const Strip strip(s);
  Conv2d part = conv;
  part.method = ConvMethod::kDirect;
  for (int64_t from = first; from < last; from += strip.rows) {
    const int64_t to = std::min(last, from + strip.rows), start = from * s.stride[1] - s.pad[1];
    const int64_t top = std::clamp<int64_t>(start, 0, s.in[1]);
    const int64_t bottom = std::clamp<int64_t>(start + (to - from - 1) * s.stride[1] + reach_of(s), top, s.in[1]);
    transpose(conv.x.data + top * s.in[2], conv.x_plane, s.in_channels, (bottom - top) * s.in[2], buffer,
              s.in_channels);
    part.x = {buffer - top * strip.row, 0, strip.row, s.in_channels};
    conv_direct(rows_of(part, from, to), Workers{});
  }
}

void conv_direct_nchw(const Conv2d& conv, float* scratch, const Workers& workers) {
  const int64_t buffer = Strip(conv.shape).size;
  share_rows(conv.shape.batch, conv.shape.out[1], workers,
             [&](int64_t worker, int64_t image, int64_t first, int64_t last) {
               conv_rows(image_of(conv, image), first, last, scratch + worker * buffer);
             });
}

}  // namespace wick::kernels
