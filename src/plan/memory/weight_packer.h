// WeightPacker: packs the weights of a plan's steps, each form once for all plans of a method.
#pragma once

#include "core/callback.h"
#include "plan/memory/pack_cache.h"
#include "plan/memory/page_release.h"
#include "plan/record/trace.h"

namespace wick::plan {

class WeightPacker {
 public:
  // Prepares memory for the trace's constants that are not packed yet.
  WeightPacker(const Trace& trace, PackCache& cache);

  // The packed form by this key: made by pack(float* to) unless there is one.
  template <class Pack>
  Packed packed(const PackKey& key, size_t elements, const Pack& pack) {
    return pack_once(key, elements, [&pack](float* to) { pack(to); });
  }
  bool has_packed(const PackKey& key) const { return cache_.find(key) != nullptr; }
  // A bias or another vector as dense floats; null when it is undefined.
  Packed packed_vector(const Tensor& t);
  // Of the program's constant matrices and kernels of floats.
  size_t weight_bytes() const { return weight_bytes_; }
  // After the last: releases the pages of what was packed.
  void finish() const { pages_.finish(); }

 private:
  Packed pack_once(const PackKey& key, size_t elements, const Callback<void(float*)>& pack);

  PackCache& cache_;
  PageRelease pages_;
  size_t weight_bytes_ = 0;
};

}  // namespace wick::plan
