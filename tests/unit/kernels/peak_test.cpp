// Measuring the machine: errors of threads reach the one that asked.
#include "kernels/peak.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>

namespace wick::kernels {
namespace {

std::atomic<int> calls{0};

TEST(Peak, SumsOfThreads) {
  EXPECT_EQ(on_all(3, [] { return 2.0; }), 6);
  EXPECT_EQ(on_all(0, [] { return 2.0; }), 2);
}

// read_rate takes memory on every thread.
TEST(Peak, WhatAThreadThrowsIsThrownWhenAllHaveEnded) {
  calls = 0;
  EXPECT_THROW(on_all(4,
                      []() -> double {
                        if (++calls % 2 == 0) throw std::bad_alloc();
                        return 1;
                      }),
               std::bad_alloc);
  EXPECT_EQ(calls, 4);
}

}  // namespace
}  // namespace wick::kernels
