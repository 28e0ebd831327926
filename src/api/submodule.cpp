// Submodule: running methods of an object of a loaded model.
#include "wick/submodule.h"

#include "api/module_access.h"
#include "core/check.h"
#include "core/out_of_memory.h"
#include "ir/program.h"
#include "runtime/arguments.h"
#include "runtime/executor.h"

namespace wick {

struct Submodule::State {
  const std::shared_ptr<ir::Program> program;
  const std::shared_ptr<runtime::Executor> executor;
};

Submodule::Submodule(Module module, IValue object) : module_(std::move(module)), object_(std::move(object)) {
  std::shared_ptr<ir::Program> program = program_of(module_);
  WICK_CHECK(program, kInvalidArgument, "the module is empty: nothing was loaded into it");
  WICK_CHECK(object_.is_object(), kInvalidArgument, "a ", object_.tag_name(), " is no module and has no methods");
  state_ = std::make_shared<State>(State{std::move(program), executor_of(module_)});
}

bool Submodule::has_method(std::string_view name) const {
  return state_->program->find_method(object_.to_object(), name) != nullptr;
}

std::vector<std::string> Submodule::method_names() const {
  std::vector<std::string> out;
  const std::string prefix = object_.to_object().cls->name + ".";
  for (const auto& function : state_->program->functions) {
    if (function->name.starts_with(prefix) && function->name.find('.', prefix.size()) == std::string::npos) {
      out.push_back(function->name.substr(prefix.size()));
    }
  }
  return out;
}

IValue Submodule::run_method(std::string_view name, std::vector<IValue> args,
                             const std::map<std::string, IValue>& named) const {
  try {
    const ir::Function* method = state_->program->find_method(object_.to_object(), name);
    WICK_CHECK(method, kNotFound, "Method '", name, "' is not defined.");
    if (method->has_schema) runtime::bind_arguments(method->schema, name, args, named);
    args.insert(args.begin(), object_);
    return state_->executor->run(*method, std::move(args));
  } catch (...) {
    rethrow_out_of_memory("out of memory");
  }
}

}  // namespace wick
