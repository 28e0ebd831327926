// Matches the caller's arguments with a method's schema.
#include "runtime/arguments.h"

#include <array>

#include "config/build.h"
#include "core/check.h"
#include "core/instance.h"
#include "core/schema_text.h"

namespace wick::runtime {
namespace {

// Makes the value one of the type; false when it can't be. Lists and dicts of untyped files get the declared element
// types.
bool convert(IValue& v, const Type& type);

bool convert_items(const std::vector<IValue>& items, const std::vector<TypePtr>& types, std::vector<IValue>& out) {
  out = items;
  for (size_t i = 0; i < out.size(); ++i) {
    if (!convert(out[i], *types[types.size() == 1 ? 0 : i])) return false;
  }
  return true;
}

bool convert_list(IValue& v, const Type& type) {
  if (v.is_list() && same_type(*v.to_list().element_type, *type.element(0))) return true;
  std::vector<IValue> items;
  if (!convert_items(v.is_list() ? v.to_list().items : v.to_tuple().items, type.elements(), items)) return false;
  v = IValue::list(type.element(0), std::move(items));
  return true;
}

bool convert_tuple(IValue& v, const Type& type) {
  const std::vector<IValue>& items = v.is_tuple() ? v.to_tuple().items : v.to_list().items;
  if (items.size() != type.elements().size()) return false;
  auto tuple = make_ref<TupleImpl>();
  if (!convert_items(items, type.elements(), tuple->items)) return false;
  if (!type.name().empty()) tuple->named_type = TypePtr(&type);
  v = IValue(std::move(tuple));
  return true;
}

bool convert_dict(IValue& v, const Type& type) {
  DictImpl& dict = v.to_dict();
  if (same_type(*dict.key_type, *type.element(0)) && same_type(*dict.value_type, *type.element(1))) return true;
  auto out = make_ref<DictImpl>();
  out->key_type = type.element(0);
  out->value_type = type.element(1);
  for (const auto& entry : dict.entries()) {
    IValue key = entry.first, value = entry.second;
    if (!convert(key, *type.element(0)) || !convert(value, *type.element(1))) return false;
    out->set(std::move(key), std::move(value));
  }
  v = IValue(std::move(out));
  return true;
}

// The tag of all values of a type, by its kind; kUninitialized for types whose values may have several, or need work.
constexpr auto kTags = [] {
  std::array<IValue::Tag, static_cast<size_t>(TypeKind::kVar) + 1> out;
  out.fill(IValue::Tag::kUninitialized);
  const auto set = [&](TypeKind kind, IValue::Tag tag) { out[static_cast<size_t>(kind)] = tag; };
  set(TypeKind::kTensor, IValue::Tag::kTensor);
  set(TypeKind::kInt, IValue::Tag::kInt);
  set(TypeKind::kBool, IValue::Tag::kBool);
  set(TypeKind::kString, IValue::Tag::kString);
  set(TypeKind::kDevice, IValue::Tag::kDevice);
  set(TypeKind::kNone, IValue::Tag::kNone);
  set(TypeKind::kAnyList, IValue::Tag::kList);
  set(TypeKind::kAnyTuple, IValue::Tag::kTuple);
  return out;
}();

bool convert(IValue& v, const Type& type) {
  const IValue::Tag only = kTags[static_cast<size_t>(type.kind())];
  if (only != IValue::Tag::kUninitialized) return v.tag() == only;
  switch (type.kind()) {
    case TypeKind::kFloat:
      if (v.is_int()) v = IValue(v.to_double());
      return v.is_double();
    case TypeKind::kComplex:
      if (v.is_int() || v.is_double()) v = IValue(v.to_complex());
      return v.is_complex();
    case TypeKind::kNumber:
      return v.is_number();
    case TypeKind::kOptional:
      return v.is_none() || convert(v, *type.element(0));
    case TypeKind::kUnion:
      if (is_instance(v, type)) return true;
      for (const TypePtr& option : type.elements()) {
        if (convert(v, *option)) return true;
      }
      return false;
    case TypeKind::kList:
      return (v.is_list() || v.is_tuple()) && convert_list(v, type);
    case TypeKind::kTuple:
      return (v.is_tuple() || v.is_list()) && convert_tuple(v, type);
    case TypeKind::kDict:
      return v.is_dict() && convert_dict(v, type);
    case TypeKind::kEnum:
      return v.is_enum() && v.to_enum().type_name == type.name();
    case TypeKind::kClass:
      // A bare name in a file may also be an enum or an interface.
      return v.is_object() || v.is_custom() || v.is_enum() || v.is_tuple();
    default:
      return true;
  }
}

std::string shown(const IValue& v) {
  if (v.is_tensor()) return cat("a tensor of sizes ", v.to_tensor().sizes());
  if constexpr (!build::kText) return v.tag_name();
  std::string text = repr(v);
  constexpr size_t kShown = 200;
  if (text.size() > kShown) text.replace(kShown, std::string::npos, "...");
  return text;
}

}  // namespace

std::string declaration(const FunctionSchema& schema, std::string_view name) { return schema_text(schema, name, 1); }

namespace {

// For messages about the arguments of one call: the method's name comes first, its declaration last.
struct Call {
  const FunctionSchema& schema;
  std::string_view name;

  template <class... Parts>
  [[gnu::always_inline]] void check(bool condition, const Parts&... parts) const {
    if (!condition) [[unlikely]]
      refuse(text::kinds_of<Parts...>(0), text::word_of<Parts>(parts)...);
  }
  [[noreturn, gnu::cold]] void refuse(uint64_t kinds, ...) const;
};

void Call::refuse(uint64_t kinds, ...) const {
  va_list parts;
  va_start(parts, kinds);
  const std::string reason = text::joined(kinds, parts);
  va_end(parts);
  fail_with<ErrorCode::kInvalidArgument>(name, "() ", reason, " Declaration: ", declaration(schema, name));
}

const IValue* value_named(const std::map<std::string, IValue>& named, const std::string& name) {
  for (const auto& [key, value] : named) {
    if (key == name) return &value;
  }
  return nullptr;
}

}  // namespace

void bind_arguments(const FunctionSchema& schema, std::string_view name, std::vector<IValue>& args,
                    const std::map<std::string, IValue>& named) {
  const Call call{schema, name};
  const size_t expected = schema.arguments.empty() ? 0 : schema.arguments.size() - 1;  // without self
  const size_t given = args.size();
  call.check(given <= expected, "expected at most ", expected, " argument(s) but received ", given, " argument(s).");
  size_t used = 0;
  for (size_t i = 0; i < expected; ++i) {
    const Argument& argument = schema.arguments[i + 1];
    const IValue* by_name = value_named(named, argument.name);
    used += by_name != nullptr;
    if (i < given) {
      call.check(!by_name, "got multiple values for argument '", argument.name, "'.");
    } else {
      call.check(by_name || argument.has_default, "is missing value for argument '", argument.name, "'.");
      args.push_back(IValue(by_name ? *by_name : argument.default_value));
    }
    if (!convert(args[i], *argument.type)) [[unlikely]] {
      call.check(false, "Expected a value of type '", *argument.type, "' for argument '", argument.name,
                 "' but instead found type '", *args[i].type(), "'. Position: ", i + 1, " Value: ", shown(args[i]));
    }
  }
  if (used == named.size()) return;
  for (const auto& [key, value] : named) {
    bool known = false;
    for (const Argument& a : schema.arguments) known = known || a.name == key;
    call.check(known, "got an unknown argument '", key, "'.");
  }
}

bool convert_attribute(IValue& value, const Type& type) {
  const Type& one = type.is(TypeKind::kOptional) && !value.is_none() ? *type.element(0) : type;
  if (one.is(TypeKind::kClass) && value.is_object()) return value.to_object().cls->name == one.name();
  if (one.is(TypeKind::kInterface)) return value.is_object();
  return convert(value, one);
}

}  // namespace wick::runtime
