// Threads that operators use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

namespace at {

inline void init_num_threads() {}
inline void lazy_init_num_threads() {}
void set_num_threads(int n);
int get_num_threads();
inline int get_thread_num() { return 0; }
inline bool in_parallel_region() { return false; }
void set_num_interop_threads(int n);
int get_num_interop_threads();
std::string get_parallel_info();

inline int64_t divup(int64_t x, int64_t y) { return (x + y - 1) / y; }
// Calls f with ranges that make up [begin, end), here with the whole in the calling thread.
template <class F>
void parallel_for(int64_t begin, int64_t end, int64_t, const F& f) {
  if (begin < end) f(begin, end);
}
template <class T, class F, class SF>
T parallel_reduce(int64_t begin, int64_t end, int64_t, const T ident, const F& f, const SF& sf) {
  return begin < end ? sf(ident, f(begin, end, ident)) : ident;
}
void launch(std::function<void()> f);
inline void intraop_launch(std::function<void()> f) { f(); }

}  // namespace at
