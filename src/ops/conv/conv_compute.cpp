// Convolution by dtype and memory format.
#include <algorithm>
#include <complex>

#include "core/copy.h"
#include "core/selection.h"
#include "core/shape.h"
#include "core/shapes_only.h"
#include "kernels/conv2d.h"
#include "kernels/layout.h"
#include "ops/conv/conv.h"
#include "ops/workers.h"

namespace wick::ops {
namespace {

constexpr bool kHasTransposed = build::kTransposedConv;

using kernels::Conv;
using kernels::ConvShape;

// Spatial dimensions are aligned to the right: a 1-d convolution is one of height 1.
ConvShape shape_of(IntSpan in, IntSpan weight, IntSpan out, const ConvParams& params) {
  ConvShape s;
  s.batch = in[0];
  s.in_channels = in[1];
  s.out_channels = out[1];
  s.groups = params.groups;
  const size_t dims = out.size() - 2;
  for (size_t i = 0; i < dims; ++i) {
    const size_t to = 3 - dims + i;
    s.in[to] = in[i + 2];
    s.out[to] = out[i + 2];
    s.kernel[to] = weight[i + 2];
    s.stride[to] = params.stride[i];
    s.pad[to] = params.padding[i];
    s.dilation[to] = params.dilation[i];
  }
  return s;
}

// The plane-wise kernel copies rows with their halo; it is for kernels of ordinary reach.
bool is_depthwise(const ConvShape& s) {
  constexpr int64_t kMaxReach = 1024;
  if (s.groups <= 1 || s.in_channels != s.groups || s.in[0] != 1 || s.kernel[0] != 1 || s.pad[0] != 0) return false;
  for (int d = 1; d < 3; ++d)
    if (s.dilation[d] * s.kernel[d] > kMaxReach || s.stride[d] > 8 || s.pad[d] > kMaxReach) return false;
  return true;
}

double operations(const ConvShape& s) {
  return 2.0 * static_cast<double>(s.batch * s.out_channels) * static_cast<double>(s.out_pixels()) *
         static_cast<double>(s.group_in() * s.taps());
}

// One kernel per channel, channels last.
bool is_depthwise_last(const ConvShape& s) { return is_depthwise(s) && s.in_channels == s.out_channels; }

// [channels][taps] as [taps][channels].
template <class T>
kernels::Scratch<T> taps_first(const ConvShape& s, const Tensor& weight) {
  const Tensor w = contiguous(weight);
  const int64_t channels = s.in_channels, taps = s.taps();
  kernels::Scratch<T> transposed(static_cast<size_t>(channels * taps));
  const T* from = w.data_ptr<T>();
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t t = 0; t < taps; ++t) transposed.data()[t * channels + c] = from[c * taps + t];
  return transposed;
}

template <class T>
void run_channels_last(Conv<T>& conv, const Tensor& weight, const T* packed, const kernels::Workers& workers) {
  if (is_depthwise_last(conv.shape)) {
    const kernels::Scratch<T> transposed = packed ? kernels::Scratch<T>() : taps_first<T>(conv.shape, weight);
    conv.weight = packed ? packed : transposed.data();
    kernels::depthwise_nhwc(conv, workers);
    return;
  }
  const Tensor w = packed ? weight : contiguous(weight, MemoryFormat::kChannelsLast);
  conv.weight = w.data_ptr<T>();
  kernels::conv_nhwc<T>(conv, packed, workers);
}

// Whether the padded rows under a dilated kernel are in proportion to the images: padding and dilation may be any.
[[maybe_unused]] bool padded_rows_fit(const ConvShape& s) {
  constexpr double kFree = 1 << 22;
  const double rows = static_cast<double>((s.kernel[1] - 1) * s.dilation[1] + s.stride[1]);
  const double pitch = static_cast<double>(s.out[2] * s.stride[2] + (s.kernel[2] - 1) * s.dilation[2]);
  return rows * pitch <= std::max(kFree, 4.0 * static_cast<double>(s.in_pixels() + s.out_pixels()));
}

template <class T>
void run_float(const ConvShape& shape, const Tensor& input, const Tensor& weight, const OptTensor& bias,
               const Tensor& out, bool transposed, MemoryFormat format, const Clamp& clamp, const T* packed) {
  Conv<T> conv;
  conv.shape = shape;
  const Tensor x = contiguous(input, format), held_bias = bias ? contiguous(*bias) : Tensor();
  conv.x = x.data_ptr<T>();
  conv.bias = bias ? held_bias.data_ptr<T>() : nullptr;
  conv.y = out.data_ptr<T>();
  if (clamp.on) {
    conv.clamp = true;
    conv.low = static_cast<T>(clamp.low);
    conv.high = static_cast<T>(clamp.high);
  }
  const kernels::Workers workers = workers_for(operations(shape));
  if (format == MemoryFormat::kChannelsLast) return run_channels_last(conv, weight, packed, workers);
  const Tensor w = contiguous(weight);
  conv.weight = w.data_ptr<T>();
  if (transposed) {
    if constexpr (kHasTransposed) {
      kernels::conv_transpose_nchw(conv, workers);
    } else {
      fail_with<ErrorCode::kUnsupported>("transposed convolutions are not in this build", advice_on_missing());
    }
  } else if (is_depthwise(shape) && shape.group_out() <= 4 && (!build::kLimits || padded_rows_fit(shape))) {
    kernels::depthwise_nchw(conv, workers);
  } else {
    kernels::conv_nchw(conv, workers);
  }
}

// By the planner's kernels, with weights packed for this run.
[[maybe_unused]] void run_as_planned(const ConvShape& s, const Tensor& input, const Tensor& weight,
                                     const OptTensor& bias, const Tensor& out, MemoryFormat format,
                                     const Clamp& clamp) {
  const Tensor x = contiguous(input, format), w = contiguous(weight), b = bias ? contiguous(*bias) : Tensor();
  const kernels::Workers workers = workers_for(operations(s));
  const bool turns = format != MemoryFormat::kChannelsLast;
  const kernels::Scratch<float> from(turns ? static_cast<size_t>(x.numel()) : 0);
  const kernels::Scratch<float> to(turns ? static_cast<size_t>(out.numel()) : 0);
  if (turns) {
    kernels::planes_to_channels_last(x.data_ptr<float>(), s.batch, s.in_channels, s.in_pixels(), from.data(),
                                     s.in_channels, workers);
  }
  kernels::Conv2d conv;
  conv.shape = s;
  conv.method = kernels::choose_conv(s, true, workers.count);
  const kernels::Scratch<float> packed(kernels::packed_conv_size(s, conv.method));
  kernels::pack_conv(s, conv.method, w.data_ptr<float>(), nullptr, packed.data());
  conv.weights = packed.data();
  conv.bias = bias ? b.data_ptr<float>() : nullptr;
  conv.x = kernels::dense_view<const float>(turns ? from.data() : x.data_ptr<float>(), s.in[1], s.in[2], s.in_channels);
  conv.y = kernels::dense_view(turns ? to.data() : out.data_ptr<float>(), s.out[1], s.out[2], s.out_channels);
  if (clamp.on) {
    conv.epilogue.low = static_cast<float>(clamp.low);
    conv.epilogue.high = static_cast<float>(clamp.high);
  }
  kernels::run_conv(conv, nullptr, workers);
  if (turns) {
    kernels::channels_last_to_planes(to.data(), s.out_channels, s.batch, s.out_channels, s.out_pixels(),
                                     out.data_ptr<float>(), workers);
  }
}

// Every dtype without a fast kernel, in contiguous order: T is int64, float or complex<double>.
template <class T>
void run_plain(const ConvShape& s, const Tensor& input, const Tensor& weight, const OptTensor& bias, const Tensor& out,
               bool transposed) {
  const Tensor x = contiguous(input), w = contiguous(weight), b = bias ? contiguous(*bias) : Tensor();
  const T* xp = x.data_ptr<T>();
  const T* wp = w.data_ptr<T>();
  const int64_t in_pixels = s.in_pixels(), out_pixels = s.out_pixels(), taps = s.taps();
  const int64_t group_in = s.group_in(), group_out = s.group_out();
  // Visits every (input pixel, output pixel) pair one tap connects.
  const auto connect = [&](int64_t tap, auto&& visit) {
    const int64_t kw = tap % s.kernel[2], kh = tap / s.kernel[2] % s.kernel[1], kd = tap / s.kernel[2] / s.kernel[1];
    const int64_t* steps = transposed ? s.in : s.out;   // walked one by one
    const int64_t* limits = transposed ? s.out : s.in;  // reached by stride
    for (int64_t d = 0; d < steps[0]; ++d)
      for (int64_t h = 0; h < steps[1]; ++h)
        for (int64_t v = 0; v < steps[2]; ++v) {
          const int64_t od = d * s.stride[0] - s.pad[0] + kd * s.dilation[0];
          const int64_t oh = h * s.stride[1] - s.pad[1] + kh * s.dilation[1];
          const int64_t ov = v * s.stride[2] - s.pad[2] + kw * s.dilation[2];
          if (od < 0 || od >= limits[0] || oh < 0 || oh >= limits[1] || ov < 0 || ov >= limits[2]) continue;
          const int64_t walked = (d * steps[1] + h) * steps[2] + v;
          const int64_t reached = (od * limits[1] + oh) * limits[2] + ov;
          visit(transposed ? walked : reached, transposed ? reached : walked);
        }
  };
  workers_for(operations(s)).each(s.batch * s.out_channels, [&](int64_t first, int64_t last) {
    for (int64_t plane = first; plane < last; ++plane) {
      const int64_t image = plane / s.out_channels, o = plane % s.out_channels, group = o / group_out;
      T* y = out.data_ptr<T>() + plane * out_pixels;
      std::fill(y, y + out_pixels, bias ? b.data_ptr<T>()[o] : T(0));
      for (int64_t c = 0; c < group_in; ++c) {
        const T* from = xp + (image * s.in_channels + group * group_in + c) * in_pixels;
        const T* k = transposed ? wp + ((group * group_in + c) * group_out + o % group_out) * taps
                                : wp + (o * group_in + c) * taps;
        for (int64_t tap = 0; tap < taps; ++tap)
          connect(tap, [&, value = k[tap]](int64_t in, int64_t to) {
            if constexpr (std::is_same_v<T, int64_t>) {
              y[to] = static_cast<int64_t>(static_cast<uint64_t>(y[to]) +
                                           static_cast<uint64_t>(from[in]) * static_cast<uint64_t>(value));
            } else {
              y[to] += from[in] * value;
            }
          });
      }
    }
  });
}

[[maybe_unused]] Tensor compute_as_planned(const ConvShape& s, const Tensor& input, const Tensor& weight,
                                           const OptTensor& bias, const ConvParams& params, IntSpan sizes,
                                           MemoryFormat format, const Clamp& clamp) {
  const bool planned =
      !params.transposed && kernels::is_conv2d(s) && input.numel() > 0 && weight.numel() > 0 && s.out_pixels() > 0;
  const MemoryFormat computed = planned ? format : MemoryFormat::kContiguous;
  const Tensor out = Tensor::empty(sizes, DType::kFloat, computed);
  if (!only_shapes() && out.numel() > 0) {
    if (planned) {
      run_as_planned(s, input, weight, bias, out, format, clamp);
    } else {
      run_plain<float>(s, input, weight, bias, out, params.transposed);
      float* y = out.data_ptr<float>();
      for (int64_t i = 0, n = clamp.on ? out.numel() : 0; i < n; ++i) {
        y[i] = std::min(std::max(y[i], static_cast<float>(clamp.low)), static_cast<float>(clamp.high));
      }
    }
  }
  return computed == format ? out : contiguous(out, format);
}

const char* kernel_name(const Tensor& input, const ConvParams& params) {
  bool dilated = false;
  for (const int64_t d : params.dilation) dilated = dilated || d != 1;
  if (params.transposed) return input.dim() == 5 ? "slow_conv_transpose3d_out_cpu" : "slow_conv_transpose2d_out_cpu";
  if (dilated) return "slow_conv_dilated<>";
  return input.dim() == 5 ? "slow_conv3d_cpu" : "slow_conv2d_cpu";
}

// The dtype to compute in.
DType compute_dtype(const Tensor& input, const ConvParams& params) {
  const DType t = input.dtype();
  if (t == DType::kFloat || t == DType::kDouble) return t;
  if (t == DType::kHalf || t == DType::kBFloat16) return DType::kFloat;
  if (t == DType::kComplexFloat || t == DType::kComplexDouble) return DType::kComplexDouble;
  check_dtype(is_integral(t, false), kernel_name(input, params), t);
  return DType::kLong;
}

}  // namespace

PackedConvWeight pack_conv_weight(const Tensor& weight, const ConvParams& params) {
  // The packed form does not depend on the image; it is taken to have one pixel.
  const IntVec in{1, weight.size(1) * params.groups, 1, 1}, out{1, weight.size(0), 1, 1};
  const ConvShape shape = shape_of(in, weight.sizes(), out, params);
  if (is_depthwise_last(shape)) return {taps_first<float>(shape, weight)};
  const Tensor w = contiguous(weight, MemoryFormat::kChannelsLast);
  PackedConvWeight packed{kernels::Scratch<float>(kernels::packed_nhwc_weight_size<float>(shape))};
  kernels::pack_nhwc_weight(shape, w.data_ptr<float>(), packed.data.data());
  return packed;
}

Tensor compute_conv(const Tensor& input, const Tensor& weight, const OptTensor& bias, const ConvParams& params,
                    MemoryFormat format, const Clamp& clamp, const PackedConvWeight* packed) {
  const IntVec sizes = conv_output_sizes(input.sizes(), weight.sizes(), params);
  const DType dtype = compute_dtype(input, params);
  if (dtype != input.dtype()) {
    const OptTensor b = bias ? OptTensor(to_dtype(*bias, dtype)) : std::nullopt;
    return to_dtype(compute_conv(to_dtype(input, dtype), to_dtype(weight, dtype), b, params, format, clamp),
                    input.dtype());
  }
  const ConvShape shape = shape_of(input.sizes(), weight.sizes(), sizes, params);
  if constexpr (!build::kInterpreterKernels) {
    if (dtype == DType::kFloat) return compute_as_planned(shape, input, weight, bias, params, sizes, format, clamp);
  }
  const bool fast = dtype == DType::kFloat || dtype == DType::kDouble;
  // Transposed and plain computations work on contiguous planes.
  const MemoryFormat computed = params.transposed || !fast ? MemoryFormat::kContiguous : format;
  const Tensor out = Tensor::empty(sizes, dtype, computed);
  if (only_shapes()) return contiguous(out, format);
  if (build::kInterpreterKernels && dtype == DType::kFloat) {
    run_float<float>(shape, input, weight, bias, out, params.transposed, computed, clamp,
                     packed ? packed->data.data() : nullptr);
  } else if (selects_dtype(DType::kDouble) && dtype == DType::kDouble) {
    run_float<double>(shape, input, weight, bias, out, params.transposed, computed, clamp, nullptr);
  } else if (build::kIntegers && dtype == DType::kLong) {
    run_plain<int64_t>(shape, input, weight, bias, out, params.transposed);
  } else if (build::kComplex && dtype == DType::kComplexDouble) {
    run_plain<std::complex<double>>(shape, input, weight, bias, out, params.transposed);
  } else {
    refuse_dtype("conv", input.dtype());
  }
  return computed == format ? out : contiguous(out, format);
}

}  // namespace wick::ops
