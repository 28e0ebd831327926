// The interpreter on graphs built by hand: control flow, calls, objects, threads, failures.
#include "runtime/executor.h"
#include "api/module_access.h"
#include "core/budget.h"
#include "core/tensor_impl.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/limits.h"
#include "ir/program.h"
#include "wick/module.h"

namespace wick {
namespace {

using ir::Block;
using ir::Function;
using ir::Graph;
using ir::Node;
using ir::NodeKind;
using ir::Value;

class ExecutorTest : public ::testing::Test {
 protected:
  Function& function(const std::string& name) {
    auto f = std::make_unique<Function>();
    f->name = name;
    f->has_schema = false;
    return *program->add(std::move(f));
  }
  Value* op(Graph& g, Block* block, const char* name, std::vector<Value*> inputs) {
    const Operator* found = find_operator(name);
    EXPECT_NE(found, nullptr) << name;
    return g.call_op(block, found, std::move(inputs))->outputs.at(0);
  }
  IValue run(Function& f, std::vector<IValue> args) {
    return std::make_shared<runtime::Executor>(*program)->run(f, std::move(args));
  }

  std::shared_ptr<ir::Program> program = std::make_shared<ir::Program>();
};

// for i in range(n): total = total + i (or total * 2 when i is even)
Function& build_loop(Function& f, const std::function<Value*(Graph&, Block*, const char*, std::vector<Value*>)>& op) {
  Graph& g = f.graph;
  Value* n = g.add_param(g.body(), types::integer());
  Value* always = g.constant(g.body(), true);
  Value* start = g.constant(g.body(), int64_t{1});
  Node* loop = g.append(g.body(), NodeKind::kLoop, {n, always, start});
  Block* body = g.add_block(loop);
  Value* i = g.add_param(body, types::integer());
  Value* total = g.add_param(body, types::integer());
  Value* two = g.constant(body, int64_t{2});
  Value* zero = g.constant(body, int64_t{0});
  Value* even = op(g, body, "aten::eq.int", {op(g, body, "aten::remainder.int", {i, two}), zero});
  Node* branch = g.append(body, NodeKind::kIf, {even});
  Block* then_block = g.add_block(branch);
  g.set_results(then_block, {op(g, then_block, "aten::mul.int", {total, two})});
  Block* else_block = g.add_block(branch);
  g.set_results(else_block, {op(g, else_block, "aten::add.int", {total, i})});
  Value* next = g.add_output(branch, types::integer());
  g.set_results(body, {always, next});
  g.set_results(g.body(), {g.add_output(loop, types::integer())});
  return f;
}

TEST_F(ExecutorTest, LoopWithBranchesAndCarriedValue) {
  Function& f = build_loop(function("loop"), [this](Graph& g, Block* b, const char* name, std::vector<Value*> in) {
    return op(g, b, name, std::move(in));
  });
  EXPECT_EQ(run(f, {int64_t{0}}).to_int(), 1);
  EXPECT_EQ(run(f, {int64_t{1}}).to_int(), 2);
  EXPECT_EQ(run(f, {int64_t{4}}).to_int(), ((1 * 2 + 1) * 2) + 3);
}

TEST_F(ExecutorTest, OneFunctionFromManyThreads) {
  Function& f = build_loop(function("loop"), [this](Graph& g, Block* b, const char* name, std::vector<Value*> in) {
    return op(g, b, name, std::move(in));
  });
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 200; ++k) right += run(f, {int64_t{4}}).to_int() == 9;
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(right.load(), 8 * 200);
}

TEST_F(ExecutorTest, RecursionEndsInAnErrorNotACrash) {
  Function& f = function("again");
  Graph& g = f.graph;
  Value* x = g.add_param(g.body(), types::integer());
  Node* call = g.append(g.body(), NodeKind::kCallFunction, {x});
  call->callee = &f;
  g.set_results(g.body(), {g.add_output(call, types::integer())});
  try {
    run(f, {int64_t{1}});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kLimitExceeded);
  }
}

TEST_F(ExecutorTest, EndlessLoopsStopAtTheLimitOfOperations) {
  Function& f = function("endless");
  Graph& g = f.graph;
  Value* always = g.constant(g.body(), true);
  Node* loop = g.append(g.body(), NodeKind::kLoop, {g.constant(g.body(), INT64_MAX), always});
  Block* body = g.add_block(loop);
  g.add_param(body, types::integer());
  g.set_results(body, {always});
  const BoundedWork bounded("the run", {.max_operations = 100000});
  try {
    run(f, {});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kLimitExceeded);
  }
}

TEST_F(ExecutorTest, ForkAndWait) {
  Function& square = function("square");
  {
    Graph& g = square.graph;
    Value* x = g.add_param(g.body(), types::integer());
    g.set_results(g.body(), {op(g, g.body(), "aten::mul.int", {x, x})});
  }
  Function& f = function("main");
  Graph& g = f.graph;
  Value* x = g.add_param(g.body(), types::integer());
  std::vector<Value*> futures;
  for (int k = 0; k < 10; ++k) {
    Node* fork = g.append(g.body(), NodeKind::kFork, {x});
    fork->callee = &square;
    futures.push_back(g.add_output(fork, types::future(types::integer())));
  }
  Value* sum = g.constant(g.body(), int64_t{0});
  for (Value* future : futures) {
    Node* wait = g.append(g.body(), NodeKind::kWait, {future});
    sum = op(g, g.body(), "aten::add.int", {sum, g.add_output(wait, types::integer())});
  }
  g.set_results(g.body(), {sum});
  for (int k = 0; k < 50; ++k) ASSERT_EQ(run(f, {int64_t{3}}).to_int(), 90);
}

TEST_F(ExecutorTest, AttributesAndMethods) {
  const auto cls = std::make_shared<ClassInfo>();
  cls->name = "__torch__.Counter";
  cls->attributes = {"count"};
  program->classes.put(cls);
  Function& step = function("__torch__.Counter.step");
  {
    Graph& g = step.graph;
    Value* self = g.add_param(g.body(), types::class_type("__torch__.Counter"));
    Node* get = g.append(g.body(), NodeKind::kGetAttr, {self});
    Value* one = g.constant(g.body(), int64_t{1});
    Value* next = op(g, g.body(), "aten::add.int", {g.add_output(get, types::integer()), one});
    g.append(g.body(), NodeKind::kSetAttr, {self, next});
    g.set_results(g.body(), {next});
  }
  auto object = make_ref<ObjectImpl>();
  object->cls = cls;
  object->set(0, int64_t{41});
  program->root = IValue(object);
  const Module module = make_module(program);
  EXPECT_EQ(module.run_method("step", {}).to_int(), 42);
  EXPECT_EQ(module.attr("count").to_int(), 42);
  EXPECT_THROW(module.run_method("stop", {}), Error);
  EXPECT_THROW(module.attr("nothing"), Error);
}

TEST_F(ExecutorTest, ValuesAreGivenUpAtTheirLastUse) {
  // y = x + x; z = y + y: when z is computed nobody else holds y.
  Function& f = function("chain");
  Graph& g = f.graph;
  Value* x = g.add_param(g.body(), types::tensor());
  Value* one = g.constant(g.body(), int64_t{1});
  Value* y = op(g, g.body(), "aten::add.Tensor", {x, x, one});
  g.set_results(g.body(), {op(g, g.body(), "aten::add.Tensor", {y, y, one})});
  Tensor input = Tensor::scalar(1.0, DType::kFloat);
  const IValue out = run(f, {input});
  EXPECT_EQ(out.to_tensor().item().to_double(), 4.0);
  EXPECT_EQ(input.impl()->use_count(), 1u);
}

TEST_F(ExecutorTest, ErrorsSayWhere) {
  Function& f = function("__torch__.M.forward");
  Graph& g = f.graph;
  Value* x = g.add_param(g.body(), types::tensor());
  Value* one = g.constant(g.body(), int64_t{1});
  g.set_results(g.body(), {op(g, g.body(), "aten::add.Tensor", {x, x, one})});
  try {
    run(f, {int64_t{1}});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kTypeMismatch);
    EXPECT_NE(e.message().find("aten::add.Tensor"), std::string::npos);
    EXPECT_NE(e.message().find("__torch__.M.forward"), std::string::npos);
  }
}

}  // namespace
}  // namespace wick
