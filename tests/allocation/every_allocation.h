// Does something again and again, each time with another of its allocations failing.
#pragma once

#include <functional>
#include <string>

#include "allocation/failing_allocator.h"

namespace wick::test {

struct Attempt {
  // What is done. When memory is refused it throws an Error with the code kOutOfMemory.
  std::function<void()> action;
  // With memory: the result of the action as text, which it then forgets.
  std::function<std::string()> result;
  // With memory, before and after each attempt: brings back what was before it.
  std::function<void()> reset = [] {};
  // With memory, after an attempt that failed: looks for what must not be left behind.
  std::function<void()> check_failed = [] {};
  // Commands end by std::bad_alloc as well.
  bool may_throw_bad_alloc = false;
};

// Fails each allocation once, and then each together with all that follow it: of many allocations a sample, seeded by
// the name, or all with WICK_ALL_ALLOCATIONS in the environment. Failures are GoogleTest's.
void fail_every_allocation(const std::string& name, const Attempt& attempt);

}  // namespace wick::test
