// Pooling to a given output size.
#include "core/check.h"
#include "core/copy.h"
#include "core/limits.h"
#include "core/shape.h"
#include "ops/conv/pool_run.h"
#include "ops/quantize/layers.h"

namespace wick::ops {

Windows adaptive_windows(const Tensor& self, IntSpan out) {
  Windows windows;
  windows.step = IntVec(out.size(), 1);
  for (size_t i = 0; i < out.size(); ++i) {
    const int64_t in = self.sizes()[self.sizes().size() - out.size() + i];
    windows.add_dim(out[i], [in, out = out[i]](int64_t o) -> kernels::Window {
      const int64_t first = o * in / out, end = ((o + 1) * in + out - 1) / out;
      return {first, end - first, end - first};
    });
  }
  return windows;
}

namespace {

void check_output(const Tensor& self, IntSpan output_size) {
  IntVec sizes = self.sizes().subspan(0, self.sizes().size() - output_size.size());
  for (const int64_t s : output_size) {
    sizes.push_back(s);
    WICK_CHECK(s <= limits::kMaxImageExtent, kLimitExceeded, "pooling: output size ", output_size, " is too large");
  }
  for (const int64_t s : output_size)
    WICK_CHECK(s >= 0, kInvalidArgument, "Trying to create tensor with negative dimension ", s, ": ", sizes.span());
  checked_numel(sizes);
  check_pool_extents(self);
}

// name: "adaptive_avg_pool2d". Dimensions from `first` on must have elements.
void check_input(const Tensor& self, int64_t dims, const char* name, int64_t first, const char* colon) {
  WICK_CHECK(self.dim() == dims + 1 || self.dim() == dims + 2, kShapeMismatch, name, "(): Expected ", dims + 1, "D or ",
             dims + 2, "D tensor, but got", colon, " ", self.sizes());
  for (int64_t d = first; d < self.dim(); ++d)
    WICK_CHECK(self.size(d) > 0, kShapeMismatch, name,
               "(): Expected input to have non-zero size for non-batch dimensions, but input has sizes ", self.sizes(),
               " with dimension ", d, " being empty");
}

// The average of all of each plane, in any floating or complex dtype, as aten::mean gives it.
Tensor whole_average(const Tensor& self, int64_t dims) {
  WICK_CHECK(
      is_floating(self.dtype()) || is_complex(self.dtype()), kTypeMismatch,
      "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: ",
      name_of(self.dtype()));
  WICK_CHECK(self.dim() >= dims, kIndexOutOfRange, "Dimension out of range (expected to be in range of [",
             -std::max<int64_t>(1, self.dim()), ", ", std::max<int64_t>(1, self.dim()) - 1, "], but got ", -dims, ")");
  check_pool_extents(self);
  IntVec sizes = self.sizes().subspan(0, static_cast<size_t>(self.dim() - dims)), planes{1};
  planes[0] = checked_numel(sizes);
  for (int64_t d = 0; d < dims; ++d) {
    sizes.push_back(1);
    planes.push_back(self.size(self.dim() - dims + d));
  }
  const bool last = self.dim() == 4 && dims == 2 && self.suggest_memory_format() == MemoryFormat::kChannelsLast;
  const Tensor out = Tensor::empty(sizes, self.dtype(), last ? MemoryFormat::kChannelsLast : MemoryFormat::kContiguous);
  if (self.numel() == 0) {
    if (out.numel() > 0) fill(out, Scalar(std::numeric_limits<double>::quiet_NaN()));
    return out;
  }
  if (is_complex(self.dtype())) {
    const Tensor x = contiguous(to_dtype(self, DType::kComplexDouble));
    const Tensor y = Tensor::empty(sizes, DType::kComplexDouble);
    const int64_t n = self.numel() / planes[0];
    const auto* from = x.data_ptr<std::complex<double>>();
    for (int64_t p = 0; p < planes[0]; ++p) {
      std::complex<double> sum = 0;
      for (int64_t i = 0; i < n; ++i) sum += from[p * n + i];
      y.data_ptr<std::complex<double>>()[p] = sum / static_cast<double>(n);
    }
    copy_into(out, y);
    return out;
  }
  const IntVec ones(static_cast<size_t>(dims), 1);
  if (last) {
    copy_into(out, run_avg_pool(self, adaptive_windows(self, ones), 0, true, "mean", false));
  } else {
    const Tensor x = contiguous(self);
    const Tensor flat = x.as_strided(planes, contiguous_strides(planes), x.storage_offset());
    const Tensor y = run_avg_pool(flat, adaptive_windows(flat, ones), 0, false, "mean", false);
    copy_into(out, y.as_strided(sizes, contiguous_strides(sizes), 0));
  }
  return out;
}

void check_1d(const Tensor& self, IntSpan output_size, const char* name) {
  WICK_CHECK(self.dim() == 2 || self.dim() == 3, kShapeMismatch, "Expected 2 to 3 dimensions, but got ", self.dim(),
             "-dimensional tensor for argument #1 'self' (while checking arguments for ", name, ")");
  WICK_CHECK(output_size.size() == 1, kInvalidArgument, name, "() argument 'output_size' should contain one int (got ",
             output_size.size(), ")");
}

bool all_ones(IntSpan values) {
  for (const int64_t v : values)
    if (v != 1) return false;
  return true;
}

}  // namespace

Tensor _adaptive_avg_pool2d(const Tensor& self, IntSpan output_size) {
  if (is_quantized(self)) return quantized_adaptive_avg_pool2d(self, output_size);
  WICK_CHECK(output_size.size() == 2, kInvalidArgument, "adaptive_avg_pool2d: output_size must be 2");
  WICK_CHECK(output_size[0] >= 0 && output_size[1] >= 0, kInvalidArgument,
             "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received {",
             output_size[0], ", ", output_size[1], "}");
  if (all_ones(output_size)) return whole_average(self, 2);
  check_input(self, 2, "adaptive_avg_pool2d", self.dim() - 2, "");
  check_output(self, output_size);
  return run_avg_pool(self, adaptive_windows(self, output_size), 0, true, "adaptive_avg_pool2d", false);
}

Tensor adaptive_avg_pool2d(const Tensor& self, IntSpan output_size) { return _adaptive_avg_pool2d(self, output_size); }

Tensor adaptive_avg_pool1d(const Tensor& self, IntSpan output_size) {
  check_1d(self, output_size, "adaptive_avg_pool1d");
  const Tensor y = adaptive_avg_pool2d(with_dim(self, self.dim() - 1), {1, output_size[0]});
  return without_dim(y, y.dim() - 2);
}

Tensor _adaptive_avg_pool3d(const Tensor& self, IntSpan output_size) {
  if (is_quantized(self)) return quantized_adaptive_avg_pool3d(self, output_size);
  WICK_CHECK(output_size.size() == 3, kInvalidArgument, "adaptive_avg_pool3d: output_size must be 3");
  WICK_CHECK(output_size[0] >= 0 && output_size[1] >= 0 && output_size[2] >= 0, kInvalidArgument,
             "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received {",
             output_size[0], ", ", output_size[1], ",", output_size[2], "}");
  if (all_ones(output_size)) return whole_average(self, 3);
  check_input(self, 3, "adaptive_avg_pool3d", 1, "");
  check_output(self, output_size);
  return run_avg_pool(self, adaptive_windows(self, output_size), 0, false, "adaptive_avg_pool3d_cpu", false);
}

Tensor adaptive_avg_pool3d(const Tensor& self, IntSpan output_size) { return _adaptive_avg_pool3d(self, output_size); }

TensorPair adaptive_max_pool2d(const Tensor& self, IntSpan output_size) {
  check_input(self, 2, "adaptive_max_pool2d", self.dim() == 4 ? 1 : 0, ":");
  WICK_CHECK(output_size.size() == 2, kInvalidArgument,
             "adaptive_max_pool2d(): internal error: output_size.size() must be 2");
  check_output(self, output_size);
  return run_max_pool_indices(self, adaptive_windows(self, output_size), true, "adaptive_max_pool2d");
}

TensorPair adaptive_max_pool1d(const Tensor& self, IntSpan output_size) {
  check_1d(self, output_size, "adaptive_max_pool1d");
  const auto [values, indices] = adaptive_max_pool2d(with_dim(self, self.dim() - 1), {1, output_size[0]});
  return {without_dim(values, values.dim() - 2), without_dim(indices, indices.dim() - 2)};
}

TensorPair adaptive_max_pool3d(const Tensor& self, IntSpan output_size) {
  check_input(self, 3, "adaptive_max_pool3d", self.dim() == 5 ? 1 : 0, ":");
  WICK_CHECK(output_size.size() == 3, kInvalidArgument,
             "adaptive_max_pool3d(): internal error: output_size.size() must be 3");
  check_output(self, output_size);
  return run_max_pool_indices(self, adaptive_windows(self, output_size), false, "adaptive_max_pool3d_cpu");
}

}  // namespace wick::ops
