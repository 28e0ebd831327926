// Maximum pooling at fractional strides, and putting pooled maxima back in place.
#include <cmath>

#include "core/check.h"
#include "core/copy.h"
#include "core/limits.h"
#include "core/shape.h"
#include "ops/conv/pool_run.h"

namespace wick::ops {
namespace {

// Starts of the `out` windows of `size` positions within `in`, shifted by a random sample in [0, 1).
std::vector<kernels::Window> fractional_windows(double sample, int64_t in, int64_t out, int64_t size) {
  std::vector<kernels::Window> windows(static_cast<size_t>(out));
  const int64_t last = in - size;
  const double alpha = out > 1 ? static_cast<double>(last) / static_cast<double>(out - 1) : 0;
  // A sample outside its range must not lead outside the image.
  if (!(sample >= 0 && sample <= 1)) sample = 0;
  for (int64_t i = 0; i < out; ++i) {
    const int64_t start = i + 1 == out ? last
                                       : static_cast<int64_t>((static_cast<double>(i) + sample) * alpha) -
                                             static_cast<int64_t>(sample * alpha);
    windows[static_cast<size_t>(i)] = {std::clamp<int64_t>(start, 0, last), size, size};
  }
  return windows;
}

TensorPair fractional(const Tensor& self, IntSpan kernel_size, IntSpan output_size, const Tensor& random_samples,
                      const char* name, const char* kernel) {
  const int64_t dims = static_cast<int64_t>(kernel_size.size());
  static constexpr const char* kNames[] = {"time", "height", "width"};
  WICK_CHECK(self.dim() == dims + 1 || self.dim() == dims + 2, kShapeMismatch, name, "(): Expected ", dims + 1, "D or ",
             dims + 2, "D tensor, but got: ", self.sizes());
  for (int64_t d = self.dim() - dims - 1; d < self.dim(); ++d)
    WICK_CHECK(self.size(d) != 0, kShapeMismatch, name,
               "(): Expected input to have non-zero size for non-batch dimensions, but got ", self.sizes(),
               " with dimension ", d, " being empty.");
  check_pool_extents(self);
  const IntSpan in = self.sizes().subspan(self.sizes().size() - static_cast<size_t>(dims));
  for (size_t i = 0; i < kernel_size.size(); ++i) {
    const char* axis = kNames[3 - static_cast<size_t>(dims) + i];
    WICK_CHECK(kernel_size[i] > 0 && output_size[i] > 0 && kernel_size[i] <= limits::kMaxImageExtent &&
                   output_size[i] <= limits::kMaxImageExtent,
               kInvalidArgument, name, "(): kernel_size ", kernel_size, " and output_size ", output_size,
               " must be greater than zero");
    WICK_CHECK(output_size[i] + kernel_size[i] - 1 <= in[i], kShapeMismatch, name, "(): pool ", axis, " ",
               kernel_size[i], " too large relative to input ", axis, " ", in[i]);
  }
  check_dtype(is_floating(self.dtype()) && itemsize(self.dtype()) >= 2, kernel, self.dtype());
  WICK_CHECK(random_samples.dtype() == self.dtype(), kTypeMismatch, "expected scalar type ", name_of(self.dtype()),
             " but found ", name_of(random_samples.dtype()));
  IntVec sizes = self.sizes().subspan(0, self.sizes().size() - static_cast<size_t>(dims));
  const int64_t planes = checked_numel(sizes);
  for (const int64_t s : output_size) sizes.push_back(s);
  WICK_CHECK(random_samples.numel() >= planes * dims, kShapeMismatch, name, "(): expected ", dims,
             " random samples for each of ", planes, " planes, but got a tensor of size ", random_samples.sizes());
  const Tensor samples = contiguous(to_dtype(random_samples, DType::kDouble)), x = contiguous(self);
  const Tensor values = Tensor::empty(sizes, self.dtype()), indices = Tensor::empty(sizes, DType::kLong);
  const int64_t in_plane = planes == 0 ? 0 : self.numel() / planes,
                out_plane = planes == 0 ? 0 : values.numel() / planes;
  for (int64_t p = 0; p < planes; ++p) {
    Windows windows;
    windows.step = IntVec(static_cast<size_t>(dims), 1);
    const double* sample = samples.data_ptr<double>() + p * dims;
    for (size_t i = 0; i < kernel_size.size(); ++i) {
      // Two dimensions take their samples in the order width, height.
      const double s = dims == 2 ? sample[1 - i] : sample[i];
      windows.dims.push_back(fractional_windows(s, in[i], output_size[i], kernel_size[i]));
    }
    const auto plane = [&](const Tensor& t, IntSpan extents, int64_t count) {
      IntVec one{1};
      for (const int64_t e : extents) one.push_back(e);
      return t.as_strided(one, contiguous_strides(one), t.storage_offset() + p * count);
    };
    const auto [v, at] = run_max_pool_indices(plane(x, in, in_plane), windows, false, kernel);
    copy_into(plane(values, output_size, out_plane), v);
    copy_into(plane(indices, output_size, out_plane), at);
  }
  return {values, indices};
}

// "6x8"
std::string times(IntSpan values) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) text += cat(i ? "x" : "", values[i]);
  return text;
}

// Elements of any dtype are moved, not computed with.
template <class T>
void scatter(const Tensor& x, const Tensor& at, const Tensor& out, int64_t planes, IntSpan output_size) {
  const int64_t in_plane = x.numel() / planes, out_plane = out.numel() / planes;
  const T* from = static_cast<const T*>(x.raw_data());
  T* to = static_cast<T*>(out.raw_data());
  const int64_t* index = at.data_ptr<int64_t>();
  for (int64_t i = 0, numel = x.numel(); i < numel; ++i) {
    WICK_CHECK(index[i] >= 0 && index[i] < out_plane, kIndexOutOfRange, "Found an invalid max index: ", index[i],
               " (output volumes are of size ", times(output_size));
    to[i / in_plane * out_plane + index[i]] = from[i];
  }
}

Tensor unpool(const Tensor& self, const Tensor& indices, IntSpan output_size, const char* name, const char* kernel) {
  const size_t dims = output_size.size();
  WICK_CHECK(indices.sizes() == self.sizes(), kShapeMismatch,
             "Expected shape of indices to be same as that of the input tensor (", self.sizes(),
             ") but got indices tensor with shape: ", indices.sizes());
  for (int64_t d = self.dim() == static_cast<int64_t>(dims) + 2 ? 1 : 0; d < self.dim(); ++d)
    WICK_CHECK(self.size(d) > 0, kShapeMismatch, name,
               "(): Expected input to have non-zero size for non-batch dimensions, but got ", self.sizes(),
               " with dimension ", d, " being empty.");
  check_dtype(is_floating(self.dtype()) && itemsize(self.dtype()) >= 2, kernel, self.dtype());
  IntVec sizes = self.sizes().subspan(0, self.sizes().size() - dims);
  const int64_t planes = checked_numel(sizes);
  for (const int64_t s : output_size) sizes.push_back(s);
  const Tensor out = Tensor::zeros(sizes, self.dtype());
  if (self.numel() > 0) {
    const Tensor x = contiguous(self), at = contiguous(indices);
    switch (self.itemsize()) {
      case 2:
        scatter<uint16_t>(x, at, out, planes, output_size);
        break;
      case 4:
        scatter<uint32_t>(x, at, out, planes, output_size);
        break;
      default:
        scatter<uint64_t>(x, at, out, planes, output_size);
        break;
    }
  }
  const bool last = dims == 2 && self.dim() == 4 && self.suggest_memory_format() == MemoryFormat::kChannelsLast;
  return last ? contiguous(out, MemoryFormat::kChannelsLast) : out;
}

}  // namespace

TensorPair fractional_max_pool2d(const Tensor& self, IntSpan kernel_size, IntSpan output_size,
                                 const Tensor& random_samples) {
  WICK_CHECK(kernel_size.size() == 2, kInvalidArgument,
             "fractional_max_pool2d: kernel_size must either be a single Int or tuple of Ints");
  WICK_CHECK(output_size.size() == 2, kInvalidArgument,
             "fractional_max_pool2d: output_size must either be a single Int or tuple of Ints");
  return fractional(self, kernel_size, output_size, random_samples, "fractional_max_pool2d",
                    "fractional_max_pool2d_out_frame");
}

TensorPair fractional_max_pool3d(const Tensor& self, IntSpan kernel_size, IntSpan output_size,
                                 const Tensor& random_samples) {
  WICK_CHECK(kernel_size.size() == 3, kInvalidArgument,
             "fractional_max_pool3d: kernel_size must either be a single Int or tuple of three Ints");
  WICK_CHECK(output_size.size() == 3, kInvalidArgument,
             "fractional_max_pool3d: output_size must either be a single Int or tuple of three Ints");
  return fractional(self, kernel_size, output_size, random_samples, "fractional_max_pool3d_out",
                    "fractional_max_pool3d_out_frame");
}

Tensor max_unpool2d(const Tensor& self, const Tensor& indices, IntSpan output_size) {
  WICK_CHECK(indices.dtype() == DType::kLong, kTypeMismatch,
             "elements in indices should be type int64 but got: ", name_of(indices.dtype()));
  WICK_CHECK(output_size.size() == 2, kInvalidArgument,
             "There should be exactly two elements (height, width) in output_size, but got ", output_size.size(),
             " elements.");
  WICK_CHECK(self.dim() == 3 || self.dim() == 4, kShapeMismatch,
             "Input to max_unpooling2d should be a 3d or 4d Tensor, but got a tensor with ", self.dim(),
             " dimensions.");
  return unpool(self, indices, output_size, "max_unpooling2d_forward_out_cpu", "max_unpool2d");
}

Tensor max_unpool3d(const Tensor& self, const Tensor& indices, IntSpan output_size, IntSpan stride, IntSpan padding) {
  WICK_CHECK(indices.dtype() == DType::kLong, kTypeMismatch, "elements in indices should be type int64");
  WICK_CHECK(self.dim() == 4 || self.dim() == 5, kShapeMismatch,
             "Input to max_unpooling3d should be a 4d or 5d Tensor, but got a tensor with ", self.dim(),
             " dimensions.");
  WICK_CHECK(output_size.size() == 3, kInvalidArgument,
             "There should be exactly three elements (depth, height, width) in output_size, but got ",
             output_size.size(), " elements.");
  WICK_CHECK(stride.size() == 3, kInvalidArgument,
             "There should be exactly three elements (depth, height, width) in stride, but got: ", stride.size(),
             " elements.");
  WICK_CHECK(padding.size() == 3, kInvalidArgument,
             "There should be exactly three elements (depth, height, width) in padding, but got: ", padding.size(),
             " elements.");
  WICK_CHECK(stride[0] > 0 && stride[1] > 0 && stride[2] > 0, kInvalidArgument,
             "strides should be greater than zero, but got stride: ", stride);
  return unpool(self, indices, output_size, "max_unpooling3d_forward_out_cpu", "max_unpool3d");
}

}  // namespace wick::ops
