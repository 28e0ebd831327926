// Which instruction sets of the machine kernels use, for who traces a model for all of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wick::api {

// The sets of this machine that kernels are compiled for and the names stand for (sse4, avx2, avx512, neon), a bit
// each; without a name all of them. Throws kInvalidArgument for a name of none of them.
int64_t instruction_sets(const std::vector<std::string>& names);

// While it lives, kernels of the whole process use these sets only.
class InstructionSetScope {
 public:
  explicit InstructionSetScope(int64_t sets);
  ~InstructionSetScope();
  InstructionSetScope(const InstructionSetScope&) = delete;
  InstructionSetScope& operator=(const InstructionSetScope&) = delete;
};

}  // namespace wick::api
