// What the recorder needs to know of an operator.
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

// Whether the operator asks for the elements of a tensor as numbers and does nothing else.
bool reads_elements(const Operator& op);

// Whether the operator writes its arguments as text and does nothing else.
bool makes_text(const Operator& op);

// Whether equal arguments always give equal results, and nothing else happens.
bool is_function(const Operator& op);
// The same of a call: a dropout that is switched off is one too.
bool is_function_call(const TracedStep& step);

// Whether the call may be run for its result's shape alone (core/shapes_only.h): nothing it does, no error and no
// shape, depends on elements, and it is a function of its arguments or changes one of them.
bool may_skip_elements(const TracedStep& step);

// Whether the operator may change a tensor that its schema does not mark as changed.
bool has_hidden_effect(const Operator& op, const IValue* const* args, size_t count);

}  // namespace wick::plan
