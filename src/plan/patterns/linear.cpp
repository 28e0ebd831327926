// Dense layers with constant weights, with the activation and sum that follow them.
#include <optional>

#include "core/copy.h"
#include "core/selection.h"
#include "kernels/gemm.h"
#include "kernels/half.h"
#include "ops/conv/prepacked.h"
#include "plan/patterns/patterns.h"
#include "plan/patterns/tail.h"
#include "plan/record/read.h"
#include "plan/steps/half_step.h"
#include "plan/steps/linear_step.h"

namespace wick::plan {
namespace {

struct Layer {
  TensorId input = kNoTensor;
  DenseLayer dense;
  IValue low, high;
};

bool is_one(const TracedValue& v) { return v.value.is_number() && v.value.to_scalar().to_double() == 1; }

bool read_input(const TracedStep& step, size_t k, Layer& layer) {
  if (step.args[k].kind != TracedValue::Kind::kTensor) return false;
  layer.input = step.args[k].ids[0];
  return true;
}

bool read_linear(const Builder& b, const TracedStep& step, Layer& layer) {
  layer.dense.transposed = true;
  return step.args.size() == 3 && read_input(step, 0, layer) && read_constant(b, step.args[1], layer.dense.weight) &&
         read_constant(b, step.args[2], layer.dense.bias);
}

bool read_addmm(const Builder& b, const TracedStep& step, Layer& layer) {
  const std::vector<TracedValue>& args = step.args;
  return step.op->schema.overload.empty() && args.size() == 5 && read_input(step, 1, layer) &&
         read_constant(b, args[0], layer.dense.bias) && read_constant(b, args[2], layer.dense.weight) &&
         is_one(args[3]) && is_one(args[4]) && layer.dense.bias.defined();
}

bool read_product(const Builder& b, const TracedStep& step, Layer& layer) {
  return step.op->schema.overload.empty() && step.args.size() == 2 && read_input(step, 0, layer) &&
         read_constant(b, step.args[1], layer.dense.weight);
}

bool read_prepacked(const Builder&, const TracedStep& step, Layer& layer) {
  if (step.args.size() != 2 || !step.args[1].value.is_custom()) return false;
  const auto* context = cast_to<const ops::LinearContext>(&step.args[1].value.to_custom());
  if (!context || !read_input(step, 0, layer)) return false;
  layer.dense.weight = context->weight();
  layer.dense.bias = context->bias().value_or(Tensor());
  layer.low = context->range().low;
  layer.high = context->range().high;
  layer.dense.transposed = true;
  return true;
}

// What reads the layer of an operator; null where the build lacks it.
struct Reader {
  using Read = bool (*)(const Builder& b, const TracedStep& step, Layer& layer);
  std::string_view op;
  Read read;
};
consteval Reader reader(std::string_view op, Reader::Read read) { return {op, selects_op(op) ? read : nullptr}; }
constexpr Reader kReaders[] = {
    reader("aten::linear", read_linear),
    reader("aten::addmm", read_addmm),
    reader("aten::matmul", read_product),
    reader("aten::mm", read_product),
    reader("prepacked::linear_clamp_run", read_prepacked),
};

std::optional<Layer> read_layer(const Builder& b, const TracedStep& step) {
  Layer layer;
  layer.dense.transposed = false;
  for (const Reader& r : kReaders) {
    if (r.read == nullptr || r.op != step.op->schema.name) continue;
    if (r.read(b, step, layer) && layer.dense.is_sound()) return layer;
  }
  return std::nullopt;
}

// The layer in float16; false, and nothing done, where it is not to be computed in that, or its weights do not fit.
bool emit_half_linear(Builder& b, size_t s, const Layer& layer, const Tail& tail) {
  const DenseLayer& dense = layer.dense;
  const TracedTensor& x = b.tensor(layer.input);
  const int64_t n = dense.outputs(), k = dense.inputs();
  constexpr int64_t kLanes = 8;
  if (!b.is_half(b.step(s).node) || n < kLanes || !is_contiguous(x.sizes, x.strides)) return false;
  const Packed bias = b.packed_vector(dense.bias);
  const Tensor weight = contiguous(as_floats(dense.weight));
  if (!fits_half(weight.data_ptr<float>(), weight.numel()) || (bias && !fits_half(bias.get(), n))) return false;
  // The forms a key names.
  constexpr int64_t kRows = -17, kColumns = -18, kBias = -19;
  HalfDense half;
  half.rows = checked_numel(x.sizes) / k;
  half.n = n;
  half.k = k;
  half.epilogue = tail.epilogue;
  const size_t size = floats_of_halves(kernels::packed_b_size<kernels::Half>(n, k));
  half.weights = b.packed(PackKey({dense.weight}, {dense.transposed ? kRows : kColumns}), size, [&](float* dst) {
    kernels::Scratch<kernels::Half> halves(static_cast<size_t>(n * k));
    kernels::float_to_half(weight.data_ptr<float>(), reinterpret_cast<uint16_t*>(halves.data()), n * k);
    kernels::pack_b<kernels::Half>(halves.data(), dense.transposed ? 1 : n, dense.transposed ? k : 1, n, k,
                                   reinterpret_cast<kernels::Half*>(dst));
  });
  if (bias) {
    half.bias = b.packed(PackKey({dense.bias}, {kBias}), floats_of_halves(static_cast<size_t>(n)),
                         [&](float* dst) { kernels::float_to_half(bias.get(), reinterpret_cast<uint16_t*>(dst), n); });
  }
  std::vector<Slot> reads{b.plain_half(layer.input, b.step(s).node)};
  if (tail.residual != kNoTensor) reads.push_back(b.plain_half(tail.residual, b.step(s).node));
  const Slot out = b.define_plain_half(tail.result);
  b.emit(half_dense_step(b.step(s).node, half, b.half_layers(), StepName("linear", tail.name.text())), std::move(reads),
         {out});
  if (kernels::kPrefetches) b.note_weights(half.weights, size, half.rows == 1);
  return true;
}

void emit_linear(Builder& b, size_t s, const Layer& layer, const Tail& tail) {
  if constexpr (kernels::kHasHalfKernels) {
    if (emit_half_linear(b, s, layer, tail)) return;
  }
  const int64_t n = layer.dense.outputs();
  DenseRows rows;
  rows.in = *rows_of(b.tensor(layer.input));
  rows.out = rows.residual = dense_rows(rows.in.rows, n);
  const Slot in = b.plain(layer.input);
  const Slot residual = tail.residual == kNoTensor ? kNoSlot : b.plain(tail.residual);
  const Slot out = b.define_plain(tail.result);
  emit_dense(b, b.step(s).node, layer.dense, rows, in, residual, out, tail.epilogue,
             StepName("linear", tail.name.text()));
}

bool is_rows(const TracedTensor& t, int64_t last) {
  return !t.sizes.empty() && t.sizes.back() == last && is_contiguous(t.sizes, t.strides);
}

}  // namespace

bool build_linear(Builder& b, size_t s) {
  const TensorId result = b.result(s);
  if (result == kNoTensor || !b.is_float(result) || !b.can_define_plain(result)) return false;
  std::optional<Layer> layer = read_layer(b, b.step(s));
  if (!layer || !b.is_stable(layer->input) || !b.is_float(layer->input)) return false;
  const int64_t n = layer->dense.outputs();
  const std::optional<RowGrid> in = rows_of(b.tensor(layer->input));
  if (!in || in->length != layer->dense.inputs() || checked_numel(b.tensor(result).sizes) != in->rows * n ||
      !is_rows(b.tensor(result), n)) {
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
  const size_t last = tail.last;
  b.emit_at(last, [&b, s, layer = std::move(*layer), tail = std::move(tail)] { emit_linear(b, s, layer, tail); });
  return true;
}

}  // namespace wick::plan
