// Finishing a program: dead dispatches, lifetimes and places in memory.
#include "gpu/program.h"

#include <algorithm>

namespace wick::gpu {
namespace {

uint64_t aligned(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

void drop_dead(Program& program) {
  std::vector<bool> used(program.memory.size());
  for (const Transfer& t : program.outputs) used[t.memory] = true;
  std::vector<Dispatch> kept;
  for (size_t d = program.dispatches.size(); d-- > 0;) {
    Dispatch& dispatch = program.dispatches[d];
    if (!used[dispatch.write]) continue;
    for (MemoryId id : dispatch.reads) {
      if (id != kNoMemory) used[id] = true;
    }
    kept.push_back(std::move(dispatch));
  }
  std::reverse(kept.begin(), kept.end());
  program.dispatches = std::move(kept);
  std::erase_if(program.inputs, [&](const Transfer& t) { return !used[t.memory]; });
}

struct Life {
  size_t first = SIZE_MAX, last = 0;
  bool meets(const Life& other) const { return first <= other.last && other.first <= last; }
};

}  // namespace

void finish(Program& program, uint64_t alignment) {
  drop_dead(program);
  const uint64_t step = std::max<uint64_t>(alignment, 256);
  std::vector<Life> lives(program.memory.size());
  for (size_t d = 0; d < program.dispatches.size(); ++d) {
    const auto note = [&](MemoryId id) {
      if (id == kNoMemory) return;
      lives[id].first = std::min(lives[id].first, d);
      lives[id].last = d;
    };
    for (MemoryId id : program.dispatches[d].reads) note(id);
    note(program.dispatches[d].write);
  }
  std::vector<MemoryId> arena;
  for (const Transfer& t : program.inputs) {
    program.memory[t.memory].offset = program.input_bytes;
    program.input_bytes += aligned(program.memory[t.memory].bytes, step);
  }
  for (const Transfer& t : program.outputs) {
    program.memory[t.memory].offset = program.output_bytes;
    program.output_bytes += aligned(program.memory[t.memory].bytes, step);
  }
  for (MemoryId id = 0; id < program.memory.size(); ++id) {
    if (program.memory[id].kind == Memory::Kind::kArena && lives[id].first != SIZE_MAX) arena.push_back(id);
  }
  // The largest first, each at the lowest place that is free during its life.
  std::stable_sort(arena.begin(), arena.end(),
                   [&](MemoryId a, MemoryId b) { return program.memory[a].bytes > program.memory[b].bytes; });
  std::vector<MemoryId> placed;  // by offset
  for (MemoryId id : arena) {
    Memory& memory = program.memory[id];
    const uint64_t size = aligned(memory.bytes, step);
    uint64_t at = 0;
    for (MemoryId other : placed) {
      const Memory& there = program.memory[other];
      if (!lives[id].meets(lives[other])) continue;
      if (at + size <= there.offset) break;
      at = std::max(at, there.offset + aligned(there.bytes, step));
    }
    memory.offset = at;
    program.arena_bytes = std::max(program.arena_bytes, at + size);
    const auto before = std::upper_bound(placed.begin(), placed.end(), at, [&](uint64_t offset, MemoryId other) {
      return offset < program.memory[other].offset;
    });
    placed.insert(before, id);
  }
}

}  // namespace wick::gpu
