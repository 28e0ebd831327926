// Threads that operators use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace at {

inline void init_num_threads() {}
inline void lazy_init_num_threads() {}
void set_num_threads(int n);
int get_num_threads();
// Of the ranges of a parallel_for that run at the same time no two have the same number.
int get_thread_num();
bool in_parallel_region();
void set_num_interop_threads(int n);
int get_num_interop_threads();
std::string get_parallel_info();

inline int64_t divup(int64_t x, int64_t y) { return (x + y - 1) / y; }
namespace internal {
constexpr int64_t GRAIN_SIZE = 32768;
// f(first, last) for ranges that make up [begin, end), from Wick's threads.
void run_parallel(int64_t begin, int64_t end, int64_t grain, const std::function<void(int64_t, int64_t)>& f);
inline void lazy_init_num_threads() {}
}  // namespace internal
// Calls f with ranges that make up [begin, end), in several threads when there are more than `grain`; the first
// exception is thrown again. Inside of f, further calls run in the thread that makes them.
template <class F>
void parallel_for(int64_t begin, int64_t end, int64_t grain, const F& f) {
  if (begin >= end) return;
  if (end - begin <= grain || in_parallel_region()) {
    f(begin, end);
  } else {
    internal::run_parallel(begin, end, grain, f);
  }
}
// As LibTorch, the parts are put together in their order.
template <class T, class F, class SF>
T parallel_reduce(int64_t begin, int64_t end, int64_t grain, const T ident, const F& f, const SF& sf) {
  if (begin >= end) return ident;
  const int64_t count = get_num_threads();
  if (end - begin <= grain || in_parallel_region() || count == 1) return f(begin, end, ident);
  const int64_t chunk = std::max(std::max<int64_t>(grain, 1), divup(end - begin, count));
  const int64_t chunks = divup(end - begin, chunk);
  std::vector<T> parts(static_cast<size_t>(chunks), ident);
  parallel_for(0, chunks, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      parts[static_cast<size_t>(i)] = f(begin + i * chunk, std::min(end, begin + (i + 1) * chunk), ident);
    }
  });
  T out = ident;
  for (const T& part : parts) out = sf(out, part);
  return out;
}
void launch(std::function<void()> f);
inline void intraop_launch(std::function<void()> f) { f(); }

}  // namespace at
