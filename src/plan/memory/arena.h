// Which slots are in use when, and where in the arena they lie.
#pragma once

#include <vector>

#include "plan/builder.h"

namespace wick::plan {

class Lifetimes {
 public:
  Lifetimes(const std::vector<SlotInfo>& slots, const std::vector<Emission>& emissions,
            const std::vector<std::pair<uint32_t, Recipe>>& changes);

  // The last step that uses this very slot; SIZE_MAX: it is used after the plan.
  size_t last_use(Slot slot) const { return last_[slot]; }
  // Of a place in the arena, with everything that shares its memory: the steps from which to which it is in use.
  size_t first_of_place(Slot slot) const { return place_first_[slot]; }
  size_t last_of_place(Slot slot) const { return place_last_[slot]; }

 private:
  std::vector<size_t> last_, place_first_, place_last_;
};

// Gives every arena slot its offset; returns the size of the arena in bytes.
size_t assign_arena(std::vector<SlotInfo>& slots, const Lifetimes& lifetimes);

}  // namespace wick::plan
