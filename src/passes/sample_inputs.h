// Guessed inputs for a model without bundled ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"

namespace wick::passes {

struct SampleInputs {
  std::vector<IValue> arguments;
  std::string description;  // "float [1, 3, 64, 64], int"
};

// Random arguments a method runs on without an error: shapes are guessed from the layers its parameters lead to in
// `frozen`, and tried on `program`, which has the same method. Nothing when no guess runs.
std::optional<SampleInputs> sample_inputs(const ir::Program& program, const ir::Program& frozen,
                                          const std::string& method, uint64_t seed);

}  // namespace wick::passes
