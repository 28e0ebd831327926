// Processors as /sys and control groups describe them, and the thread pool's ranges.
#include "core/processors.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/parallel.h"

namespace wick {
namespace {

// A tree of files as Linux has them under /sys.
class Tree {
 public:
  Tree() : root_(std::filesystem::temp_directory_path() / ("wick_processors_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(root_);
  }
  ~Tree() { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }
  void write_cpu(int cpu, const std::string& file, long value) const {
    write("devices/system/cpu/cpu" + std::to_string(cpu) + "/" + file, std::to_string(value));
  }
  std::string path() const { return root_.string(); }

 private:
  const std::filesystem::path root_;
};

TEST(Processors, SecondLevelCache) {
  EXPECT_GE(second_level_cache(), 64 << 10);
  EXPECT_LE(second_level_cache(), int64_t{1} << 30);
}

TEST(Processors, SecondLevelCacheByItsFiles) {
  const Tree tree;
  const std::string cpus = "devices/system/cpu/cpu";
  // Small cores share 256 KiB in pairs, large ones have 512 KiB each.
  const long capacities[] = {250, 250, 1000, 1024};
  for (int i = 0; i < 4; ++i) {
    tree.write_cpu(i, "cpu_capacity", capacities[i]);
    const std::string cache = cpus + std::to_string(i) + "/cache/index";
    tree.write(cache + "0/level", "1");
    tree.write(cache + "0/size", "64K");
    tree.write(cache + "2/level", "2");
    tree.write(cache + "2/size", i < 2 ? "256K" : "512K");
    tree.write(cache + "2/shared_cpu_map", i < 2 ? "00000000,00000003" : i == 2 ? "4" : "8");
  }
  EXPECT_EQ(second_level_cache(tree.path(), {0, 1, 2, 3}), 512 << 10);
  EXPECT_EQ(second_level_cache(tree.path(), {0, 1}), 128 << 10);
  // Two threads of a core share it without taking any of it from each other.
  tree.write(cpus + "0/topology/thread_siblings", "3");
  tree.write(cpus + "1/topology/thread_siblings", "3");
  EXPECT_EQ(second_level_cache(tree.path(), {0, 1}), 256 << 10);
  EXPECT_EQ(second_level_cache(tree.path() + "/none", {0, 1}), 0);
}

TEST(Processors, BigCoresOfAPhone) {
  const Tree tree;
  const long capacities[] = {250, 250, 250, 250, 870, 870, 870, 1024};
  std::vector<int> cpus;
  for (int i = 0; i < 8; ++i) {
    tree.write_cpu(i, "cpu_capacity", capacities[i]);
    cpus.push_back(i);
  }
  EXPECT_EQ(performance_cores(tree.path(), cpus), 4);
  // Only the small ones may be used.
  EXPECT_EQ(performance_cores(tree.path(), {0, 1, 2}), 3);
}

TEST(Processors, FrequenciesWhereCapacitiesAreUnknown) {
  const Tree tree;
  for (int i = 0; i < 6; ++i) tree.write_cpu(i, "cpufreq/cpuinfo_max_freq", i < 2 ? 2'800'000 : 1'800'000);
  EXPECT_EQ(performance_cores(tree.path(), {0, 1, 2, 3, 4, 5}), 2);
}

TEST(Processors, AllWhenNothingIsKnown) {
  const Tree tree;
  EXPECT_EQ(performance_cores(tree.path(), {0, 1, 2}), 3);
  tree.write_cpu(0, "cpu_capacity", 1024);
  EXPECT_EQ(performance_cores(tree.path(), {0, 1, 2}), 3);
}

TEST(Processors, LimitsOfControlGroups) {
  const Tree tree;
  EXPECT_EQ(allowed_processors(tree.path()), 0);
  tree.write("cpu/cpu.cfs_quota_us", "250000");
  tree.write("cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(allowed_processors(tree.path()), 3);
  tree.write("cpu.max", "max 100000");
  EXPECT_EQ(allowed_processors(tree.path()), 0);
  tree.write("cpu.max", "200000 100000");
  EXPECT_EQ(allowed_processors(tree.path()), 2);
}

TEST(Parallel, ManyJobsInARowCoverTheirRanges) {
  const int before = num_threads();
  for (const int threads : {2, 5}) {
    set_num_threads(threads);
    for (int job = 0; job < 2000; ++job) {
      std::atomic<int64_t> sum{0};
      parallel_for(0, 64, 1, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) sum += i;
      });
      ASSERT_EQ(sum.load(), 64 * 63 / 2);
      // Sometimes long enough that the workers fall asleep.
      if (job % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  set_num_threads(before);
}

TEST(Parallel, CallersFromSeveralThreads) {
  const int before = num_threads();
  set_num_threads(3);
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 3; ++c) {
    callers.emplace_back([&] {
      for (int job = 0; job < 300; ++job)
        parallel_for(0, 8, 1, [&](int64_t first, int64_t last) { sum += last - first; });
    });
  }
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(sum.load(), 3 * 300 * 8);
  set_num_threads(before);
}

}  // namespace
}  // namespace wick
