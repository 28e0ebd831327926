// Builder: chooses the steps of a plan for a trace.
//
// A tensor of the trace may exist in two forms: plain (the strides it was recorded with) and, for images, channels
// last. Steps ask for the form they want; a conversion is made once where the other form is all there is.
#pragma once

#include <memory>
#include <vector>

#include "core/callback.h"
#include "core/pages.h"
#include "plan/memory/ahead_list.h"
#include "plan/memory/pack_memory.h"
#include "plan/record/trace.h"
#include "plan/steps/step.h"
#include "plan/word_set.h"

namespace wick::plan {

// Index in Workspace::tensors. The plain form of a tensor has the tensor's id.
using Slot = uint32_t;
constexpr Slot kNoSlot = UINT32_MAX;

struct SlotInfo {
  enum class Kind : uint8_t {
    kCall,      // an input, or made by a step that calls an operator
    kConstant,  // `tensor`
    kArena,     // a place in the arena
    kFresh,     // memory of its own, because others will see it
    kView,      // of `base`, which is a constant, in the arena or an input
  };
  Kind kind = Kind::kCall;
  Tensor tensor;
  DType dtype = DType::kFloat;
  std::shared_ptr<const Quantizer> quantizer;  // of a quantized dtype
  IntVec sizes, strides;
  int64_t offset = 0;   // kView: from base, in elements
  Slot base = kNoSlot;  // kView, and kCall that shares memory with it
  size_t arena_offset = 0;
  size_t nbytes = 0;
};

// A step and the slots it reads and writes.
struct Emission {
  std::unique_ptr<Step> step;
  std::vector<Slot> reads, writes;
  bool has_effect = false;  // outside of the plan, or one that can't be repeated
};

// Weights in a kernel's form, shared by all plans of a method.
using Packed = std::shared_ptr<const float>;

// What a packed form was made of: tensors, and numbers that name the form.
class PackKey {
 public:
  PackKey(std::vector<Tensor> tensors, std::vector<int64_t> numbers);
  bool operator==(const PackKey& other) const { return parts_ == other.parts_; }
  uint64_t hash() const;
  const std::vector<Tensor>& tensors() const { return tensors_; }

 private:
  std::vector<Tensor> tensors_;  // kept, so that their addresses stay theirs
  std::vector<int64_t> parts_;
};
class PackCache {
 public:
  // Null: it is to be made.
  Packed find(const PackKey& key) const;
  void add(const PackKey& key, Packed form);

  PackMemory memory;
  WordSet sources;  // elements that something was packed of
  size_t bytes = 0;

 private:
  struct Entry {
    PackKey key;
    Packed form;
    uint64_t next;  // one more than the place of another of the same hash
  };
  WordMap first_;  // by hash: one more than a place
  std::vector<Entry> entries_;
};

struct PlanOptions {
  bool exact = false;  // no methods that round differently from sums of products
};

class Builder {
 public:
  Builder(Trace& trace, PackCache& cache, const PlanOptions& options);

  void run();
  std::vector<Emission> take_emissions() { return std::move(emissions_); }
  std::vector<SlotInfo> take_slots() { return std::move(slots_); }

  bool is_exact() const { return options_.exact; }
  const TracedStep& step(size_t s) const { return trace_.steps[s]; }
  size_t step_count() const { return trace_.steps.size(); }
  const TracedTensor& tensor(TensorId id) const { return trace_.tensors[id]; }
  // Its elements are known now.
  bool is_constant(TensorId id) const;
  const Tensor& constant(TensorId id) const { return trace_.tensors[id].constant; }
  // The constant of half precision (float16, bfloat16) that a float tensor is a conversion of; undefined when it is
  // none. Who packs it converts it then, so that the plan holds no copy.
  Tensor widened(TensorId id) const;
  bool is_float(TensorId id) const { return tensor(id).dtype == DType::kFloat; }
  // No step changes its storage in place.
  bool is_stable(TensorId id) const {
    return !selects_in_place() || !trace_.changed_storages.contains(tensor(id).storage);
  }
  // The step's only result, and the tensor it is; kNoTensor when it has several or another kind.
  TensorId result(size_t s) const;
  // The only step that uses the tensor, when nothing else does; SIZE_MAX otherwise.
  size_t only_user(TensorId id) const;
  bool is_taken(size_t s) const { return taken_[s]; }
  // The step is part of a group that is emitted later.
  void take(size_t s) { taken_[s] = true; }
  // The step is computed when its result is asked for: by the pass of its user, or by itself.
  void defer(size_t s) {
    taken_[s] = true;
    deferred_[s] = true;
  }
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
  bool has_channels_last(TensorId id) const;
  // Whether it is an image whose only form so far is channels last.
  bool prefers_channels_last(TensorId id) const;
  // Room for a tensor that the step to be emitted gives. The plain form must be dense.
  Slot define_plain(TensorId id);
  Slot define_channels_last(TensorId id);
  bool can_define_plain(TensorId id) const;
  // Room for floats that are no tensor of the trace, dense.
  Slot define_temporary(const IntVec& sizes);
  // Nobody reads it.
  bool is_unused(TensorId id) const { return users_[id].empty() && !leaves_[id]; }
  // The slot of a result that a called operator makes.
  Slot define_call(TensorId id, bool channels_last);

  bool is_in_arena(Slot slot) const { return slots_[slot].kind == SlotInfo::Kind::kArena; }
  // Makes an image with channels last the channels from `channel` on of a larger one, to be written there by the step
  // that gives it. False, and nothing done, when that step can't, or somebody has read the image.
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
    return pack_once(key, elements, [&pack](float* to) { pack(to); });
  }
  // Of the program's constant matrices and kernels of floats.
  size_t weight_bytes() const { return weight_bytes_; }
  // A bias or another vector as dense floats; null when it is undefined.
  Packed packed_vector(const Tensor& t);

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

  Packed pack_once(const PackKey& key, size_t elements, const Callback<void(float*)>& pack);
  void count_uses();
  void expect_packing();
  void note_sources(const PackKey& key);
  bool fold_constants(size_t s);
  void make_constant(TensorId id);
  bool forward_view(size_t s);
  bool reaches_only(TensorId view, TensorId base) const;
  void emit_call(size_t s);
  void emit_results();
  void make_deferred(TensorId id);
  bool has_effect(const TracedStep& step) const;

  // What was packed: where it lies, and its bytes.
  // Weights that were packed, and those of them whose pages are not given back.
  struct Sources {
    uintptr_t begin = UINTPTR_MAX, end = 0;
    size_t bytes = 0;
    void add(const Tensor& t);
    bool give_back() const;  // false: they do not lie side by side
  } sources_, lately_;
  std::vector<Tensor> lately_packed_;
  std::vector<StepWeights> weights_;
  Trace& trace_;
  PackCache& cache_;
  size_t weight_bytes_ = 0;
  const PlanOptions options_;
  std::vector<SlotInfo> slots_;
  std::vector<Emission> emissions_;
  std::vector<std::vector<uint32_t>> users_;  // steps, by tensor; once for every use
  std::vector<bool> leaves_;                  // by tensor: used after the trace
  WordSet leaving_storages_;
  std::vector<bool> taken_, deferred_;          // by step
  std::vector<std::unique_ptr<Group>> groups_;  // by the step they are emitted at
  std::vector<bool> has_plain_;                 // by tensor
  std::vector<Slot> channels_last_;             // by tensor
};

// The patterns. Each gives true when it has emitted or taken the step.
bool build_quantized(Builder& builder, size_t s);
bool build_conv(Builder& builder, size_t s);
bool build_linear(Builder& builder, size_t s);
bool build_attention(Builder& builder, size_t s);
bool build_transformer(Builder& builder, size_t s);
bool build_rows(Builder& builder, size_t s);
bool build_norm(Builder& builder, size_t s);
bool build_rnn(Builder& builder, size_t s);
bool build_join(Builder& builder, size_t s);
bool build_pointwise(Builder& builder, size_t s);
bool build_pool(Builder& builder, size_t s);
bool build_resize(Builder& builder, size_t s);
bool build_shuffle(Builder& builder, size_t s);
bool build_argmax(Builder& builder, size_t s);
bool build_reduce(Builder& builder, size_t s);
bool build_image(Builder& builder, size_t s);

// Helpers on shapes.
bool is_contiguous(IntSpan sizes, IntSpan strides);
// Three or four dims, laid out [n][l][c] or [n][h][w][c] without gaps.
bool is_channels_last(IntSpan sizes, IntSpan strides);
IntVec channels_last_strides(IntSpan sizes);
bool is_dense(IntSpan sizes, IntSpan strides);

// Puts a pair where it belongs among others in order; for lists that are short, or walked for every item anyway.
using Pair = std::pair<size_t, size_t>;
void insert_in_order(std::vector<Pair>& pairs, Pair pair);

}  // namespace wick::plan
