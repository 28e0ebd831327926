// Programs as TorchScript containers: source text instead of bytecode.
#pragma once

#include "ir/program.h"
#include "wick/save.h"

namespace wick::emit {

// The whole archive; records stand below `root`.
std::vector<uint8_t> torchscript_container(const ir::Program& program, const SaveOptions& options,
                                           const std::string& root);

}  // namespace wick::emit
