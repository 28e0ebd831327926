// The interpreter, for the compiler's components and tools: they run functions of programs that no Module holds.
#pragma once

#include "runtime/arguments.h"
#include "runtime/executor.h"
#include "runtime/function_runner.h"

namespace wick::api {

using runtime::bind_arguments;
using runtime::Executor;
using runtime::FunctionRunner;

}  // namespace wick::api
