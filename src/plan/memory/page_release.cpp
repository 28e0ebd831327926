// Releases the pages of packed weights, piece by piece while weights are packed and as a whole at the end.
#include "plan/memory/page_release.h"

#include <algorithm>

#include "core/pages.h"

namespace wick::plan {
namespace {

constexpr size_t kReleasedAtOnce = size_t{1} << 20;

}  // namespace

void PageRelease::add(const std::vector<Tensor>& packed) {
  for (const Tensor& t : packed) {
    if (!t.defined() || !t.is_contiguous()) continue;
    all_.add(t);
    lately_.add(t);
    lately_packed_.push_back(t);
  }
  if (lately_.bytes < kReleasedAtOnce) return;
  if (!lately_.release()) {
    for (const Tensor& t : lately_packed_) release_file_pages(t.raw_data(), t.nbytes());
  }
  lately_ = {};
  lately_packed_.clear();
}

void PageRelease::Range::add(const Tensor& t) {
  const auto at = reinterpret_cast<uintptr_t>(t.raw_data());
  begin = std::min(begin, at);
  end = std::max(end, at + t.nbytes());
  bytes += t.nbytes();
}

// Weights of a file are adjacent: what is between them is released as well.
bool PageRelease::Range::release() const {
  if (begin >= end || (end - begin) / 2 > bytes) return false;
  release_file_pages(reinterpret_cast<const void*>(begin), end - begin);
  return true;
}

}  // namespace wick::plan
