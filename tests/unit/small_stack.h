// Runs a function on a thread with a stack of a given size: for tests.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "wick/error.h"

namespace wick::test {

// Throws what the function throws.
inline void run_on_stack(size_t bytes, const std::function<void()>& function) {
  struct Task {
    const std::function<void()>* function;
    std::exception_ptr error;
  } task{&function, nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_t thread;
  const auto body = [](void* argument) -> void* {
    auto* t = static_cast<Task*>(argument);
    try {
      (*t->function)();
    } catch (...) {
      t->error = std::current_exception();
    }
    return nullptr;
  };
  const int status = pthread_create(&thread, &attributes, body, &task);
  pthread_attr_destroy(&attributes);
  if (status != 0) throw Error(ErrorCode::kInternal, "no thread with a stack of " + std::to_string(bytes));
  pthread_join(thread, nullptr);
  if (task.error) std::rethrow_exception(task.error);
}

// The code of the Error that it throws there; absent when it throws none.
inline std::optional<ErrorCode> error_on_stack(size_t bytes, const std::function<void()>& function) {
  try {
    run_on_stack(bytes, function);
    return std::nullopt;
  } catch (const Error& e) {
    return e.code();
  }
}

}  // namespace wick::test
