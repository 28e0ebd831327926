#include "frontend/bytecode/objects.h"

#include "core/check.h"
#include "core/limits.h"
#include "core/selection.h"
#include "ops/custom_classes.h"
#include "runtime/executor.h"

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

std::shared_ptr<ClassInfo> ObjectFactory::class_info(const std::string& name, std::vector<std::string> attributes) {
  std::shared_ptr<ClassInfo>& known = program_.classes[name];
  if (known && known->attributes == attributes) return known;
  std::shared_ptr<ClassInfo> info(new ClassInfo);
  info->name = name;
  info->is_module = false;
  for (const std::string& attribute : attributes) {
    if (attribute == "training") info->is_module = true;
    info->attribute_types.push_back(nullptr);
  }
  info->attributes = std::move(attributes);
  if (!known) known = info;
  return info;
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
    const runtime::StepLimit limit(limits::kMaxRestoreSteps);
    runtime::run_function(program_, setstate, {IValue(Ref<ObjectImpl>(object)), state});
  } catch (const Error& e) {
    if (!allow_missing_ || e.code() != ErrorCode::kMissingOperator) throw;
  }
  return IValue(Ref<ObjectImpl>(object));
}

IValue ObjectFactory::object(const std::string& class_name, IValue state) {
  WICK_CHECK(class_name.size() <= limits::kMaxNameLength, kCorruptFile, "the name of a class has ", class_name.size(),
             " characters");
  if constexpr (selects_classes()) {
    if (class_name.starts_with(kCustomPrefix)) return custom(class_name, state);
  }
  if constexpr (selects_content("setstate")) {
    if (ir::Function* setstate = program_.find(class_name + ".__setstate__")) {
      return restored(class_info(class_name, {}), *setstate, state);
    }
  }
  WICK_CHECK(state.is_dict(), kCorruptFile, "object of class ", class_name, ": its state is not a dict but ",
             state.tag_name(), ", and the file has no __setstate__ for it");
  std::vector<std::string> names;
  for (const auto& [key, value] : state.to_dict().entries()) {
    WICK_CHECK(key.is_string(), kCorruptFile, "object of class ", class_name,
               ": an attribute's name is not a string but ", key.tag_name());
    WICK_CHECK(key.to_string().size() <= limits::kMaxNameLength, kCorruptFile, "object of class ", class_name,
               ": an attribute's name has ", key.to_string().size(), " characters");
    names.push_back(std::string(key.to_string()));
  }
  auto object = make_ref<ObjectImpl>();
  object->cls = class_info(class_name, std::move(names));
  size_t slot = 0;
  for (const auto& [key, value] : state.to_dict().entries()) set_attribute(*object, slot++, value);
  return IValue(Ref<ObjectImpl>(object));
}

IValue ObjectFactory::custom(const std::string& class_name, const IValue& state) {
  try {
    return IValue(make_custom_object(class_name, state));
  } catch (const Error& e) {
    if (!allow_missing_ || e.code() != ErrorCode::kUnsupported) throw;
    return IValue(Ref<CustomObject>(make_ref<UnknownObject>(class_name, state)));
  }
}

IValue ObjectFactory::enumeration(const std::string& type_name, std::string name, IValue value) {
  auto member = make_ref<EnumImpl>();
  member->type_name = type_name;
  member->name = std::move(name);
  member->value = std::move(value);
  return IValue(Ref<EnumImpl>(member));
}

}  // namespace wick::lite
