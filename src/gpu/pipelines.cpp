// Pipelines, made once for each shader and its constants, and the file that keeps what the driver compiled.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/check.h"
#include "gpu/device.h"

namespace wick::gpu {
namespace {

// Part of the file's name, with the driver's own identification: another version of the shaders has another file.
constexpr const char* kVersion = "2";
constexpr uint64_t kMaxCacheBytes = uint64_t{64} << 20;

// What stands before the driver's data: not every driver bears data that was damaged.
struct CacheHeader {
  char magic[8] = {'w', 'i', 'c', 'k', 'p', 'i', 'p', 'e'};
  uint64_t bytes = 0, sum = 0;
};
uint64_t sum_of(const char* data, size_t bytes) {
  uint64_t h = 0xcbf29ce484222325ULL;
  for (size_t k = 0; k < bytes; ++k) h = (h ^ static_cast<uint8_t>(data[k])) * 0x100000001b3ULL;
  return h;
}

// Empty: there is none, or it is damaged.
std::vector<char> read_cache(const std::string& path) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  if (error || size <= sizeof(CacheHeader) || size > kMaxCacheBytes) return {};
  std::ifstream in(path, std::ios::binary);
  CacheHeader header;
  std::vector<char> data(size - sizeof header);
  if (!in.read(reinterpret_cast<char*>(&header), sizeof header) ||
      !in.read(data.data(), static_cast<std::streamsize>(data.size()))) {
    return {};
  }
  const bool whole = std::equal(header.magic, header.magic + sizeof header.magic, CacheHeader().magic) &&
                     header.bytes == data.size() && header.sum == sum_of(data.data(), data.size());
  return whole ? std::move(data) : std::vector<char>();
}

uint64_t hash_of(Shader shader, bool half, const std::vector<uint32_t>& constants) {
  uint64_t h = static_cast<uint64_t>(shader) * 2 + half + 0x9e3779b97f4a7c15ULL;
  for (uint32_t c : constants) h = (h ^ c) * 0x100000001b3ULL;
  return h ^ (h >> 32);
}

// A folder of the user's for things that can be made again; empty when there is none.
std::string cache_folder() {
  if (const char* folder = std::getenv("WICK_CACHE")) return folder;
  if (const char* folder = std::getenv("XDG_CACHE_HOME")) return std::string(folder) + "/wick";
  if (const char* home = std::getenv("HOME")) return std::string(home) + "/.cache/wick";
  return {};
}

}  // namespace

VkPipeline Device::pipeline(Shader shader, bool half, const std::vector<uint32_t>& constants) {
  const std::lock_guard lock(pipelines_mutex_);
  std::vector<Made>& bucket = pipelines_[hash_of(shader, half, constants) % pipelines_.size()];
  const Key key{shader, half, constants};
  for (const Made& made : bucket) {
    if (made.key == key) return made.pipeline;
  }
  VkShaderModule& module = modules_[static_cast<size_t>(shader) * 2 + half];
  const bool matrices = half && has_matrices(shader);
  if (module == VK_NULL_HANDLE) {
    if (!shaders_) shaders_.emplace();
    std::span<const uint32_t> code = shaders_->code_of(shader, half);
    std::vector<uint32_t> rewritten;
    if (matrices) code = rewritten = khr_matrices(code);
    auto info = made<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = code.size_bytes();
    info.pCode = code.data();
    check(vk.vkCreateShaderModule(device_, &info, nullptr, &module), "vkCreateShaderModule");
  }
  std::vector<VkSpecializationMapEntry> entries(constants.size());
  for (uint32_t k = 0; k < entries.size(); ++k) entries[k] = {k, k * 4, 4};
  const VkSpecializationInfo special{static_cast<uint32_t>(entries.size()), entries.data(), constants.size() * 4,
                                     constants.data()};
  auto info = made<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &special;
  info.layout = pipeline_layout_;
  auto subgroups = made<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  subgroups.requiredSubgroupSize = limits_.matrix.subgroup;
  if (matrices) {
    info.stage.pNext = &subgroups;
    info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  }
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(vk.vkCreateComputePipelines(device_, cache_, 1, &info, nullptr, &pipeline),
        cat("vkCreateComputePipelines of ", name_of(shader)));
  bucket.push_back({key, pipeline});
  ++made_;
  return pipeline;
}

void Device::read_pipeline_cache() {
  auto properties = made<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
  vk.vkGetPhysicalDeviceProperties2(physical_, &properties);
  std::string id;
  for (uint8_t byte : properties.properties.pipelineCacheUUID) {
    char text[3];
    std::snprintf(text, sizeof text, "%02x", byte);
    id += text;
  }
  const std::string folder = cache_folder();
  if (!folder.empty()) {
    cache_path_ = cat(folder, "/pipelines-", kVersion, "-", properties.properties.vendorID, "-",
                      properties.properties.deviceID, "-", properties.properties.driverVersion, "-", id);
  }
  const std::vector<char> data = cache_path_.empty() ? std::vector<char>() : read_cache(cache_path_);
  // Drivers refuse data that is not theirs; the header they check is in it.
  auto info = made<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  if (vk.vkCreatePipelineCache(device_, &info, nullptr, &cache_) == VK_SUCCESS) return;
  info.initialDataSize = 0;
  check(vk.vkCreatePipelineCache(device_, &info, nullptr, &cache_), "vkCreatePipelineCache");
}

// Failing to write costs the next process time, nothing else.
void Device::write_pipeline_cache() {
  if (cache_path_.empty() || made_ == made_when_written_ || lost_) return;
  made_when_written_ = made_;
  size_t size = 0;
  if (vk.vkGetPipelineCacheData(device_, cache_, &size, nullptr) != VK_SUCCESS || size == 0 || size > kMaxCacheBytes) {
    return;
  }
  std::vector<char> data(size);
  if (vk.vkGetPipelineCacheData(device_, cache_, &size, data.data()) != VK_SUCCESS) return;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(cache_path_).parent_path(), error);
  if (error) return;
  // In one piece, for processes that read it meanwhile.
  const std::string partial = cat(cache_path_, ".", static_cast<int64_t>(getpid()));
  {
    std::ofstream out(partial, std::ios::binary | std::ios::trunc);
    CacheHeader header;
    header.bytes = size;
    header.sum = sum_of(data.data(), size);
    out.write(reinterpret_cast<const char*>(&header), sizeof header);
    if (!out.write(data.data(), static_cast<std::streamsize>(size))) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) std::filesystem::rename(partial, cache_path_, error);
  if (error) std::filesystem::remove(partial, error);
}

}  // namespace wick::gpu
