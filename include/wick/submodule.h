// Submodule: a part of a loaded model, whose methods can be run by themselves.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wick/ivalue.h"
#include "wick/module.h"

namespace wick {

// An object of a model and its methods, run by the interpreter (plans are made for the whole model alone). Shares the
// model and keeps it alive. Attributes are the object's own: object().to_object().attr("weight").
//
//   wick::Submodule encoder(module, module.attr("encoder"));
//   wick::IValue code = encoder.run_method("forward", {image});
//
// Threads: as Module's const members.
class Submodule {
 public:
  // Throws kInvalidArgument for an empty module or a value that is no object.
  Submodule(Module module, IValue object);

  const Module& module() const noexcept { return module_; }
  const IValue& object() const noexcept { return object_; }
  bool has_method(std::string_view name) const;
  std::vector<std::string> method_names() const;
  // As Module::run_method.
  IValue run_method(std::string_view name, std::vector<IValue> args,
                    const std::map<std::string, IValue>& named = {}) const;

 private:
  struct State;
  Module module_;
  IValue object_;
  std::shared_ptr<State> state_;
};

}  // namespace wick
