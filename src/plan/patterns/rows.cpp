// Operators on rows of consecutive values: layer normalization, softmax, embedding.
#include <cstring>

#include "core/check.h"
#include "kernels/norm.h"
#include "ops/workers.h"
#include "plan/patterns/patterns.h"
#include "plan/steps/rows_step.h"

namespace wick::plan {
namespace {

// Calls body(first, count) for parts of the rows.
template <class Body>
void for_rows(int64_t rows, double work_per_row, const Body& body) {
  ops::workers_for(static_cast<double>(rows) * work_per_row).each(rows, [&](int64_t first, int64_t last) {
    body(first, last - first);
  });
}

class LayerNormStep : public Step {
 public:
  LayerNormStep(const ir::Node* node, const RowGrid& in, double epsilon, Packed weight, Packed bias)
      : Step(node),
        in_(in),
        epsilon_(static_cast<float>(epsilon)),
        weight_(std::move(weight)),
        bias_(std::move(bias)) {}

  void run(Workspace& w) const override {
    const float* x = input<float>(w, 0);
    float* y = output<float>(w, 0);
    const int64_t n = in_.length;
    for_rows(in_.rows, static_cast<double>(n), [&](int64_t first, int64_t count) {
      kernels::layer_norm_rows(x + first * in_.step, in_.step, weight_.get(), bias_.get(), epsilon_, y + first * n, n,
                               count, n);
    });
  }

  StepName name() const override { return StepName("layer_norm"); }

 private:
  const RowGrid in_;
  const float epsilon_;
  const Packed weight_, bias_;
};

class SoftmaxStep : public Step {
 public:
  SoftmaxStep(const ir::Node* node, const RowGrid& in) : Step(node), in_(in) {}

  void run(Workspace& w) const override {
    const float* x = input<float>(w, 0);
    float* y = output<float>(w, 0);
    const int64_t n = in_.length;
    for_rows(in_.rows, 4 * static_cast<double>(n), [&](int64_t first, int64_t count) {
      kernels::softmax_rows(x + first * in_.step, in_.step, 1.0F, y + first * n, n, count, n);
    });
  }

  StepName name() const override { return StepName("softmax"); }

 private:
  const RowGrid in_;
};

// Rows of a constant table by number.
class EmbeddingStep : public Step {
 public:
  EmbeddingStep(const ir::Node* node, int64_t rows, int64_t length, int64_t count)
      : Step(node), rows_(rows), length_(length), count_(count) {}

  void run(Workspace& w) const override {
    const float* table = input<float>(w, 0);
    const int64_t* ids = input<int64_t>(w, 1);
    float* out = output<float>(w, 0);
    for (int64_t i = 0; i < count_; ++i) {
      WICK_CHECK(ids[i] >= 0 && ids[i] < rows_, kIndexOutOfRange, "index out of range in self");
    }
    for_rows(count_, static_cast<double>(length_), [&](int64_t first, int64_t count) {
      for (int64_t i = first; i < first + count; ++i) {
        std::memcpy(out + i * length_, table + ids[i] * length_, static_cast<size_t>(length_) * sizeof(float));
      }
    });
  }

  StepName name() const override { return StepName("embedding"); }

 private:
  const int64_t rows_, length_, count_;
};

bool build_embedding(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  if (step.op->schema.name != "aten::embedding" || !step.op->schema.overload.empty()) return false;
  const TensorId table = tensor_arg(step, 0), ids = tensor_arg(step, 1), out = b.result(s);
  if (table == kNoTensor || ids == kNoTensor || !b.is_float(table) || !b.is_stable(table) || !b.is_stable(ids) ||
      b.tensor(ids).dtype != DType::kLong || !b.can_define_plain(out)) {
    return false;
  }
  const TracedTensor& t = b.tensor(table);
  const TracedTensor& i = b.tensor(ids);
  const TracedTensor& y = b.tensor(out);
  const int64_t count = checked_numel(i.sizes);
  if (t.sizes.size() != 2 || !is_contiguous(t.sizes, t.strides) || !is_contiguous(i.sizes, i.strides) ||
      !is_contiguous(y.sizes, y.strides) || checked_numel(y.sizes) != count * t.sizes[1] || t.sizes[1] == 0) {
    return false;
  }
  const Slot from = b.plain(table), index = b.plain(ids);
  b.emit(std::make_unique<EmbeddingStep>(step.node, t.sizes[0], t.sizes[1], count), {from, index},
         {b.define_plain(out)});
  return true;
}

// The result as dense rows, of an input whose rows lie at one distance.
std::optional<RowGrid> row_input(const Builder& b, TensorId in, TensorId out) {
  if (in == kNoTensor || out == kNoTensor || !b.is_float(in) || !b.is_float(out) || !b.is_stable(in) ||
      !b.can_define_plain(out) || !is_contiguous(b.tensor(out).sizes, b.tensor(out).strides)) {
    return std::nullopt;
  }
  std::optional<RowGrid> rows = rows_of(b.tensor(in));
  return rows && rows->is_single() ? rows : std::nullopt;
}

bool build_softmax(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  const std::string_view name = step.op->schema.name, overload = step.op->schema.overload;
  if (!(name == "aten::softmax" && overload == "int") && !(name == "aten::_softmax" && overload.empty())) return false;
  const TensorId in = tensor_arg(step, 0), out = b.result(s);
  const std::optional<RowGrid> rows = row_input(b, in, out);
  const std::optional<int64_t> dim = int_arg(step, 1);
  if (!rows || !dim || (*dim != -1 && *dim != static_cast<int64_t>(b.tensor(in).sizes.size()) - 1)) return false;
  const Slot from = b.plain(in);
  b.emit(std::make_unique<SoftmaxStep>(step.node, *rows), {from}, {b.define_plain(out)});
  return true;
}

bool build_layer_norm(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  if (step.op->schema.name != "aten::layer_norm" || step.args.size() < 5 || !step.args[1].value.is_list()) return false;
  const TensorId in = tensor_arg(step, 0), out = b.result(s);
  std::optional<RowGrid> rows = row_input(b, in, out);
  Tensor weight, bias;
  if (!rows || !read_constant(b, step.args[2], weight) || !read_constant(b, step.args[3], bias)) return false;
  const IntVec shape = step.args[1].value.to_int_vec();
  if (shape.size() != 1) {
    // Over several dims: as one, when they follow each other in memory.
    if (!is_contiguous(b.tensor(in).sizes, b.tensor(in).strides)) return false;
    const int64_t n = checked_numel(shape);
    rows->rows = rows->width = checked_numel(b.tensor(in).sizes) / n;
    rows->length = rows->step = n;
  }
  const int64_t n = rows->length;
  if ((weight.defined() && weight.numel() != n) || (bias.defined() && bias.numel() != n)) return false;
  const double epsilon = number_arg(step, 4).value_or(1e-5);
  const Slot from = b.plain(in);
  emit_layer_norm(b, step.node, weight, bias, epsilon, *rows, from, b.define_plain(out));
  return true;
}

}  // namespace

void emit_layer_norm(Builder& b, const ir::Node* node, const Tensor& weight, const Tensor& bias, double epsilon,
                     const RowGrid& rows, Slot in, Slot out) {
  b.emit(std::make_unique<LayerNormStep>(node, rows, epsilon, b.packed_vector(weight), b.packed_vector(bias)), {in},
         {out});
}

bool build_rows(Builder& b, size_t s) { return build_softmax(b, s) || build_layer_norm(b, s) || build_embedding(b, s); }

}  // namespace wick::plan
