// In-place operators as functional ones.
#pragma once

#include "plan/record/trace.h"

namespace wick::plan {

// Replaces a step that changes a tensor in place by its functional form where that is not observable: no other handle
// of the storage is used afterwards. What remains is in trace.changed_storages.
void make_functional(Trace& trace);

// Removes steps whose result is one of their arguments under another name.
void remove_identities(Trace& trace);

// Calls change(id) for every tensor a recipe names.
template <class Change>
void each_tensor_of(Recipe& recipe, const Change& change) {
  if (recipe.kind == Recipe::Kind::kTensor) change(recipe.tensor);
  for (Recipe& item : recipe.items) each_tensor_of(item, change);
}

}  // namespace wick::plan
