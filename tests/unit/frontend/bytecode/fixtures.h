// Helpers of the lite-file tests: fixtures of tests/data/lite and small programs written in place.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "api/restore.h"
#include "archive/archive.h"
#include "archive/container.h"
#include "frontend/bytecode/lift.h"
#include "frontend/bytecode/lite.h"
#include "frontend/flatbuffer/flatbuffer.h"
#include "wick/module.h"

namespace wick::test {

inline std::string lite_path(const std::string& file) { return std::string(WICK_TEST_DATA) + "/lite/" + file; }

inline std::shared_ptr<ir::Program> load_source(Ref<ByteSource> source, const LoadOptions& options = {}) {
  Restorer restorer(options, source->bytes().size());
  const RunSetState run = restorer.run_set_state();
  if (file_kind(source->bytes()) == FileKind::kFlatbuffer) return load_flatbuffer(std::move(source), options, run);
  return load_lite(ZipReader(std::move(source)), options, run);
}

inline std::shared_ptr<ir::Program> load_fixture(const std::string& file, const LoadOptions& options = {}) {
  return load_source(ByteSource::open_file(lite_path(file)), options);
}

// A function over (self, x: Tensor) to fill with instructions.
inline lite::BytecodeFunction bytecode(std::vector<std::pair<const char*, std::pair<int, int>>> code) {
  lite::BytecodeFunction f;
  f.name = "__torch__.M.forward";
  f.register_size = 8;
  f.has_schema = true;
  f.schema.name = f.name;
  auto argument = [](const char* arg_name, TypePtr type) {
    Argument out;
    out.name = arg_name;
    out.type = std::move(type);
    return out;
  };
  f.schema.arguments = {argument("self", types::class_type("__torch__.M")), argument("x", types::tensor())};
  f.schema.returns = {argument("", types::any())};
  for (const auto& [name, operands] : code) {
    f.instructions.push_back(
        {static_cast<uint8_t>(lite::opcode_from_name(name)), static_cast<uint16_t>(operands.second), operands.first});
  }
  return f;
}

inline std::unique_ptr<ir::Function> lift(lite::BytecodeFunction f) {
  lite::LiftContext context;
  context.bytecode_version = 8;
  context.operator_version = 10;
  return lite::lift(f, context);
}

// The message of the Error that `call` throws with this code; fails the test when it does not.
template <class F>
std::string message_of(ErrorCode code, F&& call) {
  try {
    call();
  } catch (const Error& e) {
    EXPECT_EQ(to_string(e.code()), std::string(to_string(code))) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

}  // namespace wick::test
