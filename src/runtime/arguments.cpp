#include "runtime/arguments.h"

#include <optional>

#include "core/check.h"
#include "runtime/executor.h"

namespace wick::runtime {
namespace {

// The value as one of the type, or nothing. Lists and dicts of untyped files get the declared element types.
std::optional<IValue> convert(const IValue& v, const Type& type) {
  switch (type.kind()) {
    case TypeKind::kAny:
    case TypeKind::kVar:
      return v;
    case TypeKind::kTensor:
      return v.is_tensor() ? std::optional(v) : std::nullopt;
    case TypeKind::kInt:
      return v.is_int() ? std::optional(v) : std::nullopt;
    case TypeKind::kBool:
      return v.is_bool() ? std::optional(v) : std::nullopt;
    case TypeKind::kFloat:
      if (v.is_int() || v.is_double()) return IValue(v.to_double());
      return std::nullopt;
    case TypeKind::kComplex:
      if (v.is_int() || v.is_double() || v.is_complex()) return IValue(v.to_complex());
      return std::nullopt;
    case TypeKind::kNumber:
      return v.is_number() ? std::optional(v) : std::nullopt;
    case TypeKind::kString:
      return v.is_string() ? std::optional(v) : std::nullopt;
    case TypeKind::kDevice:
      return v.is_device() ? std::optional(v) : std::nullopt;
    case TypeKind::kNone:
      return v.is_none() ? std::optional(v) : std::nullopt;
    case TypeKind::kAnyList:
      return v.is_list() ? std::optional(v) : std::nullopt;
    case TypeKind::kAnyTuple:
      return v.is_tuple() ? std::optional(v) : std::nullopt;
    case TypeKind::kOptional:
      return v.is_none() ? std::optional(v) : convert(v, *type.element(0));
    case TypeKind::kUnion:
      if (is_instance(v, type)) return v;
      for (const TypePtr& option : type.elements()) {
        if (auto converted = convert(v, *option)) return converted;
      }
      return std::nullopt;
    case TypeKind::kList: {
      if (!v.is_list() && !v.is_tuple()) return std::nullopt;
      if (v.is_list() && same_type(*v.to_list().element_type, *type.element(0))) return v;
      const std::vector<IValue>& items = v.is_list() ? v.to_list().items : v.to_tuple().items;
      std::vector<IValue> out;
      for (const IValue& item : items) {
        auto converted = convert(item, *type.element(0));
        if (!converted) return std::nullopt;
        out.push_back(std::move(*converted));
      }
      return IValue::list(type.element(0), std::move(out));
    }
    case TypeKind::kTuple: {
      if (!v.is_tuple() && !v.is_list()) return std::nullopt;
      const std::vector<IValue>& items = v.is_tuple() ? v.to_tuple().items : v.to_list().items;
      if (items.size() != type.elements().size()) return std::nullopt;
      auto tuple = make_ref<TupleImpl>();
      for (size_t i = 0; i < items.size(); ++i) {
        auto converted = convert(items[i], *type.element(i));
        if (!converted) return std::nullopt;
        tuple->items.push_back(std::move(*converted));
      }
      if (!type.name().empty()) {
        tuple->named_type = types::named_tuple(type.name(), type.fields(), type.elements());
      }
      return IValue(std::move(tuple));
    }
    case TypeKind::kDict: {
      if (!v.is_dict()) return std::nullopt;
      DictImpl& dict = v.to_dict();
      if (same_type(*dict.key_type, *type.element(0)) && same_type(*dict.value_type, *type.element(1))) return v;
      auto out = make_ref<DictImpl>();
      out->key_type = type.element(0);
      out->value_type = type.element(1);
      for (const auto& [key, value] : dict.entries()) {
        auto k = convert(key, *type.element(0)), x = convert(value, *type.element(1));
        if (!k || !x) return std::nullopt;
        out->set(std::move(*k), std::move(*x));
      }
      return IValue(std::move(out));
    }
    case TypeKind::kEnum:
      return v.is_enum() && v.to_enum().type_name == type.name() ? std::optional(v) : std::nullopt;
    case TypeKind::kClass:
      // A bare name in a file may also be an enum or an interface.
      return v.is_object() || v.is_custom() || v.is_enum() || v.is_tuple() ? std::optional(v) : std::nullopt;
    default:
      return v;
  }
}

std::string shown(const IValue& v) {
  std::string text = v.is_tensor() ? cat("a tensor of sizes ", v.to_tensor().sizes()) : repr(v);
  if (text.size() > 200) text = text.substr(0, 200) + "...";
  return text;
}

}  // namespace

std::string declaration(const FunctionSchema& schema, std::string_view name) {
  FunctionSchema shown = schema;
  shown.name = name;
  shown.overload.clear();
  if (!shown.arguments.empty()) shown.arguments.erase(shown.arguments.begin());
  return shown.str();
}

std::vector<IValue> bind_arguments(const FunctionSchema& schema, std::string_view name, std::vector<IValue> args,
                                   const std::map<std::string, IValue>& named) {
  const size_t expected = schema.arguments.empty() ? 0 : schema.arguments.size() - 1;  // without self
  const auto tail = [&] { return cat(" Declaration: ", declaration(schema, name)); };
  WICK_CHECK(args.size() <= expected, kInvalidArgument, name, "() expected at most ", expected,
             " argument(s) but received ", args.size(), " argument(s).", tail());
  std::vector<IValue> out;
  size_t used = 0;
  for (size_t i = 0; i < expected; ++i) {
    const Argument& argument = schema.arguments[i + 1];
    const auto given = named.find(argument.name);
    if (given != named.end()) {
      WICK_CHECK(i >= args.size(), kInvalidArgument, name, "() got multiple values for argument '", argument.name, "'.",
                 tail());
      ++used;
    }
    const bool present = i < args.size() || given != named.end();
    WICK_CHECK(present || argument.has_default, kInvalidArgument, name, "() is missing value for argument '",
               argument.name, "'.", tail());
    const IValue value = i < args.size() ? std::move(args[i]) : present ? given->second : argument.default_value;
    std::optional<IValue> converted = convert(value, *argument.type);
    WICK_CHECK(converted, kInvalidArgument, name, "() Expected a value of type '", *argument.type, "' for argument '",
               argument.name, "' but instead found type '", *value.type(), "'. Position: ", i + 1,
               " Value: ", shown(value), tail());
    out.push_back(std::move(*converted));
  }
  if (used != named.size()) {
    for (const auto& [key, value] : named) {
      bool known = false;
      for (const Argument& a : schema.arguments) known = known || a.name == key;
      WICK_CHECK(known, kInvalidArgument, name, "() got an unknown argument '", key, "'.", tail());
    }
  }
  return out;
}

}  // namespace wick::runtime
