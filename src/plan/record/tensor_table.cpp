// Ids of tensors by their handles, storages that are told apart by number, and early release of results.
#include "plan/record/tensor_table.h"

#include <algorithm>
#include <utility>

#include "core/pages.h"
#include "core/tensor_impl.h"

namespace wick::plan {
namespace {

// Freed memory goes back to the system when results have become so much smaller, the largest of so many in a row:
// the weights that are read from then on use it.
constexpr size_t kShrunk = 4;
constexpr size_t kWindow = 16;
constexpr size_t kWorthTrimming = size_t{1} << 20;

}  // namespace

TensorId TensorTable::id_of(const Tensor& t, TracedTensor::Origin origin) {
  uint64_t& known = ids_[t.impl()];
  if (known != 0) return static_cast<TensorId>(known - 1);
  const auto id = static_cast<TensorId>(trace_.tensors.size());
  known = uint64_t{id} + 1;
  uint64_t& storage = storages_[t.impl()->storage.get()];
  if (storage == 0) storage = ++storage_count_;
  TracedTensor traced{
      origin, t.dtype(), t.sizes(), t.strides(),        t.storage_offset(), static_cast<uint32_t>(storage - 1),
      0,      false,     {},        t.impl()->quantizer};
  if (origin == TracedTensor::Origin::kConstant) traced.constant = t;
  trace_.tensors.push_back(std::move(traced));
  held_.emplace_back(t.impl());
  fixed_before_.push_back(0);
  if (origin == TracedTensor::Origin::kConstant && !changed_.contains(t.impl()->storage.get())) fix(id);
  if (origin == TracedTensor::Origin::kComputed) alive_.push_back(id);
  return id;
}

bool TensorTable::is_fixed(const Tensor& t) const {
  const uint64_t* known = ids_.find(t.impl());
  return known && trace_.tensors[*known - 1].fixed;
}

void TensorTable::note_result(const Tensor& t, const TracedStep& step, uint32_t index) {
  if (ids_.find(t.impl())) return;
  const uint64_t now = uint64_t{index} + 1;
  if (std::exchange(noted_step_, now) != now) {
    for (const TracedValue& arg : step.args) {
      for (TensorId id : arg.ids) {
        if (id != kNoTensor) step_of_[held_[id]->storage.get()] = now;
      }
    }
  }
  // Several results of one step may share a new storage.
  const bool shared = std::exchange(step_of_[t.impl()->storage.get()], now) == now;
  if (!shared) storages_[t.impl()->storage.get()] = uint64_t{next_new_++} + 1;
  const TensorId id = id_of(t, TracedTensor::Origin::kComputed);
  trace_.tensors[id].step = index;
  trace_.tensors[id].storage = static_cast<uint32_t>(storages_[t.impl()->storage.get()] - 1);
}

bool TensorTable::keeps_shape(TensorId id) const {
  const TensorImpl& t = *held_[id];
  if (!t.storage) return true;
  const TracedTensor& noted = trace_.tensors[id];
  const uint64_t* storage = storages_.find(t.storage.get());
  return t.sizes == noted.sizes && t.strides == noted.strides && t.dtype == noted.dtype &&
         t.quantizer == noted.quantizer && storage != nullptr && *storage == uint64_t{noted.storage} + 1;
}

void TensorTable::fix(TensorId id) {
  TracedTensor& t = trace_.tensors[id];
  if (std::exchange(t.fixed, true)) return;
  fixed_before_[id] = std::exchange(fixed_of_[t.storage], uint64_t{id} + 1);
}

void TensorTable::unfix(uint32_t storage) {
  if (!fixed_of_.find(storage)) return;
  for (uint64_t at = std::exchange(fixed_of_[storage], 0); at != 0; at = fixed_before_[at - 1]) {
    trace_.tensors[at - 1].fixed = false;
  }
}

void TensorTable::sweep_at_times() {
  if (alive_.size() < next_sweep_) return;
  size_t kept = 0;
  for (TensorId id : alive_) {
    drop_if_dead(id);
    if (held_[id]->storage) alive_[kept++] = id;
  }
  alive_.resize(kept);
  next_sweep_ = std::max(2 * kept, kept + kSweepInterval);
}

void TensorTable::drop_if_dead(TensorId id) {
  if (id == kNoTensor || trace_.tensors[id].origin != TracedTensor::Origin::kComputed) return;
  if (held_[id]->use_count() != 1 || !held_[id]->storage) return;
  const size_t bytes = held_[id]->storage->nbytes();
  held_[id]->storage = Storage();
  largest_lately_ = std::max(largest_lately_, bytes);
  if (++dropped_ % kWindow != 0) return;
  if (largest_ >= kWorthTrimming && largest_lately_ * kShrunk <= largest_) {
    release_free_memory();
    largest_ = 0;
  }
  largest_ = std::max(largest_, std::exchange(largest_lately_, 0));
}

}  // namespace wick::plan
