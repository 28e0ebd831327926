// isinstance over values and types.
#include "core/instance.h"

namespace wick {

bool is_instance(const IValue& value, const Type& type) {
  switch (type.kind()) {
    case TypeKind::kAny:
      return true;
    case TypeKind::kOptional:
      return value.is_none() || is_instance(value, *type.element(0));
    case TypeKind::kUnion:
      for (const TypePtr& option : type.elements()) {
        if (is_instance(value, *option)) return true;
      }
      return false;
    case TypeKind::kTuple: {
      if (!value.is_tuple()) return false;
      const TupleImpl& tuple = value.to_tuple();
      if (!type.name().empty() && !(tuple.named_type && tuple.named_type->name() == type.name())) return false;
      if (tuple.items.size() != type.elements().size()) return false;
      for (size_t i = 0; i < tuple.items.size(); ++i) {
        if (!is_instance(tuple.items[i], *type.element(i))) return false;
      }
      return true;
    }
    case TypeKind::kAnyTuple:
      return value.is_tuple();
    case TypeKind::kAnyList:
      return value.is_list();
    case TypeKind::kAnyClass:
      return value.is_object();
    default:
      return is_subtype(*value.type(), type);
  }
}

}  // namespace wick
