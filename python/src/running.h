// Work done without the GIL, within bounds, that Ctrl-C ends.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>

#include "wick/bounds.h"
#include "wick/error.h"

namespace wick_python {

namespace nb = nanobind;

// While it lives on Python's main thread, SIGINT cancels token() besides what Python does for it. On other threads it
// does nothing, as Python handles signals on the main thread alone.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  bool active() const { return active_; }
  // What SIGINT cancels; of an active scope only.
  const wick::Cancellation& token() const;
  // To be called after the work, with the GIL: throws nb::python_error when Python's handler of the signal raises.
  void check();

 private:
  bool active_ = false;
};

// Calls the function, which the caller holds, if there is one. What it raises ends the work.
std::function<void(const char* what, size_t done, size_t total)> progress_of(nb::handle function);

// Tells which thread is Python's main thread.
void init_interrupts();

// Calls work() without the GIL and gives what it gives. `options`: bounds besides those of the work itself.
template <class F>
auto run_released(F&& work, const wick::RunOptions* options = nullptr) {
  InterruptScope interrupt;
  try {
    nb::gil_scoped_release release;
    std::optional<wick::BoundedScope> user, stop;
    if (options) user.emplace("the run", *options);
    if (interrupt.active()) {
      wick::RunOptions bounds;
      bounds.cancellation = interrupt.token();
      stop.emplace("the run", bounds);
    }
    return work();
  } catch (const wick::Error& e) {
    if (e.code() == wick::ErrorCode::kCancelled) interrupt.check();
    throw;
  }
}

}  // namespace wick_python
