// Failed allocations while models are saved, optimized, quantized and given inputs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "allocation/every_allocation.h"
#include "allocation/folder.h"
#include "wick/bundle.h"
#include "wick/optimize.h"
#include "wick/quantize.h"
#include "wick/save.h"
#include "wick/wick.h"

namespace wick::test {
namespace {

std::string data(const std::string& file) { return std::string(WICK_TEST_DATA) + "/" + file; }

using Save = void (*)(const Module& module, const std::string& path);

// Over a file that is there: it stays as it is, and nothing else comes to be in its folder.
void fail_saves(const std::string& name, const std::string& out, Save save) {
  const Folder folder;
  const Module module = load(data(name));
  const std::string path = folder.file(out);
  const auto reset = [&] { write_text(path, "an older file"); };
  reset();
  fail_every_allocation("saving " + name + " as " + out, {.action = [&] { save(module, path); },
                                                          .result = [&] { return text_of(path); },
                                                          .reset = reset,
                                                          .check_failed =
                                                              [&] {
                                                                EXPECT_EQ(text_of(path), "an older file");
                                                                EXPECT_EQ(folder.count(), 1U);
                                                              }});
}

void as_lite(const Module& module, const std::string& path) { save_lite(module, path); }
void as_old_lite(const Module& module, const std::string& path) {
  save_lite(module, path, {.bytecode_version = 4, .debug_info = false, .source = false});
}
void as_script(const Module& module, const std::string& path) { save_torchscript(module, path); }

class SaveAllocation : public ::testing::TestWithParam<const char*> {};

TEST_P(SaveAllocation, KeepsTheOldFileWhole) {
  fail_saves(GetParam(), "out.ptl", as_lite);
  fail_saves(GetParam(), "out.ptl", as_old_lite);
  fail_saves(GetParam(), "out.pt", as_script);
}

INSTANTIATE_TEST_SUITE_P(Files, SaveAllocation,
                         ::testing::Values("script/tree.pt", "script/traced.pt", "quantized/fbgemm_1_13_layers.pt",
                                           "lite/containers.ptl", "lite/stateful.ptl", "lite/bundled.ff"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

TEST(SaveAllocation, OfTensors) {
  const Folder folder;
  const IValue value = load_tensors(data("archive/tuple.pt"));
  const std::string path = folder.file("out.pt");
  fail_every_allocation("saving tensors",
                        {.action = [&] { save_tensors(value, path); }, .result = [&] { return text_of(path); }});
  EXPECT_EQ(folder.count(), 1U);
}

TEST(SaveAllocation, OfNamesOfOperators) {
  const Module module = load(data("script/tree.pt"));
  std::vector<std::string> names;
  fail_every_allocation("export_opnames", {.action = [&] { names = export_opnames(module); },
                                           .result =
                                               [&] {
                                                 std::string out;
                                                 for (const std::string& name : std::exchange(names, {})) out += name;
                                                 return out;
                                               }});
}

// A module as a lite file's bytes.
std::string written(const Module& module) {
  const std::vector<uint8_t> bytes = save_lite(module);
  return {bytes.begin(), bytes.end()};
}

void fail_making(const std::string& name, const std::function<Module()>& make) {
  Module made;
  set_num_threads(1);
  fail_every_allocation(name,
                        {.action = [&] { made = make(); }, .result = [&] { return written(std::exchange(made, {})); }});
  set_num_threads(0);
}

TEST(MakeAllocation, OfAnOptimizedModel) {
  for (const char* file : {"script/tree.pt", "script/old/picture_1_7.pt"}) {
    const Module module = load(data(file));
    fail_making(std::string("optimizing ") + file, [&] { return optimize(module); });
  }
}

TEST(MakeAllocation, OfAQuantizedModel) {
  const Module module = load(data("script/old/picture_1_7.pt"));
  const IValue cases = load_tensors(data("script/old/picture_1_7.cases.pt"));
  const std::vector<std::vector<IValue>> inputs{cases.to_list().items.at(0).to_tuple().items.at(1).to_tuple().items};
  fail_making("quantize_static", [&] { return quantize_static(module, inputs).module; });
  fail_making("quantize_float16", [&] { return quantize_float16(module).module; });
  const Module tagger = load(data("script/old/tagger_1_7.pt"));
  fail_making("quantize_dynamic", [&] { return quantize_dynamic(tagger).module; });
}

// They change the module that they are given: after a failure it is what it was.
TEST(MakeAllocation, OfBundledInputs) {
  for (const char* file : {"script/tree.pt", "lite/counter.ptl"}) {
    Module module;
    std::string before;
    const auto reset = [&] {
      module = load(data(file));
      before = written(module);
    };
    reset();
    const std::vector<BundledInput> random{{BundledArgument::randn(IntVec{3, 4})}};
    fail_every_allocation(std::string("bundle_inputs ") + file,
                          {.action = [&] { bundle_inputs(module, random); },
                           .result = [&] { return written(module); },
                           .reset = reset,
                           .check_failed = [&] { EXPECT_EQ(written(module), before); }});
  }
}

TEST(MakeAllocation, OfAModuleWithoutItsBundledInputs) {
  for (const char* file : {"lite/bundled.ptl", "lite/bundled.ff"}) {
    Module module;
    std::string before;
    const auto reset = [&] {
      module = load(data(file));
      before = written(module);
    };
    reset();
    fail_every_allocation(std::string("strip_bundled_inputs ") + file,
                          {.action = [&] { strip_bundled_inputs(module); },
                           .result = [&] { return written(module); },
                           .reset = reset,
                           .check_failed = [&] { EXPECT_EQ(written(module), before); }});
  }
}

TEST(ModuleAllocation, OfWhatAModuleTells) {
  const Module module = load(data("script/tree.pt"));
  fail_every_allocation("methods", {.action = [&] { module.methods(); }, .result = [] { return ""; }});
  fail_every_allocation("operators", {.action = [&] { module.operators(); }, .result = [] { return ""; }});
  fail_every_allocation("named_parameters",
                        {.action = [&] { module.named_parameters(); }, .result = [] { return ""; }});
  fail_every_allocation("get_method",
                        {.action = [&] { module.get_method("forward").info(); }, .result = [] { return ""; }});
}

}  // namespace
}  // namespace wick::test
