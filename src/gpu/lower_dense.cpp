// Products with constant weights: the tiles of convolutions and dense layers, and rows one by one.
#include <algorithm>

#include "core/copy.h"
#include "gpu/lowering.h"
#include "kernels/divide.h"
#include "ops/conv/gpu_contexts.h"
#include "plan/record/read.h"

namespace wick::gpu {

using kernels::ceil_div;
using plan::TracedStep;

namespace {

constexpr uint32_t kDepth = 16;  // input channels of a tile
// Workgroups from which on a large GPU is busy.
constexpr int64_t kBusy = 128;

struct Tile {
  uint32_t rows, fours, own;
  uint32_t threads() const { return fours * rows / own; }
  uint32_t shared_bytes() const { return kDepth * (rows + fours * 4) * 4; }
};
// The largest first: each loads less for what it computes than the next.
constexpr Tile kTiles[] = {{128, 16, 8}, {64, 16, 8}, {64, 16, 4}, {32, 16, 4}, {32, 8, 4},
                           {16, 8, 4},   {16, 4, 4},  {8, 2, 4},   {4, 1, 4}};

}  // namespace

uint32_t residual_kind(const Finish& finish) {
  return !finish.residual.defined() ? 0 : finish.epilogue.residual_last ? 2 : 1;
}

void add_product_push(Words& push, const Product& p, const Finish& finish, int64_t bias_at, bool split, int64_t steps) {
  const int64_t pixels = p.batch * p.out[0] * p.out[1];
  push.all_of(pixels, p.outputs, p.inputs, p.in[0], p.in[1], p.out[0], p.out[1], p.stride[0], p.stride[1], p.padding[0],
              p.padding[1], p.dilation[0], p.dilation[1], p.x.at, p.x.strides[0], p.x.strides[1], p.x.strides[2],
              p.x.strides[3], int64_t{0}, bias_at, split ? int64_t{0} : p.y.at, p.y_pixel, finish.residual.at,
              finish.residual_pixel, finish.epilogue.low, finish.epilogue.high, steps);
}

Value make_parts(Lowering& g, const Product& p, int64_t parts) {
  const int64_t pixels = p.batch * p.out[0] * p.out[1];
  return g.make_dense(
      {parts * pixels * ceil_div(p.outputs, 4) * 4 * static_cast<int64_t>(4 / g.program().element_bytes())});
}

void add_sum_of_parts(Lowering& g, const Product& p, const Finish& finish, const Value& partial, int64_t parts,
                      const ir::Node* node, const std::string& name) {
  const int64_t pixels = p.batch * p.out[0] * p.out[1], fours = ceil_div(p.outputs, 4);
  Dispatch sum;
  sum.shader = Shader::k_add_parts;
  sum.constants = {g.element_threads(), static_cast<uint32_t>(finish.epilogue.activation), p.has_bias,
                   residual_kind(finish)};
  sum.push.all_of(pixels, p.outputs, parts, int64_t{0}, p.taps[0] * p.taps[1] * p.inputs * fours, p.y.at, p.y_pixel,
                  finish.residual.at, finish.residual_pixel, finish.epilogue.low, finish.epilogue.high);
  sum.reads = {partial.memory, p.weights.memory, finish.residual.memory};
  sum.write = p.y.memory;
  sum.placing = {5, 6, -1, 1};
  sum.name = name + " sum";
  sum.node = node;
  g.add(std::move(sum), pixels * fours);
}

namespace {

// A product of few pixels, each an image of its own, is one of rows.
bool is_rows(const Product& p) {
  return p.batch <= 4 && p.out[0] * p.out[1] == 1 && p.taps[0] * p.taps[1] == 1 && p.padding[0] == 0 &&
         p.padding[1] == 0;
}
DenseRows rows_of(const Product& p) {
  DenseRows rows;
  rows.rows = p.batch;
  rows.inputs = p.inputs;
  rows.outputs = p.outputs;
  rows.x = p.x;
  rows.x_row = p.x.strides[0];
  rows.x_step = p.x.strides[1];
  rows.weights = p.weights;
  rows.has_bias = p.has_bias;
  rows.y = p.y;
  rows.y_row = p.y_pixel;
  return rows;
}

// The tile of a product, and in how many parts its sums are.
struct Cut {
  const Tile* tile = nullptr;
  int64_t parts = 1, steps = 0;  // blocks of a part
};
Cut cut(const Limits& limits, int64_t pixels, int64_t fours, int64_t blocks) {
  // Long sums are split rather than computed in small tiles.
  const bool is_long = blocks >= 64;
  const int64_t most_parts = is_long ? std::min<int64_t>(blocks / 16, 8) : 1;
  Cut out;
  for (const Tile& tile : kTiles) {
    if (tile.threads() > limits.max_invocations || tile.shared_bytes() > limits.max_shared_bytes) continue;
    out.tile = &tile;
    if (ceil_div(pixels, tile.rows) * ceil_div(fours, tile.fours) * most_parts >= kBusy || tile.threads() <= 64) break;
  }
  if (out.tile == nullptr) throw Declined();
  const int64_t tiles = ceil_div(pixels, out.tile->rows) * ceil_div(fours, out.tile->fours);
  if (tiles < (is_long ? kBusy : kBusy / 2) && blocks >= 16) {
    out.parts = std::min({ceil_div(kBusy, tiles), blocks / 4, int64_t{16}});
  }
  out.steps = ceil_div(blocks, out.parts);
  out.parts = ceil_div(blocks, out.steps);
  return out;
}

}  // namespace

void add_product(Lowering& g, const Product& p, const Finish& finish, const ir::Node* node, std::string name) {
  if (is_rows(p)) return add_rows(g, rows_of(p), finish, node, std::move(name));
  if (add_matrix_product(g, p, finish, node, name)) return;
  const int64_t pixels = p.batch * p.out[0] * p.out[1], taps = p.taps[0] * p.taps[1];
  const int64_t r_pixel = finish.residual_pixel;
  const int64_t fours = ceil_div(p.outputs, 4);
  const int64_t blocks = p.in_fours ? ceil_div(p.inputs, kDepth) * taps : ceil_div(p.inputs * taps, kDepth);
  const Cut chosen = cut(g.limits(), pixels, fours, blocks);
  const Tile* best = chosen.tile;
  const int64_t parts = chosen.parts;
  const bool wide = p.outputs % 4 == 0 && p.y.at % 4 == 0 && p.y_pixel % 4 == 0 &&
                    (!finish.residual.defined() || (finish.residual.at % 4 == 0 && r_pixel % 4 == 0));
  const Value partial = parts > 1 ? make_parts(g, p, parts) : Value();
  Dispatch d;
  d.shader = Shader::k_gemm;
  d.constants = {best->threads(),
                 best->rows,
                 best->fours,
                 best->own,
                 kDepth,
                 !p.in_fours,
                 static_cast<uint32_t>(p.taps[1]),
                 static_cast<uint32_t>(taps),
                 parts > 1 ? 0 : static_cast<uint32_t>(finish.epilogue.activation),
                 parts > 1 ? false : p.has_bias,
                 parts > 1 ? 0 : residual_kind(finish),
                 wide,
                 parts > 1};
  add_product_push(d.push, p, finish, taps * p.inputs * fours, parts > 1, chosen.steps);
  d.reads = {p.x.memory, p.weights.memory, parts > 1 ? kNoMemory : finish.residual.memory};
  d.write = parts > 1 ? partial.memory : p.y.memory;
  d.workgroups = {static_cast<uint32_t>(ceil_div(pixels, best->rows)),
                  static_cast<uint32_t>(ceil_div(fours, best->fours)), static_cast<uint32_t>(parts)};
  if (parts == 1) d.placing = {20, 21, 11, 1};
  d.name = parts > 1 ? name + " split " + std::to_string(parts) : name;
  d.node = node;
  d.operations = 2 * pixels * taps * p.inputs * p.outputs;
  g.add(std::move(d));
  if (parts > 1) add_sum_of_parts(g, p, finish, partial, parts, node, name);
}

void add_rows(Lowering& g, const DenseRows& rows, const Finish& finish, const ir::Node* node, std::string name) {
  const int64_t fours = ceil_div(rows.outputs, 4);
  const uint32_t threads = g.threads_up_to(256);
  const uint32_t columns = std::min(threads, 8u);
  if (threads * 16 > g.limits().max_shared_bytes) throw Declined();
  Dispatch d;
  d.shader = Shader::k_gemv;
  d.constants = {threads,           columns,
                 threads / columns, static_cast<uint32_t>(finish.epilogue.activation),
                 rows.has_bias,     residual_kind(finish)};
  d.push.all_of(rows.outputs, rows.inputs, rows.x.at, rows.x_row, rows.x_step, int64_t{0}, rows.inputs * fours,
                rows.y.at, rows.y_row, finish.residual.at, finish.residual_pixel, finish.epilogue.low,
                finish.epilogue.high);
  d.reads = {rows.x.memory, rows.weights.memory, finish.residual.memory};
  d.write = rows.y.memory;
  d.workgroups = {static_cast<uint32_t>(ceil_div(fours, columns)), static_cast<uint32_t>(rows.rows), 1};
  d.name = std::move(name);
  d.node = node;
  d.operations = 2 * rows.rows * rows.inputs * rows.outputs;
  g.add(std::move(d));
}

Value pack_dense(Lowering& g, const Tensor& weight, const Tensor& bias, bool transposed) {
  const int64_t inputs = weight.size(transposed ? 1 : 0), outputs = weight.size(transposed ? 0 : 1);
  const int64_t width = ceil_div(outputs, 4) * 4, elements = (inputs + 1) * width;
  constexpr int64_t kForm = 4;  // the form a key names
  return g.constant(plan::PackKey({weight, bias}, {kForm, transposed}), static_cast<size_t>(elements), [&](float* to) {
    const Tensor w = plan::as_floats(weight);
    const float* from = w.data_ptr<float>();
    std::fill_n(to, elements, 0.0F);
    for (int64_t i = 0; i < inputs; ++i) {
      for (int64_t o = 0; o < outputs; ++o) {
        to[i * width + o] = transposed ? from[o * inputs + i] : from[i * outputs + o];
      }
    }
    if (bias.defined()) {
      const Tensor f = plan::as_floats(bias);
      for (int64_t o = 0; o < outputs; ++o) to[inputs * width + o] = f.data_ptr<float>()[f.numel() == 1 ? 0 : o];
    }
  });
}

void add_dense(Lowering& g, const Value& x, const Value& weights, bool has_bias, int64_t outputs, const Value& y,
               const Finish& finish, const ir::Node* node, std::string name) {
  const int64_t inputs = x.sizes.back(), count = checked_numel(x.sizes) / inputs;
  // Rows at one distance, as a matrix.
  const std::optional<IntVec> strides = reshaped_strides(x.sizes, x.strides, {count, inputs});
  Value rows = x;
  rows.strides = strides ? *strides : dense_strides({count, inputs});
  if (!strides) {
    rows = g.copied(x, dense_strides(x.sizes), node);
    rows.strides = dense_strides({count, inputs});
  }
  rows.sizes = {count, inputs};
  if (count <= 4) {
    DenseRows dense;
    dense.rows = count;
    dense.inputs = inputs;
    dense.outputs = outputs;
    dense.x = rows;
    dense.x_row = rows.strides[0];
    dense.x_step = rows.strides[1];
    dense.weights = weights;
    dense.has_bias = has_bias;
    dense.y = y;
    dense.y_row = outputs;
    return add_rows(g, dense, finish, node, std::move(name));
  }
  // An image of one line.
  Value image = rows;
  image.sizes = {1, inputs, 1, count};
  image.strides = {count * rows.strides[0], rows.strides[1], count * rows.strides[0], rows.strides[0]};
  const bool fours = inputs % 4 == 0 && image.at % 4 == 0 && rows.strides[1] == 1 && rows.strides[0] % 4 == 0;
  add_product(g,
              {1,
               inputs,
               outputs,
               {1, count},
               {1, count},
               {1, 1},
               {1, 1},
               {0, 0},
               {1, 1},
               image,
               weights,
               has_bias,
               y,
               outputs,
               fours},
              finish, node, std::move(name));
}

namespace {

struct Layer {
  TensorId input = kNoTensor;
  Tensor weight, bias;
  bool transposed = true;  // weight is [out][in]
  IValue low, high;
};

bool is_one(const plan::TracedValue& v) { return v.value.is_number() && v.value.to_scalar().to_double() == 1; }

bool read_context(const TracedStep& step, Layer& layer) {
  if (step.args.size() != 2 || !step.args[1].value.is_custom()) return false;
  const CustomObject* object = &step.args[1].value.to_custom();
  if (const auto* gpu = cast_to<const ops::GpuContext>(object)) object = &gpu->layer();
  const auto* context = cast_to<const ops::LinearContext>(object);
  if (context == nullptr) return false;
  layer.weight = context->weight();
  layer.bias = context->bias().value_or(Tensor());
  layer.low = context->range().low;
  layer.high = context->range().high;
  return true;
}

bool read_layer(const plan::Builder& b, const TracedStep& step, Layer& layer) {
  const std::string_view name = step.op->schema.name;
  const auto& args = step.args;
  if (name == "prepacked::linear_clamp_run" || name == "vulkan_prepack::run_linear_context" ||
      name == "metal_prepack::linear_run") {
    layer.input = plan::tensor_arg(step, 0);
    return read_context(step, layer);
  }
  if (!step.op->schema.overload.empty()) return false;
  if (name == "aten::linear" && args.size() == 3) {
    layer.input = plan::tensor_arg(step, 0);
    return plan::read_constant(b, args[1], layer.weight) && plan::read_constant(b, args[2], layer.bias);
  }
  layer.transposed = false;
  if (name == "aten::addmm" && args.size() == 5) {
    layer.input = plan::tensor_arg(step, 1);
    return plan::read_constant(b, args[0], layer.bias) && plan::read_constant(b, args[2], layer.weight) &&
           is_one(args[3]) && is_one(args[4]) && layer.bias.defined() && layer.bias.dim() <= 1;
  }
  if ((name == "aten::matmul" || name == "aten::mm") && args.size() == 2) {
    layer.input = plan::tensor_arg(step, 0);
    return plan::read_constant(b, args[1], layer.weight);
  }
  return false;
}

}  // namespace

bool lower_dense(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const TensorId result = b.result(s);
  Layer layer;
  if (result == kNoTensor || !b.can_define_plain(result) || !read_layer(b, step, layer) || layer.input == kNoTensor ||
      !layer.weight.defined() || layer.weight.dim() != 2) {
    return false;
  }
  const plan::TracedTensor& in = b.tensor(layer.input);
  const plan::TracedTensor& out = b.tensor(result);
  const int64_t inputs = layer.weight.size(layer.transposed ? 1 : 0);
  const int64_t outputs = layer.weight.size(layer.transposed ? 0 : 1);
  if (in.sizes.empty() || in.sizes.back() != inputs || out.sizes.empty() || out.sizes.back() != outputs ||
      checked_numel(out.sizes) / outputs != checked_numel(in.sizes) / inputs ||
      (layer.bias.defined() && layer.bias.numel() != outputs && layer.bias.numel() != 1)) {
    return false;
  }
  Finish finish;
  finish.result = result;
  if (layer.low.is_number() || layer.high.is_number()) {
    if (layer.low.is_number()) finish.epilogue.low = static_cast<float>(layer.low.to_scalar().to_double());
    if (layer.high.is_number()) finish.epilogue.high = static_cast<float>(layer.high.to_scalar().to_double());
  } else {
    finish = g.absorb(s, result, Lowering::Sums::kRows);
  }
  const Value x = g.value(layer.input);
  const Value w = pack_dense(g, layer.weight, layer.bias, layer.transposed);
  const Value y = g.make_dense(b.tensor(finish.result).sizes);
  add_dense(g, x, w, layer.bias.defined(), outputs, y, finish, step.node, "linear" + finish.name);
  g.set(finish.result, y);
  return true;
}

}  // namespace wick::gpu
