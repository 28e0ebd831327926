// A command buffer with its pool and fence.
#include "gpu/commands.h"

namespace wick::gpu {

Commands::Commands(DevicePtr device) : device_(std::move(device)) {
  const Api& vk = device_->vk;
  auto pool = made<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  pool.queueFamilyIndex = device_->queue_family();
  auto fence = made<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  try {
    check(vk.vkCreateCommandPool(device_->handle(), &pool, nullptr, &pool_), "vkCreateCommandPool");
    auto info = made<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    info.commandPool = pool_;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    check(vk.vkAllocateCommandBuffers(device_->handle(), &info, &buffer_), "vkAllocateCommandBuffers");
    check(vk.vkCreateFence(device_->handle(), &fence, nullptr, &fence_), "vkCreateFence");
  } catch (...) {
    vk.vkDestroyCommandPool(device_->handle(), pool_, nullptr);
    throw;
  }
}

Commands::~Commands() {
  device_->vk.vkDestroyFence(device_->handle(), fence_, nullptr);
  device_->vk.vkDestroyCommandPool(device_->handle(), pool_, nullptr);
}

void Commands::begin() {
  const auto info = made<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  check(device_->vk.vkBeginCommandBuffer(buffer_, &info), "vkBeginCommandBuffer");
}

void Commands::end() { check(device_->vk.vkEndCommandBuffer(buffer_), "vkEndCommandBuffer"); }

}  // namespace wick::gpu
