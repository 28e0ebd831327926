// Debug records of lite files: which line of Python each instruction comes from.
#pragma once

#include <vector>

#include "archive/writer.h"
#include "emit/codegen.h"
#include "ir/inline_calls.h"
#include "ir/program.h"

namespace wick::emit {

struct WrittenFunction {
  ir::InlinedFunction inlined;
  GeneratedCode code;
};

// mobile_debug_handles.pkl, callstack_debug_map.pkl and delegated_backends.debug_pkl; nothing when the program does
// not tell where its nodes come from. The tables of positions (.debug_pkl) are those of the source.
void write_debug_records(ZipWriter& zip, const ir::Program& program, const std::vector<WrittenFunction>& functions,
                         int64_t bytecode_version);

}  // namespace wick::emit
