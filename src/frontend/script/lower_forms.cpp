// Forms the compiler knows, and Python's built-in functions.
#include "frontend/script/lowerer.h"
#include "frontend/script/match.h"
#include "ir/written_cast.h"

namespace wick::script {

Sugar Lowerer::form(const std::string& name, const Expr& expr, const TypePtr& hint) {
  const std::span<Expr* const> args = expr.arguments();
  auto expect = [&](size_t low, size_t high) {
    if (args.size() < low || args.size() > high) emit_.bad(name, " takes ", low, " arguments, given ", args.size());
  };
  if (name == "annotate") {
    expect(2, 2);
    return Sugar::of(annotated(*args[0], *args[1]));
  }
  if (name == "unchecked_cast") {
    expect(2, 2);
    return Sugar::of(unchecked_cast(*args[0], *args[1]));
  }
  if (name == "uninitialized") {
    return Sugar::of(emit_.uninitialized(importer_.type_from(only_argument(expr, "uninitialized"), file_)));
  }
  if (name == "fork" || name == "awaitable") return Sugar::of(fork(expr));
  if (name == "isinstance" || name == "hasattr") {
    expect(2, 2);
    return Sugar::of(value_of(condition(expr)));
  }
  if (name == "getattr") {
    expect(2, 3);
    return getattr_form(args);
  }
  if (name == "range") {
    expect(1, 3);
    Sugar out = Sugar::named(SugarKind::kRange, "range");
    for (ir::Value* part : items_of(args)) out.values.push_back(fitted(part, types::integer()));
    return out;
  }
  if (name == "zip") {
    expect(1, args.size());
    return zip_form(expr);
  }
  if (name == "enumerate") {
    expect(1, 2);
    return enumerate_form(expr);
  }
  if (name == "int" || name == "float" || name == "bool" || name == "complex" || name == "str") {
    return Sugar::of(number_cast(name, expr));
  }
  return function_form(name, expr, hint);
}

ir::Value* Lowerer::annotated(const Expr& annotation, const Expr& expr) {
  const TypePtr type = importer_.type_from(annotation, file_);
  ir::Value* result = fitted(value(expr, type), type);
  // What is annotated wider than it is stays so, for the types of lists made of it.
  return same_type(*result->type, *type) || is_unknown(*result->type) ? result : emit_.cast(result, type);
}

ir::Value* Lowerer::unchecked_cast(const Expr& annotation, const Expr& expr) {
  ir::Value* from = value(expr);
  const TypePtr type = importer_.type_from(annotation, file_);
  if (from->def && ir::is_written_cast(*from->def) && same_type(*from->type, *type)) return from;
  ir::Value* cast = emit_.cast(from, type);
  ir::mark_written_cast(*cast->def);
  return cast;
}

// getattr(object, name), getattr(object, name, otherwise).
Sugar Lowerer::getattr_form(std::span<Expr* const> args) {
  const Sugar object = sugar(*args[0]);
  const std::string attribute = literal_text(*args[1]);
  if (object.is(SugarKind::kValue)) {
    const TypeKind kind = object.value->type->kind();
    if (kind == TypeKind::kClass || kind == TypeKind::kInterface) {
      return get_attribute(object.value, attribute, args.size() == 3 ? args[2] : nullptr);
    }
    if (args.size() == 3 && has_attribute(object.value, attribute) == false) return sugar(*args[2]);
  }
  return attribute_of(object, attribute);
}

Sugar Lowerer::zip_form(const Expr& expr) {
  Sugar out = Sugar::named(SugarKind::kZip, "zip");
  for (const Expr* part : expr.arguments()) out.parts.push_back(sugar(*part));
  if (!expr.keywords.empty()) emit_.bad("zip has no argument '", expr.keywords[0].name, "'");
  return out;
}

// enumerate(items), enumerate(items, start), enumerate(items, start=...).
Sugar Lowerer::enumerate_form(const Expr& expr) {
  const std::span<Expr* const> args = expr.arguments();
  Sugar out = Sugar::named(SugarKind::kEnumerate, "enumerate");
  out.parts.push_back(sugar(*args[0]));
  if (args.size() == 2) out.value = fitted(value(*args[1]), types::integer());
  for (const ast::Keyword& keyword : expr.keywords) {
    if (keyword.name != "start") emit_.bad("enumerate has no argument '", keyword.name, "'");
    out.value = fitted(value(*keyword.value), types::integer());
  }
  return out;
}

ir::Value* Lowerer::number_cast(const std::string& name, const Expr& expr) {
  struct Entry {
    const char* name;
    TypeKind kind;
    const char* op;
    const char* method;
  };
  static constexpr Entry kEntries[] = {{"int", TypeKind::kInt, "aten::Int", "__int__"},
                                       {"float", TypeKind::kFloat, "aten::Float", "__float__"},
                                       {"bool", TypeKind::kBool, "aten::Bool", "__bool__"},
                                       {"complex", TypeKind::kComplex, "aten::Complex", "__complex__"},
                                       {"str", TypeKind::kString, "aten::str", "__str__"}};
  const Arguments arguments = arguments_of(expr);
  for (const Entry& entry : kEntries) {
    if (name != entry.name) continue;
    if (arguments.positional.size() == 1 && arguments.keywords.empty()) {
      ir::Value* only = arguments.positional[0];
      if (only->type->is(entry.kind)) return only;
      const ScriptClass* cls = only->type->is(TypeKind::kClass) ? importer_.class_of(*only->type) : nullptr;
      if (cls && cls->method(entry.method)) return call_method(only, entry.method, {});
    }
    return as_value(call_operator_named(entry.op, arguments, 1));
  }
  emit_.bad("unknown conversion ", name);
}

Sugar Lowerer::function_form(const std::string& name, const Expr& expr, const TypePtr& hint) {
  const std::span<Expr* const> args = expr.arguments();
  if (name == "print") {
    Arguments arguments;
    arguments.positional = items_of(args);
    return call_operator_named("prim::Print", arguments, 0);
  }
  if (name == "list") return Sugar::of(list_form(expr, hint));
  if (name == "tuple") return Sugar::of(tuple_form(expr));
  if (name == "dict" && args.empty()) return Sugar::of(dict_form(expr, hint));
  return builtin_function(name, arguments_of(expr));
}

ir::Value* Lowerer::list_form(const Expr& expr, const TypePtr& hint) {
  if (expr.arguments().empty()) {
    const bool hinted = hint && hint->is(TypeKind::kList);
    return hinted ? emit_.list(hint->element(0), {}) : emit_.empty_list();
  }
  const Sugar over = sugar(only_argument(expr, "list"));
  // A list of a list is a copy of it.
  if (over.is(SugarKind::kValue) &&
      (over.value->type->is(TypeKind::kList) || over.value->type->is(TypeKind::kString))) {
    return call_one(emit_, "aten::list", {over.value});
  }
  return list_of(over, hint);
}

ir::Value* Lowerer::tuple_form(const Expr& expr) {
  if (expr.arguments().empty()) return emit_.tuple({});
  const Iterable items = iterable(sugar(only_argument(expr, "tuple")));
  if (!items.count) emit_.bad("a tuple can only be made of something of known length");
  std::vector<ir::Value*> parts;
  for (size_t i = 0; i < *items.count; ++i) parts.push_back(items.item(index_constant(i)));
  return emit_.tuple(std::move(parts));
}

// dict(), dict(key=value, ...).
ir::Value* Lowerer::dict_form(const Expr& expr, const TypePtr& hint) {
  TypePtr type = hint && hint->is(TypeKind::kDict) ? hint : types::dict(types::string(), types::tensor());
  std::vector<ir::Value*> inputs;
  for (const ast::Keyword& keyword : expr.keywords) {
    inputs.push_back(emit_.constant(IValue(keyword.name)));
    inputs.push_back(value(*keyword.value));
  }
  if (!inputs.empty() && type != hint) type = types::dict(types::string(), inputs[1]->type);
  for (size_t i = 1; i < inputs.size(); i += 2) inputs[i] = fitted(inputs[i], type->element(1));
  ir::Node* node = emit_.node(ir::NodeKind::kDictConstruct, std::move(inputs));
  node->types = {type};
  return emit_.output(node, type);
}

// Functions that are operators, or methods of their first argument's class.
Sugar Lowerer::builtin_function(const std::string& name, Arguments arguments) {
  ir::Value* first = arguments.positional.empty() ? nullptr : arguments.positional[0];
  // A class may define len(x), abs(x), round(x), hash(x) itself.
  if (first && first->type->is(TypeKind::kClass)) {
    const ScriptClass* cls = importer_.class_of(*first->type);
    const std::string method = cat("__", name, "__");
    if (cls && cls->method(method)) {
      arguments.positional.erase(arguments.positional.begin());
      return Sugar::of(call_method(first, method, arguments));
    }
  }
  if (first && first->type->is(TypeKind::kTuple)) {
    if (name == "len") return Sugar::of(index_constant(first->type->elements().size()));
    if (name == "sum" || name == "any" || name == "all" || name == "min" || name == "max") {
      arguments.positional[0] = list_of(Sugar::of(first), nullptr);
    }
  }
  const bool is_prim = name == "min" || name == "max" || name == "abs" || name == "id" || name == "rangelist";
  const bool tensor_abs = name == "abs" && first && first->type->is(TypeKind::kTensor);
  return call_operator_named(cat(is_prim && !tensor_abs ? "prim::" : "aten::", name), arguments, 1);
}

ir::Value* Lowerer::fork(const Expr& expr) {
  const std::span<Expr* const> args = expr.arguments();
  if (args.empty()) emit_.bad("fork needs a function");
  const Sugar what = sugar(*args[0]);
  ir::Function* function = nullptr;
  std::vector<ir::Value*> inputs;
  if (what.is(SugarKind::kClosure)) {
    if (args.size() != 1 || !what.def->params.empty()) emit_.bad("a function inside a function takes no arguments");
    function = &importer_.new_function(cat(function_.name, ".", what.def->name));
    function->schema.name = function->name;
    Lowerer inner(importer_, *what.def, file_, *function, this);
    inner.depth_ = depth_;
    inner.run();
    emit_.charge(inner.emit_.spent());
    inputs = inner.captured();
  } else {
    Arguments arguments;
    arguments.positional = items_of(args.subspan(1));
    for (const ast::Keyword& keyword : expr.keywords) {
      arguments.keywords.push_back({keyword.name, value(*keyword.value)});
    }
    function = what.function;
    if (what.is(SugarKind::kMethod)) {
      const ScriptClass* cls = importer_.class_of(*what.value->type);
      function = cls ? cls->method(what.name) : nullptr;
      arguments.positional.insert(arguments.positional.begin(), what.value);
    }
    if (!function) emit_.bad("fork takes a function");
    if (function->schema.returns.empty()) importer_.lower_now(*function);
    inputs = match_only(emit_, function->schema, arguments).inputs;
  }
  ir::Node* node = emit_.node(ir::NodeKind::kFork, std::move(inputs));
  node->callee = function;
  node->name = function->name;
  return emit_.output(node, types::future(function->schema.returns[0].type));
}

}  // namespace wick::script
