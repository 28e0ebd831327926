// Arenas and scratch memory that runs hand on to later ones.
#include "plan/memory/run_memory.h"

#include <algorithm>
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
  scratch_bytes_ = std::max(scratch_bytes_, memory.scratch.size() * sizeof(float));
  if (!keeps_one || free_.empty()) free_.push_back(std::move(memory));
}

void RunMemories::drop_larger(size_t arena_bytes) {
  const std::lock_guard lock(mutex_);
  for (RunMemory& memory : free_) {
    if (memory.arena && memory.arena->nbytes() > arena_bytes) memory.arena = Storage();
  }
}

size_t RunMemories::scratch_bytes() const {
  const std::lock_guard lock(mutex_);
  return scratch_bytes_;
}

}  // namespace wick::plan
