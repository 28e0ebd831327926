// Hash maps from words and names, keyed per process against collision attacks, and a sort of words.
#include "core/word_map.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>
#if !defined(__x86_64__) && !defined(__aarch64__)
#include <chrono>
#endif

namespace wick {

namespace {

constinit std::atomic<uint64_t> g_seed{0};  // not zero once it is made

uint64_t time_now() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

uint64_t make_seed() noexcept {
  const uint64_t seed = (time_now() * 0x9e3779b97f4a7c15u ^ reinterpret_cast<uintptr_t>(&g_seed)) | 1;
  uint64_t known = 0;
  return g_seed.compare_exchange_strong(known, seed) ? seed : known;
}

}  // namespace

size_t scatter(uint64_t h) noexcept {
  const uint64_t seed = g_seed.load(std::memory_order_relaxed);
  h ^= seed != 0 ? seed : make_seed();
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

size_t hash_of_text(std::string_view text) noexcept {
  size_t h = scatter(text.size());
  for (; !text.empty(); text.remove_prefix(std::min<size_t>(text.size(), 8))) {
    uint64_t word = 0;
    std::memcpy(&word, text.data(), std::min<size_t>(text.size(), 8));
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  }
  return h;
}

// The key's slot, or the free one where it would go. There is always a free one.
WordMap::Slot* WordMap::place(uint64_t key) noexcept {
  size_t at = scatter(key);
  while (true) {
    Slot* slot = &slots_[at++ & (slots_.size() - 1)];
    if (!slot->used || slot->key == key) return slot;
  }
}

const uint64_t* WordMap::find(uint64_t key) const noexcept {
  if (slots_.empty()) return nullptr;
  const Slot* slot = const_cast<WordMap*>(this)->place(key);
  return slot->used ? &slot->word : nullptr;
}

uint64_t& WordMap::operator[](uint64_t key) {
  if (count_ * 2 >= slots_.size()) {
    std::vector<Slot> old(slots_.empty() ? 8 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.used) *place(slot.key) = slot;
    }
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
  const uint64_t found = find(name, first_.get(hash_of_text(name)));
  return found != 0 ? entries_[found - 1].word : 0;
}

uint64_t& NameMap::operator[](std::string_view name) {
  uint64_t& first = first_[hash_of_text(name)];
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
