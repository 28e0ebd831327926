// Uses: which steps of a trace use each tensor, and which tensors are used after it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/word_set.h"
#include "plan/record/trace.h"

namespace wick::plan {

class Uses {
 public:
  explicit Uses(Trace& trace);

  // Steps, once for every use.
  const std::vector<uint32_t>& users(TensorId id) const { return users_[id]; }
  // Whether the tensor is used after the trace.
  bool leaves(TensorId id) const { return leaves_[id]; }
  // Whether a tensor of the storage is.
  bool storage_leaves(uint32_t storage) const { return leaving_storages_.contains(storage); }
  bool is_unused(TensorId id) const { return users_[id].empty() && !leaves_[id]; }

 private:
  std::vector<std::vector<uint32_t>> users_;  // by tensor
  std::vector<bool> leaves_;                  // by tensor
  WordSet leaving_storages_;
};

}  // namespace wick::plan
