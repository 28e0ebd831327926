// A device's plan beside the processor's: what happens when the device fails.
#include <gtest/gtest.h>

#include "plan/builder.h"
#include "unit/runtime/shared_module.h"

namespace wick::script {
namespace {

// A device that fails whenever it is to compute anything.
class FailingStep : public plan::Step {
 public:
  FailingStep(const ir::Node* node, bool lacks_memory) : Step(node), lacks_memory_(lacks_memory) {}
  void run(plan::Workspace&) const override {
    if (lacks_memory_) throw std::bad_alloc();
    throw Error(ErrorCode::kIo, "the device is gone");
  }
  plan::StepName name() const override { return plan::StepName("failing"); }

 private:
  const bool lacks_memory_;
};

class FailingTarget : public plan::Target {
 public:
  explicit FailingTarget(bool lacks_memory) : lacks_memory_(lacks_memory) {}
  std::vector<Stretch> choose(const plan::Builder& b) override {
    std::vector<Stretch> out;
    for (size_t s = 0; s < b.step_count(); ++s) {
      if (b.step(s).op->schema.name != "aten::relu") continue;
      Stretch stretch;
      stretch.steps = {s};
      stretch.at = s;
      stretch.inputs = {b.step(s).args[0].ids[0]};
      stretch.outputs = {b.result(s)};
      stretch.step = std::make_unique<FailingStep>(b.step(s).node, lacks_memory_);
      out.push_back(std::move(stretch));
    }
    return out;
  }
  void forget() override {}
  uint64_t bytes() const override { return 0; }

 private:
  const bool lacks_memory_;
};

constexpr const char* kLogged =
    "class Log:\n"
    "  entries : List[str]\n"
    "  def __enter__(self: __torch__.Log) -> int:\n"
    "    _0 = torch.append(self.entries, \"in\")\n"
    "    return 1\n"
    "  def __exit__(self: __torch__.Log, a: Any, b: Any, c: Any) -> NoneType:\n"
    "    _0 = torch.append(self.entries, \"out\")\n"
    "    return None\n"
    "class M(Module):\n"
    "  __parameters__ = []\n"
    "  __buffers__ = []\n"
    "  log : __torch__.Log\n"
    "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
    "    log = self.log\n"
    "    with log:\n"
    "      y = torch.sigmoid(torch.relu(x))\n"
    "    return y\n";

size_t entries_of(SharedModule& module) { return module.root->get(0).to_object().get(0).to_list().items.size(); }

void prepare(SharedModule& module) {
  module.code.importer.class_named("__torch__.Log");
  Ref<ObjectImpl> log = make_ref<ObjectImpl>();
  log->cls = *module.code.program->classes.find("__torch__.Log");
  log->set(0, IValue::list(types::string(), {}));
  module.root->set(0, IValue(log));
}

// The processor's plan runs in the same `with` statement, which is left once.
TEST(PlanRival, TheProcessorTakesOverWhereTheDeviceFails) {
  for (const bool lacks_memory : {false, true}) {
    SharedModule module(kLogged, {});
    prepare(module);
    module.code.planner.set_target(std::make_shared<FailingTarget>(lacks_memory), /*may_choose=*/true);
    for (size_t run = 1; run <= 4; ++run) {
      const Tensor y = module.call("forward", /*planned=*/true, {filled_with(0, {2, 3})}).to_tensor();
      EXPECT_EQ(y.data<float>()[5], 0.5F);
      EXPECT_EQ(entries_of(module), 2 * run) << "run " << run;
    }
  }
}

// Without another plan the error says where it happened, and the statement is left as well.
TEST(PlanRival, TheErrorOfTheOnlyPlan) {
  SharedModule module(kLogged, {});
  prepare(module);
  module.code.planner.set_target(std::make_shared<FailingTarget>(false), /*may_choose=*/false);
  try {
    module.call("forward", /*planned=*/true, {filled_with(0, {2, 3})});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kIo);
    EXPECT_NE(std::string(e.what()).find("torch.relu(x)"), std::string::npos) << e.what();
  }
  EXPECT_EQ(entries_of(module), 2U);
}

}  // namespace
}  // namespace wick::script
