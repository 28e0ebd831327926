// torch::jit::mobile::Module: a model of the lite interpreter.
#pragma once

#include <map>
#include <set>

#include <torch/csrc/jit/api/module.h>

namespace torch {
namespace jit {
namespace mobile {

class Module;

class Function {
 public:
  const std::string& name() const { return name_; }
  const std::string& qualname() const { return qualname_; }
  size_t num_inputs() const { return schema_.arguments_.size(); }
  bool hasSchema() const { return true; }
  const c10::FunctionSchema& getSchema() const { return schema_; }
  std::string name_;
  std::string qualname_;
  c10::FunctionSchema schema_;
};

struct Method {
  c10::IValue operator()(std::vector<c10::IValue> stack) const;
  void run(Stack& stack) const { stack = {(*this)(std::move(stack))}; }
  void run(Stack&& stack) const { (*this)(std::move(stack)); }
  const std::string& name() const { return name_; }
  int64_t get_debug_handle(size_t) const { return -1; }
  const Function& function() const;

 private:
  friend class Module;
  using Texts = std::unordered_map<std::string, std::string>;
  Method(std::shared_ptr<void> module, std::string name, Texts metadata)
      : module_(std::move(module)), name_(std::move(name)), metadata_(std::move(metadata)) {}
  std::shared_ptr<void> module_;
  std::string name_;
  Texts metadata_;  // for observers
  mutable std::shared_ptr<Function> function_;
};

// Threads: as wick::Module.
class Module {
 public:
  Module() = default;
  explicit Module(std::shared_ptr<void> state) : state_(std::move(state)) {}
  c10::IValue forward(std::vector<c10::IValue> inputs) { return get_method("forward")(std::move(inputs)); }
  c10::IValue operator()(std::vector<c10::IValue> inputs) { return forward(std::move(inputs)); }
  Method get_method(const std::string& name) const;
  template <class... Types>
  c10::IValue run_method(const std::string& name, Types&&... args) {
    return get_method(name)({c10::IValue(std::forward<Types>(args))...});
  }
  c10::optional<Method> find_method(const std::string& name) const;
  const std::string name() const;
  const std::vector<Method> get_methods() const;
  ObjectPtr _ivalue() const;
  const std::vector<c10::IValue> slots() const { return _ivalue()->slots(); }
  c10::IValue attr(const std::string& name, c10::IValue or_else) const;
  const std::vector<at::Tensor> parameters() const;
  const std::map<std::string, at::Tensor> named_parameters() const;
  void train(bool on = true);
  void eval() { train(false); }
  bool is_training() const;
  std::string get_forward_method_debug_info(int64_t) const { return {}; }
  const std::unordered_map<std::string, std::string> getMetadata() const { return metadata_; }
  void setMetadata(const std::unordered_map<std::string, std::string>& v) { metadata_ = v; }
  int64_t min_operator_version() const { return min_operator_version_; }
  int64_t bytecode_version() const { return bytecode_version_; }
  void set_min_operator_version(int64_t v) { min_operator_version_ = v; }
  void set_bytecode_version(int64_t v) { bytecode_version_ = v; }
  void set_delete_memory(std::shared_ptr<char> memory) { memory_ = std::move(memory); }

  // For the library's own code.
  const std::shared_ptr<void>& state() const { return state_; }

 private:
  std::unordered_map<std::string, std::string> observed_metadata() const;

  std::shared_ptr<void> state_;
  std::unordered_map<std::string, std::string> metadata_;
  std::shared_ptr<char> memory_;
  int64_t min_operator_version_ = 4;
  int64_t bytecode_version_ = 4;
};

}  // namespace mobile
}  // namespace jit
}  // namespace torch
