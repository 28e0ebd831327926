// Runs methods of a model that may do anything, by the interpreter and by plans.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/check.h"
#include "fuzz/bounds.h"
#include "parity/executors.h"
#include "unit/ops/hostile_guard.h"
#include "unit/ops/wild_values.h"
#include "wick/module.h"

namespace wick::fuzz {

// Operators that give what was in memory, the time, or new random numbers for a generator of their own; and those that
// print.
inline bool is_unpredictable(std::string_view name) {
  for (const char* part :
       {"empty", "resize", "aten::set_", "time", "enerator", "seed", "_storage", "data_ptr", "hash"}) {
    if (name.find(part) != std::string_view::npos) return true;
  }
  return false;
}

struct ModelTraits {
  bool can_run = true;      // nothing that prints or waits
  bool can_compare = true;  // two runs give the same
};

inline ModelTraits traits_of(const Module& module) {
  ModelTraits out;
  for (const std::string& name : module.operators()) {
    out.can_run = out.can_run && !hostile::is_skipped(name.substr(0, name.find('.')));
    out.can_compare = out.can_compare && !is_unpredictable(name);
  }
  return out;
}

// What limits end is not compared: plans count fewer steps and need other memory.
inline bool is_limit(const Error& e) {
  return e.code() == ErrorCode::kLimitExceeded || e.code() == ErrorCode::kOutOfMemory ||
         e.code() == ErrorCode::kDeadlineExceeded;
}

// Arguments of the types that the method states.
inline std::vector<IValue> arguments_for(const Module& module, const std::string& method,
                                         const hostile::Entropy& entropy) {
  static const std::vector<IValue> packed = hostile::packed_weights();
  FunctionSchema schema;
  for (const MethodInfo& info : module.methods()) {
    if (info.name != method) continue;
    for (const MethodArgument& argument : info.arguments) {
      Argument& added = schema.arguments.emplace_back();
      added.name = argument.name;
      added.has_default = argument.has_default;
      added.default_value = argument.default_value;
      try {
        added.type = parse_type(argument.type);
      } catch (const Error&) {
        added.type = types::any();
      }
    }
  }
  return hostile::Wild(entropy, packed).arguments(schema);
}

using MakeArguments = std::function<std::vector<IValue>()>;

inline void run_method_both_ways(const std::function<Module()>& load_module, const std::string& method,
                                 const MakeArguments& make_arguments) {
  run_bounded(method.c_str(), [&] {
    const Module module = load_module();
    const ModelTraits traits = traits_of(module);
    if (!traits.can_run) return;
    if (traits.can_compare) {
      parity::run_both(load_module, method, make_arguments, 1, is_limit);
      return;
    }
    for (int i = 0; i < 3; ++i) {
      try {
        module.run_method(method, make_arguments());
      } catch (const Error& e) {
        if (e.code() == ErrorCode::kInternal) throw;
      }
    }
  });
}

// Every method of the model, with arguments from the entropy.
inline void run_methods(const std::function<Module()>& load_module, const hostile::Entropy& entropy) {
  std::vector<std::string> names;
  const bool loaded = run_bounded("load", [&] {
    for (const MethodInfo& method : load_module().methods()) names.push_back(method.name);
  });
  constexpr size_t kMostMethods = 4;
  if (!loaded || names.size() > 64) return;
  for (size_t i = 0; i < std::min(names.size(), kMostMethods); ++i) {
    run_method_both_ways(load_module, names[i],
                         [&, name = names[i]] { return arguments_for(load_module(), name, entropy); });
  }
}

}  // namespace wick::fuzz
