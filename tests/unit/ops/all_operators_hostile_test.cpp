// Every operator of the table with random arguments of its schema's types: each call must give a result or an Error,
// soon and without much memory. A model file may ask for any of these calls.
//
// WICK_HOSTILE_ROUNDS  calls of each operator (long runs under the sanitizers want thousands)
// WICK_HOSTILE_SEED    another sequence of arguments
// WICK_HOSTILE_FROM    the first operator, by its place in the table
// WICK_HOSTILE_ONLY    only operators whose name has this in it
// WICK_HOSTILE_HUGE    also tensors of one element seen as very many: calls that do not end are then no defect
// WICK_HOSTILE_TRACE   prints each operator before it is called, and how many calls gave a result
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "ops/op_entry.h"
#include "unit/ops/wild_values.h"

namespace wick {
namespace {

// Of computing and of waiting: a busy machine must not look like a loop without end, nor a deadlock like a busy
// machine.
constexpr long kSecondsOfWork = 20;
constexpr unsigned kSecondsOfTime = 300;

std::string_view environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

int64_t number_from_environment(const char* name, const char* otherwise) {
  return std::atoll(environment(name, otherwise).data());
}

bool is_skipped(std::string_view name) {
  return name == "prim::Print" || name == "aten::warn" ||  // they write to the terminal
         name == "aten::wait";                             // waits for a future that nobody completes
}

char running[256];

void name_what_hangs(int) {
  const char text[] = "hangs: ";
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  (void)!write(STDERR_FILENO, running, std::strlen(running));
  (void)!write(STDERR_FILENO, "\n", 1);
  std::abort();
}

void set_timers(long work, unsigned time) {
  const itimerval timer{{0, 0}, {work, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(time);
}

void watch(const std::string& what) {
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

// True when the operator took the arguments.
bool call_once(const Operator& op, hostile::Wild wild) {
  std::vector<IValue> args = wild.arguments(op.schema);
  std::vector<IValue> rets(std::max<size_t>(1, op.schema.returns.size()));
  try {
    op.call(args.data(), args.size(), rets.data());
    // What came back must be readable to its end.
    for (const IValue& ret : rets)
      if (ret.is_tensor() && ret.to_tensor().numel() < 4096) clone(ret.to_tensor());
  } catch (const Error&) {
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  } catch (const std::length_error&) {
    return false;
  }
  return true;
}

TEST(AllOperators, AnyArgumentsGiveAResultOrAnError) {
  const int64_t rounds = number_from_environment("WICK_HOSTILE_ROUNDS", "12");
  const auto seed = static_cast<unsigned>(number_from_environment("WICK_HOSTILE_SEED", "1"));
  const auto from = static_cast<size_t>(number_from_environment("WICK_HOSTILE_FROM", "0"));
  const std::string_view only = environment("WICK_HOSTILE_ONLY", "");
  const bool huge = std::getenv("WICK_HOSTILE_HUGE") != nullptr;
  const bool trace = std::getenv("WICK_HOSTILE_TRACE") != nullptr;
  const std::vector<IValue> packed = hostile::packed_weights();
  const Guard guard;
  const std::vector<const OpEntry*> entries = all_operator_entries();
  for (size_t k = from; k < entries.size(); ++k) {
    const Operator* op = find_operator(schema_full_name(entries[k]->schema));
    ASSERT_NE(op, nullptr);
    const std::string name = op->schema.full_name();
    if (is_skipped(op->schema.name) || name.find(only) == std::string::npos) continue;
    if (trace) std::fprintf(stderr, "%zu %s\n", k, name.c_str());
    watch(name);
    int64_t taken = 0;
    for (int64_t round = 0; round < rounds; ++round)
      taken += call_once(*op, hostile::Wild(seed * 1000003u + static_cast<unsigned>(round), packed, huge));
    if (trace) std::fprintf(stderr, "  %lld\n", static_cast<long long>(taken));
  }
}

}  // namespace
}  // namespace wick
