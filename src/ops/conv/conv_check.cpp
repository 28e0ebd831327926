// What a convolution accepts, and the sizes of its result.
#include "core/check.h"
#include "core/dtype_names.h"
#include "core/limits.h"
#include "core/selection.h"
#include "ops/conv/conv.h"

namespace wick::ops {
namespace {

constexpr bool kHasTransposed = build::kTransposedConv;

bool any_below(const IntVec& values, int64_t least) {
  for (const int64_t v : values)
    if (v < least) return true;
  return false;
}

// "(3 x 4)"
std::string extents(const IntVec& values) {
  std::string text = "(";
  for (size_t i = 0; i < values.size(); ++i) text += cat(i ? " x " : "", values[i]);
  return text + ")";
}

void check_ranges(IntSpan sizes, const char* what) {
  for (size_t d = 2; d < sizes.size(); ++d)
    WICK_CHECK(sizes[d] <= limits::kMaxImageExtent, kLimitExceeded, "convolution: ", what, " of size ", sizes,
               " is too large");
}

}  // namespace

IntVec expand_param(IntSpan values, const char* name, int64_t dims) {
  if (values.size() == 1) return IntVec(static_cast<size_t>(dims), values[0]);
  WICK_CHECK(static_cast<int64_t>(values.size()) == dims, kInvalidArgument, "expected ", name,
             " to be a single integer value or a list of ", dims,
             " values to match the convolution dimensions, but got ", name, "=", values);
  return IntVec(values);
}

void check_conv(const Tensor& input, const Tensor& weight, const OptTensor& bias, const ConvParams& params) {
  WICK_CHECK(!any_below(params.padding, 0), kInvalidArgument, "negative padding is not supported");
  WICK_CHECK(!any_below(params.output_padding, 0), kInvalidArgument, "negative output_padding is not supported");
  WICK_CHECK(!any_below(params.stride, 1), kInvalidArgument, "non-positive stride is not supported");
  WICK_CHECK(!any_below(params.dilation, 1), kInvalidArgument, "non-positive dilation is not supported");
  WICK_CHECK(params.groups > 0, kInvalidArgument, "non-positive groups is not supported");
  for (const IntVec* list : {&params.padding, &params.output_padding, &params.stride, &params.dilation})
    for (const int64_t v : *list)
      WICK_CHECK(v <= limits::kMaxImageExtent, kLimitExceeded, "convolution: the parameter ", v, " is too large");

  const IntSpan in = input.sizes(), w = weight.sizes();
  const int64_t groups = params.groups;
  WICK_CHECK(input.dim() == weight.dim(), kShapeMismatch, "Expected ", weight.dim(), "-dimensional input for ",
             weight.dim(), "-dimensional weight ", w, ", but got ", input.dim(), "-dimensional input of size ", in,
             " instead");
  WICK_CHECK(w[0] >= groups, kShapeMismatch, "Given groups=", groups, ", expected weight to be at least ", groups,
             " at dimension 0, but got weight of size ", w, " instead");
  WICK_CHECK(w[0] % groups == 0, kShapeMismatch, "Given groups=", groups, ", expected weight to be divisible by ",
             groups, " at dimension 0, but got weight of size [", w, "] instead");
  check_ranges(in, "input");
  check_ranges(w, "weight");

  WICK_CHECK(kHasTransposed || !params.transposed, kUnsupported, "transposed convolutions are not in this build",
             advice_on_missing());
  if (!kHasTransposed || !params.transposed) {
    const int64_t channels = w[1] * groups;
    WICK_CHECK(in[1] == channels, kShapeMismatch, "Given groups=", groups, ", weight of size ", w, ", expected input",
               in, " to have ", channels, " channels, but got ", in[1], " channels instead");
    WICK_CHECK(!bias || (bias->dim() == 1 && bias->size(0) == w[0]), kShapeMismatch, "Given weight of size ", w,
               ", expected bias to be 1-dimensional with ", w[0], " elements, but got bias of size ",
               bias ? bias->sizes() : IntSpan(), " instead");
    IntVec padded, kernel;
    bool fits = true;
    for (size_t d = 2; d < in.size(); ++d) {
      padded.push_back(in[d] + 2 * params.padding[d - 2]);
      kernel.push_back(params.dilation[d - 2] * (w[d] - 1) + 1);
      fits = fits && padded.back() >= kernel.back();
    }
    WICK_CHECK(fits, kShapeMismatch, "Calculated padded input size per channel: ", extents(padded),
               ". Kernel size: ", extents(kernel), ". Kernel size can't be greater than actual input size");
  } else {
    WICK_CHECK(in[1] == w[0], kShapeMismatch, "Given transposed=1, weight of size ", w, ", expected input", in,
               " to have ", w[0], " channels, but got ", in[1], " channels instead");
    WICK_CHECK(!bias || (bias->dim() == 1 && bias->size(0) == w[1] * groups), kShapeMismatch,
               "Given transposed=1, weight of size ", w, ", expected bias to be 1-dimensional with ", w[1] * groups,
               " elements, but got bias of size ", bias ? bias->sizes() : IntSpan(), " instead");
  }
  for (size_t d = 2; d < w.size(); ++d)
    WICK_CHECK(w[d] > 0, kShapeMismatch,
               "convolution: kernel size should be greater than zero, but got weight of size ", w);
  WICK_CHECK(!bias || bias->dtype() == input.dtype(), kTypeMismatch, "Input type (", cpp_name(input.dtype()),
             ") and bias type (", cpp_name(bias->dtype()), ") should be the same");
  if (input.dtype() != weight.dtype()) {
    WICK_CHECK(input.dtype() != DType::kFloat || in.size() > 4, kTypeMismatch,
               "Input type (torch.FloatTensor) and weight type (torch.", name_of(weight.dtype()),
               "Tensor) should be the same or input should be a MKLDNN tensor and weight is a dense tensor");
    fail_with<ErrorCode::kTypeMismatch>("expected scalar type ", name_of(input.dtype()), " but found ",
                                        name_of(weight.dtype()));
  }
}

IntVec conv_output_sizes(IntSpan in, IntSpan w, const ConvParams& params) {
  const bool transposed = kHasTransposed && params.transposed;
  IntVec out{in[0], transposed ? w[1] * params.groups : w[0]};
  for (size_t d = 2; d < in.size(); ++d) {
    const size_t i = d - 2;
    const int64_t reach = params.dilation[i] * (w[d] - 1);
    out.push_back(transposed
                      ? (in[d] - 1) * params.stride[i] - 2 * params.padding[i] + reach + params.output_padding[i] + 1
                      : (in[d] + 2 * params.padding[i] - reach - 1) / params.stride[i] + 1);
  }
  return out;
}

}  // namespace wick::ops
