// The tracer: operators, branches no input took, file contents and kernels of a model.
#include "select/trace.h"
#include "api/module_access.h"

#include <gtest/gtest.h>

#include "wick/error.h"

namespace wick::select {
namespace {

const std::string kFolder = WICK_TEST_DATA "/select/";

TraceReport trace(const std::string& name) {
  const std::string path = kFolder + name;
  return trace_model(path, bundled_trace_inputs(load(path)));
}

std::set<std::string> roots(const OperatorList& list) {
  std::set<std::string> out;
  for (const auto& [name, properties] : list.operators) {
    if (properties.is_root && !has_instruction(name)) out.insert(name);
  }
  return out;
}

TEST(Trace, RootOperatorsAndClassesAreThoseOfPyTorchsTracer) {
  const TraceReport report = trace("recorded.ptl");
  const OperatorList recorded = read_op_list(kFolder + "recorded.yaml");
  EXPECT_EQ(roots(report.list), roots(recorded));
  EXPECT_EQ(report.list.custom_classes, recorded.custom_classes);
  EXPECT_EQ(report.list.kernels.at("conv2d_clamp_run"), std::set<std::string>{"Float"});
  EXPECT_TRUE(report.list.is_complete());
  EXPECT_FALSE(recorded.is_complete());
  EXPECT_TRUE(report.list.build_features.contains("wick.frontend.bytecode"));
  EXPECT_TRUE(report.list.build_features.contains("wick.planner"));
  EXPECT_TRUE(report.list.build_features.contains("wick.kernel.direct"));
  EXPECT_TRUE(report.list.build_features.contains("wick.steps"));
  EXPECT_TRUE(report.list.build_features.contains("wick.tensors"));
  ASSERT_EQ(report.inputs.size(), 2U);
  EXPECT_EQ(report.inputs[0].operators, report.inputs[0].fresh);
  EXPECT_EQ(report.inputs[1].fresh, 0U);
  EXPECT_TRUE(report.gaps.empty());
}

TEST(Trace, BranchesNoInputTookAreReportedAndTheirOperatorsListed) {
  const TraceReport report = trace("branches.ptl");
  EXPECT_TRUE(report.list.selects_root("aten::sub.Scalar"));
  ASSERT_EQ(report.gaps.size(), 1U);
  EXPECT_EQ(report.gaps[0].function, "forward");
  EXPECT_EQ(report.gaps[0].what, "the 'if' branch");
  EXPECT_EQ(report.gaps[0].operators, std::vector<std::string>{"aten::sub.Scalar"});
  EXPECT_EQ(report.operators_not_called, std::vector<std::string>{"aten::sub.Scalar"});
  EXPECT_FALSE(report.list.kernels.contains("sub"));
  EXPECT_EQ(report.list.kernels.at("add"), std::set<std::string>{"Float"});
}

TEST(Trace, AnInputThatTakesTheBranchClosesTheGap) {
  const std::string path = kFolder + "branches.ptl";
  std::vector<TraceInput> inputs = bundled_trace_inputs(load(path));
  inputs.push_back({"forward", "flipped", {IValue(Tensor::zeros({2}, DType::kDouble)), IValue(true)}});
  const TraceReport report = trace_model(path, inputs);
  EXPECT_TRUE(report.gaps.empty());
  EXPECT_TRUE(report.operators_not_called.empty());
  EXPECT_EQ(report.inputs[1].label, "forward, flipped");
  EXPECT_EQ(report.inputs[1].fresh, 1U);
  EXPECT_EQ(report.list.kernels.at("add"), (std::set<std::string>{"Double", "Float"}));
}

// What a file's code does, in the order of the names.
std::string code_of(const std::string& file) {
  OperatorList list;
  add_program(list, *program_of(load(WICK_TEST_DATA "/" + file)));
  EXPECT_TRUE(list.build_features.contains("wick.code"));
  std::string out;
  for (const std::string& feature : list.build_features) {
    constexpr std::string_view kPrefix = "wick.code.";
    if (feature.starts_with(kPrefix)) out += feature.substr(kPrefix.size()) + " ";
  }
  return out;
}

TEST(Trace, WhatCodeDoesIsListed) {
  EXPECT_EQ(code_of("lite/counter.ptl"), "objects ");
  EXPECT_EQ(code_of("lite/stateful.ptl"), "objects restores ");
  EXPECT_EQ(code_of("lite/named_tuples.ptl"), "containers ");
  EXPECT_EQ(code_of("lite/control_flow.ptl"), "containers ");  // by an operator on any list alone
  EXPECT_EQ(code_of("lite/containers.ptl"), "containers objects ");
}

TEST(Trace, AListThatDoesNotTellWhatCodeDoesHidesItFromTheUnion) {
  OperatorList list, older;
  add_program(list, *program_of(load(kFolder + "branches.ptl")));
  older.build_features = {"wick.frontend.bytecode"};
  OperatorList both;
  both.merge(list);
  EXPECT_TRUE(both.build_features.contains("wick.code"));
  both.merge(older);
  EXPECT_FALSE(both.build_features.contains("wick.code"));
}

// A first layer with four channels out: a vector of SSE4 and NEON, half of one of AVX2.
TEST(Trace, KernelsAreThoseOfTheInstructionSetsNamed) {
  const std::string path = kFolder + "recorded.ptl", planes = "wick.kernel.planes", direct = "wick.kernel.direct";
  const std::vector<TraceInput> inputs = bundled_trace_inputs(load(path));
  const auto features = [&](const std::vector<std::string>& isa) {
    return trace_model(path, inputs, isa).list.build_features;
  };
#if defined(__aarch64__)
  EXPECT_TRUE(features({"neon"}).contains(planes));
  EXPECT_THROW(features({"sse4"}), Error);
#elif defined(__x86_64__)
  EXPECT_TRUE(features({"sse4"}).contains(planes));
  EXPECT_FALSE(features({"sse4"}).contains(direct));
  EXPECT_THROW(features({"sse4", "neon"}), Error);
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this machine has no AVX2";
  EXPECT_FALSE(features({"avx2"}).contains(planes));
  EXPECT_TRUE(features({"avx2"}).contains(direct));
  EXPECT_TRUE(features({"sse4", "avx2"}).contains(planes));
  EXPECT_TRUE(features({}).contains(planes));
#endif
}

TEST(Trace, AnInputTheModelRefusesIsAnError) {
  const std::string path = kFolder + "branches.ptl";
  EXPECT_THROW(trace_model(path, {{"forward", "nothing", {}}}), Error);
  EXPECT_THROW(trace_model(path, {{"backward", "nothing", {}}}), Error);
  EXPECT_THROW(trace_model(path, bundled_trace_inputs(load(path)), {"mmx"}), Error);
}

}  // namespace
}  // namespace wick::select
