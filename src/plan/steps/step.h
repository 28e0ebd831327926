// Steps: what a plan executes, one after the other, and what they work on.
#pragma once

#include <memory>
#include <vector>

#include "core/cast.h"
#include "core/selection.h"
#include "core/tensor_impl.h"
#include "ir/graph.h"
#include "kernels/workers.h"
#include "plan/record/trace.h"
#include "plan/steps/step_name.h"

namespace wick::plan {

// The memory of one run of a plan. A plan keeps those that are not in use.
struct Workspace {
  std::vector<Tensor> tensors;  // by id; constants and everything in the arena are there from the start
  std::vector<IValue> scratch;  // arguments and results of one operator
  std::vector<Tensor> spare;    // by id: what was handed out before, to be reused once it is no longer referenced
  Storage arena;
  kernels::Scratch<float> kernel_scratch;
  // Of one run: whether it may be repeated from its beginning, and whether infinities in float16 are to be looked for
  // (plan/half_layers.h).
  bool can_repeat = false, searches_halves = true;
  bool keeps_one = false;  // see Plan: what steps keep between runs is bounded, too
};

class Step {
 public:
  explicit Step(const ir::Node* node) : node_(node) {}
  virtual ~Step() = default;
  virtual void run(Workspace& workspace) const = 0;
  // Indices in Workspace::tensors; set once, before the first run.
  void set_slots(std::vector<uint32_t> reads, std::vector<uint32_t> writes) {
    reads_ = std::move(reads);
    writes_ = std::move(writes);
  }
  // From now on the pixels of the image it gives are to be `elements` apart; false when it can't do that.
  virtual bool set_output_pixel(int64_t elements) {
    (void)elements;
    return false;
  }
  // From now on it gives the means of its image's channels as well, as its second result; false when it can't do that.
  virtual bool give_means() { return false; }
  // That it keeps between runs on a device of its own, constants aside.
  virtual uint64_t device_bytes() const { return 0; }
  // For the profile: "conv 3x3 winograd", "aten::cat".
  virtual StepName name() const = 0;
  // For selective builds: what selects_step() is asked for; empty for those that come with an operator.
  virtual std::string_view kind() const { return {}; }
  // See core/cast.h.
  virtual const void* type_mark() const noexcept { return nullptr; }

  // The model's operator it stands for (the last one, of several), to say where an error happened.
  const ir::Node* node() const { return node_; }

 protected:
  template <class T>
  const T* input(const Workspace& w, size_t k) const {
    return static_cast<const T*>(w.tensors[reads_[k]].raw_data());
  }
  template <class T>
  T* output(const Workspace& w, size_t k) const {
    return static_cast<T*>(w.tensors[writes_[k]].raw_data());
  }
  std::vector<uint32_t> reads_, writes_;

 private:
  const ir::Node* node_;
};

// A result did not have the shape it had when the plan was made.
struct ShapeChanged {};

// What a called operator must give. Strides of dims of size 1 don't matter.
struct ExpectedResult {
  uint32_t slot;
  DType dtype;
  IntVec sizes, strides;
};
// Calls an operator of the model as the interpreter does. The step's tensor ids are slots.
std::unique_ptr<Step> call_step(const TracedStep& step, std::vector<ExpectedResult> expected);

// Copies one tensor into another of the same sizes.
std::unique_ptr<Step> copy_step();

}  // namespace wick::plan
