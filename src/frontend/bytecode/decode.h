// The value of bytecode.pkl taken apart into functions.
#pragma once

#include <unordered_map>
#include <vector>

#include "archive/archive.h"
#include "frontend/bytecode/bytecode.h"

namespace wick::lite {

using NamedTypes = std::unordered_map<std::string, TypePtr>;

// The version at the start of the pickle, read without decoding it; 3 for files that do not state one.
int64_t peek_bytecode_version(Bytes pickle);

// Throws kUnsupportedVersion unless this build can run the version.
void check_bytecode_version(int64_t version);

// The functions of the file. Named tuples of the type tables are added to `named`. Memory used is proportional
// to `pickle_size`, however often the pickle refers to the same parts.
std::vector<BytecodeFunction> decode_bytecode(const IValue& root, size_t pickle_size, int64_t version,
                                              NamedTypes& named);

// A type string of a file; named tuples met are added to `named` and found there later by name.
TypePtr decode_type(const std::string& text, NamedTypes& named);

// An argument with the default a file states. None stands for "no default" unless the type admits None.
Argument decode_argument(std::string name, TypePtr type, IValue default_value);

}  // namespace wick::lite
