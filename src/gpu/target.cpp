// Choosing stretches of a trace, and the step of a plan that runs one.
#include "gpu/target.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/check.h"
#include "core/copy.h"
#include "gpu/gpu.h"
#include "gpu/lowering.h"
#include "gpu/replay.h"
#include "plan/profile.h"
#include "plan/steps/beyond_step.h"

namespace wick::gpu {
namespace {

std::string tenths(uint64_t n, uint64_t unit) { return cat(n / unit, ".", n * 10 / unit % 10); }

// What a product computes and moves at least: "236.0 Mflop, 1.9 MB". Empty for other dispatches.
std::string work_of(const Program& program, const Dispatch& d) {
  if (d.operations == 0) return {};
  uint64_t bytes = program.memory[d.write].bytes;
  for (MemoryId id : d.reads) bytes += id == kNoMemory ? 0 : program.memory[id].bytes;
  constexpr uint64_t kMillion = 1000000;
  return cat(tenths(static_cast<uint64_t>(d.operations), kMillion), " Mflop, ", tenths(bytes, kMillion), " MB");
}

class GpuStep : public plan::Step {
 public:
  GpuStep(const ir::Node* node, DevicePtr device, Program program)
      : Step(node), device_(std::move(device)), program_(std::make_shared<const Program>(std::move(program))) {}

  void run(plan::Workspace& w) const override {
    for (size_t k = 0; k < program_->inputs.size(); ++k) {
      if (!holds(w.tensors[reads_[k]], program_->inputs[k])) throw plan::BeyondStep();
    }
    std::unique_ptr<Replay> replay = take();
    try {
      run(*replay, w);
    } catch (...) {
      give_back(nullptr, w);
      throw;
    }
    const bool overflows = program_->half && w.can_repeat && gives_new_infinities(*replay, w);
    give_back(std::move(replay), w);
    if (overflows) throw plan::BeyondStep();
  }

  plan::StepName name() const override {
    return plan::StepName("gpu: submission, ", program_->dispatches.size(), " dispatches");
  }
  std::string_view kind() const override { return "gpu"; }
  uint64_t device_bytes() const override {
    const std::lock_guard lock(mutex_);
    // The first is made by the first run.
    const uint64_t each =
        replay_bytes_ != 0 ? replay_bytes_ : program_->arena_bytes + program_->input_bytes + program_->output_bytes;
    return std::max<uint64_t>(replays_, 1) * each;
  }

 private:
  // Each thread that runs the plan has its own.
  std::unique_ptr<Replay> take() const {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Replay> replay = std::move(free_.back());
        free_.pop_back();
        return replay;
      }
    }
    auto replay = std::make_unique<Replay>(device_, program_);
    const std::lock_guard lock(mutex_);
    replay_bytes_ = replay->bytes();
    ++replays_;
    return replay;
  }

  // Null: it is of no use any more.
  void give_back(std::unique_ptr<Replay> replay, const plan::Workspace& w) const {
    const std::lock_guard lock(mutex_);
    if (replay && (!w.keeps_one || free_.empty())) {
      free_.push_back(std::move(replay));
    } else {
      --replays_;
    }
  }

  void run(Replay& replay, const plan::Workspace& w) const {
    if (plan::Profile* profile = plan::current_profile()) return run_profiled(replay, w, *profile);
    upload(replay, w);
    replay.run();
    download(replay, w);
  }
  void upload(Replay& replay, const plan::Workspace& w) const {
    for (size_t k = 0; k < program_->inputs.size(); ++k) {
      move(program_->inputs[k], w.tensors[reads_[k]], replay.input(k), nullptr);
    }
  }
  void download(const Replay& replay, const plan::Workspace& w) const {
    for (size_t k = 0; k < program_->outputs.size(); ++k) {
      move(program_->outputs[k], w.tensors[writes_[k]], nullptr, replay.output(k));
    }
  }

  // Whether float16 has ended: results are infinite or NaN though nothing that came in was.
  bool gives_new_infinities(const Replay& replay, const plan::Workspace& w) const {
    const auto has_some = [](const Tensor& t) {
      if (t.dtype() != DType::kFloat) return false;
      const Tensor dense = t.contiguous();
      const float* at = dense.data_ptr<float>();
      return !std::all_of(at, at + dense.numel(), [](float x) { return std::isfinite(x); });
    };
    constexpr uint16_t kExponent = 0x7c00;  // all of its bits: infinite or NaN
    bool found = false;
    for (size_t k = 0; k < program_->outputs.size() && !found; ++k) {
      if (program_->outputs[k].wide) continue;
      const auto* at = reinterpret_cast<const uint16_t*>(replay.output(k));
      found = std::any_of(at, at + checked_numel(program_->outputs[k].sizes),
                          [](uint16_t bits) { return (bits & kExponent) == kExponent; });
    }
    return found &&
           std::none_of(reads_.begin(), reads_.end(), [&](uint32_t slot) { return has_some(w.tensors[slot]); });
  }

  template <class T>
  static bool lie_between(const Tensor& t, int64_t low, int64_t high) {
    const Tensor dense = t.contiguous();
    const T* at = static_cast<const T*>(dense.raw_data());
    return std::all_of(at, at + dense.numel(), [&](T n) { return n >= low && n <= high; });
  }
  // Whether integers are what the device can hold, and what indices among them may be.
  static bool holds(const Tensor& t, const Transfer& as) {
    switch (t.dtype()) {
      case DType::kLong:
        return lie_between<int64_t>(t, as.low, as.high);
      case DType::kInt:
        return lie_between<int32_t>(t, as.low, as.high);
      case DType::kShort:
        return lie_between<int16_t>(t, as.low, as.high);
      case DType::kChar:
        return lie_between<int8_t>(t, as.low, as.high);
      case DType::kByte:
        return lie_between<uint8_t>(t, as.low, as.high);
      default:
        return true;
    }
  }

  // Copies a tensor to the host's view of device memory, or from it.
  void move(const Transfer& transfer, const Tensor& t, uint8_t* to, const uint8_t* from) const {
    const DType dtype = program_->half && !transfer.wide ? DType::kHalf : DType::kFloat;
    const bool same = t.dtype() == dtype && same_strides(transfer.sizes, t.strides(), transfer.strides);
    if (same && to != nullptr) {
      std::memcpy(to, t.raw_data(), t.nbytes());
    } else if (same && from != nullptr) {
      std::memcpy(t.raw_data(), from, t.nbytes());
    } else if (to != nullptr) {
      copy_into(Tensor::from_blob(static_cast<void*>(to), transfer.sizes, dtype, transfer.strides), t);
    } else {
      copy_into(t, Tensor::from_blob(static_cast<const void*>(from), transfer.sizes, dtype, transfer.strides));
    }
  }

  // Transfers are what the host copies and what the device does, from memory that both see to memory of shaders.
  void run_profiled(Replay& replay, const plan::Workspace& w, plan::Profile& profile) const {
    const auto note = [&](std::string name, std::string output, int64_t start, int64_t duration, uint64_t bytes) {
      plan::StepTime step{std::move(name), std::move(output), start, duration, "gpu"};
      step.bytes = static_cast<double>(bytes);
      profile.steps.push_back(std::move(step));
    };
    const auto transfer = [&](const char* name, const std::vector<Transfer>& tensors, int64_t start, int64_t duration) {
      uint64_t bytes = 0;
      for (const Transfer& t : tensors) bytes += program_->memory[t.memory].bytes;
      note(name, cat(tensors.size(), tensors.size() == 1 ? " tensor, " : " tensors, ", tenths(bytes, 1000), " kB"),
           start, duration, bytes);
    };
    const int64_t start = plan::now_ns();
    upload(replay, w);
    const int64_t uploaded = plan::now_ns();
    const DeviceTimes times = replay.run_timed();
    const int64_t done = plan::now_ns();
    download(replay, w);
    const int64_t end = plan::now_ns();
    profile.arena_bytes += program_->arena_bytes;
    transfer("gpu: upload", program_->inputs, start, uploaded - start + times.upload_ns);
    for (size_t k = 0; k < times.dispatches.size(); ++k) {
      const Dispatch& d = program_->dispatches[k];
      note(cat("gpu: ", d.name, " (", gpu::name_of(d.shader), ")"), work_of(*program_, d),
           uploaded + times.upload_ns + times.dispatches[k].start_ns, times.dispatches[k].duration_ns, 0);
    }
    transfer("gpu: download", program_->outputs, done, end - done + times.download_ns);
  }

  const DevicePtr device_;
  const std::shared_ptr<const Program> program_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Replay>> free_;
  mutable uint64_t replays_ = 0, replay_bytes_ = 0;  // that there are; of each
};

}  // namespace

std::vector<plan::Target::Stretch> GpuTarget::choose(const plan::Builder& b) {
  std::vector<Stretch> out;
  Lowering lowering(b, weights_, device_->limits(), half_);
  size_t last = SIZE_MAX;  // step of the open stretch
  const auto close = [&] {
    if (last == SIZE_MAX) return;
    Lowering::Stretch made = lowering.take();
    Stretch stretch;
    stretch.at = last;
    last = SIZE_MAX;
    finish(made.program, device_->limits().alignment);
    if (made.program.dispatches.empty()) return;
    stretch.steps = std::move(made.steps);
    stretch.views = std::move(made.views);
    for (const Transfer& t : made.program.inputs) stretch.inputs.push_back(t.tensor);
    for (const Transfer& t : made.program.outputs) stretch.outputs.push_back(t.tensor);
    ++stretches_;
    dispatches_ += made.program.dispatches.size();
    steps_ += stretch.steps.size();
    stretch.step = std::make_unique<GpuStep>(b.step(stretch.at).node, device_, std::move(made.program));
    out.push_back(std::move(stretch));
  };
  const auto each = [](const std::vector<plan::TracedValue>& values, const auto& test) {
    for (const plan::TracedValue& v : values) {
      for (TensorId id : v.ids) {
        if (id != kNoTensor && test(id)) return true;
      }
    }
    return false;
  };
  for (size_t s = 0; s < b.step_count(); ++s) {
    if (lowering.is_done(s)) continue;
    const plan::TracedStep& step = b.step(s);
    // One whose result nobody uses has none in the trace; it is there for what it writes to.
    const bool known = each(step.outs, [](TensorId) { return true; }) &&
                       !each(step.outs, [&](TensorId id) { return !b.is_constant(id); });
    if (known) continue;
    if (lowering.lower(s)) {
      last = s;
    } else if (each(step.args, [&](TensorId id) { return lowering.has(id) && !b.is_constant(id); })) {
      close();
    }
  }
  close();
  weights_.upload();
  return out;
}

std::shared_ptr<plan::Target> open(const BackendOptions& options) {
  Settings settings;
  settings.device = options.device;
  settings.half = options.precision == GpuPrecision::kFloat16;
  const DevicePtr device = Device::open(settings);
  WICK_CHECK(!settings.half || device->limits().half, kUnsupported, device->name(),
             " has no float16 in buffers (storageBuffer16BitAccess): use float32");
  return std::make_shared<GpuTarget>(device, settings.half);
}

}  // namespace wick::gpu
