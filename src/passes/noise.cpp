// Perturbs weights and inputs by about a rounding error, to find outputs that depend on it.
#include <cmath>
#include <random>

#include "core/copy.h"
#include "core/value_walk.h"
#include "passes/program_copy.h"
#include "passes/verify.h"

namespace wick::passes {

namespace {

// About what folding batch norm changes in a weight; later draws are larger, up to eight times.
double amplitude(int draw) { return std::ldexp(1e-6, std::min(draw / 2, 3)); }

Tensor changed(const Tensor& tensor, int draw) {
  if (tensor.numel() == 0 || !is_floating(tensor.dtype())) return tensor;
  std::minstd_rand generator(static_cast<uint32_t>(draw) + 1);
  std::uniform_real_distribution<double> unit(-1, 1);
  const Tensor wide = contiguous(to_dtype(tensor, DType::kDouble));
  const Tensor numbers = wide.is_same(tensor) ? clone(wide) : wide;
  auto* at = numbers.data_ptr<double>();
  for (int64_t i = 0, count = numbers.numel(); i < count; ++i) at[i] *= 1 + amplitude(draw) * unit(generator);
  const Tensor out = clone(tensor);
  copy_into(out, numbers);
  return out;
}

// Of a copied object, so that it can be changed in place.
void change_attributes(ObjectImpl& object, int draw) {
  for (size_t i = 0; i < object.slot_count(); ++i) {
    const IValue attribute = object.get(i);
    if (attribute.is_tensor()) object.set(i, changed(attribute.to_tensor(), draw));
  }
}

void change_items(std::vector<IValue>& items, int draw) {
  for (IValue& item : items) {
    if (item.is_tensor()) item = changed(item.to_tensor(), draw);
  }
}

void change_constants(ir::Block& block, int draw) {
  for (ir::Node* node : block.nodes) {
    for (ir::Block* inner : node->blocks) change_constants(*inner, draw);
    const bool is_tensor = node->kind == ir::NodeKind::kConstant && node->constant.is_tensor();
    if (is_tensor && node->constant.to_tensor().dim() > 1) node->constant = changed(node->constant.to_tensor(), draw);
  }
}

}  // namespace

void add_noise(ir::Program& program, int draw) {
  walk_objects(program.root, [draw](ObjectImpl& object) { change_attributes(object, draw); });
  for (const auto& function : program.functions) change_constants(*function->graph.body(), draw);
}

IValue with_noise(const IValue& value, int draw) {
  if (value.is_tensor()) return changed(value.to_tensor(), draw);
  const IValue copy = copy_value(value);
  walk_value(copy, [draw](const IValue& v) {
    if (v.is_list()) change_items(v.to_list().items, draw);
    if (v.is_tuple()) change_items(v.to_tuple().items, draw);
    return v.is_list() || v.is_tuple() ? Walk::kEnter : Walk::kSkip;
  });
  return copy;
}

}  // namespace wick::passes
