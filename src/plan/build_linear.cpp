// Dense layers with constant weights, with the activation and sum that follow them.
#include <optional>

#include "core/copy.h"
#include "kernels/gemm.h"
#include "kernels/product.h"
#include "ops/workers.h"
#include "plan/builder.h"
#include "plan/tail.h"

namespace wick::plan {
namespace {

// y[m][n] = sum over k of x[m][k] * weight(k, n) + bias[n]
struct Layer {
  TensorId input = kNoTensor;
  Tensor weight, bias;      // bias may be undefined
  bool transposed = false;  // weight is [n][k], else [k][n]
  IValue low, high;
};

bool read_constant(const Builder& b, const TracedValue& v, Tensor& out) {
  if (v.kind == TracedValue::Kind::kStatic) return v.value.is_none();
  if (v.kind != TracedValue::Kind::kTensor || !b.is_constant(v.ids[0]) || !b.is_float(v.ids[0])) return false;
  out = b.constant(v.ids[0]);
  return true;
}

bool is_one(const TracedValue& v) { return v.value.is_number() && v.value.to_scalar().to_double() == 1; }

std::optional<Layer> read_layer(const Builder& b, const TracedStep& step) {
  Layer layer;
  const std::string_view name = step.op->schema.name;
  const std::vector<TracedValue>& args = step.args;
  const auto input = [&](size_t k) {
    if (k >= args.size() || args[k].kind != TracedValue::Kind::kTensor) return false;
    layer.input = args[k].ids[0];
    return true;
  };
  bool ok = false;
  if (name == "aten::linear" && args.size() == 3) {
    layer.transposed = true;
    ok = input(0) && read_constant(b, args[1], layer.weight) && read_constant(b, args[2], layer.bias);
  } else if (name == "aten::addmm" && step.op->schema.overload.empty() && args.size() == 5) {
    ok = input(1) && read_constant(b, args[0], layer.bias) && read_constant(b, args[2], layer.weight) &&
         is_one(args[3]) && is_one(args[4]) && layer.bias.defined() && layer.bias.dim() == 1;
  } else if ((name == "aten::matmul" || name == "aten::mm") && step.op->schema.overload.empty() && args.size() == 2) {
    ok = input(0) && read_constant(b, args[1], layer.weight);
  } else if (name == "prepacked::linear_clamp_run" && args.size() == 2 && args[1].value.is_custom()) {
    const IValue state = args[1].value.to_custom().get_state();
    const std::vector<IValue>& s = state.to_tuple().items;
    if (s.size() == 4 && s[0].is_tensor()) {
      layer.weight = s[0].to_tensor();
      if (s[1].is_tensor()) layer.bias = s[1].to_tensor();
      layer.low = s[2];
      layer.high = s[3];
      layer.transposed = true;
      ok = input(0) && layer.weight.dtype() == DType::kFloat;
    }
  }
  if (!ok || !layer.weight.defined() || layer.weight.dim() != 2) return std::nullopt;
  return layer;
}

class LinearStep : public Step {
 public:
  LinearStep(const ir::Node* node, int64_t m, int64_t n, int64_t k, Packed weights, Packed bias,
             kernels::Epilogue epilogue, std::string name)
      : Step(node), weights_(std::move(weights)), bias_(std::move(bias)), name_(std::move(name)) {
    product_.pixels = m;
    product_.width = m;
    product_.a.step = k;
    product_.c.step = n;
    product_.add.step = n;
    product_.n = n;
    product_.k = k;
    product_.b = weights_->data();
    product_.bias = bias_ ? bias_->data() : nullptr;
    product_.epilogue = epilogue;
    product_.segment_count = kernels::row_segments(k, segments_);
  }

  void run(Workspace& w) const override {
    kernels::Product p = product_;
    p.segments = segments_;
    p.a.base = input<float>(w, 0);
    p.c.base = output<float>(w, 0);
    if (reads_.size() > 1) p.add.base = input<float>(w, 1);
    const double work = static_cast<double>(p.pixels) * static_cast<double>(p.n) * static_cast<double>(p.k);
    kernels::product(p, ops::workers_for(work));
  }

  std::string name() const override { return name_; }

 private:
  kernels::Product product_;
  kernels::Segment segments_[kernels::kRowSegments];
  const Packed weights_, bias_;
  const std::string name_;
};

void emit_linear(Builder& b, size_t s, const Layer& layer, const Tail& tail) {
  const int64_t k_dim = layer.transposed ? 1 : 0;
  const int64_t k = layer.weight.size(k_dim), n = layer.weight.size(1 - k_dim);
  const int64_t m = checked_numel(b.tensor(layer.input).sizes) / k;
  // The forms a key names.
  constexpr int64_t kRows = -2, kColumns = -3, kBias = -4;
  const PackKey key({layer.weight}, {layer.transposed ? kRows : kColumns});
  const Packed weights = b.packed(key, kernels::packed_b_size<float>(n, k), [&](float* dst) {
    kernels::pack_b<float>(layer.weight.data<float>(), layer.weight.stride(k_dim), layer.weight.stride(1 - k_dim), n, k,
                           dst);
  });
  Packed bias;
  if (layer.bias.defined()) {
    bias = b.packed(PackKey({layer.bias}, {kBias}), static_cast<size_t>(n),
                    [&](float* dst) { copy_into(Tensor::from_blob(dst, {n}), layer.bias); });
  }
  std::vector<Slot> reads{b.plain(layer.input)};
  if (tail.residual != kNoTensor) reads.push_back(b.plain(tail.residual));
  const Slot out = b.define_plain(tail.result);
  b.emit(std::make_unique<LinearStep>(b.step(s).node, m, n, k, weights, bias, tail.epilogue, "linear" + tail.name),
         std::move(reads), {out});
}

bool is_rows(const TracedTensor& t, int64_t last) {
  return !t.sizes.empty() && t.sizes.back() == last && is_contiguous(t.sizes, t.strides);
}

}  // namespace

bool build_linear(Builder& b, size_t s) {
  const TensorId result = b.result(s);
  if (result == kNoTensor || !b.is_float(result) || !b.can_define_plain(result)) return false;
  const std::optional<Layer> layer = read_layer(b, b.step(s));
  if (!layer || !b.is_stable(layer->input) || !b.is_float(layer->input)) return false;
  const int64_t k_dim = layer->transposed ? 1 : 0;
  const int64_t k = layer->weight.size(k_dim), n = layer->weight.size(1 - k_dim);
  if (k == 0 || n == 0 || checked_numel(b.tensor(result).sizes) == 0 || !is_rows(b.tensor(layer->input), k) ||
      !is_rows(b.tensor(result), n) || (layer->bias.defined() && layer->bias.numel() != n)) {
    return false;
  }
  b.take(s);
  Tail tail;
  if (layer->low.is_number() || layer->high.is_number()) {
    tail.last = s;
    tail.result = result;
    set_range(tail.epilogue, layer->low, layer->high);
  } else {
    tail = absorb_tail(b, s, [&](TensorId id) { return is_rows(b.tensor(id), n); });
  }
  b.emit_at(tail.last, [&b, s, layer = *layer, tail] { emit_linear(b, s, layer, tail); });
  return true;
}

}  // namespace wick::plan
