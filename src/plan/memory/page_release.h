// PageRelease: releases the pages of weights that were packed. The plan does not read them in their own form again, so
// that both forms need not be in memory at once.
#pragma once

#include <cstdint>
#include <vector>

#include "wick/tensor.h"

namespace wick::plan {

class PageRelease {
 public:
  // Notes tensors that were packed; undefined ones and those that are not contiguous are left alone. From time to time
  // the pages of those noted lately are released.
  void add(const std::vector<Tensor>& packed);
  // After the last: releases the pages of all that were noted, what lies between them included.
  void finish() const { all_.release(); }

 private:
  // The addresses from the first to the last byte of several tensors.
  struct Range {
    uintptr_t begin = UINTPTR_MAX, end = 0;
    size_t bytes = 0;  // of the tensors
    void add(const Tensor& t);
    bool release() const;  // false: the tensors are not adjacent
  };

  Range all_, lately_;
  std::vector<Tensor> lately_packed_;
};

}  // namespace wick::plan
