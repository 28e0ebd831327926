// PlanOptions: how plans are made.
#pragma once

#include <cstdint>
#include <memory>

#include "wick/options.h"

namespace wick::plan {

class HalfLayers;
class Target;

struct PlanOptions {
  Precision precision = Precision::kAuto;
  std::shared_ptr<HalfLayers> half;  // of the method; null: nothing computes in float16
  bool exact = false;                // no methods that round differently from sums of products
  uint64_t max_memory = 0;           // bytes that the plans of a method may keep; 0: no bound
  std::shared_ptr<Target> target;    // computes what it can; null: the processor does everything
  bool may_choose = false;           // the processor does everything where that is measured to be faster
};

}  // namespace wick::plan
