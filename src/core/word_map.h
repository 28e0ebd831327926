// Maps from numbers, pointers and names to words, and sorting of words: one body of code for every use, where templates
// of the C++ library have one a type. For the parts of the library where neither is what takes the time.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace wick {

// Spreads a hash over all bits, differently in every process: keys come from files, and could be chosen to collide.
size_t scatter(uint64_t hash) noexcept;
// A hash of a text, another one in every process.
size_t hash_of_text(std::string_view text) noexcept;

// Numbers or addresses to words.
class WordMap {
 public:
  // The word of the key; a new one is zero. Valid until the next key is added.
  uint64_t& operator[](uint64_t key);
  // Null when the key was never added.
  const uint64_t* find(uint64_t key) const noexcept;

  uint64_t& operator[](const void* key) { return (*this)[reinterpret_cast<uintptr_t>(key)]; }
  const uint64_t* find(const void* key) const noexcept { return find(reinterpret_cast<uintptr_t>(key)); }
  // Zero when the key was never added.
  uint64_t get(uint64_t key) const noexcept {
    const uint64_t* word = find(key);
    return word ? *word : 0;
  }

 private:
  struct Slot {
    uint64_t key;
    uint64_t word;
    bool used;
  };
  Slot* place(uint64_t key) noexcept;

  std::vector<Slot> slots_;  // as many as a power of two
  size_t count_ = 0;
};

// Names to words. The names are not copied: they must outlive the map, where they are.
class NameMap {
 public:
  // The word of the name; a new one is zero. Valid until the next name is added.
  uint64_t& operator[](std::string_view name);
  // Zero when the name was never added.
  uint64_t get(std::string_view name) const noexcept;

 private:
  // Names of one hash, which are few: `next` is one more than the place of another in entries_.
  struct Entry {
    std::string_view name;
    uint64_t word;
    uint64_t next;
  };
  uint64_t find(std::string_view name, uint64_t first) const noexcept;

  WordMap first_;  // by hash: one more than a place in entries_
  std::vector<Entry> entries_;
};

struct KeyedWord {
  uint64_t key;
  uint64_t word;
};
// Sorts by key; time is bounded by n log n, whatever the keys. Equal keys come in any order.
void sort_by_key(std::vector<KeyedWord>& words) noexcept;

}  // namespace wick
