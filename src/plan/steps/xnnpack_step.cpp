// Convolutions and dense layers by XNNPACK, where it is faster or always.
#include "plan/steps/xnnpack_step.h"

#include <mutex>

#include "kernels/float_mode.h"
#include "kernels/xnnpack.h"
#include "ops/workers.h"

namespace wick::plan {
namespace {

#ifdef WICK_XNNPACK_ALWAYS
constexpr bool kAlways = true;
#else
constexpr bool kAlways = false;
#endif

class XnnpackStep : public Step {
 public:
  XnnpackStep(const ir::Node* node, std::unique_ptr<kernels::XnnpackLayer> layer, double work, StepName name)
      : Step(node), layer_(std::move(layer)), work_(work), name_(std::move(name)) {}

  void run(Workspace& w) const override {
    const kernels::FlushDenormals flush;
    w.kernel_scratch.reserve((layer_->scratch_size() + sizeof(float) - 1) / sizeof(float));
    const std::lock_guard lock(mutex_);
    layer_->run(input<void>(w, 0), output<void>(w, 0), w.kernel_scratch.data(), ops::workers_for(work_).count);
  }

  StepName name() const override { return StepName(name_.text(), " (XNNPACK)").with_operations(2 * work_); }

 private:
  mutable std::mutex mutex_;  // an operator holds the addresses it works on
  const std::unique_ptr<kernels::XnnpackLayer> layer_;
  const double work_;
  const StepName name_;
};

std::unique_ptr<Step> step_of(const ir::Node* node, std::unique_ptr<kernels::XnnpackLayer> layer,
                              const kernels::ConvShape& s, StepName name) {
  if (!layer) return nullptr;
  const double work = static_cast<double>(s.batch) * static_cast<double>(s.out_pixels()) *
                      static_cast<double>(s.out_channels) * static_cast<double>(s.taps() * s.group_in());
  return std::make_unique<XnnpackStep>(node, std::move(layer), work, std::move(name));
}

// Own kernels share their work among threads that are awake; XNNPACK's have to be woken for each layer.
bool on_one_thread() { return ops::workers_for(1e12).count <= 1; }

}  // namespace

bool prefers_xnnpack(const kernels::ConvShape& s, const kernels::Epilogue& epilogue) {
  if (epilogue.activation != kernels::Activation::kNone) return false;
  if (kAlways) return true;
  if (!on_one_thread()) return false;
  if (s.groups > 1) return s.group_in() > 1 && s.group_out() > 1 && !kernels::is_grouped_conv(s);
  // Larger images are better off in row tiles (fuse_row_tiles).
  constexpr int64_t kLargest = (512 << 10) / sizeof(float);
  return s.taps() == 1 && s.stride[1] == 1 && s.stride[2] == 1 && s.out_pixels() > 1 &&
         s.in_pixels() * s.in_channels <= kLargest && s.out_pixels() * s.out_channels <= kLargest;
}

std::unique_ptr<Step> xnnpack_conv_step(const ir::Node* node, const kernels::ConvShape& shape, const float* weight,
                                        const float* scale, const float* bias, const kernels::Epilogue& epilogue,
                                        StepName name) {
  if (!prefers_xnnpack(shape, epilogue)) return nullptr;
  return step_of(node, kernels::XnnpackLayer::conv(shape, weight, scale, bias, epilogue.low, epilogue.high), shape,
                 std::move(name));
}

std::unique_ptr<Step> xnnpack_dense_step(const ir::Node* node, const DenseLayer& layer, const DenseRows& rows,
                                         const float* bias, const kernels::Epilogue& epilogue, StepName name) {
  if (!kAlways || epilogue.activation != kernels::Activation::kNone || !layer.transposed || !rows.in.is_single()) {
    return nullptr;
  }
  kernels::ConvShape shape;
  shape.in_channels = layer.inputs();
  shape.out_channels = layer.outputs();
  shape.out[2] = rows.in.rows;
  const Tensor weight = as_floats(layer.weight);
  return step_of(
      node,
      kernels::XnnpackLayer::dense(rows.in.rows, layer.inputs(), layer.outputs(), rows.in.step, rows.out.step,
                                   weight.data_ptr<float>(), bias, epilogue.low, epilogue.high),
      shape, std::move(name));
}

std::unique_ptr<Step> xnnpack_byte_step(const ir::Node* node, const kernels::ConvShape& shape, const Tensor& weight,
                                        const ops::LayerNumbers& numbers, StepName name) {
  if (!kAlways) return nullptr;
  const ops::RowParams params = ops::row_params(weight, 0, shape.out_channels);
  kernels::XnnpackBytes bytes;
  bytes.in_zero = numbers.in_zero;
  bytes.out_zero = static_cast<uint8_t>(numbers.result.zero);
  bytes.low = static_cast<uint8_t>(numbers.result.low);
  bytes.high = static_cast<uint8_t>(numbers.result.high);
  bytes.multipliers = numbers.multipliers.data();
  bytes.weight = static_cast<const int8_t*>(weight.raw_data());
  bytes.weight_zeros = params.zeros.data();
  bytes.bias = numbers.biases.data();
  return step_of(node, kernels::XnnpackLayer::byte_conv(shape, bytes), shape, std::move(name));
}

}  // namespace wick::plan
