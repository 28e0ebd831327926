// The forms of a trace's tensors and the memory they are defined with.
#include "plan/memory/slots.h"

namespace wick::plan {
namespace {

bool has_channels_last_strides(const TracedTensor& t) { return is_channels_last(t.sizes, t.strides); }

size_t byte_count(const SlotInfo& info) {
  return static_cast<size_t>(checked_numel(info.sizes)) * itemsize(info.dtype);
}

}  // namespace

Slots::Slots(const Trace& trace, const Uses& uses)
    : trace_(trace),
      uses_(uses),
      slots_(trace.tensors.size()),
      has_plain_(trace.tensors.size()),
      channels_last_(trace.tensors.size(), kNoSlot) {
  for (TensorId id = 0; id < trace.tensors.size(); ++id) {
    const TracedTensor& t = trace.tensors[id];
    slots_[id].dtype = t.dtype;
    slots_[id].sizes = t.sizes;
    slots_[id].strides = t.strides;
    slots_[id].quantizer = t.quantizer;
    has_plain_[id] = t.origin != TracedTensor::Origin::kComputed;
    if (t.origin == TracedTensor::Origin::kConstant) define_constant(id);
  }
}

bool Slots::has_channels_last(TensorId id) const {
  return channels_last_[id] != kNoSlot || half(id) != kNoSlot ||
         (has_plain_[id] && has_channels_last_strides(trace_.tensors[id]));
}

bool Slots::prefers_channels_last(TensorId id) const {
  return has_channels_last(id) && (!has_plain_[id] || has_channels_last_strides(trace_.tensors[id]));
}

Slot Slots::define_plain(TensorId id) {
  SlotInfo& info = slots_[id];
  info.kind = uses_.storage_leaves(trace_.tensors[id].storage) ? SlotInfo::Kind::kFresh : SlotInfo::Kind::kArena;
  info.nbytes = byte_count(info);
  has_plain_[id] = true;
  return id;
}

Slot Slots::define_channels_last(TensorId id) {
  if (has_channels_last_strides(trace_.tensors[id])) return define_plain(id);
  const Slot slot = add_channels_last(id, SlotInfo::Kind::kArena);
  slots_[slot].nbytes = byte_count(slots_[slot]);
  return slot;
}

Slot Slots::define_half(TensorId id) {
  const TracedTensor& t = trace_.tensors[id];
  if (half_.empty()) half_.resize(trace_.tensors.size(), kNoSlot);
  const Slot slot = define_temporary(t.sizes, DType::kHalf);
  slots_[slot].strides = channels_last_strides(t.sizes);
  return half_[id] = slot;
}

Slot Slots::define_plain_half(TensorId id) {
  const TracedTensor& t = trace_.tensors[id];
  if (plain_half_.empty()) plain_half_.resize(trace_.tensors.size(), kNoSlot);
  const Slot slot = define_temporary(t.sizes, DType::kHalf);
  slots_[slot].strides = t.strides;
  return plain_half_[id] = slot;
}

Slot Slots::define_call(TensorId id, bool channels_last) {
  if (channels_last && !has_channels_last_strides(trace_.tensors[id]))
    return add_channels_last(id, SlotInfo::Kind::kCall);
  has_plain_[id] = true;
  return id;
}

Slot Slots::add_channels_last(TensorId id, SlotInfo::Kind kind) {
  const TracedTensor& t = trace_.tensors[id];
  SlotInfo info;
  info.kind = kind;
  info.dtype = t.dtype;
  info.quantizer = t.quantizer;
  info.sizes = t.sizes;
  info.strides = channels_last_strides(t.sizes);
  channels_last_[id] = static_cast<Slot>(slots_.size());
  slots_.push_back(std::move(info));
  return channels_last_[id];
}

void Slots::define_constant(TensorId id) {
  slots_[id].kind = SlotInfo::Kind::kConstant;
  // A handle of the plan's own: the program may give another one a new shape or storage.
  slots_[id].tensor = trace_.tensors[id].constant.alias();
  has_plain_[id] = true;
}

void Slots::define_view(TensorId id, TensorId base) {
  SlotInfo& info = slots_[id];
  info.kind = SlotInfo::Kind::kView;
  info.base = base;
  info.offset = trace_.tensors[id].offset - trace_.tensors[base].offset;
  has_plain_[id] = true;
}

Slot Slots::define_temporary(const IntVec& sizes, DType dtype) {
  SlotInfo info;
  info.dtype = dtype;
  info.kind = SlotInfo::Kind::kArena;
  info.sizes = sizes;
  info.strides = contiguous_strides(sizes);
  info.nbytes = byte_count(info);
  slots_.push_back(std::move(info));
  return static_cast<Slot>(slots_.size()) - 1;
}

void Slots::make_part(Slot image, Slot larger, int64_t channel) {
  SlotInfo& part = slots_[image];
  part.kind = SlotInfo::Kind::kView;
  part.base = larger;
  part.offset = channel;
  part.strides = slots_[larger].strides;
}

}  // namespace wick::plan
