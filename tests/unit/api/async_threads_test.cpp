// Runs on threads of their own: results, errors, cancellation, handles that are dropped; threads of a module.
#include <gtest/gtest.h>

#include "unit/frontend/script/run.h"
#include "wick/async.h"

namespace wick {
namespace {

constexpr const char* kEndless =
    "class M(Module):\n"
    "  __parameters__ = []\n  __buffers__ = []\n  training : bool\n"
    "  def forward(self: __torch__.M, x: int) -> int:\n"
    "    y = x\n"
    "    while True:\n"
    "      y = torch.add(y, 1)\n"
    "    return y\n";
constexpr const char* kPlusOne =
    "class M(Module):\n"
    "  __parameters__ = []\n  __buffers__ = []\n  training : bool\n"
    "  def forward(self: __torch__.M, x: int) -> int:\n"
    "    return torch.add(x, 1)\n";

ErrorCode code_of(const AsyncRun& run) {
  try {
    run.get();
  } catch (const Error& e) {
    return e.code();
  }
  return ErrorCode::kInternal;
}

TEST(AsyncRun, GivesTheResult) {
  script::Text text(kPlusOne);
  const Module module = script::module_of(text);
  std::vector<AsyncRun> runs;
  for (int i = 0; i < 8; ++i) runs.push_back(run_async(module, {i}));
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(runs[static_cast<size_t>(i)].get().to_int(), i + 1);
    EXPECT_EQ(runs[static_cast<size_t>(i)].get().to_int(), i + 1);
    EXPECT_TRUE(runs[static_cast<size_t>(i)].done());
  }
}

TEST(AsyncRun, GivesTheError) {
  script::Text text(kPlusOne);
  const Module module = script::module_of(text);
  EXPECT_EQ(code_of(run_async(module, {1}, {}, "no_such")), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(run_async(module, {"text"})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of(AsyncRun()), ErrorCode::kInvalidArgument);
}

TEST(AsyncRun, IsCancelled) {
  script::Text text(kEndless);
  const Module module = script::module_of(text);
  const AsyncRun run = run_async(module, {1});
  EXPECT_FALSE(run.wait_for(std::chrono::milliseconds(20)));
  EXPECT_FALSE(run.done());
  run.cancel();
  EXPECT_EQ(code_of(run), ErrorCode::kCancelled);
}

TEST(AsyncRun, ADroppedHandleEndsItsRunAlone) {
  script::Text text(kEndless);
  const Module module = script::module_of(text);
  const Cancellation shared;
  const AsyncRun other = run_async(module, {1}, {.cancellation = shared});
  { const AsyncRun dropped = run_async(module, {1}, {.cancellation = shared}); }
  EXPECT_FALSE(other.done());
  EXPECT_FALSE(shared.is_cancelled());
  shared.cancel();
  EXPECT_EQ(code_of(other), ErrorCode::kCancelled);
}

TEST(AsyncRun, KeepsItsBounds) {
  script::Text text(kEndless);
  const Module module = script::module_of(text);
  EXPECT_EQ(code_of(run_async(module, {1}, {.timeout = std::chrono::milliseconds(20)})), ErrorCode::kDeadlineExceeded);
}

TEST(Module, HasThreadsOfItsOwn) {
  script::Text text(kPlusOne);
  Module module = script::module_of(text);
  module.set_max_threads(1);
  EXPECT_EQ(module.forward({1}).to_int(), 2);
  EXPECT_THROW(module.set_max_threads(-1), Error);
}

}  // namespace
}  // namespace wick
