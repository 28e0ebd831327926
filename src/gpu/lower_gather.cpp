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

// Every index stands for an element at its own place; none where the indices do not cover the result.
std::optional<Gather> by_elements(const Value& x, const Value& index, size_t dim, const IntVec& out) {
  if (index.sizes.size() != out.size() || x.sizes.size() != out.size()) return std::nullopt;
  Gather each;
  each.dim = dim;
  for (size_t d = 0; d < out.size(); ++d) {
    if (index.sizes[d] != 1 && index.sizes[d] != out[d]) return std::nullopt;
    each.sizes.push_back(out[d]);
    each.x_strides.push_back(d == dim || x.sizes[d] == 1 ? 0 : x.strides[d]);
    each.index_strides.push_back(index.sizes[d] == 1 ? 0 : index.strides[d]);
  }
  return each;
}

// A step that takes elements at indices along one dim.
struct Indexing {
  TensorId indices = kNoTensor;
  size_t dim = 0;
  bool by_element = false;  // each index stands for an element, not for a slice
  bool from_end = false;    // indices may be negative
};

// The only dim that has indices.
bool read_index(const TracedStep& step, Indexing& out) {
  if (step.args.size() < 2 || step.args[1].kind != TracedValue::Kind::kTensorList) return false;
  const std::vector<TensorId>& ids = step.args[1].ids;
  for (size_t k = 0; k < ids.size(); ++k) {
    if (ids[k] == kNoTensor) continue;
    if (out.indices != kNoTensor) return false;
    out.indices = ids[k];
    out.dim = k;
  }
  out.from_end = true;
  return true;
}

bool read_indexing(const TracedStep& step, size_t dims, Indexing& out) {
  const std::string_view name = step.op->schema.name;
  if (name == "aten::embedding") {
    out.indices = plan::tensor_arg(step, 1);
    return true;
  }
  if (name == "aten::index") return step.op->schema.overload == "Tensor" && read_index(step, out);
  const bool along = name == "aten::take_along_dim";
  out.by_element = along || name == "aten::gather";
  if (!out.by_element && name != "aten::index_select") return false;
  out.indices = plan::tensor_arg(step, along ? 1 : 2);
  const std::optional<size_t> dim = dim_of(step, along ? 2 : 1, dims);
  out.dim = dim.value_or(0);
  return dim.has_value();
}

}  // namespace

bool lower_gather(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const std::string_view name = step.op->schema.name;
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  if (from == kNoTensor || result == kNoTensor || !b.can_define_plain(result)) return false;
  if (b.tensor(from).dtype != b.tensor(result).dtype) return false;
  const size_t dims = b.tensor(from).sizes.size();
  Indexing by;
  if (!read_indexing(step, dims, by) || by.indices == kNoTensor || by.dim >= dims) return false;
  const DType dtype = b.tensor(by.indices).dtype;
  // As bytes they are a mask.
  if (!is_integer(dtype) || (dtype == DType::kByte && by.from_end)) return false;
  const Value x = g.value(from), index = g.value(by.indices);
  if (name == "aten::index_select" && index.sizes.size() > 1) return false;
  std::optional<Gather> gather =
      by.by_element ? by_elements(x, index, by.dim, b.tensor(result).sizes) : by_slices(x, index, by.dim);
  if (!gather) return false;
  add_gather(g, std::move(*gather), x, index, result, by.from_end, step.node, std::string(name.substr(6)));
  return true;
}

}  // namespace wick::gpu
