// Buffers and the kinds of memory they lie in.
#include "core/check.h"
#include "gpu/device.h"

namespace wick::gpu {

Device::MemoryKind Device::memory_for(Buffer::Use use, uint32_t allowed) const {
  constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  constexpr VkMemoryPropertyFlags kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
  constexpr VkMemoryPropertyFlags kCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  // By preference. A host that reads memory that is not cached does so word by word.
  std::vector<VkMemoryPropertyFlags> wanted;
  switch (use) {
    case Buffer::Use::kDevice:
      wanted = {kLocal, 0};
      break;
    case Buffer::Use::kUpload:
      wanted = {kLocal | kVisible | kCoherent, kVisible | kCoherent, kVisible};
      break;
    case Buffer::Use::kDownload:
      wanted = {kLocal | kVisible | kCached | kCoherent, kVisible | kCached | kCoherent, kVisible | kCached,
                kVisible | kCoherent, kVisible};
      break;
  }
  for (VkMemoryPropertyFlags flags : wanted) {
    for (uint32_t t = 0; t < memory_.memoryTypeCount; ++t) {
      const VkMemoryPropertyFlags has = memory_.memoryTypes[t].propertyFlags;
      if ((allowed >> t & 1) == 0 || (has & flags) != flags) continue;
      // A window of 256 MB into the device's memory is too small to be taken by inputs.
      const VkDeviceSize heap = memory_.memoryHeaps[memory_.memoryTypes[t].heapIndex].size;
      if (use == Buffer::Use::kUpload && (flags & kLocal) && heap <= VkDeviceSize{256} << 20) continue;
      return {t, (has & kLocal) != 0, (has & kCoherent) != 0, (has & kVisible) != 0};
    }
  }
  fail_with<ErrorCode::kUnsupported>("the GPU has no memory of a kind that the backend needs");
}

Buffer::Buffer(DevicePtr device, uint64_t bytes, Use use)
    : device_(std::move(device)), bytes_(std::max<uint64_t>(bytes, 16)) {
  const Api& vk = device_->vk;
  if (bytes_ > device_->limits().max_allocation) {
    throw Error(ErrorCode::kOutOfMemory, cat("the GPU allocates at most ", device_->limits().max_allocation,
                                             " bytes at once (maxMemoryAllocationSize), not ", bytes_));
  }
  auto info = made<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = bytes_;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  check(vk.vkCreateBuffer(device_->handle(), &info, nullptr, &buffer_), "vkCreateBuffer");
  try {
    VkMemoryRequirements needs{};
    vk.vkGetBufferMemoryRequirements(device_->handle(), buffer_, &needs);
    const Device::MemoryKind kind = device_->memory_for(use, needs.memoryTypeBits);
    local_ = kind.local;
    coherent_ = kind.coherent;
    auto allocation = made<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocation.allocationSize = needs.size;
    allocation.memoryTypeIndex = kind.type;
    check(vk.vkAllocateMemory(device_->handle(), &allocation, nullptr, &memory_), "vkAllocateMemory");
    check(vk.vkBindBufferMemory(device_->handle(), buffer_, memory_, 0), "vkBindBufferMemory");
    if (use != Use::kDevice) {
      void* at = nullptr;
      check(vk.vkMapMemory(device_->handle(), memory_, 0, VK_WHOLE_SIZE, 0, &at), "vkMapMemory");
      mapped_ = static_cast<uint8_t*>(at);
    }
  } catch (...) {
    vk.vkDestroyBuffer(device_->handle(), buffer_, nullptr);
    vk.vkFreeMemory(device_->handle(), memory_, nullptr);
    throw;
  }
}

Buffer::~Buffer() {
  device_->vk.vkDestroyBuffer(device_->handle(), buffer_, nullptr);
  device_->vk.vkFreeMemory(device_->handle(), memory_, nullptr);
}

void Buffer::flush() const {
  if (coherent_) return;
  VkMappedMemoryRange range{VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, nullptr, memory_, 0, VK_WHOLE_SIZE};
  check(device_->vk.vkFlushMappedMemoryRanges(device_->handle(), 1, &range), "vkFlushMappedMemoryRanges");
}

void Buffer::invalidate() const {
  if (coherent_) return;
  VkMappedMemoryRange range{VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, nullptr, memory_, 0, VK_WHOLE_SIZE};
  check(device_->vk.vkInvalidateMappedMemoryRanges(device_->handle(), 1, &range), "vkInvalidateMappedMemoryRanges");
}

}  // namespace wick::gpu
