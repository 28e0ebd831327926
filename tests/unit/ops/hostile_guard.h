// Bounds on time and memory for calls of operators with any arguments.
#pragma once

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

namespace wick::hostile {

// Of computing and of waiting: a busy machine must not look like a loop without end, nor a deadlock like a busy
// machine.
inline constexpr long kSecondsOfWork = 20;
inline constexpr unsigned kSecondsOfTime = 300;

inline bool is_skipped(std::string_view name) {
  return name == "prim::Print" || name == "aten::warn" ||  // they write to the terminal
         name == "aten::wait";                             // waits for a future that nobody completes
}

inline char running[256];

inline void name_what_hangs(int) {
  const char text[] = "hangs: ";
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  (void)!write(STDERR_FILENO, running, std::strlen(running));
  (void)!write(STDERR_FILENO, "\n", 1);
  std::abort();
}

inline void set_timers(long work, unsigned time) {
  const itimerval timer{{0, 0}, {work, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(time);
}

inline void watch(const std::string& what) {
  std::strncpy(running, what.c_str(), sizeof running - 1);
  set_timers(kSecondsOfWork, kSecondsOfTime);
}

// Ends the process with the operator's name when it takes too long; refuses memory beyond a little more than is in use.
class Guard {
 public:
  Guard() : at_time_(std::signal(SIGALRM, name_what_hangs)), at_work_(std::signal(SIGPROF, name_what_hangs)) {
#ifndef __SANITIZE_ADDRESS__
    getrlimit(RLIMIT_AS, &limit_);
    rlimit small = limit_;
    small.rlim_cur = std::min<rlim_t>(limit_.rlim_max, mapped_bytes() + (rlim_t{1} << 30));
    setrlimit(RLIMIT_AS, &small);
#endif
  }
  ~Guard() {
    set_timers(0, 0);
    std::signal(SIGALRM, at_time_);
    std::signal(SIGPROF, at_work_);
#ifndef __SANITIZE_ADDRESS__
    setrlimit(RLIMIT_AS, &limit_);
#endif
  }

 private:
  static rlim_t mapped_bytes() {
    rlim_t pages = rlim_t{1} << 20;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  }

  rlimit limit_{};
  void (*at_time_)(int);
  void (*at_work_)(int);
};

}  // namespace wick::hostile
