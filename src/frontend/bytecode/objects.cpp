// Restores the objects of a lite file: modules, classes, enum members, custom classes.
#include "frontend/bytecode/objects.h"

#include "config/build.h"
#include "core/check.h"
#include "core/custom_classes.h"
#include "core/limits.h"

namespace wick::lite {

namespace {

// Stands for an object of a class this build lacks.
class UnknownObject : public CustomObject {
 public:
  UnknownObject(std::string class_name, IValue state) : class_name_(std::move(class_name)), state_(std::move(state)) {}
  std::string_view class_name() const override { return class_name_; }
  IValue get_state() const override { return state_; }

 private:
  std::string class_name_;
  IValue state_;
};

// Modules are known by their class; of other attributes the value now says nothing about the value later.
TypePtr attribute_type(const IValue& value) {
  return value.is_object() ? types::class_type(value.to_object().cls->name) : types::any();
}

}  // namespace

const std::shared_ptr<ClassInfo>& ObjectFactory::class_info(const std::shared_ptr<ClassInfo>& fresh) {
  const std::shared_ptr<ClassInfo>* known = program_.classes.find(fresh->name);
  if (known && (*known)->attributes == fresh->attributes) return *known;
  fresh->is_module = fresh->slot_of("training") >= 0;
  for (size_t i = 0; i < fresh->attributes.size(); ++i) fresh->attribute_types.push_back(nullptr);
  if (!known) program_.classes.put(fresh);
  return fresh;
}

void ObjectFactory::set_attribute(ObjectImpl& object, size_t slot, const IValue& value) {
  TypePtr& known = object.cls->attribute_types[slot];
  TypePtr type = attribute_type(value);
  known = !known || same_type(*known, *type) ? type : types::any();
  object.set(slot, value);
}

IValue ObjectFactory::restored(const std::shared_ptr<ClassInfo>& cls, ir::Function& setstate, const IValue& state) {
  auto object = make_ref<ObjectImpl>();
  object->cls = cls;
  for (TypePtr& type : object->cls->attribute_types) type = types::any();
  try {
    run_(program_, setstate, {IValue(Ref<ObjectImpl>(object)), state});
  } catch (const Error& e) {
    if (!allow_missing_ || e.code() != ErrorCode::kMissingOperator) throw;
  }
  return IValue(std::move(object));
}

IValue ObjectFactory::object(const std::string& class_name, const IValue& state) {
  WICK_CHECK(class_name.size() <= limits::kMaxNameLength, kCorruptFile, "the name of a class has ", class_name.size(),
             " characters");
  if (class_name.starts_with(kCustomPrefix)) return custom(class_name, state);
  const std::shared_ptr<ClassInfo> cls(new ClassInfo);
  cls->name = class_name;
  if constexpr (build::kRestores) {
    if (ir::Function* setstate = program_.find(class_name + ".__setstate__")) {
      return restored(class_info(cls), *setstate, state);
    }
  }
  WICK_CHECK(state.is_dict(), kCorruptFile, "object of class ", class_name, ": its state is not a dict but ",
             state.tag_name(), ", and the file has no __setstate__ for it");
  const std::vector<std::pair<IValue, IValue>>& entries = state.to_dict().entries();
  for (const auto& [key, value] : entries) {
    WICK_CHECK(key.is_string(), kCorruptFile, "object of class ", class_name,
               ": an attribute's name is not a string but ", key.tag_name());
    const std::string& name = key.to_string();
    WICK_CHECK(name.size() <= limits::kMaxNameLength, kCorruptFile, "object of class ", class_name,
               ": an attribute's name has ", name.size(), " characters");
    cls->attributes.push_back(std::string(name));
  }
  auto object = make_ref<ObjectImpl>();
  object->cls = class_info(cls);
  size_t slot = 0;
  for (const auto& [key, value] : entries) set_attribute(*object, slot++, value);
  return IValue(std::move(object));
}

IValue ObjectFactory::custom(const std::string& class_name, const IValue& state) {
  try {
    return IValue(make_custom_object(class_name, state));
  } catch (const Error& e) {
    if (!allow_missing_ || e.code() != ErrorCode::kUnsupported) throw;
    return IValue(Ref<CustomObject>(make_ref<UnknownObject>(class_name, state)));
  }
}

IValue ObjectFactory::enumeration(const std::string& type_name, std::string name, const IValue& value) {
  auto member = make_ref<EnumImpl>();
  member->type_name = type_name;
  member->name = std::move(name);
  member->value = value;
  return IValue(std::move(member));
}

}  // namespace wick::lite
