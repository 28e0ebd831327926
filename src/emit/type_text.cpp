// Types as text, as the tables of lite files spell them.
#include "emit/type_text.h"

#include "core/check.h"

namespace wick::emit {

namespace {

constexpr std::string_view kCustomPrefix = "__torch__.torch.classes.";

enum class Place { kContainer, kTest };

std::string text(const Type& type, Place place);

std::string joined(const Type& type, Place place, const char* separator) {
  std::string out;
  for (const TypePtr& element : type.elements()) out += cat(out.empty() ? "" : separator, text(*element, place));
  return out;
}

std::string named_tuple_text(const Type& type, Place place) {
  std::string fields;
  for (size_t i = 0; i < type.elements().size(); ++i) {
    fields += cat(fields.empty() ? "" : ",", "[", i < type.fields().size() ? type.fields()[i] : cat("_", i), ", ",
                  text(*type.element(i), place), "]");
  }
  return cat(type.name(), "[NamedTuple, [", fields, "]]");
}

std::string text(const Type& type, Place place) {
  switch (type.kind()) {
    case TypeKind::kList:
      return cat("List[", joined(type, place, ", "), "]");
    case TypeKind::kOptional:
      return cat("Optional[", joined(type, place, ", "), "]");
    case TypeKind::kDict:
      return cat("Dict[", joined(type, place, ","), "]");
    case TypeKind::kTuple:
      if (is_named_tuple(type)) return named_tuple_text(type, place);
      return type.elements().empty() ? "Tuple[]" : cat("Tuple[", joined(type, place, ", "), "]");
    case TypeKind::kFuture:
      return text(*type.element(0), place);
    case TypeKind::kUnion:
    case TypeKind::kVar:
    case TypeKind::kFunction:
    case TypeKind::kAnyClass:
    case TypeKind::kStorage:
      return "Any";
    case TypeKind::kClass:
    case TypeKind::kInterface:
    case TypeKind::kEnum:
      if (type.name().starts_with(kCustomPrefix)) return type.name();
      WICK_CHECK(place == Place::kContainer, kUnsupported, "a test for class ", type.name(),
                 " cannot be written in a lite file, which knows no classes of the model");
      return "Any";
    default:
      return type.str();
  }
}

}  // namespace

bool is_named_tuple(const Type& type) {
  return type.is(TypeKind::kTuple) && !type.name().empty() && !type.name().starts_with("__torch__.torch.");
}

std::string signature_text(const TypePtr& type) {
  // The loader makes a class of any name it meets here.
  const bool named = type->is(TypeKind::kClass) || type->is(TypeKind::kInterface) || type->is(TypeKind::kEnum);
  return named || is_named_tuple(*type) ? type->name() : text(*type, Place::kContainer);
}
std::string container_text(const TypePtr& type) { return text(*type, Place::kContainer); }
std::string tested_text(const TypePtr& type) { return text(*type, Place::kTest); }

}  // namespace wick::emit
