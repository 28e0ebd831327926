// torch::class_ over wick::Registry.
#include <torch/custom_class.h>

#include <map>
#include <memory>
#include <mutex>

#include "boxed.h"
#include "bridge.h"
#include "custom_object.h"
#include "wick/registry.h"

namespace wick_compat {
namespace {

struct MethodEntry {
  BoxedFunction function;
  std::vector<torch::arg> arguments;  // those that were named; self is none of them
};
struct ClassEntry {
  std::string full_name;
  std::map<std::string, MethodEntry, std::less<>> methods;
  BoxedFunction get_state, set_state;
};
// Guarded by the mutex; never destroyed, since models may outlive static destruction. Classes stay.
struct Classes {
  std::mutex mutex;
  std::map<const void*, ClassEntry> by_mark;
};
Classes& classes() {
  static Classes* const all = new Classes;
  return *all;
}

// A copy: the function runs outside of the lock.
MethodEntry method_of(const void* mark, std::string_view name) {
  Classes& all = classes();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto cls = all.by_mark.find(mark);
  if (cls != all.by_mark.end()) {
    const auto method = cls->second.methods.find(name);
    if (method != cls->second.methods.end()) return method->second;
  }
  throw wick::Error(wick::ErrorCode::kNotFound, "the custom class " +
                                                    (cls == all.by_mark.end() ? std::string() : cls->second.full_name) +
                                                    " has no method '" + std::string(name) + "'");
}

BoxedFunction pickle_of(const void* mark, BoxedFunction ClassEntry::*which) {
  Classes& all = classes();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto cls = all.by_mark.find(mark);
  if (cls != all.by_mark.end() && cls->second.*which) return cls->second.*which;
  throw wick::Error(wick::ErrorCode::kUnsupported,
                    "Cannot serialize custom bound C++ class " +
                        (cls == all.by_mark.end() ? std::string() : cls->second.full_name) +
                        ". Please define serialization methods via def_pickle() for this class.");
}

wick::IValue one_value(std::vector<wick::IValue> results) {
  if (results.empty()) return {};
  return results.size() == 1 ? std::move(results[0]) : wick::IValue::tuple(std::move(results));
}

wick::IValue call_method(const void* mark, std::string_view name, std::vector<wick::IValue> args, bool has_self) {
  const MethodEntry method = method_of(mark, name);
  for (size_t i = args.size() - has_self; i < method.arguments.size(); ++i) {
    if (method.arguments[i].has_value_) args.push_back(w(method.arguments[i].value_));
  }
  return one_value(call_application(method.function, std::move(args)));
}

wick::Ref<wick::CustomObject> object_of(const wick::IValue& made) {
  return wick::Ref<wick::CustomObject>(&made.to_custom());
}

}  // namespace

std::string_view HeldObject::class_name() const {
  Classes& all = classes();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto it = all.by_mark.find(mark);
  return it == all.by_mark.end() ? std::string_view("__torch__.torch.classes.unregistered.Object")
                                 : std::string_view(it->second.full_name);
}
wick::IValue HeldObject::get_state() const {
  wick::IValue self{wick::Ref<wick::CustomObject>(const_cast<HeldObject*>(this))};
  return one_value(call_application(pickle_of(mark, &ClassEntry::get_state), {std::move(self)}));
}
wick::IValue HeldObject::call(std::string_view method, std::vector<wick::IValue> args) {
  args.insert(args.begin(), wick::IValue(wick::Ref<wick::CustomObject>(this)));
  return call_method(mark, method, std::move(args), true);
}

}  // namespace wick_compat

namespace torch {
namespace detail {
using namespace wick_compat;

void add_class(const void* mark, const std::string& name_space, const std::string& name) {
  Classes& all = classes();
  {
    const std::lock_guard<std::mutex> lock(all.mutex);
    TORCH_CHECK(!all.by_mark.count(mark), "the C++ class of ", name_space, ".", name, " is registered already");
    all.by_mark[mark].full_name = "__torch__.torch.classes." + name_space + "." + name;
  }
  try {
    wick::Registry::add_class(
        name_space + "." + name,
        [mark](std::vector<wick::IValue> state) {
          return object_of(one_value(call_application(pickle_of(mark, &ClassEntry::set_state), std::move(state))));
        },
        [mark](std::vector<wick::IValue> args) {
          return object_of(call_method(mark, "__init__", std::move(args), false));
        });
  } catch (...) {
    {
      const std::lock_guard<std::mutex> lock(all.mutex);
      all.by_mark.erase(mark);
    }
    rethrow();
  }
}

void add_method(const void* mark, const std::string& name, BoxedFunction f, std::vector<arg> defaults) {
  Classes& all = classes();
  const std::lock_guard<std::mutex> lock(all.mutex);
  ClassEntry& cls = all.by_mark.at(mark);
  TORCH_CHECK(!cls.methods.count(name), "Attempting to add a method '", name, "' to class ", cls.full_name,
              " that has one of this name");
  cls.methods[name] = MethodEntry{std::move(f), std::move(defaults)};
}

void add_pickle(const void* mark, BoxedFunction get, BoxedFunction set) {
  Classes& all = classes();
  const std::lock_guard<std::mutex> lock(all.mutex);
  ClassEntry& cls = all.by_mark.at(mark);
  cls.get_state = std::move(get);
  cls.set_state = std::move(set);
}

}  // namespace detail

c10::ClassTypePtr getCustomClass(const std::string& name) {
  wick_compat::Classes& all = wick_compat::classes();
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (const auto& entry : all.by_mark) {
    if (entry.second.full_name != name) continue;
    const c10::TypePtr type = c10::detail::make_type(c10::TypeKind::ClassType, nullptr, 0, name);
    return c10::ClassTypePtr::borrowed(static_cast<const c10::ClassType*>(type.get()));
  }
  return nullptr;
}

}  // namespace torch

namespace c10 {
namespace detail {

TypePtr custom_class_type(const void* mark) {
  wick_compat::Classes& all = wick_compat::classes();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto it = all.by_mark.find(mark);
  TORCH_CHECK(it != all.by_mark.end(),
              "Can't find class id in custom class type map. Register the class with torch::class_ first.");
  return make_type(TypeKind::ClassType, nullptr, 0, it->second.full_name);
}

}  // namespace detail
}  // namespace c10
