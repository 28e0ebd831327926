// Functions of lite bytecode as the tuples of bytecode.pkl.
#pragma once

#include "archive/bytecode.h"

namespace wick::emit {

// (name, code table, schema table) as files of the version hold it.
IValue function_tables(const lite::BytecodeFunction& function, int64_t bytecode_version);

}  // namespace wick::emit
