// Pooling with a kernel that moves by a stride: maximum and average.
#include "ops/conv/pool.h"

#include "core/check.h"
#include "core/copy.h"
#include "core/limits.h"
#include "core/shape.h"
#include "kernels/divide.h"
#include "ops/conv/pool_run.h"
#include "ops/pointwise/math.h"
#include "ops/quantize/layers.h"

namespace wick::ops {
namespace {

constexpr const char* kCounts[] = {"", "one int", "two ints", "three ints"};

struct Kernel {
  IntVec size, stride, padding, dilation;
};

// kernel_size etc. as one value or one per dimension, in the words of each operator.
struct Texts {
  const char* name;
  const char* kernel = "must either be";
  const char* stride = "must either be omitted,";
  const char* padding = "must either be";
  const char* dilation = "must be either";
};

IntVec expanded(IntSpan values, size_t dims, const Texts& texts, const char* parameter, const char* words) {
  WICK_CHECK(values.size() == 1 || values.size() == dims, kInvalidArgument, texts.name, ": ", parameter, " ", words,
             " a single int, or a tuple of ", kCounts[dims]);
  return values.size() == 1 ? IntVec(dims, values[0]) : IntVec(values);
}

Kernel kernel_of(size_t dims, const Texts& texts, IntSpan size, IntSpan stride, IntSpan padding, IntSpan dilation) {
  Kernel k;
  k.size = expanded(size, dims, texts, "kernel_size", texts.kernel);
  k.stride = stride.empty() ? k.size : expanded(stride, dims, texts, "stride", texts.stride);
  k.padding = expanded(padding, dims, texts, "padding", texts.padding);
  k.dilation = expanded(dilation, dims, texts, "dilation", texts.dilation);
  return k;
}

// "kH: 2 kW: 3"
std::string axes(const char* prefix, const IntVec& values) {
  static constexpr const char* kNames[] = {"T", "H", "W"};
  std::string text;
  for (size_t i = 0; i < values.size(); ++i)
    text += cat(i ? " " : "", prefix, kNames[3 - values.size() + i], ": ", values[i]);
  return text;
}
// "4x7x9"
std::string times(IntSpan values) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) text += cat(i ? "x" : "", values[i]);
  return text;
}

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

int64_t out_extent(int64_t in, const Kernel& k, size_t d, bool ceil_mode) {
  const int64_t reach = k.dilation[d] * (k.size[d] - 1) + 1, stride = k.stride[d];
  int64_t out = floor_div(in + 2 * k.padding[d] - reach + (ceil_mode ? stride - 1 : 0), stride) + 1;
  // The last window must start inside the image or its left padding.
  if (ceil_mode && (out - 1) * stride >= in + k.padding[d]) --out;
  return out;
}

void check_limits(const Kernel& k) {
  for (const IntVec* list : {&k.size, &k.stride, &k.padding, &k.dilation})
    for (const int64_t v : *list)
      WICK_CHECK(v <= limits::kMaxImageExtent && v >= -limits::kMaxImageExtent, kLimitExceeded,
                 "pooling: the parameter ", v, " is out of range");
}

// Output sizes after PyTorch's checks. dims: pooled dimensions; self: unbatched or batched.
IntVec checked_sizes(const Tensor& self, const Kernel& k, bool ceil_mode, const char* name) {
  const size_t dims = k.size.size();
  const int64_t rank = self.dim(), unbatched = static_cast<int64_t>(dims) + 1;
  check_limits(k);
  check_pool_extents(self);
  for (const int64_t s : k.stride) WICK_CHECK(s != 0, kInvalidArgument, "stride should not be zero");
  for (size_t i = 0; i < dims; ++i) {
    WICK_CHECK(k.padding[i] >= 0, kInvalidArgument, "pad must be non-negative, but got pad: ", k.padding[i]);
    WICK_CHECK(k.padding[i] <= k.size[i] / 2, kInvalidArgument,
               "pad should be at most half of kernel size, but got pad=", k.padding[i], " and kernel_size=", k.size[i]);
  }
  bool positive = true;
  for (size_t i = 0; i < dims; ++i) positive = positive && k.size[i] > 0;
  WICK_CHECK(positive, kInvalidArgument, "kernel size should be greater than zero, but got ", axes("k", k.size));
  for (size_t i = 0; i < dims; ++i) positive = positive && k.stride[i] > 0;
  WICK_CHECK(positive, kInvalidArgument, "stride should be greater than zero, but got ", axes("d", k.stride));
  for (size_t i = 0; i < dims; ++i) positive = positive && k.dilation[i] > 0;
  WICK_CHECK(positive, kInvalidArgument, "dilation should be greater than zero, but got ",
             axes("dilation", k.dilation));
  const int64_t first = rank == unbatched ? 0 : 1;
  bool filled = rank == unbatched || rank == unbatched + 1;
  for (int64_t d = first; d < rank; ++d) filled = filled && self.size(d) != 0;
  if (dims == 2) {
    WICK_CHECK(filled, kShapeMismatch,
               "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, "
               "but got:",
               self.sizes());
  } else {
    for (int64_t d = first; d < rank; ++d)
      WICK_CHECK(self.size(d) != 0, kShapeMismatch, name,
                 "(): Expected input's non-batch dimensions to have positive length, but input has a shape of ",
                 self.sizes(), " and non-batch dimension ", d - first, " has length zero!");
  }
  IntVec out;
  for (size_t i = 0; i < dims; ++i)
    out.push_back(out_extent(self.sizes()[static_cast<size_t>(first) + 1 + i], k, i, ceil_mode));
  return out;
}

void check_not_too_small(const Tensor& self, const IntVec& out) {
  const int64_t channels = static_cast<int64_t>(self.sizes().size() - out.size()) - 1;
  bool positive = true;
  for (const int64_t s : out) positive = positive && s >= 1;
  WICK_CHECK(positive, kShapeMismatch, "Given input size: (",
             times(self.sizes().subspan(static_cast<size_t>(channels))), "). Calculated output size: (",
             self.size(channels), "x", times(out), "). Output size is too small");
}

Windows max_windows(const Tensor& self, const Kernel& k, const IntVec& out) {
  Windows windows;
  windows.step = k.dilation;
  for (size_t i = 0; i < out.size(); ++i) {
    const int64_t in = self.sizes()[self.sizes().size() - out.size() + i], step = k.dilation[i];
    windows.add_dim(out[i], [&](int64_t o) -> kernels::Window {
      const int64_t start = o * k.stride[i] - k.padding[i];
      const int64_t skipped = start >= 0 ? 0 : kernels::ceil_div(-start, step);
      const int64_t first = start + skipped * step;
      const int64_t inside = first >= in ? 0 : (in - first - 1) / step + 1;
      return {first, std::clamp<int64_t>(inside, 0, std::max<int64_t>(0, k.size[i] - skipped)), 1};
    });
  }
  return windows;
}

Windows avg_windows(const Tensor& self, const Kernel& k, const IntVec& out, bool count_include_pad) {
  Windows windows;
  windows.step = IntVec(out.size(), 1);
  for (size_t i = 0; i < out.size(); ++i) {
    const int64_t in = self.sizes()[self.sizes().size() - out.size() + i];
    windows.add_dim(out[i], [&](int64_t o) -> kernels::Window {
      const int64_t start = o * k.stride[i] - k.padding[i], end = std::min(start + k.size[i], in + k.padding[i]);
      const int64_t first = std::max<int64_t>(start, 0), count = std::max<int64_t>(0, std::min(end, in) - first);
      return {first, count, count_include_pad ? end - start : count};
    });
  }
  return windows;
}

void check_rank(const Tensor& self, size_t dims) {
  const int64_t unbatched = static_cast<int64_t>(dims) + 1;
  WICK_CHECK(self.dim() == unbatched || self.dim() == unbatched + 1, kShapeMismatch, "non-empty ", unbatched, "D or ",
             unbatched + 1, "D (batch mode) tensor expected for input");
}

Windows max_windows_2d(const Tensor& self, const Texts& texts, IntSpan kernel_size, IntSpan stride, IntSpan padding,
                       IntSpan dilation, bool ceil_mode) {
  const Kernel k = kernel_of(2, texts, kernel_size, stride, padding, dilation);
  check_rank(self, 2);
  const IntVec out = checked_sizes(self, k, ceil_mode, texts.name);
  check_not_too_small(self, out);
  return max_windows(self, k, out);
}

Windows max_windows_3d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                       bool ceil_mode) {
  const Kernel k =
      kernel_of(3, {"max_pool3d", "must either be", "must either be omitted,", "must either be", "must be either"},
                kernel_size, stride, padding, dilation);
  check_rank(self, 3);
  const IntVec out = checked_sizes(self, k, ceil_mode, "max_pool3d_with_indices_out_cpu_template");
  check_not_too_small(self, out);
  return max_windows(self, k, out);
}

constexpr Texts kMaxPool2d{"max_pool2d", "must either be", "must either be omitted,", "must be either be",
                           "must be either"};

const char* max_pool2d_kernel(const Tensor& self) {
  return self.dim() == 4 && self.suggest_memory_format() == MemoryFormat::kChannelsLast ? "max_pool2d_channels_last"
                                                                                        : "max_pool2d";
}

void check_1d(const Tensor& self, const char* name) {
  WICK_CHECK(self.dim() == 2 || self.dim() == 3, kShapeMismatch, "Expected 2 to 3 dimensions, but got ", self.dim(),
             "-dimensional tensor for argument #1 'self' (while checking arguments for ", name, ")");
}
void check_one(IntSpan values, const char* name, const char* parameter) {
  WICK_CHECK(values.size() == 1, kInvalidArgument, name, "() argument '", parameter, "' should contain one int (got ",
             values.size(), ")");
}

IntVec after(int64_t first, IntSpan values) { return values.empty() ? IntVec() : IntVec{first, values[0]}; }

}  // namespace

namespace {

// Windows that lie inside their rows need no list of where they begin and end.
Tensor max_of_rows(const Tensor& self, const Kernel& k, int64_t out) {
  IntVec sizes(self.sizes());
  sizes.back() = out;
  const Tensor x = contiguous(self), y = Tensor::empty(sizes, DType::kFloat);
  const int64_t in = self.size(-1), stride = k.stride[0];
  for (int64_t row = 0, row_count = y.numel() / out; row < row_count; ++row) {
    const float* from = x.data_ptr<float>() + row * in;
    float* to = y.data_ptr<float>() + row * out;
    for (int64_t i = 0; i < out; ++i) to[i] = from[i * stride];
    for (int64_t place = 1; place < k.size[0]; ++place) {
      check_budget();
      const float* next = from + place * k.dilation[0];
      for (int64_t i = 0; i < out; ++i) to[i] = nan_max(to[i], next[i * stride]);
    }
  }
  return y;
}

}  // namespace

Tensor max_pool1d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                  bool ceil_mode) {
  if (is_quantized(self)) return quantized_max_pool1d(self, kernel_size, stride, padding, dilation, ceil_mode);
  bool filled = self.dim() == 2 || self.dim() == 3;
  for (int64_t d = self.dim() == 3 ? 1 : 0; filled && d < self.dim(); ++d) filled = self.size(d) != 0;
  WICK_CHECK(filled, kShapeMismatch,
             "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:",
             self.sizes());
  const auto one = [](IntSpan values, const char* parameter, const char* words) {
    WICK_CHECK(values.size() == 1, kInvalidArgument, "max_pool1d() ", parameter, " must be ", words,
               " tuple of ints of size 1 but got size ", values.size());
    return values[0];
  };
  Kernel k;
  k.size = {one(kernel_size, "kernel_size", "an int, list of ints or")};
  k.stride = stride.empty() ? k.size : IntVec{one(stride, "stride", "None, an int, list of ints, or")};
  k.padding = {one(padding, "padding", "an int, list of ints, or")};
  k.dilation = {one(dilation, "dilation", "an int, list of ints or")};
  WICK_CHECK(k.size[0] > 0, kInvalidArgument, "max_pool1d() kernel_size must be greater than zero, but got ",
             k.size[0]);
  WICK_CHECK(k.stride[0] > 0, kInvalidArgument, "max_pool1d() stride must be greater than zero, but got ", k.stride[0]);
  WICK_CHECK(k.padding[0] >= 0, kInvalidArgument, "max_pool1d() padding must be non-negative, but got ", k.padding[0]);
  WICK_CHECK(k.padding[0] <= k.size[0] / 2, kInvalidArgument,
             "max_pool1d() padding should be at most half of kernel size, but got padding=", k.padding[0],
             " and kernel_size=", k.size[0]);
  WICK_CHECK(k.dilation[0] > 0, kInvalidArgument, "max_pool1d() dilation must be greater than zero, but got ",
             k.dilation[0]);
  check_limits(k);
  check_pool_extents(self);
  const int64_t out = out_extent(self.size(-1), k, 0, ceil_mode);
  WICK_CHECK(out >= 0, kShapeMismatch, "max_pool1d() Invalid computed output size: ", out);
  const bool inside = k.padding[0] == 0 && (out - 1) * k.stride[0] + (k.size[0] - 1) * k.dilation[0] < self.size(-1);
  if (self.dtype() == DType::kFloat && inside && out > 0) return max_of_rows(self, k, out);
  return run_max_pool(self, max_windows(self, k, {out}), false, "max_pool1d_impl");
}

TensorPair max_pool1d_with_indices(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding,
                                   IntSpan dilation, bool ceil_mode) {
  check_1d(self, "max_pool1d");
  check_one(kernel_size, "max_pool1d", "kernel_size");
  if (!stride.empty()) check_one(stride, "max_pool1d", "stride");
  check_one(padding, "max_pool1d", "padding");
  check_one(dilation, "max_pool1d", "dilation");
  const auto [values, indices] =
      max_pool2d_with_indices(with_dim(self, self.dim() - 1), after(1, kernel_size), after(1, stride),
                              after(0, padding), after(1, dilation), ceil_mode);
  return {without_dim(values, values.dim() - 2), without_dim(indices, indices.dim() - 2)};
}

Tensor max_pool2d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                  bool ceil_mode) {
  if (is_quantized(self)) return quantized_max_pool2d(self, kernel_size, stride, padding, dilation, ceil_mode);
  const Windows windows = max_pool2d_windows(self, kernel_size, stride, padding, dilation, ceil_mode);
  return run_max_pool(self, windows, true, max_pool2d_kernel(self), true);
}

Windows max_pool2d_windows(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                           bool ceil_mode) {
  return max_windows_2d(self, kMaxPool2d, kernel_size, stride, padding, dilation, ceil_mode);
}

TensorPair max_pool2d_with_indices(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding,
                                   IntSpan dilation, bool ceil_mode) {
  const Windows windows = max_windows_2d(self, kMaxPool2d, kernel_size, stride, padding, dilation, ceil_mode);
  return run_max_pool_indices(self, windows, true, max_pool2d_kernel(self), true);
}

Tensor max_pool3d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                  bool ceil_mode) {
  const Windows windows = max_windows_3d(self, kernel_size, stride, padding, dilation, ceil_mode);
  return run_max_pool(self, windows, false, "max_pool3d_with_indices_cpu", true);
}

TensorPair max_pool3d_with_indices(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding,
                                   IntSpan dilation, bool ceil_mode) {
  const Windows windows = max_windows_3d(self, kernel_size, stride, padding, dilation, ceil_mode);
  return run_max_pool_indices(self, windows, false, "max_pool3d_with_indices_cpu", true);
}

Tensor avg_pool1d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                  bool count_include_pad) {
  check_1d(self, "avg_pool1d");
  check_one(kernel_size, "avg_pool1d", "kernel_size");
  if (!stride.empty()) check_one(stride, "avg_pool1d", "stride");
  check_one(padding, "avg_pool1d", "padding");
  const Tensor y = avg_pool2d(with_dim(self, self.dim() - 1), after(1, kernel_size), after(1, stride),
                              after(0, padding), ceil_mode, count_include_pad, std::nullopt);
  return without_dim(y, y.dim() - 2);
}

Tensor avg_pool2d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                  bool count_include_pad, std::optional<int64_t> divisor_override) {
  if (is_quantized(self)) {
    return quantized_avg_pool2d(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
  }
  WICK_CHECK(!divisor_override || *divisor_override != 0, kInvalidArgument, "divisor must be not zero");
  const Windows windows = avg_pool2d_windows(self, kernel_size, stride, padding, ceil_mode, count_include_pad);
  return run_avg_pool(self, windows, divisor_override.value_or(0), true, "avg_pool2d", true);
}

Windows avg_pool2d_windows(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                           bool count_include_pad) {
  const Kernel k = kernel_of(2, {"avg_pool2d"}, kernel_size, stride, padding, {1});
  self.size(-3);  // refuses fewer dimensions
  const IntVec out = checked_sizes(self, k, ceil_mode, "avg_pool2d");
  check_not_too_small(self, out);
  return avg_windows(self, k, out, count_include_pad);
}

Tensor avg_pool3d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                  bool count_include_pad, std::optional<int64_t> divisor_override) {
  if (is_quantized(self)) {
    return quantized_avg_pool3d(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
  }
  const Kernel k =
      kernel_of(3, {"avg_pool3d", "must be", "must be omitted,", "must be"}, kernel_size, stride, padding, {1});
  WICK_CHECK(!divisor_override || *divisor_override != 0, kInvalidArgument, "divisor must be not zero");
  check_rank(self, 3);
  const IntVec out = checked_sizes(self, k, ceil_mode, "avg_pool3d");
  const IntSpan in = self.sizes().subspan(self.sizes().size() - 3);
  bool fits = true;
  for (size_t i = 0; i < 3; ++i) fits = fits && in[i] >= k.size[i];
  WICK_CHECK(fits, kShapeMismatch, "input image (", axes("", IntVec(in)), ") smaller than kernel size (",
             axes("k", k.size), ")");
  check_not_too_small(self, out);
  return run_avg_pool(self, avg_windows(self, k, out, count_include_pad), divisor_override.value_or(0), false,
                      "avg_pool3d_out_frame", true);
}

}  // namespace wick::ops
