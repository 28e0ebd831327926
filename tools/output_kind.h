// Which kind of file a command writes.
#pragma once

#include "arguments.h"

namespace wick::tools {

// True for a lite file, false for TorchScript: by --format, or else by the extension of the file. Throws UsageError
// when neither tells.
bool wants_lite(const Arguments& arguments, const std::string& out);

}  // namespace wick::tools
