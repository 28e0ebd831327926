// Destroys reference-counted objects without deep recursion.
#include "wick/ref.h"

#include <algorithm>

#include "core/memory.h"

namespace wick {
namespace {

constexpr int kMaxDepth = 64;

// Objects to delete when those that are being deleted are gone.
struct Waiting {
  int depth = 0;
  size_t count = 0, capacity = 0;
  const RefCounted** objects = nullptr;

  // False when there is no memory for the list.
  bool add(const RefCounted* object) noexcept {
    if (count == capacity) {
      const size_t larger = capacity ? capacity * 2 : 64;
      auto** grown = static_cast<const RefCounted**>(memory_or_null(larger * sizeof *objects));
      if (!grown) return false;
      std::copy_n(objects, count, grown);
      clear();
      objects = grown;
      capacity = larger;
    }
    objects[count++] = object;
    return true;
  }
  void clear() noexcept {
    free_memory(objects);
    objects = nullptr;
    capacity = 0;
  }
};
thread_local Waiting t_waiting;

}  // namespace

void RefCounted::destroy(const RefCounted* object) noexcept {
  Waiting* found = &t_waiting;
  asm("" : "+r"(found));  // looked up once
  Waiting& waiting = *found;
  if (waiting.depth >= kMaxDepth && waiting.add(object)) return;
  ++waiting.depth;
  delete object;
  // What an object frees waits its turn again once it is deep.
  while (waiting.depth == 1 && waiting.count > 0) delete waiting.objects[--waiting.count];
  if (--waiting.depth == 0 && waiting.objects) waiting.clear();
}

}  // namespace wick
