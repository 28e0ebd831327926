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
  // upload(), and its place there is another's when nobody has it any more. `wide`: as floats, whatever precision the
  // others have; the key says so, too.
  Constant get(const plan::PackKey& key, size_t elements, const Callback<void(float*)>& pack, bool wide = false);
  // Throws where the device fails: what is not there yet is tried again the next time.
  void upload();
  // Programs keep what they use.
  void forget();
  // On the device, of all that may be found again.
  uint64_t bytes() const;

 private:
  class Chunk;
  struct Entry {
    plan::PackKey key;
    uint64_t hash;
    std::weak_ptr<const Buffer> buffer;  // of those who use the constant
    uint64_t offset, bytes;
  };
  struct Pending {
    Constant constant;
    std::vector<uint8_t> bytes;
  };
  Constant place(uint64_t bytes);
  void drop_unused();

  const DevicePtr device_;
  const bool half_;
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
  std::vector<Pending> pending_;
  std::vector<std::weak_ptr<Chunk>> chunks_;
};

}  // namespace wick::gpu
