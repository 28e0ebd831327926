// Lifetimes of slots, and offsets in the arena: buffers that are in use at the same time do not overlap.
#pragma once

#include <vector>

#include "plan/emission.h"
#include "plan/memory/slots.h"

namespace wick::plan {

class Lifetimes {
 public:
  Lifetimes(const std::vector<SlotInfo>& slots, const std::vector<Emission>& emissions,
            const std::vector<std::pair<uint32_t, Recipe>>& changes);

  // The last step that uses this very slot; SIZE_MAX: it is used after the plan.
  size_t last_use(Slot slot) const { return last_[slot]; }
  // Of a buffer in the arena, with everything that shares its memory: the steps from which to which it is in use.
  size_t first_use_of_buffer(Slot slot) const { return buffer_first_[slot]; }
  size_t last_use_of_buffer(Slot slot) const { return buffer_last_[slot]; }

 private:
  std::vector<size_t> last_, buffer_first_, buffer_last_;
};

// Gives every arena slot its offset; returns the size of the arena in bytes.
size_t assign_arena(std::vector<SlotInfo>& slots, const Lifetimes& lifetimes);

}  // namespace wick::plan
