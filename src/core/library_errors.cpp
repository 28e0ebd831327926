// What the C++ library's templates call when they refuse something, for this library only; its link hides them. A list
// or string that would be too long is memory that there is not, and the others are defects: one function throws those,
// so that nobody passes the words for them or looks up their names in the C++ library.
#include <cxxabi.h>

#include "core/check.h"

// The C++ library's own names.
// NOLINTBEGIN(bugprone-reserved-identifier)
namespace std {

void __throw_length_error(const char*) { __throw_bad_alloc(); }
void __throw_bad_array_new_length() { __throw_bad_alloc(); }
void __throw_logic_error(const char*) { wick::fail_with<wick::ErrorCode::kInternal>("the C++ library refused a call"); }
void __throw_out_of_range_fmt(const char*, ...) { __throw_logic_error(nullptr); }
void __throw_system_error(int) { __throw_logic_error(nullptr); }
void __throw_bad_function_call() { __throw_logic_error(nullptr); }

}  // namespace std

namespace __cxxabiv1 {
extern "C" void __cxa_throw_bad_array_new_length() { std::__throw_bad_alloc(); }
}  // namespace __cxxabiv1
// NOLINTEND(bugprone-reserved-identifier)
