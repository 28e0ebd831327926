// Bounds on what loading and running a model may use, and stopping either from another thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "wick/ref.h"

namespace wick {

// What the processor computes floating-point layers in.
enum class Precision : uint8_t {
  // float32; models of float16 are rounded where PyTorch rounds them. They are not computed in float16, whose sums are
  // further off than those roundings (docs/kernels.md says how far): that is for kFloat16.
  kAuto,
  kFloat32,  // the same, whatever kAuto may become
  kFloat16,  // float16 where the processor has arithmetic for it and the layer's numbers fit it; elsewhere float32
};

// Stops loads and runs that were given it; copies share it. Once cancelled it stays so.
//
//   wick::Cancellation stop;
//   auto job = std::async([&] { return module.forward({x}, {.cancellation = stop}); });
//   stop.cancel();  // job.get() throws kCancelled, and the module may be run again
//
// Threads: all members may be called from several threads, cancel() from a signal handler too.
class Cancellation {
 public:
  Cancellation() : state_(make_ref<State>()) {}
  void cancel() const noexcept { state_->cancelled.store(true, std::memory_order_relaxed); }
  bool is_cancelled() const noexcept { return state_->cancelled.load(std::memory_order_relaxed); }

 private:
  struct State : RefCounted {
    std::atomic<bool> cancelled{false};
  };
  Ref<State> state_;
};

// What one run may use. Exceeding a bound, or a cancellation, ends the run with an Error that says which; the module
// may be run again. The tasks that a model forks count for the run that forked them. Bounds are looked at between
// operators and inside of those that work through large tensors.
//
//   module.forward({x}, {.timeout = std::chrono::seconds(2), .max_memory = 512u << 20});
struct RunOptions {
  // How long it may take; 0: no bound. kDeadlineExceeded.
  std::chrono::milliseconds timeout{0};
  // Bytes that it may hold at once in tensors, lists, tuples, dicts, strings and objects that it makes; 0: no bound.
  // kLimitExceeded.
  uint64_t max_memory = 0;
  // Operators, jumps and calls; 0: no bound. kLimitExceeded.
  int64_t max_operations = 0;
  // Calls inside of calls; 0: 1000, or less where the stack is small. kLimitExceeded.
  uint32_t max_call_depth = 0;
  // Threads that an operator may use, the calling one included; 0: as many as set_num_threads() says.
  int max_threads = 0;
  // Forked tasks with a thread of their own, others run where they are forked; -1: one less than there are threads.
  int max_forks = -1;
  // Ends it. kCancelled.
  std::optional<Cancellation> cancellation = std::nullopt;
};

// What load() accepts. The defaults refuse a model that cannot run whole, and bound what its file may make happen.
//
//   wick::Module module = wick::load("model.ptl", {.allow_missing_operators = true});
struct LoadOptions {
  // Load even when operators are missing; calling one then throws kMissingOperator.
  bool allow_missing_operators = false;
  // Read the file into memory instead of mapping it: a file that is truncated while it is mapped ends the process
  // (SIGBUS).
  bool copy = false;

  // How long loading may take; 0: no bound. kDeadlineExceeded.
  std::chrono::milliseconds timeout{0};
  // Bytes that loading may hold at once in tensors, lists, tuples, dicts, strings and objects that it makes; 0: no
  // bound. Weights that are used where they lie in the file take none. kLimitExceeded.
  uint64_t max_memory = 0;
  // Ends it. kCancelled.
  std::optional<Cancellation> cancellation = std::nullopt;

  // A file may hold code that restores its objects (__setstate__), which runs while it is loaded. How long that code
  // may take in all, in milliseconds. kDeadlineExceeded.
  std::chrono::milliseconds max_restore_time{30'000};
  // Its operators, jumps and calls. It has no threads of its own. kLimitExceeded.
  int64_t max_restore_operations = 1 << 22;
  // Bytes that it may hold at once; 0: 16 times the file and 256 MiB. kLimitExceeded.
  uint64_t max_restore_memory = 0;

  // Bytes that the plans of each method may keep for intermediate results and for weights in the form that kernels
  // want; with more, older plans are dropped, and what would need more alone is interpreted. 0: no bound.
  uint64_t max_plan_memory = 0;

  // Bytes that all deflated records of an archive may inflate to; 0: 32 times the file, at least 256 MiB.
  // kLimitExceeded.
  uint64_t max_inflated = 0;
};

}  // namespace wick
