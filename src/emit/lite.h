// Programs as lite-interpreter containers.
#pragma once

#include "ir/program.h"
#include "wick/save.h"

namespace wick::emit {

// The whole archive; records stand below `root`.
std::vector<uint8_t> lite_container(const ir::Program& program, const SaveOptions& options, const std::string& root);

}  // namespace wick::emit
