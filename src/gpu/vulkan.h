// Vulkan's functions, found at run time: a program built with this starts on a machine without Vulkan.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

#include <string_view>
#include <type_traits>

namespace wick::gpu {

// clang-format off
#define WICK_VULKAN_GLOBAL(X)                                                                                       \
  X(vkEnumerateInstanceVersion) X(vkCreateInstance) X(vkEnumerateInstanceLayerProperties)
#define WICK_VULKAN_INSTANCE(X)                                                                                     \
  X(vkDestroyInstance) X(vkEnumeratePhysicalDevices) X(vkGetPhysicalDeviceProperties2)                              \
  X(vkGetPhysicalDeviceFeatures2) X(vkGetPhysicalDeviceMemoryProperties)                                            \
  X(vkGetPhysicalDeviceQueueFamilyProperties) X(vkEnumerateDeviceExtensionProperties) X(vkCreateDevice)             \
  X(vkGetDeviceProcAddr)
#define WICK_VULKAN_DEVICE(X)                                                                                       \
  X(vkDestroyDevice) X(vkGetDeviceQueue) X(vkDeviceWaitIdle) X(vkCreateBuffer) X(vkDestroyBuffer)                   \
  X(vkGetBufferMemoryRequirements) X(vkAllocateMemory) X(vkFreeMemory) X(vkBindBufferMemory) X(vkMapMemory)         \
  X(vkFlushMappedMemoryRanges) X(vkInvalidateMappedMemoryRanges) X(vkCreateShaderModule) X(vkDestroyShaderModule)   \
  X(vkCreateDescriptorSetLayout) X(vkDestroyDescriptorSetLayout) X(vkCreatePipelineLayout)                          \
  X(vkDestroyPipelineLayout) X(vkCreateComputePipelines) X(vkDestroyPipeline) X(vkCreatePipelineCache)              \
  X(vkDestroyPipelineCache) X(vkGetPipelineCacheData) X(vkCreateDescriptorPool) X(vkDestroyDescriptorPool)          \
  X(vkAllocateDescriptorSets) X(vkUpdateDescriptorSets) X(vkCreateCommandPool) X(vkDestroyCommandPool)              \
  X(vkAllocateCommandBuffers) X(vkBeginCommandBuffer) X(vkEndCommandBuffer) X(vkCmdBindPipeline)                    \
  X(vkCmdBindDescriptorSets) X(vkCmdPushConstants) X(vkCmdDispatch) X(vkCmdPipelineBarrier) X(vkCmdCopyBuffer)      \
  X(vkCmdResetQueryPool) X(vkCmdWriteTimestamp) X(vkCreateQueryPool) X(vkDestroyQueryPool)                          \
  X(vkGetQueryPoolResults) X(vkCreateFence) X(vkDestroyFence) X(vkResetFences) X(vkGetFenceStatus)                  \
  X(vkWaitForFences) X(vkQueueSubmit)
// clang-format on

struct Api {
  PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = nullptr;
#define X(name) PFN_##name name = nullptr;
  WICK_VULKAN_GLOBAL(X)
  WICK_VULKAN_INSTANCE(X)
  WICK_VULKAN_DEVICE(X)
#undef X
};

// One of Vulkan's structs that say what they are, the rest zero.
template <class T>
T made(VkStructureType type, const void* next = nullptr) {
  T out{};
  out.sType = type;
  out.pNext = const_cast<std::remove_const_t<std::remove_pointer_t<decltype(out.pNext)>>*>(
      static_cast<std::add_const_t<std::remove_pointer_t<decltype(out.pNext)>>*>(next));
  return out;
}

// Opens the loader and finds the functions that need no instance. Throws kUnsupported, with what to install.
Api open_loader();
void load_instance_functions(Api& api, VkInstance instance);
void load_device_functions(Api& api, VkDevice device);

const char* name_of(VkResult result);
// Throws what the result means: kOutOfMemory, kIo when the device is lost, else kInternal. `what` names the call.
[[noreturn]] void fail(VkResult result, std::string_view what);
inline void check(VkResult result, std::string_view what) {
  if (result != VK_SUCCESS) fail(result, what);
}

}  // namespace wick::gpu
