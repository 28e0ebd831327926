// The keys of packed weights, and their lookup by hash.
#include "plan/memory/pack_cache.h"

#include <utility>

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

void PackCache::add(const PackKey& key, Packed form, size_t form_bytes) {
  add({key, std::move(form), form_bytes, 0});
  bytes += form_bytes;
}

void PackCache::add(Entry entry) {
  uint64_t& first = first_[entry.key.hash()];
  entry.next = first;
  entries_.push_back(std::move(entry));
  first = entries_.size();
}

void PackCache::drop_unused() {
  first_ = WordMap();
  sources = WordSet();
  for (Entry& entry : std::exchange(entries_, {})) {
    if (entry.form.use_count() == 1) {
      bytes -= entry.bytes;
      continue;
    }
    for (const Tensor& t : entry.key.tensors()) {
      if (t.defined() && t.dim() >= 2) sources.insert(t.raw_data());
    }
    add(std::move(entry));
  }
  if (entries_.empty()) memory = PackMemory();
  if constexpr (kSharesFolds) folds.drop_unused();
}

}  // namespace wick::plan
