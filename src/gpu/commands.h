// Commands: one command buffer, recorded once and run any number of times.
#pragma once

#include "gpu/device.h"

namespace wick::gpu {

// Threads: one at a time.
class Commands {
 public:
  explicit Commands(DevicePtr device);
  ~Commands();
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;

  VkCommandBuffer handle() const { return buffer_; }
  void begin();
  void end();
  // Submits it and waits until it is done.
  void run() { device_->submit(buffer_, fence_); }

 private:
  const DevicePtr device_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer buffer_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
};

}  // namespace wick::gpu
