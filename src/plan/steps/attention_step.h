// Attention as a step.
#pragma once

#include "kernels/attention.h"
#include "plan/builder.h"

namespace wick::plan {

// An operand of an attention: its first element is `offset` elements into the slot.
struct AttentionOperand {
  Slot slot = kNoSlot;
  int64_t offset = 0;
};

// Emits softmax(scale * q k^T + mask) v. `attention` has the extents and strides; its addresses are not read.
// mask.slot may be kNoSlot.
void emit_attention(Builder& builder, const ir::Node* node, const kernels::Attention& attention,
                    const AttentionOperand& q, const AttentionOperand& k, const AttentionOperand& v,
                    const AttentionOperand& mask, const AttentionOperand& out, StepName name);

// Emits a float mask to be added to scores, dense and of the same sizes as `mask` (bools or floats): `hidden` where
// truth of the element is `hides`, else 0.
Slot emit_additive_mask(Builder& builder, const ir::Node* node, TensorId mask, bool hides, float hidden);

}  // namespace wick::plan
