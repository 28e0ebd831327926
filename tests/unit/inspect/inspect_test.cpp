// What a model holds, its graph, its profile, traces, differences, and where errors happened.
#include "wick/inspect.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "kernels/half.h"
#include "wick/bounds.h"
#include "wick/compare.h"
#include "wick/error_place.h"
#include "wick/profile.h"
#include "wick/registry.h"
#include "wick/trace.h"

namespace wick {
namespace {

std::string file(const char* name) { return std::string(WICK_TEST_DATA) + "/" + name; }

TEST(InspectTest, SaysKindVersionsAndOperators) {
  const ModelInfo lite = inspect_model(load(file("lite/arithmetic.ptl")));
  EXPECT_EQ(lite.kind, "lite");
  EXPECT_GE(lite.bytecode_version, 4);
  bool found = false;
  for (const OperatorUse& use : lite.operators) {
    EXPECT_TRUE(use.available) << use.name;
    found = found || (use.name == "aten::conv2d" && use.count == 1);
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(inspect_model(load(file("script/tree.pt"))).kind, "torchscript");
  EXPECT_THROW(inspect_model(Module()), Error);
}

TEST(InspectTest, CountsBundledInputs) {
  const ModelInfo info = inspect_model(load(file("lite/bundled.ptl")));
  ASSERT_FALSE(info.bundled_inputs.empty());
  EXPECT_GT(info.bundled_inputs[0].second, 0u);
}

TEST(InspectTest, ChecksumsOfRecords) {
  check_records(file("lite/arithmetic.ptl"));
  std::ifstream in(file("lite/arithmetic.ptl"), std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const size_t at = bytes.find("aten::conv2d");  // inside of a record's data
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  const std::string damaged = std::filesystem::temp_directory_path() / "wick_inspect_damaged.ptl";
  std::ofstream(damaged, std::ios::binary) << bytes;
  EXPECT_THROW(check_records(damaged), Error);
  std::filesystem::remove(damaged);
  EXPECT_THROW(check_records(file("no_such_file")), Error);
}

TEST(InspectTest, NearestOperators) {
  EXPECT_EQ(nearest_operator("aten::reluu"), "aten::relu");
  EXPECT_EQ(nearest_operator("aten::rleu"), "aten::relu");
  EXPECT_EQ(nearest_operator("torch::relu"), "aten::relu");
  EXPECT_EQ(nearest_operator("relu"), "aten::relu");
  EXPECT_EQ(nearest_operator("atn::sofmax.int"), "aten::softmax.int");
  EXPECT_EQ(nearest_operator("aten::Conv2D"), "aten::conv2d");
  EXPECT_EQ(nearest_operator("aten::add.Tensr"), "aten::add.Tensor");
  EXPECT_EQ(nearest_operator("my_ops::relu"), "");  // of somebody else
  EXPECT_EQ(nearest_operator("aten::frobnicate"), "");
  EXPECT_EQ(nearest_operator("::"), "");
  EXPECT_EQ(nearest_operator(""), "");
  EXPECT_EQ(nearest_operator("aten::" + std::string(100000, 'x')), "");
  Registry::add_operator("near_ops::scale(Tensor x) -> Tensor", [](const Tensor& x) { return x; });
  EXPECT_EQ(nearest_operator("near_op::scal"), "near_ops::scale");
  Registry::remove_operator("near_ops::scale");
  EXPECT_EQ(nearest_operator("near_op::scal"), "");
}

TEST(InspectTest, ErrorsOfMissingOperatorsHaveAdvice) {
  const Error error(
      ErrorCode::kMissingOperator,
      "Following ops cannot be found: [aten::reluu, my_ops::frobnicate, aten::addd.Tensor]. The model needs "
      "them and this build does not have them.");
  EXPECT_EQ(place_of(error).advice,
            "did you mean aten::relu instead of aten::reluu, aten::add.Tensor instead of aten::addd.Tensor?");
  EXPECT_EQ(place_of(Error(ErrorCode::kMissingOperator, "Following ops cannot be found: [")).advice, "");
  EXPECT_EQ(place_of(Error(ErrorCode::kMissingOperator, "operator x::y is not in this build")).advice, "");
}

TEST(InspectTest, ProfilesAndTracesSayHowFarTheyAre) {
  const Module module = load(file("lite/bundled.ptl"));
  std::vector<std::pair<size_t, size_t>> seen;
  const auto note = [&](const char* what, size_t done, size_t total) {
    EXPECT_STRNE(what, "");
    seen.emplace_back(done, total);
  };
  profile(module, module.bundled_inputs("forward").at(0), "forward", 3, note);
  EXPECT_EQ(seen, (std::vector<std::pair<size_t, size_t>>{{0, 3}, {1, 3}, {2, 3}}));
  seen.clear();
  trace(file("lite/bundled.ptl"), {}, {}, {}, note);
  ASSERT_FALSE(seen.empty());
  for (size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], std::make_pair(i, seen.size()));
}

TEST(InspectTest, GraphAsTextAndAsData) {
  const Module module = load(file("script/tree.pt"));
  EXPECT_NE(graph_text(module).find("return"), std::string::npos);
  const MethodGraph graph = method_graph(module);
  EXPECT_FALSE(graph.nodes.empty());
  EXPECT_EQ(graph.inputs.size(), graph.input_types.size());
  EXPECT_EQ(graph.outputs.size(), 1u);
  EXPECT_THROW(method_graph(module, "no_such_method"), Error);
}

TEST(InspectTest, GraphHasBlocks) {
  const MethodGraph graph = method_graph(load(file("lite/control_flow.ptl")), "collatz");
  bool has_loop = false;
  for (const GraphNode& node : graph.nodes) has_loop = has_loop || (node.name == "prim::Loop" && !node.blocks.empty());
  EXPECT_TRUE(has_loop);
}

TEST(InspectTest, ProfileHasStepsAndKeepsTheArguments) {
  const Module module = load(file("lite/arithmetic.ptl"));
  const Tensor x = Tensor::zeros({1, 1, 8, 8});
  const Profile profile = wick::profile(module, {x}, "forward", 3);
  EXPECT_FALSE(profile.steps.empty());
  EXPECT_GT(profile.total_ns(), 0);
  EXPECT_GT(profile.packed_bytes, 0u);
  EXPECT_EQ(profile.total_ns() + profile.between_ns(), profile.run_ns);
  EXPECT_EQ(x.data<float>()[0], 0);
  EXPECT_THROW(wick::profile(module, {x}, "forward", 0), Error);
}

// Layers by the module whose parameters they read, rates by what they compute.
TEST(InspectTest, ProfileNamesLayersAndCountsTheirWork) {
  const Profile profile = wick::profile(load(file("lite/arithmetic.ptl")), {Tensor::zeros({1, 1, 8, 8})}, "forward", 2);
  int64_t end = 0;
  bool has_layer = false;
  for (const ProfileStep& step : profile.steps) {
    EXPECT_GE(step.start_ns, end) << step.name;
    end = step.start_ns + step.duration_ns;
    EXPECT_GT(step.bytes, 0) << step.name;
    if (step.name.starts_with("conv")) {
      has_layer = !step.module.empty();
      EXPECT_GT(step.operations, 0);
    }
  }
  EXPECT_LE(end, profile.run_ns);
  EXPECT_TRUE(has_layer);
}

// Without tensors all of the time is between steps.
TEST(InspectTest, ProfileOfNumbers) {
  const Profile profile = wick::profile(load(file("lite/control_flow.ptl")), {IValue(int64_t{27})}, "collatz", 2);
  EXPECT_TRUE(profile.steps.empty());
  EXPECT_GT(profile.run_ns, 0);
  EXPECT_EQ(profile.between_ns(), profile.run_ns);
}

TEST(InspectTest, PeakOfTheMachine) {
  const MachinePeak peak = measure_peak();
  EXPECT_GT(peak.gflops, 0.1);
  EXPECT_GT(peak.gbs, 0.1);
  EXPECT_EQ(measure_half_peak() > 0, kernels::computes_half());
}

TEST(InspectTest, TraceListsOperators) {
  const TraceResult result = trace(file("select/branches.ptl"));
  EXPECT_NE(result.yaml.find("operators"), std::string::npos);
  EXPECT_FALSE(result.operators.empty());
  EXPECT_THROW(trace(file("lite/arithmetic.ptl")), Error) << "it has no inputs";
}

TEST(InspectTest, DifferencesOfValues) {
  Tensor a = Tensor::zeros({2}), b = Tensor::zeros({2});
  b.data<float>()[1] = 4;
  const auto differences = compare_values(IValue::tuple({a, 1}), IValue::tuple({b, 1}));
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_EQ(differences[0].largest, 4);
  EXPECT_FALSE(differences[0].within(0.5));
  EXPECT_TRUE(differences[1].within(0));
  const IValue copy = deep_copy(IValue::tuple({a}));
  EXPECT_NE(copy[0].to_tensor().data_ptr(), a.data_ptr());
}

TEST(ErrorPlaceTest, NamesOperatorFileAndLine) {
  try {
    load(file("script/tree.pt")).forward({Tensor::zeros({7, 7, 7})});
    FAIL() << "the input does not fit";
  } catch (const Error& e) {
    const ErrorPlace place = place_of(e);
    EXPECT_TRUE(place.operator_name.starts_with("aten::")) << e.message();
    EXPECT_GT(place.line, 0);
    EXPECT_FALSE(place.file.empty());
    EXPECT_EQ(place.summary.find('\n'), std::string::npos);
    EXPECT_EQ(e.message(), place.summary + "\n" + place.context);
  }
  EXPECT_EQ(place_of(Error(ErrorCode::kIo, "a\nb")).summary, "a\nb");
}

TEST(BoundedScopeTest, BoundsEverythingOnItsThread) {
  Cancellation stop;
  stop.cancel();
  const Module module = load(file("lite/control_flow.ptl"));
  {
    const BoundedScope scope("the test", {.cancellation = stop});
    try {
      module.run_method("collatz", {27});
      FAIL() << "it is cancelled";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kCancelled);
    }
  }
  EXPECT_EQ(module.run_method("collatz", {27}).to_int(), 111);
}

}  // namespace
}  // namespace wick
