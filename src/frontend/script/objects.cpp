// Restores the objects of data.pkl and constants.pkl as their classes declare them.
#include "frontend/script/objects.h"

#include "archive/pickle_type_tag.h"
#include "core/check.h"
#include "core/limits.h"

namespace wick::script {

namespace {

constexpr std::string_view kCustomPrefix = "__torch__.torch.classes.";

bool admits_none(const Type& type) {
  if (type.is(TypeKind::kUnion)) {
    for (const TypePtr& option : type.elements()) {
      if (option->is(TypeKind::kNone)) return true;
    }
  }
  // An undefined tensor reads as None.
  return type.is(TypeKind::kOptional) || type.is(TypeKind::kNone) || type.is(TypeKind::kAny) ||
         type.is(TypeKind::kTensor);
}

}  // namespace

// What a type tag does not look at: of which class an object is.
void Objects::check_class(const IValue& value, const Type& type) const {
  switch (type.kind()) {
    case TypeKind::kOptional:
      if (!value.is_none()) check_class(value, *type.element(0));
      return;
    case TypeKind::kClass: {
      const bool fits = (value.is_object() && value.to_object().cls->name == type.name()) ||
                        (value.is_custom() && value.to_custom().class_name() == type.name());
      WICK_CHECK(fits, kCorruptFile, "expected an object of class ", type.name(), ", found ", value.type()->str());
      return;
    }
    case TypeKind::kInterface:
      WICK_CHECK(value.is_object() && importer_.implements(*value.type(), type), kCorruptFile,
                 "expected an object that has the methods of ", type.name(), ", found ", value.type()->str());
      return;
    case TypeKind::kEnum:
      WICK_CHECK(value.is_enum() && value.to_enum().type_name == type.name(), kCorruptFile, "expected a member of ",
                 type.name(), ", found ", value.type()->str());
      return;
    default:
      return;
  }
}

IValue Objects::with_attributes(const ScriptClass& cls, const IValue& state, PickleContext& context) {
  WICK_CHECK(state.is_dict(), kCorruptFile, "object of class ", cls.name, ": its state is not a dict but ",
             state.tag_name(), ", and the class has no __setstate__");
  auto object = make_ref<ObjectImpl>();
  object->cls = cls.info;
  for (size_t i = 0; i < cls.attributes.size(); ++i) {
    const ScriptClass::Attribute& attribute = cls.attributes[i];
    const IValue* value = state.to_dict().find(IValue(attribute.name));
    WICK_CHECK(value, kCorruptFile, "object of class ", cls.name, ": attribute '", attribute.name,
               "' is declared in the code but missing in the file");
    try {
      apply_type_tag(*value, attribute.type, context);
      check_class(*value, *attribute.type);
    } catch (Error& error) {
      error.add_context(cat("  in attribute '", attribute.name, "' of class ", cls.name));
      throw;
    }
    object->set(i, *value);
  }
  return IValue(Ref<ObjectImpl>(object));
}

IValue Objects::restored(const ScriptClass& cls, ir::Function& setstate, IValue state, PickleContext& context) {
  auto object = make_ref<ObjectImpl>();
  object->cls = cls.info;
  if (!cls.attributes.empty()) object->set(cls.attributes.size() - 1, IValue());
  WICK_CHECK(setstate.schema.arguments.size() == 2, kCorruptFile, cls.name, ".__setstate__ takes ",
             setstate.schema.arguments.size(), " arguments, expected self and the state");
  apply_type_tag(state, setstate.schema.arguments[1].type, context);
  WICK_CHECK(!importer_.is_lowering(), kCorruptFile, "an object of class ", cls.name,
             " is needed to compile the code that restores it");
  importer_.lower_all();
  try {
    run_(program_, setstate, {IValue(Ref<ObjectImpl>(object)), std::move(state)});
  } catch (const Error& e) {
    if (!allow_missing_ || e.code() != ErrorCode::kMissingOperator) throw;
    return IValue(Ref<ObjectImpl>(object));
  }
  for (size_t i = 0; i < cls.attributes.size(); ++i) {
    WICK_CHECK(!object->get(i).is_none() || admits_none(*cls.attributes[i].type), kCorruptFile, "The field '",
               cls.attributes[i].name, "' was left uninitialized after '__setstate__' of class ", cls.name);
  }
  return IValue(Ref<ObjectImpl>(object));
}

IValue Objects::object(const std::string& class_name, IValue state, PickleContext& context) {
  if (class_name.starts_with(kCustomPrefix)) return native_.custom(class_name, state);
  const ScriptClass* cls = importer_.class_named(class_name);
  WICK_CHECK(cls, kCorruptFile, "the file holds an object of class ", class_name.substr(0, limits::kMaxNameLength),
             ", which is not in its code");
  WICK_CHECK(cls->info, kCorruptFile, "class ", class_name, " cannot have objects");
  ir::Function* setstate = cls->method("__setstate__");
  if (setstate && cls->method("__getstate__")) return restored(*cls, *setstate, std::move(state), context);
  return with_attributes(*cls, state, context);
}

IValue Objects::enumeration(const std::string& class_name, const IValue& value) const {
  const ScriptClass* cls = importer_.class_named(class_name);
  WICK_CHECK(cls && cls->kind == ClassKind::kEnum, kCorruptFile, "the file holds a member of enum ",
             class_name.substr(0, limits::kMaxNameLength), ", which is not in its code");
  for (const ScriptClass::Constant& member : cls->constants) {
    if (member.value.to_enum().value.is_same(value) || equal(member.value.to_enum().value, value)) return member.value;
  }
  fail_with<ErrorCode::kCorruptFile>("enum ", class_name, " has no member with the value ", repr(value));
}

}  // namespace wick::script
