// RunMemories: what runs of plans compute in. All plans of a method share it: as many as run at the same time have one
// each, and none is larger than the largest of the plans asks for.
#pragma once

#include <cstdint>
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
  // In bytes.
  struct Bounds {
    size_t arena, scratch;
  };
  // Gives up memory that is larger than this, which the next run makes anew; arenas when they are put back, too.
  void drop_larger(Bounds bounds);

 private:
  void drop_larger_arena(RunMemory& memory) const;

  std::mutex mutex_;
  std::vector<RunMemory> free_;
  size_t largest_arena_ = SIZE_MAX;
};

}  // namespace wick::plan
