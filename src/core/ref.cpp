#include "wick/ref.h"

#include <algorithm>
#include <new>

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
      auto** grown = new (std::nothrow) const RefCounted*[larger];
      if (!grown) return false;
      std::copy_n(objects, count, grown);
      delete[] objects;
      objects = grown;
      capacity = larger;
    }
    objects[count++] = object;
    return true;
  }
};
thread_local Waiting t_waiting;

}  // namespace

void RefCounted::destroy(const RefCounted* object) noexcept {
  Waiting& waiting = t_waiting;
  if (waiting.depth >= kMaxDepth && waiting.add(object)) return;
  ++waiting.depth;
  delete object;
  // What an object frees waits its turn again once it is deep.
  while (waiting.depth == 1 && waiting.count > 0) delete waiting.objects[--waiting.count];
  if (--waiting.depth > 0 || !waiting.objects) return;
  delete[] waiting.objects;
  waiting.objects = nullptr;
  waiting.capacity = 0;
}

}  // namespace wick
