// From the IR to lite bytecode: structured SSA to instructions over a stack and registers.
#pragma once

#include <string>
#include <vector>

#include "archive/bytecode.h"
#include "ir/graph.h"

namespace wick::emit {

inline constexpr int64_t kOldestBytecode = 4;
inline constexpr int64_t kNewestBytecode = 8;

struct CodegenOptions {
  int64_t bytecode_version = kNewestBytecode;
  int64_t operator_version = 10;  // of the file the code is written to
};

struct GeneratedCode {
  lite::BytecodeFunction function;
  std::vector<const ir::Node*> nodes;  // of each instruction; null for those that belong to no node
};

// The graph must hold no calls but those that are looked up when they are run, and no forks (see inline_calls).
// Throws kMissingOperator when an operator is not known to this build, kUnsupported for what lite bytecode has no
// words for.
GeneratedCode generate(const ir::Function& function, const CodegenOptions& options);

// True for a primitive operator that today's bytecode has an instruction for ("aten::dim").
bool is_instruction(const std::string& operator_name);

}  // namespace wick::emit
