// A set of numbers or addresses over WordMap.
#pragma once

#include "core/word_map.h"

namespace wick {

class WordSet {
 public:
  // Whether it was not there before.
  bool insert(uint64_t key) {
    uint64_t& word = map_[key];
    const bool is_new = word == 0;
    word = 1;
    is_empty_ = false;
    return is_new;
  }
  bool insert(const void* key) { return insert(reinterpret_cast<uintptr_t>(key)); }
  bool contains(uint64_t key) const noexcept { return map_.find(key) != nullptr; }
  bool contains(const void* key) const noexcept { return map_.find(key) != nullptr; }
  bool empty() const noexcept { return is_empty_; }

 private:
  WordMap map_;
  bool is_empty_ = true;
};

}  // namespace wick
