// Emission: a step that the builder has chosen, and the slots it reads and writes.
#pragma once

#include <memory>
#include <vector>

#include "plan/memory/slots.h"
#include "plan/steps/step.h"

namespace wick::plan {

struct Emission {
  std::unique_ptr<Step> step;
  std::vector<Slot> reads, writes;
  bool has_effect = false;  // outside of the plan, or one that can't be repeated
  bool is_call = false;     // of an operator of the table
};

}  // namespace wick::plan
