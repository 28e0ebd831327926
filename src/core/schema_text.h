// The printed form of a schema, under another name and without its first arguments.
#pragma once

#include <string>
#include <string_view>

#include "core/schema.h"

namespace wick {

// PyTorch's printed form; FunctionSchema::str() is that of the full name and all arguments.
std::string schema_text(const FunctionSchema& schema, std::string_view name, size_t first_argument);

}  // namespace wick
