// GpuTarget: gives stretches of plans to a GPU.
#pragma once

#include <atomic>

#include "gpu/device.h"
#include "gpu/weights.h"
#include "plan/target.h"

namespace wick::gpu {

class GpuTarget final : public plan::Target {
 public:
  // `half`: elements are stored as float16.
  GpuTarget(DevicePtr device, bool half) : device_(std::move(device)), half_(half), weights_(device_, half) {}

  std::vector<Stretch> choose(const plan::Builder& builder) override;
  void forget() override { weights_.forget(); }
  uint64_t bytes() const override { return weights_.bytes(); }
  const DevicePtr& device() const { return device_; }

  // Of the plans made since it was opened; for tests and tables.
  struct Counts {
    size_t stretches = 0, dispatches = 0, steps = 0;
  };
  Counts counts() const { return {stretches_, dispatches_, steps_}; }

 private:
  const DevicePtr device_;
  const bool half_;
  Weights weights_;
  std::atomic<size_t> stretches_{0}, dispatches_{0}, steps_{0};
};

}  // namespace wick::gpu
