// Operators on images that give channels-last results for channels-last arguments: they are called in that layout, so
// that none of it has to be changed around them.
#include <algorithm>

#include "plan/builder.h"
#include "plan/patterns/patterns.h"

namespace wick::plan {
namespace {

constexpr std::string_view kImageOps[] = {
    "aten::batch_norm",
    "aten::prelu",
};

bool is_image(const Builder& b, TensorId id) { return b.is_float(id) && b.tensor(id).sizes.size() == 4; }

}  // namespace

bool build_image(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  if (std::find(std::begin(kImageOps), std::end(kImageOps), step.op->schema.name) == std::end(kImageOps)) return false;
  const TensorId out = b.result(s);
  if (out == kNoTensor || !b.is_float(out) || !b.is_stable(out) || step.args.empty() ||
      step.op->schema.returns.size() != 1) {
    return false;
  }
  // The images are the first argument, or what its list holds.
  bool any = false;
  for (TensorId id : step.args[0].ids) {
    if (id == kNoTensor || !is_image(b, id) || !b.is_stable(id)) return false;
    any = any || b.prefers_channels_last(id);
  }
  const size_t dims = b.tensor(out).sizes.size();
  const bool fits = dims == 4 || is_contiguous(b.tensor(out).sizes, b.tensor(out).strides);
  if (!any || !fits || (dims == 4 && !b.can_define_plain(out))) return false;

  TracedStep call = step;
  std::vector<Slot> reads;
  for (TensorId& id : call.args[0].ids) {
    id = b.channels_last(id);
    reads.push_back(id);
  }
  for (size_t k = 1; k < call.args.size(); ++k) {
    for (TensorId id : call.args[k].ids) {
      if (id != kNoTensor) reads.push_back(b.plain(id));
    }
  }
  const Slot result = b.define_call(out, dims == 4);
  call.outs[0].ids[0] = result;
  b.emit_call_of(call, std::move(reads), {result});
  return true;
}

}  // namespace wick::plan
