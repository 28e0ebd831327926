// Names and assignments.
#include "frontend/script/lowerer.h"
#include "ir/written_cast.h"

namespace wick::script {

const Binding* Lowerer::lookup(std::string_view name) {
  if (const Binding* found = scope_->find(name)) return found;
  if (!outer_ || name.starts_with("$")) return nullptr;
  // A name of the function around: its value is passed in.
  const Binding* found = outer_->lookup(name);
  if (!found || !found->problem.empty()) return found;
  if (!found->what.is(SugarKind::kValue)) return found;
  captured_.push_back(found->what.value);
  ir::Value* param = emit_.graph().add_param(emit_.graph().body(), found->what.value->type, std::string(name));
  top_->set(name, {Sugar::of(param), found->declared, false, {}});
  Argument argument;
  argument.name = name;
  argument.type = param->type;
  function_.schema.arguments.push_back(std::move(argument));
  return scope_->find(name);
}

void Lowerer::assign(const Stmt& stmt) {
  TypePtr declared = stmt.type ? importer_.type_from(*stmt.type, file_) : nullptr;
  if (!stmt.value) emit_.bad("a declaration needs a value");
  const Expr& first = *stmt.targets[0];
  const bool several = first.is(ExprKind::kTuple) || first.is(ExprKind::kList);
  // a, b = c, d assigns the parts one by one; both sides are evaluated first.
  if (several && stmt.targets.size() == 1 && stmt.value->is(ExprKind::kTuple) &&
      stmt.value->items.size() == first.items.size()) {
    bool plain = true;
    for (const Expr* item : first.items) plain = plain && !item->is(ExprKind::kStarred);
    for (const Expr* item : stmt.value->items) plain = plain && !item->is(ExprKind::kStarred);
    if (plain) {
      std::vector<Sugar> values;
      for (const Expr* item : stmt.value->items) values.push_back(sugar(*item));
      for (size_t i = 0; i < values.size(); ++i) assign_to(*first.items[i], std::move(values[i]), nullptr);
      return;
    }
  }
  Sugar right = sugar(*stmt.value, declared, several ? first.items.size() : 1);
  // PyTorch casts a display that a declaration makes one of several types.
  const bool display =
      (stmt.value->is(ExprKind::kList) || stmt.value->is(ExprKind::kDict)) && !stmt.value->items.empty();
  if (display && declared && (declared->is(TypeKind::kUnion) || declared->is(TypeKind::kOptional)) &&
      !same_type(*right.value->type, *declared) && is_subtype(*right.value->type, *declared)) {
    right.value = emit_.cast(right.value, declared);
    ir::mark_written_cast(*right.value->def);
  }
  for (const Expr* target : stmt.targets) {
    const At at(*this, target->at);
    assign_to(*target, right, declared);
  }
}

void Lowerer::assign_to(const Expr& target, Sugar what, const TypePtr& declared) {
  switch (target.kind) {
    case ExprKind::kName:
      return assign_name(target.text, std::move(what), declared);
    case ExprKind::kTuple:
    case ExprKind::kList:
      return assign_items(target, std::move(what));
    case ExprKind::kAttribute:
      return assign_attribute(target, as_value(what));
    case ExprKind::kSubscript:
      return assign_subscript(target, as_value(what));
    default:
      emit_.bad("this cannot be assigned to");
  }
}

void Lowerer::assign_name(std::string_view name, Sugar what, TypePtr declared) {
  if (what.is(SugarKind::kValues)) what = Sugar::of(as_value(what));
  if (what.is(SugarKind::kValue)) {
    if (declared) {
      what.value = fitted(what.value, declared);
      if (!same_type(*what.value->type, *declared)) what.value = emit_.cast(what.value, declared);
    }
    if (what.value->name.empty()) what.value->name = name;
  }
  scope_->set(name, {std::move(what), std::move(declared), false, {}});
}

void Lowerer::assign_items(const Expr& target, Sugar what) {
  size_t star = target.items.size();
  for (size_t i = 0; i < target.items.size(); ++i) {
    if (!target.items[i]->is(ExprKind::kStarred)) continue;
    if (star != target.items.size()) emit_.bad("only one starred target is allowed");
    star = i;
  }
  const bool starred = star != target.items.size();
  const size_t wanted = target.items.size() - (starred ? 1 : 0);

  std::vector<ir::Value*> values;
  bool from_list = false;
  if (what.is(SugarKind::kValues) && what.values.size() != 1) {
    values = what.values;
  } else {
    ir::Value* whole = as_value(what);
    if (whole->type->is(TypeKind::kTuple)) {
      values = emit_.unpack_tuple(whole);
    } else {
      if (starred) emit_.bad("a starred target needs a tuple of known length");
      from_list = whole->type->is(TypeKind::kList);
      if (whole->type->is(TypeKind::kTensor)) {
        whole = call_one(emit_, "aten::unbind", {whole});
        from_list = true;
      }
      if (!from_list && !whole->type->is(TypeKind::kAny)) {
        emit_.bad(whole->type->str(), " cannot be used as a tuple");
      }
      ir::Node* node = emit_.node(from_list ? ir::NodeKind::kListUnpack : ir::NodeKind::kTupleUnpack, {whole});
      for (size_t i = 0; i < wanted; ++i) emit_.output(node, from_list ? whole->type->element(0) : unknown_type());
      values = node->outputs;
    }
  }
  if (values.size() < wanted) {
    emit_.bad("need ", starred ? "at least " : "", wanted, " values to unpack but found only ", values.size());
  }
  if (values.size() > wanted && !starred) {
    emit_.bad("too many values to unpack: need ", wanted, " but found ", values.size());
  }
  size_t next = 0;
  for (size_t i = 0; i < target.items.size(); ++i) {
    const Expr& part = *target.items[i];
    if (i == star) {
      const size_t count = values.size() - wanted;
      std::vector<ir::Value*> rest(values.begin() + static_cast<std::ptrdiff_t>(next),
                                   values.begin() + static_cast<std::ptrdiff_t>(next + count));
      next += count;
      assign_to(part.item(0), Sugar::of(emit_.tuple(std::move(rest))), nullptr);
    } else {
      assign_to(part, Sugar::of(values[next++]), nullptr);
    }
  }
}

void Lowerer::assign_attribute(const Expr& target, ir::Value* value) {
  ir::Value* object = as_value(sugar(target.item(0)));
  const ScriptClass* cls = importer_.class_of(*object->type);
  if (!cls || !object->type->is(TypeKind::kClass)) {
    emit_.bad("'", object->type->str(), "' has no attributes to assign to");
  }
  int64_t slot = cls->attribute(target.text);
  if (slot < 0 && cls->is_open && importer_.function_named(cat(cls->name, ".__init__")) == &function_) {
    slot = importer_.add_attribute(*cls, target.text, value->type);
  }
  if (slot < 0) {
    if (ir::Function* setter = cls->method(cat("__", target.text, "_setter"))) {
      Arguments arguments;
      arguments.positional = {object, value};
      call_function(*setter, std::move(arguments));
      return;
    }
    emit_.bad("class ", cls->name, " has no attribute '", target.text, "'");
  }
  const TypePtr& type = cls->attributes[static_cast<size_t>(slot)].type;
  ir::Node* node = emit_.node(ir::NodeKind::kSetAttr, {object, fitted(value, type)});
  node->index = slot;
  node->name = target.text;
}

ir::Value* Lowerer::augmented_value(ast::Op op, ir::Value* left, ir::Value* right) {
  // In place for tensors and lists where the operator has such a form; a class may bring its own.
  const TypeKind kind = left->type->kind();
  if (kind == TypeKind::kClass) {
    static constexpr std::pair<ast::Op, const char*> kMethods[] = {{ast::Op::kAdd, "__iadd__"},
                                                                   {ast::Op::kSub, "__isub__"},
                                                                   {ast::Op::kMul, "__imul__"},
                                                                   {ast::Op::kDiv, "__itruediv__"},
                                                                   {ast::Op::kMod, "__imod__"}};
    const ScriptClass* cls = importer_.class_of(*left->type);
    for (const auto& [which, method] : kMethods) {
      if (which != op || !cls || !cls->method(method)) continue;
      Arguments arguments;
      arguments.positional = {right};
      return call_method(left, method, arguments);
    }
    return infix(op, left, right);
  }
  const char* name = nullptr;
  if (kind == TypeKind::kTensor) {
    switch (op) {
      case ast::Op::kAdd:
        name = "aten::add_";
        break;
      case ast::Op::kSub:
        name = "aten::sub_";
        break;
      case ast::Op::kMul:
        name = "aten::mul_";
        break;
      case ast::Op::kDiv:
        name = "aten::div_";
        break;
      case ast::Op::kMod:
        name = "aten::remainder_";
        break;
      case ast::Op::kPow:
        name = "aten::pow_";
        break;
      case ast::Op::kBitAnd:
        name = "aten::__iand__";
        break;
      case ast::Op::kBitOr:
        name = "aten::__ior__";
        break;
      case ast::Op::kBitXor:
        name = "aten::__ixor__";
        break;
      case ast::Op::kShiftLeft:
        name = "aten::__ilshift__";
        break;
      case ast::Op::kShiftRight:
        name = "aten::__irshift__";
        break;
      default:
        break;
    }
  } else if (kind == TypeKind::kList) {
    if (op == ast::Op::kAdd) name = "aten::add_";
    if (op == ast::Op::kMul) name = "aten::mul_";
  }
  return name ? call_one(emit_, name, {left, right}) : infix(op, left, right);
}

void Lowerer::augmented(const Stmt& stmt) {
  const Expr& target = *stmt.targets[0];
  switch (target.kind) {
    case ExprKind::kName: {
      ir::Value* left = value(target);
      assign_name(target.text, Sugar::of(augmented_value(stmt.op, left, value(*stmt.value, left->type))), nullptr);
      return;
    }
    case ExprKind::kAttribute: {
      ir::Value* left = value(target);
      ir::Value* result = augmented_value(stmt.op, left, value(*stmt.value, left->type));
      assign_attribute(target, result);
      return;
    }
    case ExprKind::kSubscript:
      return augmented_subscript(target, stmt.op, *stmt.value);
    default:
      emit_.bad("this cannot be assigned to");
  }
}

}  // namespace wick::script
