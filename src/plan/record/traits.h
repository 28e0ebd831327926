// What the recorder makes of an operator: a step, a value computed once, or a barrier between plans.
#pragma once

#include "ir/graph.h"
#include "plan/record/trace.h"

namespace wick::plan {

enum class OpClass : uint8_t {
  kTensor,     // gives tensors whose shapes follow from its arguments' shapes: becomes a step
  kFixed,      // its result follows from shapes, numbers and containers alone: is done once
  kContainer,  // moves values in and out of containers: is done once, if the container it changes is the trace's own
  kBarrier,    // anything else: runs between plans
};
OpClass class_of(const Operator& op);

// Whether a node that is not an operator (nor If, Loop) can be part of a plan.
bool can_record(const ir::Node& node);

// For a kTensor operator: whether these arguments make the shape of its result depend on elements.
bool depends_on_elements(const Operator& op, const IValue* const* args, size_t count);

// Whether the step, repeated, would give equal results, and nothing else happens.
bool is_function_call(const TracedStep& step);

// Whether the call may be run for its result's shape alone (core/shapes_only.h).
bool may_skip_elements(const TracedStep& step);

}  // namespace wick::plan
