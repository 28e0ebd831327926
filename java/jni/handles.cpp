// Handles: a table of slots with generations.
#include "handles.h"

namespace wick::java {

Handles::Slot* Handles::find(int64_t handle) const {
  const auto index = static_cast<uint32_t>(handle);
  if (index >= slots_.size()) return nullptr;
  Slot& slot = slots_[index];
  const bool is_live = slot.generation == static_cast<uint32_t>(static_cast<uint64_t>(handle) >> 32);
  return is_live && slot.object.index() != 0 ? &slot : nullptr;
}

int64_t Handles::add(Owned object) {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) {
    slots_.emplace_back();
    free_.reserve(slots_.capacity());  // so that releasing needs no memory
    free_.push_back(static_cast<uint32_t>(slots_.size() - 1));
  }
  const uint32_t index = free_.back();
  free_.pop_back();
  slots_[index].object = std::move(object);
  return static_cast<int64_t>(static_cast<uint64_t>(slots_[index].generation) << 32 | index);
}

void Handles::release(int64_t handle) noexcept {
  Owned object;  // destroyed after the lock is given back
  const std::lock_guard lock(mutex_);
  Slot* slot = find(handle);
  if (!slot) return;
  std::swap(object, slot->object);
  slot->object = std::monostate();
  // A slot whose numbers are used up is left alone.
  if (++slot->generation != 0) free_.push_back(static_cast<uint32_t>(handle));
}

template <class T>
T Handles::get(int64_t handle) const {
  const std::lock_guard lock(mutex_);
  const Slot* slot = find(handle);
  const T* object = slot ? std::get_if<T>(&slot->object) : nullptr;
  return object ? *object : T();
}
template std::shared_ptr<const Module> Handles::get(int64_t handle) const;
template Tensor Handles::get(int64_t handle) const;
template Cancellation Handles::get(int64_t handle) const;

size_t Handles::size() const {
  const std::lock_guard lock(mutex_);
  return slots_.size() - free_.size();
}

Handles& handles() {
  static Handles* const table = new Handles;
  return *table;
}

}  // namespace wick::java
