// Code of random functions is written so that its reader accepts it and finds the same graph.
#include <gtest/gtest.h>

#include "fuzz/bytecode_maker.h"
#include "fuzz/rewritten.h"

namespace wick::test {
namespace {

TEST(RewrittenCode, RandomFunctionsMeanTheSame) {
  constexpr size_t kFunctions = 12000;
  fuzz::BytecodeMaker maker(1);
  size_t lifted = 0;
  for (size_t i = 0; i < kFunctions && !HasFailure(); ++i) {
    lite::BytecodeFunction code = maker.make();
    const int64_t version = 4 + static_cast<int64_t>(i % 5);
    lite::LiftContext context;
    context.bytecode_version = version;
    context.operator_version = 10;
    std::unique_ptr<ir::Function> function;
    try {
      function = lite::lift(code, context);
    } catch (const Error& e) {
      EXPECT_NE(e.code(), ErrorCode::kInternal) << e.what();
      continue;
    }
    try {
      lifted += fuzz::check_rewritten(*function, version) ? 1 : 0;
    } catch (const Error& e) {
      ADD_FAILURE() << "function " << i << ", bytecode version " << version << ": " << e.what();
    }
  }
  EXPECT_GT(lifted, kFunctions / 8);
}

}  // namespace
}  // namespace wick::test
