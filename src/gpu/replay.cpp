// Recording a program's commands, with barriers where one dispatch waits for another.
#include "gpu/replay.h"

#include <algorithm>

namespace wick::gpu {
namespace {

// Reads and writes since the last barrier, to know whether the next dispatch needs one.
class Hazards {
 public:
  explicit Hazards(const Program& program) : program_(program) {}

  bool meets(const Dispatch& d) const {
    for (MemoryId id : d.reads) {
      if (id != kNoMemory && overlaps(written_, id, false)) return true;
    }
    return overlaps(written_, d.write, d.writes_part) || overlaps(read_, d.write, false);
  }
  void note(const Dispatch& d) {
    for (MemoryId id : d.reads) {
      if (id != kNoMemory) read_.push_back({id, false});
    }
    written_.push_back({d.write, d.writes_part});
  }
  void clear() {
    read_.clear();
    written_.clear();
  }

 private:
  struct Use {
    MemoryId memory;
    bool part;
  };
  bool overlaps(const std::vector<Use>& uses, MemoryId id, bool part) const {
    const Memory& a = program_.memory[id];
    return std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
      const Memory& b = program_.memory[use.memory];
      if (use.memory == id) return !(part && use.part);
      return a.kind == b.kind && a.kind == Memory::Kind::kArena && a.offset < b.offset + b.bytes &&
             b.offset < a.offset + a.bytes;
    });
  }

  const Program& program_;
  std::vector<Use> read_, written_;
};

void barrier(const Api& vk, VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags made,
             VkPipelineStageFlags to, VkAccessFlags used) {
  const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, made, used};
  vk.vkCmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

constexpr VkAccessFlags kShaderAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;

}  // namespace

Replay::Replay(DevicePtr device, std::shared_ptr<const Program> program)
    : device_(std::move(device)), program_(std::move(program)), commands_(device_) {
  const Program& p = *program_;
  arena_ = std::make_unique<Buffer>(device_, p.arena_bytes, Buffer::Use::kDevice);
  inputs_ = std::make_unique<Buffer>(device_, p.input_bytes, Buffer::Use::kUpload);
  if (!inputs_->is_local()) {
    upload_ = std::move(inputs_);
    inputs_ = std::make_unique<Buffer>(device_, p.input_bytes, Buffer::Use::kDevice);
  }
  outputs_ = std::make_unique<Buffer>(device_, p.output_bytes, Buffer::Use::kDownload);
  if (!outputs_->is_local()) {
    download_ = std::move(outputs_);
    outputs_ = std::make_unique<Buffer>(device_, p.output_bytes, Buffer::Use::kDevice);
  }
  try {
    bind();
    commands_.begin();
    record(commands_.handle(), VK_NULL_HANDLE);
    commands_.end();
  } catch (...) {
    device_->vk.vkDestroyDescriptorPool(device_->handle(), pool_, nullptr);
    throw;
  }
}

Replay::~Replay() {
  device_->vk.vkDestroyDescriptorPool(device_->handle(), pool_, nullptr);
  if (queries_ != VK_NULL_HANDLE) device_->vk.vkDestroyQueryPool(device_->handle(), queries_, nullptr);
}

uint8_t* Replay::input(size_t k) const {
  return (upload_ ? upload_ : inputs_)->mapped() + program_->memory[program_->inputs[k].memory].offset;
}
const uint8_t* Replay::output(size_t k) const {
  return (download_ ? download_ : outputs_)->mapped() + program_->memory[program_->outputs[k].memory].offset;
}

const Buffer& Replay::buffer_of(const Memory& memory) const {
  switch (memory.kind) {
    case Memory::Kind::kInput:
      return *inputs_;
    case Memory::Kind::kOutput:
      return *outputs_;
    case Memory::Kind::kConstant:
      return *memory.constant.buffer;
    case Memory::Kind::kArena:
      break;
  }
  return *arena_;
}

void Replay::bind() {
  const Api& vk = device_->vk;
  const auto count = static_cast<uint32_t>(program_->dispatches.size());
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, std::max(1u, count * Device::kBindings)};
  auto pool = made<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  pool.maxSets = std::max(1u, count);
  pool.poolSizeCount = 1;
  pool.pPoolSizes = &size;
  check(vk.vkCreateDescriptorPool(device_->handle(), &pool, nullptr, &pool_), "vkCreateDescriptorPool");
  const std::vector<VkDescriptorSetLayout> layouts(count, device_->set_layout());
  sets_.resize(count);
  auto allocation = made<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
  allocation.descriptorPool = pool_;
  allocation.descriptorSetCount = count;
  allocation.pSetLayouts = layouts.data();
  if (count > 0) {
    check(vk.vkAllocateDescriptorSets(device_->handle(), &allocation, sets_.data()), "vkAllocateDescriptorSets");
  }
  for (uint32_t d = 0; d < count; ++d) {
    const Dispatch& dispatch = program_->dispatches[d];
    std::array<VkDescriptorBufferInfo, Device::kBindings> infos{};
    std::array<VkWriteDescriptorSet, Device::kBindings> writes{};
    for (uint32_t b = 0; b < Device::kBindings; ++b) {
      MemoryId id = b < 3 ? dispatch.reads[b] : dispatch.write;
      // Those that the shader does not look at are something that it reads.
      if (id == kNoMemory) id = dispatch.reads[0] != kNoMemory ? dispatch.reads[0] : dispatch.write;
      const Memory& memory = program_->memory[id];
      const uint64_t offset = memory.kind == Memory::Kind::kConstant ? memory.constant.offset : memory.offset;
      infos[b] = {buffer_of(memory).handle(), offset, std::max<uint64_t>(16, (memory.bytes + 15) / 16 * 16)};
      writes[b].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
      writes[b].dstSet = sets_[d];
      writes[b].dstBinding = b;
      writes[b].descriptorCount = 1;
      writes[b].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      writes[b].pBufferInfo = &infos[b];
    }
    vk.vkUpdateDescriptorSets(device_->handle(), Device::kBindings, writes.data(), 0, nullptr);
    pipelines_.push_back(device_->pipeline(dispatch.shader, program_->half && !dispatch.wide, dispatch.constants));
  }
}

void Replay::record_dispatch(VkCommandBuffer commands, size_t d) {
  const Api& vk = device_->vk;
  const Dispatch& dispatch = program_->dispatches[d];
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines_[d]);
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, device_->pipeline_layout(), 0, 1, &sets_[d], 0,
                             nullptr);
  std::array<uint32_t, Device::kPushBytes / 4> words{};
  std::copy(dispatch.push.all().begin(), dispatch.push.all().end(), words.begin());
  vk.vkCmdPushConstants(commands, device_->pipeline_layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, Device::kPushBytes,
                        words.data());
  vk.vkCmdDispatch(commands, dispatch.workgroups[0], dispatch.workgroups[1], dispatch.workgroups[2]);
}

void Replay::record(VkCommandBuffer commands, VkQueryPool times) {
  const Api& vk = device_->vk;
  const Program& p = *program_;
  constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
  uint32_t marks = 0;
  const auto mark = [&] {
    if (times != VK_NULL_HANDLE) {
      vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times, marks++);
    }
  };
  if (times != VK_NULL_HANDLE) vk.vkCmdResetQueryPool(commands, times, 0, mark_count());
  mark();
  // What the host has written is visible to what is submitted after it.
  if (upload_ && p.input_bytes > 0) {
    const VkBufferCopy region{0, 0, p.input_bytes};
    vk.vkCmdCopyBuffer(commands, upload_->handle(), inputs_->handle(), 1, &region);
    barrier(vk, commands, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, kCompute, VK_ACCESS_SHADER_READ_BIT);
  }
  mark();
  Hazards hazards(p);
  for (size_t d = 0; d < p.dispatches.size(); ++d) {
    if (hazards.meets(p.dispatches[d]) || (times != VK_NULL_HANDLE && d > 0)) {
      barrier(vk, commands, kCompute, VK_ACCESS_SHADER_WRITE_BIT, kCompute, kShaderAccess);
      hazards.clear();
    }
    hazards.note(p.dispatches[d]);
    record_dispatch(commands, d);
    mark();
  }
  if (p.output_bytes > 0) record_download(commands);
  mark();
}

void Replay::record_download(VkCommandBuffer commands) {
  const Api& vk = device_->vk;
  constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
  if (download_) {
    barrier(vk, commands, kCompute, VK_ACCESS_SHADER_WRITE_BIT, kTransfer, VK_ACCESS_TRANSFER_READ_BIT);
    const VkBufferCopy region{0, 0, program_->output_bytes};
    vk.vkCmdCopyBuffer(commands, outputs_->handle(), download_->handle(), 1, &region);
    barrier(vk, commands, kTransfer, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  } else {
    barrier(vk, commands, kCompute, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  }
}

void Replay::run() {
  (upload_ ? upload_ : inputs_)->flush();
  commands_.run();
  (download_ ? download_ : outputs_)->invalidate();
}

uint64_t Replay::bytes() const {
  uint64_t bytes = 0;
  for (const auto* buffer : {&arena_, &inputs_, &outputs_, &upload_, &download_}) {
    if (*buffer) bytes += (*buffer)->bytes();
  }
  return bytes;
}

// Before and after the upload, after each dispatch, after the download.
uint32_t Replay::mark_count() const { return static_cast<uint32_t>(program_->dispatches.size()) + 3; }

DeviceTimes Replay::run_timed() {
  const Api& vk = device_->vk;
  const uint32_t count = mark_count();
  if (device_->limits().timestamp_bits == 0) {
    run();
    return {};
  }
  if (!timed_) {
    auto info = made<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = count;
    if (queries_ == VK_NULL_HANDLE) {
      check(vk.vkCreateQueryPool(device_->handle(), &info, nullptr, &queries_), "vkCreateQueryPool");
    }
    timed_.emplace(device_);
    timed_->begin();
    record(timed_->handle(), queries_);
    timed_->end();
  }
  (upload_ ? upload_ : inputs_)->flush();
  timed_->run();
  (download_ ? download_ : outputs_)->invalidate();
  std::vector<uint64_t> ticks(count);
  check(vk.vkGetQueryPoolResults(device_->handle(), queries_, 0, count, ticks.size() * 8, ticks.data(), 8,
                                 VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
  const auto between = [&](uint32_t a, uint32_t b) { return device_->nanoseconds_between(ticks[a], ticks[b]); };
  DeviceTimes out;
  out.upload_ns = between(0, 1);
  for (uint32_t k = 2; k + 1 < count; ++k) out.dispatches.push_back({between(1, k - 1), between(k - 1, k)});
  out.download_ns = between(count - 2, count - 1);
  return out;
}

}  // namespace wick::gpu
