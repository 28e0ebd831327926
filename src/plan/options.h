// PlanOptions: how plans are made.
#pragma once

#include <cstdint>
#include <memory>

namespace wick::plan {

class Target;

struct PlanOptions {
  bool exact = false;              // no methods that round differently from sums of products
  uint64_t max_memory = 0;         // bytes that the plans of a method may keep; 0: no bound
  std::shared_ptr<Target> target;  // computes what it can; null: the processor does everything
  bool may_choose = false;         // the processor does everything where that is measured to be faster
};

}  // namespace wick::plan
