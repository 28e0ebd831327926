// Builder: chooses the steps of a plan for a trace.
//
// It walks the steps of the trace and offers each to the patterns (plan/patterns/patterns.h), which emit steps of the
// plan. Steps ask for the form of a tensor they want (plan/memory/slots.h); a conversion is emitted once where the
// other form is all there is.
#pragma once

#include <memory>
#include <vector>

#include "core/word_map.h"
#include "plan/emission.h"
#include "plan/half_layers.h"
#include "plan/memory/prefetch_list.h"
#include "plan/memory/slots.h"
#include "plan/memory/weight_packer.h"
#include "plan/options.h"
#include "plan/record/trace.h"
#include "plan/steps/step.h"
#include "plan/target.h"
#include "plan/uses.h"

namespace wick::plan {

class Builder {
 public:
  Builder(Trace& trace, PackCache& cache, const PlanOptions& options);

  void run();
  std::vector<Emission> take_emissions() { return std::move(emissions_); }
  std::vector<SlotInfo> take_slots() { return slots_.take(); }
  std::shared_ptr<const FoldList> folds() const { return folds_; }

  bool is_exact() const { return options_.exact; }
  const TracedStep& step(size_t s) const { return trace_.steps[s]; }
  size_t step_count() const { return trace_.steps.size(); }
  size_t tensor_count() const { return trace_.tensors.size(); }
  const Uses& uses() const { return uses_; }
  const TracedTensor& tensor(TensorId id) const { return trace_.tensors[id]; }
  // Its elements are known now.
  bool is_constant(TensorId id) const;
  const Tensor& constant(TensorId id) const { return trace_.tensors[id].constant; }
  // The constant of half precision (float16, bfloat16) that a float tensor is a conversion of; undefined when it is
  // none. Who packs it converts it then, so that the plan holds no copy.
  Tensor widened(TensorId id) const;
  bool is_float(TensorId id) const { return tensor(id).dtype == DType::kFloat; }
  // No step from the one that is being built on changes its storage in place.
  bool is_stable(TensorId id) const {
    if (!trace_.changed_storages.contains(tensor(id).storage)) return true;
    const uint64_t last = last_change_.get(tensor(id).storage);
    return last != 0 && last <= at_;
  }
  // No step does.
  bool never_changes(TensorId id) const { return !trace_.changed_storages.contains(tensor(id).storage); }
  // The step's only result, and the tensor it is; kNoTensor when it has several or another kind.
  TensorId result(size_t s) const;
  // The only step that uses the tensor, when nothing else does; SIZE_MAX otherwise.
  size_t only_user(TensorId id) const;
  bool is_taken(size_t s) const { return taken_[s]; }
  // The step is part of a group that is emitted later.
  void take(size_t s) { taken_[s] = true; }
  // The step is computed when its result is asked for: by the pass of its user, or by itself. False, and nothing done,
  // where too many deferred steps wait for each other: computing them recurses.
  bool defer(size_t s);
  // The step that gives the tensor, when it was deferred and not computed since; SIZE_MAX otherwise.
  size_t deferred_producer(TensorId id) const;
  // Emits the group when the walk comes to step `at`, the group's last.
  template <class Emit>
  void emit_at(size_t at, Emit emit) {
    if (!groups_[at]) groups_[at] = std::make_unique<GroupOf<Emit>>(std::move(emit));
  }

  // The forms of a tensor that is there; a conversion is emitted when needed.
  Slot plain(TensorId id);
  Slot channels_last(TensorId id);
  bool has_channels_last(TensorId id) const { return slots_.has_channels_last(id); }
  // Whether it is an image whose only form so far is channels last.
  bool prefers_channels_last(TensorId id) const { return slots_.prefers_channels_last(id); }
  // Null: the plan computes in floats alone.
  const std::shared_ptr<HalfLayers>& half_layers() const { return options_.half; }
  // Whether a layer of the model computes in float16.
  bool is_half(const ir::Node* node) const { return options_.half != nullptr && !options_.half->is_float(node); }
  // An image of floats as float16, with channels last or of planes. `node`: the layer that reads it; where a number is
  // too large, it is kept in float.
  Slot half(TensorId id, const ir::Node* node);
  Slot half_planes(TensorId id, const ir::Node* node);
  // The tensor of the model in float16 that the floats, results of step s, are those of, where both lie alike and
  // layers compute in float16; kNoTensor otherwise.
  TensorId half_source(TensorId id, size_t s) const;
  // The same of floats that are not there yet.
  TensorId half_source(TensorId id) const {
    const size_t s = deferred_producer(id);
    return s == SIZE_MAX ? kNoTensor : half_source(id, s);
  }
  Slot define_half(TensorId id) { return slots_.define_half(id); }
  bool has_half(TensorId id) const { return slots_.half(id) != kNoSlot; }
  // Whether that is the only form so far.
  bool is_half_image(TensorId id) const {
    return has_half(id) && !slots_.has_plain(id) && slots_.channels_last(id) == kNoSlot;
  }
  // A dense tensor of floats as float16, in the order of its elements.
  Slot plain_half(TensorId id, const ir::Node* node);
  Slot define_plain_half(TensorId id) { return slots_.define_plain_half(id); }
  bool is_plain_half(TensorId id) const {
    return slots_.plain_half(id) != kNoSlot && !slots_.has_plain(id) && slots_.channels_last(id) == kNoSlot;
  }
  // Whether the result of a layer of the model is given as float16, where its step can: it stays in the plan.
  bool gives_half(const ir::Node* node, TensorId id) const { return is_half(node) && !uses_.leaves(id); }
  // The slot of a tensor that the step to be emitted computes. The plain form must be dense.
  Slot define_plain(TensorId id) { return slots_.define_plain(id); }
  Slot define_channels_last(TensorId id) { return slots_.define_channels_last(id); }
  bool can_define_plain(TensorId id) const;
  // The slot of floats that are no tensor of the trace, dense.
  Slot define_temporary(const IntVec& sizes) { return slots_.define_temporary(sizes); }
  // Nobody reads it.
  bool is_unused(TensorId id) const { return uses_.is_unused(id); }
  // The slot of a result that a called operator makes.
  Slot define_call(TensorId id, bool channels_last) { return slots_.define_call(id, channels_last); }

  bool is_in_arena(Slot slot) const { return slots_[slot].kind == SlotInfo::Kind::kArena; }
  // Makes an image with channels last the channels from `channel` on of a larger one, to be written there by the step
  // that gives it. False, and nothing done, when that step can't, or the image was read already.
  bool place_in(Slot image, Slot larger, int64_t channel);

  void emit(std::unique_ptr<Step> step, std::vector<Slot> reads, std::vector<Slot> writes);
  // Notes the weights of the step that was emitted last. `read_once`: it does so little with each of them that it takes
  // as long as reading them.
  void note_weights(const Packed& weights, size_t elements, bool read_once) {
    weights_.push_back({emissions_.back().step.get(), reinterpret_cast<const char*>(weights.get()),
                        static_cast<int64_t>(elements * sizeof(float)), read_once});
  }
  // Of the steps that were noted, those that became part of others among them.
  const std::vector<StepWeights>& weights() const { return weights_; }
  // Calls an operator; the step's tensor ids are slots.
  void emit_call_of(const TracedStep& step, std::vector<Slot> reads, std::vector<Slot> writes);
  // A packed form of weights: made by `pack` unless there is one by this key.
  template <class Pack>
  Packed packed(const PackKey& key, size_t elements, const Pack& pack) {
    return packer_.packed(key, elements, pack);
  }
  bool has_packed(const PackKey& key) const { return packer_.has_packed(key); }
  // Of the program's constant matrices and kernels of floats.
  size_t weight_bytes() const { return packer_.weight_bytes(); }
  // A bias or another vector as dense floats; null when it is undefined.
  Packed packed_vector(const Tensor& t) { return packer_.packed_vector(t); }

 private:
  struct Group {
    virtual ~Group() = default;
    virtual void emit() = 0;
  };
  template <class Emit>
  struct GroupOf : Group {
    explicit GroupOf(Emit e) : emit_it(std::move(e)) {}
    void emit() override { emit_it(); }
    Emit emit_it;
  };

  // Whether the step needs no call of its operator: it is taken, known now, a view, or a pattern has it.
  bool build(size_t s);
  void share_folds(PackCache& cache);
  void share_fold(size_t s, FoldCache& cache, std::vector<bool>& shared);
  bool fold_constants(size_t s);
  bool forward_view(size_t s);
  bool reaches_only(TensorId view, TensorId base) const;
  void emit_call(size_t s);
  void emit_results();
  void give_to_target();
  void make_deferred(TensorId id);
  bool has_effect(const TracedStep& step) const;

  Trace& trace_;
  PlanOptions options_;
  const Uses uses_;
  Slots slots_;
  std::shared_ptr<FoldList> folds_;  // what the plan has to keep; null: nothing
  WeightPacker packer_;
  std::vector<StepWeights> weights_;
  std::vector<Emission> emissions_;
  WordMap last_change_;            // by storage: the last step that changes it in place, plus one
  size_t at_ = 0;                  // the step that is being built
  std::vector<bool> taken_;        // by step
  std::vector<uint8_t> deferred_;  // by step: how many wait for each other, this one included; 0: it is not
  std::vector<uint8_t> is_read_;   // by slot: a step that was emitted reads it
  std::vector<Step*> writer_;      // by slot: the latest step emitted that writes it
  std::vector<std::unique_ptr<Group>> groups_;  // by the step they are emitted at
};

}  // namespace wick::plan
