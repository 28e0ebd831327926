// Values that are known from the text alone: defaults, constants of classes, members of enums.
#include <complex>
#include <limits>
#include <optional>

#include "core/check.h"
#include "frontend/script/importer.h"

namespace wick::script {

using ast::Expr;
using ast::ExprKind;

namespace {

std::optional<IValue> named_number(std::string_view name) {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  if (name == "inf") return IValue(kInf);
  if (name == "nan") return IValue(kNan);
  if (name == "infj") return IValue(std::complex<double>(0, kInf));
  if (name == "nanj") return IValue(std::complex<double>(0, kNan));
  return std::nullopt;
}

std::optional<IValue> negated(const IValue& value) {
  if (value.is_int()) return IValue(static_cast<int64_t>(0 - static_cast<uint64_t>(value.to_int())));
  if (value.is_double()) return IValue(-value.to_double());
  if (value.is_complex()) return IValue(-value.to_complex());
  return std::nullopt;
}

// A complex number as Python writes it: a real number, and an imaginary one added or subtracted.
std::optional<IValue> complex_sum(const IValue& a, const IValue& b, bool subtracts) {
  if (!a.is_number() || !b.is_complex()) return std::nullopt;
  return IValue(a.to_complex() + (subtracts ? -b.to_complex() : b.to_complex()));
}

// The type a literal is read with, looking through Optional.
TypePtr wanted(const TypePtr& type) { return type && type->is(TypeKind::kOptional) ? type->element(0) : type; }

IValue with_type(IValue value, const TypePtr& type) {
  if (!type) return value;
  if (type->is(TypeKind::kFloat) && value.is_int()) return IValue(value.to_double());
  if (type->is(TypeKind::kComplex) && (value.is_int() || value.is_double())) return IValue(value.to_complex());
  return value;
}

TypePtr common_type(const std::vector<IValue>& items) {
  TypePtr out;
  for (const IValue& item : items) {
    TypePtr type = item.type();
    if (out && !same_type(*out, *type)) return types::any();
    out = std::move(type);
  }
  return out ? out : types::tensor();  // [] is a list of tensors
}

}  // namespace

IValue Importer::literal(const Expr& expr, const SourceFile& file, const TypePtr& declared) {
  const TypePtr type = wanted(declared);
  std::optional<IValue> value;
  switch (expr.kind) {
    case ExprKind::kInt:
      return with_type(IValue(expr.integer), type);
    case ExprKind::kFloat:
      return with_type(IValue(expr.number), type);
    case ExprKind::kImaginary:
      return IValue(std::complex<double>(0, expr.number));
    case ExprKind::kString:
      return IValue(expr.text);
    case ExprKind::kTrue:
      return IValue(true);
    case ExprKind::kFalse:
      return IValue(false);
    case ExprKind::kNone:
      return IValue();
    case ExprKind::kName:
      value = named_number(expr.text);
      break;
    case ExprKind::kUnary:
      if (expr.op == ast::Op::kNegate) value = negated(literal(expr.item(0), file, type));
      break;
    case ExprKind::kBinary:  // 1.+2.j
      if (expr.op == ast::Op::kAdd || expr.op == ast::Op::kSub) {
        const IValue a = literal(expr.item(0), file), b = literal(expr.item(1), file);
        value = complex_sum(a, b, expr.op == ast::Op::kSub);
      }
      break;
    case ExprKind::kList:
      return list_literal(expr, file, type);
    case ExprKind::kTuple:
      return tuple_literal(expr, file, type);
    case ExprKind::kDict:
      return dict_literal(expr, file, type);
    case ExprKind::kAttribute:
      value = constant_literal(expr, file);
      break;
    case ExprKind::kCall:
      value = call_literal(expr, file);
      break;
    default:
      break;
  }
  if (!value) file.fail_at(expr.at, ErrorCode::kCorruptFile, "expected a constant");
  return *std::move(value);
}

IValue Importer::list_literal(const Expr& expr, const SourceFile& file, const TypePtr& type) {
  const TypePtr of = type && type->is(TypeKind::kList) ? type->element(0) : nullptr;
  std::vector<IValue> items;
  for (const Expr* item : expr.items) items.push_back(literal(*item, file, of));
  const TypePtr list_of = of ? of : common_type(items);
  return IValue::list(list_of, std::move(items));
}

IValue Importer::tuple_literal(const Expr& expr, const SourceFile& file, const TypePtr& type) {
  const bool typed = type && type->is(TypeKind::kTuple);
  auto tuple = make_ref<TupleImpl>();
  for (size_t i = 0; i < expr.items.size(); ++i) {
    const bool has_type = typed && i < type->elements().size();
    tuple->items.push_back(literal(expr.item(i), file, has_type ? type->element(i) : nullptr));
  }
  if (typed && !type->name().empty() && type->elements().size() == tuple->items.size()) tuple->named_type = type;
  return IValue(Ref<TupleImpl>(tuple));
}

IValue Importer::dict_literal(const Expr& expr, const SourceFile& file, const TypePtr& type) {
  const bool typed = type && type->is(TypeKind::kDict);
  const TypePtr key_type = typed ? type->element(0) : nullptr, value_type = typed ? type->element(1) : nullptr;
  std::vector<IValue> keys, values;
  for (size_t i = 0; i + 1 < expr.items.size(); i += 2) {
    keys.push_back(literal(expr.item(i), file, key_type));
    values.push_back(literal(expr.item(i + 1), file, value_type));
  }
  auto dict = make_ref<DictImpl>();
  dict->key_type = typed ? key_type : keys.empty() ? types::string() : common_type(keys);
  dict->value_type = typed ? value_type : common_type(values);
  for (size_t i = 0; i < keys.size(); ++i) dict->set(std::move(keys[i]), std::move(values[i]));
  return IValue(Ref<DictImpl>(dict));
}

// CONSTANTS.c0, or a class's constant.
std::optional<IValue> Importer::constant_literal(const Expr& expr, const SourceFile& file) {
  if (expr.item(0).is_name("CONSTANTS")) return constant(constant_index(expr, file));
  const std::string name = ast::qualified_name(expr);
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const ScriptClass* cls = class_named(std::string_view(name).substr(0, dot));
  const ScriptClass::Constant* member = cls ? cls->constant(name.substr(dot + 1)) : nullptr;
  return member ? std::optional(member->value) : std::nullopt;
}

// annotate(T, value), torch.device("..."), or a NamedTuple.
std::optional<IValue> Importer::call_literal(const Expr& expr, const SourceFile& file) {
  const std::string callee = ast::qualified_name(expr.item(0));
  const auto arguments = expr.arguments();
  if (callee == "annotate" && arguments.size() == 2) {
    return literal(*arguments[1], file, type_from(*arguments[0], file));
  }
  if ((callee == "torch.device" || callee == "device") && arguments.size() == 1 &&
      arguments[0]->is(ExprKind::kString)) {
    return IValue(Device{});
  }
  const ScriptClass* cls = callee.empty() ? nullptr : class_named(callee);
  if (!cls || cls->kind != ClassKind::kNamedTuple || arguments.size() != cls->fields.size()) return std::nullopt;
  auto tuple = make_ref<TupleImpl>();
  for (size_t i = 0; i < arguments.size(); ++i) {
    tuple->items.push_back(literal(*arguments[i], file, cls->fields[i].type));
  }
  tuple->named_type = cls->type;
  return IValue(Ref<TupleImpl>(tuple));
}

int64_t Importer::constant_index(const Expr& expr, const SourceFile& file) const {
  const std::string_view digits = expr.text.substr(std::min<size_t>(1, expr.text.size()));
  int64_t index = 0;
  bool valid = expr.text.starts_with('c') && !digits.empty() && digits.size() <= 9;
  for (char c : digits) {
    valid = valid && c >= '0' && c <= '9';
    if (valid) index = index * 10 + (c - '0');
  }
  if (!valid) file.fail_at(expr.at, ErrorCode::kCorruptFile, cat("there is no constant '", expr.text, "'"));
  return index;
}

}  // namespace wick::script
