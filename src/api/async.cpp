// Runs on threads of their own, with a handle to wait for and to cancel them.
#include "wick/async.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "core/budget.h"
#include "core/check.h"
#include "core/out_of_memory.h"

namespace wick {

// Shared by the handle and the thread. `mutex` guards what the run gives; the thread is the handle's alone.
struct AsyncRun::State {
  Cancellation cancellation;
  std::thread thread;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  IValue result;
  std::exception_ptr error;

  void finish(IValue value, std::exception_ptr failure) {
    {
      const std::lock_guard lock(mutex);
      result = std::move(value);
      error = std::move(failure);
      done = true;
    }
    changed.notify_all();
  }

  void end() {
    cancellation.cancel();
    if (thread.joinable()) thread.join();
  }
};

AsyncRun& AsyncRun::operator=(AsyncRun&& other) noexcept {
  if (this != &other) {
    if (state_) state_->end();
    state_ = std::move(other.state_);
  }
  return *this;
}

AsyncRun::~AsyncRun() {
  if (state_) state_->end();
}

bool AsyncRun::done() const {
  WICK_CHECK(state_, kInvalidArgument, "no run was started");
  const std::lock_guard lock(state_->mutex);
  return state_->done;
}

void AsyncRun::wait() const {
  WICK_CHECK(state_, kInvalidArgument, "no run was started");
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [this] { return state_->done; });
}

bool AsyncRun::wait_for(std::chrono::milliseconds time) const {
  WICK_CHECK(state_, kInvalidArgument, "no run was started");
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_for(lock, time, [this] { return state_->done; });
}

IValue AsyncRun::get() const {
  wait();
  const std::lock_guard lock(state_->mutex);
  if (state_->error) std::rethrow_exception(state_->error);
  return state_->result;
}

void AsyncRun::cancel() const {
  WICK_CHECK(state_, kInvalidArgument, "no run was started");
  state_->cancellation.cancel();
}

AsyncRun run_async(const Module& module, std::vector<IValue> args, const RunOptions& options, std::string_view method) {
  AsyncRun run;
  // The thread holds no reference to the state: the handle, which owns it, waits for the thread.
  // The options' cancellation may be shared with other runs: the handle has one of its own around it.
  const auto start = [&] {
    run.state_ = std::make_shared<AsyncRun::State>();
    run.state_->thread = std::thread(
        [state = run.state_.get(), module, args = std::move(args), options, name = std::string(method)]() mutable {
          try {
            state->finish(with_memory_errors([&] {
                            const BoundedWork bounded("the run", {.cancellation = state->cancellation});
                            return module.run_method(name, std::move(args), {}, options);
                          }),
                          nullptr);
          } catch (...) {
            state->finish(IValue(), std::current_exception());
          }
        });
  };
  try {
    with_memory_errors(start);
  } catch (const std::system_error& e) {
    fail_with<ErrorCode::kOutOfMemory>("no thread for an asynchronous run can be started: ", e.what());
  }
  return run;
}

}  // namespace wick
