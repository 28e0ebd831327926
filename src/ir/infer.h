// Static types of values: results of operators, joins at control flow, certain mismatches.
#pragma once

#include <vector>

#include "core/schema.h"
#include "ir/graph.h"

namespace wick::ir {

// The type itself when it has few parts, else its most general form (tuple, list, any): keeps types that a
// program builds up from growing without bound.
const TypePtr& bounded(const TypePtr& type);

// Type of a constant; as value.type(), but bounded however large the value is.
TypePtr type_of(const IValue& value);

// What a value is that is `a` on one path and `b` on another.
TypePtr join(const TypePtr& a, const TypePtr& b);

// True only when no value of type `actual` can be accepted where an operator asks for `formal`.
bool certainly_incompatible(const Type& actual, const Type& formal);

// Adds the types of an operator's results; type variables are resolved from the arguments, an item of a tuple from its
// index.
void result_types(const FunctionSchema& schema, const std::vector<Value*>& inputs, std::vector<TypePtr>& out);

}  // namespace wick::ir
