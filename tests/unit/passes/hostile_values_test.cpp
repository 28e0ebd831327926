// Everything that reads, copies, changes or writes a model whose attributes hold themselves, nest deeply or share their
// parts: it succeeds or gives an Error, in little stack, time and memory.
#include <gtest/gtest.h>

#include "api/module_access.h"
#include "core/value_walk.h"
#include "passes/freeze.h"
#include "passes/program_copy.h"
#include "passes/summary.h"
#include "passes/verify.h"
#include "unit/frontend/script/run.h"
#include "unit/hostile_values.h"
#include "unit/small_stack.h"
#include "wick/optimize.h"
#include "wick/quantize.h"
#include "wick/save.h"

namespace wick::script {
namespace {

using test::deep;
using test::doubled;
using test::Kind;
using test::SelfHeld;

// forward(self, x) with a value of any type in the attribute `v`, which it hands to a list.
struct Model {
  explicit Model(const IValue& value) {
    code.importer.class_named("__torch__.Pair");
    code.importer.class_named("__torch__.M");
    code.importer.lower_all();
    auto root = make_ref<ObjectImpl>();
    root->cls = *code.program->classes.find("__torch__.M");
    root->set(0, value);
    root->set(1, IValue(Tensor::zeros({3})));
    root->set(2, IValue(true));
    code.program->root = IValue(root);
    code.program->kind = ir::FileKind::kTorchScript;
    module = make_module(code.program);
  }
  ~Model() { code.program->root.to_object().set(0, IValue()); }

  Text code{
      "class Pair:\n"
      "  first : Any\n"
      "  second : Any\n"
      "class M(Module):\n"
      "  __parameters__ = []\n"
      "  __buffers__ = [\"w\", ]\n"
      "  v : Any\n"
      "  w : Tensor\n"
      "  training : bool\n"
      "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
      "    l = annotate(List[Any], [self.v, self.v])\n"
      "    return torch.add(torch.mul(x, self.w), torch.len(l))\n"};
  Module module;
};

using Action = std::function<void(const Model&)>;
struct Case {
  const char* name;
  Action run;
};

const Case kCases[] = {
    {"forward", [](const Model& m) { Module(m.module).forward({IValue(Tensor::zeros({3}))}); }},
    {"parameters", [](const Model& m) { m.module.named_parameters(), m.module.named_buffers(); }},
    {"train", [](const Model& m) { Module(m.module).train(false); }},
    {"copy", [](const Model& m) { passes::copy_program(*m.code.program, {"forward"}); }},
    {"copy_value", [](const Model& m) { passes::copy_value(m.code.program->root.to_object().get(0)); }},
    {"prune", [](const Model& m) { passes::prune(*passes::copy_program(*m.code.program, {"forward"}), {}); }},
    {"prune in place", [](const Model& m) { passes::prune(*m.code.program, {}); }},
    {"holds objects", [](const Model& m) { passes::holds_objects(m.code.program->root.to_object().get(0)); }},
    {"noise", [](const Model& m) { passes::with_noise(m.code.program->root.to_object().get(0), 1); }},
    {"optimize", [](const Model& m) { optimize(m.module); }},
    {"save_lite", [](const Model& m) { save_lite(m.module); }},
    {"save_torchscript", [](const Model& m) { save_torchscript(m.module); }},
    {"save_tensors", [](const Model& m) { save_tensors(m.code.program->root.to_object().get(0)); }},
    {"opnames", [](const Model& m) { export_opnames(m.module); }},
    {"quantize", [](const Model& m) { quantize_dynamic(m.module); }},
};

void expect_bounded(const std::function<IValue()>& make) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const auto code = test::error_on_stack(512 << 10, [&] {
      const Model model(make());
      c.run(model);
    });
    if (!code) continue;
    EXPECT_TRUE(*code == ErrorCode::kLimitExceeded || *code == ErrorCode::kUnsupported ||
                *code == ErrorCode::kNotFound || *code == ErrorCode::kInvalidArgument)
        << static_cast<int>(*code);
  }
}

TEST(HostileAttributes, HoldingThemselves) {
  for (const Kind kind : test::kKinds) {
    SCOPED_TRACE(static_cast<int>(kind));
    const SelfHeld self(kind);
    expect_bounded([&] { return self.value; });
  }
}

TEST(HostileAttributes, NestedDeeply) {
  for (const Kind kind : test::kKinds) {
    SCOPED_TRACE(static_cast<int>(kind));
    expect_bounded([&] { return deep(kind, 100000); });
  }
}

TEST(HostileAttributes, SharingTheirParts) {
  for (const Kind kind : test::kKinds) {
    SCOPED_TRACE(static_cast<int>(kind));
    expect_bounded([&] { return doubled(kind, 60); });
  }
}

TEST(HostileAttributes, OrdinaryOnesAreKept) {
  for (const Kind kind : test::kKinds) {
    SCOPED_TRACE(static_cast<int>(kind));
    const Model model(doubled(kind, 3));
    const std::shared_ptr<ir::Program> copy = passes::copy_program(*model.code.program, {"forward"});
    passes::prune(*copy, {});
    const Module before = model.module, after = make_module(copy);
    const std::vector<IValue> x{IValue(Tensor::zeros({3}))};
    EXPECT_EQ(repr(before.forward(x)), repr(after.forward(x)));
    size_t values = 0;
    walk_value(copy->root.to_object().attr("v"), [&](const IValue&) {
      ++values;
      return Walk::kEnter;
    });
    if (kind != Kind::kObject) EXPECT_GE(values, 5u);  // no code reads the attributes of the objects
    EXPECT_EQ(after.named_buffers().size(), 1u);
  }
}

}  // namespace
}  // namespace wick::script
