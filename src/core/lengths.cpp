// How long the lists and strings may be that an operator makes.
#include "core/lengths.h"

#include "core/check.h"
#include "core/limits.h"
#include "wick/ivalue.h"

namespace wick {

void check_list_length(uint64_t n) {
  WICK_CHECK(n <= limits::kMaxListLength, kLimitExceeded, "a list of ", n, " elements is longer than the limit of ",
             limits::kMaxListLength);
  const MemoryCharge would_be(n * sizeof(IValue));
}

void check_text_length(uint64_t n) {
  WICK_CHECK(n <= limits::kMaxTextLength, kLimitExceeded, "a string is longer than the limit of ",
             limits::kMaxTextLength);
  const MemoryCharge would_be(n);
}

}  // namespace wick
