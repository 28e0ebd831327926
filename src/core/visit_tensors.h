// The tensors that a value holds.
#pragma once

#include "core/callback.h"
#include "wick/ivalue.h"

namespace wick {

// Calls visit(tensor) for every tensor in the value, in the order of its containers' items; a container that is held
// several times is visited once, objects are not entered.
void visit_tensors(const IValue& value, const Callback<void(const Tensor&)>& visit);
template <class Visit>
void each_tensor(const IValue& value, const Visit& visit) {
  visit_tensors(value, [&visit](const Tensor& t) { visit(t); });
}

}  // namespace wick
