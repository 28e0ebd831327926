// Operators whose meaning changed after a file was written: the old meaning, built from today's operators.
// Shared by the frontends; what holds for which version of operators is said here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/schema.h"
#include "ir/graph.h"

namespace wick {

// Where the nodes go.
class UpgradeSink {
 public:
  virtual ~UpgradeSink() = default;
  virtual ir::Node* node(ir::NodeKind kind, std::vector<ir::Value*> inputs) = 0;
  virtual ir::Value* op(std::string_view full_name, std::vector<ir::Value*> inputs) = 0;
  virtual ir::Value* constant(IValue value) = 0;
  virtual ir::Graph& graph() = 0;
  virtual ir::Block*& block() = 0;
};

// Whether a call in a file of that version means something else than the operator does today.
bool is_upgraded(const FunctionSchema& schema, int64_t version);
// The schema the operator had then, where it was another; null when it is the same.
const FunctionSchema* old_schema(const FunctionSchema& schema, int64_t version);
// Emits a call of an upgraded operator. The arguments are those of the old schema, all of them.
ir::Value* upgrade_call(UpgradeSink& sink, std::string_view name, std::string_view overload,
                        std::vector<ir::Value*> arguments);

}  // namespace wick
