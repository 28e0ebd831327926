// replay_NAME [--inputs N] FILE_OR_FOLDER...: runs a fuzz target over files and over N inputs derived from them,
// without libFuzzer. An input that fails, takes too much time or memory is written to NAME.failed.
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/mutate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));  // NOLINT

namespace {

using wick::fuzz::Input;

// Of computing and of waiting: a busy machine must not look like a loop without end, nor a deadlock like a busy
// machine.
constexpr long kSecondsOfWork = 20;
constexpr unsigned kSecondsOfTime = 300;
constexpr long kMaxKilobytes = 2L << 20;

std::string failed_path;
const Input* running = nullptr;

void write_running() {
  if (running == nullptr) return;
  std::FILE* file = std::fopen(failed_path.c_str(), "wb");
  if (file == nullptr) return;
  std::fwrite(running->data(), 1, running->size(), file);
  std::fclose(file);
  std::fprintf(stderr, "the input that failed is in %s\n", failed_path.c_str());
  running = nullptr;
}

void on_signal(int signal) {
  if (signal == SIGPROF) std::fprintf(stderr, "an input took more than %ld seconds\n", kSecondsOfWork);
  if (signal == SIGALRM) std::fprintf(stderr, "an input did not end in %u seconds\n", kSecondsOfTime);
  write_running();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// On a stack of its own: an input may have used up the other.
void handle(int signal) {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  sigaction(signal, &action, nullptr);
}

void watch() {
  for (const int signal : {SIGABRT, SIGALRM, SIGPROF}) handle(signal);
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(write_running);
    return;
  }
  static char memory[1 << 16];
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  sigaltstack(&stack, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) handle(signal);
}

void set_timers(long work, unsigned time) {
  const itimerval timer{{0, 0}, {work, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(time);
}

void run(const Input& input) {
  running = &input;
  set_timers(kSecondsOfWork, kSecondsOfTime);
  LLVMFuzzerTestOneInput(input.data(), input.size());
  set_timers(0, 0);
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  if (usage.ru_maxrss > kMaxKilobytes) {
    std::fprintf(stderr, "an input took more than %ld MB\n", kMaxKilobytes >> 10);
    std::abort();
  }
  running = nullptr;
}

// The files, in the order of their names, which is the same on every machine.
std::vector<Input> read_files(const std::vector<std::filesystem::path>& roots) {
  std::vector<std::filesystem::path> files;
  for (const auto& root : roots) {
    const size_t before = files.size();
    if (!std::filesystem::is_directory(root)) {
      files.push_back(root);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin() + static_cast<ptrdiff_t>(before), files.end());
  }
  std::vector<Input> inputs;
  for (const auto& path : files) {
    std::ifstream in(path, std::ios::binary);
    inputs.emplace_back((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  }
  return inputs;
}

uint64_t checksum_of(const Input& input, uint64_t sum) {
  for (const uint8_t byte : input) sum = (sum ^ byte) * 0x100000001b3;  // FNV-1a
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t derived = 0;
  std::vector<std::filesystem::path> roots;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--inputs" && i + 1 < argc) {
      derived = std::strtoull(argv[++i], nullptr, 10);
    } else if (std::filesystem::exists(argv[i])) {
      roots.emplace_back(argv[i]);
    } else {
      std::fprintf(stderr, "'%s' does not exist\n", argv[i]);
      return 1;
    }
  }
  failed_path = std::filesystem::path(argv[0]).filename().string() + ".failed";
  watch();
  const std::vector<Input> seeds = read_files(roots);
  for (const Input& seed : seeds) run(seed);
  uint64_t checksum = 0xcbf29ce484222325;
  if (!seeds.empty()) {
    wick::fuzz::Mutator mutator(seeds);
    for (uint64_t i = 0; i < derived; ++i) {
      const Input input = mutator.next();
      checksum = checksum_of(input, checksum);
      run(input);
    }
  }
  std::printf("%zu files, %llu derived inputs, checksum %016llx\n", seeds.size(),
              static_cast<unsigned long long>(derived), static_cast<unsigned long long>(checksum));
  return seeds.empty();
}
