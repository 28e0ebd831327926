// Code of a file that runs while it is loaded: it ends by the bounds of LoadOptions, whatever it does.
#include <gtest/gtest.h>

#include "api/module_access.h"
#include "api/restore.h"
#include "unit/frontend/script/run.h"
#include "wick/save.h"
#include "wick/wick.h"

namespace wick {
namespace {

// A program whose module is restored by the statements.
std::shared_ptr<ir::Program> program_with(const std::string& statements) {
  script::Text code(
      "class M(Module):\n"
      "  __parameters__ = []\n"
      "  __buffers__ = []\n"
      "  n : int\n"
      "  def forward(self: __torch__.M) -> int:\n"
      "    return self.n\n"
      "  def __getstate__(self: __torch__.M) -> int:\n"
      "    return 7\n"
      "  def __setstate__(self: __torch__.M, state: int) -> NoneType:\n" +
      statements +
      "    self.n = state\n"
      "    return None\n");
  code.importer.class_named("__torch__.M");
  code.importer.lower_all();
  Ref<ObjectImpl> root = make_ref<ObjectImpl>();
  root->cls = *code.program->classes.find("__torch__.M");
  root->set(0, IValue(1));
  code.program->root = IValue(root);
  return code.program;
}

std::string file_of(const std::string& statements) {
  const std::string path = ::testing::TempDir() + "restored.pt";
  save_torchscript(make_module(program_with(statements)), path);
  return path;
}

ErrorCode refusal(const std::string& statements, const LoadOptions& options) {
  const std::string path = file_of(statements);
  try {
    load(path, options);
  } catch (const Error& e) {
    EXPECT_NE(e.message().find("code that restores the model's objects"), std::string::npos) << e.message();
    return e.code();
  }
  ADD_FAILURE() << "loaded: " << statements;
  return ErrorCode::kInternal;
}

TEST(RestoreBounds, CodeThatEndsRestores) {
  const Module module = load(file_of("    for i in range(1000):\n      state = torch.add(state, 1)\n"));
  EXPECT_EQ(module.forward({}).to_int(), 1007);
}

TEST(RestoreBounds, EndlessCodeIsStoppedByDefault) {
  EXPECT_EQ(refusal("    for i in range(9223372036854775807):\n      state = torch.add(state, 1)\n", {}),
            ErrorCode::kLimitExceeded);
}

TEST(RestoreBounds, AnOperatorThatTakesYears) {
  EXPECT_EQ(refusal("    x = torch.sum(torch.expand(torch.ones([1, 1]), [1048576, 1073741824]))\n",
                    {.max_restore_time = std::chrono::milliseconds(50)}),
            ErrorCode::kDeadlineExceeded);
}

TEST(RestoreBounds, ListsAndTensorsThatGrow) {
  EXPECT_EQ(refusal("    l = [state]\n    for i in range(40):\n      l = torch.add(l, l)\n", {}),
            ErrorCode::kLimitExceeded);
  EXPECT_EQ(refusal("    x = torch.ones([1000000])\n    for i in range(40):\n      x = torch.cat([x, x])\n", {}),
            ErrorCode::kLimitExceeded);
}

// Closures cannot be written as source.
TEST(RestoreBounds, TasksCountForIt) {
  const std::shared_ptr<ir::Program> program = program_with(
      "    def __task():\n"
      "      sum = 0\n"
      "      for i in range(9223372036854775807):\n"
      "        sum = torch.add(sum, i)\n"
      "      return sum\n"
      "    a = fork(__task)\n"
      "    state = torch.wait(a)\n");
  set_num_threads(4);
  const LoadOptions options;
  Restorer restorer(options, 0);
  try {
    restorer.run_set_state()(*program, *program->find("__torch__.M.__setstate__"), {program->root, IValue(7)});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kLimitExceeded) << e.message();
  }
  set_num_threads(0);
}

}  // namespace
}  // namespace wick
