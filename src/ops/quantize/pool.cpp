// Pools and means of quantized tensors. Images of bytes with channels last are reduced as they are; other integers pass
// through the kernels of floats, or of doubles, which hold them exactly.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/int8_pointwise.h"
#include "ops/conv/pool_run.h"
#include "ops/nn/common.h"
#include "ops/quantize/integers.h"
#include "ops/quantize/layers.h"
#include "ops/quantize/products.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

// Whole numbers as integers of a tensor like `self`; they must fit.
Tensor from_floats(const Tensor& values, const Tensor& self) {
  return with_quantizer(to_dtype(values, ints_of(self).dtype()), self);
}

// The type that holds the integers of the tensor.
DType exact_type(const Tensor& self) { return self.dtype() == DType::kQInt32 ? DType::kDouble : DType::kFloat; }

template <class T>
void subtract(const Tensor& x, T number) {
  T* values = x.data_ptr<T>();
  for (int64_t i = 0, numel = x.numel(); i < numel; ++i) values[i] -= number;
}

// In the type that holds them.
Tensor floats_less_zero(const Tensor& self, MemoryFormat format) {
  Tensor x = contiguous(to_dtype(ints_of(self), exact_type(self)), format);
  if (x.is_same(self)) x = clone(x);
  const QuantRange range = quant_range(self.dtype());
  const int64_t zero = std::clamp(self.quantizer().zero_point, range.low, range.high);
  if (x.dtype() == DType::kDouble) {
    subtract(x, static_cast<double>(zero));
  } else {
    subtract(x, static_cast<float>(zero));
  }
  return x;
}

Tensor from_doubles(const Tensor& sums, const Tensor& self, float factor) {
  const QuantRange range = quant_range(self.dtype());
  const auto low = static_cast<double>(range.low), high = static_cast<double>(range.high);
  const double zero = std::clamp(static_cast<double>(self.quantizer().zero_point), low, high);
  double* values = sums.data_ptr<double>();
  for (int64_t i = 0, numel = sums.numel(); i < numel; ++i) {
    values[i] = std::max(low, std::min(std::nearbyint(values[i] * factor) + zero, high));
  }
  return from_floats(sums, self);
}

// round(sum * factor) + zero for each sum.
Tensor from_sums(const Tensor& sums, const Tensor& self, float factor) {
  if (sums.dtype() == DType::kDouble) return from_doubles(sums, self, factor);
  const QuantRange range = quant_range(self.dtype());
  const auto zero = static_cast<int32_t>(std::clamp(self.quantizer().zero_point, range.low, range.high));
  float* values = sums.data_ptr<float>();
  for (int64_t i = 0, numel = sums.numel(); i < numel; ++i) {
    const int64_t q = round_to_int16(values[i] * factor) + zero;
    values[i] = static_cast<float>(std::clamp(q, range.low, range.high));
  }
  return from_floats(sums, self);
}

float average_factor(const Tensor& self, int64_t count) {
  const auto scale = static_cast<float>(self.quantizer().scale);
  return scale / (scale * static_cast<float>(count));
}

bool is_byte_image(const Tensor& self) {
  return self.dtype() == DType::kQUInt8 && self.dim() == 4 && self.numel() > 0 &&
         self.is_contiguous(MemoryFormat::kChannelsLast) && !self.is_contiguous();
}

// A result of one pixel a window, with channels last and the scale of self.
Tensor empty_pooled(const Tensor& self, const Windows& windows) {
  const Quantizer& q = self.quantizer();
  return empty_quantized({self.size(0), self.size(1), static_cast<int64_t>(windows.dims[0].size()),
                          static_cast<int64_t>(windows.dims[1].size())},
                         self.dtype(), q.scale, q.zero_point, MemoryFormat::kChannelsLast);
}

// Calls f(pixel of the result, address of the first pixel of its window, rows, columns) for each; a result like self.
template <class F>
Tensor reduce_bytes(const Tensor& self, const Windows& windows, F&& f) {
  const std::vector<kernels::Window>&rows = windows.dims[0], &columns = windows.dims[1];
  const int64_t height = self.size(2), width = self.size(3), channels = self.size(1);
  const auto out_rows = static_cast<int64_t>(rows.size()), out_columns = static_cast<int64_t>(columns.size());
  Tensor out = empty_pooled(self, windows);
  const auto* x = static_cast<const uint8_t*>(self.raw_data());
  auto* y = static_cast<uint8_t*>(out.raw_data());
  parallel_for(0, self.size(0) * out_rows, grain_for(out_columns * channels), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      const kernels::Window& r = rows[static_cast<size_t>(row % out_rows)];
      const uint8_t* image = x + row / out_rows * height * width * channels;
      for (int64_t k = 0; k < out_columns; ++k) {
        const kernels::Window& c = columns[static_cast<size_t>(k)];
        const bool empty = r.count <= 0 || c.count <= 0;
        f(y + (row * out_columns + k) * channels, empty ? image : image + (r.first * width + c.first) * channels,
          empty ? 0 : r.count, empty ? 0 : c.count);
      }
    }
  });
  return out;
}

// The greatest of each column of a row of windows first: long runs of bytes.
Tensor max_pool_bytes(const Tensor& self, const Windows& windows) {
  const std::vector<kernels::Window>&rows = windows.dims[0], &columns = windows.dims[1];
  const int64_t height = self.size(2), channels = self.size(1), line = self.size(3) * channels;
  const auto out_rows = static_cast<int64_t>(rows.size()), out_columns = static_cast<int64_t>(columns.size());
  Tensor out = empty_pooled(self, windows);
  const auto* x = static_cast<const uint8_t*>(self.raw_data());
  auto* y = static_cast<uint8_t*>(out.raw_data());
  parallel_for(0, self.size(0) * out_rows, grain_for(out_columns * channels), [&](int64_t first, int64_t last) {
    std::vector<uint8_t> greatest(static_cast<size_t>(line));
    for (int64_t row = first; row < last; ++row) {
      const kernels::Window& r = rows[static_cast<size_t>(row % out_rows)];
      const uint8_t* image = x + (row / out_rows * height + (r.count > 0 ? r.first : 0)) * line;
      std::fill(greatest.begin(), greatest.end(), uint8_t{0});
      for (int64_t i = 0; i < r.count; ++i) {
        kernels::max_bytes(image + i * windows.step[0] * line, line, greatest.data());
      }
      for (int64_t k = 0; k < out_columns; ++k) {
        const kernels::Window& c = columns[static_cast<size_t>(k)];
        uint8_t* to = y + (row * out_columns + k) * channels;
        std::memset(to, 0, static_cast<size_t>(channels));
        for (int64_t i = 0; i < c.count; ++i) {
          kernels::max_bytes(greatest.data() + (c.first + i * windows.step[1]) * channels, channels, to);
        }
      }
    }
  });
  return out;
}

}  // namespace

Tensor quantized_max_pool2d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                            bool ceil_mode) {
  check_per_tensor(self, "max_pool2d");
  if (is_byte_image(self)) {
    return max_pool_bytes(self, max_pool2d_windows(self, kernel_size, stride, padding, dilation, ceil_mode));
  }
  const Tensor x = contiguous(to_dtype(ints_of(self), exact_type(self)), self.suggest_memory_format());
  return from_floats(max_pool2d(x, kernel_size, stride, padding, dilation, ceil_mode), self);
}

Tensor quantized_avg_pool2d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                            bool count_include_pad, std::optional<int64_t> divisor_override) {
  check_per_tensor(self, "avg_pool2d");
  const bool mobile = self.dtype() == DType::kQUInt8 && !ceil_mode && self.dim() == 4;
  if (mobile && is_byte_image(self)) {
    const Windows windows = avg_pool2d_windows(self, kernel_size, stride, padding, ceil_mode, true);
    const float factor = average_factor(self, kernel_size[0] * kernel_size[kernel_size.size() - 1]);
    const auto zero = static_cast<int32_t>(std::clamp<int64_t>(self.quantizer().zero_point, 0, 255));
    const int64_t channels = self.size(1), line = self.size(3) * channels;
    return reduce_bytes(self, windows, [&](uint8_t* to, const uint8_t* from, int64_t rows, int64_t columns) {
      std::vector<int32_t> sums(static_cast<size_t>(channels), static_cast<int32_t>(-zero * rows * columns));
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < columns; ++c) kernels::sum_bytes(from + r * line + c * channels, channels, sums.data());
      }
      for (int64_t c = 0; c < channels; ++c) {
        const int32_t q = round_to_int16(static_cast<float>(sums[static_cast<size_t>(c)]) * factor) + zero;
        to[c] = static_cast<uint8_t>(std::clamp(q, 0, 255));
      }
    });
  }
  const Tensor x = floats_less_zero(self, self.suggest_memory_format());
  if (!mobile) {
    return from_sums(avg_pool2d(x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override), self,
                     1);
  }
  const Tensor sums = avg_pool2d(x, kernel_size, stride, padding, ceil_mode, true, 1);
  const int64_t height = kernel_size[0], width = kernel_size[kernel_size.size() - 1];
  return from_sums(sums, self, average_factor(self, height * width));
}

Tensor quantized_adaptive_avg_pool2d(const Tensor& self, IntSpan output_size) {
  check_per_tensor(self, "adaptive_avg_pool2d_quantized_cpu");
  WICK_CHECK(output_size.size() == 2 && (self.dim() == 3 || self.dim() == 4), kShapeMismatch,
             "adaptive_avg_pool2d: expected a tensor of 3 or 4 dimensions and two output sizes");
  WICK_CHECK(output_size[0] >= 0 && output_size[1] >= 0, kInvalidArgument,
             "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0");
  const int64_t height = self.size(-2), width = self.size(-1);
  const bool whole = output_size[0] > 0 && output_size[1] > 0 && height % output_size[0] == 0 &&
                     width % output_size[1] == 0 && self.numel() > 0;
  const bool same = height == output_size[0] && width == output_size[1];
  if (whole && !same && self.dtype() == DType::kQUInt8 && self.dim() == 4) {
    const IntVec kernel{height / output_size[0], width / output_size[1]};
    return quantized_avg_pool2d(self, kernel, kernel, {0, 0}, false, true, std::nullopt);
  }
  const Tensor x = floats_less_zero(self, self.suggest_memory_format());
  return from_sums(adaptive_avg_pool2d(x, output_size), self, 1);
}

Tensor quantized_avg_pool3d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                            bool count_include_pad, std::optional<int64_t> divisor_override) {
  check_per_tensor(self, "avg_pool3d");
  const Tensor x = floats_less_zero(self, MemoryFormat::kContiguous);
  const Tensor y = avg_pool3d(x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
  return from_sums(y.dim() == 5 ? contiguous(y, MemoryFormat::kChannelsLast3d) : y, self, 1);
}

Tensor quantized_adaptive_avg_pool3d(const Tensor& self, IntSpan output_size) {
  check_per_tensor(self, "adaptive_avg_pool3d");
  const Tensor y = adaptive_avg_pool3d(floats_less_zero(self, MemoryFormat::kContiguous), output_size);
  return from_sums(contiguous(y, self.suggest_memory_format()), self, 1);
}

namespace {

// Whether `dims` are the last ones, in any order.
bool are_innermost(const Tensor& self, const std::optional<IntVec>& dims) {
  if (!dims) return true;
  IntVec sorted;
  for (int64_t d : *dims) sorted.push_back(wrap_dim(d, self.dim()));
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != self.dim() - static_cast<int64_t>(sorted.size() - i)) return false;
  }
  return true;
}

// The mean of the integers themselves, rounded once.
Tensor inner_mean(const Tensor& self, const std::optional<IntVec>& dims, bool keepdim) {
  const bool all = !dims || dims->empty();
  const int64_t outer = self.dim() - (all ? self.dim() : static_cast<int64_t>(dims->size()));
  IntVec sizes(self.sizes());
  const int64_t rows = checked_numel(self.sizes().subspan(0, static_cast<size_t>(outer)));
  const int64_t count = self.numel() / rows;
  for (size_t d = static_cast<size_t>(outer); d < sizes.size(); ++d) sizes[d] = 1;
  if (!keepdim) sizes.resize(static_cast<size_t>(outer));
  const Quantizer& q = self.quantizer();
  Tensor out = empty_quantized(sizes, self.dtype(), q.scale, q.zero_point);
  const auto* from = static_cast<const uint8_t*>(self.raw_data());
  auto* to = static_cast<uint8_t*>(out.raw_data());
  const bool has_sign = self.dtype() == DType::kQInt8;
  for (int64_t r = 0; r < rows; ++r) {
    int64_t sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      const uint8_t v = from[r * count + i];
      sum += has_sign ? static_cast<int8_t>(v) : v;
    }
    to[r] = static_cast<uint8_t>(static_cast<int>(std::nearbyint(static_cast<float>(sum) / static_cast<float>(count))));
  }
  return out;
}

}  // namespace

Tensor quantized_mean(const Tensor& self, const std::optional<IntVec>& dims, bool keepdim) {
  const Quantizer& q = check_per_tensor(self, "mean");
  if (self.dtype() == DType::kQUInt8 && self.dim() == 4 && dims && *dims == IntVec{2, 3} && self.numel() > 0) {
    const IntVec kernel{self.size(2), self.size(3)};
    const Tensor y = quantized_avg_pool2d(self, kernel, kernel, {0, 0}, false, true, std::nullopt);
    const Tensor flat = contiguous(y);
    return keepdim ? flat : squeeze_dim(squeeze_dim(flat, 3), 2);
  }
  const bool bytes = self.dtype() != DType::kQInt32;
  if (bytes && self.numel() > 0 && self.is_contiguous() && are_innermost(self, dims))
    return inner_mean(self, dims, keepdim);
  return quantize_per_tensor(mean_dims(dequantize(self), dims, keepdim, std::nullopt), q.scale, q.zero_point,
                             self.dtype());
}

}  // namespace wick::ops
