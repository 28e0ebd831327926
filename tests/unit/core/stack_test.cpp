// Recursion ends before the stack of its thread does, however large that is.
#include "core/stack.h"

#include <gtest/gtest.h>

#include "unit/small_stack.h"

namespace wick {
namespace {

// Uses about a kilobyte of stack a level.
size_t descend(size_t levels) {
  check_stack("levels");
  volatile char used[1024] = {};
  used[levels % sizeof used] = 1;
  return levels == 0 ? 0 : descend(levels - 1) + used[levels % sizeof used];
}

TEST(Stack, EndlessRecursionIsAnErrorOnThreadsOfEverySize) {
  for (const size_t kilobytes : {128, 256, 512, 8192}) {
    SCOPED_TRACE(kilobytes);
    EXPECT_EQ(test::error_on_stack(kilobytes << 10, [] { descend(SIZE_MAX); }), ErrorCode::kLimitExceeded);
  }
}

TEST(Stack, TheErrorSaysWhatIsNestedAndTheRemedy) {
  try {
    test::run_on_stack(256 << 10, [] { descend(SIZE_MAX); });
    FAIL();
  } catch (const Error& e) {
    const std::string message = e.message();
    EXPECT_NE(message.find("levels are nested too deeply"), std::string::npos) << message;
    EXPECT_NE(message.find("a thread with a larger one"), std::string::npos) << message;
  }
}

TEST(Stack, WhatFitsRuns) {
  EXPECT_EQ(test::error_on_stack(256 << 10, [] { descend(10); }), std::nullopt);
  EXPECT_EQ(test::error_on_stack(8 << 20, [] { descend(1000); }), std::nullopt);
}

TEST(Stack, MoreIsLeftFreeWhereMoreIsAskedFor) {
  EXPECT_EQ(test::error_on_stack(128 << 10, [] { check_stack("calls", 256 << 10); }), ErrorCode::kLimitExceeded);
  EXPECT_EQ(test::error_on_stack(1 << 20, [] { check_stack("calls", 256 << 10); }), std::nullopt);
}

}  // namespace
}  // namespace wick
