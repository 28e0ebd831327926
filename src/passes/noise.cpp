// Perturbs weights and inputs by about a rounding error, to find outputs that depend on it.
#include <cmath>
#include <random>
#include <unordered_set>

#include "core/copy.h"
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
  auto* at = numbers.data<double>();
  for (int64_t i = 0, count = numbers.numel(); i < count; ++i) at[i] *= 1 + amplitude(draw) * unit(generator);
  const Tensor out = clone(tensor);
  copy_into(out, numbers);
  return out;
}

// Copied objects, so that they can be changed in place; each once.
void change_attributes(const IValue& value, int draw, std::unordered_set<const void*>& seen) {
  if (!value.is_object() || !seen.insert(value.ref_or_null()).second) return;
  ObjectImpl& object = value.to_object();
  for (size_t i = 0; i < object.slot_count(); ++i) {
    const IValue attribute = object.get(i);
    if (attribute.is_tensor()) {
      object.set(i, changed(attribute.to_tensor(), draw));
    } else {
      change_attributes(attribute, draw, seen);
    }
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
  std::unordered_set<const void*> seen;
  change_attributes(program.root, draw, seen);
  for (const auto& function : program.functions) change_constants(*function->graph.body(), draw);
}

IValue with_noise(const IValue& value, int draw) {
  if (value.is_tensor()) return changed(value.to_tensor(), draw);
  const IValue copy = copy_value(value);
  if (copy.is_list()) {
    for (IValue& item : copy.to_list().items) item = with_noise(item, draw);
  } else if (copy.is_tuple()) {
    for (IValue& item : copy.to_tuple().items) item = with_noise(item, draw);
  }
  return copy;
}

}  // namespace wick::passes
