// Calls of operators, functions, methods and classes.
#include "frontend/script/lowerer.h"

namespace wick::script {

Arguments Lowerer::arguments_of(const Expr& expr) {
  Arguments out;
  out.positional = items_of(expr.arguments());
  for (const ast::Keyword& keyword : expr.keywords) {
    out.keywords.push_back({keyword.name, value(*keyword.value)});
  }
  return out;
}

namespace {

// An operator can not call the program back, so lists of objects are sorted by code: places found by halving.
constexpr std::string_view kSortObjects = R"(def sort_objects(items: List[CLASS],
    reverse: bool=False) -> NoneType:
  done = annotate(List[CLASS], [])
  for i in range(torch.len(items)):
    item = items[i]
    low = 0
    high = i
    while torch.lt(low, high):
      middle = torch.floordiv(torch.add(low, high), 2)
      other = done[middle]
      if reverse:
        before = (other).__lt__(item, )
      else:
        before = (item).__lt__(other, )
      if before:
        high = middle
      else:
        low = torch.add(middle, 1)
    torch.insert(done, low, item)
  for j in range(torch.len(items)):
    torch._set_item(items, j, done[j])
  return None
)";

}  // namespace

ir::Value* Lowerer::sort_objects(std::string_view name, const Arguments& arguments) {
  const bool in_place = name == "aten::sort";
  if ((!in_place && name != "aten::sorted") || arguments.positional.empty() == !arguments.self) return nullptr;
  ir::Value* list = arguments.self ? arguments.self : arguments.positional[0];
  if (!list->type->is(TypeKind::kList) || !list->type->element(0)->is(TypeKind::kClass)) return nullptr;
  const ScriptClass* cls = importer_.class_of(*list->type->element(0));
  if (!cls || cls->is_interface() || !cls->method("__lt__")) return nullptr;
  std::string text(kSortObjects);
  constexpr std::string_view kClass = "CLASS";
  for (size_t at = text.find(kClass); at != std::string::npos; at = text.find(kClass, at + cls->name.size())) {
    text.replace(at, kClass.size(), cls->name);
  }
  ir::Function& sort = importer_.library_function(cat("__torch__.sort_objects_of.", cls->name), text);
  Arguments passed = arguments;
  if (arguments.self) passed.positional.insert(passed.positional.begin(), passed.self);
  passed.self = nullptr;
  if (!in_place) passed.positional[0] = list = call_one(emit_, "aten::list", {list});
  ir::Value* none = call_function(sort, std::move(passed));
  return in_place ? none : list;
}

// What PyTorch's compiler makes of comparing a number with itself, and of enum members, which are objects made anew
// wherever the code names them; null where it computes.
ir::Value* Lowerer::known_comparison(std::string_view name, const Arguments& arguments) {
  const bool identity = name == "aten::__is__" || name == "aten::__isnot__";
  if ((!identity && name != "aten::eq" && name != "aten::ne") || arguments.self || arguments.positional.size() != 2 ||
      !arguments.keywords.empty()) {
    return nullptr;
  }
  const ir::Value* left = arguments.positional[0];
  const ir::Value* right = arguments.positional[1];
  const bool positive = name == "aten::eq" || name == "aten::__is__";
  // Also of NaN.
  if (!identity && left == right && left->type->is(TypeKind::kFloat)) return emit_.constant(IValue(positive));
  auto named_here = [](const ir::Value* v) { return v->def && v->def->kind == ir::NodeKind::kConstant; };
  if (identity && left->type->is(TypeKind::kEnum) && right->type->is(TypeKind::kEnum) &&
      (left == right || named_here(left) || named_here(right))) {
    return emit_.constant(IValue((left == right) == positive));
  }
  return nullptr;
}

Sugar Lowerer::call_operator_named(const std::string& name, const Arguments& arguments, size_t outputs) {
  if (ir::Value* known = known_comparison(name, arguments)) return Sugar::of(known);
  if (ir::Value* sorted = sort_objects(name, arguments)) return Sugar::of(sorted);
  OperatorResult result = call_operator(emit_, name, arguments, outputs);
  if (result.values.size() == 1) return Sugar::of(result.values[0]);
  Sugar out;
  out.kind = SugarKind::kValues;
  out.values = std::move(result.values);
  out.schema = result.schema;
  return out;
}

Sugar Lowerer::call(const Expr& expr, const TypePtr& hint, size_t outputs) {
  const Sugar callee = sugar(expr.item(0));
  switch (callee.kind) {
    case SugarKind::kForm:
      return form(callee.name, expr, hint);
    case SugarKind::kOperator: {
      if (callee.name == "prim::tolist" && expr.arguments().size() == 1) {
        return Sugar::of(to_list(value(expr.item(1)), hint));
      }
      Arguments arguments = arguments_of(expr);
      arguments.self = callee.value;
      return call_operator_named(callee.name, arguments, outputs);
    }
    case SugarKind::kCast: {
      const Arguments arguments = arguments_of(expr);
      ir::Value* no = emit_.constant(IValue(false));
      return Sugar::of(call_one(emit_, "aten::to", {callee.value, emit_.constant(IValue(callee.integer)), no, no}));
    }
    case SugarKind::kToList:
      return Sugar::of(to_list(callee.value, hint));
    case SugarKind::kFunction:
      return Sugar::of(call_function(*callee.function, arguments_of(expr)));
    case SugarKind::kMethod:
      return Sugar::of(call_method(callee.value, callee.name, arguments_of(expr)));
    case SugarKind::kClass:
      if (callee.cls->kind == ClassKind::kNamedTuple) {
        return Sugar::of(make_named_tuple(*callee.cls, arguments_of(expr)));
      }
      return Sugar::of(make_object(*callee.cls, expr));
    case SugarKind::kNewObject: {
      ir::Node* node = emit_.node(ir::NodeKind::kCreateObject);
      node->types = {callee.cls->type};
      return Sugar::of(emit_.output(node, callee.cls->type));
    }
    case SugarKind::kValue:
      if (callee.value->type->is(TypeKind::kClass) || callee.value->type->is(TypeKind::kInterface)) {
        const ScriptClass* cls = importer_.class_of(*callee.value->type);
        const bool is_module = cls && cls->is_module();
        return Sugar::of(call_method(callee.value, is_module ? "forward" : "__call__", arguments_of(expr)));
      }
      emit_.bad("a value of type ", callee.value->type->str(), " cannot be called");
    case SugarKind::kClosure:
      emit_.bad("'", callee.def->name, "' can only be given to fork");
    case SugarKind::kQualified:
      if (callee.name.starts_with("__torch__.torch.classes.")) {
        if (const Operator* construct = find_operator(callee.name)) {
          return Sugar::of(
              emit_.op_node(construct, arguments_of(expr).positional, {types::class_type(callee.name)})->outputs[0]);
        }
        ir::Node* node = emit_.missing_op(callee.name, arguments_of(expr).positional, 1);
        return Sugar::of(node->outputs[0]);
      }
      [[fallthrough]];
    default:
      return Sugar::of(as_value(callee));
  }
}

ir::Value* Lowerer::call_function(ir::Function& function, Arguments arguments) {
  if (function.schema.returns.empty()) importer_.lower_now(function);
  Match match = match_only(emit_, function.schema, arguments);
  ir::Node* node = emit_.node(ir::NodeKind::kCallFunction, std::move(match.inputs));
  node->callee = &function;
  node->name = function.name;
  return emit_.output(node, function.schema.returns[0].type);
}

ir::Value* Lowerer::call_method(ir::Value* object, std::string_view name, const Arguments& arguments) {
  const ScriptClass* cls = importer_.class_of(*object->type);
  if (cls && !cls->is_interface()) {
    ir::Function* method = cls->method(name);
    if (!method) emit_.bad("'", cls->name, "' object has no attribute or method '", name, "'");
    Arguments all = arguments;
    all.positional.insert(all.positional.begin(), object);
    return call_function(*method, std::move(all));
  }
  std::vector<ir::Value*> inputs{object};
  TypePtr result = unknown_type();
  if (cls) {
    const FunctionSchema* schema = cls->interface_method(name);
    if (!schema) emit_.bad("'", cls->name, "' has no method '", name, "'");
    Arguments all = arguments;
    all.positional.insert(all.positional.begin(), object);
    inputs = match_only(emit_, *schema, all).inputs;
    if (!schema->returns.empty()) result = schema->returns[0].type;
  } else {
    inputs.insert(inputs.end(), arguments.positional.begin(), arguments.positional.end());
    for (const NamedArgument& keyword : arguments.keywords) inputs.push_back(keyword.value);
  }
  ir::Node* node = emit_.node(ir::NodeKind::kCallMethod, std::move(inputs));
  node->name = name;
  return emit_.output(node, result);
}

ir::Value* Lowerer::make_object(const ScriptClass& cls, const Expr& expr) {
  if (cls.kind == ClassKind::kEnum) {
    // Color(2): the member with that value.
    ir::Value* wanted = value(only_argument(expr, "an enum"));
    if (wanted->def && wanted->def->kind == ir::NodeKind::kConstant) {
      for (const ScriptClass::Constant& member : cls.constants) {
        if (member.value.is_enum() && equal(member.value.to_enum().value, wanted->def->constant)) {
          return emit_.constant(member.value, member.type);
        }
      }
    }
    emit_.bad("no member of ", cls.name, " has this value");
  }
  if (cls.is_interface() || !cls.type->is(TypeKind::kClass)) emit_.bad(cls.name, " cannot be made by a call");
  Arguments arguments = arguments_of(expr);
  ir::Node* node = emit_.node(ir::NodeKind::kCreateObject);
  node->types = {cls.type};
  ir::Value* object = emit_.output(node, cls.type);
  if (cls.method("__init__")) {
    call_method(object, "__init__", arguments);
  } else if (!arguments.positional.empty() || !arguments.keywords.empty()) {
    emit_.bad(cls.name, " takes no arguments");
  }
  return object;
}

ir::Value* Lowerer::make_named_tuple(const ScriptClass& cls, const Arguments& arguments) {
  FunctionSchema schema;
  schema.name = cls.name;
  for (const ScriptClass::Field& field : cls.fields) {
    Argument argument;
    argument.name = field.name;
    argument.type = field.type;
    if (field.default_value) {
      argument.has_default = true;
      argument.default_value = *field.default_value;
    }
    schema.arguments.push_back(std::move(argument));
  }
  return emit_.tuple(match_only(emit_, schema, arguments).inputs, cls.type);
}

// The type wanted says how deep the list is and what is in it.
ir::Value* Lowerer::to_list(ir::Value* tensor, const TypePtr& hint) {
  if (!hint) emit_.bad("Expected type hint for result of tolist()");
  int64_t depth = 0;
  const Type* element = hint.get();
  while (element->is(TypeKind::kList)) {
    element = element->element(0).get();
    ++depth;
  }
  int64_t code;
  switch (element->kind()) {
    case TypeKind::kInt:
      code = 0;
      break;
    case TypeKind::kFloat:
      code = 1;
      break;
    case TypeKind::kBool:
      code = 2;
      break;
    case TypeKind::kComplex:
      code = 3;
      break;
    default:
      emit_.bad("tolist() gives numbers, not ", element->str());
  }
  const std::vector<ir::Value*> inputs{tensor, emit_.constant(IValue(depth)), emit_.constant(IValue(code))};
  return emit_.op_node(find_operator("prim::tolist"), inputs, {hint})->outputs[0];
}

const ast::Expr& Lowerer::only_argument(const Expr& expr, const char* what) {
  if (expr.arguments().size() != 1 || !expr.keywords.empty() || expr.item(1).is(ExprKind::kStarred)) {
    emit_.bad(what, " takes one argument");
  }
  return expr.item(1);
}

std::string Lowerer::literal_text(const Expr& expr) {
  if (!expr.is(ExprKind::kString)) emit_.bad("the name of an attribute must be a string literal");
  return std::string(expr.text);
}

}  // namespace wick::script
