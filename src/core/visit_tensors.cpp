// The tensors that a value holds.
#include "core/visit_tensors.h"

namespace wick {

void visit_tensors(const IValue& value, const Callback<void(const Tensor&)>& visit) {
  switch (value.tag()) {
    case IValue::Tag::kTensor:
      visit(value.to_tensor());
      return;
    case IValue::Tag::kList:
      for (const IValue& item : value.to_list().items) visit_tensors(item, visit);
      return;
    case IValue::Tag::kTuple:
      for (const IValue& item : value.to_tuple().items) visit_tensors(item, visit);
      return;
    case IValue::Tag::kDict:
      for (const auto& [key, item] : value.to_dict().entries()) {
        visit_tensors(key, visit);
        visit_tensors(item, visit);
      }
      return;
    default:
      return;
  }
}

}  // namespace wick
