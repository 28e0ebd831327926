// Finding Vulkan's functions, and what its results mean as errors.
#include "gpu/vulkan.h"

#include <dlfcn.h>

#include "core/check.h"

namespace wick::gpu {

Api open_loader() {
  // It stays open: drivers do not bear being unloaded.
#ifdef __APPLE__
  constexpr const char* kNames[] = {"libvulkan.1.dylib", "libMoltenVK.dylib"};
#else
  constexpr const char* kNames[] = {"libvulkan.so.1", "libvulkan.so"};
#endif
  void* library = nullptr;
  for (const char* name : kNames) {
    if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  WICK_CHECK(library != nullptr, kUnsupported, "the GPU backend needs the Vulkan loader (", kNames[0],
             "), which is not installed. On Debian and Ubuntu install libvulkan1 and a driver: mesa-vulkan-drivers, or "
             "the one of the GPU's vendor");
  Api api;
  api.vkGetInstanceProcAddr =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));  // NOLINT
  WICK_CHECK(api.vkGetInstanceProcAddr != nullptr, kUnsupported, "the Vulkan loader has no vkGetInstanceProcAddr");
#define X(name) api.name = reinterpret_cast<PFN_##name>(api.vkGetInstanceProcAddr(nullptr, #name));
  WICK_VULKAN_GLOBAL(X)
#undef X
  WICK_CHECK(api.vkCreateInstance != nullptr && api.vkEnumerateInstanceVersion != nullptr, kUnsupported,
             "the GPU backend needs Vulkan 1.1; the loader of this machine is older");
  return api;
}

void load_instance_functions(Api& api, VkInstance instance) {
#define X(name)                                                                        \
  api.name = reinterpret_cast<PFN_##name>(api.vkGetInstanceProcAddr(instance, #name)); \
  WICK_CHECK(api.name != nullptr, kUnsupported, "the Vulkan driver lacks " #name);
  WICK_VULKAN_INSTANCE(X)
#undef X
}

void load_device_functions(Api& api, VkDevice device) {
#define X(name)                                                                    \
  api.name = reinterpret_cast<PFN_##name>(api.vkGetDeviceProcAddr(device, #name)); \
  WICK_CHECK(api.name != nullptr, kUnsupported, "the Vulkan driver lacks " #name);
  WICK_VULKAN_DEVICE(X)
#undef X
}

const char* name_of(VkResult result) {
  switch (result) {
    case VK_NOT_READY:
      return "VK_NOT_READY";
    case VK_TIMEOUT:
      return "VK_TIMEOUT";
    case VK_INCOMPLETE:
      return "VK_INCOMPLETE";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED:
      return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_DEVICE_LOST:
      return "VK_ERROR_DEVICE_LOST";
    case VK_ERROR_MEMORY_MAP_FAILED:
      return "VK_ERROR_MEMORY_MAP_FAILED";
    case VK_ERROR_LAYER_NOT_PRESENT:
      return "VK_ERROR_LAYER_NOT_PRESENT";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
      return "VK_ERROR_EXTENSION_NOT_PRESENT";
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return "VK_ERROR_FEATURE_NOT_PRESENT";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "VK_ERROR_INCOMPATIBLE_DRIVER";
    case VK_ERROR_TOO_MANY_OBJECTS:
      return "VK_ERROR_TOO_MANY_OBJECTS";
    case VK_ERROR_OUT_OF_POOL_MEMORY:
      return "VK_ERROR_OUT_OF_POOL_MEMORY";
    default:
      return "an unknown result";
  }
}

void fail(VkResult result, std::string_view what) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
      throw Error(ErrorCode::kOutOfMemory, cat("the GPU has no memory left: ", what, " gave ", name_of(result),
                                               "; the model still runs with the CPU backend"));
    case VK_ERROR_DEVICE_LOST:
      throw Error(ErrorCode::kIo, cat("the GPU is lost: ", what, " gave ", name_of(result),
                                      "; the model still runs with the CPU backend"));
    default:
      throw Error(ErrorCode::kInternal, cat("the GPU driver refused: ", what, " gave ", name_of(result), " (",
                                            static_cast<int>(result), ")"));
  }
}

}  // namespace wick::gpu
