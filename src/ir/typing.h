// Static types of bytecode: the one rule that its reader applies and its writer foresees.
//
// Bytecode states the types of few values. Its reader infers the others and refuses a use that no value of the type
// fits; prim::unchecked_cast makes it forget what it knows of a value. Its writer puts such a cast exactly where the
// reader would refuse, and so asks the same functions.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ir/graph.h"

namespace wick::ir {

// A value of the type may decide an If or a Loop.
bool is_condition(const Type& type);

// False when the reader refuses a value of the type as input `i` of the node. `op` is the operator that the file calls:
// node.op, or the one that its instruction stands for.
bool accepts(const Node& node, const Operator* op, size_t i, const Type& actual);

// Adds the types of the node's outputs, of which there are `count` when nothing else says it; `inputs` stand for
// node.inputs. Not for If and Loop, whose outputs are joins. Attributes are Any here: a reader that knows their class
// is none the stricter for it.
void output_types(const Node& node, const Operator* op, const std::vector<Value*>& inputs, size_t count,
                  std::vector<TypePtr>& out);
TypePtr tuple_of(const std::vector<Value*>& items);

// How many values the tuple is taken apart into; nothing when only the instruction that stores them tells.
std::optional<size_t> unpacked_count(const Value& tuple);

// What the body of a loop knows of a value that it is given in its first turn.
const TypePtr& carried_type(const TypePtr& given);

}  // namespace wick::ir
