// Operators whose meaning changed after a file was written: the old meaning, built from today's operators.
// Shared by the frontends; what holds for which version of operators is said here.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "config/build.h"
#include "core/schema.h"
#include "ir/graph.h"

namespace wick {

// Operators whose calls some frontend changes.
inline constexpr std::string_view kUpgradedOperators[] = {"aten::div",
                                                          "aten::div_",
                                                          "aten::full",
                                                          "aten::gelu",
                                                          "aten::linspace",
                                                          "aten::logspace",
                                                          "torchvision::roi_align"};
// Whether a selective build has any of them.
inline constexpr bool kHasUpgrades =
    std::any_of(std::begin(kUpgradedOperators), std::end(kUpgradedOperators), build::has_op);

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
