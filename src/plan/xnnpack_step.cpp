#include "plan/xnnpack_step.h"

#include <mutex>

#include "kernels/float_mode.h"
#include "kernels/xnnpack.h"
#include "ops/workers.h"

namespace wick::plan {
namespace {

class XnnpackStep : public Step {
 public:
  XnnpackStep(const ir::Node* node, std::unique_ptr<kernels::XnnpackConv> conv, std::string name)
      : Step(node), conv_(std::move(conv)), name_(std::move(name)) {}

  void run(Workspace& w) const override {
    const kernels::FlushDenormals flush;
    const std::lock_guard lock(mutex_);
    conv_->run(input<float>(w, 0), output<float>(w, 0));
  }

  std::string name() const override { return name_ + " (XNNPACK)"; }

 private:
  mutable std::mutex mutex_;  // an operator holds the addresses it works on
  const std::unique_ptr<kernels::XnnpackConv> conv_;
  const std::string name_;
};

}  // namespace

bool prefers_xnnpack(const kernels::ConvShape& s, const kernels::Epilogue& epilogue) {
  // The steps run on one thread.
  if (epilogue.activation != kernels::Activation::kNone || ops::workers_for(1e12).count > 1) return false;
  if (s.groups > 1) return s.group_in() > 1 && s.group_out() > 1;
  // Larger images are better off in bands (fuse_bands).
  constexpr int64_t kLargest = (512 << 10) / sizeof(float);
  return s.taps() == 1 && s.stride[1] == 1 && s.stride[2] == 1 && s.out_pixels() > 1 &&
         s.in_pixels() * s.in_channels <= kLargest && s.out_pixels() * s.out_channels <= kLargest;
}

std::unique_ptr<Step> xnnpack_step(const ir::Node* node, const kernels::ConvShape& shape, const float* weight,
                                   const float* scale, const float* bias, const kernels::Epilogue& epilogue,
                                   std::string name) {
  if (epilogue.activation != kernels::Activation::kNone) return nullptr;
  auto conv = kernels::XnnpackConv::make(shape, weight, scale, bias, epilogue.low, epilogue.high);
  return conv ? std::make_unique<XnnpackStep>(node, std::move(conv), std::move(name)) : nullptr;
}

}  // namespace wick::plan
