// Calls, in flatbuffer modules, of the functions by which PyTorch keeps the old meaning of operators.
#pragma once

#include <span>

#include "archive/bytecode.h"
#include "frontend/bytecode/lift.h"

namespace wick::flatbuffer {

// An old file that PyTorch loaded and saved again calls functions that are not in it, by their place in PyTorch's list.
// Each stands for one operator as it was up to a version; the calls become such operators. PyTorch 1.13 and PyTorch 2
// have different lists, and nothing in a file says whose it calls: it is the one by which all functions take from the
// stack what is there. Throws kUnsupported where both do and mean different operators, kCorruptFile for a call of a
// function that neither has. The functions are those of one file.
void name_upgraders(std::span<lite::BytecodeFunction> functions, const lite::LiftContext& context);

}  // namespace wick::flatbuffer
