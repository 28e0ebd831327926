// Conditions: what is known before the program runs, and what they tell of the variables in them.
#include <algorithm>

#include "frontend/script/lowerer.h"

namespace wick::script {

namespace {

// The types a value of this type may have, one by one.
std::vector<TypePtr> options_of(const TypePtr& type) {
  if (type->is(TypeKind::kUnion)) return type->elements();
  if (type->is(TypeKind::kOptional)) {
    std::vector<TypePtr> out = options_of(type->element(0));
    out.push_back(types::none());
    return out;
  }
  return {type};
}

TypePtr type_of_options(std::vector<TypePtr> options) {
  if (options.empty()) return nullptr;
  if (options.size() == 1) return options[0];
  const auto none =
      std::find_if(options.begin(), options.end(), [](const TypePtr& t) { return t->is(TypeKind::kNone); });
  if (none != options.end() && options.size() == 2) {
    options.erase(none);
    return types::optional(options[0]);
  }
  return types::union_of(std::move(options));
}

bool is_none_type(const Type& type) { return type.is(TypeKind::kNone); }

}  // namespace

ir::Value* Lowerer::value_of(const Condition& condition) {
  return condition.known ? emit_.constant(IValue(*condition.known)) : condition.value;
}

ir::Value* Lowerer::to_bool(ir::Value* value) {
  if (value->type->is(TypeKind::kBool)) return value;
  if (is_unknown(*value->type)) return emit_.cast(value, types::boolean());
  if (value->type->is(TypeKind::kClass)) return call_method(value, "__bool__", {});
  return call_one(emit_, "aten::Bool", {value});
}

Lowerer::Condition Lowerer::condition(const Expr& expr) {
  const At at(*this, expr.at);
  if (expr.is(ExprKind::kUnary) && expr.op == ast::Op::kNot) {
    Condition inner = condition(expr.item(0));
    std::swap(inner.yes, inner.no);
    if (inner.known) {
      inner.known = !*inner.known;
    } else {
      inner.value = emit_.op("aten::__not__", {inner.value});
    }
    return inner;
  }
  if (expr.is(ExprKind::kBinary)) {
    if (expr.op == ast::Op::kAnd || expr.op == ast::Op::kOr) return connective(expr);
    if (expr.op == ast::Op::kIs || expr.op == ast::Op::kIsNot) {
      const bool is = expr.op == ast::Op::kIs;
      if (expr.item(1).is(ExprKind::kNone)) return compare_none(expr.item(0), is);
      if (expr.item(0).is(ExprKind::kNone)) return compare_none(expr.item(1), is);
    }
  }
  if (expr.is(ExprKind::kCall) && expr.item(0).is(ExprKind::kName) && !lookup(expr.item(0).text)) {
    const std::string_view callee = expr.item(0).text;
    if (callee == "isinstance" && expr.arguments().size() == 2) return instance_test(expr.item(1), expr.item(2));
    if (callee == "hasattr" && expr.arguments().size() == 2) {
      const std::optional<bool> has = has_attribute(value(expr.item(1)), literal_text(expr.item(2)));
      if (has) {
        Condition out;
        out.known = has;
        return out;
      }
    }
  }
  Condition out;
  out.value = to_bool(value(expr));
  const ir::Node* def = out.value->def;
  if (def && def->kind == ir::NodeKind::kConstant && def->constant.is_bool()) out.known = def->constant.to_bool();
  return out;
}

Lowerer::Condition Lowerer::connective(const Expr& expr) {
  const bool is_and = expr.op == ast::Op::kAnd;
  Condition left = condition(expr.item(0));
  if (left.known) {
    if (*left.known != is_and) return left;
    refine(is_and ? left.yes : left.no);
    return condition(expr.item(1));
  }
  Condition right;
  ir::Node* node = emit_.node(ir::NodeKind::kIf, {left.value});
  auto other = [&] {
    right = condition(expr.item(1));
    return Flow::kFalls;
  };
  auto same = [] { return Flow::kFalls; };
  Branch yes = branch(node, left.yes, is_and ? std::function<Flow()>(other) : same);
  Branch no = branch(node, left.no, is_and ? std::function<Flow()>(same) : other);
  Branch& lazy = is_and ? yes : no;
  Branch& plain = is_and ? no : yes;
  auto put = [&](Branch& side, const std::function<ir::Value*()>& result) {
    ir::Block* const outer = std::exchange(emit_.block, side.block);
    side.values = {result()};
    emit_.block = outer;
  };
  put(lazy, [&] { return value_of(right); });
  put(plain, [&] { return emit_.constant(IValue(!is_and)); });
  join_values(node, yes, no, {types::boolean()});
  Condition out;
  out.value = node->outputs[0];
  // Both hold in the one case; in the other at least one does, so only what both tell is known.
  Refinements& both = is_and ? out.yes : out.no;
  Refinements& either = is_and ? out.no : out.yes;
  both = is_and ? left.yes : left.no;
  for (const auto& refinement : is_and ? right.yes : right.no) both.push_back(refinement);
  for (const auto& [name, type] : is_and ? left.no : left.yes) {
    for (const auto& [other_name, other_type] : is_and ? right.no : right.yes) {
      if (name != other_name) continue;
      if (TypePtr joined = emit_.unify(type, other_type, /*any_union=*/true)) either.emplace_back(name, joined);
    }
  }
  return out;
}

Lowerer::Condition Lowerer::compare_none(const Expr& subject, bool is_none) {
  ir::Value* value = this->value(subject);
  Condition out;
  const std::vector<TypePtr> options = options_of(value->type);
  const bool may_be_none = std::any_of(options.begin(), options.end(),
                                       [](const TypePtr& t) { return is_none_type(*t) || t->is(TypeKind::kAny); });
  const bool always_none = options.size() == 1 && is_none_type(*options[0]);
  if (always_none || !may_be_none) {
    out.known = always_none == is_none;
    return out;
  }
  out.value = emit_.op(is_none ? "aten::__is__" : "aten::__isnot__", {value, emit_.none()});
  if (subject.is(ExprKind::kName)) {
    std::vector<TypePtr> rest;
    for (const TypePtr& option : options) {
      if (!is_none_type(*option)) rest.push_back(option);
    }
    Refinements& some = is_none ? out.no : out.yes;
    Refinements& none = is_none ? out.yes : out.no;
    if (TypePtr type = type_of_options(std::move(rest)); type && !type->is(TypeKind::kAny)) {
      some.emplace_back(subject.text, type);
    }
    none.emplace_back(subject.text, types::none());
  }
  return out;
}

std::vector<TypePtr> Lowerer::instance_types(const Expr& expr) {
  if (expr.is(ExprKind::kTuple) || expr.is(ExprKind::kList)) {
    std::vector<TypePtr> out;
    for (const Expr* item : expr.items) {
      for (TypePtr& type : instance_types(*item)) out.push_back(std::move(type));
    }
    return out;
  }
  if (expr.is_name("list")) return {types::basic(TypeKind::kAnyList)};
  if (expr.is_name("tuple")) return {types::basic(TypeKind::kAnyTuple)};
  return {importer_.type_from(expr, file_)};
}

Lowerer::Condition Lowerer::instance_test(const Expr& subject, const Expr& tested) {
  ir::Value* value = this->value(subject);
  const std::vector<TypePtr> wanted = instance_types(tested);
  std::vector<TypePtr> yes, no;
  bool all_certain = true;
  bool none_possible = true;
  for (const TypePtr& option : options_of(value->type)) {
    const bool certain = !is_unknown(*option) && std::any_of(wanted.begin(), wanted.end(),
                                                             [&](const TypePtr& w) { return emit_.fits(*option, *w); });
    if (certain) {
      none_possible = false;
      yes.push_back(option);
      continue;
    }
    all_certain = false;
    no.push_back(option);
    for (const TypePtr& w : wanted) {
      if (!is_unknown(*option) && !emit_.fits(*w, *option)) continue;
      none_possible = false;
      yes.push_back(w);
    }
  }
  Condition out;
  if (all_certain || none_possible) {
    out.known = all_certain;
    return out;
  }
  ir::Node* node = emit_.node(ir::NodeKind::kIsInstance, {value});
  node->types = wanted;
  out.value = emit_.output(node, types::boolean());
  if (subject.is(ExprKind::kName)) {
    if (TypePtr type = type_of_options(std::move(yes)); type && !is_unknown(*type)) {
      out.yes.emplace_back(subject.text, type);
    }
    if (TypePtr type = type_of_options(std::move(no)); type && !type->is(TypeKind::kAny)) {
      out.no.emplace_back(subject.text, type);
    }
  }
  return out;
}

}  // namespace wick::script
