// Type annotations to types.
#include "core/check.h"
#include "core/limits.h"
#include "frontend/script/importer.h"

namespace wick::script {

using ast::Expr;
using ast::ExprKind;

namespace {

struct BasicName {
  std::string_view name;
  TypeKind kind;
};
constexpr BasicName kBasicNames[] = {
    {"Tensor", TypeKind::kTensor},     {"int", TypeKind::kInt},
    {"float", TypeKind::kFloat},       {"bool", TypeKind::kBool},
    {"complex", TypeKind::kComplex},   {"str", TypeKind::kString},
    {"string", TypeKind::kString},     {"Device", TypeKind::kDevice},
    {"number", TypeKind::kNumber},     {"Scalar", TypeKind::kNumber},
    {"Any", TypeKind::kAny},           {"None", TypeKind::kNone},
    {"NoneType", TypeKind::kNone},     {"Generator", TypeKind::kGenerator},
    {"Stream", TypeKind::kStream},     {"Storage", TypeKind::kStorage},
    {"Capsule", TypeKind::kCapsule},   {"list", TypeKind::kAnyList},
    {"List", TypeKind::kAnyList},      {"AnyList", TypeKind::kAnyList},
    {"tuple", TypeKind::kAnyTuple},    {"Tuple", TypeKind::kAnyTuple},
    {"AnyTuple", TypeKind::kAnyTuple}, {"AnyClassType", TypeKind::kAnyClass},
    {"AnyEnumType", TypeKind::kAny},   {"QScheme", TypeKind::kInt},
    {"ScalarType", TypeKind::kInt},    {"Layout", TypeKind::kInt},
    {"MemoryFormat", TypeKind::kInt},  {"dtype", TypeKind::kInt},
    {"layout", TypeKind::kInt},        {"memory_format", TypeKind::kInt},
    {"qscheme", TypeKind::kInt},       {"device", TypeKind::kDevice},
};

TypePtr basic_type(std::string_view name) {
  for (const BasicName& b : kBasicNames) {
    if (b.name == name) return types::basic(b.kind);
  }
  return nullptr;
}

// Union[T, None] is Optional[T]; one of the same types is enough.
TypePtr make_union(const std::vector<TypePtr>& options) {
  std::vector<TypePtr> kept;
  bool none = false;
  const auto add = [&](const TypePtr& type) {
    if (type->is(TypeKind::kNone)) {
      none = true;
      return;
    }
    for (const TypePtr& k : kept) {
      if (same_type(*k, *type)) return;
    }
    kept.push_back(type);
  };
  for (const TypePtr& option : options) {
    if (option->is(TypeKind::kOptional) || option->is(TypeKind::kUnion)) {
      none = none || option->is(TypeKind::kOptional);
      for (const TypePtr& inner : option->elements()) add(inner);
    } else {
      add(option);
    }
  }
  if (kept.empty()) return types::none();
  if (kept.size() == 1) return none ? types::optional(kept[0]) : kept[0];
  if (none) kept.push_back(types::none());
  return types::union_of(std::move(kept));
}

}  // namespace

TypePtr Importer::type_from(const Expr& annotation, const SourceFile& file) {
  const auto bad = [&](const auto&... parts) { file.fail_at(annotation.at, ErrorCode::kCorruptFile, cat(parts...)); };
  if (annotation.depth > limits::kMaxTypeDepth) {
    file.fail_at(annotation.at, ErrorCode::kLimitExceeded, cat("a type is nested deeper than ", limits::kMaxTypeDepth));
  }
  if (annotation.is(ExprKind::kNone)) return types::none();
  if (annotation.is(ExprKind::kName)) {
    if (TypePtr basic = basic_type(annotation.text)) return basic;
    bad("Unknown type name '", annotation.text, "'");
  }
  if (annotation.is(ExprKind::kAttribute)) {
    const std::string name = ast::qualified_name(annotation);
    if (TypePtr named = type_named(name)) return named;
    if (name.starts_with("torch.")) {
      if (TypePtr basic = basic_type(std::string_view(name).substr(6))) return basic;
    }
    bad("Unknown type name '", name, "'");
  }
  if (annotation.is(ExprKind::kBinary) && annotation.op == ast::Op::kBitOr) {
    return make_union({type_from(annotation.item(0), file), type_from(annotation.item(1), file)});
  }
  if (!annotation.is(ExprKind::kSubscript) || !annotation.item(0).is(ExprKind::kName))
    bad("expected a type annotation");
  return generic_type(annotation, file);
}

// A constructor of types with its arguments: List[int].
TypePtr Importer::generic_type(const Expr& annotation, const SourceFile& file) {
  const auto bad = [&](const auto&... parts) { file.fail_at(annotation.at, ErrorCode::kCorruptFile, cat(parts...)); };
  const std::string_view name = annotation.item(0).text;
  std::vector<TypePtr> arguments;
  for (const Expr* argument : annotation.arguments()) {
    if (argument->is(ExprKind::kTuple) && argument->items.empty()) continue;  // Tuple[()]
    arguments.push_back(type_from(*argument, file));
  }
  const auto expect = [&](size_t count) {
    if (arguments.size() != count) bad(name, " has ", arguments.size(), " type arguments, expected ", count);
  };
  if (name == "Tuple" || name == "tuple") return types::tuple(std::move(arguments));
  if (name == "Union") {
    if (arguments.empty()) bad("a Union needs types");
    return make_union(arguments);
  }
  if (name == "Dict" || name == "dict") {
    expect(2);
    return types::dict(arguments[0], arguments[1]);
  }
  if (name == "List" || name == "list") {
    expect(1);
    return types::list(arguments[0]);
  }
  if (name == "Optional") {
    expect(1);
    return make_union({arguments[0], types::none()});
  }
  if (name == "Future" || name == "Await" || name == "RRef") {
    expect(1);
    return types::future(arguments[0]);
  }
  if (name == "Final") {
    expect(1);
    return arguments[0];
  }
  bad("Unknown type constructor ", name);
  return nullptr;
}

}  // namespace wick::script
