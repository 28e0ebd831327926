// Programs whose threads change what others use: results may be any of several, memory must stay whole.
#include <gtest/gtest.h>

#include <atomic>

#include "unit/runtime/shared_module.h"
#include "wick/module.h"

namespace wick::script {
namespace {

constexpr int kRounds = 400;

class Threads : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { set_num_threads(4); }
  void TearDown() override { set_num_threads(0); }
  bool planned() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(, Threads, testing::Bool(),
                         [](const auto& info) { return info.param ? "Planned" : "Interpreted"; });

// A task and its parent run the function `work`, which takes `shared` and a number, on the same value.
std::string forking(const std::string& make, const std::string& work) {
  return work +
         "def f(n: int) -> int:\n"
         "  shared = " +
         make +
         "\n"
         "  def __forked():\n"
         "    return __torch__.work(shared, n, )\n"
         "  task = fork(__forked)\n"
         "  own = __torch__.work(shared, n, )\n"
         "  return torch.add(own, torch.wait(task))\n";
}

void run_forking(bool planned, const std::string& text) {
  Text code(text);
  const ir::Function& f = code.function("f");
  for (int i = 0; i < 5; ++i) {
    const IValue result = planned ? code.planner.run(f, {kRounds}) : code.executor->run(f, {kRounds});
    EXPECT_TRUE(result.is_int());
  }
}

TEST_P(Threads, TaskAndParentChangeOneList) {
  run_forking(planned(), forking("annotate(List[Tensor], [])",
                                 "def work(shared: List[Tensor], n: int) -> int:\n"
                                 "  for i in range(n):\n"
                                 "    _0 = torch.append(shared, torch.ones([8]))\n"
                                 "    if torch.gt(torch.len(shared), 6):\n"
                                 "      _1 = torch.pop(shared, 0)\n"
                                 "    both = torch.cat(shared)\n"
                                 "  return torch.len(shared)\n"));
}

TEST_P(Threads, TaskAndParentChangeOneDict) {
  run_forking(planned(), forking("annotate(Dict[int, Tensor], {})",
                                 "def work(shared: Dict[int, Tensor], n: int) -> int:\n"
                                 "  torch._set_item(shared, 100, torch.ones([1]))\n"
                                 "  for i in range(n):\n"
                                 "    key = torch.remainder(i, 7)\n"
                                 "    torch._set_item(shared, key, torch.ones([8]))\n"
                                 "    _0 = torch.pop(shared, torch.remainder(i, 5), torch.ones([2]))\n"
                                 "    all = torch.cat(torch.values(shared))\n"
                                 "  return torch.len(torch.keys(shared))\n"));
}

TEST_P(Threads, TaskAndParentResizeOneTensor) {
  run_forking(planned(),
              forking("torch.ones([10])",
                      "def work(shared: Tensor, n: int) -> int:\n"
                      "  for i in range(n):\n"
                      "    _0 = torch.resize_(shared, [torch.add(1, torch.mul(torch.remainder(i, 40), 500))])\n"
                      "    _1 = torch.zero_(shared)\n"
                      "    copy = torch.add(shared, 1)\n"
                      "  return torch.numel(shared)\n"));
}

// Also where it is read as an item of a list that nothing else knows.
TEST_P(Threads, TaskAndParentResizeATensorThatListsHold) {
  run_forking(planned(),
              forking("torch.ones([10])",
                      "def work(shared: Tensor, n: int) -> int:\n"
                      "  size = 0\n"
                      "  for i in range(n):\n"
                      "    _0 = torch.resize_(shared, [torch.add(1, torch.mul(torch.remainder(i, 40), 500))])\n"
                      "    size = torch.numel(torch.cat([shared, shared]))\n"
                      "  return size\n"));
}

TEST_P(Threads, TaskAndParentSwapTheStorageOfOneTensor) {
  run_forking(planned(), forking("torch.ones([10])",
                                 "def work(shared: Tensor, n: int) -> int:\n"
                                 "  for i in range(n):\n"
                                 "    size = torch.add(1, torch.mul(torch.remainder(i, 9), 300))\n"
                                 "    _0 = torch.set_(shared, torch.ones([size]))\n"
                                 "    _1 = torch.unsqueeze_(shared, 0)\n"
                                 "    copy = torch.mul(shared, 2.)\n"
                                 "  return torch.numel(shared)\n"));
}

// Each who waits for a task that fails gets an error of its own, and adds to it where that was.
TEST_P(Threads, SeveralWaitForATaskThatFails) {
  Text code(
      "def fail(x: Tensor) -> Tensor:\n"
      "  return torch.matmul(x, torch.ones([3, 3]))\n"
      "def waiting(task: Future[Tensor]) -> Tensor:\n"
      "  return torch.wait(task)\n"
      "def f(x: Tensor) -> Tensor:\n"
      "  def __forked():\n"
      "    return __torch__.fail(x, )\n"
      "  task = fork(__forked)\n"
      "  def __waiting():\n"
      "    return __torch__.waiting(task, )\n"
      "  a = fork(__waiting)\n"
      "  b = fork(__waiting)\n"
      "  return torch.wait(task)\n");
  const ir::Function& f = code.function("f");
  for (int i = 0; i < 50; ++i) {
    const std::vector<IValue> args{filled_with(1, {2, 2})};
    EXPECT_THROW(planned() ? code.planner.run(f, args) : code.executor->run(f, args), Error);
  }
}

constexpr const char* kModule =
    "class M(Module):\n"
    "  __parameters__ = []\n"
    "  __buffers__ = []\n";

// Indices are checked, then used: they must be the same ones.
TEST_P(Threads, IndicesStayAsTheyWereChecked) {
  SharedModule module(std::string(kModule) +
                          "  index : Tensor\n"
                          "  def write(self: __torch__.M, value: int) -> NoneType:\n"
                          "    _0 = torch.fill_(self.index, value)\n"
                          "    return None\n"
                          "  def read(self: __torch__.M, x: Tensor) -> Tensor:\n"
                          "    return torch.index_select(x, 0, self.index)\n",
                      {Tensor::zeros({2000}, DType::kLong)});
  std::atomic<int> right{0};
  at_once(2, [&](int k) {
    const Tensor x = filled_with(3, {10});
    for (int i = 0; i < kRounds; ++i) {
      if (k == 0) {
        module.call("write", planned(), {int64_t{1} << 40});
        module.call("write", planned(), {int64_t{i % 10}});
      } else {
        right += module.try_call("read", planned(), {x}) ? 1 : 0;
      }
    }
  });
  EXPECT_TRUE(module.try_call("read", planned(), {filled_with(3, {10})}));
}

TEST_P(Threads, HostThreadsChangeTheListOfAnAttribute) {
  SharedModule module(std::string(kModule) +
                          "  log : List[Tensor]\n"
                          "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                          "    _0 = torch.append(self.log, torch.add(x, 1))\n"
                          "    sum = torch.sum(torch.cat(self.log))\n"
                          "    if torch.gt(torch.len(self.log), 20):\n"
                          "      torch.clear(self.log)\n"
                          "    return sum\n"
                          "  def add(self: __torch__.M, x: Tensor) -> NoneType:\n"
                          "    _0 = torch.append(self.log, x)\n"
                          "    return None\n",
                      {IValue::tensor_list({filled_with(0, {4})})});
  at_once(3, [&](int) {
    for (int i = 0; i < kRounds; ++i) module.try_call("forward", planned(), {filled_with(1, {4})});
  });
  // No change is lost.
  const size_t before = module.root->get(0).to_list().items.size();
  at_once(3, [&](int) {
    for (int i = 0; i < 50; ++i) module.call("add", planned(), {filled_with(1, {4})});
  });
  EXPECT_EQ(module.root->get(0).to_list().items.size(), before + 150);
}

TEST_P(Threads, HostThreadsUpdateATensorInPlace) {
  SharedModule module(std::string(kModule) +
                          "  count : Tensor\n"
                          "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
                          "    _0 = torch.add_(self.count, x)\n"
                          "    return torch.mul(torch.relu(self.count), 2.)\n",
                      {filled_with(0, {1000})});
  at_once(2, [&](int) {
    for (int i = 0; i < kRounds; ++i) module.call("forward", planned(), {filled_with(1, {1000})});
  });
  EXPECT_EQ(module.root->get(0).to_tensor().data<float>()[999], 2.0F * kRounds);
}

// What an error leaves is left without the lock that the failing operator held.
TEST_P(Threads, AnErrorInAWithStatementLeavesIt) {
  SharedModule module(
      "class Log:\n"
      "  entries : List[str]\n"
      "  def __enter__(self: __torch__.Log) -> int:\n"
      "    _0 = torch.append(self.entries, \"in\")\n"
      "    return 1\n"
      "  def __exit__(self: __torch__.Log, a: Any, b: Any, c: Any) -> NoneType:\n"
      "    _0 = torch.append(self.entries, \"out\")\n"
      "    return None\n" +
          std::string(kModule) +
          "  log : __torch__.Log\n"
          "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
          "    log = self.log\n"
          "    with log:\n"
          "      y = torch.matmul(torch.relu(x), torch.ones([3, 3]))\n"
          "    return y\n",
      {});
  module.code.importer.class_named("__torch__.Log");
  Ref<ObjectImpl> log = make_ref<ObjectImpl>();
  log->cls = *module.code.program->classes.find("__torch__.Log");
  log->set(0, IValue::list(types::string(), {}));
  module.root->set(0, IValue(log));
  EXPECT_TRUE(module.try_call("forward", planned(), {filled_with(1, {2, 3})}));
  EXPECT_FALSE(module.try_call("forward", planned(), {filled_with(1, {2, 5})}));
  EXPECT_FALSE(module.try_call("forward", planned(), {filled_with(1, {2, 5})}));
  EXPECT_EQ(log->get(0).to_list().items.size(), 6U);
}

// A dict that no thread changes any more may be read by several, whatever was done to it before.
TEST_P(Threads, ReadingADictChangesNothing) {
  SharedModule module(std::string(kModule) +
                          "  table : Dict[int, Tensor]\n"
                          "  def prepare(self: __torch__.M) -> NoneType:\n"
                          "    table = annotate(Dict[int, Tensor], {})\n"
                          "    for i in range(100):\n"
                          "      torch._set_item(table, i, torch.ones([2]))\n"
                          "    _0 = torch.pop(table, 50)\n"
                          "    self.table = table\n"
                          "    return None\n"
                          "  def forward(self: __torch__.M) -> Tensor:\n"
                          "    return torch.cat(torch.values(self.table))\n",
                      {});
  auto dict = make_ref<DictImpl>();
  dict->key_type = types::integer();
  dict->value_type = types::tensor();
  module.root->set(0, IValue(dict));
  for (int round = 0; round < 20; ++round) {
    module.call("prepare", planned());
    at_once(3, [&](int) { EXPECT_EQ(module.call("forward", planned()).to_tensor().numel(), 198); });
  }
}

}  // namespace
}  // namespace wick::script
