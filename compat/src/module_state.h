// What torch::jit::Module and mobile::Module share with their copies.
#pragma once

#include <torch/csrc/jit/mobile/module.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "wick/module.h"
#include "wick/submodule.h"

namespace wick_compat {

struct ModuleState {
  wick::Module module;                  // the whole model
  wick::IValue object;                  // this module: the root, or a part of it
  std::string path;                     // of the object in the model; empty for the root
  std::optional<wick::Submodule> part;  // for what is no root
  bool is_script = true;                // how errors of a run are thrown

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
std::shared_ptr<void> part_of(const ModuleState& owner, const wick::IValue& object, const std::string& path);

// "List[int]" as a type.
c10::TypePtr parse_annotation(const std::string& text);
c10::FunctionSchema schema_of(const ModuleState& state, const std::string& method);

}  // namespace wick_compat
