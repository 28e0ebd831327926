// Graph queries and edits that the quantizer's passes share.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "ir/graph.h"

namespace wick::quantize {

// Calls visit(node) for every node, outer before inner, in order. The visitor may erase the node it is given.
void each_node(ir::Block& block, const std::function<void(ir::Node&)>& visit);

// Whether no user of the list changes it, or may hand it to code that does.
bool is_only_read(const ir::Value& list);
// What is known of the value before running: constants, and lists and tuples of them.
std::optional<IValue> known(const ir::Value& value);
bool is_op(const ir::Node& node, std::string_view full_name);
// The operator's name without its overload: "aten::add".
std::string_view base_name(const ir::Node& node);

// The operator or null; the argument by name as it is known, the schema's default when it is not given. Nothing for one
// that is computed while running.
std::optional<IValue> argument(const ir::Node& node, std::string_view name);
// The value given for the argument, or null.
ir::Value* argument_value(const ir::Node& node, std::string_view name);

// Values that are results of blocks.
std::unordered_set<const ir::Value*> block_results(const ir::Graph& graph);
// True for a node that asks for the shape of its input only.
bool asks_shape(const ir::Node& node);
// The one node that uses the value for more than its shape, when there is one and it takes the value once; or null.
ir::Node* only_user(const ir::Value& value, const std::unordered_set<const ir::Value*>& results);

// New nodes before `before`; at the end of the block when it is null.
ir::Value* add_constant(ir::Graph& graph, ir::Block* block, ir::Node* before, IValue value);
ir::Node* add_op(ir::Graph& graph, ir::Block* block, ir::Node* before, std::string_view full_name,
                 std::vector<ir::Value*> inputs);
// Moves all nodes of `from` before the node.
void splice_before(ir::Node* before, ir::Block& from);

// Whether the node does nothing but give its results.
bool has_no_effect(const ir::Node& node);
// Removes nodes whose results nothing uses and that do nothing else.
void remove_unused(ir::Graph& graph);

}  // namespace wick::quantize
