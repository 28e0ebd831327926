// Views, reshapes and copies, concatenation, padding.
#include <algorithm>

#include "gpu/lowering.h"
#include "plan/record/read.h"

namespace wick::gpu {

using plan::TracedStep;
using plan::TracedTensor;
using plan::TracedValue;

namespace {

template <size_t kCount>
bool is_one_of(std::string_view name, const std::string_view (&names)[kCount]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Their result has the argument's elements, in the same order.
constexpr std::string_view kReshapes[] = {
    "aten::view",       "aten::reshape",       "aten::flatten",         "aten::unflatten",      "aten::_unsafe_view",
    "aten::contiguous", "aten::clone",         "aten::squeeze",         "aten::detach",         "aten::unsqueeze",
    "aten::alias",      "aten::dropout",       "aten::feature_dropout", "aten::_reshape_alias", "aten::view_as",
    "aten::reshape_as", "metal::copy_to_host", "aten::vulkan",          "aten::metal",          "aten::cpu",
    "aten::to",         "aten::lift_fresh",    "aten::lift_fresh_copy",
};
// Whether the schema says that all it gives are views of its first argument: their places are what was recorded.
bool gives_views(const FunctionSchema& schema) {
  return !schema.arguments.empty() && schema.arguments[0].is_alias && !schema.arguments[0].is_mutated &&
         !schema.returns.empty() &&
         std::all_of(schema.returns.begin(), schema.returns.end(), [](const Argument& a) { return a.is_alias; });
}

// In the recorded layout of its base, whatever layout the value has.
bool set_view(Lowering& g, TensorId from, TensorId id, const ir::Node* node) {
  const TracedTensor& base = g.builder().tensor(from);
  const TracedTensor& t = g.builder().tensor(id);
  if (base.storage != t.storage || base.dtype != t.dtype) return false;
  const RecordedView view{base.sizes, base.strides, base.offset, t.sizes, t.strides, t.offset};
  std::optional<Value> v = viewed(g.value(from), view);
  if (!v) {
    if (!plan::is_dense(base.sizes, base.strides)) return false;
    v = viewed(g.copied(g.value(from), base.strides, node), view);
  }
  if (v) g.set(id, *v);
  return v.has_value();
}

}  // namespace

bool lower_view(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const std::string_view name = step.op->schema.name;
  const TensorId from = plan::tensor_arg(step, 0);
  if (from == kNoTensor) return false;
  if (is_one_of(name, kReshapes)) {
    const TensorId to = b.result(s);
    if (to == kNoTensor || to == from) return false;
    const IntVec& sizes = b.tensor(to).sizes;
    if (b.tensor(to).dtype != b.tensor(from).dtype) return false;
    if (checked_numel(sizes) != checked_numel(b.tensor(from).sizes)) return false;
    if (b.tensor(to).storage != b.tensor(from).storage && !b.can_define_plain(to)) return false;
    Value v = g.value(from);
    std::optional<IntVec> strides = reshaped_strides(v.sizes, v.strides, sizes);
    if (!strides) {
      v = g.copied(v, dense_strides(v.sizes), step.node);
      strides = dense_strides(sizes);
    }
    v.sizes = sizes;
    v.strides = *strides;
    g.set(to, v);
    return true;
  }
  if (!gives_views(step.op->schema)) return false;
  for (const TracedValue& out : step.outs) {
    for (TensorId id : out.ids) {
      if (id == kNoTensor) continue;
      if (id == from || !set_view(g, from, id, step.node)) return false;
    }
  }
  return true;
}

namespace {

// What is joined, and along which dim.
struct Join {
  std::vector<Value> parts;
  size_t dim = 0;
  bool stacks = false;  // along a dim that the parts do not have
};

bool read_join(Lowering& g, const TracedStep& step, TensorId result, Join& join) {
  const plan::Builder& b = g.builder();
  const std::string_view name = step.op->schema.name;
  join.stacks = name == "aten::stack";
  if ((name != "aten::cat" && name != "aten::concat" && !join.stacks) || step.args.size() != 2 ||
      step.args[0].kind != TracedValue::Kind::kTensorList || result == kNoTensor || !b.can_define_plain(result)) {
    return false;
  }
  const IntVec& sizes = b.tensor(result).sizes;
  const auto dims = static_cast<int64_t>(sizes.size());
  int64_t dim = plan::int_arg(step, 1).value_or(dims);
  if (dim < 0) dim += dims;
  if (dim < 0 || dim >= dims) return false;
  join.dim = static_cast<size_t>(dim);
  int64_t extent = 0;
  for (TensorId id : step.args[0].ids) {
    if (id == kNoTensor || b.tensor(id).dtype != b.tensor(result).dtype) return false;
    Value part = g.value(id);
    if (join.stacks) {
      part.sizes.insert(join.dim, 1);
      part.strides.insert(join.dim, 0);
    }
    if (part.sizes.size() != sizes.size()) return false;
    extent += part.sizes[join.dim];
    join.parts.push_back(std::move(part));
  }
  return !join.parts.empty() && extent == sizes[join.dim];
}

Value make_joined(Lowering& g, const Join& join, const IntVec& sizes) {
  const std::vector<Value>& parts = join.parts;
  const IntVec order = join.stacks ? dense_strides(sizes) : parts[0].strides;
  Value whole = g.make(sizes, strides_in_order(sizes, order), parts[0].wide);
  whole.low = whole.high = 0;
  for (const Value& part : parts) {
    whole.low = std::min(whole.low, part.low);
    whole.high = std::max(whole.high, part.high);
  }
  return whole;
}

}  // namespace

bool lower_cat(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const TensorId result = b.result(s);
  Join join;
  if (!read_join(g, step, result, join)) return false;
  const std::vector<Value>& parts = join.parts;
  const IntVec& sizes = b.tensor(result).sizes;
  Value whole = make_joined(g, join, sizes);
  const bool image = !join.stacks && (sizes.size() == 3 || sizes.size() == 4) && join.dim == 1 &&
                     same_strides(sizes, whole.strides, image_strides(sizes));
  // The distance of pixels is a stride, of dims of size 1 as well.
  if (image) whole.strides = image_strides(sizes);
  const std::vector<TensorId>& ids = step.args[0].ids;
  std::vector<Value> places;
  int64_t at = 0;
  for (size_t k = 0; k < parts.size(); ++k) {
    places.push_back(whole);
    places[k].sizes = parts[k].sizes;
    places[k].at = at * whole.strides[join.dim];
    at += parts[k].sizes[join.dim];
    if (!image || !g.place(ids[k], parts[k], places[k], s, true)) g.copy(parts[k], places[k], true, step.node);
  }
  // Last, because it can't be undone.
  for (size_t k = 0; k < parts.size() && image; ++k) g.place(ids[k], parts[k], places[k], s, false);
  g.set(result, whole);
  return true;
}

// Lets the dispatch that gives a value write it into a larger image instead, when nothing has read it.
bool Lowering::place(TensorId id, const Value& part, const Value& to, size_t s, bool only_ask) {
  if (b_.only_user(id) != s || part.at != 0 || !same_strides(part.sizes, part.strides, image_strides(part.sizes))) {
    return false;
  }
  Dispatch* producer = nullptr;
  for (Dispatch& d : program_.dispatches) {
    if (std::find(d.reads.begin(), d.reads.end(), part.memory) != d.reads.end()) return false;
    if (d.write != part.memory) continue;
    if (producer != nullptr) return false;
    producer = &d;
  }
  if (producer == nullptr || producer->placing.at < 0 ||
      static_cast<uint64_t>(checked_numel(part.sizes)) * program_.element_bytes() !=
          program_.memory[part.memory].bytes) {
    return false;
  }
  const Dispatch::Placing& placing = producer->placing;
  const int64_t pixel = to.strides[to.strides.size() - 1], unit = placing.unit;
  if (to.at % unit != 0 || pixel % unit != 0) return false;
  if (only_ask) return true;
  const bool wide = to.at % placing.width == 0 && pixel % placing.width == 0;
  if (placing.wide >= 0 && !wide) producer->constants[static_cast<size_t>(placing.wide)] = 0;
  producer->push.all()[static_cast<size_t>(placing.at)] = static_cast<uint32_t>(to.at / unit);
  producer->push.all()[static_cast<size_t>(placing.pixel)] = static_cast<uint32_t>(pixel / unit);
  producer->write = to.memory;
  producer->writes_part = true;
  producer->placing = {};
  return true;
}

namespace {

// How a step pads: with a number, by reflection or by the edge, as shaders/pad.comp numbers them.
struct Padding {
  uint32_t mode = 0;
  double number = 0;
};
std::optional<Padding> read_padding(const TracedStep& step) {
  const std::string_view name = step.op->schema.name;
  if (name == "aten::constant_pad_nd") return Padding{0, plan::number_arg(step, 2).value_or(0)};
  if (name == "aten::reflection_pad1d" || name == "aten::reflection_pad2d") return Padding{1};
  if (name == "aten::replication_pad1d" || name == "aten::replication_pad2d") return Padding{2};
  if (name != "aten::pad" || step.args.size() != 4 || !step.args[2].value.is_string()) return std::nullopt;
  const double number = plan::number_arg(step, 3).value_or(0);
  const std::string_view kind = step.args[2].value.to_string();
  if (kind == "constant") return Padding{0, number};
  if (kind == "reflect") return Padding{1, number};
  if (kind == "replicate") return Padding{2, number};
  return std::nullopt;
}

}  // namespace

bool lower_pad(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  const std::optional<Padding> padding = read_padding(step);
  if (!padding) return false;
  if (from == kNoTensor || result == kNoTensor || !b.can_define_plain(result) || step.args.size() < 2 ||
      step.args[1].kind != TracedValue::Kind::kStatic || !step.args[1].value.is_list()) {
    return false;
  }
  const IntVec pads = step.args[1].value.to_int_vec();
  const IntVec& out = b.tensor(result).sizes;
  const size_t dims = out.size();
  const Value x = g.value(from);
  if (dims > 5 || x.sizes.size() != dims || pads.size() % 2 != 0 || pads.size() / 2 > dims) return false;
  IntVec before(dims, 0);
  for (size_t k = 0; k < pads.size() / 2; ++k) {
    const size_t d = dims - 1 - k;
    before[d] = pads[2 * k];
    if (x.sizes[d] + pads[2 * k] + pads[2 * k + 1] != out[d]) return false;
  }
  const Value y = g.make(out, strides_in_order(out, x.strides));
  Dispatch d;
  d.shader = Shader::k_pad;
  d.constants = {g.element_threads(), padding->mode};
  const int64_t count = checked_numel(out);
  d.push.add(count);
  d.push.add_last(out, 5, 1);
  d.push.add_last(x.sizes, 5, 1);
  d.push.add_last(before, 5, 0);
  d.push.add_last(x.strides, 5, 0);
  d.push.add_last(y.strides, 5, 0);
  d.push.all_of(x.at, y.at, padding->number);
  d.reads[0] = x.memory;
  d.write = y.memory;
  d.name = "pad";
  d.node = step.node;
  g.add(std::move(d), count);
  g.set(result, y);
  return true;
}

}  // namespace wick::gpu
