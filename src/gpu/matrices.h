// Cooperative matrices: which ones a device has, how they are turned on, and code for them.
#pragma once

#include <span>
#include <vector>

#include "gpu/vulkan.h"

namespace wick::gpu {

// Products of float16 matrices, m x k by k x n, with sums in float32, that the invocations of a subgroup compute
// together. m is 0 where there are none.
struct MatrixShape {
  uint32_t m = 0, n = 0, k = 0;
  uint32_t subgroup = 0;   // invocations of one
  uint32_t subgroups = 0;  // that a workgroup may have
};

// The best one that the shaders can use (SPV_KHR_cooperative_matrix, with a size of subgroups that can be asked for).
MatrixShape find_matrices(const Api& vk, VkInstance instance, VkPhysicalDevice device);

// What turns them on when a device is created: extensions, and features in front of a chain. Keep it until then.
class MatrixFeatures {
 public:
  explicit MatrixFeatures(const void* next);
  MatrixFeatures(const MatrixFeatures&) = delete;
  MatrixFeatures& operator=(const MatrixFeatures&) = delete;
  const void* chain() const { return &float16_; }
  std::span<const char* const> extensions() const;
  // Whether a device has these features.
  static bool are_there(const Api& vk, VkPhysicalDevice device);

 private:
  // Vulkan's struct, which older headers lack.
  struct CooperativeMatrices {
    VkStructureType sType;
    void* pNext;
    VkBool32 cooperativeMatrix, cooperativeMatrixRobustBufferAccess;
  } matrices_;
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model_;
  VkPhysicalDeviceSubgroupSizeControlFeatures subgroups_;
  VkPhysicalDeviceShaderFloat16Int8Features float16_;
};

// Code with SPV_NV_cooperative_matrix, which shaders are compiled to, as code with SPV_KHR_cooperative_matrix. Throws
// kInternal for code that a compiler would not give.
std::vector<uint32_t> khr_matrices(std::span<const uint32_t> code);

}  // namespace wick::gpu
