// Counts the uses of a trace's tensors.
#include "plan/uses.h"

#include "plan/record/functional.h"

namespace wick::plan {

Uses::Uses(Trace& trace) : users_(trace.tensors.size()), leaves_(trace.tensors.size()) {
  for (auto& [reg, recipe] : trace.changes) {
    each_tensor_of(recipe, [&](TensorId& id) {
      leaves_[id] = true;
      leaving_storages_.insert(trace.tensors[id].storage);
    });
  }
  for (size_t s = 0; s < trace.steps.size(); ++s) {
    for (const TracedValue& v : trace.steps[s].args) {
      for (TensorId id : v.ids) {
        if (id != kNoTensor) users_[id].push_back(static_cast<uint32_t>(s));
      }
    }
  }
}

}  // namespace wick::plan
