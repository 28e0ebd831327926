// The interpreter, for the compiler's components and tools: they run functions of programs that no Module holds.
#pragma once

#include "runtime/arguments.h"
#include "runtime/executor.h"

namespace wick::api {

using runtime::bind_arguments;
using runtime::run_function;

}  // namespace wick::api
