// Matches a call with a schema, and the conversions it needs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/script/lower_emitter.h"

namespace wick::script {

struct NamedArgument {
  std::string_view name;
  ir::Value* value;
};

// What is passed to an operator, function or method.
struct Arguments {
  ir::Value* self = nullptr;  // receiver of a method-style call: bound to the parameter named `self`
  std::vector<ir::Value*> positional;
  std::vector<NamedArgument> keywords;
};

struct Match {
  std::vector<ir::Value*> inputs;  // one for each parameter, then the rest of a vararg schema
  std::vector<TypePtr> results;
};

// Tries the schema without emitting anything; when it fits, emits the conversions and gives the inputs.
// `conversions`: also those from tensors to numbers, of numbers, from strings to devices, and single values collected
// to a list. On failure says why, if asked.
std::optional<Match> match_schema(Emitter& emitter, const FunctionSchema& schema, const Arguments& arguments,
                                  bool conversions, std::string* why = nullptr);
// The same, but throws when it does not fit.
Match match_only(Emitter& emitter, const FunctionSchema& schema, const Arguments& arguments);

// The first that fits, without conversions if any does, else with; throws an error listing all. `index` tells which.
Match match_first(Emitter& emitter, const std::vector<const FunctionSchema*>& schemas, const Arguments& arguments,
                  size_t& index);

// Converts to the type as for an argument that may be converted; the result may still not be of that type.
ir::Value* convert_to(Emitter& emitter, ir::Value* value, const TypePtr& type);

}  // namespace wick::script
