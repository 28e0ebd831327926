// Convolution operators: arguments, batch dimension, memory format of the result.
#include "ops/conv/conv.h"

#include "core/check.h"
#include "core/copy.h"

namespace wick::ops {
namespace {

// The format PyTorch's CPU convolutions give their result: only 2-d forward ones keep channels-last.
MemoryFormat result_format(const Tensor& input, const Tensor& weight, bool transposed) {
  if (transposed || input.dim() != 4) return MemoryFormat::kContiguous;
  const bool last = input.suggest_memory_format() == MemoryFormat::kChannelsLast ||
                    weight.suggest_memory_format() == MemoryFormat::kChannelsLast;
  return last ? MemoryFormat::kChannelsLast : MemoryFormat::kContiguous;
}

// A view with a new first dimension of size 1.
Tensor add_batch(const Tensor& t) {
  IntVec sizes = t.sizes(), strides = t.strides();
  strides.insert(0, t.size(0) * t.stride(0));
  sizes.insert(0, 1);
  return t.as_strided(sizes, strides, t.storage_offset());
}
Tensor drop_batch(const Tensor& t) {
  return t.as_strided(t.sizes().subspan(1), t.strides().subspan(1), t.storage_offset());
}

// Output padding must be smaller than the stride or the dilation.
void check_output_padding(const ConvParams& p, int64_t dims) {
  bool fits = true;
  for (size_t i = 0; i < p.stride.size(); ++i)
    fits = fits && (p.output_padding[i] < p.stride[i] || p.output_padding[i] < p.dilation[i]);
  if (fits) return;
  std::string text = "output padding must be smaller than either stride or dilation, but got ";
  // A 1-d transposed convolution is one of height 1.
  const auto list = [&](const char* name, const IntVec& values, int64_t missing) {
    static constexpr const char* kAxes[] = {"depth", "height", "width"};
    for (int64_t axis = dims == 3 ? 0 : 1; axis < 3; ++axis) {
      const int64_t i = axis - 3 + dims;
      text += cat(name, "_", kAxes[axis], ": ", i < 0 ? missing : values[static_cast<size_t>(i)], " ");
    }
  };
  list("output_padding", p.output_padding, 0);
  list("stride", p.stride, 1);
  list("dilation", p.dilation, 1);
  text.pop_back();
  fail(ErrorCode::kInvalidArgument, text);
}

void check_transposed_size(const Tensor& input, const IntVec& sizes) {
  bool positive = true;
  std::string in = "(", out = "(";
  for (size_t d = 2; d < sizes.size(); ++d) {
    positive = positive && sizes[d] > 0;
    in += cat(d > 2 ? " x " : "", input.sizes()[d]);
    out += cat(d > 2 ? " x " : "", sizes[d]);
  }
  WICK_CHECK(positive, kShapeMismatch, "Given input size per channel: ", in,
             "). Calculated output size per channel: ", out, "). Output size is too small");
}

// Takes an input without a batch dimension too.
template <class F>
Tensor with_batch(const Tensor& input, int64_t dims, const char* name, F&& run) {
  const int64_t batched = dims + 2;
  WICK_CHECK(input.dim() == batched || input.dim() == batched - 1, kShapeMismatch, "Expected ", batched - 1,
             "D (unbatched) or ", batched, "D (batched) input to ", name, ", but got input of size: ", input.sizes());
  if (input.dim() == batched) return run(input);
  return drop_batch(run(add_batch(input)));
}

Tensor conv_nd(int64_t dims, const char* name, const Tensor& input, const Tensor& weight, const OptTensor& bias,
               IntSpan stride, IntSpan padding, IntSpan dilation, int64_t groups) {
  return with_batch(input, dims, name, [&](const Tensor& x) {
    return convolution(x, weight, bias, stride, padding, dilation, false, {0}, groups);
  });
}

Tensor conv_nd_padding(int64_t dims, const char* name, const Tensor& input, const Tensor& weight, const OptTensor& bias,
                       IntSpan stride, std::string_view padding, IntSpan dilation, int64_t groups) {
  return with_batch(input, dims, name, [&](const Tensor& x) {
    return _convolution_mode(x, weight, bias, stride, padding, dilation, groups);
  });
}

Tensor conv_transpose_nd(int64_t dims, const char* name, const Tensor& input, const Tensor& weight,
                         const OptTensor& bias, IntSpan stride, IntSpan padding, IntSpan output_padding, int64_t groups,
                         IntSpan dilation) {
  return with_batch(input, dims, name, [&](const Tensor& x) {
    return convolution(x, weight, bias, stride, padding, dilation, true, output_padding, groups);
  });
}

// Zeros added after the last element of some spatial dimensions.
Tensor pad_end(const Tensor& input, const IntVec& extra) {
  IntVec sizes = input.sizes();
  for (size_t i = 0; i < extra.size(); ++i) sizes[i + 2] += extra[i];
  const Tensor padded = Tensor::empty(sizes, input.dtype(), input.suggest_memory_format());
  fill(padded, Scalar(0));
  copy_into(padded.as_strided(input.sizes(), padded.strides(), padded.storage_offset()), input);
  return padded;
}

}  // namespace

Tensor convolution(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                   IntSpan dilation, bool transposed, IntSpan output_padding, int64_t groups) {
  const int64_t dims = weight.dim() - 2;
  WICK_CHECK(dims > 0, kShapeMismatch, "weight should have at least three dimensions");
  WICK_CHECK(dims <= 3, kUnsupported, "convolution over ", dims, " dimensions is not supported: weight of size ",
             weight.sizes());
  ConvParams params;
  params.stride = expand_param(stride, "stride", dims);
  params.padding = expand_param(padding, "padding", dims);
  params.dilation = expand_param(dilation, "dilation", dims);
  params.output_padding = expand_param(output_padding, "output_padding", dims);
  params.transposed = transposed;
  params.groups = groups;
  check_conv(input, weight, bias, params);

  IntVec sizes = conv_output_sizes(input.sizes(), weight.sizes(), params);
  if (transposed) {
    check_output_padding(params, dims);
    check_transposed_size(input, sizes);
    WICK_CHECK(weight.numel() > 0, kShapeMismatch, "non-empty ", dims == 3 ? "5D" : "2D or 4D",
               " weight tensor expected, but got: ", weight.sizes());
  }
  if (input.numel() == 0) {
    WICK_CHECK(input.size(0) == 0 || input.size(1) == 0, kShapeMismatch,
               "Only zero batch or zero channel inputs are supported, but got input shape: ", input.sizes());
    if (input.size(1) == 0) sizes[1] = 0;
    return Tensor::empty(sizes, input.dtype());
  }
  return compute_conv(input, weight, bias, params, result_format(input, weight, transposed));
}

Tensor _convolution(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                    IntSpan dilation, bool transposed, IntSpan output_padding, int64_t groups, bool benchmark,
                    bool deterministic, bool cudnn_enabled, bool allow_tf32) {
  return convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}

Tensor _convolution_deprecated(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride,
                               IntSpan padding, IntSpan dilation, bool transposed, IntSpan output_padding,
                               int64_t groups, bool benchmark, bool deterministic, bool cudnn_enabled) {
  return convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}

Tensor _convolution_mode(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride,
                         std::string_view padding, IntSpan dilation, int64_t groups) {
  if (padding == "valid") return convolution(input, weight, bias, stride, {0}, dilation, false, {0}, groups);
  WICK_CHECK(padding == "same", kInvalidArgument, "Invalid padding string: '", padding, "'");
  const int64_t dims = weight.dim() - 2;
  WICK_CHECK(weight.dim() == input.dim(), kShapeMismatch, "Expected ", weight.dim(), "-dimensional input for ",
             weight.dim(), "-dimensional weight", weight.sizes(), ", but got ", input.dim(),
             "-dimensional input of size ", input.sizes(), " instead");
  WICK_CHECK(dims > 0, kShapeMismatch, "weight should have at least three dimensions");
  for (const int64_t s : stride)
    WICK_CHECK(s == 1, kInvalidArgument, "padding='same' is not supported for strided convolutions");
  const IntVec steps = expand_param(dilation, "dilation", dims);
  IntVec both(static_cast<size_t>(dims)), extra(static_cast<size_t>(dims));
  bool uneven = false;
  for (size_t i = 0; i < both.size(); ++i) {
    const int64_t kernel = weight.sizes()[i + 2];
    WICK_CHECK(steps[i] > 0, kInvalidArgument, "non-positive dilation is not supported");
    WICK_CHECK(kernel > 0 && kernel <= INT32_MAX && steps[i] <= INT32_MAX, kShapeMismatch,
               "convolution: weight of size ", weight.sizes(), " or dilation ", steps.span(), " is out of range");
    const int64_t total = steps[i] * (kernel - 1);
    both[i] = total / 2;
    extra[i] = total % 2;
    uneven = uneven || extra[i] != 0;
  }
  const Tensor x = uneven ? pad_end(input, extra) : input;
  return convolution(x, weight, bias, stride, both, dilation, false, {0}, groups);
}

#define WICK_CONV_ND(n)                                                                                                \
  Tensor conv##n##d(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding, \
                    IntSpan dilation, int64_t groups) {                                                                \
    return conv_nd(n, "conv" #n "d", input, weight, bias, stride, padding, dilation, groups);                          \
  }                                                                                                                    \
  Tensor conv##n##d_padding(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride,          \
                            std::string_view padding, IntSpan dilation, int64_t groups) {                              \
    return conv_nd_padding(n, "conv" #n "d", input, weight, bias, stride, padding, dilation, groups);                  \
  }                                                                                                                    \
  Tensor conv_transpose##n##d(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride,        \
                              IntSpan padding, IntSpan output_padding, int64_t groups, IntSpan dilation) {             \
    return conv_transpose_nd(n, "conv_transpose" #n "d", input, weight, bias, stride, padding, output_padding, groups, \
                             dilation);                                                                                \
  }
WICK_CONV_ND(1)
WICK_CONV_ND(2)
WICK_CONV_ND(3)
#undef WICK_CONV_ND

}  // namespace wick::ops
