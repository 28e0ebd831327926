// The thread pool behind parallel_for.
#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/budget.h"
#include "core/processors.h"
#include "core/shapes_only.h"

namespace wick {
namespace {

thread_local bool t_inside = false;

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ __volatile__("yield");
#endif
}

// The layers of a model follow each other within microseconds, a sleeping thread takes tens of them to wake up; so a
// thread that waits looks again and again for a short while before it sleeps.
constexpr std::chrono::microseconds kSpinTime{40};

template <class F>
bool spin_until(bool may_spin, F&& condition) {
  if (!may_spin) return condition();
  const auto end = std::chrono::steady_clock::now() + kSpinTime;
  do {
    for (int i = 0; i < 32; ++i) {
      if (condition()) return true;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return condition();
}

// Workers wait for a job; a job is a range cut into chunks that any thread takes. A worker joins a job while it is
// open; the caller does not wait for one that has not, so a busy processor delays no one else.
class Pool {
 public:
  // Fewer threads work where the system has no more.
  explicit Pool(int threads) : size_(threads), may_spin_(threads <= default_threads()) {
    workers_.reserve(static_cast<size_t>(threads));
    for (int i = 1; i < threads; ++i) {
      try {
        workers_.emplace_back([this] { work(); });
      } catch (const std::exception&) {
        return;
      }
    }
  }
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      generation_.fetch_add(1);
    }
    wake_.notify_all();
    for (std::thread& t : workers_) t.join();
  }
  // That were asked for.
  int size() const { return size_; }

  // False when another caller's job is running; the caller then works alone.
  // `joining`: workers that may work besides the caller.
  bool try_run(int64_t begin, int64_t end, int64_t chunk, int joining, const kernels::RangeBody& body) {
    const std::unique_lock busy(job_mutex_, std::try_to_lock);
    if (!busy) return false;
    bool anyone_sleeps;
    {
      const std::lock_guard lock(mutex_);
      body_ = &body;
      joining_ = joining;
      budget_ = Budget::current();
      next_.store(begin);
      end_ = end;
      chunk_ = chunk;
      error_ = nullptr;
      generation_.fetch_add(1);
      anyone_sleeps = sleeping_ > 0;
    }
    if (anyone_sleeps) wake_.notify_all();
    take_chunks(body);
    {
      const std::lock_guard lock(mutex_);
      body_ = nullptr;
    }
    if (!spin_until(may_spin_, [this] { return active_.load() == 0; })) {
      std::unique_lock lock(mutex_);
      done_.wait(lock, [this] { return active_.load() == 0; });
    }
    // What the workers wrote is visible: they left under the lock.
    const std::lock_guard lock(mutex_);
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return true;
  }

 private:
  void take_chunks(const kernels::RangeBody& body) {
    t_inside = true;
    try {
      while (true) {
        const int64_t first = next_.fetch_add(chunk_);
        if (first >= end_) break;
        check_budget();
        body(first, std::min(end_, first + chunk_));
      }
    } catch (...) {
      next_.store(end_);
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
    t_inside = false;
  }
  void work() {
    uint64_t seen = 0;
    while (true) {
      spin_until(may_spin_, [&] { return generation_.load() != seen; });
      const kernels::RangeBody* body;
      Budget* budget;
      {
        std::unique_lock lock(mutex_);
        ++sleeping_;
        wake_.wait(lock, [&] { return generation_.load() != seen; });
        --sleeping_;
        if (stop_) return;
        seen = generation_.load();
        body = active_.load() < joining_ ? body_ : nullptr;
        budget = budget_;
        if (body != nullptr) active_.fetch_add(1);
      }
      if (body == nullptr) continue;
      {
        const BudgetScope scope(budget);
        take_chunks(*body);
      }
      const std::lock_guard lock(mutex_);
      if (active_.fetch_sub(1) == 1) done_.notify_one();
    }
  }

  const int size_;
  const bool may_spin_;  // not with more threads than processors
  std::vector<std::thread> workers_;
  std::mutex job_mutex_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const kernels::RangeBody* body_ = nullptr;  // null: no job is open
  std::atomic<int64_t> next_{0};
  int64_t end_ = 0, chunk_ = 1;
  int joining_ = 0;           // workers that the job may have
  Budget* budget_ = nullptr;  // of the job's caller
  std::exception_ptr error_;
  std::atomic<int> active_{0};  // workers in the job
  std::atomic<uint64_t> generation_{0};
  int sleeping_ = 0;
  bool stop_ = false;
};

struct PoolHolder {
  std::mutex mutex;
  std::shared_ptr<Pool> pool;
  std::atomic<int> wanted{0};
};
PoolHolder& holder() {
  static PoolHolder* const instance = new PoolHolder;  // outlives static destruction
  return *instance;
}

std::shared_ptr<Pool> current_pool() {
  PoolHolder& h = holder();
  const int threads = num_threads();
  std::lock_guard lock(h.mutex);
  if (!h.pool || h.pool->size() != threads) h.pool = std::make_shared<Pool>(threads);
  return h.pool;
}

// Of a loop that can be stopped.
constexpr int64_t kBoundedChunks = 1024;

}  // namespace

void set_num_threads(int n) { holder().wanted.store(std::clamp(n, 0, 256)); }

int num_threads() {
  const int wanted = holder().wanted.load();
  if (wanted > 0) return wanted;
  static const int fallback = default_threads();
  return fallback;
}

void parallel_for(int64_t begin, int64_t end, int64_t grain, const kernels::RangeBody& body) {
  if (begin >= end || only_shapes()) return;
  const int64_t n = end - begin;
  grain = std::max<int64_t>(grain, 1);
  Budget* const budget = Budget::current();
  const int threads = budget ? budget->threads(num_threads()) : num_threads();
  // A few chunks a thread, so that uneven progress evens out, but none below the grain.
  const auto chunk_of = [&](int64_t most) {
    const int64_t chunks = std::min<int64_t>((n + grain - 1) / grain, most);
    return (n + chunks - 1) / chunks;
  };
  // Bounds are looked at between chunks. Tensors that repeat their elements may have more of them than any memory.
  constexpr int64_t kMostInAChunk = int64_t{1} << 22;
  const int64_t chunk =
      budget ? std::min(chunk_of(kBoundedChunks), std::max(grain, kMostInAChunk)) : chunk_of(threads * 4LL);
  if (n > grain && threads > 1 && !t_inside) {
    if (current_pool()->try_run(begin, end, chunk, threads - 1, body)) return;
  }
  if (!budget) return body(begin, end);
  for (int64_t first = begin; first < end; first += chunk) {
    budget->check();
    body(first, std::min(end, first + chunk));
  }
}

}  // namespace wick
