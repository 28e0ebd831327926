// Asking for cooperative matrices, and the shaders' code for them.
#include "gpu/matrices.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "core/check.h"

namespace wick::gpu {
namespace {

// Of Vulkan's headers from 1.3.255 on.
constexpr auto kFeaturesType = static_cast<VkStructureType>(1000506000);
constexpr auto kPropertiesType = static_cast<VkStructureType>(1000506001);
struct MatrixProperties {
  VkStructureType sType;
  void* pNext;
  uint32_t m, n, k;
  uint32_t a, b, c, result;  // types of elements
  VkBool32 saturates;
  uint32_t scope;
};
constexpr uint32_t kFloat16 = 0, kFloat32 = 1, kSubgroupScope = 3;
using GetMatrixProperties = VkResult(VKAPI_PTR*)(VkPhysicalDevice, uint32_t*, MatrixProperties*);

constexpr const char* kExtensions[] = {"VK_KHR_cooperative_matrix", "VK_KHR_vulkan_memory_model",
                                       "VK_EXT_subgroup_size_control", "VK_KHR_shader_float16_int8"};

bool has_extensions(const Api& vk, VkPhysicalDevice device) {
  uint32_t count = 0;
  if (vk.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr) != VK_SUCCESS) return false;
  std::vector<VkExtensionProperties> all(count);
  if (vk.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, all.data()) != VK_SUCCESS) return false;
  return std::all_of(std::begin(kExtensions), std::end(kExtensions), [&](const char* wanted) {
    return std::any_of(all.begin(), all.end(),
                       [&](const VkExtensionProperties& e) { return std::strcmp(e.extensionName, wanted) == 0; });
  });
}

}  // namespace

MatrixFeatures::MatrixFeatures(const void* next) {
  matrices_ = {kFeaturesType, const_cast<void*>(next), VK_TRUE, VK_FALSE};
  memory_model_ = made<VkPhysicalDeviceVulkanMemoryModelFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES, &matrices_);
  memory_model_.vulkanMemoryModel = VK_TRUE;
  subgroups_ = made<VkPhysicalDeviceSubgroupSizeControlFeatures>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES, &memory_model_);
  subgroups_.subgroupSizeControl = VK_TRUE;
  subgroups_.computeFullSubgroups = VK_TRUE;
  float16_ = made<VkPhysicalDeviceShaderFloat16Int8Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, &subgroups_);
  float16_.shaderFloat16 = VK_TRUE;
}

std::span<const char* const> MatrixFeatures::extensions() const { return kExtensions; }

bool MatrixFeatures::are_there(const Api& vk, VkPhysicalDevice device) {
  MatrixFeatures has(nullptr);
  has.matrices_.cooperativeMatrix = has.memory_model_.vulkanMemoryModel = has.float16_.shaderFloat16 = VK_FALSE;
  has.subgroups_.subgroupSizeControl = has.subgroups_.computeFullSubgroups = VK_FALSE;
  auto features = made<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, has.chain());
  vk.vkGetPhysicalDeviceFeatures2(device, &features);
  return has.matrices_.cooperativeMatrix && has.memory_model_.vulkanMemoryModel && has.float16_.shaderFloat16 &&
         has.subgroups_.subgroupSizeControl && has.subgroups_.computeFullSubgroups;
}

namespace {

bool is_wanted(const MatrixProperties& p) {
  const auto fits = [](uint32_t n) { return n == 8 || n == 16; };
  return p.a == kFloat16 && p.b == kFloat16 && p.c == kFloat32 && p.result == kFloat32 && p.scope == kSubgroupScope &&
         !p.saturates && fits(p.m) && fits(p.n) && fits(p.k);
}

}  // namespace

MatrixShape find_matrices(const Api& vk, VkInstance instance, VkPhysicalDevice device) {
  if (!has_extensions(vk, device) || !MatrixFeatures::are_there(vk, device)) return {};
  auto sizes = made<VkPhysicalDeviceSubgroupSizeControlProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
  auto subgroups =
      made<VkPhysicalDeviceSubgroupProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, &sizes);
  auto properties = made<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &subgroups);
  vk.vkGetPhysicalDeviceProperties2(device, &properties);
  const uint32_t subgroup = subgroups.subgroupSize;
  if ((sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) == 0 || subgroup < 8 || subgroup > 64 ||
      subgroup < sizes.minSubgroupSize || subgroup > sizes.maxSubgroupSize) {
    return {};
  }
  const auto get = reinterpret_cast<GetMatrixProperties>(
      vk.vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"));
  uint32_t count = 0;
  if (get == nullptr || get(device, &count, nullptr) != VK_SUCCESS) return {};
  std::vector<MatrixProperties> all(count);
  for (MatrixProperties& p : all) p.sType = kPropertiesType;
  if (get(device, &count, all.data()) != VK_SUCCESS) return {};
  MatrixShape best;
  for (const MatrixProperties& p : all) {
    if (is_wanted(p) && p.m * p.n * p.k > best.m * best.n * best.k)
      best = {p.m, p.n, p.k, subgroup, sizes.maxComputeWorkgroupSubgroups};
  }
  return best;
}

namespace {

// Opcodes and numbers of SPIR-V.
enum : uint32_t {
  kOpExtension = 10,
  kOpCapability = 17,
  kOpTypeInt = 21,
  kOpConstantTrue = 41,
  kOpConstant = 43,
  kOpTypeMatrix = 5358,
  kOpLoad = 5359,
  kOpStore = 5360,
  kOpMulAdd = 5361,
  kOpTypeMatrixKhr = 4456,
  kOpLoadKhr = 4457,
  kOpStoreKhr = 4458,
  kOpMulAddKhr = 4459,
  kMatrixCapability = 5357,
  kMatrixCapabilityKhr = 6022,
  kHeader = 5,
};
enum Use : uint32_t { kA, kB, kSum, kUnknown };

class Rewriter {
 public:
  explicit Rewriter(std::span<const uint32_t> code) : code_(code) {
    WICK_CHECK(code.size() > kHeader, kInternal, "a shader's code has no header");
    bound_ = code[3];
    uses_.assign(bound_, kUnknown);
    types_.assign(bound_, 0);
  }

  std::vector<uint32_t> run() {
    find_uses();
    out_.assign(code_.begin(), code_.begin() + kHeader);
    each([&](uint32_t op, std::span<const uint32_t> words) { rewrite(op, words); });
    out_[3] = bound_ + kUnknown;
    return std::move(out_);
  }

 private:
  template <class Body>
  void each(const Body& body) {
    for (size_t at = kHeader; at < code_.size();) {
      const uint32_t length = code_[at] >> 16;
      WICK_CHECK(length > 0 && at + length <= code_.size(), kInternal, "a shader's code is cut off");
      body(code_[at] & 0xffff, code_.subspan(at, length));
      at += length;
    }
  }

  // The type of every value that a product has: A, B or sums.
  void find_uses() {
    each([&](uint32_t op, std::span<const uint32_t> words) {
      constexpr uint32_t kOpLoadVariable = 61;
      if ((op == kOpLoadVariable || op == kOpLoad || op == kOpMulAdd) && words.size() > 2)
        id(types_, words[2]) = words[1];
    });
    each([&](uint32_t op, std::span<const uint32_t> words) {
      if (op != kOpMulAdd) return;
      for (uint32_t k = 0; k < 3; ++k) id(uses_, id(types_, words[3 + k])) = k;
    });
  }
  uint32_t& id(std::vector<uint32_t>& of, uint32_t number) {
    WICK_CHECK(number < of.size(), kInternal, "a shader's code names ", number, ", which is not there");
    return of[number];
  }

  void add(uint32_t op, std::initializer_list<uint32_t> words, std::span<const uint32_t> more = {}) {
    out_.push_back(static_cast<uint32_t>(words.size() + more.size() + 1) << 16 | op);
    out_.insert(out_.end(), words);
    out_.insert(out_.end(), more.begin(), more.end());
  }

  uint32_t order(uint32_t columns) const { return bound_ + (true_ != 0 && columns == true_); }

  void rewrite(uint32_t op, std::span<const uint32_t> words) {
    switch (op) {
      case kOpCapability:
        return add(op, {words[1] == kMatrixCapability ? +kMatrixCapabilityKhr : words[1]});
      case kOpExtension: {
        std::string name(reinterpret_cast<const char*>(words.data() + 1));
        if (name != "SPV_NV_cooperative_matrix") break;
        name = "SPV_KHR_cooperative_matrix";
        std::vector<uint32_t> text(name.size() / 4 + 1);
        std::memcpy(text.data(), name.data(), name.size());
        return add(op, {}, text);
      }
      case kOpTypeInt:
        out_.insert(out_.end(), words.begin(), words.end());
        if (words[2] != 32 || words[3] != 0) return;
        // What a matrix is used for, 0 to 2. The order of its elements is 0, row by row, or 1, column by column.
        for (uint32_t k = 0; k < kUnknown; ++k) add(kOpConstant, {words[1], bound_ + k, k});
        return;
      case kOpTypeMatrix: {
        const uint32_t use = id(uses_, words[1]);
        WICK_CHECK(use != kUnknown, kInternal, "a shader has a matrix that no product has");
        return add(kOpTypeMatrixKhr, {words[1], words[2], words[3], words[4], words[5], bound_ + use});
      }
      case kOpConstantTrue:
        true_ = words[2];
        break;
      case kOpLoad:  // type, result, pointer, stride, whether columns are contiguous
        return add(kOpLoadKhr, {words[1], words[2], words[3], order(words[5]), words[4]}, words.subspan(6));
      case kOpStore:  // pointer, value, stride, whether columns are contiguous
        return add(kOpStoreKhr, {words[1], words[2], order(words[4]), words[3]}, words.subspan(5));
      case kOpMulAdd:
        return add(kOpMulAddKhr, {words[1], words[2], words[3], words[4], words[5]});
      default:
        break;
    }
    out_.insert(out_.end(), words.begin(), words.end());
  }

  const std::span<const uint32_t> code_;
  uint32_t bound_ = 0, true_ = 0;
  std::vector<uint32_t> uses_, types_, out_;
};

}  // namespace

std::vector<uint32_t> khr_matrices(std::span<const uint32_t> code) { return Rewriter(code).run(); }

}  // namespace wick::gpu
