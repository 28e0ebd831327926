// Uploading weights.
#include "gpu/weights.h"

#include <cstring>

#include "core/copy.h"
#include "gpu/commands.h"

namespace wick::gpu {
namespace {

constexpr uint64_t kChunkBytes = uint64_t{16} << 20;
constexpr uint64_t kStageBytes = uint64_t{64} << 20;

}  // namespace

Constant Weights::get(const plan::PackKey& key, size_t elements, const Callback<void(float*)>& pack, bool wide) {
  const std::lock_guard lock(mutex_);
  const uint64_t hash = key.hash();
  for (const Entry& e : entries_) {
    if (e.hash == hash && e.key == key) return e.constant;
  }
  Pending pending;
  std::vector<float> floats(elements);
  pack(floats.data());
  const bool half = half_ && !wide;
  pending.bytes.resize(elements * (half ? 2 : 4));
  if (half) {
    convert_elements(pending.bytes.data(), 2, DType::kHalf, floats.data(), 4, DType::kFloat,
                     static_cast<int64_t>(elements));
  } else {
    std::memcpy(pending.bytes.data(), floats.data(), pending.bytes.size());
  }
  const uint64_t step = std::max<uint64_t>(device_->limits().alignment, 256);
  const uint64_t size = (pending.bytes.size() + step - 1) / step * step;
  if (size >= kChunkBytes / 4) {
    pending.constant = {std::make_shared<Buffer>(device_, size, Buffer::Use::kDevice), 0};
  } else {
    if (!chunk_ || chunk_used_ + size > chunk_->bytes()) {
      chunk_ = std::make_shared<Buffer>(device_, kChunkBytes, Buffer::Use::kDevice);
      chunk_used_ = 0;
    }
    pending.constant = {chunk_, chunk_used_};
    chunk_used_ += size;
  }
  const Constant constant = pending.constant;
  pending_.push_back(std::move(pending));
  entries_.push_back({key, hash, constant});
  return constant;
}

void Weights::upload() {
  const std::lock_guard lock(mutex_);
  size_t next = 0;
  try {
    while (next < pending_.size()) {
      uint64_t total = 0;
      size_t end = next;
      while (end < pending_.size() && (end == next || total + pending_[end].bytes.size() <= kStageBytes)) {
        total += pending_[end++].bytes.size();
      }
      const Buffer stage(device_, total, Buffer::Use::kUpload);
      Commands commands(device_);
      commands.begin();
      uint64_t at = 0;
      for (size_t k = next; k < end; ++k) {
        const Pending& p = pending_[k];
        std::memcpy(stage.mapped() + at, p.bytes.data(), p.bytes.size());
        const VkBufferCopy region{at, p.constant.offset, p.bytes.size()};
        device_->vk.vkCmdCopyBuffer(commands.handle(), stage.handle(), p.constant.buffer->handle(), 1, &region);
        at += p.bytes.size();
      }
      stage.flush();
      const VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                    VK_ACCESS_SHADER_READ_BIT};
      device_->vk.vkCmdPipelineBarrier(commands.handle(), VK_PIPELINE_STAGE_TRANSFER_BIT,
                                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
      commands.end();
      commands.run();
      next = end;
    }
    pending_.clear();
  } catch (...) {
    // What was not uploaded must not be found again.
    entries_.clear();
    pending_.clear();
    chunk_ = nullptr;
    throw;
  }
}

void Weights::forget() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
  chunk_ = nullptr;
}

}  // namespace wick::gpu
