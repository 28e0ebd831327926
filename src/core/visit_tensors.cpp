// The tensors that a value holds.
#include "core/visit_tensors.h"

#include "core/value_walk.h"

namespace wick {

void visit_tensors(const IValue& value, const Callback<void(const Tensor&)>& visit) {
  if (value.is_tensor()) return visit(value.to_tensor());
  if (!value.ref_or_null()) return;
  walk_value(value, [&visit](const IValue& v) {
    if (v.is_tensor()) visit(v.to_tensor());
    return v.is_object() ? Walk::kSkip : Walk::kEnter;
  });
}

}  // namespace wick
