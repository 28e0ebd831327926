// Lifetimes of slots, and the assignment of arena offsets: the largest buffer first.
#include "plan/memory/arena.h"

#include <algorithm>

#include "core/check.h"
#include "core/word_map.h"

namespace wick::plan {
namespace {

constexpr size_t kAlign = 64;

size_t aligned(size_t offset) { return (offset + kAlign - 1) / kAlign * kAlign; }

void mark_used(const Recipe& recipe, std::vector<size_t>& last) {
  if (recipe.kind == Recipe::Kind::kTensor) last[recipe.tensor] = SIZE_MAX;
  for (const Recipe& item : recipe.items) mark_used(item, last);
}

bool is_placed(const SlotInfo& info, Slot slot, const Lifetimes& lifetimes) {
  return info.kind == SlotInfo::Kind::kArena && lifetimes.first_use_of_buffer(slot) != SIZE_MAX;
}

// The buffers of the arena, the largest first, so that small ones fit between them; equal ones in the order of slots.
std::vector<Slot> by_size(const std::vector<SlotInfo>& slots, const Lifetimes& lifetimes) {
  std::vector<KeyedWord> order;
  for (Slot slot = 0; slot < slots.size(); ++slot) {
    if (is_placed(slots[slot], slot, lifetimes)) order.push_back({SIZE_MAX - slots[slot].nbytes, slot});
  }
  sort_by_key(order);
  // Sorting leaves equal keys in any order.
  uint64_t rank = 0;
  for (size_t k = 0, next = 0; k < order.size(); ++k) {
    if (k == next) {
      for (++rank; next < order.size() && order[next].key == order[k].key;) ++next;
    }
    order[k].word |= rank << 32;
  }
  for (KeyedWord& o : order) o.key = o.word;
  sort_by_key(order);
  std::vector<Slot> out;
  out.reserve(order.size());
  for (const KeyedWord& o : order) out.push_back(static_cast<Slot>(o.word));
  return out;
}

// The buffers that have their offset, to be found by the steps at which they are in use. Each operation takes time in
// proportion to the logarithm of their number, and to what it finds.
class Neighbors {
 public:
  Neighbors(const std::vector<SlotInfo>& slots, const Lifetimes& lifetimes) : slots_(slots), lifetimes_(lifetimes) {
    size_t steps = 1;
    for (Slot slot = 0; slot < slots.size(); ++slot) {
      if (!is_placed(slots[slot], slot, lifetimes)) continue;
      by_first_.push_back({lifetimes.first_use_of_buffer(slot), slot});
      steps = std::max(steps, lifetimes.last_use_of_buffer(slot) + 1);
    }
    sort_by_key(by_first_);
    position_.resize(slots.size());
    for (size_t k = 0; k < by_first_.size(); ++k) position_[by_first_[k].word] = static_cast<uint32_t>(k);
    for (leaves_ = 1; leaves_ < std::max(steps, by_first_.size());) leaves_ *= 2;
    last_.resize(2 * leaves_);
    top_.resize(2 * leaves_);
    covered_.resize(2 * leaves_);
  }

  // The offsets and ends of those in use at the same time; false when there are too many to look at.
  bool find(Slot own, std::vector<KeyedWord>& out) const {
    out.clear();
    return collect(1, 0, leaves_, own, out);
  }
  // An offset above all of them.
  size_t top(Slot own) const { return aligned(top(1, 0, leaves_, own)); }

  void place(Slot own) {
    for (size_t node = leaves_ + position_[own]; node > 0; node /= 2) {
      last_[node] = std::max(last_[node], lifetimes_.last_use_of_buffer(own) + 1);
    }
    raise(1, 0, leaves_, own);
  }

 private:
  static constexpr size_t kMaxNeighbors = 512;

  // Those in use at `own`'s first step or begun before its last: positions in the tree are by first step, and a node
  // knows the last step of all below it.
  bool collect(size_t node, size_t from, size_t to, Slot own, std::vector<KeyedWord>& out) const {
    if (from >= by_first_.size() || by_first_[from].key > lifetimes_.last_use_of_buffer(own) ||
        last_[node] <= lifetimes_.first_use_of_buffer(own)) {
      return true;
    }
    if (to - from == 1) {
      const SlotInfo& info = slots_[by_first_[from].word];
      out.push_back({info.arena_offset, info.arena_offset + info.nbytes});
      return out.size() <= kMaxNeighbors;
    }
    const size_t middle = (from + to) / 2;
    return collect(2 * node, from, middle, own, out) && collect(2 * node + 1, middle, to, own, out);
  }

  // How the steps [from, to) lie to those at which a buffer is in use.
  bool is_apart(size_t from, size_t to, Slot own) const {
    return to <= lifetimes_.first_use_of_buffer(own) || from > lifetimes_.last_use_of_buffer(own);
  }
  bool is_within(size_t from, size_t to, Slot own) const {
    return from >= lifetimes_.first_use_of_buffer(own) && to <= lifetimes_.last_use_of_buffer(own) + 1;
  }

  void raise(size_t node, size_t from, size_t to, Slot own) {
    if (is_apart(from, to, own)) return;
    const size_t end = slots_[own].arena_offset + slots_[own].nbytes;
    top_[node] = std::max(top_[node], end);
    if (is_within(from, to, own)) {
      covered_[node] = std::max(covered_[node], end);
      return;
    }
    raise(2 * node, from, (from + to) / 2, own);
    raise(2 * node + 1, (from + to) / 2, to, own);
  }
  size_t top(size_t node, size_t from, size_t to, Slot own) const {
    if (is_apart(from, to, own)) return 0;
    if (is_within(from, to, own)) return top_[node];
    const size_t middle = (from + to) / 2;
    return std::max({covered_[node], top(2 * node, from, middle, own), top(2 * node + 1, middle, to, own)});
  }

  const std::vector<SlotInfo>& slots_;
  const Lifetimes& lifetimes_;
  std::vector<KeyedWord> by_first_;  // buffers by their first step
  std::vector<uint32_t> position_;   // by slot: in by_first_
  size_t leaves_;                    // a power of two
  // By node of a tree over by_first_: the last step at which one of those below that have an offset is used, plus one.
  std::vector<size_t> last_;
  // By node of a tree over steps: the greatest end of buffers in use at one of them, and at all of them.
  std::vector<size_t> top_, covered_;
};

}  // namespace

Lifetimes::Lifetimes(const std::vector<SlotInfo>& slots, const std::vector<Emission>& emissions,
                     const std::vector<std::pair<uint32_t, Recipe>>& changes)
    : last_(slots.size(), 0), buffer_first_(slots.size(), SIZE_MAX), buffer_last_(slots.size(), 0) {
  // Most slots come after their base.
  std::vector<Slot> roots(slots.size());
  for (Slot slot = 0; slot < slots.size(); ++slot) {
    Slot at = slot;
    while (slots[at].base != kNoSlot && at >= slot) at = slots[at].base;
    roots[slot] = at < slot ? roots[at] : at;
  }
  for (size_t e = 0; e < emissions.size(); ++e) {
    const auto use = [&](Slot slot) {
      last_[slot] = e;
      const Slot buffer = roots[slot];
      buffer_first_[buffer] = std::min(buffer_first_[buffer], e);
      buffer_last_[buffer] = e;
    };
    for (Slot slot : emissions[e].reads) use(slot);
    for (Slot slot : emissions[e].writes) use(slot);
  }
  for (const auto& [reg, recipe] : changes) mark_used(recipe, last_);
}

size_t assign_arena(std::vector<SlotInfo>& slots, const Lifetimes& lifetimes) {
  Neighbors neighbors(slots, lifetimes);
  size_t total = 0;
  std::vector<KeyedWord> taken;  // [key, word) of those in use at the same time
  for (const Slot own : by_size(slots, lifetimes)) {
    SlotInfo& info = slots[own];
    size_t at = 0;
    if (neighbors.find(own, taken)) {
      sort_by_key(taken);
      for (const auto& [from, to] : taken) {
        if (at + info.nbytes <= from) break;
        at = std::max(at, aligned(to));
      }
    } else {
      at = neighbors.top(own);
    }
    WICK_CHECK(at <= SIZE_MAX / 2 - info.nbytes, kOutOfMemory, "the plan needs more memory than there is");
    info.arena_offset = at;
    neighbors.place(own);
    total = std::max(total, at + info.nbytes);
  }
  return total;
}

}  // namespace wick::plan
