// Memory of packed weights. They are placed in large blocks, for which the system has huge pages: taking memory
// page by page would be a good part of the first run.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace wick::plan {

class PackMemory {
 public:
  // What is as large as this has a block of its own.
  static constexpr size_t kLarge = size_t{2} << 20;
  // About so many more bytes will be taken in smaller pieces; blocks are made for them.
  void expect(size_t bytes) { expected_ = bytes; }
  // So many of the bytes that were expected are among what was taken.
  void note(size_t bytes) { expected_ -= bytes < expected_ ? bytes : expected_; }
  // Uninitialized, aligned to a cache line. Its count of users is its own where folds are shared (fold_cache.h), its
  // block's elsewhere. Throws std::bad_alloc.
  std::shared_ptr<float> take(size_t elements);
  // Of all blocks that are there; counted where folds are shared.
  size_t bytes() const { return bytes_ ? bytes_->load() : 0; }

 private:
  std::shared_ptr<float> make_block(size_t bytes);

  std::shared_ptr<float> block_;  // the latest
  size_t used_ = 0, size_ = 0;    // of it, in elements
  size_t expected_ = 0;
  std::shared_ptr<std::atomic<size_t>> bytes_;
};

}  // namespace wick::plan
