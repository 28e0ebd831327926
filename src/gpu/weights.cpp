// Uploading weights, and the places they have on the device.
#include "gpu/weights.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#include "core/copy.h"
#include "gpu/commands.h"

namespace wick::gpu {
namespace {

constexpr uint64_t kChunkBytes = uint64_t{16} << 20;
constexpr uint64_t kStageBytes = uint64_t{64} << 20;

}  // namespace

// A buffer that constants share.
class Weights::Chunk {
 public:
  explicit Chunk(const DevicePtr& device) : buffer_(device, kChunkBytes, Buffer::Use::kDevice) {}

  const Buffer& buffer() const { return buffer_; }
  std::optional<uint64_t> take(uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    for (auto it = free_.begin(); it != free_.end(); ++it) {
      if (it->bytes < bytes) continue;
      const uint64_t at = it->at;
      it->at += bytes;
      it->bytes -= bytes;
      if (it->bytes == 0) free_.erase(it);
      return at;
    }
    return std::nullopt;
  }
  void give_back(uint64_t at, uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    auto next = std::find_if(free_.begin(), free_.end(), [at](const Range& r) { return r.at > at; });
    if (next != free_.end() && at + bytes == next->at) {
      next->at = at;
      next->bytes += bytes;
    } else {
      next = free_.insert(next, {at, bytes});
    }
    if (next == free_.begin() || (next - 1)->at + (next - 1)->bytes != next->at) return;
    (next - 1)->bytes += next->bytes;
    free_.erase(next);
  }

 private:
  struct Range {
    uint64_t at, bytes;
  };
  const Buffer buffer_;
  std::mutex mutex_;
  std::vector<Range> free_{{0, kChunkBytes}};  // by place, apart from each other
};

Constant Weights::place(uint64_t bytes) {
  if (bytes >= kChunkBytes / 4) return {std::make_shared<Buffer>(device_, bytes, Buffer::Use::kDevice), 0};
  std::erase_if(chunks_, [](const std::weak_ptr<Chunk>& chunk) { return chunk.expired(); });
  const auto in = [&](std::shared_ptr<Chunk> chunk) -> std::optional<Constant> {
    const std::optional<uint64_t> at = chunk ? chunk->take(bytes) : std::nullopt;
    if (!at) return std::nullopt;
    // Whoever has the last copy of the constant gives its place back.
    Chunk* const from = chunk.get();
    std::shared_ptr<void> owner(from, [chunk = std::move(chunk), at, bytes](Chunk*) { chunk->give_back(*at, bytes); });
    return Constant{std::shared_ptr<const Buffer>(std::move(owner), &from->buffer()), *at};
  };
  for (const std::weak_ptr<Chunk>& chunk : chunks_) {
    if (std::optional<Constant> constant = in(chunk.lock())) return *constant;
  }
  const auto fresh = std::make_shared<Chunk>(device_);
  chunks_.push_back(fresh);
  return *in(fresh);
}

Constant Weights::get(const plan::PackKey& key, size_t elements, const Callback<void(float*)>& pack, bool wide) {
  const std::lock_guard lock(mutex_);
  const uint64_t hash = key.hash();
  for (auto it = entries_.begin(); it != entries_.end(); ++it) {
    if (it->hash != hash || !(it->key == key)) continue;
    if (std::shared_ptr<const Buffer> buffer = it->buffer.lock()) return {std::move(buffer), it->offset};
    entries_.erase(it);
    break;
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
  const Constant constant = pending.constant = place(size);
  pending_.push_back(std::move(pending));
  entries_.push_back({key, hash, constant.buffer, constant.offset, size});
  return constant;
}

// What only stood here: of plans that were dropped, or never made.
void Weights::drop_unused() {
  std::erase_if(pending_, [](const Pending& p) { return p.constant.buffer.use_count() == 1; });
  std::erase_if(entries_, [](const Entry& e) { return e.buffer.expired(); });
}

void Weights::upload() {
  const std::lock_guard lock(mutex_);
  drop_unused();
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
    // Plans of other threads may count on the rest: it stays, for their own uploads.
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(next));
    throw;
  }
}

void Weights::forget() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
}

uint64_t Weights::bytes() const {
  const std::lock_guard lock(mutex_);
  return std::accumulate(entries_.begin(), entries_.end(), uint64_t{0},
                         [](uint64_t sum, const Entry& e) { return sum + (e.buffer.expired() ? 0 : e.bytes); });
}

}  // namespace wick::gpu
