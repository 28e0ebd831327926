// Elements at computed indices: embeddings, gathers, selections.
#include <algorithm>

#include "gpu/lowering.h"
#include "plan/record/read.h"

namespace wick::gpu {

using plan::TracedStep;
using plan::TracedValue;

namespace {

// x indexed along one dim: strides of the result's dims in x and among the indices.
struct Gather {
  IntVec sizes, x_strides, index_strides;
  size_t dim = 0;
};

void add_gather(Lowering& g, Gather gather, Value x, Value index, TensorId result, bool from_end, const ir::Node* node,
                std::string name) {
  const IntVec& out = g.builder().tensor(result).sizes;
  const int64_t count = checked_numel(out), extent = x.sizes[gather.dim], step = x.strides[gather.dim];
  if (count != checked_numel(gather.sizes)) throw Declined();
  coalesce(gather.sizes, {&gather.x_strides, &gather.index_strides});
  if (gather.sizes.size() > 5) throw Declined();
  Value y = g.make(out, dense_strides(out), x.wide);
  y.low = x.low;
  y.high = x.high;
  Dispatch d;
  d.shader = Shader::k_gather;
  d.wide = x.wide;
  d.constants = {g.element_threads(), static_cast<uint32_t>(gather.sizes.size())};
  d.push.add(count);
  d.push.add_first(gather.sizes, 5, 1);
  d.push.add_first(gather.x_strides, 5, 0);
  d.push.add_first(gather.index_strides, 5, 0);
  d.push.all_of(x.at, index.at, extent, step);
  d.reads = {x.memory, index.memory, kNoMemory};
  d.write = y.memory;
  d.name = std::move(name);
  d.node = node;
  g.require(index, from_end ? -extent : 0, extent - 1);
  g.add(std::move(d), count);
  g.set(result, y);
}

// Every index stands for a slice of x without the dim.
Gather by_slices(const Value& x, const Value& index, size_t dim) {
  Gather out;
  out.dim = dim;
  const auto add = [&](int64_t size, int64_t x_stride, int64_t index_stride) {
    out.sizes.push_back(size);
    out.x_strides.push_back(x_stride);
    out.index_strides.push_back(index_stride);
  };
  for (size_t d = 0; d < dim; ++d) add(x.sizes[d], x.strides[d], 0);
  for (size_t d = 0; d < index.sizes.size(); ++d) add(index.sizes[d], 0, index.strides[d]);
  for (size_t d = dim + 1; d < x.sizes.size(); ++d) add(x.sizes[d], x.strides[d], 0);
  return out;
}

std::optional<size_t> dim_of(const TracedStep& step, size_t k, size_t dims) {
  const std::optional<int64_t> given = plan::int_arg(step, k);
  if (!given) return std::nullopt;
  const int64_t dim = *given < 0 ? *given + static_cast<int64_t>(dims) : *given;
  if (dim < 0 || dim >= static_cast<int64_t>(dims)) return std::nullopt;
  return static_cast<size_t>(dim);
}

}  // namespace

bool lower_gather(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const std::string_view name = step.op->schema.name;
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  if (from == kNoTensor || result == kNoTensor || !b.can_define_plain(result)) return false;
  if (b.tensor(from).dtype != b.tensor(result).dtype) return false;
  const bool embedding = name == "aten::embedding", selection = name == "aten::index_select",
             gather = name == "aten::gather" || name == "aten::take_along_dim",
             indexing = name == "aten::index" && step.op->schema.overload == "Tensor";
  if (!embedding && !selection && !gather && !indexing) return false;
  const size_t dims = b.tensor(from).sizes.size();
  TensorId indices = kNoTensor;
  size_t dim = 0;
  if (embedding) {
    indices = plan::tensor_arg(step, 1);
  } else if (indexing) {
    if (step.args.size() < 2 || step.args[1].kind != TracedValue::Kind::kTensorList) return false;
    for (size_t k = 0; k < step.args[1].ids.size(); ++k) {
      if (step.args[1].ids[k] == kNoTensor) continue;
      if (indices != kNoTensor) return false;  // of several dims at once
      indices = step.args[1].ids[k];
      dim = k;
    }
  } else {
    indices = plan::tensor_arg(step, name == "aten::take_along_dim" ? 1 : 2);
    const std::optional<size_t> given = dim_of(step, name == "aten::take_along_dim" ? 2 : 1, dims);
    if (!given) return false;
    dim = *given;
  }
  if (indices == kNoTensor || dim >= dims || !is_integer(b.tensor(indices).dtype)) return false;
  // As bytes they are a mask.
  if (b.tensor(indices).dtype == DType::kByte && indexing) return false;
  const Value x = g.value(from), index = g.value(indices);
  if (!gather) {
    if (selection && index.sizes.size() > 1) return false;
    add_gather(g, by_slices(x, index, dim), x, index, result, indexing, step.node, std::string(name.substr(6)));
    return true;
  }
  if (index.sizes.size() != dims) return false;
  const IntVec& out = b.tensor(result).sizes;
  Gather each;
  each.dim = dim;
  for (size_t d = 0; d < dims; ++d) {
    each.sizes.push_back(out[d]);
    each.x_strides.push_back(d == dim || x.sizes[d] == 1 ? 0 : x.strides[d]);
    each.index_strides.push_back(index.sizes[d] == 1 ? 0 : index.strides[d]);
    if (index.sizes[d] != 1 && index.sizes[d] != out[d]) return false;
  }
  add_gather(g, std::move(each), x, index, result, false, step.node, std::string(name.substr(6)));
  return true;
}

}  // namespace wick::gpu
