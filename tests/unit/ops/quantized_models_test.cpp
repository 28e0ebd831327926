// Models that PyTorch's fbgemm, onednn and x86 engines wrote, with those engines' answers (tests/data/quantized). A
// file does not say which engine made it; Wick computes as qnnpack does, which rounds a layer's bias to an integer
// first.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "archive/pickle.h"
#include "core/copy.h"
#include "wick/module.h"

namespace wick::test {
namespace {

constexpr double kMostDiffering = 0.005;  // of a layer's integers, by one
constexpr double kFloatError = 0.02;      // of the largest value; dynamic layers round to 8 bits here, to 7 there

// How many elements differ; they may do so by one.
int64_t differing_bytes(const Tensor& expected, const Tensor& actual) {
  int64_t count = 0;
  const auto *a = static_cast<const uint8_t*>(expected.raw_data()), *b = static_cast<const uint8_t*>(actual.raw_data());
  for (int64_t i = 0; i < expected.numel(); ++i) {
    EXPECT_LE(std::abs(a[i] - b[i]), 1);
    count += a[i] != b[i];
  }
  return count;
}

double relative_error(const Tensor& expected, const Tensor& actual) {
  double most = 0, error = 0;
  for (int64_t i = 0; i < expected.numel(); ++i) {
    const double a = expected.data<float>()[i], b = actual.data<float>()[i];
    most = std::max(most, std::abs(a));
    error = std::max(error, std::abs(a - b));
  }
  return error / most;
}

TEST(QuantizedFiles, OfDesktopEngines) {
  std::map<std::string, int> engines;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(WICK_TEST_DATA) + "/quantized")) {
    const std::string path = entry.path().string(), name = entry.path().stem().string();
    if (!path.ends_with(".pt") || path.ends_with(".cases.pt")) continue;
    SCOPED_TRACE(name);
    ++engines[name.substr(0, name.find('_'))];
    const IValue cases = load_saved(path.substr(0, path.size() - 3) + ".cases.pt");
    const std::vector<IValue>& parts = cases.to_list().items.at(0).to_tuple().items;
    const IValue answer = load(path).run_method(parts.at(0).to_string(), parts.at(1).to_tuple().items);
    const std::vector<IValue>&expected = parts.at(2).to_list().items, &actual = answer.to_list().items;
    ASSERT_EQ(expected.size(), actual.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      SCOPED_TRACE(i);
      // Old releases laid integers out in another order of dims.
      const Tensor a = contiguous(expected[i].to_tensor()), b = contiguous(actual[i].to_tensor());
      ASSERT_EQ(a.dtype(), b.dtype());
      ASSERT_EQ(a.sizes(), b.sizes());
      if (a.dtype() == DType::kFloat) {
        EXPECT_LE(relative_error(a, b), kFloatError);
      } else {
        EXPECT_LE(differing_bytes(a, b), std::ceil(kMostDiffering * static_cast<double>(a.numel())));
      }
    }
  }
  EXPECT_GE(engines["fbgemm"], 10);
  EXPECT_GE(engines["onednn"], 4);
  EXPECT_GE(engines["x86"], 3);
}

}  // namespace
}  // namespace wick::test
