// Where in a model an error happened, for programs. Part of the compiler library (wick::compiler).
#pragma once

#include <string>

#include "wick/error.h"

namespace wick {

// What an Error's message says, in parts. Parts that it does not tell are empty.
//
//   } catch (const wick::Error& e) {
//     const wick::ErrorPlace place = wick::place_of(e);
//     std::printf("%s:%d: %s in %s\n", place.file.c_str(), place.line, place.summary.c_str(),
//     place.operator_name.c_str());
struct ErrorPlace {
  std::string summary;        // without where it happened
  std::string context;        // lines that say where, the innermost first
  std::string operator_name;  // the operator that failed: "aten::add.Tensor"
  std::string file;           // of the model's code, the innermost: "model.py", "code/__torch__/m.py"
  int line = 0;
  std::string advice;  // "did you mean aten::relu instead of aten::reluu?", of operators that are not there
};
ErrorPlace place_of(const Error& error);

}  // namespace wick
