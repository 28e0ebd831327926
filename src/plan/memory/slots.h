// Slots: the tensors of a plan, and where their elements are.
//
// A tensor of the trace may have two forms, each with a slot of its own: plain (the strides it was recorded with) and,
// for images, channels last. A tensor whose plain form is channels last has only that one. Where the plan computes in
// float16, an image of floats may have a third: float16, channels last; and any tensor of floats the plain form in
// float16.
#pragma once

#include <memory>
#include <vector>

#include "plan/memory/layout.h"
#include "plan/record/trace.h"
#include "plan/uses.h"

namespace wick::plan {

// Index in Workspace::tensors. The plain form of a tensor has the tensor's id.
using Slot = uint32_t;
constexpr Slot kNoSlot = UINT32_MAX;

struct SlotInfo {
  enum class Kind : uint8_t {
    kCall,      // an input, or made by a step that calls an operator
    kConstant,  // `tensor`
    kArena,     // a buffer in the arena
    kFresh,     // memory of its own, because others will see it
    kView,      // of `base`, which is a constant, in the arena or an input
  };
  Kind kind = Kind::kCall;
  Tensor tensor;
  DType dtype = DType::kFloat;
  std::shared_ptr<const Quantizer> quantizer;  // of a quantized dtype
  IntVec sizes, strides;
  int64_t offset = 0;   // kView: from base, in elements
  Slot base = kNoSlot;  // kView, and kCall that shares memory with it
  size_t arena_offset = 0;
  size_t nbytes = 0;
};

class Slots {
 public:
  // A slot for each tensor of the trace; those that are not computed by it have their plain form.
  Slots(const Trace& trace, const Uses& uses);

  const SlotInfo& operator[](Slot slot) const { return slots_[slot]; }
  const std::vector<SlotInfo>& all() const { return slots_; }
  std::vector<SlotInfo> take() { return std::move(slots_); }

  bool has_plain(TensorId id) const { return has_plain_[id]; }
  // The slot of the channels-last form beside the plain one; kNoSlot when there is none.
  Slot channels_last(TensorId id) const { return channels_last_[id]; }
  bool has_channels_last(TensorId id) const;
  // Whether it is an image whose only form so far is channels last.
  bool prefers_channels_last(TensorId id) const;
  // The slots of the forms of float16, channels last and plain; kNoSlot when there is none.
  Slot half(TensorId id) const { return half_.empty() ? kNoSlot : half_[id]; }
  Slot plain_half(TensorId id) const { return plain_half_.empty() ? kNoSlot : plain_half_[id]; }
  bool is_defined(TensorId id) const {
    return has_plain_[id] || channels_last_[id] != kNoSlot || half(id) != kNoSlot || plain_half(id) != kNoSlot;
  }

  // Define a form of a tensor: with a buffer, or memory of its own where the tensor leaves the plan; the plain form
  // must be dense.
  Slot define_plain(TensorId id);
  Slot define_channels_last(TensorId id);
  Slot define_half(TensorId id);
  Slot define_plain_half(TensorId id);
  // With the memory that a called operator makes.
  Slot define_call(TensorId id, bool channels_last);
  // As a constant, whose elements are those of the trace.
  void define_constant(TensorId id);
  // As a view of another tensor's plain form.
  void define_view(TensorId id, TensorId base);
  // A buffer for numbers that are no tensor of the trace, dense.
  Slot define_temporary(const IntVec& sizes, DType dtype = DType::kFloat);

  // The slot shares memory with `base`.
  void set_base(Slot slot, Slot base) { slots_[slot].base = base; }
  // Makes a channels-last image in the arena the channels from `channel` on of a larger one.
  void make_part(Slot image, Slot larger, int64_t channel);

 private:
  Slot add_channels_last(TensorId id, SlotInfo::Kind kind);

  const Trace& trace_;
  const Uses& uses_;
  std::vector<SlotInfo> slots_;
  std::vector<bool> has_plain_;      // by tensor
  std::vector<Slot> channels_last_;  // by tensor
  // By tensor; empty: none.
  std::vector<Slot> half_, plain_half_;
};

}  // namespace wick::plan
