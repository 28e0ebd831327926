// What the handles of the C API hold, and how C++'s errors become its statuses.
#pragma once

#include <string>
#include <utility>

#include "core/check.h"
#include "wick/module.h"
#include "wick_c/wick.h"

struct wick_error {
  wick_status code;
  std::string message;
  std::string source;
};
struct wick_tensor {
  wick::Tensor tensor;
};
struct wick_value {
  wick::IValue value;
};
struct wick_cancellation {
  wick::Cancellation cancellation;
};
struct wick_module {
  wick::Module module;
  std::vector<std::string> methods;
};

namespace wick::c_api {

// The status of the exception that is being handled; gives it as an error, too, if that is asked for.
wick_status give_error(wick_error** error) noexcept;

// Runs the body of a function of the API: nothing is thrown into C.
template <class Body>
wick_status guard(wick_error** error, Body body) noexcept {
  if (error) *error = nullptr;
  try {
    body();
    return WICK_OK;
  } catch (...) {
    return give_error(error);
  }
}

// An argument that may not be null.
template <class T>
T& needed(T* argument, const char* name) {
  WICK_CHECK(argument, kInvalidArgument, "argument '", name, "' is NULL");
  return *argument;
}

// Gives what a function makes: `out` is null when it fails.
template <class Handle, class Body>
wick_status give(Handle** out, wick_error** error, Body make) noexcept {
  if (out) *out = nullptr;
  return guard(error, [&] {
    needed(out, "out");
    *out = new Handle{make()};
  });
}

// A copy that wick_string_release frees.
char* new_string(std::string_view text);

// Lists that are given as a pointer and a count.
template <class T>
Span<T> span_of(const T* data, size_t count, const char* name) {
  WICK_CHECK(data || count == 0, kInvalidArgument, "argument '", name, "' is NULL");
  return {data, count};
}
std::vector<IValue> values_of(const wick_value* const* values, size_t count);

}  // namespace wick::c_api
