// Joining tensors along a dim.
#include <cstring>

#include "ops/workers.h"
#include "plan/read.h"

namespace wick::plan {
namespace {

// Rows of bytes, side by side: row r of the result is row r of each part.
class JoinStep : public Step {
 public:
  JoinStep(const ir::Node* node, int64_t rows, std::vector<size_t> parts)
      : Step(node), rows_(rows), parts_(std::move(parts)) {
    for (const size_t bytes : parts_) row_ += bytes;
  }

  void run(Workspace& w) const override {
    char* const out = output<char>(w, 0);
    const auto copy = [&](int64_t first, int64_t last) {
      size_t at = 0;
      for (size_t k = 0; k < parts_.size(); ++k) {
        const size_t bytes = parts_[k];
        const char* const from = input<char>(w, k);
        for (int64_t r = first; r < last; ++r) {
          std::memcpy(out + static_cast<size_t>(r) * row_ + at, from + static_cast<size_t>(r) * bytes, bytes);
        }
        at += bytes;
      }
    };
    ops::workers_for(static_cast<double>(rows_) * static_cast<double>(row_) / 8).each(rows_, copy);
  }

  std::string name() const override { return "cat"; }

 private:
  const int64_t rows_;
  const std::vector<size_t> parts_;  // bytes of a row of each
  size_t row_ = 0;
};

}  // namespace

bool build_join(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  const TensorId out = b.result(s);
  if (step.op->schema.name != "aten::cat" || !step.op->schema.overload.empty() || out == kNoTensor ||
      step.args.size() != 2 || step.args[0].kind != TracedValue::Kind::kTensorList || !b.can_define_plain(out)) {
    return false;
  }
  const TracedTensor& y = b.tensor(out);
  if (y.dtype != DType::kFloat && y.dtype != DType::kLong) return false;
  const auto dims = static_cast<int64_t>(y.sizes.size());
  int64_t dim = int_arg(step, 1).value_or(dims);
  if (dim < 0) dim += dims;
  if (dim < 0 || dim >= dims || checked_numel(y.sizes) == 0 || !is_contiguous(y.sizes, y.strides)) return false;
  int64_t rows = 1, total = 0;
  for (int64_t d = 0; d < dim; ++d) rows *= y.sizes[static_cast<size_t>(d)];
  std::vector<TensorId> joined;
  std::vector<size_t> parts;
  for (const TensorId id : step.args[0].ids) {
    if (id == kNoTensor || !b.is_stable(id)) return false;
    const TracedTensor& t = b.tensor(id);
    const int64_t numel = checked_numel(t.sizes);
    if (numel == 0) continue;
    if (t.dtype != y.dtype || !is_contiguous(t.sizes, t.strides) || numel % rows != 0) return false;
    total += numel;
    joined.push_back(id);
    parts.push_back(static_cast<size_t>(numel / rows) * itemsize(t.dtype));
  }
  if (total != checked_numel(y.sizes)) return false;
  std::vector<Slot> reads;
  for (const TensorId id : joined) reads.push_back(b.plain(id));
  const Slot to = b.define_plain(out);
  b.emit(std::make_unique<JoinStep>(step.node, rows, std::move(parts)), std::move(reads), {to});
  return true;
}

}  // namespace wick::plan
