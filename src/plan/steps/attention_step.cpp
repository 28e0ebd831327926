// The attention step.
#include "plan/steps/attention_step.h"

#include "core/copy.h"
#include "plan/steps/product_workers.h"

namespace wick::plan {
namespace {

class AttentionStep : public Step {
 public:
  AttentionStep(const ir::Node* node, const kernels::Attention& attention, std::vector<int64_t> offsets,
                int64_t out_offset, StepName name)
      : Step(node),
        attention_(attention),
        offsets_(std::move(offsets)),
        out_offset_(out_offset),
        name_(std::move(name)) {}

  void run(Workspace& w) const override {
    const kernels::FlushDenormals flush;
    kernels::Attention a = attention_;
    a.q.data = input<float>(w, 0) + offsets_[0];
    a.k.data = input<float>(w, 1) + offsets_[1];
    a.v.data = input<float>(w, 2) + offsets_[2];
    a.mask.data = reads_.size() > 3 ? input<float>(w, 3) + offsets_[3] : nullptr;
    a.out.data = output<float>(w, 0) + out_offset_;
    const kernels::Workers workers = product_workers(work());
    w.kernel_scratch.reserve(kernels::attention_scratch_size(a, workers.count));
    kernels::attention(a, w.kernel_scratch.data(), workers);
  }

  StepName name() const override { return StepName(name_.text()).with_operations(2 * work()); }

 private:
  double work() const {
    const kernels::Attention& a = attention_;
    return static_cast<double>(a.batch * a.heads) * static_cast<double>(a.queries) * static_cast<double>(a.keys) *
           static_cast<double>(a.depth + a.value_depth);
  }

  const kernels::Attention attention_;
  const std::vector<int64_t> offsets_;
  const int64_t out_offset_;
  const StepName name_;
};

class MaskStep : public Step {
 public:
  MaskStep(const ir::Node* node, bool hides, float hidden) : Step(node), hides_(hides), hidden_(hidden) {}

  void run(Workspace& w) const override {
    const Tensor& out = w.tensors[writes_[0]];
    // Truth as 0 and 1, in order.
    const Tensor& in = w.tensors[reads_[0]];
    copy_into(out, in);
    float* p = out.data_ptr<float>();
    for (int64_t i = 0, n = out.numel(); i < n; ++i) p[i] = (p[i] != 0) == hides_ ? hidden_ : 0.0F;
  }

  StepName name() const override { return StepName("mask"); }

 private:
  const bool hides_;
  const float hidden_;
};

}  // namespace

void emit_attention(Builder& builder, const ir::Node* node, const kernels::Attention& attention,
                    const AttentionOperand& q, const AttentionOperand& k, const AttentionOperand& v,
                    const AttentionOperand& mask, const AttentionOperand& out, StepName name) {
  std::vector<Slot> reads{q.slot, k.slot, v.slot};
  std::vector<int64_t> offsets{q.offset, k.offset, v.offset};
  if (mask.slot != kNoSlot) {
    reads.push_back(mask.slot);
    offsets.push_back(mask.offset);
  }
  builder.emit(std::make_unique<AttentionStep>(node, attention, std::move(offsets), out.offset, std::move(name)),
               std::move(reads), {out.slot});
}

Slot emit_additive_mask(Builder& builder, const ir::Node* node, TensorId mask, bool hides, float hidden) {
  const Slot in = builder.plain(mask);
  const Slot out = builder.define_temporary(builder.tensor(mask).sizes);
  builder.emit(std::make_unique<MaskStep>(node, hides, hidden), {in}, {out});
  return out;
}

}  // namespace wick::plan
