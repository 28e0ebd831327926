// Static types of bytecode: what a node accepts and what its outputs are.
#include "ir/typing.h"

#include "config/build.h"
#include "ir/infer.h"

namespace wick::ir {

namespace {

// A value that starts as None or holds one may be something else in the next turn of a loop.
bool may_change_in_loop(const Type& type) {
  if (type.is(TypeKind::kNone)) return true;
  for (const TypePtr& element : type.elements()) {
    if (may_change_in_loop(*element)) return true;
  }
  return false;
}

bool fits(const Type& actual, const Type& formal) { return !certainly_incompatible(actual, formal); }

// Nodes that take values apart or look into objects.
bool container_accepts(const Node& node, size_t i, const Type& actual) {
  switch (node.kind) {
    case NodeKind::kGetAttr:
    case NodeKind::kSetAttr:
      return i != 0 || fits(actual, *types::basic(TypeKind::kAnyClass));
    case NodeKind::kTupleUnpack:
    case NodeKind::kTupleSlice:
      return fits(actual, *types::basic(TypeKind::kAnyTuple));
    case NodeKind::kListUnpack:
      return fits(actual, *types::basic(TypeKind::kAnyList));
    case NodeKind::kListConstruct:
      return fits(actual, *node.types[0]->element(0));
    default:
      return true;
  }
}

TypePtr slice_type(const Node& node, const Type& tuple) {
  const auto& elements = tuple.elements();
  if (!tuple.is(TypeKind::kTuple) || static_cast<size_t>(node.index + node.count) > elements.size()) {
    return types::basic(TypeKind::kAnyTuple);
  }
  return types::tuple({elements.begin() + node.index, elements.begin() + node.index + node.count});
}

TypePtr container_type(const Node& node, const std::vector<Value*>& inputs, size_t i) {
  switch (node.kind) {
    case NodeKind::kCreateObject:
      return node.types[0];
    case NodeKind::kListConstruct:
    case NodeKind::kDictConstruct:
      return bounded(node.types[0]);
    case NodeKind::kIsInstance:
      return types::boolean();
    case NodeKind::kTupleSlice:
      return slice_type(node, *inputs[0]->type);
    case NodeKind::kTupleUnpack:
      return inputs[0]->type->is(TypeKind::kTuple) && i < inputs[0]->type->elements().size()
                 ? inputs[0]->type->element(i)
                 : types::any();
    case NodeKind::kListUnpack:
      return inputs[0]->type->is(TypeKind::kList) ? inputs[0]->type->element(0) : types::any();
    default:
      return types::any();
  }
}

}  // namespace

bool is_condition(const Type& type) {
  const TypeKind kind = type.kind();
  return kind == TypeKind::kBool || kind == TypeKind::kAny || kind == TypeKind::kOptional || kind == TypeKind::kUnion;
}

bool accepts(const Node& node, const Operator* op, size_t i, const Type& actual) {
  switch (node.kind) {
    case NodeKind::kOp:
      return !op || i >= op->schema.arguments.size() || fits(actual, *op->schema.arguments[i].type);
    case NodeKind::kIf:
      return is_condition(actual);
    case NodeKind::kLoop:
      if (i == 0) return fits(actual, *types::integer());
      return i != 1 || is_condition(actual);
    default:
      if constexpr (build::kContainers || build::kObjects) return container_accepts(node, i, actual);
      return true;
  }
}

TypePtr tuple_of(const std::vector<Value*>& items) {
  std::vector<TypePtr> elements;
  elements.reserve(items.size());
  for (const Value* item : items) elements.push_back(TypePtr(item->type));
  return bounded(types::tuple(std::move(elements)));
}

void output_types(const Node& node, const Operator* op, const std::vector<Value*>& inputs, size_t count,
                  std::vector<TypePtr>& out) {
  if (node.kind == NodeKind::kOp && op) {
    result_types(op->schema, inputs, out);
    // PyTorch writes the first overload of EnumValue whatever the type of the value.
    if (op->schema.name == "prim::EnumValue") out[0] = types::any();
    return;
  }
  if (node.kind == NodeKind::kTupleConstruct) {
    return out.push_back(node.types.empty() ? tuple_of(inputs) : TypePtr(bounded(node.types[0])));
  }
  for (size_t i = 0; i < count; ++i) {
    if constexpr (build::kContainers || build::kObjects) {
      out.push_back(container_type(node, inputs, i));
    } else {
      out.push_back(TypePtr(types::any()));
    }
  }
}

std::optional<size_t> unpacked_count(const Value& tuple) {
  if (tuple.def && tuple.def->kind == NodeKind::kTupleConstruct) return tuple.def->inputs.size();
  if (tuple.type->is(TypeKind::kTuple)) return tuple.type->elements().size();
  return std::nullopt;
}

const TypePtr& carried_type(const TypePtr& given) { return may_change_in_loop(*given) ? types::any() : given; }

}  // namespace wick::ir
