// --timeout and --max-memory, which every command takes.
#pragma once

#include <vector>

#include "arguments.h"
#include "core/budget.h"

namespace wick::tools {

// For the help of every command.
const std::vector<OptionSpec>& bound_options();

// Takes the options out of the words of a command line. Throws UsageError for a value that is no time or size.
RunOptions take_bounds(std::vector<char*>& words);

}  // namespace wick::tools
