// Calls of operators by name: which overload, in which version, and overloads that PyTorch writes in TorchScript.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/script/match.h"

namespace wick::script {

struct OperatorResult {
  std::vector<ir::Value*> values;
  const FunctionSchema* schema = nullptr;  // names of the results; null when not known
};

// Is there any overload of "aten::add" here?
bool has_operator(std::string_view name);

// `outputs`: how many results the place of the call expects, used when this build lacks the operator.
OperatorResult call_operator(Emitter& emitter, std::string_view name, const Arguments& arguments, size_t outputs = 1);
// For operators with one result.
ir::Value* call_one(Emitter& emitter, std::string_view name, std::vector<ir::Value*> arguments);

}  // namespace wick::script
