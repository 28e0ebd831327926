// Deeply nested code on threads with little stack: it runs, or the error says that it does not fit.
#include <gtest/gtest.h>

#include "unit/frontend/script/run.h"
#include "unit/small_stack.h"

namespace wick::script {
namespace {

constexpr size_t kSizes[] = {128 << 10, 256 << 10, 512 << 10, 8 << 20};

std::string repeated(const std::string& text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

// Runs f, or gets kLimitExceeded; on a large stack it must run when `fits`.
void expect_bounded(const std::string& text, bool fits = true, const std::vector<IValue>& args = {}) {
  for (const size_t size : kSizes) {
    SCOPED_TRACE(size);
    for (const bool planned : {false, true}) {
      const auto code = test::error_on_stack(size, [&] {
        Text t(text);
        if (planned) {
          t.planner.run(t.function("f"), args);
        } else {
          t.run("f", args);
        }
      });
      if (size == kSizes[3] && fits) {
        EXPECT_EQ(code, std::nullopt) << text.substr(0, 200);
      } else if (code) {
        EXPECT_EQ(*code, ErrorCode::kLimitExceeded) << text.substr(0, 200);
      }
    }
  }
}

TEST(SmallStack, NestedCalls) {
  std::string chain = "def f0() -> int:\n  return 1\n";
  for (int i = 1; i < 900; ++i) {
    chain +=
        "def f" + std::to_string(i) + "() -> int:\n  return torch.add(__torch__.f" + std::to_string(i - 1) + "(), 1)\n";
  }
  expect_bounded(chain + "def f() -> int:\n  return __torch__.f899()\n");
  expect_bounded("def f() -> int:\n  return torch.add(__torch__.f(), 1)\n", false);
}

TEST(SmallStack, TheErrorOfNestedCallsSaysTheRemedy) {
  try {
    test::run_on_stack(256 << 10, [] { Text("def f() -> int:\n  return torch.add(__torch__.f(), 1)\n").run("f"); });
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("calls are nested too deeply for the stack of this thread"), std::string::npos)
        << e.what();
  }
}

TEST(SmallStack, NestedExpressions) {
  constexpr int n = 250;
  expect_bounded("def f() -> int:\n  return " + repeated("(", n) + "1" + repeated(")", n) + "\n");
  expect_bounded("def f() -> int:\n  return " + repeated("-", n) + "1\n");
  expect_bounded("def f() -> int:\n  return " + repeated("torch.add(1, ", n / 2) + "1" + repeated(")", n / 2) + "\n");
  expect_bounded("def f() -> int:\n  return 1" + repeated(" + 1", n) + "\n");
  expect_bounded("def f(x: bool) -> int:\n  return " + repeated("1 if x else ", n) + "2\n", true, {false});
}

TEST(SmallStack, NestedStatements) {
  std::string ifs = "def f(x: bool) -> int:\n  s = 0\n", loops = "def f() -> int:\n  s = 0\n";
  std::string indent = "  ";
  for (int i = 0; i < 120; ++i) {
    ifs += indent + "if x:\n";
    loops += indent + "for i" + std::to_string(i) + " in range(1):\n";
    indent += " ";
  }
  expect_bounded(ifs + indent + "s = 1\n" + "  return s\n", true, {true});
  expect_bounded(loops + indent + "s += 1\n" + "  return s\n");
}

}  // namespace
}  // namespace wick::script
