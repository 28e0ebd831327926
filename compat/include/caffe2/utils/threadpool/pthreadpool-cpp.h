// caffe2::PThreadPool: the threads that operators use.
#pragma once

#include <functional>
#include <memory>

#include <ATen/Parallel.h>

namespace caffe2 {

class PThreadPool {
 public:
  size_t get_thread_count() const { return static_cast<size_t>(at::get_num_threads()); }
  void set_thread_count(size_t n) { at::set_num_threads(static_cast<int>(n)); }
  void run(const std::function<void(size_t)>& f, size_t range) {
    for (size_t i = 0; i < range; ++i) f(i);
  }
};
inline PThreadPool* pthreadpool() {
  static PThreadPool pool;
  return &pool;
}

struct _NoPThreadPoolGuard {
  _NoPThreadPoolGuard() {}
  ~_NoPThreadPoolGuard() {}
};

}  // namespace caffe2
