// Bounds of runs and loads: each is kept, says so when it is reached, and leaves the module usable.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "api/module_access.h"
#include "archive/archive.h"
#include "archive/writer.h"
#include "core/budget.h"
#include "core/parallel.h"
#include "unit/frontend/script/run.h"
#include "wick/wick.h"

namespace wick {
namespace {

using namespace std::chrono_literals;

// A module with the methods given, and an attribute `kept` that is a tensor.
Module module_of(const std::string& methods) {
  script::Text code(
      "class M(Module):\n"
      "  __parameters__ = []\n"
      "  __buffers__ = []\n"
      "  kept : Tensor\n" +
      methods);
  code.importer.class_named("__torch__.M");
  code.importer.lower_all();
  Ref<ObjectImpl> root = make_ref<ObjectImpl>();
  root->cls = *code.program->classes.find("__torch__.M");
  root->set(0, IValue(Tensor::zeros({4})));
  code.program->root = IValue(root);
  return make_module(code.program);
}

const char* const kLoop =
    "  def forward(self: __torch__.M, n: int) -> int:\n"
    "    sum = 0\n"
    "    for i in range(n):\n"
    "      sum = torch.add(sum, i)\n"
    "    return sum\n";

template <class Call>
ErrorCode code_of(const Call& call, std::string* message = nullptr) {
  try {
    call();
  } catch (const Error& e) {
    if (message) *message = e.message();
    return e.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::kInternal;
}

TEST(Bounds, OperationsAreCounted) {
  const Module module = module_of(kLoop);
  std::string message;
  EXPECT_EQ(code_of([&] { module.forward({100000}, {.max_operations = 1000}); }, &message), ErrorCode::kLimitExceeded);
  EXPECT_NE(message.find("the run takes more than its limit of 1000 operations"), std::string::npos) << message;
  EXPECT_EQ(module.forward({100}, {.max_operations = 1000}).to_int(), 4950);
  EXPECT_EQ(module.forward({100}).to_int(), 4950);
}

TEST(Bounds, StraightLinesAreCountedToo) {
  std::string text = "  def forward(self: __torch__.M, n: int) -> int:\n    a = n\n";
  for (int i = 0; i < 100; ++i) text += "    a = torch.add(a, n)\n";
  const Module module = module_of(text + "    return a\n");
  EXPECT_EQ(module.forward({1}).to_int(), 101);
  for (const bool planned : {false, true}) {
    Module same = module;
    same.set_planning(planned);
    if (!planned) {
      EXPECT_EQ(code_of([&] { same.forward({1}, {.max_operations = 50}); }), ErrorCode::kLimitExceeded);
    }
    EXPECT_EQ(same.forward({1}, {.max_operations = 1000}).to_int(), 101);
  }
}

TEST(Bounds, AnEndlessRunMeetsItsDeadline) {
  const Module module = module_of(kLoop);
  EXPECT_EQ(code_of([&] { module.forward({int64_t{1} << 60}, {.timeout = 20ms}); }), ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(module.forward({3}).to_int(), 3);
}

TEST(Bounds, AnEndlessRunIsCancelled) {
  const Module module = module_of(kLoop);
  const Cancellation stop;
  std::thread other([stop] {
    std::this_thread::sleep_for(20ms);
    stop.cancel();
  });
  EXPECT_EQ(code_of([&] { module.forward({int64_t{1} << 60}, {.cancellation = stop}); }), ErrorCode::kCancelled);
  other.join();
  EXPECT_EQ(code_of([&] { module.forward({3}, {.cancellation = stop}); }), ErrorCode::kCancelled);
  EXPECT_EQ(module.forward({3}).to_int(), 3);
}

// One element that seems to be 2^50: nothing to hold, and years to add up.
TEST(Bounds, OneLongOperatorIsStopped) {
  const Module module = module_of(
      "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
      "    return torch.sum(torch.expand(x, [1048576, 1073741824]))\n"
      "  def copy(self: __torch__.M, x: Tensor) -> Tensor:\n"
      "    return torch.relu(torch.expand(x, [1048576, 1024]))\n");
  for (const int threads : {1, 2}) {
    set_num_threads(threads);
    EXPECT_EQ(code_of([&] {
                module.forward({Tensor::zeros({1, 1})}, {.timeout = 20ms});
              }),
              ErrorCode::kDeadlineExceeded);
  }
  set_num_threads(0);
  EXPECT_EQ(code_of([&] {
              module.run_method("copy", {Tensor::zeros({1, 1})}, {}, {.max_memory = 1 << 20});
            }),
            ErrorCode::kLimitExceeded);
}

TEST(Bounds, MemoryIsWhatIsHeldAtOnce) {
  const Module module = module_of(
      "  def forward(self: __torch__.M, x: Tensor, n: int) -> Tensor:\n"
      "    for i in range(n):\n"
      "      x = torch.add(x, 1.)\n"
      "    return x\n"
      "  def keep(self: __torch__.M, x: Tensor, n: int) -> int:\n"
      "    all = annotate(List[Tensor], [])\n"
      "    for i in range(n):\n"
      "      _0 = torch.append(all, torch.add(x, 1.))\n"
      "    return torch.len(all)\n");
  const Tensor x = Tensor::zeros({1024});  // 4 KiB
  const RunOptions options{.max_memory = 64 << 10};
  EXPECT_EQ(module.run_method("forward", {x, 1000}, {}, options).to_tensor().data_ptr<const float>()[0], 1000.F);
  EXPECT_EQ(module.run_method("keep", {x, 10}, {}, options).to_int(), 10);
  std::string message;
  EXPECT_EQ(code_of([&] { module.run_method("keep", {x, 1000}, {}, options); }, &message), ErrorCode::kLimitExceeded);
  EXPECT_NE(message.find("its limit is 65536"), std::string::npos) << message;
  EXPECT_EQ(module.run_method("keep", {x, 10}, {}, options).to_int(), 10);
}

TEST(Bounds, ListsDictsAndStringsAreMemory) {
  const Module module = module_of(
      "  def append(self: __torch__.M, n: int) -> int:\n"
      "    all = annotate(List[int], [])\n"
      "    for i in range(n):\n"
      "      _0 = torch.append(all, i)\n"
      "    return torch.len(all)\n"
      "  def repeat(self: __torch__.M, n: int) -> int:\n"
      "    return torch.len(torch.mul([1], n))\n"
      "  def text(self: __torch__.M, n: int) -> int:\n"
      "    s = \"0123456789abcdef\"\n"
      "    for i in range(n):\n"
      "      s = torch.add(s, s)\n"
      "    return torch.len(s)\n"
      "  def entries(self: __torch__.M, n: int) -> int:\n"
      "    all = annotate(Dict[int, int], {})\n"
      "    for i in range(n):\n"
      "      torch._set_item(all, i, i)\n"
      "    return torch.len(all)\n"
      "  def forward(self: __torch__.M, n: int) -> int:\n"
      "    return n\n");
  const RunOptions options{.max_memory = 1 << 20};
  struct Case {
    const char* method;
    int few, many;
  };
  for (const Case& c : {Case{"append", 1000, 1 << 20}, Case{"repeat", 1000, 1 << 20}, Case{"text", 4, 24},
                        Case{"entries", 1000, 1 << 20}}) {
    module.run_method(c.method, {c.few}, {}, options);
    EXPECT_EQ(code_of([&] { module.run_method(c.method, {c.many}, {}, options); }), ErrorCode::kLimitExceeded)
        << c.method;
    module.run_method(c.method, {c.few}, {}, options);
  }
}

// What is there from before is not the run's; what grows is charged to the run that makes it grow.
TEST(Bounds, ValuesThatOutliveARun) {
  const Module module = module_of(
      "  def forward(self: __torch__.M, n: int) -> int:\n"
      "    _0 = torch.resize_(self.kept, [n])\n"
      "    return torch.numel(self.kept)\n"
      "  def length(self: __torch__.M, l: List[int]) -> int:\n"
      "    return torch.len(l)\n");
  EXPECT_EQ(module.forward({1000}, {.timeout = 60s}).to_int(), 1000);  // a budget without a bound on memory
  EXPECT_EQ(code_of([&] { module.forward({1 << 20}, {.max_memory = 1 << 20}); }), ErrorCode::kLimitExceeded);
  EXPECT_EQ(module.forward({1 << 17}, {.max_memory = 1 << 20}).to_int(), 1 << 17);
  EXPECT_EQ(module.forward({1 << 20}, {.max_memory = 1 << 24}).to_int(), 1 << 20);
  EXPECT_EQ(module.forward({1 << 21}).to_int(), 1 << 21);
  const IValue list = IValue::list(types::integer(), std::vector<IValue>(1 << 16, IValue(1)));
  EXPECT_EQ(module.run_method("length", {list}, {}, {.max_memory = 1 << 10}).to_int(), 1 << 16);
}

TEST(Bounds, ListsThatNodesMakeAreMemory) {
  const Module module = module_of(
      "  def forward(self: __torch__.M, n: int) -> int:\n"
      "    all = annotate(List[List[int]], [])\n"
      "    for i in range(n):\n"
      "      _0 = torch.append(all, [i, i])\n"
      "    return torch.len(all)\n");
  EXPECT_EQ(module.forward({100}, {.max_memory = 1 << 20}).to_int(), 100);
  // 16 bytes an item of the outer list, more than 80 an inner one.
  EXPECT_EQ(code_of([&] { module.forward({20000}, {.max_memory = 1 << 20}); }), ErrorCode::kLimitExceeded);
}

TEST(Bounds, TuplesAndObjectsAreMemory) {
  const Module module = module_of(
      "  def pairs(self: __torch__.M, n: int) -> int:\n"
      "    all = annotate(List[Tuple[int, int]], [])\n"
      "    for i in range(n):\n"
      "      _0 = torch.append(all, (i, i))\n"
      "    return torch.len(all)\n"
      "  def copies(self: __torch__.M, n: int) -> int:\n"
      "    all = annotate(List[__torch__.M], [])\n"
      "    for i in range(n):\n"
      "      _0 = torch.append(all, __torch__.M.__new__(__torch__.M))\n"
      "    return torch.len(all)\n"
      "  def forward(self: __torch__.M, n: int) -> int:\n"
      "    return n\n");
  const RunOptions options{.max_memory = 1 << 20};
  // The lists alone take less than half of the memory.
  for (const char* method : {"pairs", "copies"}) {
    EXPECT_EQ(module.run_method(method, {1000}, {}, options).to_int(), 1000) << method;
    EXPECT_EQ(code_of([&] { module.run_method(method, {20000}, {}, options); }), ErrorCode::kLimitExceeded) << method;
    EXPECT_EQ(module.run_method(method, {1000}, {}, options).to_int(), 1000) << method;
  }
}

TEST(Bounds, ABudgetGoesWithTheLastThatWasRefused) {
  const Ref<Budget> budget = make_ref<Budget>("the run", RunOptions{.max_memory = 10});
  {
    const BudgetScope scope(budget.get());
    EXPECT_EQ(code_of([&] { const MemoryCharge large(11); }), ErrorCode::kLimitExceeded);
    const MemoryCharge small(10);
    EXPECT_EQ(budget->use_count(), 2u);
  }
  EXPECT_EQ(budget->use_count(), 1u);
}

TEST(Bounds, TheLongestTimeIsNoBound) {
  const Module module = module_of(kLoop);
  EXPECT_EQ(module.forward({3}, {.timeout = std::chrono::milliseconds::max()}).to_int(), 3);
}

TEST(Bounds, CallsAreBoundedInDepth) {
  std::string text = "  def forward(self: __torch__.M, n: int) -> int:\n    return (self).f0(n, )\n";
  for (int i = 0; i < 20; ++i) {
    text += "  def f" + std::to_string(i) + "(self: __torch__.M, n: int) -> int:\n    return " +
            (i == 19 ? std::string("n") : "(self).f" + std::to_string(i + 1) + "(n, )") + "\n";
  }
  Module module = module_of(text);
  module.set_planning(false);
  EXPECT_EQ(module.forward({7}, {.max_call_depth = 30}).to_int(), 7);
  EXPECT_EQ(code_of([&] { module.forward({7}, {.max_call_depth = 10}); }), ErrorCode::kLimitExceeded);
}

TEST(Bounds, ForkedTasksCountForTheRun) {
  const Module module = module_of(
      "  def forward(self: __torch__.M, n: int) -> int:\n"
      "    def __task():\n"
      "      sum = 0\n"
      "      for i in range(n):\n"
      "        sum = torch.add(sum, i)\n"
      "      return sum\n"
      "    a = fork(__task)\n"
      "    return torch.wait(a)\n");
  for (const int forks : {0, 4}) {
    for (const int threads : {1, 3}) {
      set_num_threads(threads);
      EXPECT_EQ(module.forward({10}, {.max_operations = 1000, .max_forks = forks}).to_int(), 45);
      EXPECT_EQ(code_of([&] { module.forward({int64_t{1} << 60}, {.max_operations = 1000, .max_forks = forks}); }),
                ErrorCode::kLimitExceeded);
      EXPECT_EQ(code_of([&] { module.forward({int64_t{1} << 60}, {.timeout = 20ms, .max_forks = forks}); }),
                ErrorCode::kDeadlineExceeded);
    }
  }
  set_num_threads(0);
}

TEST(Bounds, WorkersBeyondThoseAllowedDoNotJoin) {
  set_num_threads(4);
  std::atomic<int> at_once{0}, most{0};
  const auto run = [&] {
    most = 0;
    parallel_for(0, 64, 1, [&](int64_t, int64_t) {
      int now = ++at_once;
      int seen = most.load();
      while (now > seen && !most.compare_exchange_weak(seen, now)) {
      }
      std::this_thread::sleep_for(1ms);
      --at_once;
    });
    return most.load();
  };
  {
    const BoundedWork two("the run", {.max_threads = 2});
    EXPECT_LE(run(), 2);
    const BoundedWork one("the run", {.max_threads = 1});
    EXPECT_EQ(run(), 1);
  }
  set_num_threads(0);
}

TEST(Bounds, TheInnerOfTwoBudgetsSpendsFromTheOuterToo) {
  const BoundedWork outer("outer", {.max_memory = 1000, .max_operations = 10});
  std::string message;
  {
    const BoundedWork inner("inner", {.max_memory = 500, .max_operations = 100});
    const MemoryCharge small(400);
    EXPECT_EQ(code_of([&] { const MemoryCharge large(200); }, &message), ErrorCode::kLimitExceeded);
    EXPECT_EQ(message, "inner needs 200 bytes more than the 400 that it holds: its limit is 500");
    EXPECT_EQ(code_of([&] { Budget::current()->spend(11); }, &message), ErrorCode::kLimitExceeded);
    EXPECT_EQ(message, "outer takes more than its limit of 10 operations");
  }
  const MemoryCharge all(1000);
  EXPECT_EQ(code_of([&] { const MemoryCharge more(1); }), ErrorCode::kLimitExceeded);
}

TEST(Bounds, PlansKeepNoMoreMemoryThanTheyMay) {
  Module module = module_of(
      "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
      "    return torch.sum(torch.relu(torch.softmax(torch.add(x, 1.), 1)))\n");
  const auto large = Tensor::zeros({64, 1024});
  const float want = module.forward({large}).to_tensor().data_ptr<const float>()[0];
  set_max_plan_memory(module, 1 << 10);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(module.forward({large}).to_tensor().data_ptr<const float>()[0], want);
}

TEST(Bounds, WhatAnArchiveInflatesTo) {
  ZipWriter writer("m");
  const ZipReader model(ByteSource::open_file(std::string(WICK_TEST_DATA) + "/script/tree.pt"));
  for (const std::string& name : model.names()) writer.add(name, model.read(name).bytes);
  writer.add("extra/zeros", std::vector<uint8_t>(1 << 20), /*deflate=*/true);
  const std::vector<uint8_t> bytes = writer.finish();
  EXPECT_EQ(load(bytes).extra_files().at("zeros").size(), 1u << 20);
  EXPECT_EQ(load(bytes, {.max_inflated = 1 << 20}).extra_files().at("zeros").size(), 1u << 20);
  std::string message;
  EXPECT_EQ(code_of([&] { load(bytes, {.max_inflated = (1 << 20) - 1}); }, &message), ErrorCode::kLimitExceeded);
  EXPECT_NE(message.find("inflate to more than 1048575 bytes"), std::string::npos) << message;
}

TEST(Bounds, LoadsAreCancelledAndBounded) {
  const std::string path = std::string(WICK_TEST_DATA) + "/../../examples/segment/segment.ptl";
  const Cancellation stop;
  EXPECT_TRUE(load(path, {.cancellation = stop}).has_method("forward"));
  stop.cancel();
  EXPECT_EQ(code_of([&] { load(path, {.cancellation = stop}); }), ErrorCode::kCancelled);
  EXPECT_TRUE(load(path, {.timeout = 60s, .max_memory = 1 << 30}).has_method("forward"));
}

}  // namespace
}  // namespace wick
