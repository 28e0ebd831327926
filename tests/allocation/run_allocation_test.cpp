// Failed allocations while methods are planned and run.
#include <gtest/gtest.h>

#include <cmath>

#include "allocation/every_allocation.h"
#include "api/module_access.h"
#include "unit/frontend/bytecode/answers.h"
#include "unit/frontend/script/run.h"
#include "wick/wick.h"

namespace wick::test {
namespace {

std::string data(const std::string& file) { return std::string(WICK_TEST_DATA) + "/" + file; }

Tensor waves(const IntVec& sizes) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = 0.1F * std::sin(0.7F * static_cast<float>(i) + 1);
  return t;
}

struct Call {
  std::string method;
  std::vector<IValue> args;
};

// What a file of cases calls.
std::vector<Call> calls_of(const Module& module, const std::string& cases) {
  std::vector<Call> out;
  const IValue all = load_tensors(cases);
  for (const IValue& entry : all.to_list().items) {
    const std::vector<IValue>& parts = entry.to_tuple().items;
    Call call{parts.at(0).to_string(), parts.at(1).to_tuple().items};
    if (call.method.empty()) call.method = "forward";
    const ir::Function* function = program_of(module)->find_method(call.method);
    for (size_t i = 0; function && i < call.args.size() && function->has_schema; ++i) {
      call.args[i] = typed(call.args[i], *function->schema.arguments[i + 1].type);
    }
    out.push_back(std::move(call));
  }
  return out;
}

// A method on a loaded module whose plans are made anew each time.
void fail_runs(const std::string& name, Module& module, const Call& call) {
  IValue value;
  std::vector<IValue> args;
  const auto reset = [&] {
    module.set_planning(false);
    module.set_planning(true);
    args = call.args;
  };
  reset();
  fail_every_allocation(name + " " + call.method,
                        {.action = [&] { value = module.run_method(call.method, std::move(args)); },
                         .result = [&] { return repr(std::exchange(value, {})); },
                         .reset = reset});
}

class RunAllocation : public ::testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  void SetUp() override { set_num_threads(1); }
  void TearDown() override { set_num_threads(0); }
};

TEST_P(RunAllocation, FailsByAnErrorAndLeavesTheModuleUsable) {
  const auto [file, cases] = GetParam();
  Module module = load(data(file));
  const std::vector<Call> calls = calls_of(module, data(cases));
  for (size_t i = 0; i < calls.size(); ++i) fail_runs(file + (" " + std::to_string(i)), module, calls[i]);
}

// Without a module before: loading, the executor's code and the plan.
TEST_P(RunAllocation, OfALoadAndTheFirstRun) {
  const auto [file, cases] = GetParam();
  const std::string path = data(file);
  const Call call = calls_of(load(path), data(cases)).at(0);
  IValue value;
  std::vector<IValue> args = call.args;
  fail_every_allocation(path, {.action =
                                   [&] {
                                     const Module module = load(path);
                                     value = module.run_method(call.method, std::move(args));
                                   },
                               .result = [&] { return repr(std::exchange(value, {})); },
                               .reset = [&] { args = call.args; }});
}

INSTANTIATE_TEST_SUITE_P(
    Files, RunAllocation,
    ::testing::Values(std::pair("script/tree.pt", "script/tree.cases.pt"),
                      std::pair("script/words.pt", "script/words.cases.pt"),
                      std::pair("script/traced.pt", "script/traced.cases.pt"),
                      std::pair("lite/two/transformer.ptl", "lite/two/transformer.cases.pt"),
                      std::pair("quantized/fbgemm_1_13_layers.pt", "quantized/fbgemm_1_13_layers.cases.pt"),
                      std::pair("quantized/fbgemm_1_13_dynamic.pt", "quantized/fbgemm_1_13_dynamic.cases.pt"),
                      std::pair("quantized/fbgemm_1_13_lstm.pt", "quantized/fbgemm_1_13_lstm.cases.pt"),
                      std::pair("lite/containers.ptl", "lite/containers.cases.pt"),
                      std::pair("lite/control_flow.ptl", "lite/control_flow.cases.pt"),
                      std::pair("lite/arithmetic.ptl", "lite/arithmetic.cases.pt")),
    [](const auto& info) {
      std::string name = info.param.first;
      for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
      return name;
    });

// Calls, so that planning inlines, records, packs and makes steps; a branch; and dense layers.
constexpr const char* kNet =
    "def layer(x: Tensor, w: Tensor) -> Tensor:\n"
    "  return torch.hardswish(torch.conv2d(x, w, None, [1, 1], [1, 1]))\n"
    "class M(Module):\n"
    "  __parameters__ = []\n"
    "  __buffers__ = []\n"
    "  training : bool\n"
    "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
    "    a = __torch__.layer(__torch__.layer(x, CONSTANTS.c0), CONSTANTS.c1)\n"
    "    b = torch.softmax(torch.flatten(torch.mean(a, [2, 3]), 1), 1)\n"
    "    if bool(torch.gt(torch.sum(b), 0)):\n"
    "      b = torch.linear(b, CONSTANTS.c2, CONSTANTS.c3)\n"
    "    return torch.add(b, 1)\n";

// Tasks with threads of their own, strings, lists and dicts that they make.
constexpr const char* kTasks =
    "def words(x: Tensor, word: str) -> List[str]:\n"
    "  out = annotate(Dict[str, List[Tensor]], {})\n"
    "  for i in range(4):\n"
    "    out[\"{} number {}\".format(word, i)] = [torch.add(x, i), torch.mul(x, i)]\n"
    "  return list(out.keys())\n"
    "class M(Module):\n"
    "  __parameters__ = []\n"
    "  __buffers__ = []\n"
    "  training : bool\n"
    "  def forward(self: __torch__.M, x: Tensor) -> List[str]:\n"
    "    def __forked():\n"
    "      return __torch__.words(x, \"the first task's\")\n"
    "    def __other():\n"
    "      return __torch__.words(x, \"the second task's\")\n"
    "    a = fork(__forked)\n"
    "    b = fork(__other)\n"
    "    return torch.add(torch.wait(a), torch.wait(b))\n";

void fail_text(const std::string& name, const char* text, std::vector<IValue> constants, const Tensor& x) {
  script::Text made(text, std::move(constants));
  Module module = script::module_of(made);
  fail_runs(name, module, {"forward", {x}});
}

TEST(RunAllocationOfText, OfANetwork) {
  for (const int threads : {1, 2}) {
    set_num_threads(threads);
    fail_text("a network, threads " + std::to_string(threads), kNet,
              {waves({8, 3, 3, 3}), waves({8, 8, 3, 3}), waves({5, 8}), waves({5})}, waves({1, 3, 8, 8}));
  }
  set_num_threads(0);
}

TEST(RunAllocationOfText, OfForkedTasks) {
  set_num_threads(1);
  fail_text("tasks", kTasks, {}, waves({3}));
  set_num_threads(0);
}

// Tasks on threads: which allocation fails is not the same each time, nor when their memory is freed.
TEST(RunAllocationOfText, OfForkedTasksWithThreads) {
  set_num_threads(3);
  script::Text made(kTasks);
  const Module module = script::module_of(made);
  const Tensor x = waves({3});
  const std::string want = repr(module.forward({x}));
  for (int64_t index = 0; index < 400; ++index) {
    SCOPED_TRACE(index);
    std::vector<IValue> args{x};
    try {
      const FailedAllocation failing(index, Failing::kOnce);
      module.forward(std::move(args));
    } catch (const Error& e) {
      EXPECT_TRUE(e.code() == ErrorCode::kOutOfMemory || e.code() == ErrorCode::kLimitExceeded) << e.what();
    }
    EXPECT_EQ(repr(module.forward({x})), want);
  }
  set_num_threads(0);
}

}  // namespace
}  // namespace wick::test
