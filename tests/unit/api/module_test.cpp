// The public API on whole files: where they may come from, threads, memory, and what a wrong call is told.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "wick/wick.h"

#if defined(__SANITIZE_ADDRESS__)
#define WICK_UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WICK_UNDER_ASAN 1
#endif
#endif

namespace wick {
namespace {

const std::string kModel = std::string(WICK_TEST_DATA) + "/../../examples/segment/segment.ptl";

std::vector<uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void expect_same(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.sizes(), b.sizes());
  EXPECT_EQ(std::memcmp(a.raw_data(), b.raw_data(), a.nbytes()), 0);
}

// What the call says when it fails; "" when it does not.
template <class Call>
std::string failure(const Call& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.message();
  }
  return "";
}

TEST(Module, ACopyRunsAfterItsFileWasTruncated) {
  const std::vector<uint8_t> bytes = read_file(kModel);
  const std::string path = ::testing::TempDir() + "wick_truncated_" + std::to_string(::getpid()) + ".ptl";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const Module module = load(path, {.copy = true});
  ASSERT_EQ(::truncate(path.c_str(), 100), 0);
  expect_same(module.run_on_bundled_input(0).to_tensor(), load(kModel).run_on_bundled_input(0).to_tensor());
  std::remove(path.c_str());
}

TEST(Module, TheSameFromPathMemoryAndDescriptor) {
  const Module from_path = load(kModel);
  const Tensor want = from_path.run_on_bundled_input(0).to_tensor();
  const std::vector<uint8_t> bytes = read_file(kModel);
  expect_same(load(bytes).run_on_bundled_input(0).to_tensor(), want);

  // As an Android asset: inside a larger file, at an offset that is no multiple of a page.
  const std::string packed = ::testing::TempDir() + "packed_model";
  {
    std::ofstream file(packed, std::ios::binary);
    file << std::string(1234, 'x');
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file << std::string(99, 'y');
  }
  const int fd = open(packed.c_str(), O_RDONLY);
  ASSERT_GE(fd, 0);
  const Module from_fd = load(fd, 1234, bytes.size());
  close(fd);
  std::remove(packed.c_str());
  expect_same(from_fd.run_on_bundled_input(0).to_tensor(), want);
}

TEST(Module, RunsFromSeveralThreadsGiveTheSameAnswer) {
  const Module module = load(kModel);
  const Tensor want = module.run_on_bundled_input(0).to_tensor();
  std::vector<std::thread> threads;
  std::vector<Tensor> results(6);
  for (Tensor& result : results) {
    threads.emplace_back([&] { result = module.run_on_bundled_input(0).to_tensor(); });
  }
  for (std::thread& t : threads) t.join();
  for (const Tensor& result : results) expect_same(result, want);
}

#ifndef WICK_UNDER_ASAN
TEST(Module, RepeatedRunsDoNotGrowMemory) {
  const Module module = load(kModel);
  set_num_threads(1);
  for (int i = 0; i < 3; ++i) module.run_on_bundled_input(0);
  const size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 20; ++i) module.run_on_bundled_input(0);
  const size_t after = mallinfo2().uordblks;
  set_num_threads(0);
  EXPECT_LE(after, before + 4096);
}
#endif

TEST(Module, WeightsOfAnUncompressedFileAreNotCopied) {
  const Module module = load(kModel);
  size_t inside = 0, total = 0;
  std::ifstream maps("/proc/self/maps");
  std::string line;
  std::vector<std::pair<uintptr_t, uintptr_t>> ranges;
  while (std::getline(maps, line)) {
    if (line.find("segment.ptl") == std::string::npos) continue;
    uintptr_t begin = 0, end = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%zx-%zx", &begin, &end), 2);
    ranges.emplace_back(begin, end);
  }
  ASSERT_FALSE(ranges.empty());
  for (const auto& [name, tensor] : module.named_parameters()) {
    ++total;
    const auto at = reinterpret_cast<uintptr_t>(tensor.raw_data());
    for (const auto& [begin, end] : ranges) inside += at >= begin && at < end;
  }
  EXPECT_GT(total, 0u);
  EXPECT_EQ(inside, total);
}

TEST(Module, WrongCallsAreTold) {
  const Module module = load(kModel);
  EXPECT_NE(failure([&] { module.forward({}); }).find("forward() is missing value for argument"), std::string::npos);
  EXPECT_NE(failure([&] { module.forward({int64_t{1}}); }).find("Expected a value of type 'Tensor'"),
            std::string::npos);
  EXPECT_NE(failure([&] {
              module.forward({Tensor::zeros({1}), Tensor::zeros({1}), Tensor::zeros({1})});
            }).find("expected at most"),
            std::string::npos);
  EXPECT_NE(failure([&] { module.run_method("backward", {}); }).find("Method 'backward' is not defined"),
            std::string::npos);
  EXPECT_NE(failure([&] { module.run_on_bundled_input(1000); }).find("Model has only"), std::string::npos);
  EXPECT_NE(failure([] { load("no such file.ptl"); }).find("no such file.ptl"), std::string::npos);
  EXPECT_NE(failure([] { Module().forward({}); }), "");
}

}  // namespace
}  // namespace wick
