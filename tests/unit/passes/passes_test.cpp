// Passes on programs: what they may change and what they must leave.
#include <gtest/gtest.h>

#include "api/module_access.h"
#include "core/custom_classes.h"
#include "core/tensor_impl.h"
#include "passes/freeze.h"
#include "passes/passes.h"
#include "passes/program_copy.h"
#include "passes/rewriter.h"
#include "passes/simplify.h"
#include "wick/module.h"
#include "wick/optimize.h"

namespace wick {
namespace {

using ir::NodeKind;
using ir::Value;

// A program with one module `M` and one method forward(self, x).
struct TestProgram {
  std::shared_ptr<ir::Program> program = std::make_shared<ir::Program>();
  ir::Function* forward = nullptr;
  ir::Graph* graph = nullptr;
  Value *self = nullptr, *x = nullptr;

  explicit TestProgram(std::vector<std::pair<std::string, IValue>> attributes = {}) {
    program->kind = ir::FileKind::kTorchScript;
    auto cls = std::make_shared<ClassInfo>();
    cls->name = "__torch__.M";
    Ref<ObjectImpl> root = make_ref<ObjectImpl>();
    root->cls = cls;
    for (auto& [name, value] : attributes) {
      cls->attributes.push_back(name);
      cls->attribute_types.push_back(value.type());
      root->set(cls->attributes.size() - 1, value);
    }
    program->classes.put(cls);
    program->root = IValue(root);
    auto function = std::make_unique<ir::Function>();
    function->name = "__torch__.M.forward";
    Argument argument;
    argument.name = "self";
    argument.type = types::class_type(cls->name);
    function->schema.arguments.push_back(argument);
    argument.name = "x";
    argument.type = types::tensor();
    function->schema.arguments.push_back(argument);
    argument.name = "";
    function->schema.returns.push_back(argument);
    forward = program->add(std::move(function));
    graph = &forward->graph;
    self = graph->add_param(graph->body(), types::class_type(cls->name), "self");
    x = graph->add_param(graph->body(), types::tensor(), "x");
  }

  Value* op(std::string_view name, std::vector<Value*> inputs) {
    const Operator* found = find_operator(name);
    while (inputs.size() < found->schema.arguments.size()) {
      inputs.push_back(graph->constant(graph->body(), found->schema.arguments[inputs.size()].default_value));
    }
    return graph->call_op(graph->body(), found, std::move(inputs))->outputs[0];
  }
  Value* constant(IValue value) { return graph->constant(graph->body(), std::move(value)); }
  Value* attribute(const std::string& name) {
    ir::Node* node = graph->append(graph->body(), NodeKind::kGetAttr, {self});
    node->name = name;
    node->index = program->root.to_object().cls->slot_of(name);
    return graph->add_output(node, program->root.to_object().attr(name).type());
  }
  void result(Value* value) { graph->set_results(graph->body(), {value}); }
  size_t count(std::string_view name) const {
    size_t n = 0;
    for (const ir::Node* node : passes::all_nodes(program->find_method("forward")->graph.body()))
      n += ir::name_of(*node) == name;
    return n;
  }
};

Tensor numbers(IntSpan sizes, float first = 0.5f) {
  const Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = first + 0.25f * static_cast<float>(i % 7);
  return t;
}

float first_of(const IValue& value) { return value.to_tensor().data<float>()[0]; }

TEST(Passes, KnownValuesAreComputedAndDeadCodeGoes) {
  TestProgram p;
  p.op("aten::mul.Tensor", {p.x, p.x});
  Value* three = p.op("aten::add.int", {p.constant(1), p.constant(2)});
  p.result(p.op("aten::add.Scalar", {p.x, three}));
  passes::simplify(*p.graph);
  EXPECT_EQ(p.count("aten::mul.Tensor"), 0u);
  EXPECT_EQ(p.count("aten::add.int"), 0u);
  EXPECT_EQ(p.count("aten::add.Scalar"), 1u);
  ir::verify(*p.forward);
}

TEST(Passes, AChangeOfWhatIsReadStays) {
  TestProgram p;
  Value* copy = p.op("aten::mul.Tensor", {p.x, p.x});
  Value* view = p.op("aten::view", {copy, p.constant(IValue::int_list(IntVec{-1}))});
  p.op("aten::add_.Tensor", {view, p.x});
  p.result(copy);
  passes::simplify(*p.graph);
  EXPECT_EQ(p.count("aten::add_.Tensor"), 1u);
}

TEST(Passes, AChangeOfWhatNobodyReadsGoes) {
  TestProgram p;
  Value* copy = p.op("aten::mul.Tensor", {p.x, p.x});
  p.op("aten::add_.Tensor", {copy, copy});
  p.result(p.x);
  passes::simplify(*p.graph);
  EXPECT_EQ(p.count("aten::add_.Tensor"), 0u);
  EXPECT_EQ(p.count("aten::mul.Tensor"), 0u);
}

TEST(Passes, EqualComputationsOfWhatIsChangedStayApart) {
  TestProgram p;
  Value* a = p.op("aten::mul.Tensor", {p.x, p.x});
  Value* b = p.op("aten::mul.Tensor", {p.x, p.x});
  p.op("aten::add_.Tensor", {a, p.x});
  p.result(p.op("aten::sub.Tensor", {a, b}));
  passes::simplify(*p.graph);
  EXPECT_EQ(p.count("aten::mul.Tensor"), 2u);
}

TEST(Passes, FrozenAttributesAreConstantsAndAssignedOnesStay) {
  TestProgram p({{"scale", IValue(numbers({1}))}, {"calls", IValue(1)}, {"unused", IValue(7)}});
  Value* scaled = p.op("aten::mul.Tensor", {p.x, p.attribute("scale")});
  Value* calls = p.op("aten::add.int", {p.attribute("calls"), p.constant(1)});
  ir::Node* set = p.graph->append(p.graph->body(), NodeKind::kSetAttr, {p.self, calls});
  set->name = "calls";
  set->index = 1;
  p.result(p.op("aten::add.Scalar", {scaled, calls}));
  const std::shared_ptr<ir::Program> copy = passes::copy_program(*p.program, {"forward"});
  passes::freeze(*copy);
  passes::prune(*copy);
  const ClassInfo& cls = *copy->root.to_object().cls;
  EXPECT_EQ(cls.attributes, std::vector<std::string>{"calls"});
  Module before = make_module(p.program), after = make_module(copy);
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(first_of(before.forward({IValue(numbers({2}))})), first_of(after.forward({IValue(numbers({2}))})));
  }
}

TEST(Passes, AttributesChangedThroughAViewStay) {
  TestProgram p({{"sum", IValue(numbers({1, 2}))}});
  Value* row = p.op("aten::select.int", {p.attribute("sum"), p.constant(0), p.constant(0)});
  p.op("aten::add_.Tensor", {row, p.x});
  p.result(p.op("aten::mul.Tensor", {p.attribute("sum"), p.x}));
  const std::shared_ptr<ir::Program> copy = passes::copy_program(*p.program, {"forward"});
  passes::freeze(*copy);
  passes::prune(*copy);
  EXPECT_EQ(copy->root.to_object().cls->attributes, std::vector<std::string>{"sum"});
  // The copy's tensor is its own.
  EXPECT_NE(copy->root.to_object().attr("sum").to_tensor().storage().get(),
            p.program->root.to_object().attr("sum").to_tensor().storage().get());
}

// An attribute whose declared type does not tell the class of the object that it holds.
TEST(Passes, ObjectsThatLeaveAsValuesOfNoClassStayWhole) {
  for (const TypePtr& type : {types::any(), types::optional(types::class_type("__torch__.Box"))}) {
    auto cls = std::make_shared<ClassInfo>();
    cls->name = "__torch__.Box";
    cls->attributes = {"inside"};
    cls->attribute_types = {types::tensor()};
    auto box = make_ref<ObjectImpl>();
    box->cls = cls;
    box->set(0, IValue(numbers({5})));
    TestProgram p({{"box", IValue(box)}, {"unused", IValue(7)}});
    p.program->classes.put(cls);
    Value* read = p.attribute("box");
    read->type = type;
    p.result(read);
    const std::shared_ptr<ir::Program> copy = passes::copy_program(*p.program, {"forward"});
    passes::prune(*copy);
    EXPECT_EQ(copy->root.to_object().cls->attributes, std::vector<std::string>{"box"});
    const IValue result = make_module(copy).forward({IValue(numbers({2}))});
    EXPECT_EQ(first_of(result.to_object().attr("inside")), first_of(IValue(numbers({5})))) << type->str();
  }
}

TEST(Passes, ReluOfASumIsFusedOnlyWhereNobodySeesTheSum) {
  TestProgram p;
  Value* sum = p.op("aten::add.Tensor", {p.x, p.x});
  p.result(p.op("aten::mul.Tensor", {p.op("aten::relu", {sum}), sum}));
  EXPECT_EQ(passes::fuse_add_relu(*p.graph), 0u);
  TestProgram q;
  q.result(q.op("aten::relu", {q.op("aten::add.Tensor", {q.x, q.x})}));
  EXPECT_EQ(passes::fuse_add_relu(*q.graph), 1u);
}

TEST(Passes, DropoutInTrainingStays) {
  TestProgram p;
  p.result(p.op("aten::dropout", {p.x, p.constant(0.5), p.constant(true)}));
  EXPECT_EQ(passes::remove_dropout(*p.graph), 0u);
}

// A loop x = x + index, of so many turns.
Value* add_loop(TestProgram& p, Value* turns, bool goes_on) {
  ir::Graph& g = *p.graph;
  ir::Node* loop = g.append(g.body(), NodeKind::kLoop, {turns, p.constant(true), p.x});
  Value* out = g.add_output(loop, types::tensor());
  ir::Block* body = g.add_block(loop);
  Value* index = g.add_param(body, types::integer());
  Value* carried = g.add_param(body, types::tensor());
  const Operator* add = find_operator("aten::add.Scalar");
  Value* sum = g.call_op(body, add, {carried, index, g.constant(body, 1)})->outputs[0];
  g.set_results(body, {g.constant(body, goes_on), sum});
  return out;
}

TEST(Passes, LoopsOfKnownTurnsAreWrittenOut) {
  TestProgram p;
  p.result(add_loop(p, p.constant(4), true));
  EXPECT_EQ(passes::unroll_loops(*p.graph), 1u);
  ir::verify(*p.forward);
  EXPECT_EQ(p.count("prim::Loop"), 0u);
  EXPECT_EQ(p.count("aten::add.Scalar"), 4u);
  EXPECT_FLOAT_EQ(first_of(make_module(p.program).forward({numbers({2})})), 0.5f + 0 + 1 + 2 + 3);
}

TEST(Passes, LoopsThatMayStopOrAreLongStay) {
  for (int64_t turns : {int64_t{1000}, INT64_MAX}) {
    TestProgram p;
    p.result(add_loop(p, p.constant(turns), true));
    EXPECT_EQ(passes::unroll_loops(*p.graph), 0u);
  }
  TestProgram stops, unknown;
  stops.result(add_loop(stops, stops.constant(4), false));
  EXPECT_EQ(passes::unroll_loops(*stops.graph), 0u);
  unknown.result(add_loop(unknown, unknown.op("aten::numel", {unknown.x}), true));
  EXPECT_EQ(passes::unroll_loops(*unknown.graph), 0u);
}

// An object with one attribute; the value that is read of it.
Value* object_with(TestProgram& p, Value* value, bool written_first, ir::Node** made) {
  ir::Graph& g = *p.graph;
  *made = g.append(g.body(), NodeKind::kCreateObject);
  (*made)->types = {types::class_type("__torch__.Box")};
  Value* object = g.add_output(*made, (*made)->types[0]);
  const auto write = [&] { g.append(g.body(), NodeKind::kSetAttr, {object, value})->name = "held"; };
  if (written_first) write();
  ir::Node* read = g.append(g.body(), NodeKind::kGetAttr, {object});
  read->name = "held";
  if (!written_first) write();
  return g.add_output(read, types::tensor());
}

TEST(Passes, ObjectsMadeInsideBecomeTheirValues) {
  ir::Node* made = nullptr;
  TestProgram p;
  p.result(p.op("aten::relu", {object_with(p, p.x, true, &made)}));
  EXPECT_TRUE(passes::replace_local_objects(*p.graph));
  EXPECT_EQ(p.count("prim::CreateObject") + p.count("prim::SetAttr") + p.count("prim::GetAttr"), 0u);
  ir::verify(*p.forward);

  TestProgram early, escapes;
  early.result(object_with(early, early.x, false, &made));
  EXPECT_FALSE(passes::replace_local_objects(*early.graph));
  object_with(escapes, escapes.x, true, &made);
  escapes.result(made->outputs[0]);
  EXPECT_FALSE(passes::replace_local_objects(*escapes.graph));
}

TEST(Optimize, NearTiesAreToldAndRefusedWhenStrict) {
  // Two rows that differ by rounding only, and which of them is larger.
  const Tensor weight = numbers({2, 2}), scale = Tensor::empty({2}), zero = Tensor::zeros({2}),
               one = Tensor::empty({2});
  for (int64_t i = 0; i < 2; ++i) weight.data<float>()[2 + i] = 3 * weight.data<float>()[i];
  scale.data<float>()[0] = 1;
  scale.data<float>()[1] = 1.0f / 3;
  one.data<float>()[0] = one.data<float>()[1] = 1.1f;
  TestProgram p({{"weight", IValue(weight)}, {"scale", IValue(scale)}, {"zero", IValue(zero)}, {"one", IValue(one)}});
  Value* flat = p.op("aten::flatten.using_ints", {p.x, p.constant(1), p.constant(-1)});
  Value* dense = p.op("aten::linear", {flat, p.attribute("weight"), p.constant(IValue())});
  Value* normal = p.op("aten::batch_norm",
                       {dense, p.attribute("scale"), p.attribute("zero"), p.attribute("zero"), p.attribute("one"),
                        p.constant(false), p.constant(0.1), p.constant(1e-5), p.constant(false)});
  p.result(p.op("aten::argmax", {normal, p.constant(1)}));
  OptimizeOptions options;
  const Tensor x = Tensor::empty({512, 2});
  for (int64_t i = 0; i < x.numel(); ++i) x.data<float>()[i] = 0.1f + 0.37f * static_cast<float>(i);
  options.inputs = {{IValue(x)}};
  OptimizeReport report;
  optimize(make_module(p.program), options, &report);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_NE(report.notes[0].find("not judged"), std::string::npos) << report.notes[0];
  options.strict = true;
  EXPECT_THROW(optimize(make_module(p.program), options), Error);
}

TEST(Optimize, RefusesWhatIsNotThere) {
  TestProgram p;
  p.result(p.op("aten::relu", {p.x}));
  const Module module = make_module(p.program);
  OptimizeOptions options;
  options.backend = "cuda";
  EXPECT_THROW(optimize(module, options), Error);
  options = {};
  options.blocklist = {"NOTHING"};
  EXPECT_THROW(optimize(module, options), Error);
  options = {};
  options.preserve_methods = {"encode"};
  EXPECT_THROW(optimize(module, options), Error);
  EXPECT_THROW(optimize(optimize(module)), Error);
}

TEST(Optimize, PacksALayerAndComparesIt) {
  TestProgram p({{"weight", IValue(numbers({3, 2}))}, {"bias", IValue(numbers({3}, -3))}});
  p.result(p.op("aten::relu", {p.op("aten::linear", {p.x, p.attribute("weight"), p.attribute("bias")})}));
  OptimizeReport report;
  for (const char* backend : {"cpu", "Metal", "VULKAN"}) {
    OptimizeOptions options;
    options.backend = backend;
    const Module made = optimize(make_module(p.program), options, &report);
    EXPECT_TRUE(report.verified) << backend;
    const Tensor x = numbers({4, 2});
    EXPECT_FLOAT_EQ(first_of(make_module(p.program).forward({x})), first_of(made.forward({x}))) << backend;
    for (const std::string& name : made.operators()) EXPECT_NE(name, "aten::linear") << backend;
  }
}

TEST(GpuContexts, DamagedStatesAreRefused) {
  const char* names[] = {"metal.Conv2dOpContext",      "metal.LinearOpContext",   "vulkan.Conv2dPackedContext",
                         "vulkan.LinearPackedContext", "vulkan.GruPackedContext", "vulkan.LstmPackedContext"};
  const IValue states[] = {IValue(),
                           IValue(1),
                           IValue::tuple({}),
                           IValue::list(types::any(), {}),
                           IValue::tuple({IValue(numbers({2})), IValue(), IValue(), IValue()}),
                           IValue::list(types::any(), {IValue(numbers({2})), IValue()}),
                           IValue::list(types::any(), std::vector<IValue>(7)),
                           IValue::list(types::any(), std::vector<IValue>(11))};
  for (const char* name : names) {
    for (const IValue& state : states) {
      EXPECT_THROW(make_custom_object(std::string("__torch__.torch.classes.") + name, state), Error) << name;
    }
  }
}

}  // namespace
}  // namespace wick
