#include "core/word_map.h"

#include <chrono>
#include <functional>
#include <utility>

namespace wick {

size_t scatter(uint64_t h) noexcept {
  static const char anchor = 0;
  static const uint64_t seed =
      static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) * 0x9e3779b97f4a7c15u ^
      reinterpret_cast<uintptr_t>(&anchor);
  h ^= seed;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

// The key's slot, or the free one where it would go. There is always a free one.
WordMap::Slot* WordMap::place(uint64_t key) const noexcept {
  size_t at = scatter(key);
  while (true) {
    Slot* slot = &slots_[at++ & (capacity_ - 1)];
    if (!slot->used || slot->key == key) return slot;
  }
}

const uint64_t* WordMap::find(uint64_t key) const noexcept {
  if (capacity_ == 0) return nullptr;
  const Slot* slot = place(key);
  return slot->used ? &slot->word : nullptr;
}

uint64_t& WordMap::operator[](uint64_t key) {
  if (count_ * 2 >= capacity_) {
    WordMap larger;
    larger.capacity_ = capacity_ ? capacity_ * 2 : 8;
    larger.slots_ = std::make_unique<Slot[]>(larger.capacity_);
    larger.count_ = count_;
    for (size_t i = 0; i < capacity_; ++i) {
      if (slots_[i].used) *larger.place(slots_[i].key) = slots_[i];
    }
    *this = std::move(larger);
  }
  Slot* slot = place(key);
  if (!slot->used) {
    *slot = {key, 0, true};
    ++count_;
  }
  return slot->word;
}

uint64_t NameMap::find(std::string_view name, uint64_t first) const noexcept {
  for (; first != 0; first = entries_[first - 1].next) {
    if (entries_[first - 1].name == name) break;
  }
  return first;
}

uint64_t NameMap::get(std::string_view name) const noexcept {
  const uint64_t found = find(name, first_.get(std::hash<std::string_view>()(name)));
  return found != 0 ? entries_[found - 1].word : 0;
}

uint64_t& NameMap::operator[](std::string_view name) {
  uint64_t& first = first_[std::hash<std::string_view>()(name)];
  uint64_t found = find(name, first);
  if (found == 0) {
    entries_.push_back({name, 0, first});
    found = first = entries_.size();
  }
  return entries_[found - 1].word;
}

void sort_by_key(std::vector<KeyedWord>& words) noexcept {
  KeyedWord* const w = words.data();
  const auto sift = [w](size_t at, size_t count) {
    const KeyedWord moving = w[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
      if (child + 1 < count && w[child].key < w[child + 1].key) ++child;
      if (w[child].key <= moving.key) break;
      w[at] = w[child];
    }
    w[at] = moving;
  };
  // A heap with the largest on top; then the top goes to the end, time and again.
  size_t heap = words.size() / 2, count = words.size();
  while (count > 1) {
    if (heap > 0) {
      sift(--heap, count);
    } else {
      std::swap(w[0], w[--count]);
      sift(0, count);
    }
  }
}

}  // namespace wick
