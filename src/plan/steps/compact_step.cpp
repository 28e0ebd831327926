// Dense layers of one row with weights in 28 bits.
#include "plan/steps/compact_step.h"

#include "core/pages.h"
#include "kernels/compact.h"
#include "plan/record/read.h"
#include "plan/steps/product_workers.h"

namespace wick::plan {
namespace {

class CompactStep : public Step {
 public:
  CompactStep(const ir::Node* node, const kernels::CompactRow& row, Packed weights, Packed bias, StepName name)
      : Step(node), row_(row), weights_(std::move(weights)), bias_(std::move(bias)), name_(std::move(name)) {
    row_.weights = weights_.get();
    row_.bias = bias_.get();
  }

  void run(Workspace& w) const override {
    const kernels::FlushDenormals flush;
    kernels::CompactRow row = row_;
    row.a = input<float>(w, 0);
    row.c = output<float>(w, 0);
    kernels::compact_row(row, product_workers(static_cast<double>(row.n) * static_cast<double>(row.k)));
  }

  StepName name() const override { return name_; }
  std::string_view kind() const override { return "compact"; }

 private:
  kernels::CompactRow row_;
  const Packed weights_, bias_;
  const StepName name_;
};

// Bytes of a matrix, and of all the weights of a program, below which they stay in the second-level cache, or are read
// in next to no time.
constexpr size_t kLeastMatrix = size_t{128} << 10;
constexpr size_t kLeastWeights = size_t{4} << 20;

constexpr int64_t kForm = -7;  // the form a key names

}  // namespace

Packed compact_weights(Builder& b, const Tensor& weight, int64_t out_dim, int64_t in_dim) {
  const int64_t n = weight.size(out_dim), k = weight.size(in_dim);
  if (static_cast<size_t>(n * k) * sizeof(float) < kLeastMatrix || b.weight_bytes() < kLeastWeights ||
      !kernels::has_compact_products()) {
    return nullptr;
  }
  const Tensor floats = weight.dtype() == DType::kFloat ? weight : as_floats(weight);
  const float* from = floats.data_ptr<float>();
  const int64_t k_step = floats.stride(in_dim), n_step = floats.stride(out_dim);
  if (!kernels::suits_compact(from, k_step, n_step, n, k)) return nullptr;
  // The element after them says whether all fitted.
  const size_t size = (kernels::compact_size(n, k) + sizeof(float) - 1) / sizeof(float);
  const Packed weights = b.packed(PackKey({weight}, {kForm, out_dim}), size + 1, [&](float* dst) {
    dst[size] = kernels::pack_compact(from, k_step, n_step, n, k, dst, &release_file_pages) ? 1.0f : 0.0f;
  });
  return weights.get()[size] == 0 ? nullptr : weights;
}

void emit_compact(Builder& b, const ir::Node* node, const Packed& weights, int64_t outputs, int64_t inputs,
                  const Packed& bias, Slot in, Slot out, const kernels::Epilogue& epilogue, const StepName& name) {
  kernels::CompactRow row;
  row.n = outputs;
  row.k = inputs;
  row.epilogue = epilogue;
  b.emit(std::make_unique<CompactStep>(node, row, weights, bias, StepName(name.text(), " compact")), {in}, {out});
  if (kernels::kPrefetches) b.note_weights(weights, kernels::compact_size(outputs, inputs) / sizeof(float), true);
}

}  // namespace wick::plan
