// Inlining of calls: what it may make of a program, in the planner and in what writes and optimizes models.
#include "ir/inliner.h"

#include <gtest/gtest.h>

#include "core/check.h"
#include "core/limits.h"
#include "ir/inline_calls.h"
#include "ir/walk.h"
#include "unit/frontend/script/run.h"
#include "wick/module.h"
#include "wick/optimize.h"
#include "wick/quantize.h"
#include "wick/save.h"

namespace wick::script {
namespace {

// A module whose forward(x, on) calls f0(x) when it is told to.
struct Model {
  Text text;
  Module module;

  explicit Model(const std::string& functions)
      : text(functions +
             "class M(Module):\n"
             "  __parameters__ = []\n"
             "  __buffers__ = []\n"
             "  training : bool\n"
             "  def forward(self: __torch__.M, x: Tensor, on: bool) -> Tensor:\n"
             "    if on:\n"
             "      y = __torch__.f0(x)\n"
             "    else:\n"
             "      y = torch.relu(torch.neg(x))\n"
             "    return torch.mul(y, 2)\n") {
    module = module_of(text);
  }

  const ir::Function& forward() const { return *text.program->find_method("forward"); }
};

// f0 calls f1 twice, f1 calls f2 twice, and so on: 2 to the power of `levels` of the last.
std::string doubling(int levels, const std::string& last) {
  std::string out;
  for (int i = 0; i < levels; ++i) {
    const std::string next = cat("__torch__.f", i + 1);
    out += cat("def f", i, "(x: Tensor) -> Tensor:\n  return ", next, "(", next, "(x))\n");
  }
  return out + cat("def f", levels, "(x: Tensor) -> Tensor:\n  return ", last, "\n");
}

// f0 calls f1 inside of `ifs` nested ifs, f1 calls f2, and so on.
std::string chain(int levels, int ifs) {
  std::string out;
  for (int i = 0; i < levels; ++i) {
    out += cat("def f", i, "(x: Tensor) -> Tensor:\n  y = x\n");
    std::string indent = "  ";
    for (int k = 0; k < ifs; ++k, indent += "  ") out += cat(indent, "if bool(torch.gt(torch.sum(x), ", k, ")):\n");
    out += cat(indent, "y = __torch__.f", i + 1, "(x)\n  return y\n");
  }
  return out + cat("def f", levels, "(x: Tensor) -> Tensor:\n  return torch.neg(x)\n");
}

Tensor filled(float value) {
  Tensor t = Tensor::empty({2});
  for (int64_t i = 0; i < 2; ++i) t.data<float>()[i] = value;
  return t;
}
Tensor ones() { return filled(1); }

void expect_limit(const std::function<void()>& run, const char* what) {
  try {
    run();
    ADD_FAILURE() << what << " accepted a model that grows without bound";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kLimitExceeded) << what << ": " << e.what();
  }
}

// The tools refuse it; it runs, planned, where it does not take the branch.
void expect_refused_but_run(const std::string& functions, bool names_grow = true) {
  const Model model(functions);
  for (int run = 0; run < 3; ++run) {
    EXPECT_EQ(repr(model.module.forward({ones(), false})), repr(IValue(Tensor::zeros({2}))));
  }
  expect_limit([&] { save_lite(model.module); }, "save_lite");
  if (names_grow) expect_limit([&] { export_opnames(model.module); }, "export_opnames");
  expect_limit([&] { optimize(model.module); }, "optimize");
  expect_limit([&] { quantize_dynamic(model.module); }, "quantize_dynamic");
}

TEST(Inliner, CallsThatDoubleAreRefusedByToolsAndStillRun) {
  expect_refused_but_run(doubling(40, "torch.neg(x)"));
  // What has no nodes takes as many calls; names of operators are those of simplified functions, which are empty.
  expect_refused_but_run(doubling(40, "x"), false);
}

TEST(Inliner, DeepChainsOfCallsAreRefusedByToolsAndStillRun) {
  expect_refused_but_run(chain(900, 0));
  expect_refused_but_run(chain(100, 60));
}

TEST(Inliner, RefusalsSayWhatAndWhere) {
  const Model model(doubling(40, "torch.neg(x)"));
  try {
    save_lite(model.module);
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("__torch__.M.forward"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("nodes"), std::string::npos) << e.what();
  }
}

TEST(Inliner, ThePlannerInlinesWhatFits) {
  // Runs through 2^10 calls of a hundred nodes and more, which are not all inlined.
  std::string one = "1";
  for (int i = 0; i < 100; ++i) one = cat("torch.add(", one, ", 0)");
  const Model model(doubling(10, cat("torch.add(x, ", one, ")")));
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(repr(model.module.forward({ones(), true})), repr(IValue(filled(2 * (1 + 1024)))));
  }
}

TEST(Inliner, FunctionsThatAreCalledOftenAreInlined) {
  const Model model(doubling(9, "torch.neg(x)"));
  ir::InlineBudget budget(*model.text.program);
  const ir::InlinedFunction inlined = ir::inline_calls(*model.text.program, model.forward(), budget);
  size_t negs = 0;
  for (const ir::Node* node : ir::all_nodes(std::as_const(inlined.function->graph).body())) {
    EXPECT_NE(node->kind, ir::NodeKind::kCallFunction);
    negs += ir::name_of(*node) == "aten::neg" && node->call_site >= 0;
  }
  EXPECT_EQ(negs, 512U);
  EXPECT_EQ(inlined.function->call_sites.size(), 1023U);
  EXPECT_EQ(inlined.objects.size(), 1023U);
}

}  // namespace
}  // namespace wick::script
