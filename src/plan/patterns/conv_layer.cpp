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

}  // namespace

std::optional<ConvLayer> read_conv(const Builder& b, const TracedStep& step) {
  if (!kHasUnpacked) return std::nullopt;
  const std::string_view name = step.op->schema.name;
  const std::vector<TracedValue>& args = step.args;
  const bool plain =
      (name == "aten::conv2d" || name == "aten::conv1d") && step.op->schema.overload.empty() && args.size() == 7;
  const bool spread = (name == "aten::conv_transpose2d" || name == "aten::conv_transpose1d") && args.size() == 8;
  const bool general = (name == "aten::_convolution" || name == "aten::convolution") && args.size() >= 9;
  if (!plain && !spread && !general) return std::nullopt;
  ConvLayer layer;
  layer.input = tensor_arg(step, 0);
  layer.transposed = spread || (general && bool_arg(step, 6));
  // Where the arguments differ: output_padding says nothing that the result's size does not.
  const size_t dilation = spread ? 7 : 5;
  const std::optional<int64_t> groups = int_arg(step, general ? 8 : 6);
  if (layer.input == kNoTensor || !groups || !read_constant(b, args[1], layer.weight) || !layer.weight.defined() ||
      !read_constant(b, args[2], layer.bias)) {
    return std::nullopt;
  }
  const int64_t dims = layer.weight.dim() - 2;
  if ((dims != 1 && dims != 2) || !read_pair(args[3].value, dims, 1, layer.stride) ||
      !read_pair(args[4].value, dims, 0, layer.padding) || !read_pair(args[dilation].value, dims, 1, layer.dilation)) {
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
