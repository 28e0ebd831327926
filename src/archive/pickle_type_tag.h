// Element types of pickled containers.
#pragma once

#include "archive/pickle_values.h"

namespace wick {

// Gives `value` and the containers in it the element types that `type` states, and throws when a value does
// not fit its type.
void apply_type_tag(const IValue& value, const TypePtr& type, PickleContext& context);

// Gives containers without stated types (Python's) the types their elements have, where those agree.
void infer_container_types(const IValue& value);

}  // namespace wick
