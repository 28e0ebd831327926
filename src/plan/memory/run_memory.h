// RunMemories: what runs of plans compute in. All plans of a method share it: as many as run at the same time have one
// each, and none is larger than the largest of the plans asks for.
#pragma once

#include <mutex>
#include <vector>

#include "core/tensor_impl.h"
#include "kernels/workers.h"

namespace wick::plan {

struct RunMemory {
  Storage arena;
  kernels::Scratch<float> scratch;  // of kernels
};

class RunMemories {
 public:
  // Memory for one run, to be given back by put(); what it holds is lost by then. A single thread is given the same
  // arena every time, which grows where it stands.
  RunMemory take(size_t arena_bytes);
  // `keeps_one`: however many were in use at once.
  void put(RunMemory memory, bool keeps_one);
  // Gives up arenas that are larger than this, which the next run makes anew.
  void drop_larger(size_t arena_bytes);
  // The most scratch memory that a run gave back.
  size_t scratch_bytes() const;

 private:
  mutable std::mutex mutex_;
  std::vector<RunMemory> free_;
  size_t scratch_bytes_ = 0;
};

}  // namespace wick::plan
