// Where an instruction comes from in the model's Python code, from the debug records of a file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "archive/archive.h"
#include "core/once.h"

namespace wick::lite {

// Reads the records when first asked. Thread-safe. Bad debug records are as good as none.
class DebugInfo {
 public:
  // `functions`: names in the order of the source numbers (function << 32 | instruction).
  DebugInfo(ZipReader zip, std::vector<std::string> functions);
  ~DebugInfo();

  // "Module hierarchy:top(M)::inner(S)::forward.aten::mul" and the lines of Python that led there; "" when unknown.
  std::string describe(int64_t source);

 private:
  struct Tables;
  ZipReader zip_;
  std::vector<std::string> functions_;
  Once once_;
  std::unique_ptr<Tables> tables_;
};

}  // namespace wick::lite
