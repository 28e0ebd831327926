// Overloads of operators that PyTorch defines in TorchScript itself; they are tried after the others.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/script/match.h"

namespace wick::script {

struct ScriptedOverload {
  FunctionSchema schema;
  ir::Value* (*emit)(Emitter& emitter, const std::vector<ir::Value*>& inputs);
};

// Empty when there are none.
const std::vector<ScriptedOverload>& scripted_overloads(std::string_view name);

}  // namespace wick::script
