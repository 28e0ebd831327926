// Steps on quantized tensors with fixed scales and zero points.
#include "plan/steps/quantized_step.h"

#include <cstring>

#include "core/parallel.h"
#include "ops/quantize/quantize.h"
#include "ops/workers.h"

namespace wick::plan {
namespace {

uint8_t* byte_scratch(Workspace& w, size_t bytes) {
  w.kernel_scratch.reserve((bytes + sizeof(float) - 1) / sizeof(float));
  return reinterpret_cast<uint8_t*>(w.kernel_scratch.data());
}

class ConvStep : public Step {
 public:
  ConvStep(const ir::Node* node, const ops::Int8Layer& layer, Keeper keeper,
           std::shared_ptr<const ops::LayerNumbers> numbers, const kernels::ConvShape& shape, StepName name)
      : Step(node),
        layer_(layer),
        keeper_(std::move(keeper)),
        numbers_(std::move(numbers)),
        shape_(shape),
        name_(std::move(name)) {}

  void run(Workspace& w) const override {
    const double work = static_cast<double>(shape_.batch) * static_cast<double>(shape_.out_pixels()) *
                        static_cast<double>(shape_.out_channels) * static_cast<double>(layer_.depth()) / 8;
    layer_.convolve(shape_, *numbers_, input<uint8_t>(w, 0), output<uint8_t>(w, 0),
                    byte_scratch(w, layer_.scratch_size(shape_)), ops::workers_for(work));
  }
  StepName name() const override { return name_; }

 private:
  const ops::Int8Layer& layer_;
  const Keeper keeper_;
  const std::shared_ptr<const ops::LayerNumbers> numbers_;
  const kernels::ConvShape shape_;
  const StepName name_;
};

double work_of(const ops::Int8Layer& layer, int64_t rows) {
  return static_cast<double>(rows) * static_cast<double>(layer.channels()) * static_cast<double>(layer.depth()) / 8;
}

class LinearStep : public Step {
 public:
  LinearStep(const ir::Node* node, const ops::Int8Layer& layer, Keeper keeper,
             std::shared_ptr<const ops::LayerNumbers> numbers, int64_t rows, StepName name)
      : Step(node),
        layer_(layer),
        keeper_(std::move(keeper)),
        numbers_(std::move(numbers)),
        rows_(rows),
        name_(std::move(name)) {}

  void run(Workspace& w) const override {
    layer_.multiply(input<uint8_t>(w, 0), rows_, layer_.row_bytes(), *numbers_, 0, output<uint8_t>(w, 0),
                    layer_.channels(), ops::workers_for(work_of(layer_, rows_)));
  }
  StepName name() const override { return name_; }

 private:
  const ops::Int8Layer& layer_;
  const Keeper keeper_;
  const std::shared_ptr<const ops::LayerNumbers> numbers_;
  const int64_t rows_;
  const StepName name_;
};

class DynamicLinearStep : public Step {
 public:
  DynamicLinearStep(const ir::Node* node, const ops::LinearPacked& packed, Keeper keeper, int64_t rows, bool relu,
                    StepName name)
      : Step(node), packed_(packed), keeper_(std::move(keeper)), rows_(rows), relu_(relu), name_(std::move(name)) {}

  void run(Workspace& w) const override {
    const size_t bytes = packed_.dynamic_scratch(rows_);
    packed_.run_dynamic(input<float>(w, 0), rows_, relu_, byte_scratch(w, bytes), output<float>(w, 0));
  }
  StepName name() const override { return name_; }

 private:
  const ops::LinearPacked& packed_;
  const Keeper keeper_;
  const int64_t rows_;
  const bool relu_;
  const StepName name_;
};

// Element by element: run_range(first, last) does a part.
template <class Range>
class EachStep : public Step {
 public:
  EachStep(const ir::Node* node, int64_t count, const char* name, Range range)
      : Step(node), count_(count), name_(name), range_(std::move(range)) {}

  void run(Workspace& w) const override {
    const void* a = input<void>(w, 0);
    const void* b = reads_.size() > 1 ? input<void>(w, 1) : a;
    void* to = output<void>(w, 0);
    constexpr int64_t kGrain = 65536;
    parallel_for(0, count_, kGrain, [&](int64_t first, int64_t last) { range_(a, b, to, first, last); });
  }
  StepName name() const override { return name_; }

 private:
  const int64_t count_;
  const char* name_;
  const Range range_;
};
template <class Range>
std::unique_ptr<Step> each_step(const ir::Node* node, int64_t count, const char* name, Range range) {
  return std::make_unique<EachStep<Range>>(node, count, name, std::move(range));
}

class ByteTableStep : public Step {
 public:
  ByteTableStep(const ir::Node* node, const ByteTable& table, int64_t count, StepName name)
      : Step(node), count_(count), name_(std::move(name)) {
    std::copy(table.begin(), table.end(), table_);
  }
  void run(Workspace& w) const override {
    const auto* from = input<uint8_t>(w, 0);
    auto* to = output<uint8_t>(w, 0);
    constexpr int64_t kGrain = 65536;
    parallel_for(0, count_, kGrain, [&](int64_t first, int64_t last) {
      kernels::look_up_bytes(table_, from + first, last - first, to + first);
    });
  }
  StepName name() const override { return name_; }

 private:
  uint8_t table_[256];
  const int64_t count_;
  const StepName name_;
};

class JoinBytesStep : public Step {
 public:
  JoinBytesStep(const ir::Node* node, int64_t rows, std::vector<BytePart> parts) : Step(node), rows_(rows) {
    for (const BytePart& part : parts) {
      parts_.push_back({part.bytes, part.table.has_value(), {}});
      if (part.table) std::copy(part.table->begin(), part.table->end(), parts_.back().table);
      row_ += part.bytes;
    }
  }
  void run(Workspace& w) const override {
    auto* const to = output<uint8_t>(w, 0);
    ops::workers_for(static_cast<double>(rows_ * row_)).each(rows_, [&](int64_t first, int64_t last) {
      for (int64_t k = 0, at = 0; k < static_cast<int64_t>(parts_.size()); ++k) {
        const Part& part = parts_[static_cast<size_t>(k)];
        const uint8_t* const from = input<uint8_t>(w, static_cast<size_t>(k));
        for (int64_t r = first; r < last; ++r) {
          if (part.is_looked_up) {
            kernels::look_up_bytes(part.table, from + r * part.bytes, part.bytes, to + r * row_ + at);
          } else {
            std::memcpy(to + r * row_ + at, from + r * part.bytes, static_cast<size_t>(part.bytes));
          }
        }
        at += part.bytes;
      }
    });
  }
  StepName name() const override { return "quantized cat"; }

 private:
  struct Part {
    int64_t bytes;
    bool is_looked_up;
    uint8_t table[256];
  };
  const int64_t rows_;
  int64_t row_ = 0;
  std::vector<Part> parts_;
};

const uint8_t* bytes(const void* p, int64_t at) { return static_cast<const uint8_t*>(p) + at; }
uint8_t* bytes(void* p, int64_t at) { return static_cast<uint8_t*>(p) + at; }

}  // namespace

std::unique_ptr<Step> quantized_conv_step(const ir::Node* node, const ops::Int8Layer& layer, Keeper keeper,
                                          std::shared_ptr<const ops::LayerNumbers> numbers,
                                          const kernels::ConvShape& shape, StepName name) {
  return std::make_unique<ConvStep>(node, layer, std::move(keeper), std::move(numbers), shape, std::move(name));
}

std::unique_ptr<Step> quantized_linear_step(const ir::Node* node, const ops::Int8Layer& layer, Keeper keeper,
                                            std::shared_ptr<const ops::LayerNumbers> numbers, int64_t rows,
                                            StepName name) {
  return std::make_unique<LinearStep>(node, layer, std::move(keeper), std::move(numbers), rows, std::move(name));
}

std::unique_ptr<Step> dynamic_linear_step(const ir::Node* node, const ops::LinearPacked& packed, Keeper keeper,
                                          int64_t rows, bool relu, StepName name) {
  return std::make_unique<DynamicLinearStep>(node, packed, std::move(keeper), rows, relu, std::move(name));
}

std::unique_ptr<Step> quantized_sum_step(const ir::Node* node, const kernels::AddBytes& sum, int64_t count) {
  return each_step(node, count, "quantized add",
                   [sum](const void* a, const void* b, void* to, int64_t first, int64_t last) {
                     kernels::add_bytes(sum, bytes(a, first), bytes(b, first), last - first, bytes(to, first));
                   });
}

std::unique_ptr<Step> quantized_product_step(const ir::Node* node, const kernels::MultiplyBytes& product,
                                             int64_t count) {
  return each_step(node, count, "quantized mul",
                   [product](const void* a, const void* b, void* to, int64_t first, int64_t last) {
                     kernels::multiply_bytes(product, bytes(a, first), bytes(b, first), last - first, bytes(to, first));
                   });
}

std::unique_ptr<Step> quantize_step(const ir::Node* node, const kernels::Quantize& q, int64_t count) {
  return each_step(node, count, "quantize", [q](const void* a, const void*, void* to, int64_t first, int64_t last) {
    kernels::quantize_bytes(q, static_cast<const float*>(a) + first, last - first, bytes(to, first));
  });
}

std::unique_ptr<Step> dequantize_step(const ir::Node* node, float scale, int32_t zero, int64_t count) {
  return each_step(
      node, count, "dequantize", [scale, zero](const void* a, const void*, void* to, int64_t first, int64_t last) {
        kernels::dequantize_bytes(bytes(a, first), last - first, scale, zero, 0, static_cast<float*>(to) + first);
      });
}

std::unique_ptr<Step> byte_table_step(const ir::Node* node, const ByteTable& table, int64_t count, StepName name) {
  return std::make_unique<ByteTableStep>(node, table, count, std::move(name));
}

std::unique_ptr<Step> join_bytes_step(const ir::Node* node, int64_t rows, std::vector<BytePart> parts) {
  return std::make_unique<JoinBytesStep>(node, rows, std::move(parts));
}

std::unique_ptr<Step> quantize_pixels_step(const ir::Node* node, const kernels::Quantize& q, int64_t batch,
                                           int64_t pixels) {
  return each_step(node, batch * pixels, "quantize to channels last",
                   [q, pixels](const void* a, const void*, void* to, int64_t first, int64_t last) {
                     while (first < last) {
                       const int64_t image = first / pixels, at = first % pixels;
                       const int64_t count = std::min(last - first, pixels - at);
                       kernels::quantize_pixels(q, static_cast<const float*>(a) + image * 3 * pixels + at, pixels,
                                                count, bytes(to, first * 3));
                       first += count;
                     }
                   });
}

}  // namespace wick::plan
