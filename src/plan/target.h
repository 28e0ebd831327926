// Target: a device that may compute stretches of a plan in place of the processor.
#pragma once

#include <memory>
#include <vector>

#include "plan/memory/slots.h"
#include "plan/record/trace.h"

namespace wick::plan {

class Builder;
class Step;

// Threads: plans of several methods may be made at once.
class Target {
 public:
  // Steps of a trace that become one step of the plan.
  struct Stretch {
    std::vector<size_t> steps;
    size_t at = 0;              // the step of the trace in whose place it is run: what it reads is there by then
    std::vector<size_t> views;  // those of its steps that give views of `outputs`, to be made for others after it
    std::vector<TensorId> inputs, outputs;  // as plain slots, in the order of the step's reads and writes
    std::unique_ptr<Step> step;
  };

  virtual ~Target() = default;
  // What it takes of the builder's trace. Nothing else of the trace that comes before a stretch's `at` uses its
  // results.
  virtual std::vector<Stretch> choose(const Builder& builder) = 0;
  // The program's constants may have changed.
  virtual void forget() = 0;
  // That the constants of its steps take on the device.
  virtual uint64_t bytes() const = 0;
};

}  // namespace wick::plan
