// Reads recorded convolutions with constant weights.
#include "plan/patterns/conv_layer.h"

#include "core/selection.h"
#include "plan/record/read.h"

namespace wick::plan {
namespace {

// "int[n]" for n spatial dims: as many numbers, or one for all. Always two; the first of one dim is `missing`.
bool read_pair(const IValue& v, int64_t dims, int64_t missing, IntVec& out) {
  if (!v.is_list()) return false;
  out = v.to_int_vec();
  if (dims == 1 && out.size() == 1) out.insert(0, missing);
  if (dims == 2 && out.size() == 1) out.push_back(out[0]);
  return out.size() == 2;
}

constexpr bool kHasUnpacked = selects_any_op("aten::conv2d", "aten::conv1d", "aten::conv_transpose2d",
                                             "aten::conv_transpose1d", "aten::_convolution", "aten::convolution");

// Where the arguments of convolution operators differ: output_padding says nothing that the result's size does not.
struct ConvArguments {
  bool transposed = false;
  size_t groups = 6, dilation = 5;
};
std::optional<ConvArguments> conv_arguments(const TracedStep& step) {
  const std::string_view name = step.op->schema.name;
  const size_t count = step.args.size();
  if (name == "aten::conv2d" || name == "aten::conv1d") {
    return step.op->schema.overload.empty() && count == 7 ? std::optional(ConvArguments{}) : std::nullopt;
  }
  if ((name == "aten::conv_transpose2d" || name == "aten::conv_transpose1d") && count == 8) {
    return ConvArguments{true, 6, 7};
  }
  const bool general = (name == "aten::_convolution" || name == "aten::convolution") && count >= 9;
  return general ? std::optional(ConvArguments{bool_arg(step, 6), 8, 5}) : std::nullopt;
}

}  // namespace

std::optional<ConvLayer> read_conv(const Builder& b, const TracedStep& step) {
  if (!kHasUnpacked) return std::nullopt;
  const std::optional<ConvArguments> at = conv_arguments(step);
  if (!at) return std::nullopt;
  const std::vector<TracedValue>& args = step.args;
  ConvLayer layer;
  layer.input = tensor_arg(step, 0);
  layer.transposed = at->transposed;
  const std::optional<int64_t> groups = int_arg(step, at->groups);
  if (layer.input == kNoTensor || !groups || !read_constant(b, args[1], layer.weight) || !layer.weight.defined() ||
      !read_constant(b, args[2], layer.bias)) {
    return std::nullopt;
  }
  const int64_t dims = layer.weight.dim() - 2;
  if ((dims != 1 && dims != 2) || !read_pair(args[3].value, dims, 1, layer.stride) ||
      !read_pair(args[4].value, dims, 0, layer.padding) ||
      !read_pair(args[at->dilation].value, dims, 1, layer.dilation)) {
    return std::nullopt;
  }
  layer.groups = *groups;
  return layer;
}

ConvLayer conv_layer_of(const ops::Conv2dContext& context) {
  ConvLayer layer;
  layer.weight = context.weight();
  layer.bias = context.bias().value_or(Tensor());
  layer.stride = context.params().stride;
  layer.padding = context.params().padding;
  layer.dilation = context.params().dilation;
  layer.groups = context.params().groups;
  layer.transposed = context.params().transposed;
  layer.low = context.range().low;
  layer.high = context.range().high;
  return layer;
}

}  // namespace wick::plan
