// The keys of packed weights, and their lookup by hash.
#include "plan/memory/pack_cache.h"

namespace wick::plan {

PackKey::PackKey(std::vector<Tensor> tensors, std::vector<int64_t> numbers)
    : tensors_(std::move(tensors)), parts_(std::move(numbers)) {
  for (const Tensor& t : tensors_) {
    parts_.push_back(t.defined() ? static_cast<int64_t>(reinterpret_cast<intptr_t>(t.raw_data())) : 0);
    if (!t.defined()) continue;
    parts_.insert(parts_.end(), t.sizes().begin(), t.sizes().end());
    parts_.insert(parts_.end(), t.strides().begin(), t.strides().end());
  }
}

uint64_t PackKey::hash() const {
  uint64_t hash = parts_.size();
  for (int64_t part : parts_) hash = scatter(hash ^ static_cast<uint64_t>(part));
  return hash;
}

Packed PackCache::find(const PackKey& key) const {
  for (uint64_t at = first_.get(key.hash()); at != 0; at = entries_[at - 1].next) {
    if (entries_[at - 1].key == key) return entries_[at - 1].form;
  }
  return nullptr;
}

void PackCache::add(const PackKey& key, Packed form) {
  uint64_t& first = first_[key.hash()];
  entries_.push_back({key, std::move(form), first});
  first = entries_.size();
}

}  // namespace wick::plan
