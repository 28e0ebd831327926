// What a build for some models must hold (docs/selective_build.md). Part of the compiler library (wick::compiler).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "wick/module.h"

namespace wick {

// One run of a method.
struct TraceRun {
  std::string method = "forward";
  std::string label;
  std::vector<IValue> arguments;
};

// A branch no run took, or a loop no run entered.
struct TraceGap {
  std::string function, what, where;
  std::vector<std::string> operators;  // called nowhere else
  size_t count = 1;                    // places that are alike
};

// What was met, and what was not.
struct TraceResult {
  std::string yaml;                    // the list, as WICK_SELECTED_OP_LIST takes it
  std::vector<std::string> operators;  // of the list
  std::vector<TraceGap> gaps;
  std::vector<std::string> methods_not_run;
  std::vector<std::string> operators_not_called;
};

// Runs the model of the file on its bundled inputs and on `runs`, operator by operator and planned. `merge`: lists
// (YAML text) to unite it with; `isa`: instruction sets of the build, as WICK_ISA has them; empty: all. Throws
// kNotFound when there is nothing to run it on, and what a run throws. `progress` is told before each run how many are
// done, and how many there are.
TraceResult trace(const std::string& path, const std::vector<TraceRun>& runs = {},
                  const std::vector<std::string>& merge = {}, const std::vector<std::string>& isa = {},
                  const std::function<void(const char* what, size_t done, size_t total)>& progress = nullptr);

}  // namespace wick
