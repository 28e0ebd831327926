// im2col and col2im.
#include "ops/nn/common.h"
#include "ops/nn/vision.h"

namespace wick::ops {

namespace {

struct Blocks {
  int64_t kernel[2], dilation[2], padding[2], stride[2];
  int64_t image[2];  // height and width
  int64_t count[2];  // sliding positions in each direction
};

constexpr int64_t kHuge = int64_t{1} << 31;

void pair(IntSpan v, const char* name, int64_t (&out)[2]) {
  WICK_CHECK(v.size() == 2, kInvalidArgument, "It is expected ", name, " equals to 2, but got size ", v.size());
  out[0] = v[0];
  out[1] = v[1];
}

std::string shown(const int64_t (&v)[2]) { return cat("(", v[0], ", ", v[1], ")"); }
std::string settings(const Blocks& b) {
  return cat("kernel_size=", shown(b.kernel), ", dilation=", shown(b.dilation), ", padding=", shown(b.padding));
}

Blocks blocks_of(int64_t height, int64_t width, IntSpan kernel, IntSpan dilation, IntSpan padding, IntSpan stride) {
  Blocks b;
  pair(kernel, "kernel_size", b.kernel);
  pair(dilation, "dilation", b.dilation);
  pair(padding, "padding", b.padding);
  pair(stride, "stride", b.stride);
  WICK_CHECK(b.kernel[0] > 0 && b.kernel[1] > 0, kInvalidArgument,
             "kernel size should be greater than zero, but got kernel_height: ", b.kernel[0],
             " kernel_width: ", b.kernel[1]);
  WICK_CHECK(b.dilation[0] > 0 && b.dilation[1] > 0, kInvalidArgument,
             "dilation should be greater than zero, but got dilation_height: ", b.dilation[0],
             " dilation_width: ", b.dilation[1]);
  WICK_CHECK(b.padding[0] >= 0 && b.padding[1] >= 0, kInvalidArgument,
             "padding should be non-negative, but got pad_height: ", b.padding[0], " pad_width: ", b.padding[1]);
  WICK_CHECK(b.stride[0] > 0 && b.stride[1] > 0, kInvalidArgument,
             "stride should be greater than zero, but got stride_height: ", b.stride[0],
             " stride_width: ", b.stride[1]);
  b.image[0] = height;
  b.image[1] = width;
  for (int d = 0; d < 2; ++d) {
    WICK_CHECK(b.kernel[d] < kHuge && b.dilation[d] < kHuge && b.padding[d] < kHuge && b.stride[d] < kHuge,
               kInvalidArgument, "sliding block parameters are too large");
    const int64_t span = b.image[d] + 2 * b.padding[d] - b.dilation[d] * (b.kernel[d] - 1) - 1;
    b.count[d] = (span < 0 ? -((-span + b.stride[d] - 1) / b.stride[d]) : span / b.stride[d]) + 1;
  }
  return b;
}

// Calls use(row of columns, first image element of the row, start column in the image) for every channel, kernel
// position and block row; rows wholly outside get a null image pointer.
template <class T, class F>
void for_block_rows(T* image, const Blocks& b, int64_t channels, F&& use) {
  const int64_t positions = b.kernel[0] * b.kernel[1];
  for (int64_t c = 0; c < channels * positions; ++c) {
    const int64_t kw = c % b.kernel[1];
    const int64_t kh = c / b.kernel[1] % b.kernel[0];
    T* plane = image + c / positions * b.image[0] * b.image[1];
    for (int64_t oh = 0; oh < b.count[0]; ++oh) {
      const int64_t h = oh * b.stride[0] - b.padding[0] + kh * b.dilation[0];
      T* row = h >= 0 && h < b.image[0] ? plane + h * b.image[1] : nullptr;
      use((c * b.count[0] + oh) * b.count[1], row, kw * b.dilation[1] - b.padding[1]);
    }
  }
}

}  // namespace

Tensor im2col(const Tensor& self, IntSpan kernel_size, IntSpan dilation, IntSpan padding, IntSpan stride) {
  check_dtype(is_floating(self.dtype()) || is_complex(self.dtype()) || self.dtype() == DType::kBool, "im2col_out_cpu",
              self.dtype());
  const int64_t rank = self.dim();
  WICK_CHECK(
      (rank == 3 && self.size(0) != 0 && self.size(1) != 0 && self.size(2) != 0) ||
          (rank == 4 && self.size(1) != 0 && self.size(2) != 0 && self.size(3) != 0),
      kShapeMismatch,
      "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
      "but got: ",
      self.sizes());
  const Blocks b = blocks_of(self.size(-2), self.size(-1), kernel_size, dilation, padding, stride);
  WICK_CHECK(b.count[0] >= 1 && b.count[1] >= 1, kShapeMismatch, "Given input with spatial size ", shown(b.image), ", ",
             settings(b), ", calculated shape of the array of sliding blocks as ", shown(b.count),
             ", but its components must be at least one.");
  const int64_t batch = rank == 4 ? self.size(0) : 1;
  const int64_t channels = self.size(-3);
  const int64_t rows = checked_numel({channels, b.kernel[0], b.kernel[1]});
  const int64_t columns = b.count[0] * b.count[1];
  const Tensor x = contiguous(self);
  Tensor y =
      rank == 4 ? Tensor::empty({batch, rows, columns}, self.dtype()) : Tensor::empty({rows, columns}, self.dtype());
  for_element_size(self.itemsize(), [&](auto element) {
    using T = decltype(element);
    const T* src = static_cast<const T*>(x.raw_data());
    T* dst = static_cast<T*>(y.raw_data());
    parallel_for(0, batch, 1, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        T* out = dst + n * rows * columns;
        for_block_rows(src + n * channels * b.image[0] * b.image[1], b, channels,
                       [&](int64_t at, const T* row, int64_t start) {
                         for (int64_t ow = 0; ow < b.count[1]; ++ow) {
                           const int64_t w = start + ow * b.stride[1];
                           out[at + ow] = row && w >= 0 && w < b.image[1] ? row[w] : T{};
                         }
                       });
      }
    });
  });
  return y;
}

Tensor col2im(const Tensor& self, IntSpan output_size, IntSpan kernel_size, IntSpan dilation, IntSpan padding,
              IntSpan stride) {
  check_dtype(is_floating(self.dtype()), "col2im_out_cpu", self.dtype());
  int64_t image[2];
  pair(output_size, "output_size", image);
  WICK_CHECK(image[0] > 0 && image[1] > 0 && image[0] < kHuge && image[1] < kHuge, kInvalidArgument,
             "Expected output spatial size to be positive, but got: output_size=(", image[0], ", ", image[1], ").");
  const Blocks b = blocks_of(image[0], image[1], kernel_size, dilation, padding, stride);
  const int64_t rank = self.dim();
  WICK_CHECK(
      (rank == 2 && self.size(0) != 0 && self.size(1) != 0) || (rank == 3 && self.size(1) != 0 && self.size(2) != 0),
      kShapeMismatch,
      "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for "
      "input, but got: ",
      self.sizes());
  const int64_t rows = self.size(-2);
  const int64_t positions = b.kernel[0] * b.kernel[1];
  WICK_CHECK(
      rows % positions == 0, kShapeMismatch,
      "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)=",
      rows, " and kernel_size=(", b.kernel[0], ", ", b.kernel[1], ").");
  const int64_t columns = b.count[0] * b.count[1];
  WICK_CHECK(b.count[0] > 0 && b.count[1] > 0 && self.size(-1) == columns, kShapeMismatch,
             "Given output_size=", shown(image), ", ", settings(b), ", stride=", shown(b.stride),
             ", expected size of input's dimension 2 to match the calculated number of "
             "sliding blocks ",
             b.count[0], " * ", b.count[1], " = ", columns, ", but got input.size(2)=", self.size(-1), ".");
  const int64_t batch = rank == 3 ? self.size(0) : 1;
  const int64_t channels = rows / positions;
  const Tensor x = contiguous(widened(self));
  Tensor y = rank == 3 ? Tensor::zeros({batch, channels, image[0], image[1]}, x.dtype())
                       : Tensor::zeros({channels, image[0], image[1]}, x.dtype());
  for_float(x.dtype(), "col2im_out_cpu", self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    parallel_for(0, batch, 1, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        const T* in = x.data_ptr<T>() + n * rows * columns;
        for_block_rows(y.data_ptr<T>() + n * channels * image[0] * image[1], b, channels,
                       [&](int64_t at, T* row, int64_t start) {
                         if (!row) return;
                         for (int64_t ow = 0; ow < b.count[1]; ++ow) {
                           const int64_t w = start + ow * b.stride[1];
                           if (w >= 0 && w < b.image[1]) row[w] += in[at + ow];
                         }
                       });
      }
    });
  });
  return to_dtype(y, self.dtype());
}

}  // namespace wick::ops
