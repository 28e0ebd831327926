// Arenas and scratch memory that runs hand on to later ones.
#include "plan/memory/run_memory.h"

#include <utility>

namespace wick::plan {

RunMemory RunMemories::take(size_t arena_bytes) {
  RunMemory memory;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      memory = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (!memory.arena) memory.arena = make_ref<StorageImpl>(arena_bytes);
  if (memory.arena->nbytes() < arena_bytes) memory.arena->resize(arena_bytes);
  return memory;
}

void RunMemories::put(RunMemory memory, bool keeps_one) {
  const std::lock_guard lock(mutex_);
  drop_larger_arena(memory);
  if (!keeps_one || free_.empty()) free_.push_back(std::move(memory));
}

void RunMemories::drop_larger(Bounds bounds) {
  const std::lock_guard lock(mutex_);
  largest_arena_ = bounds.arena;
  for (RunMemory& memory : free_) {
    drop_larger_arena(memory);
    if (memory.scratch.size() * sizeof(float) > bounds.scratch) memory.scratch = kernels::Scratch<float>();
  }
}

void RunMemories::drop_larger_arena(RunMemory& memory) const {
  if (memory.arena && memory.arena->nbytes() > largest_arena_) memory.arena = Storage();
}

}  // namespace wick::plan
