// Bounds for targets that run what a file asks for. Of bounds.cpp, which such a target is linked with.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace wick::fuzz {

inline constexpr int64_t kMostOperations = 20000;
inline constexpr std::chrono::seconds kMostTime{2};

// Runs the action, which may end by a wick::Error of any kind but kInternal, or for want of memory; aborts the process
// with the message otherwise. True when it did not throw. `what` is said with a failure. With `forks`, so many tasks at
// once that the action forks have threads of their own; they have ended when this returns.
bool run_bounded(const char* what, const std::function<void()>& action, int forks = 0);

// WICK_FUZZ_SHOW is set: what an input is and which errors it ends with is printed.
bool shows_errors();

}  // namespace wick::fuzz
