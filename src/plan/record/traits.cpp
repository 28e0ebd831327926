// Operators by what the recorder makes of them.
#include "plan/record/traits.h"

#include <algorithm>

namespace wick::plan {
namespace {

bool mentions(const Type& type, TypeKind kind) {
  if (type.is(kind)) return true;
  return std::any_of(type.elements().begin(), type.elements().end(),
                     [kind](const TypePtr& e) { return mentions(*e, kind); });
}
bool any_mentions(const std::vector<Argument>& list, TypeKind kind) {
  return std::any_of(list.begin(), list.end(), [kind](const Argument& a) { return mentions(*a.type, kind); });
}

// An index among tensors gives another shape where a mask is one of them.
bool takes_indices(const FunctionSchema& schema) {
  return schema.arguments.size() > 1 && schema.arguments[1].name == "indices" &&
         schema.arguments[1].type->is(TypeKind::kList);
}

OpClass class_of_tensors(const Operator& op) {
  const FunctionSchema& schema = op.schema;
  const bool gives_only_tensors = std::all_of(schema.returns.begin(), schema.returns.end(),
                                              [](const Argument& r) { return mentions(*r.type, TypeKind::kTensor); });
  const bool has_known_shape =
      !op.has(traits::inplace_view) && (!op.has(traits::dynamic_output_shape) || takes_indices(schema));
  return gives_only_tensors && has_known_shape ? OpClass::kTensor : OpClass::kBarrier;
}

KnownArgument arguments_of(const TracedStep& step) {
  return [&step](size_t i) -> const IValue* {
    return i < step.args.size() && step.args[i].kind == TracedValue::Kind::kStatic ? &step.args[i].value : nullptr;
  };
}

}  // namespace

OpClass class_of(const Operator& op) {
  const FunctionSchema& schema = op.schema;
  if (schema.is_vararg || schema.is_varret || op.is_unknown() || op.has(traits::not_planned)) return OpClass::kBarrier;
  if (op.has(traits::shape_query)) return OpClass::kFixed;
  if (schema.name == "prim::TupleIndex") return OpClass::kContainer;
  if (any_mentions(schema.returns, TypeKind::kTensor)) return class_of_tensors(op);
  // Takes tensors and gives something else: a question about elements, or an effect.
  if (any_mentions(schema.arguments, TypeKind::kTensor)) return OpClass::kBarrier;
  const bool has_containers = any_mentions(schema.arguments, TypeKind::kVar) ||
                              any_mentions(schema.arguments, TypeKind::kList) ||
                              any_mentions(schema.arguments, TypeKind::kDict);
  if (has_containers) return OpClass::kContainer;
  for (TypeKind kind : {TypeKind::kGenerator, TypeKind::kAny, TypeKind::kClass}) {
    if (any_mentions(schema.arguments, kind)) return OpClass::kBarrier;
  }
  return OpClass::kFixed;
}

bool can_record(const ir::Node& node) {
  using ir::NodeKind;
  switch (node.kind) {
    case NodeKind::kTupleConstruct:
    case NodeKind::kTupleUnpack:
    case NodeKind::kTupleSlice:
    case NodeKind::kListConstruct:
    case NodeKind::kListUnpack:
    case NodeKind::kDictConstruct:
    case NodeKind::kIsInstance:
    case NodeKind::kUninitialized:
    case NodeKind::kGetAttr:
      return true;
    default:
      return false;
  }
}

bool depends_on_elements(const Operator& op, const IValue* const* args, size_t count) {
  if (!op.has(traits::dynamic_output_shape)) return false;
  if (count < 2 || !args[1]->is_list()) return true;
  const std::vector<IValue>& indices = args[1]->to_list().items;
  return std::any_of(indices.begin(), indices.end(), [](const IValue& index) {
    if (!index.is_tensor()) return false;
    const DType dtype = index.to_tensor().dtype();
    return dtype == DType::kBool || dtype == DType::kByte;
  });
}

bool is_function_call(const TracedStep& step) { return wick::is_function_call(*step.op, arguments_of(step)); }

bool may_skip_elements(const TracedStep& step) {
  return step.op->has(traits::shapes_only) && !may_draw(*step.op, arguments_of(step));
}

}  // namespace wick::plan
