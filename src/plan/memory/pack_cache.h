// PackCache: weights in the kernels' forms, shared by all plans of a method.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/word_set.h"
#include "plan/memory/fold_cache.h"
#include "plan/memory/pack_memory.h"
#include "wick/tensor.h"

namespace wick::plan {

// Weights in a kernel's form.
using Packed = std::shared_ptr<const float>;

// What a packed form was made of: tensors, and numbers that name the form.
class PackKey {
 public:
  PackKey(std::vector<Tensor> tensors, std::vector<int64_t> numbers);
  bool operator==(const PackKey& other) const { return parts_ == other.parts_; }
  uint64_t hash() const;
  const std::vector<Tensor>& tensors() const { return tensors_; }

 private:
  std::vector<Tensor> tensors_;  // kept, so that their addresses stay theirs
  std::vector<int64_t> parts_;
};

class PackCache {
 public:
  // Null: it is to be made.
  Packed find(const PackKey& key) const;
  void add(const PackKey& key, Packed form, size_t form_bytes);
  // Gives up what no plan uses any more.
  void drop_unused();
  // What it takes: smaller forms share blocks of memory, which stay until the last of them goes.
  size_t kept_bytes() const;

  std::shared_ptr<FoldCache> folds;  // made when the first is shared
  PackMemory memory;
  WordSet sources;  // elements that something was packed of
  size_t bytes = 0;

 private:
  struct Entry {
    PackKey key;
    Packed form;  // null: it was given up
    size_t bytes;
    uint64_t next;  // one more than the index of another of the same hash
  };
  WordMap first_;  // by hash: one more than an index
  std::vector<Entry> entries_;
};

}  // namespace wick::plan
