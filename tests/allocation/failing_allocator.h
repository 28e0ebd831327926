// An allocator that counts and, when told, fails: for programs that test what becomes of failed allocations.
#pragma once

#include <cstdint>

namespace wick::test {

// Of all threads. Every function here may be called from any of them.
int64_t allocations_made();  // so far, failed ones included
int64_t allocations_live();  // made and not freed
int64_t allocations_failed();

enum class Failing : uint8_t {
  kOnce,    // one allocation
  kOnwards  // and all that follow it
};

// While it lives, the allocation number `index` from its construction on fails. One at a time.
class FailedAllocation {
 public:
  FailedAllocation(int64_t index, Failing mode);
  ~FailedAllocation();
  FailedAllocation(const FailedAllocation&) = delete;
  FailedAllocation& operator=(const FailedAllocation&) = delete;
};

}  // namespace wick::test
