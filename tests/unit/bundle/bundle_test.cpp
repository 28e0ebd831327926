// Inputs bundled with a model: the getters give them back, whatever kind of file they go through, and they can be
// removed.
#include "wick/bundle.h"
#include "api/module_access.h"

#include <fstream>
#include <functional>
#include <iterator>
#include <random>

#include "unit/frontend/bytecode/answers.h"
#include "wick/save.h"

namespace wick::test {
namespace {

Module from_bytes(const std::vector<uint8_t>& bytes) { return load(std::span<const uint8_t>(bytes)); }

Module script(const char* name) { return load(std::string(WICK_TEST_DATA) + "/script/" + name); }

Tensor ramp(IntSpan sizes) {
  Tensor out = Tensor::empty(sizes);
  for (int64_t i = 0; i < out.numel(); ++i) out.data_ptr<float>()[i] = static_cast<float>(i);
  return out;
}

// The module itself and what comes of it through both kinds of file, with and without source.
std::vector<Module> forms(const Module& module) {
  SaveOptions bare;
  bare.source = bare.debug_info = false;
  return {module, from_bytes(save_torchscript(module)), from_bytes(save_lite(module)),
          from_bytes(save_lite(module, bare))};
}

TEST(Bundle, GettersGiveTheInputsBack) {
  Module module = script("tree.pt");
  const Tensor large = ramp({5, 4});
  bundle_inputs(module, {{IValue(large)}, {IValue(ramp({3, 4}))}}, "forward", {"a line"});
  for (const Module& form : forms(module)) {
    const auto inputs = form.bundled_inputs();
    ASSERT_EQ(inputs.size(), 2u);
    EXPECT_EQ(repr(inputs[0].at(0)), repr(IValue(large)));
    EXPECT_EQ(repr(form.run_method("get_num_bundled_inputs", {})), "2");
    EXPECT_EQ(repr(form.run_method("get_bundled_inputs_functions_and_info", {})),
              "{forward: {info: [a line], get_inputs_function_name: [get_all_bundled_inputs_for_forward]}}");
    EXPECT_EQ(repr(form.run_on_bundled_input(1)), repr(form.forward({IValue(ramp({3, 4}))})));
  }
}

TEST(Bundle, OneValueEverywhereTakesTheRoomOfOneElement) {
  Module module = script("tree.pt");
  const size_t before = save_lite(module).size();
  Tensor picture = Tensor::empty({1, 3, 100, 100}, DType::kFloat, MemoryFormat::kChannelsLast);
  std::fill_n(picture.data_ptr<float>(), picture.numel(), 0.25f);
  bundle_inputs(module, {{IValue(Tensor::zeros({1000, 4}))}, {IValue(picture)}});
  EXPECT_LT(save_lite(module).size(), before + 10000);
  for (const Module& form : forms(module)) {
    const auto inputs = form.bundled_inputs();
    EXPECT_TRUE(inputs.at(0)[0].to_tensor().is_contiguous());
    EXPECT_TRUE(inputs.at(1)[0].to_tensor().is_contiguous(MemoryFormat::kChannelsLast));
    EXPECT_EQ(inputs.at(1)[0].to_tensor().data_ptr<float>()[29999], 0.25f);
  }
}

TEST(Bundle, RandomArgumentsAreNewEachTime) {
  Module module = script("tree.pt");
  bundle_inputs(module, {{BundledArgument::randn({2, 4})}});
  for (const Module& form : forms(module)) {
    const std::string first = repr(form.bundled_inputs().at(0)[0]);
    EXPECT_NE(first, repr(form.bundled_inputs().at(0)[0]));
  }
}

TEST(Bundle, WhatIsRemovedLeavesTheModelAsItWas) {
  Module module = script("tree.pt");
  const std::vector<std::string> operators = export_opnames(module);
  const std::string answer = repr(module.forward({IValue(ramp({3, 4}))}));
  bundle_inputs(module, {{IValue(ramp({3, 4}))}});
  for (Module form : forms(module)) {
    EXPECT_TRUE(strip_bundled_inputs(form));
    EXPECT_FALSE(strip_bundled_inputs(form));
    for (const Module& again : forms(form)) {
      EXPECT_TRUE(again.bundled_inputs().empty());
      EXPECT_EQ(repr(again.forward({IValue(ramp({3, 4}))})), answer);
    }
  }
  EXPECT_EQ(export_opnames(module), operators);  // the first form is the module itself
}

TEST(Bundle, PyTorchsOwnAreRemoved) {
  for (const char* file : {"bundled.ptl", "bundled.ff"}) {
    Module module = make_module(load_fixture(file));
    const auto inputs = module.bundled_inputs();
    ASSERT_FALSE(inputs.empty()) << file;
    const std::string answer = repr(module.forward(inputs[0]));
    ASSERT_TRUE(strip_bundled_inputs(module)) << file;
    EXPECT_TRUE(module.bundled_inputs().empty()) << file;
    const Module again = from_bytes(save_lite(module));
    EXPECT_EQ(repr(again.forward(inputs[0])), answer) << file;
    for (const MethodInfo& method : again.methods()) EXPECT_EQ(method.name.find("bundled"), std::string::npos) << file;
  }
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.message();
  }
  return "";
}

TEST(Bundle, WhatCannotBeDoneIsRefusedAndChangesNothing) {
  Module module = script("tree.pt");
  const size_t methods = module.methods().size();
  EXPECT_NE(refusal([&] { bundle_inputs(module, {}); }).find("at least one input"), std::string::npos);
  EXPECT_NE(refusal([&] { bundle_inputs(module, {{IValue("text")}}); }).find("type 'Tensor'"), std::string::npos);
  EXPECT_NE(refusal([&] { bundle_inputs(module, {{IValue(ramp({1}))}}, "none"); }).find("no method"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              Module none;
              bundle_inputs(none, {{IValue(1)}});
            }).find("empty"),
            std::string::npos);
  EXPECT_EQ(module.methods().size(), methods);
  bundle_inputs(module, {{IValue(ramp({3, 4}))}});
  EXPECT_NE(refusal([&] { bundle_inputs(module, {{IValue(ramp({3, 4}))}}); }).find("already"), std::string::npos);
}

TEST(Bundle, DamagedModelsAreChangedOrRefused) {
  std::mt19937 random(5);
  for (const char* file : {"bundled.ptl", "bundled.ff", "named_tuples.ptl", "stateful.ff"}) {
    std::ifstream in(lite_path(file), std::ios::binary);
    const std::vector<uint8_t> good{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    for (int round = 0; round < 80; ++round) {
      std::vector<uint8_t> bad = good;
      for (size_t k = 0; k < 1 + random() % 3; ++k) {
        bad[random() % bad.size()] ^= static_cast<uint8_t>(1u << (random() % 8));
      }
      try {
        Module module = from_bytes(bad);
        strip_bundled_inputs(module);
        bundle_inputs(module, {{IValue(ramp({2, 3}))}});
        forms(module);
      } catch (const Error& e) {
        EXPECT_NE(e.code(), ErrorCode::kInternal) << file << " round " << round << ": " << e.what();
      }
    }
  }
}

}  // namespace
}  // namespace wick::test
