// Operators by name, in the order in which PyTorch tries their overloads.
#pragma once

#include <string_view>
#include <vector>

#include "core/operator.h"

namespace wick::script {

// All overloads of "aten::add" in this build or registered by the application; empty when there are none. Thread-safe.
std::vector<const Operator*> overloads_of(std::string_view name);

// Names of the overloads of an operator in PyTorch's order, joined by spaces; "" where the table's order is right.
std::string_view overload_order(std::string_view name);

}  // namespace wick::script
