// TensorTable: the tensors of a trace while it is recorded; their ids, handles and storages.
#pragma once

#include <vector>

#include "core/tensor_impl.h"
#include "core/word_map.h"
#include "ir/changed_attributes.h"
#include "plan/record/trace.h"

namespace wick::plan {

class TensorTable {
 public:
  // Adds to trace.tensors. `changed`: storages of constants that some code changes.
  TensorTable(Trace& trace, const WordSet& changed) : trace_(trace), changed_(changed) {}

  // A tensor not seen before is a constant of the program, unless said otherwise.
  TensorId id_of(const Tensor& t, TracedTensor::Origin origin = TracedTensor::Origin::kConstant);
  // Whether its elements are known to be the same in every run.
  bool is_fixed(const Tensor& t) const;
  bool is_constant(TensorId id) const { return trace_.tensors[id].origin == TracedTensor::Origin::kConstant; }
  // A tensor that step number `index` gave. Its storage is one of the step's arguments', or new, whatever address it
  // has: a storage that was freed may have been there before.
  void note_result(const Tensor& t, const TracedStep& step, uint32_t index);
  // Whether the storage of a tensor was made by a step.
  static bool is_new(const TracedTensor& t) { return t.storage >= kFirstNew; }

  Tensor handle(TensorId id) const { return Tensor(held_[id]); }
  // Whether a handle has the shape and storage it was noted with.
  bool keeps_shape(TensorId id) const;

  // Releases the memory of a tensor that only this table still knows; its handle stays, so that its address stays its
  // own.
  void drop_if_dead(TensorId id);
  // The same of all tensors, when enough are new since the last time: as many as were left then, so that all sweeps
  // together take time in proportion to the trace.
  void sweep_at_times();

  // The elements of a tensor are the same in every run, as far as is known.
  void fix(TensorId id);
  // Those of a storage are not.
  void unfix(uint32_t storage);

 private:
  // Numbers of new storages; those of inputs and constants count from 0.
  static constexpr uint32_t kFirstNew = 1u << 31;
  static constexpr size_t kSweepInterval = 32;

  Trace& trace_;
  const WordSet& changed_;
  // Words are one more than what they stand for.
  WordMap ids_;                         // by TensorImpl
  WordMap storages_;                    // by StorageImpl
  WordMap step_of_;                     // by storage: the last step that gave results and had it
  uint64_t noted_step_ = 0;             // the last one that gave any
  std::vector<Ref<TensorImpl>> held_;   // by id
  WordMap fixed_of_;                    // by storage: the latest of its fixed tensors
  std::vector<uint64_t> fixed_before_;  // by id: the fixed tensor of the storage before it
  std::vector<TensorId> alive_;         // computed tensors whose memory may still be there
  size_t next_sweep_ = kSweepInterval;  // when there are so many
  uint32_t storage_count_ = 0, next_new_ = kFirstNew;
  size_t dropped_ = 0, largest_ = 0, largest_lately_ = 0;  // tensors whose memory was released, and their bytes
};

}  // namespace wick::plan
