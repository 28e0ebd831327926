// torch::jit::Module and mobile::Module over wick::Module.
#include <torch/csrc/jit/mobile/import.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <mutex>
#include <sstream>
#include <thread>
#include <unordered_map>

#include "bridge.h"
#include "module_state.h"
#include "observer.h"
#include "wick/error.h"

namespace wick_compat {

ModuleState& state_of(const std::shared_ptr<void>& state) {
  TORCH_CHECK(state, "the module is empty: nothing was loaded into it");
  return *static_cast<ModuleState*>(state.get());
}

namespace {

// Which model the classes of modules belong to, so that an object alone leads to its model. Guarded by the mutex.
struct Owners {
  std::mutex mutex;
  struct Owner {
    std::weak_ptr<ModuleState> state;
    std::string class_name;
  };
  std::unordered_map<const wick::ClassInfo*, Owner> by_class;
};
Owners& owners() {
  static Owners all;
  return all;
}

using ClassVisitor = std::function<void(const wick::IValue& object, const std::string& path)>;
void walk_modules(const wick::IValue& object, const std::string& path, const ClassVisitor& f) {
  f(object, path);
  const wick::ObjectImpl& o = object.to_object();
  for (size_t i = 0; i < o.cls->attributes.size() && i < o.slot_count(); ++i) {
    const wick::IValue value = o.get(i);
    if (!value.is_object() || !value.to_object().cls->is_module) continue;
    walk_modules(value, path.empty() ? o.cls->attributes[i] : path + "." + o.cls->attributes[i], f);
  }
}

void remember_classes(const std::shared_ptr<ModuleState>& state) {
  Owners& all = owners();
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (auto it = all.by_class.begin(); it != all.by_class.end();) {
    it = it->second.state.expired() ? all.by_class.erase(it) : std::next(it);
  }
  walk_modules(state->object, "", [&](const wick::IValue& object, const std::string&) {
    const wick::ClassInfo* cls = object.to_object().cls.get();
    all.by_class[cls] = {state, cls->name};
  });
}

// What PyTorch says of wrong arguments shows the method's declaration with self.
std::string declared_with_self(std::string message, const std::string& method, const std::string& class_name) {
  const std::string head = "Declaration: " + method + "(";
  const size_t found = message.find(head);
  if (found == std::string::npos) return message;
  const size_t at = found + head.size();
  const bool more = at < message.size() && message[at] != ')';
  message.insert(at, class_name + " self" + (more ? ", " : ""));
  if (message.find(" Expected a value of type ") == std::string::npos) return message;
  for (const char* line : {" Position: ", " Value: ", " Declaration: "}) {
    const size_t start = message.find(line);
    if (start != std::string::npos) message[start] = '\n';
  }
  return message;
}

}  // namespace

std::shared_ptr<void> whole(wick::Module module, bool is_script) {
  auto state = std::make_shared<ModuleState>();
  state->object = module.attr("");
  state->module = std::move(module);
  state->is_script = is_script;
  if (is_script && state->object.is_object()) remember_classes(state);
  return state;
}

std::shared_ptr<ModuleState> owner_of(const wick::ObjectImpl& object) {
  Owners& all = owners();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto it = all.by_class.find(object.cls.get());
  return it == all.by_class.end() ? nullptr : it->second.state.lock();
}

bool is_module_class(const std::string& name) {
  Owners& all = owners();
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (const auto& entry : all.by_class) {
    if (entry.second.class_name == name) return true;
  }
  return false;
}

std::shared_ptr<void> module_of(const wick::IValue& object) {
  const std::shared_ptr<ModuleState> owner = owner_of(object.to_object());
  TORCH_CHECK(owner, "The object is no module of a model that is still loaded");
  if (owner->object.is_same(object)) return owner;
  std::string found;
  walk_modules(owner->object, "", [&](const wick::IValue& o, const std::string& path) {
    if (found.empty() && o.is_same(object)) found = path;
  });
  return part_of(*owner, object, found);
}

std::shared_ptr<void> part_of(const ModuleState& owner, const wick::IValue& object, const std::string& path) {
  auto state = std::make_shared<ModuleState>();
  state->module = owner.module;
  state->object = object;
  state->path = owner.path.empty() ? path : owner.path + "." + path;
  state->part.emplace(owner.module, object);
  state->is_script = owner.is_script;
  state->given = owner.given;
  return state;
}

namespace {
// Of the elements in their order, in four lanes so that it is as fast as memory.
uint64_t content_of(const wick::Tensor& tensor) {
  const at::Tensor t = a(tensor).contiguous();
  const auto* data = static_cast<const unsigned char*>(t.data_ptr());
  const size_t size = t.nbytes();
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
  uint64_t lanes[4] = {1, 2, 3, 4};
  size_t i = 0;
  for (; i + sizeof lanes <= size; i += sizeof lanes) {
    uint64_t words[4];
    std::memcpy(words, data + i, sizeof words);
    for (int k = 0; k < 4; ++k) {
      lanes[k] = (lanes[k] ^ words[k]) * kFactor;
      lanes[k] ^= lanes[k] >> 29;
    }
  }
  for (; i < size; ++i) lanes[i % 4] = (lanes[i % 4] ^ data[i]) * kFactor;
  uint64_t out = size;
  for (uint64_t lane : lanes) out = (out ^ lane ^ lane >> 31) * kFactor;
  return out;
}
}  // namespace

void GivenTensors::give(const wick::Tensor& tensor) {
  if (!tensor.defined()) return;
  const void* const key = a(tensor).unsafeGetTensorImpl();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!seen_.count(key)) seen_.emplace(key, Seen{tensor, content_of(tensor)});
  any_ = true;
}
void GivenTensors::give(const wick::IValue& value) {
  const c10::IValue& v = a(value);
  if (v.isTensor()) {
    give(w(v.toTensor()));
  } else if (v.isList() || v.isTuple() || v.isGenericDict()) {
    v.visit([&](const c10::IValue& item) {
      if (item.isTensor()) give(w(item.toTensor()));
      return false;
    });
  }
}
bool GivenTensors::changed() {
  if (!any_) return false;
  const std::lock_guard<std::mutex> lock(mutex_);
  bool found = false;
  for (const auto& entry : seen_) found = found || content_of(entry.second.tensor) != entry.second.content;
  seen_.clear();
  any_ = false;
  return found;
}

bool ModuleState::has_method(const std::string& name) const {
  return part ? part->has_method(name) : module.has_method(name);
}

std::vector<std::string> ModuleState::method_names() const {
  if (part) return part->method_names();
  std::vector<std::string> out;
  for (const wick::MethodInfo& m : module.methods()) out.push_back(m.name);
  return out;
}

c10::IValue ModuleState::run(const std::string& method, std::vector<c10::IValue>&& args,
                             const torch::jit::Kwargs& named) {
  see_changes();
  if (is_script && !part && has_method(method)) {  // the schema of a part is not known
    const c10::FunctionSchema& schema = function(method).getSchema();
    TORCH_CHECK(args.size() + 1 <= schema.arguments().size(), "Expected at most ", schema.arguments().size(),
                " argument(s) for operator '", schema.name(), "', but received ", args.size() + 1,
                " argument(s). Declaration: ", schema);
  }
  std::vector<wick::IValue> values;
  values.reserve(args.size());
  for (c10::IValue& v : args) values.push_back(std::move(w(v)));
  std::map<std::string, wick::IValue> keywords;
  for (const auto& entry : named) keywords.emplace(entry.first, w(entry.second));
  try {
    return a(part ? part->run_method(method, std::move(values), keywords)
                  : module.run_method(method, std::move(values), keywords));
  } catch (const wick::Error& e) {
    if (!is_script) rethrow();
    if (e.code() == wick::ErrorCode::kInvalidArgument && e.message().find('\n') == std::string::npos) {
      throw c10::Error(declared_with_self(e.message(), method, object.to_object().cls->name), "");
    }
    rethrow_from_script();
  }
}

const torch::jit::Function& ModuleState::function(const std::string& method) {
  const std::lock_guard<std::mutex> lock(mutex_);
  torch::jit::Function& f = functions_[method];
  if (f.qualname_.empty()) {
    f.schema_ = schema_of(*this, method);
    f.qualname_ = object.to_object().cls->name + "." + method;
  }
  return f;
}

const torch::jit::mobile::Function& ModuleState::mobile_function(const std::string& method) {
  const std::lock_guard<std::mutex> lock(mutex_);
  torch::jit::mobile::Function& f = mobile_functions_[method];
  if (f.qualname_.empty()) {
    f.name_ = method;
    f.schema_ = schema_of(*this, method);
    f.qualname_ = object.to_object().cls->name + "." + method;
  }
  return f;
}

// An operator's failure has lines that say where in the model it happened; what is wrong with the arguments has none.
void rethrow_from_script() {
  try {
    throw;
  } catch (const wick::Error& e) {
    const size_t context = e.message().find('\n');
    if (e.code() == wick::ErrorCode::kModelException) {
      throw torch::jit::JITException(e.message());
    }
    if (context == std::string::npos) rethrow();
    throw std::runtime_error(
        "The following operation failed in the TorchScript interpreter.\n"
        "Traceback of TorchScript (most recent call last):" +
        e.message().substr(context) + "\nRuntimeError: " + e.message().substr(0, context) + "\n");
  }
}

}  // namespace wick_compat

namespace torch {
namespace jit {
using namespace wick_compat;
namespace {

thread_local bool optimize = true;

// Calls f(path, owner, name, value) for the attributes of the object and, in depth-first order, those of its modules.
using Visitor = std::function<void(const std::string& path, const wick::ObjectImpl& owner, const std::string& name,
                                   const wick::IValue& value)>;
void walk(const wick::IValue& object, const std::string& prefix, bool recurse, const Visitor& f) {
  const wick::ObjectImpl& o = object.to_object();
  for (size_t i = 0; i < o.cls->attributes.size() && i < o.slot_count(); ++i) {
    const std::string& name = o.cls->attributes[i];
    const wick::IValue value = o.get(i);
    f(prefix + name, o, name, value);
    if (recurse && value.is_object() && value.to_object().cls->is_module) walk(value, prefix + name + ".", true, f);
  }
}

// The named tensors of the whole model that belong to the module. Who is given them may write into them.
named_parameter_list own_tensors(const ModuleState& state, const std::vector<std::pair<std::string, wick::Tensor>>& all,
                                 bool recurse) {
  named_parameter_list out;
  const std::string prefix = state.path.empty() ? std::string() : state.path + ".";
  for (const auto& entry : all) {
    if (entry.first.compare(0, prefix.size(), prefix) != 0) continue;
    const std::string name = entry.first.substr(prefix.size());
    if (!recurse && name.find('.') != name.npos) continue;
    out.push_back({name, a(entry.second)});
    state.given->give(wick::IValue(entry.second));
  }
  return out;
}

parameter_list values_of(const named_parameter_list& named) {
  parameter_list out;
  for (const auto& entry : named) out.push_back(entry.value);
  return out;
}

[[noreturn]] void missing_attribute(const ModuleState& state, const std::string& name) {
  throw ObjectAttributeError(state.object.to_object().cls->name + " does not have a field with name '" + name + "'");
}

}  // namespace

IValue Method::operator()(std::vector<IValue> stack, const Kwargs& kwargs) const {
  return state_of(module_).run(name_, std::move(stack), kwargs);
}
c10::intrusive_ptr<c10::ivalue::Future> Method::run_async(std::vector<IValue> stack, const Kwargs& kwargs) const {
  auto future = c10::make_intrusive<c10::ivalue::Future>(c10::AnyType::get());
  std::thread([future, method = *this, stack = std::move(stack), kwargs]() mutable {
    try {
      future->markCompleted(method(std::move(stack), kwargs));
    } catch (...) {
      future->setError(std::current_exception());
    }
  }).detach();
  return future;
}
const Function& Method::function() const { return state_of(module_).function(name_); }
Module Method::owner() const { return Module(module_); }

ObjectPtr Object::_ivalue() const { return a(wick::IValue(state_of(state_).object)).toObject(); }
c10::ClassTypePtr Object::type() const {
  return c10::ClassTypePtr::borrowed(static_cast<const c10::ClassType*>(_ivalue()->type().get()));
}
size_t Object::num_slots() const { return state_of(state_).object.to_object().slot_count(); }
bool Object::hasattr(const std::string& name) const {
  return state_of(state_).object.to_object().cls->slot_of(name) >= 0;
}
IValue Object::attr(const std::string& name) const {
  ModuleState& state = state_of(state_);
  if (!hasattr(name)) missing_attribute(state, name);
  const wick::IValue value = state.object.to_object().attr(name);
  state.given->give(value);
  return a(value);
}
IValue Object::attr(const std::string& name, IValue or_else) const { return hasattr(name) ? attr(name) : or_else; }
void Object::setattr(const std::string& name, IValue v) {
  ModuleState& state = state_of(state_);
  TORCH_CHECK(hasattr(name), "Module has no attribute '", name, "'");
  try {
    state.module.setattr(state.path.empty() ? name : state.path + "." + name, w(v));
  } catch (...) {
    rethrow();
  }
}
Method Object::get_method(const std::string& name) const {
  TORCH_CHECK(state_of(state_).has_method(name), "Method '", name, "' is not defined.");
  return Method(state_, name);
}
c10::optional<Method> Object::find_method(const std::string& name) const {
  if (!state_of(state_).has_method(name)) return c10::nullopt;
  return Method(state_, name);
}
std::vector<Method> Object::get_methods() const {
  std::vector<Method> out;
  for (const std::string& name : state_of(state_).method_names()) out.push_back(Method(state_, name));
  return out;
}
const Object::Property Object::get_property(const std::string& name) const {
  (void)state_of(state_);
  TORCH_CHECK(false, "Property '", name, "' is not defined.");
}
void Object::define(const std::string&) {
  TORCH_CHECK(false, "Wick runs saved models: Module::define is not available. Save the module in Python.");
}

Module::Module(c10::QualifiedName class_name) {
  TORCH_CHECK(false, "Wick runs saved models: a module of class '", class_name.qualifiedName(),
              "' cannot be made in C++. Load it from a file.");
}
IValue Module::operator()(std::vector<IValue> inputs) const {
  ModuleState& state = state_of(state_);
  if (state.part) return get_method("forward")(std::move(inputs));
  state.see_changes();
  std::vector<wick::IValue> values;
  for (IValue& v : inputs) values.push_back(std::move(w(v)));
  try {
    return a(state.module(std::move(values)));
  } catch (...) {
    rethrow_from_script();
  }
}

named_parameter_list Module::named_parameters(bool recurse) const {
  ModuleState& state = state_of(state_);
  return own_tensors(state, state.module.named_parameters(), recurse);
}
named_buffer_list Module::named_buffers(bool recurse) const {
  ModuleState& state = state_of(state_);
  return own_tensors(state, state.module.named_buffers(), recurse);
}
parameter_list Module::parameters(bool recurse) const { return values_of(named_parameters(recurse)); }
buffer_list Module::buffers(bool recurse) const { return values_of(named_buffers(recurse)); }

named_module_list Module::named_children() const {
  const ModuleState& state = state_of(state_);
  named_module_list out;
  walk(state.object, "", false,
       [&](const std::string& path, const wick::ObjectImpl&, const std::string&, const wick::IValue& v) {
         if (v.is_object() && v.to_object().cls->is_module) out.push_back({path, Module(part_of(state, v, path))});
       });
  return out;
}
named_module_list Module::named_modules() const {
  const ModuleState& state = state_of(state_);
  named_module_list out{{"", *this}};
  walk(state.object, "", true,
       [&](const std::string& path, const wick::ObjectImpl&, const std::string&, const wick::IValue& v) {
         if (v.is_object() && v.to_object().cls->is_module) out.push_back({path, Module(part_of(state, v, path))});
       });
  return out;
}
module_list Module::children() const {
  module_list out;
  for (const auto& entry : named_children()) out.push_back(entry.value);
  return out;
}
module_list Module::modules() const {
  module_list out;
  for (const auto& entry : named_modules()) out.push_back(entry.value);
  return out;
}
named_attribute_list Module::named_attributes(bool recurse) const {
  named_attribute_list out;
  const ModuleState& state = state_of(state_);
  walk(state.object, "", recurse,
       [&](const std::string& path, const wick::ObjectImpl&, const std::string&, const wick::IValue& v) {
         state.given->give(v);
         out.push_back({path, a(wick::IValue(v))});
       });
  return out;
}
attribute_list Module::attributes(bool recurse) const {
  attribute_list out;
  for (const auto& entry : named_attributes(recurse)) out.push_back(entry.value);
  return out;
}

void Module::train(bool on) {
  ModuleState& state = state_of(state_);
  if (state.path.empty()) {
    state.module.train(on);
    return;
  }
  for (const auto& entry : named_modules()) {
    Module m = entry.value;
    if (m.hasattr("training")) m.setattr("training", on);
  }
}

void Module::to(at::Device device, at::ScalarType dtype, bool non_blocking) {
  to(device, non_blocking);
  to(dtype, non_blocking);
}
void Module::to(at::Device device, bool) {
  (void)state_of(state_);
  (void)w(device);  // refuses those that there are not
}
void Module::to(at::ScalarType dtype, bool) {
  ModuleState& state = state_of(state_);
  TORCH_CHECK(at::isFloatingType(dtype) || at::isComplexType(dtype),
              "Module::to only accepts floating point or complex dtypes");
  walk(state.object, "", true,
       [&](const std::string& path, const wick::ObjectImpl&, const std::string&, const wick::IValue& v) {
         if (!v.is_tensor() || !wick::is_floating(v.to_tensor().dtype())) return;
         const IValue converted(a(v.to_tensor()).to(dtype));
         state.module.setattr(state.path.empty() ? path : state.path + "." + path, w(converted));
       });
}

Module Module::copy() const { return *this; }
namespace {
// The text with spaces before each of its lines.
std::string indented(const std::string& text, size_t spaces) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    out.append(spaces, ' ').append(text, at, end - at);
    at = end;
  }
  return out;
}
std::string section(const char* title, const std::string& lines) {
  return std::string("  ") + title + " {\n" + indented(lines, 4) + "  }\n";
}
}  // namespace

std::string Module::dump_to_str(bool bodies, bool print_attr_values, bool print_param_values) const {
  std::ostringstream parameters, attributes, methods, submodules;
  for (const auto& entry : named_parameters(false)) {
    parameters << entry.name << " = ";
    if (print_param_values) {
      parameters << entry.value << "\n";
    } else {
      parameters << "...\n";
    }
  }
  for (const auto& entry : named_attributes(false)) {
    attributes << entry.name << " = ";
    if (print_attr_values || !entry.value.isTensor()) {
      attributes << entry.value << "\n";
    } else {
      attributes << "...\n";
    }
  }
  for (const Method& method : get_methods()) methods << "method " << method.name() << " {\n}\n";
  for (const auto& child : named_children())
    submodules << child.value.dump_to_str(bodies, print_attr_values, print_param_values);
  return "module " + state_of(state_).object.to_object().cls->name + " {\n" + section("parameters", parameters.str()) +
         section("attributes", attributes.str()) + section("methods", methods.str()) +
         section("submodules", submodules.str()) + "}\n";
}
void Module::dump(bool bodies, bool attributes, bool parameters) const {
  const std::string text = dump_to_str(bodies, attributes, parameters);
  std::fwrite(text.data(), 1, text.size(), stdout);
}
void Module::register_parameter(const std::string& name, at::Tensor v, bool) { setattr(name, v); }
void Module::register_attribute(const std::string& name, const TypePtr&, IValue v, bool, bool) {
  setattr(name, std::move(v));
}
void Module::register_module(const std::string&, const Module&) {
  TORCH_CHECK(false, "Wick runs saved models: register_module is not available. Build the module in Python.");
}

Module freeze(const Module& module, const c10::optional<std::vector<std::string>>&, bool) {
  TORCH_CHECK(!module.hasattr("training") || !module.is_training(),
              "Freezing is currently only implemented for modules in eval mode. "
              "Please call .eval() before freezing");
  return module;
}
Module optimize_for_inference(Module& module, const std::vector<std::string>&) {
  module.eval();
  return module;
}
bool getGraphExecutorOptimize() { return optimize; }
void setGraphExecutorOptimize(bool on) { optimize = on; }

namespace mobile {

c10::IValue Method::operator()(std::vector<c10::IValue> stack) const {
  return wick_compat::observed_run(metadata_, name_,
                                   [&] { return state_of(module_).run(name_, std::move(stack), {}); });
}
const Function& Method::function() const { return state_of(module_).mobile_function(name_); }
std::unordered_map<std::string, std::string> Module::observed_metadata() const {
  if (!observerConfig().getModuleObserver()) return {};
  auto out = metadata_;
  out.emplace("model_name", name());
  return out;
}
Method Module::get_method(const std::string& name) const {
  TORCH_CHECK(state_of(state_).has_method(name), "Method '", name, "' is not defined.");
  return Method(state_, name, observed_metadata());
}
c10::optional<Method> Module::find_method(const std::string& name) const {
  if (!state_of(state_).has_method(name)) return c10::nullopt;
  return Method(state_, name, observed_metadata());
}
const std::string Module::name() const { return state_of(state_).object.to_object().cls->name; }
const std::vector<Method> Module::get_methods() const {
  std::vector<Method> out;
  for (const std::string& n : state_of(state_).method_names()) out.push_back(Method(state_, n, observed_metadata()));
  return out;
}
ObjectPtr Module::_ivalue() const { return a(wick::IValue(state_of(state_).object)).toObject(); }
c10::IValue Module::attr(const std::string& name, c10::IValue or_else) const {
  const auto& object = state_of(state_).object.to_object();
  if (object.cls->slot_of(name) < 0) return or_else;
  const wick::IValue value = object.attr(name);
  state_of(state_).given->give(value);
  return a(value);
}
const std::vector<at::Tensor> Module::parameters() const {
  std::vector<at::Tensor> out;
  walk(state_of(state_).object, "", true,
       [&](const std::string&, const wick::ObjectImpl&, const std::string&, const wick::IValue& v) {
         if (!v.is_tensor()) return;
         out.push_back(a(v.to_tensor()));
         state_of(state_).given->give(v);
       });
  return out;
}
const std::map<std::string, at::Tensor> Module::named_parameters() const {
  std::map<std::string, at::Tensor> out;
  for (const auto& entry : state_of(state_).module.named_parameters()) {
    out.emplace(entry.first, a(entry.second));
    state_of(state_).given->give(wick::IValue(entry.second));
  }
  return out;
}
void Module::train(bool on) { state_of(state_).module.train(on); }
bool Module::is_training() const { return attr("training", true).toBool(); }

}  // namespace mobile

}  // namespace jit
}  // namespace torch

namespace c10 {

torch::jit::Module IValue::toModule() const {
  TORCH_CHECK(isObject(), "Expected Object but got ", tagKind());
  TORCH_CHECK(isModule(), "Expected a Module but got an object of a class");
  return torch::jit::Module(wick_compat::module_of(wick_compat::w(*this)));
}
IValue::IValue(const torch::jit::Module& v) : IValue(v._ivalue()) {}

}  // namespace c10
