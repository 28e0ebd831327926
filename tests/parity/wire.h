// How values travel between the Python side of the parity suite and the runner: plain torch.save values, and tuples
// ("#complex", re, im), ("#device", "cpu"), ("#generator", seed), ("#call", operator, args), ("#future", value),
// ("#enum", type, value), ("#opaque", class) for what torch.save does not carry plainly.
#pragma once

#include <vector>

#include "wick/ivalue.h"

namespace wick::parity {

// `type` is what the schema asks for at this place; it gives empty lists and dicts their element types.
IValue from_wire(const IValue& encoded, const TypePtr& type);
IValue to_wire(const IValue& value);

// Every tensor inside the value, in order.
void collect_tensors(const IValue& value, std::vector<Tensor>& out);

}  // namespace wick::parity
