// torch::jit::Module and Method: a loaded model.
#pragma once

#include <atomic>
#include <functional>
#include <istream>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <torch/types.h>

namespace c10 {

// What a method takes or gives, as the file declares it.
struct Argument {
  const std::string& name() const { return name_; }
  const TypePtr& type() const { return type_; }
  const optional<IValue>& default_value() const { return default_value_; }
  optional<int32_t> N() const { return nullopt; }
  bool kwarg_only() const { return false; }
  std::string name_;
  TypePtr type_;
  optional<IValue> default_value_;
};
struct FunctionSchema {
  const std::string& name() const { return name_; }
  const std::string& overload_name() const { return overload_name_; }
  const std::vector<Argument>& arguments() const { return arguments_; }  // self first
  const std::vector<Argument>& returns() const { return returns_; }
  bool is_vararg() const { return false; }
  bool is_varret() const { return false; }
  optional<int> argumentIndexWithName(c10::string_view name) const {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (name == arguments_[i].name_) return static_cast<int>(i);
    }
    return nullopt;
  }
  std::string name_;
  std::string overload_name_;
  std::vector<Argument> arguments_;
  std::vector<Argument> returns_;
};
std::ostream& operator<<(std::ostream& out, const Argument& argument);
std::ostream& operator<<(std::ostream& out, const FunctionSchema& schema);

}  // namespace c10

namespace torch {
namespace jit {

using c10::Argument;
using c10::FunctionSchema;
using c10::IValue;
using c10::QualifiedName;
using c10::TypePtr;
using Kwargs = std::unordered_map<std::string, IValue>;
using ExtraFilesMap = std::unordered_map<std::string, std::string>;
using ModulePtr = c10::intrusive_ptr<c10::ivalue::Object>;
using ObjectPtr = c10::intrusive_ptr<c10::ivalue::Object>;

struct Module;
struct Object;

// What a method is, apart from its module.
struct Function {
  const FunctionSchema& getSchema() const { return schema_; }
  const std::string& name() const { return schema_.name_; }
  c10::QualifiedName qualname() const { return qualname_; }
  size_t num_inputs() const { return schema_.arguments_.size(); }
  FunctionSchema schema_;
  std::string qualname_;
};

// A method of a module, which it shares.
struct Method {
  IValue operator()(std::vector<IValue> stack, const Kwargs& kwargs = Kwargs()) const;
  void run(Stack& stack) const { stack = {(*this)(std::move(stack))}; }
  void run(Stack&& stack) const { (*this)(std::move(stack)); }
  c10::intrusive_ptr<c10::ivalue::Future> run_async(std::vector<IValue> stack, const Kwargs& kwargs = Kwargs()) const;
  const std::string& name() const { return name_; }
  size_t num_inputs() const { return function().num_inputs(); }
  const Function& function() const;
  const FunctionSchema& getSchema() const { return function().getSchema(); }
  Module owner() const;

 private:
  friend struct Object;
  Method(std::shared_ptr<void> module, std::string name) : module_(std::move(module)), name_(std::move(name)) {}
  std::shared_ptr<void> module_;
  std::string name_;
  mutable std::shared_ptr<Function> function_;
};

class ObjectAttributeError : public std::runtime_error {
 public:
  explicit ObjectAttributeError(const std::string& what) : std::runtime_error(what) {}
};

// A module, or an object of a TorchScript class, by reference: copies share it.
struct Object {
  Object() = default;
  ObjectPtr _ivalue() const;
  c10::ClassTypePtr type() const;
  IValue attr(const std::string& name) const;
  IValue attr(const std::string& name, IValue or_else) const;
  bool hasattr(const std::string& name) const;
  void setattr(const std::string& name, IValue v);
  Method get_method(const std::string& name) const;
  c10::optional<Method> find_method(const std::string& name) const;
  std::vector<Method> get_methods() const;
  template <class... Types>
  IValue run_method(const std::string& name, Types&&... args) {
    return get_method(name)({IValue(std::forward<Types>(args))...});
  }
  // Properties are not in files: a loaded module has none, and get_property() throws.
  struct Property {
    std::string name;
    Method getter_func;
    c10::optional<Method> setter_func;
  };
  const Property get_property(const std::string& name) const;
  const std::vector<Property> get_properties() const { return {}; }
  size_t num_slots() const;
  // Compiles methods of TorchScript source: Wick runs saved models and cannot; throws.
  void define(const std::string& source);

  // For the library's own code.
  explicit Object(std::shared_ptr<void> state) : state_(std::move(state)) {}
  const std::shared_ptr<void>& state() const { return state_; }

 protected:
  std::shared_ptr<void> state_;
};

// What parameters(), modules() and so on give: a list to iterate over.
template <class T>
struct SlotList : std::vector<T> {
  using std::vector<T>::vector;
};
template <class T>
struct Named {
  std::string name;
  T value;
};
using NameModule = Named<Module>;
using NameValue = Named<IValue>;
using NameTensor = Named<at::Tensor>;
using parameter_list = SlotList<at::Tensor>;
using named_parameter_list = SlotList<Named<at::Tensor>>;
using buffer_list = SlotList<at::Tensor>;
using named_buffer_list = SlotList<Named<at::Tensor>>;
using module_list = SlotList<Module>;
using named_module_list = SlotList<Named<Module>>;
using attribute_list = SlotList<IValue>;
using named_attribute_list = SlotList<Named<IValue>>;

// Threads: as wick::Module. Operators that fail while a method runs throw std::runtime_error with the lines of the
// model; c10::Error is thrown for wrong arguments and files.
struct Module : public Object {
  Module() = default;
  explicit Module(c10::QualifiedName class_name);
  explicit Module(std::shared_ptr<void> state) : Object(std::move(state)) {}

  IValue forward(std::vector<IValue> inputs, const Kwargs& kwargs = Kwargs()) {
    return get_method("forward")(std::move(inputs), kwargs);
  }
  IValue operator()(std::vector<IValue> inputs) const;
  IValue operator()(std::vector<IValue> inputs, const Kwargs& kwargs) const {
    return get_method("forward")(std::move(inputs), kwargs);
  }

  parameter_list parameters(bool recurse = true) const;
  named_parameter_list named_parameters(bool recurse = true) const;
  buffer_list buffers(bool recurse = true) const;
  named_buffer_list named_buffers(bool recurse = true) const;
  module_list children() const;
  named_module_list named_children() const;
  module_list modules() const;
  named_module_list named_modules() const;
  attribute_list attributes(bool recurse = true) const;
  named_attribute_list named_attributes(bool recurse = true) const;

  void train(bool on = true);
  void eval() { train(false); }
  bool is_training() const { return attr("training", true).toBool(); }
  bool is_optimized() const { return true; }
  void set_optimized(bool) {}

  void to(at::Device device, at::ScalarType dtype, bool non_blocking = false);
  void to(at::ScalarType dtype, bool non_blocking = false);
  void to(at::Device device, bool non_blocking = false);

  void save(std::ostream& out, const ExtraFilesMap& extra_files = ExtraFilesMap()) const;
  void save(const std::string& filename, const ExtraFilesMap& extra_files = ExtraFilesMap()) const;
  void _save_for_mobile(std::ostream& out, const ExtraFilesMap& extra_files = ExtraFilesMap(),
                        bool save_mobile_debug_info = false, bool use_flatbuffer = false) const;
  void _save_for_mobile(const std::string& filename, const ExtraFilesMap& extra_files = ExtraFilesMap(),
                        bool save_mobile_debug_info = false, bool use_flatbuffer = false) const;
  Module copy() const;  // the module itself
  Module deepcopy(c10::optional<at::Device> device = c10::nullopt) const;
  Module clone(bool inplace = false) const;
  // PyTorch's text. Methods are shown without their bodies.
  void dump(bool print_method_bodies, bool print_attr_values, bool print_param_values) const;
  std::string dump_to_str(bool print_method_bodies, bool print_attr_values, bool print_param_values) const;
  void register_parameter(const std::string& name, at::Tensor v, bool is_buffer);
  void register_buffer(const std::string& name, at::Tensor v) { register_parameter(name, std::move(v), true); }
  void register_attribute(const std::string& name, const TypePtr& t, IValue v, bool is_param = false,
                          bool is_buffer = false);
  void register_module(const std::string& name, const Module& module);
  // Calls f for this module and then for those inside of it.
  const Module& apply(const std::function<void(Module&)>& f) {
    f(*this);
    for (Module m : children()) m.apply(f);
    return *this;
  }
};
// The names of the operators that the module's methods call, sorted.
std::vector<std::string> export_opnames(const Module& module);

// The module without what only training needs. Wick plans runs for the shapes it sees, which includes what freezing
// does, so that the module itself is given back, in eval mode.
Module freeze(const Module& module, const c10::optional<std::vector<std::string>>& preserved = c10::nullopt,
              bool optimize_numerics = true);
Module optimize_for_inference(Module& module, const std::vector<std::string>& other_methods = {});
inline Module freeze_module(const Module& module, std::vector<std::string> preserved = {}, bool = true, bool = false) {
  return freeze(module, preserved);
}

enum class FusionBehavior { STATIC, DYNAMIC };
using FusionStrategy = std::vector<std::pair<FusionBehavior, size_t>>;
inline FusionStrategy getFusionStrategy() { return {}; }
inline FusionStrategy setFusionStrategy(FusionStrategy&) { return {}; }
bool getGraphExecutorOptimize();
void setGraphExecutorOptimize(bool on);  // of this thread; changes nothing
inline bool& getProfilingMode() {
  static bool mode = true;
  return mode;
}
inline bool& getExecutorMode() {
  static bool mode = true;
  return mode;
}
// Settings of executors that Wick does not have: they are kept, and change nothing.
inline bool setTensorExprFuserEnabled(bool) { return false; }
inline bool tensorExprFuserEnabled() { return false; }
inline std::atomic<size_t>& getNumProfiledRuns() {
  static std::atomic<size_t> runs{1};
  return runs;
}
inline std::atomic<size_t>& getBailoutDepth() {
  static std::atomic<size_t> depth{20};
  return depth;
}
inline bool& getInlineEverythingMode() {
  static bool mode = false;
  return mode;
}
inline void overrideCanFuseOnCPU(bool) {}
inline void overrideCanFuseOnCPULegacy(bool) {}
inline void overrideCanFuseOnGPU(bool) {}
inline bool canFuseOnCPU() { return false; }
inline bool canFuseOnGPU() { return false; }
// Strings of models are bytes, which are passed on as they are.
inline void setUTF8DecodingIgnore(bool) {}
struct GraphOptimizerEnabledGuard {
  explicit GraphOptimizerEnabledGuard(bool on) : before_(getGraphExecutorOptimize()) { setGraphExecutorOptimize(on); }
  ~GraphOptimizerEnabledGuard() { setGraphExecutorOptimize(before_); }

 private:
  bool before_;
};

namespace script {
using jit::ExtraFilesMap;
using jit::Method;
using jit::Module;
using jit::Object;
}  // namespace script

class JITException : public std::runtime_error {
 public:
  explicit JITException(const std::string& msg) : std::runtime_error(msg) {}
};

using PrintHandler = void (*)(const std::string&);

}  // namespace jit
}  // namespace torch
