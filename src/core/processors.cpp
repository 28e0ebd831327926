// Performance cores, affinity, control-group quotas and cache sizes of this machine.
#include "core/processors.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

#include "config/build.h"
#include "core/check.h"

namespace wick {
namespace {

// Reads up to two numbers that a file begins with: how many there are; negative when there is no file.
int read_numbers(const std::string& path, long& first, long& second) {
  std::FILE* file = std::fopen(path.c_str(), "r");
  if (file == nullptr) return -1;
  const int count = std::max(0, std::fscanf(file, "%ld %ld", &first, &second));
  std::fclose(file);
  return count;
}

// The number that a file begins with; negative when there is none.
long read_number(const std::string& path) {
  long value = -1, rest = 0;
  return read_numbers(path, value, rest) >= 1 ? value : -1;
}

#if defined(__APPLE__)
// A number of the kernel's, of 4 or 8 bytes; 0 when it has none of this name.
int64_t read_system(const char* name) {
  int64_t value = 0;
  size_t size = sizeof value;
  return sysctlbyname(name, &value, &size, nullptr, 0) == 0 ? std::max<int64_t>(0, value) : 0;
}
#endif

int quota(long used, long period) {
  return used <= 0 || period <= 0 ? 0 : static_cast<int>(std::min<long>(1 << 16, (used + period - 1) / period));
}

}  // namespace

namespace {

std::vector<int> fastest_of(const std::string& sys, const std::vector<int>& cpus) {
  for (const char* file : {"/cpu_capacity", "/cpufreq/cpuinfo_max_freq"}) {
    std::vector<long> speeds;
    for (const int cpu : cpus) {
      const long speed = read_number(cat(sys, "/devices/system/cpu/cpu", cpu, file));
      if (speed > 0) speeds.push_back(speed);
    }
    if (speeds.empty() || speeds.size() != cpus.size()) continue;
    // The fastest core is often one alone; those near it are performance cores as well.
    const long fastest = *std::max_element(speeds.begin(), speeds.end());
    std::vector<int> out;
    for (size_t i = 0; i < cpus.size(); ++i) {
      if (speeds[i] * 10 >= fastest * 7) out.push_back(cpus[i]);
    }
    return out;
  }
  return cpus;
}

// Bits of a mask as Linux writes it: words of hexadecimal digits with commas between them.
int bits_of_mask(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "r");
  if (file == nullptr) return 0;
  int bits = 0;
  for (int c = std::fgetc(file); c != EOF && c != '\n'; c = std::fgetc(file)) {
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 0;
    bits += std::popcount(static_cast<unsigned>(digit));
  }
  std::fclose(file);
  return bits;
}

}  // namespace

int performance_cores(const std::string& sys, const std::vector<int>& cpus) {
  return static_cast<int>(fastest_of(sys, cpus).size());
}

int64_t second_level_cache(const std::string& sys, const std::vector<int>& cpus) {
  constexpr int kMostCaches = 8;  // of a core: instructions and data of each level
  int64_t least = 0;
  for (const int cpu : fastest_of(sys, cpus)) {
    for (int i = 0; i < kMostCaches; ++i) {
      const std::string cache = cat(sys, "/devices/system/cpu/cpu", cpu, "/cache/index", i);
      if (read_number(cache + "/level") != 2) continue;
      const int64_t bytes = int64_t{read_number(cache + "/size")} << 10;  // "512K"
      // Threads of one core share it, too, and run one at a time.
      const int sharing = std::max(1, bits_of_mask(cache + "/shared_cpu_map"));
      const int threads =
          std::max(1, bits_of_mask(cat(sys, "/devices/system/cpu/cpu", cpu, "/topology/thread_siblings")));
      const int64_t own = bytes / std::max(1, sharing / threads);
      if (own > 0 && (least == 0 || own < least)) least = own;
    }
  }
  return least;
}

int allowed_processors(const std::string& cgroup) {
  long used = 0, period = 0;
  const int read = read_numbers(cat(cgroup, "/cpu.max"), used, period);  // "max 100000": no limit
  if (read >= 0) return read == 2 ? quota(used, period) : 0;
  return quota(read_number(cat(cgroup, "/cpu/cpu.cfs_quota_us")), read_number(cat(cgroup, "/cpu/cpu.cfs_period_us")));
}

namespace {

#if defined(__linux__)
// Those that this process may run on; empty where the system does not say.
std::vector<int> own_processors() {
  std::vector<int> cpus;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}
#endif

}  // namespace

int default_threads() {
  int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  if constexpr (!build::kTensors) return threads;  // there is nothing to share
#if defined(__linux__)
  const std::vector<int> cpus = own_processors();
  if (!cpus.empty()) threads = performance_cores("/sys", cpus);
  const int allowed = allowed_processors("/sys/fs/cgroup");
  if (allowed > 0) threads = std::min(threads, allowed);
#elif defined(__APPLE__)
  // Level 0 is the fastest kind of core; systems before macOS 12 and iOS 15 do not tell kinds apart.
  const int64_t fast = read_system("hw.perflevel0.logicalcpu");
  if (fast > 0) threads = static_cast<int>(std::min<int64_t>(threads, fast));
#endif
  return std::max(1, threads);
}

int64_t second_level_cache() {
  int64_t bytes = 0;
#if defined(__linux__)
#if defined(_SC_LEVEL2_CACHE_SIZE)
  bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
  // The C libraries of 64-bit ARM and of Android know none.
  if (bytes <= 0) bytes = second_level_cache("/sys", own_processors());
#elif defined(__APPLE__)
  // A cluster of cores shares its second-level cache.
  bytes = read_system("hw.perflevel0.l2cachesize") / std::max<int64_t>(1, read_system("hw.perflevel0.cpusperl2"));
  if (bytes == 0) bytes = read_system("hw.l2cachesize");
#endif
  return bytes > 0 ? bytes : int64_t{512} << 10;
}

}  // namespace wick
