// What torch::jit::Module and mobile::Module share with their copies.
#pragma once

#include <torch/csrc/jit/mobile/module.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "wick/module.h"
#include "wick/submodule.h"

namespace wick_compat {

// The tensors of a model that the application was given since the last run. What it wrote into them is seen by their
// content, which costs a run less than planning anew. Threads: as a module.
class GivenTensors {
 public:
  void give(const wick::IValue& value);  // a tensor, or a container of some; others are left alone
  // Whether one of them changed; forgets them.
  bool changed();

 private:
  void give(const wick::Tensor& tensor);
  struct Seen {
    wick::Tensor tensor;
    uint64_t content;
  };
  std::atomic<bool> any_{false};
  std::mutex mutex_;  // of the list
  std::map<const void*, Seen> seen_;
};

struct ModuleState {
  wick::Module module;                  // the whole model
  wick::IValue object;                  // this module: the root, or a part of it
  std::string path;                     // of the object in the model; empty for the root
  std::optional<wick::Submodule> part;  // for what is no root
  bool is_script = true;                // how errors of a run are thrown
  // Shared by the modules of a model.
  std::shared_ptr<GivenTensors> given = std::make_shared<GivenTensors>();

  // Before a run: plans that were made for other contents of tensors are dropped.
  void see_changes() {
    if (given->changed()) forget_plans();
  }
  void forget_plans() {
    module.set_planning(false);
    module.set_planning(true);
  }

  // Of a method; lives as long as this. May be called from several threads.
  const torch::jit::Function& function(const std::string& method);
  const torch::jit::mobile::Function& mobile_function(const std::string& method);

  // Throws when there is no such method.
  c10::IValue run(const std::string& method, std::vector<c10::IValue>&& args, const torch::jit::Kwargs& named);
  bool has_method(const std::string& name) const;
  std::vector<std::string> method_names() const;

 private:
  std::mutex mutex_;  // of the two
  std::map<std::string, torch::jit::Function> functions_;
  std::map<std::string, torch::jit::mobile::Function> mobile_functions_;
};

// Throws for a module that nothing was loaded into.
ModuleState& state_of(const std::shared_ptr<void>& state);
std::shared_ptr<void> whole(wick::Module module, bool is_script);
// The module that an object of a loaded model is; throws when it is none.
std::shared_ptr<void> module_of(const wick::IValue& object);
// What the application gets of an object, or puts into it, past its module; null when no model is known for it.
std::shared_ptr<ModuleState> owner_of(const wick::ObjectImpl& object);
std::shared_ptr<void> part_of(const ModuleState& owner, const wick::IValue& object, const std::string& path);

// Whether a model that was loaded has modules of the class.
bool is_module_class(const std::string& name);

// Whether the bytes are a zip file that holds a program; others hold values alone.
bool holds_program(std::span<const uint8_t> bytes);

// "List[int]" as a type.
c10::TypePtr parse_annotation(const std::string& text);
c10::FunctionSchema schema_of(const ModuleState& state, const std::string& method);

}  // namespace wick_compat
