// The jail: resource limits and a seccomp filter (Linux; x86-64 and arm64).
#include "jail.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <exception>
#include <vector>

namespace sandbox {
namespace {

// The answer's first byte.
constexpr char kDone = 'D', kFailed = 'F';
constexpr size_t kMaxAnswer = size_t{256} << 20;

#if defined(__x86_64__)
constexpr uint32_t kArch = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArch = AUDIT_ARCH_AARCH64;
#else
#error "the example's filter knows x86-64 and arm64"
#endif

// Memory, time, waking other threads of the process, the answer, the end. No files, sockets, signals to others, or new
// processes.
constexpr int kAllowed[] = {
    __NR_brk,   __NR_mmap,          __NR_munmap,     __NR_mremap,      __NR_mprotect,     __NR_madvise,
    __NR_futex, __NR_clock_gettime, __NR_getrandom,  __NR_sched_yield, __NR_rt_sigreturn, __NR_rt_sigprocmask,
    __NR_write, __NR_exit,          __NR_exit_group, __NR_getpid,      __NR_gettid};

void limit(int resource, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

bool forbid_system_calls() {
  std::vector<sock_filter> code{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArch, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  for (const int call : kAllowed) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  // Libraries look for files (the number of processors, time zones) and do without.
  for (const int call : {__NR_openat, __NR_newfstatat, __NR_fstat, __NR_sched_getaffinity, __NR_clone3}) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

void send(int to, char kind, const std::string& text) {
  std::string all = kind + text;
  for (size_t at = 0; at < all.size();) {
    const ssize_t n = write(to, all.data() + at, all.size() - at);
    if (n <= 0) return;
    at += static_cast<size_t>(n);
  }
}

[[noreturn]] void be_child(int answer, const Limits& limits, const std::function<void()>& prepare,
                           const std::function<std::string()>& job) {
  try {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, limits.cpu_seconds);
    limit(RLIMIT_AS, limits.memory_bytes);
    limit(RLIMIT_FSIZE, 0);
    prepare();
    if (!forbid_system_calls()) {
      send(answer, kFailed, "the kernel has no seccomp filters");
      _exit(1);
    }
    send(answer, kDone, job());
    _exit(0);
  } catch (const std::exception& e) {
    send(answer, kFailed, e.what());
    _exit(1);
  }
}

// All that comes until the other end is closed; false when that takes longer than so many seconds.
bool read_all(int from, unsigned seconds, std::string& all) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (all.size() < kMaxAnswer) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd ready{from, POLLIN, 0};
    if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) <= 0) return false;
    char buffer[65536];
    const ssize_t n = read(from, buffer, sizeof buffer);
    if (n <= 0) return true;
    all.append(buffer, static_cast<size_t>(n));
  }
  return true;
}

}  // namespace

Outcome run_jailed(const Limits& limits, const std::function<void()>& prepare,
                   const std::function<std::string()>& job) {
  int ends[2];
  if (pipe(ends) != 0) return {"", std::string("pipe: ") + std::strerror(errno)};
  const pid_t child = fork();
  if (child < 0) return {"", std::string("fork: ") + std::strerror(errno)};
  if (child == 0) {
    close(ends[0]);
    be_child(ends[1], limits, prepare, job);
  }
  close(ends[1]);
  std::string all;
  if (!read_all(ends[0], limits.seconds, all)) kill(child, SIGKILL);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* const why = signal == SIGSYS                         ? " (it made a forbidden system call)"
                            : signal == SIGXCPU || signal == SIGKILL ? " (it took too long)"
                                                                     : "";
    return {"", std::string("the child was ended: ") + strsignal(signal) + why};
  }
  if (all.empty()) return {"", "the child gave no answer"};
  return all[0] == kDone ? Outcome{all.substr(1), ""} : Outcome{"", all.substr(1)};
}

}  // namespace sandbox
