// Operator lists of selective builds: PyTorch's YAML read, written and merged, and hostile text.
#include "select/op_list.h"

#include <gtest/gtest.h>

#include "select/yaml.h"
#include "wick/error.h"

namespace wick::select {
namespace {

// Written by PyTorch 1.13's model_tracer for a small model, shortened.
constexpr const char* kPyTorchList = R"(include_all_non_op_selectives: false
build_features: []
operators:
  aten::softmax.int:
    is_used_for_training: false
    is_root_operator: true
    include_all_overloads: false
  prepacked::conv2d_clamp_run:
    is_used_for_training: false
    is_root_operator: true
    include_all_overloads: false
  aten::_softmax:
    is_used_for_training: false
    is_root_operator: false
    include_all_overloads: false
kernel_metadata: []
custom_classes:
- Conv2dOpContext
)";

TEST(OpList, ReadsWhatPyTorchsTracerWrites) {
  const OperatorList list = parse_op_list(kPyTorchList);
  EXPECT_EQ(list.operators.size(), 3U);
  EXPECT_TRUE(list.selects_root("aten::softmax.int"));
  EXPECT_FALSE(list.selects("aten::softmax.Dimname"));
  EXPECT_TRUE(list.selects("aten::_softmax"));
  EXPECT_FALSE(list.selects_root("aten::_softmax"));
  EXPECT_TRUE(list.selects_class("__torch__.torch.classes.xnnpack.Conv2dOpContext"));
  EXPECT_FALSE(list.selects_class("LinearOpContext"));
  EXPECT_TRUE(list.kernels.empty());
}

TEST(OpList, WritesTheSameLayout) {
  OperatorList list = parse_op_list(kPyTorchList);
  std::string expected = kPyTorchList;
  expected.replace(expected.find("kernel_metadata: []"), 19, "kernel_metadata: {}");
  EXPECT_EQ(to_yaml(list), expected);
  list.kernels["copy_kernel"] = {"Float", "Byte"};
  list.kernels["none"];
  list.debug_info = {"model: a.ptl", "b.ptl"};
  list.include_all_operators = true;
  list.build_features = {"wick.planner"};
  list.operators["aten::_softmax"].debug_info = {"a \"quoted\" # word"};
  const OperatorList again = parse_op_list(to_yaml(list));
  EXPECT_EQ(to_yaml(again), to_yaml(list));
  EXPECT_EQ(again.kernels.at("copy_kernel"), (std::set<std::string>{"Byte", "Float"}));
  EXPECT_EQ(again.debug_info, list.debug_info);
  EXPECT_EQ(again.operators.at("aten::_softmax").debug_info[0], "a \"quoted\" # word");
}

TEST(OpList, PlainListSelectsRootsAndEveryDtypeAndClass) {
  const OperatorList list = parse_op_list("---\n- aten::_convolution\n- 'aten::add.Tensor'  # a sum\n");
  EXPECT_TRUE(list.selects_root("aten::_convolution"));
  EXPECT_TRUE(list.selects_root("aten::_convolution.deprecated"));
  EXPECT_TRUE(list.selects_root("aten::add.Tensor"));
  EXPECT_FALSE(list.selects("aten::add.Scalar"));
  EXPECT_TRUE(list.include_all_else);
  EXPECT_TRUE(list.selects_class("Anything"));
}

TEST(OpList, PropertiesLeftOutHavePyTorchsDefaults) {
  const OperatorList list =
      parse_op_list("operators:\n  aten::add: {}\n  aten::mul.Tensor:\n    name: aten::mul.Tensor\n");
  const OperatorProperties& add = list.operators.at("aten::add");
  EXPECT_TRUE(add.is_root && add.is_used_for_training && add.include_all_overloads);
  EXPECT_TRUE(list.selects_root("aten::add.Scalar"));
  EXPECT_FALSE(list.selects("aten::mul.Scalar"));
}

TEST(OpList, MergeUnitesListsAndSwitches) {
  OperatorList a = parse_op_list(
      "operators:\n  aten::add.Tensor:\n    is_root_operator: false\n    include_all_overloads: false\n"
      "kernel_metadata:\n  copy:\n  - Float\ncustom_classes: [A]\ndebug_info:\n  - one\n");
  const OperatorList b = parse_op_list(
      "include_all_non_op_selectives: True\noperators:\n  aten::add.Tensor:\n    include_all_overloads: false\n"
      "  aten::mul.Tensor:\n    include_all_overloads: false\n"
      "kernel_metadata:\n  copy: [Long, Float]\ncustom_classes: [B]\ndebug_info: [one, two]\n");
  a.merge(b);
  EXPECT_TRUE(a.include_all_else);
  EXPECT_TRUE(a.selects_root("aten::add.Tensor"));
  EXPECT_TRUE(a.selects_root("aten::mul.Tensor"));
  EXPECT_EQ(a.kernels.at("copy"), (std::set<std::string>{"Float", "Long"}));
  EXPECT_EQ(a.custom_classes, (std::set<std::string>{"A", "B"}));
  EXPECT_EQ(a.debug_info, (std::vector<std::string>{"one", "two"}));
}

std::string refusal(const char* yaml) {
  try {
    parse_op_list(yaml);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kInvalidArgument);
    return e.message();
  }
  return "accepted";
}

TEST(OpList, RefusesWhatIsNotAListWithTheLine) {
  EXPECT_EQ(refusal("operators:\n  aten::add:\n    color: red\n"), "line 3: 'color' is not a property of an operator");
  EXPECT_EQ(refusal("ops:\n- a\n"), "line 2: 'ops' is not a key of an operator list");
  EXPECT_EQ(refusal("- add\n"), "line 1: 'add' is not an operator (expected a name such as aten::add.Tensor)");
  EXPECT_EQ(refusal("operators:\n  aten::add:\n    is_root_operator: maybe\n"),
            "line 3: 'is_root_operator' is true or false");
  EXPECT_EQ(refusal("operators:\n  aten::add:\n    name: aten::mul\n"),
            "line 3: the name of aten::add is given as 'aten::mul'");
  EXPECT_EQ(refusal("kernel_metadata:\n- Float\n"), "line 2: 'kernel_metadata' is a mapping");
  EXPECT_EQ(refusal(""), "the operator list is empty");
  EXPECT_EQ(refusal("operators: {}\noperators: {}\n"), "line 2: 'operators' is there twice");
  EXPECT_EQ(refusal("operators:\n\taten::add: {}\n"), "line 2: a tab cannot indent YAML");
  EXPECT_EQ(refusal("custom_classes: &a [x]\n"),
            "line 1: '&a [x]': anchors, tags and block text have no place in an operator list");
}

TEST(Yaml, HostileTextIsRefusedOrReadQuickly) {
  std::string deep;
  for (int i = 0; i < 2000; ++i) deep += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  EXPECT_NE(refusal(deep.c_str()).find("nested too deeply"), std::string::npos);
  std::string dashes;
  for (int i = 0; i < 1000; ++i) dashes += "- ";
  EXPECT_NE(refusal((dashes + "a: b\n").c_str()), "accepted");
  for (const char* text :
       {"a", ":", "- ", "'", "\"", "a: '", "a: [", "a: {b", "[", "{", "- - -", "a:\n - b\n  c", "# x"}) {
    refusal(text);
  }
}

}  // namespace
}  // namespace wick::select
