// Compiles functions when they are first run.
#include "runtime/code_cache.h"

namespace wick::runtime {

CodeCache::~CodeCache() {
  for (const std::atomic<Slot*>& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
}

const Code& CodeCache::compiled(const ir::Function& function, Place place, const ir::Sharing* sharing) {
  const std::lock_guard lock(mutex_);
  Slot* chunk = chunks_[place.chunk].load(std::memory_order_relaxed);
  if (!chunk) {
    chunk = new Slot[size_t{1} << place.chunk]();
    chunks_[place.chunk].store(chunk, std::memory_order_release);
  }
  if (const Code* code = chunk[place.slot].load(std::memory_order_relaxed)) return *code;
  all_.push_back(compile(function, sharing));
  chunk[place.slot].store(all_.back().get(), std::memory_order_release);
  return *all_.back();
}

}  // namespace wick::runtime
