// What the pages that commands write have in common.
#pragma once

#include <string>

namespace wick::tools {

// The text with the characters that mean something in HTML spelled as entities.
std::string escaped(const std::string& text);

}  // namespace wick::tools
