// Foresees the types that a reader of bytecode infers.
#include "emit/read_types.h"

#include "core/check.h"
#include "ir/infer.h"
#include "ir/typing.h"

namespace wick::emit {

ir::Value& ReadTypes::add(const ir::Value& value, const TypePtr& type) {
  ir::Value& made = values_.emplace_back();
  made.id = value.id;
  made.type = type;
  made.def = value.def;
  made.block = value.block;
  read_[&value] = &made;
  return made;
}

ir::Value& ReadTypes::read(const ir::Value& value) {
  if (const auto it = read_.find(&value); it != read_.end()) return *it->second;
  WICK_CHECK(value.def && value.def->kind == ir::NodeKind::kConstant, kInternal, "value ", value.id,
             " is read before it is defined");
  return add(value, ir::type_of(value.def->constant));
}

std::vector<ir::Value*> ReadTypes::inputs_of(const ir::Node& node) {
  std::vector<ir::Value*> out;
  out.reserve(node.inputs.size());
  for (const ir::Value* input : node.inputs) out.push_back(&read(*input));
  return out;
}

// As the reader treats a cast; an Optional is accepted everywhere.
bool ReadTypes::forget(ir::Value& value) {
  if (!value.type->is(TypeKind::kOptional)) value.type = types::any();
  return true;
}

void ReadTypes::add_param(const ir::Value& value, const TypePtr& type) { add(value, ir::bounded(type)); }

bool ReadTypes::take(const ir::Node& node, const Operator* op, size_t i) {
  ir::Value& value = read(*node.inputs[i]);
  if (!ir::accepts(node, op, i, *value.type)) return forget(value);
  if (node.kind != ir::NodeKind::kTupleUnpack || !value.type->is(TypeKind::kTuple)) return false;
  return ir::unpacked_count(value) != node.outputs.size() && forget(value);
}

bool ReadTypes::take_condition(const ir::Value& value) {
  ir::Value& condition = read(value);
  return !ir::is_condition(*condition.type) && forget(condition);
}

void ReadTypes::give(const ir::Node& node, const Operator* op) {
  std::vector<TypePtr> types;
  ir::output_types(node, op, inputs_of(node), node.outputs.size(), types);
  for (size_t i = 0; i < node.outputs.size(); ++i) add(*node.outputs[i], i < types.size() ? types[i] : types::any());
}

void ReadTypes::give_cast(const ir::Node& node) {
  ir::Value& value = read(*node.inputs.at(0));
  forget(value);
  read_[node.outputs.at(0)] = &value;
}

void ReadTypes::give_unnamed_tuple(const ir::Node& node) { add(*node.outputs.at(0), ir::tuple_of(inputs_of(node))); }

void ReadTypes::give_if(const ir::Node& node) {
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const TypePtr first = read(*node.blocks.at(0)->results[i]).type;
    add(*node.outputs[i], ir::join(first, read(*node.blocks.at(1)->results[i]).type));
  }
}

void ReadTypes::begin_loop(const ir::Node& node) {
  const std::vector<ir::Value*>& params = node.blocks.at(0)->params;
  add(*params.at(0), types::integer());
  for (size_t k = 1; k < params.size(); ++k) add(*params[k], ir::carried_type(read(*node.inputs[k + 1]).type));
}

void ReadTypes::end_loop(const ir::Node& node) {
  const ir::Block& body = *node.blocks.at(0);
  for (size_t k = 1; k < body.params.size(); ++k) {
    ir::Value& param = read(*body.params[k]);
    param.type = ir::join(param.type, read(*body.results[k]).type);
    add(*node.outputs[k - 1], param.type);
  }
}

}  // namespace wick::emit
