// Replay: a program with its own memory and its recorded commands, ready to be run.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gpu/commands.h"
#include "gpu/program.h"

namespace wick::gpu {

// How long a run's parts took on the device. Nothing of it where it measures no times.
struct DeviceTimes {
  struct Part {
    int64_t start_ns, duration_ns;
  };
  int64_t upload_ns = 0, download_ns = 0;  // copies between memory that the host sees and memory of shaders
  std::vector<Part> dispatches;            // since the first began
};

// Threads: one at a time; several replays of one program may run at once.
class Replay {
 public:
  Replay(DevicePtr device, std::shared_ptr<const Program> program);
  ~Replay();
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  // Where input k is to be written, and where result k is found after run().
  uint8_t* input(size_t k) const;
  const uint8_t* output(size_t k) const;
  void run();
  DeviceTimes run_timed();
  // On the device, and of the host for it.
  uint64_t bytes() const;

 private:
  void bind();
  void record(VkCommandBuffer commands, VkQueryPool times);
  void record_dispatch(VkCommandBuffer commands, size_t d);
  void record_download(VkCommandBuffer commands);
  uint32_t mark_count() const;
  const Buffer& buffer_of(const Memory& memory) const;

  const DevicePtr device_;
  const std::shared_ptr<const Program> program_;
  std::unique_ptr<Buffer> arena_, inputs_, outputs_;
  std::unique_ptr<Buffer> upload_, download_;  // where the device's memory is not the host's; else null
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  std::vector<VkDescriptorSet> sets_;
  std::vector<VkPipeline> pipelines_;
  Commands commands_;
  std::optional<Commands> timed_;
  VkQueryPool queries_ = VK_NULL_HANDLE;
};

}  // namespace wick::gpu
