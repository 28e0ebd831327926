// Programs as TorchScript containers: source text instead of bytecode.
#pragma once

#include "ir/program.h"
#include "wick/save.h"

namespace wick::emit {

// Where the source of a container comes from.
enum class SourceText : uint8_t {
  kKept,    // the file that the program was read from, if it has any
  kPrinted  // the program
};

// Whether there is any to be kept.
bool has_kept_source(const ir::Program& program);

// The whole archive; records stand below `root`.
std::vector<uint8_t> torchscript_container(const ir::Program& program, const SaveOptions& options,
                                           const std::string& root, SourceText text = SourceText::kKept);

}  // namespace wick::emit
