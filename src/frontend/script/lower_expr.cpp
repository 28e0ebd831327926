// Names, literals, displays and operators.
#include <cmath>
#include <limits>

#include "core/stack.h"
#include "frontend/script/lowerer.h"

namespace wick::script {

namespace {

// Names that are not variables of the program.
bool is_form(std::string_view name) {
  static constexpr std::string_view kForms[] = {"annotate",      "unchecked_cast",
                                                "uninitialized", "fork",
                                                "awaitable",     "isinstance",
                                                "hasattr",       "getattr",
                                                "print",         "tuple",
                                                "float",         "complex",
                                                "int",           "bool",
                                                "str",           "_to_tensor",
                                                "len",           "hex",
                                                "oct",           "round",
                                                "hash",          "id",
                                                "min",           "max",
                                                "abs",           "all",
                                                "any",           "divmod",
                                                "sum",           "list",
                                                "dict",          "ord",
                                                "chr",           "bin",
                                                "pow",           "range",
                                                "zip",           "enumerate",
                                                "rangelist",     "sorted"};
  for (std::string_view form : kForms) {
    if (form == name) return true;
  }
  return false;
}

struct Infix {
  ast::Op op;
  const char* name;
  const char* method;  // what a class defines for it
};
constexpr Infix kInfix[] = {
    {ast::Op::kAdd, "aten::add", "__add__"},
    {ast::Op::kSub, "aten::sub", "__sub__"},
    {ast::Op::kMul, "aten::mul", "__mul__"},
    {ast::Op::kDiv, "aten::div", "__truediv__"},
    {ast::Op::kFloorDiv, "aten::floordiv", "__floordiv__"},
    {ast::Op::kMod, "aten::remainder", "__mod__"},
    {ast::Op::kPow, "aten::pow", "__pow__"},
    {ast::Op::kMatMul, "aten::matmul", "__matmul__"},
    {ast::Op::kBitAnd, "aten::__and__", "__and__"},
    {ast::Op::kBitOr, "aten::__or__", "__or__"},
    {ast::Op::kBitXor, "aten::__xor__", "__xor__"},
    {ast::Op::kShiftLeft, "aten::__lshift__", "__lshift__"},
    {ast::Op::kShiftRight, "aten::__rshift__", "__rshift__"},
    {ast::Op::kEqual, "aten::eq", "__eq__"},
    {ast::Op::kNotEqual, "aten::ne", "__ne__"},
    {ast::Op::kLess, "aten::lt", "__lt__"},
    {ast::Op::kLessEqual, "aten::le", "__le__"},
    {ast::Op::kGreater, "aten::gt", "__gt__"},
    {ast::Op::kGreaterEqual, "aten::ge", "__ge__"},
    {ast::Op::kIs, "aten::__is__", nullptr},
    {ast::Op::kIsNot, "aten::__isnot__", nullptr},
};

}  // namespace

ir::Value* Lowerer::value(const Expr& expr, const TypePtr& hint) { return as_value(sugar(expr, hint)); }

ir::Value* Lowerer::as_value(const Sugar& sugar) {
  switch (sugar.kind) {
    case SugarKind::kValue:
      return sugar.value;
    case SugarKind::kValues: {
      if (sugar.values.empty()) return emit_.none();
      if (sugar.values.size() == 1) return sugar.values[0];
      std::vector<std::string> fields;
      if (sugar.schema && sugar.schema->returns.size() == sugar.values.size()) {
        for (const Argument& ret : sugar.schema->returns) {
          if (!ret.name.empty()) fields.push_back(ret.name);
        }
      }
      ir::Value* out = emit_.tuple(sugar.values);
      if (fields.size() == sugar.values.size()) {
        out->type = types::make(TypeKind::kTuple, out->type->elements(), std::string(), std::move(fields));
      }
      return out;
    }
    case SugarKind::kRange:
    case SugarKind::kZip:
    case SugarKind::kEnumerate:
      return list_of(sugar, nullptr);
    case SugarKind::kQualified:
      emit_.bad("Unknown name '", sugar.name, "': the archive has no such class or function");
    default:
      emit_.bad("'", sugar.name.empty() ? std::string(sugar.function ? sugar.function->name : "this") : sugar.name,
                "' cannot be used as a value");
  }
}

Sugar Lowerer::sugar(const Expr& expr, const TypePtr& hint, size_t outputs) {
  check_stack("expressions");
  emit_.charge();
  const At at(*this, expr.at);
  switch (expr.kind) {
    case ExprKind::kName:
      return name(expr);
    case ExprKind::kInt:
      return Sugar::of(emit_.constant(IValue(expr.integer)));
    case ExprKind::kFloat:
      return Sugar::of(emit_.constant(IValue(expr.number)));
    case ExprKind::kImaginary:
      return Sugar::of(emit_.constant(IValue(std::complex<double>(0, expr.number))));
    case ExprKind::kString:
      return Sugar::of(emit_.constant(IValue(expr.text)));
    case ExprKind::kTrue:
      return Sugar::of(emit_.constant(IValue(true)));
    case ExprKind::kFalse:
      return Sugar::of(emit_.constant(IValue(false)));
    case ExprKind::kNone:
      return Sugar::of(emit_.none());
    case ExprKind::kList:
      return Sugar::of(list_display(expr, hint));
    case ExprKind::kTuple:
      return Sugar::of(tuple_display(expr, hint));
    case ExprKind::kDict:
      return Sugar::of(dict_display(expr, hint));
    case ExprKind::kUnary:
      return Sugar::of(unary(expr));
    case ExprKind::kBinary:
      return Sugar::of(binary(expr));
    case ExprKind::kConditional:
      return Sugar::of(ternary(expr, hint));
    case ExprKind::kAttribute:
      return attribute(expr);
    case ExprKind::kSubscript:
      return subscript(expr);
    case ExprKind::kCall:
      return call(expr, hint, outputs);
    case ExprKind::kListComp:
    case ExprKind::kDictComp:
      return Sugar::of(comprehension(expr, hint));
    case ExprKind::kEllipsis:
    case ExprKind::kSlice:
    case ExprKind::kStarred:
      break;
  }
  emit_.bad("this cannot be used as a value");
}

Sugar Lowerer::name(const Expr& expr) {
  const std::string_view text = expr.text;
  if (const Binding* found = lookup(text)) {
    if (!found->problem.empty()) emit_.bad(found->problem);
    return found->what;
  }
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (text == "torch") return Sugar::named(SugarKind::kTorch, "torch");
  if (text == "ops") return Sugar::named(SugarKind::kOps, "");
  if (text == "__torch__") return Sugar::named(SugarKind::kQualified, "__torch__");
  if (text == "CONSTANTS") return Sugar::named(SugarKind::kConstants, "CONSTANTS");
  if (text == "inf") return Sugar::of(emit_.constant(IValue(kInf)));
  if (text == "nan") return Sugar::of(emit_.constant(IValue(kNan)));
  if (text == "infj") return Sugar::of(emit_.constant(IValue(std::complex<double>(0, kInf))));
  if (text == "nanj") return Sugar::of(emit_.constant(IValue(std::complex<double>(0, kNan))));
  if (is_form(text)) return Sugar::named(SugarKind::kForm, std::string(text));
  emit_.bad("undefined value ", text);
}

std::vector<ir::Value*> Lowerer::items_of(std::span<Expr* const> exprs, const std::vector<TypePtr>& hints) {
  std::vector<ir::Value*> out;
  for (const Expr* expr : exprs) {
    if (!expr->is(ExprKind::kStarred)) {
      out.push_back(value(*expr, out.size() < hints.size() ? hints[out.size()] : nullptr));
      continue;
    }
    ir::Value* whole = value(expr->item(0));
    if (!whole->type->is(TypeKind::kTuple)) emit_.bad("only a tuple can be unpacked with *");
    for (ir::Value* item : emit_.unpack_tuple(whole)) out.push_back(item);
  }
  return out;
}

ir::Value* Lowerer::list_display(const Expr& expr, const TypePtr& hint) {
  TypePtr wanted;
  if (hint) {
    const TypePtr& inner = hint->is(TypeKind::kOptional) ? hint->element(0) : hint;
    if (inner->is(TypeKind::kList)) wanted = inner->element(0);
    if (inner->is(TypeKind::kUnion)) {
      for (const TypePtr& option : inner->elements()) {
        if (option->is(TypeKind::kList) && !wanted) wanted = option->element(0);
      }
    }
  }
  std::vector<ir::Value*> items =
      items_of(expr.items, wanted ? std::vector<TypePtr>(expr.items.size(), wanted) : std::vector<TypePtr>{});
  if (items.empty()) return wanted ? emit_.list(wanted, {}) : emit_.empty_list();
  if (wanted) {
    bool fit = true;
    for (const ir::Value* item : items) fit = fit && emit_.fits(*item->type, *wanted);
    if (fit) return emit_.list(wanted, std::move(items));
  }
  TypePtr element = items[0]->type;
  for (const ir::Value* item : items) {
    TypePtr both = emit_.unify(element, item->type, /*any_union=*/true);
    element = both;
  }
  return emit_.list(element, std::move(items));
}

ir::Value* Lowerer::tuple_display(const Expr& expr, const TypePtr& hint) {
  const bool hinted = hint && hint->is(TypeKind::kTuple) && hint->elements().size() == expr.items.size();
  return emit_.tuple(items_of(expr.items, hinted ? hint->elements() : std::vector<TypePtr>{}));
}

ir::Value* Lowerer::dict_display(const Expr& expr, const TypePtr& hint) {
  TypePtr key = types::string();
  TypePtr item = types::tensor();
  TypePtr wanted = hint && hint->is(TypeKind::kOptional) ? hint->element(0) : hint;
  if (wanted && !wanted->is(TypeKind::kDict)) wanted = nullptr;
  std::vector<ir::Value*> inputs;
  for (size_t i = 0; i < expr.items.size(); ++i) {
    inputs.push_back(value(*expr.items[i], wanted ? wanted->element(i % 2) : nullptr));
  }
  if (wanted) {
    key = wanted->element(0);
    item = wanted->element(1);
    for (size_t i = 0; i < inputs.size(); ++i) inputs[i] = fitted(inputs[i], i % 2 ? item : key);
  } else if (!inputs.empty()) {
    key = inputs[0]->type;
    item = inputs[1]->type;
    for (size_t i = 2; i < inputs.size(); i += 2) {
      key = emit_.unify(key, inputs[i]->type);
      if (!key) emit_.bad("the keys of a dict must have one type");
      item = emit_.unify(item, inputs[i + 1]->type, /*any_union=*/true);
    }
  }
  ir::Node* node = emit_.node(ir::NodeKind::kDictConstruct, std::move(inputs));
  TypePtr type = emit_.checked(types::dict(key, item));
  node->types = {type};
  return emit_.output(node, std::move(type));
}

ir::Value* Lowerer::unary(const Expr& expr) {
  if (expr.op == ast::Op::kNot) return value_of(condition(expr));
  ir::Value* operand = value(expr.item(0));
  if (operand->type->is(TypeKind::kClass)) {
    return call_method(operand, expr.op == ast::Op::kNegate ? "__neg__" : "__invert__", {});
  }
  const ir::Node* def = operand->def;
  if (expr.op == ast::Op::kNegate && def && def->kind == ir::NodeKind::kConstant) {
    if (def->constant.is_double()) return emit_.constant(IValue(-def->constant.to_double()));
    if (def->constant.is_complex()) return emit_.constant(IValue(-def->constant.to_complex()));
  }
  return call_one(emit_, expr.op == ast::Op::kNegate ? "aten::neg" : "aten::bitwise_not", {operand});
}

ir::Value* Lowerer::infix(ast::Op op, ir::Value* left, ir::Value* right) {
  for (const Infix& entry : kInfix) {
    if (entry.op != op) continue;
    if (entry.method && left->type->is(TypeKind::kClass)) {
      Arguments arguments;
      arguments.positional = {right};
      return call_method(left, entry.method, arguments);
    }
    return call_one(emit_, entry.name, {left, right});
  }
  emit_.bad("this operator is not supported");
}

ir::Value* Lowerer::binary(const Expr& expr) {
  switch (expr.op) {
    case ast::Op::kAnd:
    case ast::Op::kOr:
      return value_of(condition(expr));
    case ast::Op::kIs:
    case ast::Op::kIsNot: {
      if (expr.item(0).is(ExprKind::kNone) || expr.item(1).is(ExprKind::kNone)) return value_of(condition(expr));
      ir::Value* left = value(expr.item(0));
      const bool literal = expr.item(1).is(ExprKind::kTrue) || expr.item(1).is(ExprKind::kFalse);
      const ast::Op op = !literal ? expr.op : expr.op == ast::Op::kIs ? ast::Op::kEqual : ast::Op::kNotEqual;
      return infix(op, left, value(expr.item(1)));
    }
    case ast::Op::kIn:
    case ast::Op::kNotIn: {
      ir::Value* item = value(expr.item(0));
      ir::Value* container = value(expr.item(1));
      ir::Value* found;
      if (container->type->is(TypeKind::kClass)) {
        Arguments arguments;
        arguments.positional = {item};
        found = call_method(container, "__contains__", arguments);
      } else {
        if (container->type->is(TypeKind::kTuple) && !container->type->elements().empty()) {
          container = list_of(Sugar::of(container), nullptr);
        }
        found = call_one(emit_, "aten::__contains__", {container, item});
      }
      return expr.op == ast::Op::kIn ? found : emit_.op("aten::__not__", {found});
    }
    default: {
      ir::Value* left = value(expr.item(0));
      ir::Value* right = value(expr.item(1));
      // 1.+2.j is one constant.
      if ((expr.op == ast::Op::kAdd || expr.op == ast::Op::kSub) && expr.item(1).is(ExprKind::kImaginary) &&
          left->def && left->def->kind == ir::NodeKind::kConstant && left->type->is(TypeKind::kFloat)) {
        const double imaginary = expr.op == ast::Op::kAdd ? expr.item(1).number : -expr.item(1).number;
        return emit_.constant(IValue(std::complex<double>(left->def->constant.to_double(), imaginary)));
      }
      // "%d" % x formats.
      if (expr.op == ast::Op::kMod && left->type->is(TypeKind::kString)) {
        if (!right->type->is(TypeKind::kTuple)) right = emit_.tuple({right});
        return call_one(emit_, "aten::percentFormat", {left, right});
      }
      return infix(expr.op, left, right);
    }
  }
}

ir::Value* Lowerer::ternary(const Expr& expr, const TypePtr& hint) {
  const Condition test = condition(expr.item(0));
  if (test.known) {
    refine(*test.known ? test.yes : test.no);
    return value(expr.item(*test.known ? 1 : 2), hint);
  }
  ir::Node* node = emit_.node(ir::NodeKind::kIf, {test.value});
  auto side = [&](const Refinements& refinements, const Expr& of) {
    ir::Value* result = nullptr;
    Branch out = branch(node, refinements, [&] {
      result = value(of, hint);
      return Flow::kFalls;
    });
    out.values = {result};
    return out;
  };
  Branch yes = side(test.yes, expr.item(1));
  Branch no = side(test.no, expr.item(2));
  join_values(node, yes, no, {emit_.unify(yes.values[0]->type, no.values[0]->type, /*any_union=*/true)});
  return node->outputs[0];
}

}  // namespace wick::script
