// Prefetch of weights that later steps read, to the second-level cache while a product computes: it needs little of the
// memory's bandwidth then, and a step that does little else than read weights finds some of them in the cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/selected.h"

namespace wick::kernels {

// A selective build does not prefetch.
inline constexpr bool kPrefetches = kAllTiles;
inline constexpr int64_t kLineBytes = 64;

// Walks over pieces of memory in the order they are needed in.
class Prefetcher {
 public:
  struct Piece {
    const char* begin;
    int64_t bytes;
    int64_t before;  // bytes of the pieces before it
  };
  Prefetcher(const Piece* pieces, size_t count) : pieces_(pieces), count_(count) {}

  // Pieces before `first` are not needed any more, and none beyond the first `limit` bytes of all are yet.
  void set(size_t first, int64_t limit) {
    if (at_ < first) done_ = 0;
    at_ = std::max(at_, first);
    limit_ = limit;
  }
  // Bytes to fetch from at() on; 0: none.
  int64_t left() const {
    if (at_ == count_) return 0;
    return std::max<int64_t>(0, std::min(pieces_[at_].bytes, limit_ - pieces_[at_].before) - done_);
  }
  const char* at() const { return pieces_[at_].begin + done_; }
  // So many are on their way; maybe some more than left().
  void advance(int64_t bytes) {
    done_ += bytes;
    if (done_ < pieces_[at_].bytes) return;
    ++at_;
    done_ = 0;
  }

 private:
  const Piece* const pieces_;
  const size_t count_;
  size_t at_ = 0;
  int64_t done_ = 0;  // of the piece at_
  int64_t limit_ = 0;
};

// Of the plan that this thread runs; null: none.
inline constinit thread_local Prefetcher* t_prefetcher = nullptr;

}  // namespace wick::kernels
