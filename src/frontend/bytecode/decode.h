// Decodes bytecode.pkl into functions.
#pragma once

#include <vector>

#include "archive/archive.h"
#include "archive/bytecode.h"
#include "core/word_map.h"

namespace wick::lite {

// Named tuples by name.
class NamedTypes {
 public:
  TypePtr find(std::string_view name) const;  // null when unknown
  void add(TypePtr type);                     // the first of a name stays
  bool empty() const { return types_.empty(); }

 private:
  std::vector<TypePtr> types_;
  NameMap places_;  // one more than the place in types_
};

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

// Gives an argument with a type the default a file states. None stands for "no default" unless the type admits None.
void set_default(Argument& argument, const IValue& value);

}  // namespace wick::lite
