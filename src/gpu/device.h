// Device: a GPU that the process has opened, its queue and its memory.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gpu/matrices.h"
#include "gpu/shaders.h"
#include "gpu/vulkan.h"
#include "wick/backend.h"

namespace wick::gpu {

// What a device allows. Asked of the device; tests lower it.
struct Limits {
  uint64_t max_buffer_range = 0;             // bytes of one operand of a shader
  uint32_t max_invocations = 0;              // of a workgroup
  uint32_t max_shared_bytes = 0;             // of a workgroup
  std::array<uint32_t, 3> max_workgroups{};  // by dimension
  uint64_t max_allocation = 0;               // bytes
  uint32_t alignment = 0;                    // of operands
  bool half = false;                         // float16 in buffers
  uint32_t timestamp_bits = 0;               // 0: it measures no times
  MatrixShape matrix;                        // products of matrices by subgroups
  bool emulates_matrices = false;
};

struct Settings {
  int device = -1;  // of devices(); -1: the best one
  bool half = false;
  bool validate = false;          // with the validation layer, if it is installed
  const Limits* lower = nullptr;  // what is smaller there counts
  // For tests: float32 programs use the shaders for products of matrices, which then are plain code.
  bool emulate_matrices = false;
};

class Device;
using DevicePtr = std::shared_ptr<Device>;

// A buffer with memory of its own.
class Buffer {
 public:
  enum class Use : uint8_t {
    kDevice,    // for shaders
    kUpload,    // the host writes it, shaders or copies read it
    kDownload,  // shaders or copies write it, the host reads it
  };
  Buffer(DevicePtr device, uint64_t bytes, Use use);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  VkBuffer handle() const { return buffer_; }
  uint64_t bytes() const { return bytes_; }
  // Where the host sees it; null when it does not.
  uint8_t* mapped() const { return mapped_; }
  // Whether shaders reach it as fast as any memory of the device.
  bool is_local() const { return local_; }
  // Makes what the host has written visible to the device, and the other way round. No-ops for coherent memory.
  void flush() const;
  void invalidate() const;

 private:
  const DevicePtr device_;
  const uint64_t bytes_;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  uint8_t* mapped_ = nullptr;
  bool local_ = false, coherent_ = true;
};

// Threads: any thread may use it. The queue has a lock; everything else is made by Vulkan's rules for objects that one
// thread uses at a time.
class Device : public std::enable_shared_from_this<Device> {
 public:
  // Throws kUnsupported, with what to install, when there is no Vulkan or no device that fits.
  static DevicePtr open(const Settings& settings);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  Api vk;  // tests replace functions, before anything else uses the device
  VkDevice handle() const { return device_; }
  const Limits& limits() const { return limits_; }
  const std::string& name() const { return name_; }
  bool is_processor() const { return is_processor_; }
  uint32_t queue_family() const { return queue_family_; }
  // Between two timestamps of the queue.
  int64_t nanoseconds_between(uint64_t first, uint64_t second) const;
  VkPipelineLayout pipeline_layout() const { return pipeline_layout_; }
  VkDescriptorSetLayout set_layout() const { return set_layout_; }

  // The pipeline of a shader with these specialization constants, numbered from 0; made once.
  VkPipeline pipeline(Shader shader, bool half, const std::vector<uint32_t>& constants);
  // Submits and waits: when it returns, or throws, the device is done with the commands, or lost. A lost device stays
  // lost: this and later calls throw.
  void submit(VkCommandBuffer commands, VkFence fence);
  // Messages of the validation layer since the device was opened; for tests.
  std::vector<std::string> complaints() const;

  struct MemoryKind {
    uint32_t type;
    bool local, coherent, visible;
  };
  // The best kind of memory for a use among `allowed` types.
  MemoryKind memory_for(Buffer::Use use, uint32_t allowed) const;

  static constexpr uint32_t kBindings = 4;
  static constexpr uint32_t kPushBytes = 128;

 private:
  Device() = default;
  void choose(const Settings& settings);
  VkResult wait_out(VkFence fence);
  void create(const Settings& settings);
  void read_pipeline_cache();
  void write_pipeline_cache();

  struct Complaints;
  struct Key {
    Shader shader;
    bool half;
    std::vector<uint32_t> constants;
    bool operator==(const Key&) const = default;
  };
  struct Made {
    Key key;
    VkPipeline pipeline;
  };

  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  std::unique_ptr<Complaints> complaints_;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  uint32_t queue_family_ = 0;
  int number_ = -1;  // of devices()
  Limits limits_;
  std::string name_, cache_path_;
  bool is_processor_ = false;
  double period_ = 1;
  VkPhysicalDeviceMemoryProperties memory_{};
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout pipeline_layout_ = VK_NULL_HANDLE;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  std::mutex pipelines_mutex_;
  std::vector<std::vector<Made>> pipelines_;  // by hash
  size_t made_ = 0, made_when_written_ = 0;
  std::optional<ShaderLibrary> shaders_;  // from the first pipeline on
  std::array<VkShaderModule, 128> modules_{};
  std::mutex queue_mutex_;
  bool lost_ = false;
};

// The devices that there are. Throws kUnsupported when there is no Vulkan.
std::vector<GpuDevice> list_devices();

}  // namespace wick::gpu
