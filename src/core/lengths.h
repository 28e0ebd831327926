// How long the lists and strings may be that an operator makes.
#pragma once

#include <cstdint>

namespace wick {

// To be called before a list of n items, or a string of n bytes, is made: throw kLimitExceeded when it is longer than
// any may be, or takes more memory than the run may use.
void check_list_length(uint64_t n);
void check_text_length(uint64_t n);

}  // namespace wick
