// Allocates packed weights in large blocks of huge pages.
#include "plan/memory/pack_memory.h"

#include <algorithm>
#include <cstdint>
#include <new>

#include "core/pages.h"
#include "plan/memory/fold_cache.h"

namespace wick::plan {
namespace {

constexpr size_t kLine = 64;
constexpr size_t kHugePage = size_t{2} << 20;
// What is left of a block when something does not fit is lost, unless it is more than this.
constexpr size_t kMostLost = size_t{256} << 10;

}  // namespace

std::shared_ptr<float> PackMemory::make_block(size_t bytes) {
  const std::align_val_t align{bytes >= kHugePage ? kHugePage : kLine};
  float* const memory = static_cast<float*>(::operator new(bytes, align));
  prefer_huge_pages(memory, bytes);
  if constexpr (kSharesFolds) {
    if (!bytes_) bytes_ = std::make_shared<std::atomic<size_t>>(0);
    *bytes_ += bytes;
    return {memory, [align, bytes, total = bytes_](float* data) {
              ::operator delete(data, align);
              *total -= bytes;
            }};
  } else {
    return {memory, [align](float* data) { ::operator delete(data, align); }};
  }
}

std::shared_ptr<float> PackMemory::take(size_t elements) {
  constexpr size_t kLineElements = kLine / sizeof(float);
  if (elements > PTRDIFF_MAX / sizeof(float) - kLineElements) throw std::bad_alloc();
  const size_t needed = (std::max<size_t>(elements, 1) + kLineElements - 1) / kLineElements * kLineElements;
  if (needed * sizeof(float) >= kLarge) return make_block(needed * sizeof(float));
  if (needed > size_ - used_) {
    if ((size_ - used_) * sizeof(float) > kMostLost) return make_block(needed * sizeof(float));
    const size_t bytes = std::max(needed * sizeof(float), expected_);
    block_ = make_block(bytes);
    size_ = bytes / sizeof(float);
    used_ = 0;
  }
  std::shared_ptr<float> taken;
  if constexpr (kSharesFolds) {
    taken = {block_.get() + used_, [block = block_](float*) {}};
  } else {
    taken = {block_, block_.get() + used_};
  }
  used_ += needed;
  return taken;
}

}  // namespace wick::plan
