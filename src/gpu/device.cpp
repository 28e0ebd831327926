// Opening a GPU: instance, choice of a device, its queue and limits.
#include "gpu/device.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/check.h"

namespace wick::gpu {
namespace {

constexpr const char* kValidation = "VK_LAYER_KHRONOS_validation";
constexpr const char* kPortability = "VK_KHR_portability_enumeration";

const char* kind_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return "processor";
    default:
      return "other";
  }
}
int rank_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return 4;
    default:
      return 3;
  }
}

VkInstance create_instance(Api& vk, bool validate, const void* next) {
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO, nullptr, "wick", 1, "wick", 1, VK_API_VERSION_1_1};
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pNext = next;
  info.pApplicationInfo = &application;
  std::vector<const char*> extensions;
  if (validate) {
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &kValidation;
    extensions = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  }
#ifdef __APPLE__
  extensions.push_back(kPortability);
  info.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
#else
  (void)kPortability;
#endif
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  VkInstance instance = VK_NULL_HANDLE;
  const VkResult result = vk.vkCreateInstance(&info, nullptr, &instance);
  WICK_CHECK(
      result != VK_ERROR_INCOMPATIBLE_DRIVER, kUnsupported,
      "the Vulkan loader finds no driver: on Debian and Ubuntu install mesa-vulkan-drivers, or the driver of the "
      "GPU's vendor");
  WICK_CHECK(result != VK_ERROR_LAYER_NOT_PRESENT, kUnsupported,
             "the validation layer is not installed: on Debian and Ubuntu install vulkan-validationlayers");
  check(result, "vkCreateInstance");
  load_instance_functions(vk, instance);
  return instance;
}

std::vector<VkPhysicalDevice> physical_devices(const Api& vk, VkInstance instance) {
  uint32_t count = 0;
  if (vk.vkEnumeratePhysicalDevices(instance, &count, nullptr) != VK_SUCCESS) count = 0;
  std::vector<VkPhysicalDevice> devices(count);
  if (count > 0) {
    const VkResult result = vk.vkEnumeratePhysicalDevices(instance, &count, devices.data());
    if (result != VK_INCOMPLETE) check(result, "vkEnumeratePhysicalDevices");
  }
  devices.resize(count);
  return devices;
}

// The family of queues that compute; UINT32_MAX when there is none.
uint32_t compute_family(const Api& vk, VkPhysicalDevice device, uint32_t& timestamp_bits) {
  uint32_t count = 0;
  vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (uint32_t f = 0; f < count; ++f) {
    if ((families[f].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0 || families[f].queueCount == 0) continue;
    timestamp_bits = families[f].timestampValidBits;
    return f;
  }
  return UINT32_MAX;
}

bool has_half_storage(const Api& vk, VkPhysicalDevice device) {
  auto storage = made<VkPhysicalDevice16BitStorageFeatures>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES);
  auto features = made<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &storage);
  vk.vkGetPhysicalDeviceFeatures2(device, &features);
  return storage.storageBuffer16BitAccess == VK_TRUE;
}

template <class T>
void lower(T& own, T other) {
  if (other != 0) own = std::min(own, other);
}

}  // namespace

struct Device::Complaints {
  std::mutex mutex;
  std::vector<std::string> messages;

  static VkBool32 add(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                      const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
    auto* self = static_cast<Complaints*>(user);
    const std::lock_guard lock(self->mutex);
    if (self->messages.size() < 100) self->messages.emplace_back(data->pMessage);
    return VK_FALSE;
  }
};

std::vector<std::string> Device::complaints() const {
  if (!complaints_) return {};
  const std::lock_guard lock(complaints_->mutex);
  return complaints_->messages;
}

DevicePtr Device::open(const Settings& settings) {
  // Modules share a device; those of tests are their own.
  struct Shared {
    std::mutex mutex;
    std::vector<std::pair<int, std::weak_ptr<Device>>> devices;
  };
  static Shared* const shared = new Shared;  // never destroyed: modules may be released late
  const auto find = [](int wanted) -> DevicePtr {
    for (const auto& [number, weak] : shared->devices) {
      DevicePtr device = weak.lock();
      if (number != wanted || !device) continue;
      const std::lock_guard queue_lock(device->queue_mutex_);
      if (!device->lost_) return device;
    }
    return nullptr;
  };
  const auto keep = [](int number, const DevicePtr& device) {
    std::erase_if(shared->devices, [&](const auto& entry) { return entry.first == number; });
    shared->devices.emplace_back(number, device);
  };
  const bool is_own = settings.validate || settings.lower != nullptr || settings.emulate_matrices;
  std::unique_lock<std::mutex> lock;
  if (!is_own) {
    lock = std::unique_lock(shared->mutex);
    std::erase_if(shared->devices, [](const auto& entry) { return entry.second.expired(); });
    if (DevicePtr device = find(settings.device)) return device;
  }
  DevicePtr device(new Device);
  device->choose(settings);
  // The best one may be there by its number, and the other way round.
  DevicePtr known = is_own ? nullptr : find(device->number_);
  if (known) {
    device = std::move(known);
  } else {
    device->create(settings);
  }
  if (!is_own) {
    keep(settings.device, device);
    keep(device->number_, device);
  }
  return device;
}

void Device::choose(const Settings& settings) {
  vk = open_loader();
  complaints_ = std::make_unique<Complaints>();
  auto messages = made<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
  messages.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  messages.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  messages.pfnUserCallback = Complaints::add;
  messages.pUserData = complaints_.get();
  const VkValidationFeatureEnableEXT synchronization = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  auto features = made<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = &synchronization;
  instance_ = create_instance(vk, settings.validate, settings.validate ? &features : nullptr);
  if (settings.validate) {
    const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vk.vkGetInstanceProcAddr(instance_, "vkCreateDebugUtilsMessengerEXT"));
    if (create != nullptr) check(create(instance_, &messages, nullptr, &messenger_), "vkCreateDebugUtilsMessengerEXT");
  }
  const std::vector<VkPhysicalDevice> all = physical_devices(vk, instance_);
  WICK_CHECK(
      !all.empty(), kUnsupported,
      "Vulkan is installed but finds no device: on Debian and Ubuntu install mesa-vulkan-drivers (it has one that "
      "runs on the processor), or the driver of the GPU's vendor");
  WICK_CHECK(settings.device < static_cast<int>(all.size()), kInvalidArgument, "there is no GPU ", settings.device,
             ": there are ", all.size(), " devices, counted from 0 ('wick info --devices')");
  int best = 100;
  for (size_t k = 0; k < all.size(); ++k) {
    if (settings.device >= 0 && settings.device != static_cast<int>(k)) continue;
    auto properties = made<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    vk.vkGetPhysicalDeviceProperties2(all[k], &properties);
    uint32_t timestamp_bits = 0;
    const uint32_t family = compute_family(vk, all[k], timestamp_bits);
    const int rank = rank_of(properties.properties.deviceType);
    if (properties.properties.apiVersion < VK_API_VERSION_1_1 || family == UINT32_MAX || rank >= best) continue;
    best = rank;
    physical_ = all[k];
    queue_family_ = family;
    number_ = static_cast<int>(k);
    limits_.timestamp_bits = timestamp_bits;
  }
  WICK_CHECK(physical_ != VK_NULL_HANDLE, kUnsupported,
             "no Vulkan device here has version 1.1 and a queue that computes");
}

void Device::create(const Settings& settings) {
  auto maintenance =
      made<VkPhysicalDeviceMaintenance3Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES);
  auto properties2 = made<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &maintenance);
  vk.vkGetPhysicalDeviceProperties2(physical_, &properties2);
  const VkPhysicalDeviceProperties& properties = properties2.properties;
  const VkPhysicalDeviceLimits& limits = properties.limits;
  name_ = properties.deviceName;
  is_processor_ = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  period_ = limits.timestampPeriod;
  limits_.max_buffer_range = limits.maxStorageBufferRange;
  limits_.max_invocations = std::min(limits.maxComputeWorkGroupInvocations, limits.maxComputeWorkGroupSize[0]);
  limits_.max_shared_bytes = limits.maxComputeSharedMemorySize;
  std::copy_n(limits.maxComputeWorkGroupCount, 3, limits_.max_workgroups.begin());
  limits_.max_allocation = maintenance.maxMemoryAllocationSize;
  limits_.alignment =
      static_cast<uint32_t>(std::max<VkDeviceSize>(limits.minStorageBufferOffsetAlignment, sizeof(float) * 4));
  limits_.half = has_half_storage(vk, physical_);
  if (settings.lower != nullptr) {
    lower(limits_.max_buffer_range, settings.lower->max_buffer_range);
    lower(limits_.max_invocations, settings.lower->max_invocations);
    lower(limits_.max_shared_bytes, settings.lower->max_shared_bytes);
    for (size_t d = 0; d < 3; ++d) lower(limits_.max_workgroups[d], settings.lower->max_workgroups[d]);
    lower(limits_.max_allocation, settings.lower->max_allocation);
    limits_.half = limits_.half && settings.lower->half;
  }
  constexpr bool kMatrices = has_shader(Shader::k_gemm_matrix) || has_shader(Shader::k_attention_matrix);
  if (kMatrices && limits_.half && settings.lower == nullptr) limits_.matrix = find_matrices(vk, instance_, physical_);
  const bool has_matrices = limits_.matrix.m != 0;
  limits_.emulates_matrices = settings.emulate_matrices;
  if (settings.emulate_matrices) limits_.matrix = {16, 16, 16, 32, 8};
  vk.vkGetPhysicalDeviceMemoryProperties(physical_, &memory_);

  const float priority = 1;
  auto queue = made<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueFamilyIndex = queue_family_;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto storage = made<VkPhysicalDevice16BitStorageFeatures>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES);
  storage.storageBuffer16BitAccess = limits_.half ? VK_TRUE : VK_FALSE;
  const MatrixFeatures matrices(&storage);
  std::vector<const char*> extensions;
  if (has_matrices) extensions.assign(matrices.extensions().begin(), matrices.extensions().end());
#ifdef __APPLE__
  extensions.push_back("VK_KHR_portability_subset");
#endif
  auto info =
      made<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, has_matrices ? matrices.chain() : &storage);
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  check(vk.vkCreateDevice(physical_, &info, nullptr, &device_), "vkCreateDevice");
  load_device_functions(vk, device_);
  vk.vkGetDeviceQueue(device_, queue_family_, 0, &queue_);

  std::array<VkDescriptorSetLayoutBinding, kBindings> bindings{};
  for (uint32_t b = 0; b < kBindings; ++b) {
    bindings[b] = {b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  }
  auto set = made<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  set.bindingCount = kBindings;
  set.pBindings = bindings.data();
  check(vk.vkCreateDescriptorSetLayout(device_, &set, nullptr, &set_layout_), "vkCreateDescriptorSetLayout");
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, kPushBytes};
  auto layout = made<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  layout.setLayoutCount = 1;
  layout.pSetLayouts = &set_layout_;
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &push;
  check(vk.vkCreatePipelineLayout(device_, &layout, nullptr, &pipeline_layout_), "vkCreatePipelineLayout");
  pipelines_.resize(64);
  read_pipeline_cache();
}

Device::~Device() {
  if (device_ != VK_NULL_HANDLE) {
    vk.vkDeviceWaitIdle(device_);
    write_pipeline_cache();
    for (const auto& bucket : pipelines_) {
      for (const Made& made : bucket) vk.vkDestroyPipeline(device_, made.pipeline, nullptr);
    }
    for (VkShaderModule module : modules_) vk.vkDestroyShaderModule(device_, module, nullptr);
    vk.vkDestroyPipelineCache(device_, cache_, nullptr);
    vk.vkDestroyPipelineLayout(device_, pipeline_layout_, nullptr);
    vk.vkDestroyDescriptorSetLayout(device_, set_layout_, nullptr);
    vk.vkDestroyDevice(device_, nullptr);
  }
  if (messenger_ != VK_NULL_HANDLE) {
    const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vk.vkGetInstanceProcAddr(instance_, "vkDestroyDebugUtilsMessengerEXT"));
    if (destroy != nullptr) destroy(instance_, messenger_, nullptr);
  }
  if (instance_ != VK_NULL_HANDLE && vk.vkDestroyInstance != nullptr) vk.vkDestroyInstance(instance_, nullptr);
}

void Device::submit(VkCommandBuffer commands, VkFence fence) {
  auto info = made<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  VkResult result = VK_ERROR_DEVICE_LOST;
  {
    const std::lock_guard lock(queue_mutex_);
    if (!lost_) result = vk.vkQueueSubmit(queue_, 1, &info, fence);
    lost_ = lost_ || result == VK_ERROR_DEVICE_LOST;
  }
  check(result, "vkQueueSubmit");
  // A GPU answers sooner than a sleeping thread wakes up; a driver that computes on the processor needs it.
  for (int spins = is_processor_ ? 0 : 20000; spins > 0; --spins) {
    result = vk.vkGetFenceStatus(device_, fence);
    if (result != VK_NOT_READY) break;
  }
  if (is_processor_ || result == VK_NOT_READY) {
    result = vk.vkWaitForFences(device_, 1, &fence, VK_TRUE, UINT64_MAX);
  }
  // A wait that fails does not end the work.
  const VkResult end = result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST ? result : wait_out(fence);
  if (end == VK_ERROR_DEVICE_LOST) {
    const std::lock_guard lock(queue_mutex_);
    lost_ = true;
  }
  check(result, "vkWaitForFences");
  check(vk.vkResetFences(device_, 1, &fence), "vkResetFences");
}

// Asks until the device is done; one that never is counts as lost.
VkResult Device::wait_out(VkFence fence) {
  constexpr std::chrono::milliseconds kPatience{10000}, kPause{1};
  for (auto waited = kPause; waited < kPatience; waited += kPause) {
    const VkResult result = vk.vkGetFenceStatus(device_, fence);
    if (result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST) return result;
    std::this_thread::sleep_for(kPause);
  }
  const std::lock_guard lock(queue_mutex_);
  vk.vkDeviceWaitIdle(device_);
  return VK_ERROR_DEVICE_LOST;
}

int64_t Device::nanoseconds_between(uint64_t first, uint64_t second) const {
  const uint32_t bits = limits_.timestamp_bits;
  const uint64_t mask = bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
  return static_cast<int64_t>(static_cast<double>((second - first) & mask) * period_);
}

std::vector<GpuDevice> list_devices() {
  Api vk = open_loader();
  const VkInstance instance = create_instance(vk, false, nullptr);
  std::vector<GpuDevice> out;
  for (VkPhysicalDevice physical : physical_devices(vk, instance)) {
    auto properties2 = made<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    vk.vkGetPhysicalDeviceProperties2(physical, &properties2);
    const VkPhysicalDeviceProperties& properties = properties2.properties;
    VkPhysicalDeviceMemoryProperties memory{};
    vk.vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    GpuDevice device;
    device.name = properties.deviceName;
    device.kind = kind_of(properties.deviceType);
    const uint32_t version = properties.apiVersion;
    device.driver = cat("Vulkan ", VK_API_VERSION_MAJOR(version), ".", VK_API_VERSION_MINOR(version), ".",
                        VK_API_VERSION_PATCH(version));
    for (uint32_t h = 0; h < memory.memoryHeapCount; ++h) {
      if (memory.memoryHeaps[h].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) device.memory += memory.memoryHeaps[h].size;
    }
    device.has_float16 = version >= VK_API_VERSION_1_1 && has_half_storage(vk, physical);
    out.push_back(std::move(device));
  }
  vk.vkDestroyInstance(instance, nullptr);
  return out;
}

}  // namespace wick::gpu
