// Bounds memory: one allocation, and all of operator new together. A request beyond them fails as on a machine that is
// out of memory; without them a program of one line would take the memory of the machine that tests.
#include "fuzz/bounds.h"

#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <thread>

#include "core/budget.h"
#include "wick/error.h"
#include "wick/module.h"

namespace {

constexpr size_t kMostAtOnce = size_t{16} << 20;
constexpr size_t kMostTogether = size_t{512} << 20;
std::atomic<size_t> together{0};
std::atomic<bool> bounded{false};  // while an input runs: the fuzzer's own tables are larger

void* allocate_or_null(size_t size) noexcept {
  const bool refused = bounded && (size > kMostAtOnce || together > kMostTogether);
  void* p = refused ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (p != nullptr) together += malloc_usable_size(p);
  return p;
}

void* allocate(size_t size) {
  void* p = allocate_or_null(size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

// Elements of tensors and scratch memory of kernels: bounded by the process's limit, or the sanitizer's for one
// allocation, whose own operator new would end the process.
void* aligned_or_null(size_t size, std::align_val_t align) noexcept {
  const auto to = static_cast<size_t>(align);
  return size > PTRDIFF_MAX ? nullptr : std::aligned_alloc(to, (std::max<size_t>(size, 1) + to - 1) / to * to);
}

void* aligned(size_t size, std::align_val_t align) {
  void* p = aligned_or_null(size, align);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

void release(void* p) {
  if (p != nullptr) together -= malloc_usable_size(p);
  std::free(p);
}

// Tensors are not allocated by operator new. The sanitizers have an option for them (below) and need the address space.
bool set_limits() {
  wick::set_num_threads(1);
#ifndef WICK_SANITIZED
  const rlimit limit{rlim_t{2} << 30, rlim_t{2} << 30};
  setrlimit(RLIMIT_AS, &limit);
#endif
  return true;
}

[[noreturn]] void fail(const char* what, const char* message) {
  std::fprintf(stderr, "%s: %s\n", what, message);
  std::abort();
}

}  // namespace

void* operator new(size_t size) { return allocate(size); }
void* operator new[](size_t size) { return allocate(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return allocate_or_null(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return allocate_or_null(size); }
void* operator new(size_t size, std::align_val_t align) { return aligned(size, align); }
void* operator new(size_t size, std::align_val_t align, const std::nothrow_t&) noexcept {
  return aligned_or_null(size, align);
}
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, size_t) noexcept { release(p); }
void operator delete[](void* p, size_t) noexcept { release(p); }

extern "C" const char* __asan_default_options();  // NOLINT(bugprone-reserved-identifier): the sanitizer looks it up
// Lists that hold themselves are never freed, as in PyTorch: leaks are no finding here.
const char* __asan_default_options() { return "allocator_may_return_null=1:max_allocation_size_mb=32:detect_leaks=0"; }

namespace wick::fuzz {

bool shows_errors() {
  static const bool shows = std::getenv("WICK_FUZZ_SHOW") != nullptr;
  return shows;
}

namespace {

// Tasks with threads of their own, all of which have ended when this has.
class Forks {
 public:
  explicit Forks(int most) : most_(most), budget_(make_ref<Budget>("the input", bounds())) {
    if (most_ > 0) set_num_threads(most_ + 1);
  }
  ~Forks() {
    if (most_ == 0) return;
    stop_.cancel();
    for (int ended = 0; ended < most_;) {
      if (budget_->take_fork()) {
        ++ended;
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
    set_num_threads(1);
  }
  Forks(const Forks&) = delete;
  Forks& operator=(const Forks&) = delete;

  Budget* budget() const { return budget_.get(); }

 private:
  RunOptions bounds() const {
    return {.timeout = kMostTime, .max_operations = kMostOperations, .max_forks = most_, .cancellation = stop_};
  }

  const int most_;
  const Cancellation stop_;
  const Ref<Budget> budget_;
};

}  // namespace

bool run_bounded(const char* what, const std::function<void()>& action, int forks) {
  [[maybe_unused]] static const bool limited = set_limits();
  struct Bounds {
    const bool before = bounded.exchange(true);
    ~Bounds() { bounded = before; }
  } bounds;
  const Forks tasks(forks);
  const BudgetScope scope(tasks.budget());
  try {
    action();
    return true;
  } catch (const Error& e) {
    if (shows_errors()) std::fprintf(stderr, "%s: %s\n", what, e.what());
    if (e.code() == ErrorCode::kInternal) fail(what, e.what());
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  } catch (const std::exception& e) {
    fail(what, e.what());
  }
  return false;
}

}  // namespace wick::fuzz
