// Packs a layer's weights for the quantized operators and corrects its bias.
#include "quantize/pack.h"

#include <cmath>

#include "core/check.h"
#include "core/copy.h"
#include "core/operator.h"
#include "quantize/weights.h"

namespace wick::quantize {

namespace {

// Biases become 32-bit integers in units of the input's scale times the weight's, and products are added to them.
constexpr double kLargestBias = 1 << 29;

int64_t out_channels(const Layer& layer) {
  return layer.kind == LayerKind::kTransposed ? layer.weight.size(1) * layer.groups : layer.weight.size(0);
}

// The mean of the error that rounding the weight makes in each result.
std::vector<double> mean_errors(const Layer& layer, const Tensor& rounded, const std::vector<double>& means) {
  const Tensor exact = contiguous(layer.weight);
  const Tensor q = contiguous(call_operator("aten::dequantize.self", {rounded})[0].to_tensor());
  const float *a = q.data_ptr<float>(), *b = exact.data_ptr<float>();
  const int64_t rows = exact.size(0), columns = exact.size(1), inner = exact.numel() / (rows * columns);
  std::vector<double> out(static_cast<size_t>(rows), 0);
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t first = layer.kind == LayerKind::kConv ? r / (rows / layer.groups) * columns : 0;
    for (int64_t c = 0; c < columns; ++c) {
      double sum = 0;
      for (int64_t i = 0; i < inner; ++i) sum += static_cast<double>(*a++) - *b++;
      out[static_cast<size_t>(r)] += sum * means[static_cast<size_t>(first + c)];
    }
  }
  return out;
}

}  // namespace

IValue pack_weight(const Layer& layer, const QParams& input, const std::vector<double>& means, bool per_channel) {
  check_finite(layer.weight, layer.name);
  if (layer.bias.is_tensor()) check_finite(layer.bias.to_tensor(), layer.name + "'s bias");
  const int64_t channels = out_channels(layer);
  Tensor bias = Tensor::zeros({channels});
  if (layer.bias.is_tensor()) {
    WICK_CHECK(layer.bias.to_tensor().numel() == channels, kInvalidArgument, "the bias of ", layer.name, " has ",
               layer.bias.to_tensor().numel(), " elements for ", channels, " channels");
    bias = clone(layer.bias.to_tensor(), MemoryFormat::kContiguous);
  }
  // The engine takes one scale only for grouped transposed convolutions.
  const bool transposed = layer.kind == LayerKind::kTransposed;
  const int64_t axis = !per_channel || (transposed && layer.groups > 1) ? -1 : transposed ? 1 : 0;
  std::vector<double> least;
  for (int64_t c = 0; c < channels; ++c) {
    least.push_back(std::fabs(bias.data_ptr<float>()[c]) / (input.scale * kLargestBias));
  }
  const Tensor weight = quantize_weight(layer.weight, axis, least);
  const size_t expected =
      static_cast<size_t>(layer.weight.size(1) * (layer.kind == LayerKind::kConv ? layer.groups : 1));
  if (!transposed && means.size() == expected) {
    const std::vector<double> errors = mean_errors(layer, weight, means);
    for (int64_t c = 0; c < channels; ++c)
      bias.data_ptr<float>()[c] -= static_cast<float>(errors[static_cast<size_t>(c)]);
  }
  if (layer.kind == LayerKind::kLinear) return call_operator("quantized::linear_prepack", {weight, bias})[0];
  std::vector<IValue> args{weight, bias, IValue::int_list(layer.stride), IValue::int_list(layer.padding)};
  if (transposed) args.push_back(IValue::int_list(layer.output_padding));
  args.push_back(IValue::int_list(layer.dilation));
  args.emplace_back(layer.groups);
  return call_operator(cat("quantized::conv", transposed ? "_transpose" : "", layer.spatial_dims(), "d_prepack"),
                       std::move(args))[0];
}

}  // namespace wick::quantize
