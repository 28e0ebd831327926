// Linear layers with quantized weights.
#include <cmath>

#include "ops/matmul/matmul.h"
#include "ops/nn/common.h"
#include "ops/pointwise/activation.h"
#include "ops/quantize/packed.h"
#include "ops/quantize/quantize.h"
#include "ops/workers.h"

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

// Rows of bytes without sign, each filled up to whole words.
struct ByteRows {
  kernels::Scratch<uint8_t> buffer;
  const uint8_t* data = nullptr;
};
ByteRows byte_rows(const Tensor& x, int64_t count, const Int8Layer& layer) {
  ByteRows out;
  const auto* from = static_cast<const uint8_t*>(x.raw_data());
  const int64_t depth = layer.depth(), row = layer.row_bytes();
  const bool has_sign = x.dtype() == DType::kQInt8;
  if (row == depth && !has_sign) {
    out.data = from;
    return out;
  }
  out.buffer.reserve(static_cast<size_t>(std::max<int64_t>(1, count * row)));
  uint8_t* to = out.buffer.data();
  for (int64_t r = 0; r < count; ++r) {
    for (int64_t k = 0; k < row; ++k) to[r * row + k] = k < depth ? from[r * depth + k] ^ (has_sign ? 0x80 : 0) : 0;
  }
  out.data = to;
  return out;
}

double work_of(const Int8Layer& layer, int64_t rows) {
  return static_cast<double>(rows) * static_cast<double>(layer.channels()) * static_cast<double>(layer.depth()) / 8;
}

}  // namespace

const Int8Layer& LinearPacked::layer() const {
  once_.call([&] {
    WICK_CHECK(is_int8(), kTypeMismatch, "this quantized linear layer has half-precision weights, not qint8 ones");
    layer_ = Int8Layer::dense(weight_, param_values<float>(bias_, weight_.size(0), 0), false);
  });
  return *layer_;
}

const Int8Layer& LinearPacked::float_layer() const {
  float_once_.call([&] {
    WICK_CHECK(is_int8(), kTypeMismatch, "this quantized linear layer has half-precision weights, not qint8 ones");
    float_layer_ = Int8Layer::dense(weight_, param_values<float>(bias_, weight_.size(0), 0), true);
  });
  return *float_layer_;
}

Tensor LinearPacked::run(const Tensor& input, double scale, int64_t zero_point, bool relu) const {
  WICK_CHECK(input.dtype() == DType::kQUInt8 || input.dtype() == DType::kQInt8, kTypeMismatch,
             "quantized::linear (qnnpack): Expected input data type QUInt8 but got ", name_of(input.dtype()));
  WICK_CHECK(input.quantizer().scheme == QScheme::kPerTensorAffine, kUnsupported,
             "quantized::linear: the input should be quantized per tensor");
  const Int8Layer& layer = this->layer();
  const Rows rows = rows_of(input, layer.depth(), layer.channels());
  Tensor out = empty_quantized(rows.sizes, input.dtype(), scale, zero_point);
  if (out.numel() == 0) return out;
  const Quantizer& q = input.quantizer();
  const auto numbers = layer.numbers({q.scale, q.zero_point, scale, zero_point, input.dtype(), relu});
  const Tensor x = contiguous(input);
  const ByteRows bytes = byte_rows(x, rows.count, layer);
  layer.multiply(bytes.data, rows.count, layer.row_bytes(), *numbers, 0, static_cast<uint8_t*>(out.raw_data()),
                 layer.channels(), workers_for(work_of(layer, rows.count)));
  return out;
}

Tensor LinearPacked::run_dynamic(const Tensor& input, bool relu) const {
  WICK_CHECK(input.dtype() == DType::kFloat, kTypeMismatch, "quantized::linear_dynamic: expected a float tensor, got ",
             name_of(input.dtype()));
  const Int8Layer& layer = float_layer();
  const Rows rows = rows_of(input, layer.depth(), layer.channels());
  Tensor out = Tensor::empty(rows.sizes, DType::kFloat);
  if (out.numel() == 0) return out;
  const Tensor x = contiguous(input);
  const kernels::Scratch<uint8_t> scratch(dynamic_scratch(rows.count));
  run_dynamic(x.data_ptr<float>(), rows.count, relu, scratch.data(), out.data_ptr<float>());
  return out;
}

size_t LinearPacked::dynamic_scratch(int64_t rows) const {
  const Int8Layer& layer = float_layer();
  return static_cast<size_t>(layer.columns()) * (sizeof(int32_t) + sizeof(float)) +
         static_cast<size_t>(checked_numel({rows, layer.row_bytes()}));
}

void LinearPacked::run_dynamic(const float* x, int64_t count, bool relu, uint8_t* scratch, float* to) const {
  const Int8Layer& layer = float_layer();
  const int64_t depth = layer.depth(), row = layer.row_bytes();
  float low = 0, high = 0;
  kernels::range_of(x, count * depth, low, high);
  const QuantParams q = choose_quant_params(low, high, quant_range(DType::kQUInt8), false);
  auto* start = reinterpret_cast<int32_t*>(scratch);
  auto* scale = reinterpret_cast<float*>(start + layer.columns());
  auto* bytes = reinterpret_cast<uint8_t*>(scale + layer.columns());
  const kernels::Quantize how = byte_quantizer(q.scale, q.zero_point, DType::kQUInt8);
  if (row == depth) {
    kernels::quantize_bytes(how, x, count * depth, bytes);
  } else {
    for (int64_t r = 0; r < count; ++r) {
      kernels::quantize_bytes(how, x + r * depth, depth, bytes + r * row);
      std::fill_n(bytes + r * row + depth, row - depth, uint8_t{0});
    }
  }
  layer.multiply(bytes, count, layer.float_result(q.scale, q.zero_point, relu, start, scale), to,
                 workers_for(work_of(layer, count)));
}

Tensor LinearPacked::run_half(const Tensor& input, bool relu) const {
  WICK_CHECK(!is_int8(), kTypeMismatch, "this quantized linear layer has qint8 weights, not half-precision ones");
  const Tensor y = linear(input, weight_, bias_);
  return relu ? ops::relu(y) : y;
}

}  // namespace wick::ops
