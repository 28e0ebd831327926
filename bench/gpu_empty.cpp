// wick_gpu_empty N ...: what a command buffer costs that computes nothing. For each N, one line of JSON: the wall clock
// in milliseconds of submitting N dispatches of one element and waiting for them, where each waits for the one before
// it
// (`chain`) and where none does (`free`); medians of 50. The first line is about the device.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "core/check.h"
#include "gpu/replay.h"

namespace wick::gpu {
namespace {

Program program_of(size_t count, bool chain) {
  Program p;
  const auto add_memory = [&](Memory::Kind kind) {
    Memory memory;
    memory.kind = kind;
    memory.bytes = 4;
    p.memory.push_back(memory);
    return static_cast<MemoryId>(p.memory.size() - 1);
  };
  const MemoryId in = add_memory(Memory::Kind::kInput);
  p.inputs.push_back({0, in, {1}, {1}});
  MemoryId last = in;
  for (size_t k = 0; k < count; ++k) {
    Dispatch d;
    d.shader = Shader::k_copy;
    d.constants = {32, 1};
    d.push.add(1);
    for (int n = 0; n < 18; ++n) d.push.add(n < 6 ? 1 : 0);
    d.push.all_of(0, 0);
    d.reads[0] = last;
    d.write = add_memory(Memory::Kind::kOutput);
    if (chain) last = d.write;
    p.outputs.push_back({static_cast<uint32_t>(k + 1), d.write, {1}, {1}});
    d.name = "copy";
    p.dispatches.push_back(std::move(d));
  }
  return p;
}

double median_ms(const DevicePtr& device, size_t count, bool chain) {
  Program p = program_of(count, chain);
  finish(p, device->limits().alignment);
  Replay replay(device, std::make_shared<const Program>(std::move(p)));
  std::vector<double> times;
  for (int k = 0; k < 70; ++k) {
    const auto start = std::chrono::steady_clock::now();
    replay.run();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (k >= 20) times.push_back(took.count());
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

}  // namespace
}  // namespace wick::gpu

int main(int argc, char** argv) {
  using namespace wick::gpu;
  try {
    const DevicePtr device = Device::open({});
    const Limits& l = device->limits();
    std::printf(
        "{\"device\": \"%s\", \"invocations\": %u, \"shared_bytes\": %u, \"matrix\": [%u, %u, %u], \"subgroup\": %u}\n",
        device->name().c_str(), l.max_invocations, l.max_shared_bytes, l.matrix.m, l.matrix.n, l.matrix.k,
        l.matrix.subgroup);
    for (int k = 1; k < argc; ++k) {
      const auto count = static_cast<size_t>(std::strtoul(argv[k], nullptr, 10));
      std::printf("{\"dispatches\": %zu, \"chain\": %.4f, \"free\": %.4f}\n", count, median_ms(device, count, true),
                  median_ms(device, count, false));
    }
    return 0;
  } catch (const wick::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
