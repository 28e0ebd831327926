#include "wick/ref.h"

#include <new>
#include <vector>

namespace wick {
namespace {

constexpr int kMaxDepth = 64;
thread_local int t_depth = 0;
thread_local std::vector<const RefCounted*>* t_waiting = nullptr;

// False when there is no memory for the list.
bool wait(const RefCounted* object) noexcept {
  try {
    if (!t_waiting) t_waiting = new std::vector<const RefCounted*>;
    t_waiting->push_back(object);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace

void RefCounted::destroy(const RefCounted* object) noexcept {
  if (t_depth >= kMaxDepth && wait(object)) return;
  ++t_depth;
  delete object;
  --t_depth;
  if (t_depth > 0 || !t_waiting) return;
  while (!t_waiting->empty()) {
    const RefCounted* next = t_waiting->back();
    t_waiting->pop_back();
    t_depth = 1;  // what it frees waits its turn again once it is deep
    delete next;
    t_depth = 0;
  }
  delete t_waiting;
  t_waiting = nullptr;
}

}  // namespace wick
