// Concatenation along a dim.
#include "plan/patterns/join.h"

#include <cstring>

#include "kernels/half.h"
#include "ops/workers.h"
#include "plan/patterns/patterns.h"
#include "plan/record/read.h"

namespace wick::plan {
namespace {

// Rows of bytes, side by side: row r of the result has row r of each part at the part's offset.
struct JoinedPart {
  size_t at, bytes;
};

class JoinStep : public Step {
 public:
  // row: bytes of a row of the result. Parts that are not among them are there already.
  JoinStep(const ir::Node* node, int64_t rows, size_t row, std::vector<JoinedPart> parts)
      : Step(node), rows_(rows), row_(row), parts_(std::move(parts)) {}

  void run(Workspace& w) const override {
    char* const out = output<char>(w, 0);
    const auto copy = [&](int64_t first, int64_t last) {
      for (size_t k = 0; k < parts_.size(); ++k) {
        const JoinedPart part = parts_[k];
        const char* const from = input<char>(w, k);
        for (int64_t r = first; r < last; ++r) {
          std::memcpy(out + static_cast<size_t>(r) * row_ + part.at, from + static_cast<size_t>(r) * part.bytes,
                      part.bytes);
        }
      }
    };
    ops::workers_for(static_cast<double>(rows_) * static_cast<double>(row_) / 8).each(rows_, copy);
  }

  StepName name() const override { return StepName("cat"); }

 private:
  const int64_t rows_;
  const size_t row_;
  const std::vector<JoinedPart> parts_;
};

// Images by channels, with channels last. What a convolution computes for this alone is written there at once.
bool join_images(Builder& b, size_t s, TensorId out) {
  const TracedStep& step = b.step(s);
  const TracedTensor& y = b.tensor(out);
  if (y.dtype != DType::kFloat || y.sizes.size() != 4) return false;
  bool any = false;
  int64_t channels = 0;
  std::vector<TensorId> joined;
  for (const TensorId id : step.args[0].ids) {
    if (id == kNoTensor || !b.is_float(id) || !b.is_stable(id) || b.tensor(id).sizes.size() != 4) return false;
    any = any || b.prefers_channels_last(id);
    channels += b.tensor(id).sizes[1];
    if (checked_numel(b.tensor(id).sizes) > 0) joined.push_back(id);
  }
  if (!any || channels != y.sizes[1]) return false;
  const int64_t pixels = y.sizes[0] * y.sizes[2] * y.sizes[3];
  // In float16 where most of it is there in that.
  int64_t halves = 0;
  for (const TensorId id : joined) halves += b.has_half(id) ? b.tensor(id).sizes[1] : 0;
  const bool is_half = kernels::kHasHalfKernels && 2 * halves > channels && b.is_half(step.node);
  const size_t bytes = is_half ? 2 : sizeof(float);
  const Slot to = is_half ? b.define_half(out) : b.define_channels_last(out);
  std::vector<Slot> reads;
  std::vector<JoinedPart> parts;
  int64_t at = 0;
  for (const TensorId id : joined) {
    const int64_t count = b.tensor(id).sizes[1];
    const Slot from = is_half ? b.half(id, step.node) : b.channels_last(id);
    if (b.only_user(id) != s || !b.place_in(from, to, at)) {
      reads.push_back(from);
      parts.push_back({static_cast<size_t>(at) * bytes, static_cast<size_t>(count) * bytes});
    }
    at += count;
  }
  if (parts.empty()) return true;
  b.emit(std::make_unique<JoinStep>(step.node, pixels, static_cast<size_t>(channels) * bytes, std::move(parts)),
         std::move(reads), {to});
  return true;
}

}  // namespace

namespace {

// Tensors that are dense in the order of their dims.
bool join_dense(Builder& b, size_t s, TensorId out, size_t dim) {
  const TracedStep& step = b.step(s);
  const TracedTensor& y = b.tensor(out);
  if (!is_contiguous(y.sizes, y.strides)) return false;
  int64_t rows = 1, total = 0;
  for (size_t d = 0; d < dim; ++d) rows *= y.sizes[d];
  std::vector<TensorId> joined;
  std::vector<JoinedPart> parts;
  size_t row = 0;
  for (const TensorId id : step.args[0].ids) {
    if (id == kNoTensor || !b.is_stable(id)) return false;
    const TracedTensor& t = b.tensor(id);
    const int64_t numel = checked_numel(t.sizes);
    if (numel == 0) continue;
    if (t.dtype != y.dtype || !is_contiguous(t.sizes, t.strides) || numel % rows != 0) return false;
    total += numel;
    joined.push_back(id);
    parts.push_back({row, static_cast<size_t>(numel / rows) * itemsize(t.dtype)});
    row += parts.back().bytes;
  }
  if (total != checked_numel(y.sizes)) return false;
  std::vector<Slot> reads;
  reads.reserve(joined.size());
  for (const TensorId id : joined) reads.push_back(b.plain(id));
  const Slot to = b.define_plain(out);
  b.emit(std::make_unique<JoinStep>(step.node, rows, row, std::move(parts)), std::move(reads), {to});
  return true;
}

}  // namespace

std::optional<size_t> joined_dim(const Builder& b, const TracedStep& step, TensorId out) {
  if (out == kNoTensor || step.args.size() < 2 || step.args[0].kind != TracedValue::Kind::kTensorList ||
      !b.can_define_plain(out)) {
    return std::nullopt;
  }
  const IntVec& sizes = b.tensor(out).sizes;
  const auto dims = static_cast<int64_t>(sizes.size());
  int64_t dim = int_arg(step, 1).value_or(dims);
  if (dim < 0) dim += dims;
  if (dim < 0 || dim >= dims || checked_numel(sizes) == 0) return std::nullopt;
  return static_cast<size_t>(dim);
}

bool build_join(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  const TensorId out = b.result(s);
  if (step.op->schema.name != "aten::cat" || !step.op->schema.overload.empty() || step.args.size() != 2) return false;
  const std::optional<size_t> dim = joined_dim(b, step, out);
  if (!dim) return false;
  const DType dtype = b.tensor(out).dtype;
  if (dtype != DType::kFloat && dtype != DType::kLong) return false;
  return (*dim == 1 && join_images(b, s, out)) || join_dense(b, s, out, *dim);
}

}  // namespace wick::plan
