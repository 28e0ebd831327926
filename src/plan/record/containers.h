// Containers: the lists, tuples and dicts that a trace takes from outside or leaves behind, and the recipes by which a
// plan makes the latter again.
#pragma once

#include <optional>
#include <vector>

#include "core/word_map.h"
#include "plan/record/tensor_table.h"
#include "plan/record/trace.h"

namespace wick::plan {

class Containers {
 public:
  explicit Containers(TensorTable& tensors) : tensors_(tensors) {}

  // A value that was there before the trace: others may see what is done to it.
  void note_foreign(const IValue& value) {
    if (value.ref_or_null()) foreign_[value.ref_or_null()] = 1;
  }
  bool is_foreign(const IValue& value) const { return foreign_.find(value.ref_or_null()) != nullptr; }
  // The same of a live-in, number `index`, and all that it holds, which recipes find in it. Notes what was noted
  // before.
  void note_live_in(const IValue& value, uint32_t index, LiveIn& live_in) { note_items(value, {index, {}}, live_in); }
  // Where in a live-in a container or object is; null: in none.
  const Place* find_place(const IValue& value) const {
    const uint64_t* known = value.ref_or_null() ? place_of_.find(value.ref_or_null()) : nullptr;
    return known ? &places_[*known - 1] : nullptr;
  }

  // How the value is made after a run; nullopt when it can't be.
  std::optional<Recipe> recipe(const IValue& v) {
    Recipe out;
    return describe(v, 0, out) ? std::optional(std::move(out)) : std::nullopt;
  }
  // Counts items that the trace holds copies of; false when they are too many.
  bool count_items(size_t count);

 private:
  void note_items(const IValue& value, const Place& place, LiveIn& live_in);
  bool describe(const IValue& v, size_t depth, Recipe& out);
  bool describe_container(const IValue& v, size_t depth, Recipe& out);

  TensorTable& tensors_;
  WordMap foreign_;
  // By address; words are one more than what they stand for.
  WordMap place_of_;
  std::vector<Place> places_;
  WordMap made_;  // containers among what remains
  uint32_t made_count_ = 0;
  size_t items_ = 0;
};

// An empty list, tuple or dict of the container's type.
IValue without_items(const IValue& container);

}  // namespace wick::plan
