// The steps that compute in float16, and those that convert to it and back.
#include "plan/steps/half_step.h"

#include <algorithm>
#include <cmath>

#include "kernels/half.h"
#include "kernels/product.h"
#include "ops/workers.h"
#include "plan/steps/product_workers.h"

namespace wick::plan {
namespace {

using kernels::Half;

constexpr float kLargestHalf = 65504.0f;
// Elements of a conversion that a thread takes at once.
constexpr int64_t kPart = 1 << 13;

class HalfConvStep : public Step {
 public:
  HalfConvStep(const ir::Node* node, const HalfConv& conv, std::shared_ptr<HalfLayers> layers, StepName name)
      : Step(node),
        weights_(conv.weights),
        bias_(conv.bias),
        layers_(std::move(layers)),
        name_(std::move(name)),
        pixel_(conv.shape.out_channels) {
    conv_.shape = conv.shape;
    conv_.method = conv.method;
    conv_.epilogue = conv.epilogue;
    conv_.weights = reinterpret_cast<const Half*>(weights_.get());
    conv_.bias = reinterpret_cast<const Half*>(bias_.get());
  }

  void run(Workspace& w) const override {
    if constexpr (kernels::kHasHalfKernels) {
      kernels::Conv2dOf<Half> conv = conv_;
      const kernels::ConvShape& s = conv.shape;
      conv.y = kernels::dense_view(output<Half>(w, 0), s.out[1], s.out[2], pixel_);
      conv.read_dense(input<Half>(w, 0));
      if (reads_.size() > 1) {
        conv.residual = kernels::dense_view(input<Half>(w, 1), s.out[1], s.out[2], s.out_channels);
      }
      const kernels::Workers workers = product_workers(work());
      w.kernel_scratch.reserve(floats_of_halves(kernels::conv_scratch_size<Half>(s, conv.method, workers.count)));
      kernels::run_conv(conv, reinterpret_cast<Half*>(w.kernel_scratch.data()), workers);
      if (layers_->is_searching()) check(w, conv.y.data);
    }
  }

  bool set_output_pixel(int64_t elements) override {
    pixel_ = elements;
    return true;
  }
  StepName name() const override { return StepName(name_.text(), " fp16").with_operations(2 * work()); }

 private:
  double work() const {
    const kernels::ConvShape& s = conv_.shape;
    return static_cast<double>(s.batch) * static_cast<double>(s.out_pixels()) * static_cast<double>(s.out_channels) *
           static_cast<double>(s.taps() * s.group_in());
  }
  // Throws where a result is infinite.
  void check(const Workspace& w, const Half* y) const {
    const kernels::ConvShape& s = conv_.shape;
    for (int64_t i = 0; i < s.batch * s.out_pixels() && w.searches_halves; ++i) {
      const auto* pixel = reinterpret_cast<const uint16_t*>(y + i * pixel_);
      if (!are_finite(pixel, s.out_channels)) throw HalfOverflow{node()};
    }
  }

  kernels::Conv2dOf<Half> conv_;
  const Packed weights_, bias_;
  const std::shared_ptr<HalfLayers> layers_;
  const StepName name_;
  int64_t pixel_;  // from pixel to pixel of the result
};

class HalfDenseStep : public Step {
 public:
  HalfDenseStep(const ir::Node* node, const HalfDense& dense, std::shared_ptr<HalfLayers> layers, StepName name)
      : Step(node), dense_(dense), layers_(std::move(layers)), name_(std::move(name)) {
    if constexpr (kernels::kHasHalfKernels) segment_count_ = kernels::row_segments<Half>(dense.k, segments_);
  }

  void run(Workspace& w) const override {
    if constexpr (kernels::kHasHalfKernels) {
      const kernels::FlushDenormals flush;
      const HalfDense& d = dense_;
      kernels::ProductOf<Half> p;
      p.pixels = p.width = d.rows;
      p.a = {input<Half>(w, 0), d.rows * d.k, d.k};
      p.c = {output<Half>(w, 0), d.rows * d.n, d.n};
      if (reads_.size() > 1) p.add = {input<Half>(w, 1), d.rows * d.n, d.n};
      p.segments = segments_;
      p.segment_count = segment_count_;
      p.b = reinterpret_cast<const Half*>(d.weights.get());
      p.n = d.n;
      p.k = d.k;
      p.bias = reinterpret_cast<const Half*>(d.bias.get());
      p.epilogue = d.epilogue;
      kernels::product(p, product_workers(work()));
      find_overflow(w, *layers_, node(), output<uint16_t>(w, 0), d.rows * d.n);
    }
  }

  StepName name() const override { return StepName(name_.text(), " fp16").with_operations(2 * work()); }

 private:
  double work() const {
    return static_cast<double>(dense_.rows) * static_cast<double>(dense_.n) * static_cast<double>(dense_.k);
  }

  const HalfDense dense_;
  const std::shared_ptr<HalfLayers> layers_;
  const StepName name_;
  kernels::Segment segments_[kernels::kRowSegments];
  int64_t segment_count_ = 0;
};

class HalfConversion : public Step {
 public:
  HalfConversion(bool to_half, std::shared_ptr<HalfLayers> layers, const ir::Node* node)
      : Step(node), to_half_(to_half), layers_(std::move(layers)) {}

  void run(Workspace& w) const override {
    const int64_t n = w.tensors[reads_[0]].numel();
    const kernels::Workers workers = ops::workers_for(static_cast<double>(n));
    const int64_t parts = (n + kPart - 1) / kPart;
    const bool searches = layers_->is_searching() && w.searches_halves;
    if (to_half_) {
      const float* const from = input<float>(w, 0);
      uint16_t* const to = output<uint16_t>(w, 0);
      workers.each(parts, [&](int64_t first, int64_t last) {
        kernels::float_to_half(from + first * kPart, to + first * kPart, std::min(n, last * kPart) - first * kPart);
      });
      if (searches && !are_finite(to, n)) {
        // What came in like this is no fault of a layer's.
        if (are_finite(from, n) && !layers_->is_float(node())) throw HalfOverflow{node()};
        w.searches_halves = false;
      }
      return;
    }
    const uint16_t* const from = input<uint16_t>(w, 0);
    float* const to = output<float>(w, 0);
    std::atomic<bool> finite{true};
    workers.each(parts, [&](int64_t first, int64_t last) {
      const int64_t count = std::min(n, last * kPart) - first * kPart;
      kernels::half_to_float(from + first * kPart, to + first * kPart, count);
      if (!are_finite(from + first * kPart, count)) finite = false;
    });
    leave_half(w, *layers_, finite);
  }

  StepName name() const override { return StepName(to_half_ ? "to float16" : "from float16"); }

 private:
  const bool to_half_;
  const std::shared_ptr<HalfLayers> layers_;
};

}  // namespace

// The exponent of none is full.
bool are_finite(const uint16_t* x, int64_t n) {
  uint16_t most = 0;
  for (int64_t i = 0; i < n; ++i) most = std::max<uint16_t>(most, x[i] & 0x7fff);
  return most < 0x7c00;
}
bool are_finite(const float* x, int64_t n) {
  bool finite = true;
  for (int64_t i = 0; i < n; ++i) finite = finite & (std::fabs(x[i]) <= std::numeric_limits<float>::max());
  return finite;
}

void find_overflow(const Workspace& w, const HalfLayers& layers, const ir::Node* node, const uint16_t* x, int64_t n) {
  if (layers.is_searching() && w.searches_halves && !are_finite(x, n)) throw HalfOverflow{node};
}
void leave_half(const Workspace& w, const HalfLayers& layers, bool are_finite) {
  if (!are_finite && w.can_repeat && !layers.is_searching()) throw HalfOverflow{};
}

bool fits_half(const float* x, int64_t n) {
  float largest = 0;
  bool any_nan = false;
  for (int64_t i = 0; i < n; ++i) {
    largest = std::max(largest, std::fabs(x[i]));
    any_nan = any_nan | (x[i] != x[i]);
  }
  return !any_nan && largest <= kLargestHalf;
}
bool fits_half(const kernels::ConvShape& s, const float* weight, const std::vector<float>& scale, const float* bias) {
  const int64_t each = s.group_in() * s.taps();
  for (int64_t o = 0; o < s.out_channels; ++o) {
    float largest = 0;
    for (int64_t k = 0; k < each; ++k) largest = std::max(largest, std::fabs(weight[o * each + k]));
    if (!scale.empty()) largest *= std::fabs(scale[static_cast<size_t>(o)]);
    if (bias != nullptr) largest = std::max(largest, std::fabs(bias[o]));
    if (!(largest <= kLargestHalf)) return false;
  }
  return true;
}

std::unique_ptr<Step> half_conv_step(const ir::Node* node, const HalfConv& conv, std::shared_ptr<HalfLayers> layers,
                                     StepName name) {
  return std::make_unique<HalfConvStep>(node, conv, std::move(layers), std::move(name));
}
std::unique_ptr<Step> half_dense_step(const ir::Node* node, const HalfDense& dense, std::shared_ptr<HalfLayers> layers,
                                      StepName name) {
  return std::make_unique<HalfDenseStep>(node, dense, std::move(layers), std::move(name));
}
std::unique_ptr<Step> half_conversion(bool to_half, std::shared_ptr<HalfLayers> layers, const ir::Node* node) {
  return std::make_unique<HalfConversion>(to_half, std::move(layers), node);
}

}  // namespace wick::plan
