// Guards: what a value must look like for a plan to be used again.
#pragma once

#include <vector>

#include "core/callback.h"
#include "core/tensor_impl.h"
#include "wick/ivalue.h"

namespace wick::plan {

// The shape of a value: of a tensor everything but its elements; of a number, string or None the value itself; of a
// container its items' guards; of an object its class, what is read of it having guards of its own; of anything else
// which one it is.
class Guard {
 public:
  Guard() = default;
  Guard(Guard&&) = default;
  Guard& operator=(Guard&&) = default;

  // A value that can't be guarded (a future, a nested tensor, containers that nest deeply or hold more
  // than limits::kMaxGuardParts values, each counted wherever it is held) gives a guard that never matches.
  // `same_tensors`, `same_objects`: these must be the very same ones, not only alike.
  static Guard of(const IValue& value, bool same_tensors = false, bool same_objects = false);
  bool matches(const IValue& value) const;
  bool can_match() const { return !never_; }

 private:
  struct Wanted {
    bool same_tensors, same_objects;
    size_t left;  // how many more values the guard may hold
  };
  static Guard of(const IValue& value, Wanted& wanted, size_t depth);
  bool matches_tensor(const Tensor& t) const;

  IValue::Tag tag_ = IValue::Tag::kNone;
  bool never_ = false;
  IValue value_;                      // numbers, strings; the very object
  std::shared_ptr<ClassInfo> class_;  // of any object
  DType dtype_ = DType::kFloat;
  IntVec sizes_, strides_;
  Ref<TensorImpl> tensor_;  // null: any tensor like it
  Storage storage_;         // of tensor_
  double scale_ = 0;
  int64_t zero_point_ = 0;
  std::vector<Guard> items_;
};

// Calls visit(tensor) for the tensors of a value that a guard matches, at every place that holds one: values that one
// guard matches give as many, whatever parts they share.
void visit_guarded_tensors(const IValue& value, const Callback<void(const Tensor&)>& visit);

}  // namespace wick::plan
