// Failed allocations while files are loaded.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "allocation/every_allocation.h"
#include "wick/wick.h"

namespace wick::test {
namespace {

std::string data(const std::string& file) { return std::string(WICK_TEST_DATA) + "/" + file; }

std::vector<uint8_t> bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// No mapping of the file may be left.
void expect_not_mapped(const std::string& path) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) EXPECT_EQ(line.find(path), line.npos) << "still mapped: " << line;
}

std::string text_of(const Module& module) {
  std::string out;
  for (const MethodInfo& method : module.methods()) {
    out += method.name + "(";
    for (const MethodArgument& argument : method.arguments) out += argument.name + ": " + argument.type + ", ";
    out += ") -> " + method.return_type + "\n";
  }
  for (const std::string& name : module.operators()) out += name + "\n";
  return out;
}

class LoadAllocation : public ::testing::TestWithParam<const char*> {};

TEST_P(LoadAllocation, FailsByAnErrorAndLosesNothing) {
  const std::string path = data(GetParam());
  Module module;
  const auto result = [&] { return text_of(std::exchange(module, {})); };
  const auto check = [&] { expect_not_mapped(path); };
  fail_every_allocation(path, {.action = [&] { module = load(path); }, .result = result, .check_failed = check});
  const std::vector<uint8_t> bytes = bytes_of(path);
  fail_every_allocation(path + " from memory", {.action = [&] { module = load(bytes); }, .result = result});
}

INSTANTIATE_TEST_SUITE_P(Files, LoadAllocation,
                         ::testing::Values("script/tree.pt", "script/words.pt", "script/inner_hooks.pt",
                                           "script/old/divisions_1_4.pt", "script/traced.pt",
                                           "quantized/fbgemm_1_13_layers.pt", "quantized/fbgemm_1_13_lstm.pt",
                                           "lite/containers.ptl", "lite/language.ptl", "lite/classes.ptl",
                                           "lite/stateful.ptl", "lite/prepacked.ptl", "lite/enums.ptl",
                                           "lite/containers.ff", "lite/classes.ff", "lite/bundled.ff",
                                           "lite/upgraded.ff"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

TEST(LoadAllocation, OfSavedValues) {
  for (const char* file :
       {"archive/dict.pt", "archive/tuple.pt", "archive/legacy.pt", "archive/state_dict.pt", "archive/rezipped.pt"}) {
    const std::string path = data(file);
    IValue value;
    fail_every_allocation(path, {.action = [&] { value = load_tensors(path); },
                                 .result = [&] { return repr(std::exchange(value, {})); },
                                 .check_failed = [&] { expect_not_mapped(path); }});
  }
}

TEST(LoadAllocation, OfBadFiles) {
  std::vector<uint8_t> bytes = bytes_of(data("lite/containers.ptl"));
  bytes.resize(bytes.size() / 2);
  std::string message;
  fail_every_allocation("a truncated file", {.action =
                                                 [&] {
                                                   try {
                                                     load(bytes);
                                                   } catch (const Error& e) {
                                                     if (e.code() == ErrorCode::kOutOfMemory) throw;
                                                   }
                                                 },
                                             .result = [] { return std::string(); }});
}

}  // namespace
}  // namespace wick::test
