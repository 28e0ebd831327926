// Weights: constants of programs on the device, each form uploaded once.
#pragma once

#include <mutex>
#include <vector>

#include "core/callback.h"
#include "gpu/program.h"
#include "plan/memory/pack_cache.h"

namespace wick::gpu {

// Threads: any thread may use it.
class Weights {
 public:
  Weights(DevicePtr device, bool half) : device_(std::move(device)), half_(half) {}

  // The constant by this key, `elements` of them: made by `pack` unless there is one. It is on the device after
  // upload(). `wide`: as floats, whatever precision the others have; the key says so, too.
  Constant get(const plan::PackKey& key, size_t elements, const Callback<void(float*)>& pack, bool wide = false);
  void upload();
  // Programs keep what they use.
  void forget();

 private:
  struct Entry {
    plan::PackKey key;
    uint64_t hash;
    Constant constant;
  };
  struct Pending {
    Constant constant;
    std::vector<uint8_t> bytes;
  };
  const DevicePtr device_;
  const bool half_;
  std::mutex mutex_;
  std::vector<Entry> entries_;
  std::vector<Pending> pending_;
  std::shared_ptr<Buffer> chunk_;
  uint64_t chunk_used_ = 0;
};

}  // namespace wick::gpu
