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
    if (entries_[at - 1].form && entries_[at - 1].key == key) return entries_[at - 1].form;
  }
  return nullptr;
}

void PackCache::add(const PackKey& key, Packed form, size_t form_bytes) {
  bytes += form_bytes;
  uint64_t& first = first_[key.hash()];
  for (uint64_t at = first; at != 0; at = entries_[at - 1].next) {
    Entry& entry = entries_[at - 1];
    if (!(entry.key == key)) continue;
    entry.form = std::move(form);
    entry.bytes = form_bytes;
    return;
  }
  entries_.push_back({key, std::move(form), form_bytes, first});
  first = entries_.size();
}

void PackCache::drop_unused() {
  if constexpr (kSharesFolds) {
    const std::vector<Entry> all = std::exchange(entries_, {});
    first_ = WordMap();
    sources = WordSet();
    bytes = 0;
    for (const Entry& entry : all) {
      if (entry.form.use_count() == 1) continue;
      for (const Tensor& t : entry.key.tensors()) {
        if (t.defined() && t.dim() >= 2) sources.insert(t.raw_data());
      }
      add(entry.key, entry.form, entry.bytes);
    }
    if (entries_.empty()) memory = PackMemory();
    if (folds) folds->drop_unused();
  } else {
    for (Entry& entry : entries_) {
      // Smaller ones share their memory.
      if (entry.bytes < PackMemory::kLarge || entry.form.use_count() != 1) continue;
      entry.form = nullptr;
      bytes -= entry.bytes;
    }
  }
}

size_t PackCache::kept_bytes() const {
  if constexpr (!kSharesFolds) return bytes;
  return memory.bytes() + (folds ? folds->bytes() : 0);
}

}  // namespace wick::plan
