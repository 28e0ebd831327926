#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif

namespace wick {
namespace {

// Cores this process may run on; on big.LITTLE machines only those of the fastest kind.
int default_threads() {
  int usable = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    usable = std::max(1, CPU_COUNT(&set));
    long best = 0;
    int count = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE && cpu < 1024; ++cpu) {
      if (!CPU_ISSET(cpu, &set)) continue;
      char path[96];
      std::snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpu_capacity", cpu);
      std::FILE* file = std::fopen(path, "r");
      if (!file) return usable;
      long capacity = 0;
      const int read = std::fscanf(file, "%ld", &capacity);
      std::fclose(file);
      if (read != 1) return usable;
      // Cores within 70 % of the fastest count as performance cores.
      if (capacity * 10 < best * 7) continue;
      if (best * 10 < capacity * 7) count = 0;
      best = std::max(best, capacity);
      ++count;
    }
    if (count > 0) usable = count;
  }
#endif
  return usable;
}

thread_local bool t_inside = false;

// Workers wait for a job; a job is a range cut into chunks that any thread takes.
class Pool {
 public:
  explicit Pool(int threads) {
    for (int i = 1; i < threads; ++i) {
      workers_.emplace_back([this] { work(); });
    }
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& t : workers_) t.join();
  }
  int size() const { return static_cast<int>(workers_.size()) + 1; }

  // False when another caller's job is running; the caller then works alone.
  bool try_run(int64_t begin, int64_t end, int64_t chunk, const std::function<void(int64_t, int64_t)>& body) {
    std::unique_lock busy(job_mutex_, std::try_to_lock);
    if (!busy) return false;
    {
      std::lock_guard lock(mutex_);
      body_ = &body;
      next_.store(begin);
      end_ = end;
      chunk_ = chunk;
      error_ = nullptr;
      active_ = static_cast<int>(workers_.size());
      ++generation_;
    }
    wake_.notify_all();
    take_chunks();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return active_ == 0; });
    body_ = nullptr;
    if (error_) std::rethrow_exception(error_);
    return true;
  }

 private:
  void take_chunks() {
    t_inside = true;
    try {
      while (true) {
        const int64_t first = next_.fetch_add(chunk_);
        if (first >= end_) break;
        (*body_)(first, std::min(end_, first + chunk_));
      }
    } catch (...) {
      next_.store(end_);
      std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
    t_inside = false;
  }
  void work() {
    uint64_t seen = 0;
    while (true) {
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return stop_ || generation_ != seen; });
        if (stop_) return;
        seen = generation_;
      }
      take_chunks();
      std::lock_guard lock(mutex_);
      if (--active_ == 0) done_.notify_one();
    }
  }

  std::vector<std::thread> workers_;
  std::mutex job_mutex_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(int64_t, int64_t)>* body_ = nullptr;
  std::atomic<int64_t> next_{0};
  int64_t end_ = 0, chunk_ = 1;
  std::exception_ptr error_;
  int active_ = 0;
  uint64_t generation_ = 0;
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

}  // namespace

void set_num_threads(int n) { holder().wanted.store(std::clamp(n, 0, 256)); }

int num_threads() {
  const int wanted = holder().wanted.load();
  if (wanted > 0) return wanted;
  static const int fallback = default_threads();
  return fallback;
}

void parallel_for(int64_t begin, int64_t end, int64_t grain, const std::function<void(int64_t, int64_t)>& body) {
  if (begin >= end) return;
  const int64_t n = end - begin;
  grain = std::max<int64_t>(grain, 1);
  const int threads = num_threads();
  if (n > grain && threads > 1 && !t_inside) {
    // A few chunks a thread, so that uneven progress evens out, but none below the grain.
    const int64_t chunks = std::min<int64_t>((n + grain - 1) / grain, threads * 4LL);
    const int64_t chunk = (n + chunks - 1) / chunks;
    if (current_pool()->try_run(begin, end, chunk, body)) return;
  }
  body(begin, end);
}

}  // namespace wick
