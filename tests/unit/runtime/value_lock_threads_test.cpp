// The lock of values: who excludes whom.
#include "runtime/value_lock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace wick::runtime {
namespace {

TEST(ValueLock, WritersAreAloneAndNobodyStarves) {
  ValueLock lock;
  int64_t value = 0, other = 0;  // equal whenever nobody writes
  std::vector<std::thread> threads;
  std::atomic<int64_t> reads{0};
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      for (int i = 0; i < 2000; ++i) {
        ValueGuard guard(&lock, /*alone=*/k < 2);
        if (k < 2) {
          ++value;
          ++other;
        } else {
          reads += value == other ? 1 : 0;
        }
        if (i % 3 == 0) guard.hold(&lock, /*alone=*/false);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(value, 4000);
  EXPECT_EQ(other, 4000);
  EXPECT_EQ(reads, 4000);
}

// Two readers that take turns without a gap would keep a writer out if it did not close the door.
TEST(ValueLock, AWriterComesInBetweenReadersThatOverlap) {
  ValueLock lock;
  std::atomic<bool> stop{false};
  std::vector<std::thread> readers;
  for (int k = 0; k < 2; ++k) {
    readers.emplace_back([&] {
      while (!stop) {
        const ValueGuard guard(&lock, /*alone=*/false);
        std::this_thread::yield();
      }
    });
  }
  for (int i = 0; i < 100; ++i) const ValueGuard guard(&lock, /*alone=*/true);
  stop = true;
  for (std::thread& t : readers) t.join();
}

}  // namespace
}  // namespace wick::runtime
