// Instruction sets by the names that users give them.
#include "api/instruction_sets.h"

#include "core/check.h"
#include "kernels/machine.h"
#include "kernels/targets.h"

#include "hwy/targets.h"

namespace wick::api {

namespace {

void use_targets(int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

int64_t instruction_sets(const std::vector<std::string>& names) {
  const struct {
    const char* name;
    int64_t targets;
  } kSets[] = {{"sse4", HWY_SSE4}, {"avx2", HWY_AVX2}, {"avx512", HWY_AVX2 - 1}, {"neon", HWY_NEON}};
  const int64_t all = kernels::usable_instruction_sets();
  if (names.empty()) return all;
  int64_t found = 0;
  for (const std::string& name : names) {
    int64_t named = 0;
    for (const auto& set : kSets) {
      if (name == set.name) named = set.targets;
    }
    // On x86 better sets are lower bits.
    if ((all & named) == 0) {
      throw Error(ErrorCode::kInvalidArgument,
                  cat("'", name, "' is not an instruction set of this machine: sse4, avx2, avx512 or neon"));
    }
    found |= all & named;
  }
  return found;
}

InstructionSetScope::InstructionSetScope(int64_t sets) { use_targets(sets); }
// Gives the machine its instruction sets back.
InstructionSetScope::~InstructionSetScope() { use_targets(0); }

}  // namespace wick::api
