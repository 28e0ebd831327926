// Lifetimes of slots, and the assignment of arena offsets: the largest buffer first.
#include "plan/memory/arena.h"

#include <algorithm>
#include <numeric>

#include "core/check.h"

namespace wick::plan {
namespace {

constexpr size_t kAlign = 64;

void mark_used(const Recipe& recipe, std::vector<size_t>& last) {
  if (recipe.kind == Recipe::Kind::kTensor) last[recipe.tensor] = SIZE_MAX;
  for (const Recipe& item : recipe.items) mark_used(item, last);
}

}  // namespace

Lifetimes::Lifetimes(const std::vector<SlotInfo>& slots, const std::vector<Emission>& emissions,
                     const std::vector<std::pair<uint32_t, Recipe>>& changes)
    : last_(slots.size(), 0), buffer_first_(slots.size(), SIZE_MAX), buffer_last_(slots.size(), 0) {
  const auto root = [&](Slot slot) {
    while (slots[slot].base != kNoSlot) slot = slots[slot].base;
    return slot;
  };
  for (size_t e = 0; e < emissions.size(); ++e) {
    const auto use = [&](Slot slot) {
      last_[slot] = e;
      const Slot buffer = root(slot);
      buffer_first_[buffer] = std::min(buffer_first_[buffer], e);
      buffer_last_[buffer] = e;
    };
    for (Slot slot : emissions[e].reads) use(slot);
    for (Slot slot : emissions[e].writes) use(slot);
  }
  for (const auto& [reg, recipe] : changes) mark_used(recipe, last_);
}

size_t assign_arena(std::vector<SlotInfo>& slots, const Lifetimes& lifetimes) {
  std::vector<Pair> order;  // by size: the largest first, so that small ones fit between them
  for (Slot slot = 0; slot < slots.size(); ++slot) {
    if (slots[slot].kind == SlotInfo::Kind::kArena && lifetimes.first_use_of_buffer(slot) != SIZE_MAX) {
      insert_in_order(order, {SIZE_MAX - slots[slot].nbytes, slot});
    }
  }
  size_t total = 0;
  std::vector<Pair> taken;  // [from, to) of those in use at the same time
  for (size_t k = 0; k < order.size(); ++k) {
    const auto own = static_cast<Slot>(order[k].second);
    SlotInfo& info = slots[own];
    taken.clear();
    for (size_t j = 0; j < k; ++j) {
      const auto other = static_cast<Slot>(order[j].second);
      if (lifetimes.first_use_of_buffer(other) <= lifetimes.last_use_of_buffer(own) &&
          lifetimes.first_use_of_buffer(own) <= lifetimes.last_use_of_buffer(other)) {
        insert_in_order(taken, {slots[other].arena_offset, slots[other].arena_offset + slots[other].nbytes});
      }
    }
    size_t at = 0;
    for (const auto& [from, to] : taken) {
      if (at + info.nbytes <= from) break;
      at = std::max(at, (to + kAlign - 1) / kAlign * kAlign);
    }
    WICK_CHECK(at <= SIZE_MAX / 2 - info.nbytes, kOutOfMemory, "the plan needs more memory than there is");
    info.arena_offset = at;
    total = std::max(total, at + info.nbytes);
  }
  return total;
}

}  // namespace wick::plan
