// Running a model while the caller goes on.
#pragma once

#include <chrono>
#include <memory>
#include <string_view>
#include <vector>

#include "wick/module.h"
#include "wick/options.h"

namespace wick {

// A run that another thread does. Destroying it, or assigning another, cancels the run and waits for its end: no run
// outlives its handle.
//
//   wick::AsyncRun run = wick::run_async(module, {image});
//   show_progress();
//   wick::IValue result = run.get();            // waits; throws what the run threw
//
// Threads: cancel() and done() may be called from any thread; the others by one at a time.
class AsyncRun {
 public:
  AsyncRun() = default;
  AsyncRun(AsyncRun&&) noexcept = default;
  AsyncRun& operator=(AsyncRun&& other) noexcept;
  ~AsyncRun();

  // Whether there is a result, or an error, and get() does not wait.
  bool done() const;
  void wait() const;
  // False when it is not done after that time.
  bool wait_for(std::chrono::milliseconds time) const;
  // The result, each time; rethrows the run's Error: kCancelled after cancel().
  IValue get() const;
  // Asks the run to end; does not wait for it.
  void cancel() const;

 private:
  friend AsyncRun run_async(const Module&, std::vector<IValue>, const RunOptions&, std::string_view);
  struct State;
  std::shared_ptr<State> state_;  // null: nothing runs, members throw kInvalidArgument
};

// Starts a run of a method within the options' bounds, on a thread of its own. The module and the arguments are kept
// until it ends. The options' cancellation ends it, too.
AsyncRun run_async(const Module& module, std::vector<IValue> args, const RunOptions& options = {},
                   std::string_view method = "forward");

}  // namespace wick
