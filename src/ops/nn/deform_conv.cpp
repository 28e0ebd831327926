// torchvision::deform_conv2d: a convolution whose taps are displaced by a tensor of offsets.
#include <cmath>

#include "ops/nn/common.h"
#include "ops/nn/vision.h"

namespace wick::ops {

namespace {

struct Deform {
  int64_t batch, channels, height, width;
  int64_t out_channels, out_h, out_w;
  int64_t kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w;
  int64_t groups, offset_groups;
  int64_t taps() const { return kernel_h * kernel_w; }
  int64_t points() const { return out_h * out_w; }
};

template <class T>
T value_at(const T* plane, int64_t height, int64_t width, T y, T x) {
  if (!(y > T(-1) && y < static_cast<T>(height) && x > T(-1) && x < static_cast<T>(width))) return T(0);
  const int64_t y0 = static_cast<int64_t>(std::floor(y)), x0 = static_cast<int64_t>(std::floor(x));
  const T ly = y - static_cast<T>(y0), lx = x - static_cast<T>(x0);
  auto at = [&](int64_t h, int64_t w) {
    return h >= 0 && h < height && w >= 0 && w < width ? plane[h * width + w] : T(0);
  };
  return (1 - ly) * (1 - lx) * at(y0, x0) + (1 - ly) * lx * at(y0, x0 + 1) + ly * (1 - lx) * at(y0 + 1, x0) +
         ly * lx * at(y0 + 1, x0 + 1);
}

// Points [first, last) of a row (channel, tap) of the displaced patches of one image.
template <class T>
void sample_row(const T* image, const T* offset, const T* mask, const Deform& d, int64_t row, int64_t first,
                int64_t last, T* out) {
  const int64_t channel = row / d.taps();
  const int64_t tap = row % d.taps();
  const int64_t group = channel / (d.channels / d.offset_groups);
  const T* dy = offset + (group * d.taps() + tap) * 2 * d.points();
  const T* dx = dy + d.points();
  const T* m = mask ? mask + (group * d.taps() + tap) * d.points() : nullptr;
  const T* plane = image + channel * d.height * d.width;
  for (int64_t i = first; i < last; ++i) {
    const int64_t y = i / d.out_w * d.stride_h - d.pad_h + tap / d.kernel_w * d.dilation_h;
    const int64_t x = i % d.out_w * d.stride_w - d.pad_w + tap % d.kernel_w * d.dilation_w;
    const T value = value_at(plane, d.height, d.width, static_cast<T>(y) + dy[i], static_cast<T>(x) + dx[i]);
    *out++ = m ? m[i] * value : value;
  }
}

template <class T>
void convolve(const T* input, const T* weight, const T* offset, const T* mask, const T* bias, const Deform& d, T* out) {
  const int64_t rows = d.channels * d.taps();
  const int64_t rows_per_group = rows / d.groups;
  const int64_t outs_per_group = d.out_channels / d.groups;
  // As many points at once as there is room for: all rows of all points may be far more than what is given.
  constexpr int64_t kRoom = int64_t{1} << 24;
  const int64_t piece = std::clamp<int64_t>(kRoom / std::max<int64_t>(1, rows), 1, std::max<int64_t>(1, d.points()));
  std::vector<T> columns(static_cast<size_t>(checked_numel({rows, piece})));
  for (int64_t n = 0; n < d.batch; ++n) {
    const T* image = input + n * d.channels * d.height * d.width;
    const T* shifts = offset + n * d.offset_groups * 2 * d.taps() * d.points();
    const T* scales = mask ? mask + n * d.offset_groups * d.taps() * d.points() : nullptr;
    for (int64_t first = 0; first < d.points(); first += piece) {
      const int64_t count = std::min(piece, d.points() - first);
      parallel_for(0, rows, grain_for(count * 8), [&](int64_t begin, int64_t end) {
        for (int64_t r = begin; r < end; ++r)
          sample_row(image, shifts, scales, d, r, first, first + count, columns.data() + r * count);
      });
      parallel_for(0, d.out_channels, grain_for(rows_per_group * count), [&](int64_t begin, int64_t end) {
        for (int64_t o = begin; o < end; ++o) {
          T* to = out + (n * d.out_channels + o) * d.points() + first;
          std::fill_n(to, count, bias[o]);
          const T* from = columns.data() + o / outs_per_group * rows_per_group * count;
          for (int64_t r = 0; r < rows_per_group; ++r) {
            const T w = weight[o * rows_per_group + r];
            for (int64_t i = 0; i < count; ++i) to[i] += w * from[r * count + i];
          }
        }
      });
    }
  }
}

}  // namespace

Tensor deform_conv2d(const Tensor& input, const Tensor& weight, const Tensor& offset, const Tensor& mask,
                     const Tensor& bias, int64_t stride_h, int64_t stride_w, int64_t pad_h, int64_t pad_w,
                     int64_t dilation_h, int64_t dilation_w, int64_t groups, int64_t offset_groups, bool use_mask) {
  WICK_CHECK(input.dim() == 4 && offset.dim() == 4 && (!use_mask || mask.dim() == 4) && weight.dim() == 4,
             kShapeMismatch, "deform_conv2d: expected 4D input, offset, mask and weight");
  check_dtype(is_floating(input.dtype()), "deformable_im2col", input.dtype());
  Deform d{};
  d.batch = input.size(0);
  d.channels = input.size(1);
  d.height = input.size(2);
  d.width = input.size(3);
  d.out_channels = weight.size(0);
  d.kernel_h = weight.size(2);
  d.kernel_w = weight.size(3);
  WICK_CHECK(d.kernel_h > 0 && d.kernel_w > 0, kShapeMismatch, "weight: kernel_h: ", d.kernel_h,
             " kernel_w: ", d.kernel_w);
  constexpr int64_t kHuge = int64_t{1} << 31;
  WICK_CHECK(stride_h > 0 && stride_w > 0 && stride_h < kHuge && stride_w < kHuge, kInvalidArgument,
             "stride_h: ", stride_h, " stride_w: ", stride_w);
  WICK_CHECK(pad_h >= 0 && pad_w >= 0 && pad_h < kHuge && pad_w < kHuge, kInvalidArgument, "pad_h: ", pad_h,
             " pad_w: ", pad_w);
  WICK_CHECK(dilation_h > 0 && dilation_w > 0 && dilation_h < kHuge && dilation_w < kHuge, kInvalidArgument,
             "dil_h: ", dilation_h, " dil_w: ", dilation_w);
  WICK_CHECK(groups > 0 && offset_groups > 0, kInvalidArgument, "deform_conv2d: groups must be positive");
  d.stride_h = stride_h;
  d.stride_w = stride_w;
  d.pad_h = pad_h;
  d.pad_w = pad_w;
  d.dilation_h = dilation_h;
  d.dilation_w = dilation_w;
  d.groups = groups;
  d.offset_groups = offset_groups;
  const int64_t span_h = d.height + 2 * pad_h - (dilation_h * (d.kernel_h - 1) + 1);
  const int64_t span_w = d.width + 2 * pad_w - (dilation_w * (d.kernel_w - 1) + 1);
  WICK_CHECK(span_h >= 0 && span_w >= 0, kShapeMismatch,
             "Calculated output size too small - out_h: ", span_h / stride_h + 1, " out_w: ", span_w / stride_w + 1);
  d.out_h = span_h / stride_h + 1;
  d.out_w = span_w / stride_w + 1;
  WICK_CHECK(d.channels == weight.size(1) * groups, kShapeMismatch,
             "Expected weight.size(1) * n_weight_grps == ", d.channels, " input channels, got ", weight.size(1), " * ",
             groups);
  WICK_CHECK(d.out_channels % groups == 0 && d.channels % offset_groups == 0, kShapeMismatch,
             "deform_conv2d: channels must be divisible by the groups");
  WICK_CHECK(offset.size(1) == offset_groups * 2 * d.taps(), kShapeMismatch,
             "offset.shape[1] is not valid: got: ", offset.size(1), " expected: ", offset_groups * 2 * d.taps());
  WICK_CHECK(!use_mask || mask.size(1) == offset_groups * d.taps(), kShapeMismatch,
             "mask.shape[1] is not valid: got: ", use_mask ? mask.size(1) : 0, " expected: ", offset_groups * d.taps());
  WICK_CHECK(offset.size(0) == d.batch, kShapeMismatch, "invalid batch size of offset");
  WICK_CHECK(offset.size(2) == d.out_h && offset.size(3) == d.out_w, kShapeMismatch, "offset output dims: (",
             offset.size(2), ", ", offset.size(3), ") - computed output dims: (", d.out_h, ", ", d.out_w, ")");
  if (use_mask) {
    WICK_CHECK(mask.size(0) == d.batch, kShapeMismatch, "invalid batch size of mask");
    WICK_CHECK(mask.size(2) == d.out_h && mask.size(3) == d.out_w, kShapeMismatch, "mask output dims: (", mask.size(2),
               ", ", mask.size(3), ") - computed output dims: (", d.out_h, ", ", d.out_w, ")");
  }
  WICK_CHECK(bias.numel() == d.out_channels, kShapeMismatch, "bias should have ", d.out_channels, " elements, got ",
             bias.numel());
  const Tensor x = contiguous(widened(input));
  auto same = [&](const Tensor& t) { return contiguous(to_dtype(t, x.dtype())); };
  const Tensor w = same(weight), o = same(offset), m = use_mask ? same(mask) : Tensor(), b = same(bias);
  Tensor out = Tensor::empty({d.batch, d.out_channels, d.out_h, d.out_w}, x.dtype());
  for_float(x.dtype(), "deformable_im2col", input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    convolve(x.data_ptr<T>(), w.data_ptr<T>(), o.data_ptr<T>(), use_mask ? m.data_ptr<T>() : nullptr, b.data_ptr<T>(),
             d, out.data_ptr<T>());
  });
  return to_dtype(out, input.dtype());
}

}  // namespace wick::ops
