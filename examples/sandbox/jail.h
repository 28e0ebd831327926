// A child process that may compute and answer, and nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace sandbox {

struct Limits {
  uint64_t memory_bytes = uint64_t{1} << 30;  // of address space
  unsigned cpu_seconds = 10;
  unsigned seconds = 30;  // by the clock: a child that sleeps takes no processor time
};

struct Outcome {
  std::string answer;   // what the job returned
  std::string failure;  // empty: it ended well
};

// Runs `job` in a child process and gives what it returned. `prepare` runs there first, with all rights: reads files
// and starts threads. Then the process gives up every system call but those that computing takes, and `job` runs; a
// forbidden call, a crash or a limit ends the child only. The answer is data of an untrusted program: check it.
Outcome run_jailed(const Limits& limits, const std::function<void()>& prepare, const std::function<std::string()>& job);

}  // namespace sandbox
