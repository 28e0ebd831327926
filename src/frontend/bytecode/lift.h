// From verified bytecode to the IR. Stack and registers become SSA values; JF/JMP and LOOP/JMP become If and
// Loop. What the exporter never writes (unstructured jumps, unbalanced stacks) is refused.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>

#include "archive/bytecode.h"
#include "core/word_map.h"
#include "ir/program.h"

namespace wick::lite {

// An operator that this build lacks, and where it is first used.
struct MissingUse {
  std::string name;  // full name
  std::string function;
  int64_t source = -1;  // for Program::describe_source
};

struct LiftContext {
  int64_t bytecode_version = 0;
  int64_t operator_version = 0;
  // Classes met so far, for attribute names; may be null.
  const ir::ClassTable* classes = nullptr;
  // Filled while lifting, in the order of the first uses.
  std::list<MissingUse> missing;
  NameMap missing_names;
};

// Verifies and lifts; the schema is taken out of `function`. Throws kCorruptFile naming the function, the instruction
// and the reason. A function that uses missing operators of unknown arity is lifted to one that only calls those.
std::unique_ptr<ir::Function> lift(BytecodeFunction& function, LiftContext& context);

// The same of a function that is a method or called by one: the planner may give its graph's memory back once it has
// inlined it, so the bytecode is kept to lift it again. The context's classes must live as long.
std::unique_ptr<ir::Function> lift_for_plans(BytecodeFunction&& function, LiftContext& context);

// Throws kMissingOperator naming all of them and where they are used; does nothing when there are none.
void refuse_missing(const LiftContext& context, const ir::Program& program);

}  // namespace wick::lite
