// Recording: runs a region of a function and records the tensor operators it executes.
#pragma once

#include <optional>

#include "plan/record/inline.h"
#include "plan/record/trace.h"
#include "runtime/frame.h"

namespace wick::plan {

struct Recording {
  size_t next;                 // where the frame stands now
  std::optional<Trace> trace;  // absent when there is nothing to plan
  // Registers as they were, of those the trace has read: with them the frame stands at the trace's begin again.
  std::vector<std::pair<uint32_t, IValue>> before;
  // Whether the registers hold what the region computes; if not, its plan or the interpreter has to run it.
  bool has_elements = true;
  // Another thread has set an attribute meanwhile: there is no trace, and nothing to be learned from that.
  bool disturbed = false;
  // Without a trace: how many instructions were fit for one, before the first that is not; SIZE_MAX: not known.
  size_t limit = SIZE_MAX;
};

// Runs the frame from `pc` up to the next instruction that can't be part of a plan (or the return), which is left to
// the caller. `inlined`: where the frame's function comes from. Throws what an instruction throws, with its context.
// No more than `limit` instructions are run.
// Elements of results are computed only where the course of the program needs them, if it changes nothing outside of
// the frame.
Recording record(runtime::Frame& frame, size_t pc, const Inlined& inlined, size_t limit = SIZE_MAX);

}  // namespace wick::plan
