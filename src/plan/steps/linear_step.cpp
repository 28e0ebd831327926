// The dense-layer step.
#include "plan/steps/linear_step.h"

#include "core/pages.h"
#include "kernels/gemm.h"
#include "kernels/product.h"
#include "plan/steps/compact_step.h"
#include "plan/steps/product_workers.h"
#include "plan/steps/xnnpack_step.h"

namespace wick::plan {
namespace {

class LinearStep : public Step {
 public:
  LinearStep(const ir::Node* node, const DenseRows& rows, int64_t n, int64_t k, Packed weights, Packed bias,
             const kernels::Epilogue& epilogue, StepName name)
      : Step(node),
        residual_(rows.residual),
        weights_(std::move(weights)),
        bias_(std::move(bias)),
        name_(std::move(name)) {
    product_.pixels = rows.in.rows;
    product_.width = rows.in.width;
    product_.a = {nullptr, rows.in.line, rows.in.step};
    product_.c = {nullptr, rows.out.line, rows.out.step};
    product_.n = n;
    product_.k = k;
    product_.b = weights_.get();
    product_.bias = bias_.get();
    product_.epilogue = epilogue;
    product_.segment_count = kernels::row_segments(k, segments_);
  }

  void run(Workspace& w) const override {
    const kernels::FlushDenormals flush;
    kernels::Product p = product_;
    p.segments = segments_;
    p.a.base = input<float>(w, 0);
    p.c.base = output<float>(w, 0);
    if (reads_.size() > 1) p.add = {input<float>(w, 1), residual_.line, residual_.step};
    const double work = static_cast<double>(p.pixels) * static_cast<double>(p.n) * static_cast<double>(p.k);
    kernels::product(p, product_workers(work));
  }

  StepName name() const override {
    return StepName(name_.text())
        .with_operations(2.0 * static_cast<double>(product_.pixels) * static_cast<double>(product_.n) *
                         static_cast<double>(product_.k));
  }

 private:
  kernels::Product product_;
  kernels::Segment segments_[kernels::kRowSegments];
  const RowGrid residual_;
  const Packed weights_, bias_;
  const StepName name_;
};

constexpr size_t kGivenAtOnce = size_t{512} << 10;

// The forms a key names.
constexpr int64_t kRows = -2, kColumns = -3;

// Rows with one distance between them, in lines of `width`.
RowGrid cut(RowGrid grid, int64_t width) {
  grid.line = grid.step * width;
  grid.width = width;
  return grid;
}

}  // namespace

bool DenseLayer::is_sound() const {
  const auto fits = [](DType t) { return t == DType::kFloat || t == DType::kHalf || t == DType::kBFloat16; };
  if (!weight.defined() || !fits(weight.dtype()) || weight.dim() != 2 || weight.numel() == 0) return false;
  return !bias.defined() || (fits(bias.dtype()) && bias.dim() == 1 && bias.numel() == outputs());
}

RowGrid dense_rows(int64_t rows, int64_t length) {
  RowGrid grid;
  grid.rows = grid.width = rows;
  grid.length = grid.step = length;
  return grid;
}

void emit_dense(Builder& b, const ir::Node* node, const DenseLayer& layer, const DenseRows& rows, Slot in,
                Slot residual, Slot out, const kernels::Epilogue& epilogue, StepName name) {
  const int64_t k_dim = layer.transposed ? 1 : 0, k = layer.inputs(), n = layer.outputs();
  const Packed bias = b.packed_vector(layer.bias);
  if constexpr (kHasXnnpack) {
    std::unique_ptr<Step> step;
    if (residual == kNoSlot && b.is_in_arena(in)) {
      step = xnnpack_dense_step(node, layer, rows, bias.get(), epilogue, name);
    }
    if (step) return b.emit(std::move(step), {in}, {out});
  }
  if constexpr (kHasCompact) {
    if (residual == kNoSlot && rows.in.rows == 1) {
      const Packed weights = compact_weights(b, layer.weight, 1 - k_dim, k_dim);
      if (weights) return emit_compact(b, node, weights, n, k, bias, in, out, epilogue, name);
    }
  }
  const PackKey key({layer.weight}, {layer.transposed ? kRows : kColumns});
  const Packed weights = b.packed(key, kernels::packed_b_size<float>(n, k), [&](float* dst) {
    const Tensor weight = layer.weight.dtype() == DType::kFloat ? layer.weight : as_floats(layer.weight);
    const int64_t column = weight.stride(1 - k_dim);
    // The rows of a large matrix are released while it is packed: it is never in memory twice.
    int64_t given = 0;
    for (int64_t p = 0; p < kernels::product_panels(n); ++p) {
      const kernels::PanelColumns panel = kernels::product_panel(n, p);
      const float* from = weight.data_ptr<float>() + panel.first * column;
      kernels::pack_b<float>(from, weight.stride(k_dim), column, panel.count, k, dst + panel.first * k);
      const int64_t done = panel.first + panel.count;
      const auto bytes = static_cast<size_t>((done - given) * k) * sizeof(float);
      if (bytes < kGivenAtOnce || !layer.transposed || !weight.is_contiguous()) continue;
      release_file_pages(weight.data_ptr<float>() + given * k, bytes);
      given = done;
    }
  });
  const DenseRows lines{rows.in, cut(rows.out, rows.in.width), cut(rows.residual, rows.in.width)};
  std::vector<Slot> reads{in};
  if (residual != kNoSlot) reads.push_back(residual);
  b.emit(std::make_unique<LinearStep>(node, lines, n, k, weights, bias, epilogue, std::move(name)), std::move(reads),
         {out});
  if (kernels::kPrefetches) b.note_weights(weights, kernels::packed_b_size<float>(n, k), rows.in.rows == 1);
}

}  // namespace wick::plan
