// Where models print to.
#pragma once

#include <string>

namespace wick::ops::lang {

// To the standard output; on Android to the log, at level DEBUG under "pytorch-print".
void write_printed(const std::string& text);

}  // namespace wick::ops::lang
