// Linear layers with quantised weights.
#include <cmath>

#include "ops/matmul/matmul.h"
#include "ops/nn/common.h"
#include "ops/pointwise/activation.h"
#include "ops/quantize/packed.h"
#include "ops/quantize/quantize.h"

namespace wick::ops {

namespace {

struct Rows {
  IntVec sizes;  // of the result
  int64_t count = 0;
};

Rows rows_of(const Tensor& input, int64_t depth, int64_t width) {
  WICK_CHECK(input.dim() >= 2, kShapeMismatch, "quantized::linear(): Input tensor rank should be >= 2");
  WICK_CHECK(input.size(-1) == depth, kShapeMismatch,
             "The input of a quantized linear layer should have its last dimension of ", depth, ", got ",
             input.sizes());
  Rows r;
  r.sizes = input.sizes();
  r.count = checked_numel(input.sizes().subspan(0, r.sizes.size() - 1));
  r.sizes.back() = width;
  return r;
}

// Calls store(row, sums) for each row of the input.
template <class Store>
void sums(const Tensor& input, int64_t count, const IntWeights& w, const Store& store) {
  const Tensor x = contiguous(input);
  constexpr int64_t kBlock = 16;
  parallel_for(0, (count + kBlock - 1) / kBlock, grain_for(kBlock * w.rows * w.depth / 8),
               [&](int64_t begin, int64_t end) {
                 std::vector<int16_t> values(static_cast<size_t>(kBlock * w.depth));
                 std::vector<int32_t> totals(static_cast<size_t>(kBlock * w.rows));
                 for (int64_t block = begin; block < end; ++block) {
                   const int64_t first = block * kBlock, n = std::min(kBlock, count - first);
                   centered(x, first * w.depth, (first + n) * w.depth, values.data());
                   int_products(values.data(), n, w, 0, w.rows, totals.data());
                   for (int64_t i = 0; i < n; ++i) store(first + i, totals.data() + i * w.rows);
                 }
               });
}

}  // namespace

const IntWeights& LinearPacked::packed() const {
  WICK_CHECK(is_int8(), kTypeMismatch, "this quantized linear layer has half-precision weights, not qint8");
  std::call_once(packed_once_, [&] {
    IntWeights w;
    w.rows = weight_.size(0);
    w.depth = weight_.size(1);
    w.values.resize(static_cast<size_t>(weight_.numel()));
    RowParams params = row_params(weight_, 0, w.rows);
    const auto* from = static_cast<const int8_t*>(weight_.raw_data());
    for (int64_t i = 0; i < weight_.numel(); ++i) {
      w.values[static_cast<size_t>(i)] = static_cast<int16_t>(from[i] - params.zeros[static_cast<size_t>(i / w.depth)]);
    }
    w.scales = std::move(params.scales);
    packed_ = std::move(w);
  });
  return packed_;
}

Tensor LinearPacked::run(const Tensor& input, double scale, int64_t zero_point, bool relu) const {
  WICK_CHECK(input.dtype() == DType::kQUInt8 || input.dtype() == DType::kQInt8, kTypeMismatch,
             "quantized::linear (qnnpack): Expected input data type QUInt8 but got ", name_of(input.dtype()));
  WICK_CHECK(input.quantizer().scheme == QScheme::kPerTensorAffine, kUnsupported,
             "quantized::linear: the input should be quantised per tensor");
  const IntWeights& w = packed();
  const Rows rows = rows_of(input, w.depth, w.rows);
  Tensor out = empty_quantized(rows.sizes, input.dtype(), scale, zero_point);
  if (out.numel() == 0) return out;
  const std::vector<float> bias = bias_ ? param_values<float>(*bias_, w.rows, 0) : std::vector<float>();
  const Requantizer requantize =
      make_requantizer(w, bias, input.quantizer().scale, scale, zero_point, input.dtype(), relu);
  auto* to = static_cast<uint8_t*>(out.raw_data());
  sums(input, rows.count, w, [&](int64_t row, const int32_t* values) {
    for (int64_t c = 0; c < w.rows; ++c) {
      to[row * w.rows + c] = static_cast<uint8_t>(requantize(values[c], static_cast<size_t>(c)));
    }
  });
  return out;
}

Tensor LinearPacked::run_dynamic(const Tensor& input, bool relu) const {
  WICK_CHECK(input.dtype() == DType::kFloat, kTypeMismatch, "quantized::linear_dynamic: expected a float tensor, got ",
             name_of(input.dtype()));
  const IntWeights& w = packed();
  const Rows rows = rows_of(input, w.depth, w.rows);
  const QuantParams q = choose_quant_params_of(input, quant_range(DType::kQUInt8), false);
  const Tensor x = quantize_per_tensor(contiguous(input), q.scale, q.zero_point, DType::kQUInt8);
  Tensor out = Tensor::empty(rows.sizes, DType::kFloat);
  if (out.numel() == 0) return out;
  std::vector<float> scales;
  for (float scale : w.scales) scales.push_back(scale * static_cast<float>(q.scale));
  const std::vector<float> bias = param_values<float>(bias_, w.rows, 0);
  float* to = out.data<float>();
  sums(x, rows.count, w, [&](int64_t row, const int32_t* values) {
    for (int64_t c = 0; c < w.rows; ++c) {
      const auto k = static_cast<size_t>(c);
      const float y = static_cast<float>(values[c]) * scales[k] + bias[k];
      to[row * w.rows + c] = relu && y < 0 ? 0.0f : y;
    }
  });
  return out;
}

Tensor LinearPacked::run_half(const Tensor& input, bool relu) const {
  WICK_CHECK(!is_int8(), kTypeMismatch, "this quantized linear layer has qint8 weights, not half-precision ones");
  const Tensor y = linear(input, weight_, bias_);
  return relu ? ops::relu(y) : y;
}

}  // namespace wick::ops
