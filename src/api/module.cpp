// Module: running methods, reading and changing attributes of a loaded model.
#include "wick/module.h"

#include <algorithm>

#include "api/module_access.h"
#include "api/module_state.h"
#include "archive/archive.h"
#include "config/build.h"
#include "core/budget.h"
#include "core/check.h"
#include "core/out_of_memory.h"
#include "core/value_walk.h"
#include "ir/program.h"
#include "runtime/arguments.h"

namespace wick {
namespace {

// Only programs from source have hooks.
constexpr bool kHasHooks = build::kTorchScript;

ModuleState& loaded(const std::shared_ptr<ModuleState>& state) {
  WICK_CHECK(state, kInvalidArgument, "the module is empty: nothing was loaded into it");
  return *state;
}
ir::Program& checked(const std::shared_ptr<ModuleState>& state) { return *loaded(state).program; }

// The name of a method of the root; empty for other functions, and hooks.
std::string_view method_name(const ir::Program& program, const ir::Function& function) {
  if (!program.root.is_object()) return {};
  const std::string& cls = program.root.to_object().cls->name;
  std::string_view name = function.name;
  if (!name.starts_with(cls) || name.size() <= cls.size() || name[cls.size()] != '.') return {};
  name.remove_prefix(cls.size() + 1);
  const bool is_hook = kHasHooks && program.is_hook(function);
  return is_hook || name.find('.') != name.npos ? std::string_view() : name;
}

std::string method_list(const ir::Program& program) {
  std::string out;
  for (const auto& f : program.functions) {
    const std::string_view name = method_name(program, *f);
    if (!name.empty()) out += cat(out.empty() ? "" : ", ", name);
  }
  return out;
}

const ir::Function& method_of(const ir::Program& program, std::string_view name) {
  const ir::Function* function = program.find_method(name);
  WICK_CHECK(function, kNotFound, "Method '", name, "' is not defined. The model has: ", method_list(program));
  return *function;
}

MethodInfo info_of(const ir::Function& function, std::string_view name) {
  MethodInfo info;
  info.name = name;
  for (size_t i = 1; i < function.schema.arguments.size(); ++i) {
    const Argument& a = function.schema.arguments[i];
    info.arguments.push_back({a.name, a.type->str(), a.has_default, a.default_value});
  }
  if (function.has_schema && !function.schema.returns.empty()) {
    info.return_type = function.schema.returns[0].type->str();
  }
  return info;
}

// What the path names below the value; dots reach into submodules.
IValue value_at(IValue value, std::string_view path) {
  while (!path.empty()) {
    const size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    WICK_CHECK(value.is_object(), kNotFound, "'", name, "' is asked of a ", value.tag_name(),
               ", which has no attributes");
    value = IValue(value).to_object().attr(name);
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return value;
}

// What the file says the tensor is; where it says nothing, parameters are what requires a gradient.
bool has_role(const ir::Program& program, const ObjectImpl& owner, std::string_view name, const Tensor& tensor,
              bool parameter) {
  const auto it = program.roles.find(owner.cls->name);
  if (it == program.roles.end()) return tensor.requires_grad() == parameter;
  return (parameter ? it->second.parameters : it->second.buffers).contains(name);
}

std::vector<std::pair<std::string, Tensor>> tensors(const ir::Program& program, bool parameters) {
  std::vector<std::pair<std::string, Tensor>> out;
  if (!program.root.is_object()) return out;
  walk_attributes(program.root.to_object(), [&](const Attribute& a) {
    if (!a.value.is_tensor() || !has_role(program, a.owner, a.name, a.value.to_tensor(), parameters)) return;
    out.emplace_back(a.path, a.value.to_tensor());
  });
  return out;
}

IValue call(ModuleState& state, const ir::Function& function, std::string_view name, std::vector<IValue>&& args,
            const std::map<std::string, IValue>& named = {}) {
  if (function.has_schema) runtime::bind_arguments(function.schema, name, args, named);
  args.push_back(IValue(state.program->root));
  for (size_t i = args.size() - 1; i > 0; --i) args[i].swap(args[i - 1]);
  return state.run(function, std::move(args));
}

IValue call_hook(ModuleState& state, const ir::Function& hook, std::vector<IValue>&& args) {
  return call(state, hook, hook.own_name(), std::move(args));
}

void set_training(ObjectImpl& object, bool on) {
  for (size_t i = 0; i < object.cls->attributes.size() && i < object.slot_count(); ++i) {
    if (object.cls->attributes[i] == "training" && object.get(i).is_bool()) object.set(i, IValue(on));
  }
}

}  // namespace

class ModuleAccess {
 public:
  static const std::shared_ptr<ModuleState>& state(const Module& module) { return module.state_; }
  static Module make(std::shared_ptr<ModuleState> state) { return Module(std::move(state)); }
};

std::shared_ptr<ir::Program> program_of(const Module& module) {
  const std::shared_ptr<ModuleState>& state = ModuleAccess::state(module);
  return state ? state->program : nullptr;
}

std::shared_ptr<runtime::Executor> executor_of(const Module& module) { return ModuleAccess::state(module)->executor(); }

Module make_module(std::shared_ptr<ir::Program> program) {
  return program ? ModuleAccess::make(std::make_shared<ModuleState>(std::move(program))) : Module();
}

Module make_module_like(const Module& module, std::shared_ptr<ir::Program> program) {
  auto state = std::make_shared<ModuleState>(std::move(program));
  state->take_switches(*ModuleAccess::state(module));
  return ModuleAccess::make(std::move(state));
}

void set_max_plan_memory(const Module& module, uint64_t bytes) {
  loaded(ModuleAccess::state(module)).set_max_plan_memory(bytes);
}

void forget_plans(const Module& module) { loaded(ModuleAccess::state(module)).forget_plans(); }

IValue Module::operator()(std::vector<IValue> args) const {
  if constexpr (!kHasHooks) return forward(std::move(args));
  return with_memory_errors([&] {
    const ir::Program& program = checked(state_);
    for (const ir::Function* hook : program.pre_hooks) {
      IValue replaced = call_hook(*state_, *hook, {IValue::tuple(args)});
      if (replaced.is_tuple()) {
        args = replaced.to_tuple().items;
      } else if (!replaced.is_none()) {
        args = {std::move(replaced)};
      }
    }
    IValue result = forward(args);
    for (const ir::Function* hook : program.hooks) {
      IValue replaced = call_hook(*state_, *hook, {IValue::tuple(args), result});
      if (!replaced.is_none()) result = std::move(replaced);
    }
    return result;
  });
}

namespace {

// After the host has set attributes: what was made of the old ones is dropped.
void attributes_changed(ModuleState& state) {
  state.program->attributes_set = true;
  state.forget_plans();
}

// Whether the object's class is the program's own, or that of the value it replaces: code finds attributes by slot.
bool is_own_object(const ir::Program& program, const ObjectImpl& object, const IValue& replaced) {
  if (replaced.is_object() && replaced.to_object().cls == object.cls) return true;
  const std::shared_ptr<ClassInfo>* known = program.classes.find(object.cls->name);
  return known && *known == object.cls;
}

void set_attribute(ModuleState& state, std::string_view path, IValue value) {
  const ir::Program& program = *state.program;
  const size_t dot = path.rfind('.');
  const std::string_view name = dot == path.npos ? path : path.substr(dot + 1);
  const IValue owner = value_at(program.root, dot == path.npos ? std::string_view() : path.substr(0, dot));
  const int64_t slot = owner.is_object() ? owner.to_object().cls->slot_of(name) : -1;
  WICK_CHECK(slot >= 0, kNotFound, "the model has no attribute '", path, "'");
  const Type& type = *owner.to_object().cls->attribute_types[static_cast<size_t>(slot)];
  WICK_CHECK(runtime::convert_attribute(value, type), kInvalidArgument, "expected a value of type '", type,
             "' for attribute '", path, "' but instead found type '", *value.type(), "'");
  ObjectImpl& object = owner.to_object();
  WICK_CHECK(!value.is_object() || is_own_object(program, value.to_object(), object.get(static_cast<size_t>(slot))),
             kInvalidArgument, "attribute '", path, "' takes objects of this model: '", *value.type(),
             "' was made by another one, whose attributes may be laid out differently");
  object.set(static_cast<size_t>(slot), std::move(value));
  attributes_changed(state);
}

}  // namespace

void Module::train(bool on) {
  with_memory_errors([&] {
    std::vector<ObjectImpl*> objects;  // all before any is changed: finding them takes memory
    walk_objects(checked(state_).root, [&objects](ObjectImpl& object) { objects.push_back(&object); });
    for (ObjectImpl* object : objects) set_training(*object, on);
    attributes_changed(*state_);
  });
}

IValue Module::run_method(std::string_view name, std::vector<IValue> args,
                          const std::map<std::string, IValue>& named) const {
  try {
    ModuleState& state = loaded(state_);
    return call(state, method_of(*state.program, name), name, std::move(args), named);
  } catch (...) {
    rethrow_out_of_memory("out of memory");
  }
}

IValue Module::run_method(std::string_view name, std::vector<IValue> args, const std::map<std::string, IValue>& named,
                          const RunOptions& options) const {
  if constexpr (!build::kLimits) {
    fail_with<ErrorCode::kUnsupported>("this selective build has no bounds of runs: build it with WICK_LIMITS");
  } else {
    return with_memory_errors([&] {
      const BoundedWork bounded("the run", options);
      check_budget();
      return run_method(name, std::move(args), named);
    });
  }
}

void Module::set_planning(bool on) { loaded(state_).set_planning(on); }

void Module::set_exact(bool on) { loaded(state_).set_exact(on); }
void Module::set_precision(Precision precision) { loaded(state_).set_precision(precision); }

void Module::set_backend(Backend backend, const BackendOptions& options) {
  loaded(state_).set_backend(backend, options);
}

void Module::set_max_threads(int n) {
  WICK_CHECK(n >= 0, kInvalidArgument, "a module cannot have ", n, " threads");
  loaded(state_).set_max_threads(n);
}

bool Module::has_method(std::string_view name) const {
  return with_memory_errors([&] { return checked(state_).find_method(name) != nullptr; });
}

std::vector<MethodInfo> Module::methods() const {
  return with_memory_errors([this] {
    const ir::Program& program = checked(state_);
    std::vector<MethodInfo> out;
    for (const auto& f : program.functions) {
      const std::string_view name = method_name(program, *f);
      if (!name.empty()) out.push_back(info_of(*f, name));
    }
    return out;
  });
}

Method Module::get_method(std::string_view name) const {
  return with_memory_errors([&] {
    method_of(checked(state_), name);
    return Method(*this, name);
  });
}

MethodInfo Method::info() const {
  return with_memory_errors([this] { return info_of(method_of(*program_of(module_), name_), name_); });
}

IValue Module::attr(std::string_view path) const {
  return with_memory_errors([&] { return value_at(checked(state_).root, path); });
}

void Module::setattr(std::string_view path, IValue value) {
  with_memory_errors([&] { set_attribute(loaded(state_), path, std::move(value)); });
}

std::vector<std::pair<std::string, Tensor>> Module::named_parameters() const {
  return with_memory_errors([this] { return tensors(checked(state_), true); });
}
std::vector<std::pair<std::string, Tensor>> Module::named_buffers() const {
  return with_memory_errors([this] { return tensors(checked(state_), false); });
}

const std::map<std::string, std::string>& Module::extra_files() const { return checked(state_).extra_files; }

IValue Module::run_on_bundled_input(size_t index, std::string_view method) const {
  std::vector<std::vector<IValue>> inputs = bundled_inputs(method);
  WICK_CHECK(!inputs.empty(), kNotFound, "Model does not have bundled inputs for '", method,
             "'.  Before saving, use torch.utils.bundled_inputs.augment_model_with_bundled_inputs.");
  WICK_CHECK(index < inputs.size(), kIndexOutOfRange, "Model has only ", inputs.size(), " bundled inputs.");
  return run_method(method, std::move(inputs[index]));
}

std::vector<std::string> Module::operators() const {
  return with_memory_errors([this] {
    std::vector<std::string> out;
    for (const auto& [name, use] : ir::operators_used(checked(state_))) out.push_back(name);
    return out;
  });
}

}  // namespace wick
