// The table of what a GPU can do, and what the steps of a stretch share.
#include "gpu/lowering.h"

#include <algorithm>

#include "core/check.h"
#include "core/copy.h"
#include "core/selection.h"
#include "plan/record/read.h"
#include "plan/record/traits.h"

namespace wick::gpu {

using plan::TracedStep;
using plan::TracedTensor;
using plan::TracedValue;

namespace {

using Lower = bool (*)(Lowering&, size_t);
// What a build without the shader, or without the operators, leaves out.
template <Shader... kAny>
consteval Lower with(Lower lower) {
  return (has_shader(kAny) || ...) ? lower : nullptr;
}
template <class... Names>
consteval Lower of(Lower lower, Names... names) {
  return selects_any_op(names...) ? lower : nullptr;
}

constexpr Lower kGlu = of(lower_glu, "aten::glu"), kTriangle = of(lower_triangle, "aten::tril", "aten::triu"),
                kCat = of(lower_cat, "aten::cat", "aten::concat", "aten::stack"),
                kNorm = of(lower_batch_norm, "aten::batch_norm"),
                kRearrange =
                    of(lower_rearrange, "aten::flip", "aten::roll", "aten::repeat", "aten::tile", "aten::pixel_shuffle",
                       "aten::pixel_unshuffle", "aten::channel_shuffle", "aten::repeat_interleave"),
                kReduce = with<Shader::k_reduce>(lower_reduce), kAttention = with<Shader::k_softmax>(lower_attention),
                kPool = with<Shader::k_pool>(lower_pool);
// In order of precedence.
constexpr Lower kLowerings[] = {
    lower_view,
    with<Shader::k_conv>(lower_conv),
    with<Shader::k_gemm>(lower_dense),
    kAttention,
    with<Shader::k_matmul>(lower_matmul),
    kNorm,
    lower_pointwise,
    kPool,
    with<Shader::k_softmax>(lower_softmax),
    with<Shader::k_norm>(lower_norm),
    kReduce,
    kCat,
    with<Shader::k_pad>(lower_pad),
    with<Shader::k_resize>(lower_resize),
};
// Of any tensors that the GPU holds; after the others.
constexpr Lower kAnyLowerings[] = {
    lower_view,
    lower_pointwise,
    with<Shader::k_gather>(lower_gather),
    kCat,
    kRearrange,
    with<Shader::k_arg_reduce>(lower_arg_reduce),
    kReduce,
    with<Shader::k_scan>(lower_scan),
    kPool,
    with<Shader::k_rnn>(lower_rnn),
    kGlu,
    kTriangle,
    kAttention,
};

constexpr int64_t kMaxElements = (int64_t{1} << 31) - 1;

}  // namespace

Lowering::Lowering(const plan::Builder& builder, Weights& weights, const Limits& limits, bool half)
    : b_(builder), weights_(weights), limits_(limits), done_(builder.step_count()) {
  program_.half = half;
}

bool Lowering::lower(size_t s) {
  const size_t memory = program_.memory.size(), dispatches = program_.dispatches.size(),
               inputs = program_.inputs.size(), values = values_.size(), steps = steps_.size();
  try {
    if (try_step(s)) return true;
  } catch (const Declined&) {
  }
  program_.memory.resize(memory);
  program_.dispatches.resize(dispatches);
  program_.inputs.resize(inputs);
  for (size_t k = values; k < ids_.size(); ++k) value_of_[ids_[k]] = 0;
  ids_.resize(values);
  values_.resize(values);
  for (size_t k = steps; k < steps_.size(); ++k) done_[steps_[k]] = false;
  steps_.resize(steps);
  return false;
}

template <class Test>
bool Lowering::each_tensor(size_t s, const Test& test) const {
  const TracedStep& step = b_.step(s);
  if (!plan::is_function_call(step)) return false;
  const auto fits = [&](const std::vector<TracedValue>& values) {
    for (const TracedValue& v : values) {
      for (TensorId id : v.ids) {
        if (id == kNoTensor) continue;
        const TracedTensor& t = b_.tensor(id);
        if (!test(t.dtype) || !b_.is_stable(id) || t.sizes.size() > 6 || checked_numel(t.sizes) == 0) return false;
      }
    }
    return true;
  };
  return fits(step.args) && fits(step.outs);
}

bool Lowering::is_plain(size_t s) const {
  return each_tensor(s, [](DType dtype) { return dtype == DType::kFloat; });
}

bool Lowering::is_fit(size_t s) const {
  return each_tensor(s,
                     [](DType dtype) { return dtype == DType::kFloat || dtype == DType::kBool || is_integer(dtype); });
}

bool Lowering::try_step(size_t s) {
  const auto by = [&](const auto& lowerings) {
    for (const Lower lowering : lowerings) {
      if (lowering == nullptr || !lowering(*this, s)) continue;
      take_step(s);
      return true;
    }
    return false;
  };
  return (is_plain(s) && by(kLowerings)) || (is_fit(s) && by(kAnyLowerings));
}

MemoryId Lowering::add_memory(Memory::Kind kind, uint64_t bytes) {
  // Shaders are given whole fours.
  if ((bytes + 15) / 16 * 16 > limits_.max_buffer_range) throw Declined();
  Memory memory;
  memory.kind = kind;
  memory.bytes = bytes;
  program_.memory.push_back(std::move(memory));
  return static_cast<MemoryId>(program_.memory.size() - 1);
}

bool Lowering::is_available(TensorId id, size_t s) const {
  if (has(id) || b_.is_constant(id)) return true;
  const TracedTensor& t = b_.tensor(id);
  return t.origin != TracedTensor::Origin::kComputed || t.step < s || done_[t.step];
}

Value Lowering::value(TensorId id) {
  const uint64_t* at = value_of_.find(id);
  if (at != nullptr && *at != 0) return values_[*at - 1];
  const TracedTensor& t = b_.tensor(id);
  const bool is_held = t.dtype == DType::kFloat || t.dtype == DType::kBool || is_integer(t.dtype);
  if (!is_held || !b_.is_stable(id) || checked_numel(t.sizes) == 0) throw Declined();
  return b_.is_constant(id) ? constant_value(id) : add_input(id);
}

Value Lowering::constant_value(TensorId id) {
  constexpr int64_t kDense = 1, kIntegers = 11;  // the forms a key names
  const TracedTensor& t = b_.tensor(id);
  const Tensor& constant = b_.constant(id);
  const bool whole = is_integer(t.dtype), wide = whole && program_.half;
  const Tensor floats = whole || t.dtype == DType::kBool ? Tensor::empty(t.sizes) : Tensor();
  Value v;
  if (floats.defined()) {
    copy_into(floats, constant);
    if (whole) {
      const auto [low, high] = std::minmax_element(floats.data_ptr<float>(), floats.data_ptr<float>() + floats.numel());
      if (*low <= -kLargestInteger || *high >= kLargestInteger) throw Declined();
      v.low = static_cast<int64_t>(*low);
      v.high = static_cast<int64_t>(*high);
    }
  }
  const auto elements = static_cast<size_t>(constant.numel());
  const Value packed = get_constant(
      plan::PackKey({constant}, {wide ? kIntegers : kDense}), elements,
      [&](float* to) {
        const Tensor from = floats.defined() ? floats : plan::as_floats(constant);
        std::copy_n(from.data_ptr<float>(), elements, to);
      },
      wide);
  v.memory = packed.memory;
  v.wide = wide;
  v.sizes = t.sizes;
  v.strides = dense_strides(t.sizes);
  set(id, v);
  return v;
}

uint64_t Lowering::bytes_of(int64_t elements, bool wide) const {
  return static_cast<uint64_t>(elements) * (wide ? sizeof(float) : program_.element_bytes());
}

Value Lowering::add_input(TensorId id) {
  const TracedTensor& t = b_.tensor(id);
  const int64_t elements = checked_numel(t.sizes);
  if (elements > kMaxElements) throw Declined();
  Value v;
  v.sizes = t.sizes;
  v.strides = plan::is_dense(t.sizes, t.strides) ? t.strides : dense_strides(t.sizes);
  v.wide = is_integer(t.dtype) && program_.half;
  v.memory = add_memory(Memory::Kind::kInput, bytes_of(elements, v.wide));
  program_.inputs.push_back({id, v.memory, v.sizes, v.strides, v.wide});
  set(id, v);
  return v;
}

Value Lowering::converted(const Value& v, bool wide, const ir::Node* node) {
  if (!program_.half || v.wide == wide) return v;
  Value from = v;
  if (!same_strides(v.sizes, v.strides, dense_strides(v.sizes)) || v.at != 0)
    from = copied(v, dense_strides(v.sizes), node);
  Value to = make(v.sizes, dense_strides(v.sizes), wide);
  Dispatch d;
  d.shader = Shader::k_convert;
  d.constants = {element_threads(), wide};
  const int64_t count = checked_numel(v.sizes);
  d.push.all_of(count, from.at);
  d.reads[0] = from.memory;
  d.write = to.memory;
  d.name = "convert";
  d.node = node;
  add(std::move(d), count);
  return to;
}
Value Lowering::widened(const Value& v, const ir::Node* node) {
  Value out = converted(v, true, node);
  out.low = v.low;
  out.high = v.high;
  return out;
}
Value Lowering::narrowed(const Value& v, const ir::Node* node) { return converted(v, false, node); }

TensorId Lowering::first_result(size_t s) const {
  const std::vector<TracedValue>& outs = b_.step(s).outs;
  for (size_t k = 1; k < outs.size(); ++k) {
    for (TensorId id : outs[k].ids) {
      if (id != kNoTensor && !b_.is_unused(id)) return kNoTensor;
    }
  }
  if (outs.empty() || outs[0].kind != TracedValue::Kind::kTensor) return kNoTensor;
  const TensorId id = outs[0].ids[0];
  return id != kNoTensor && b_.can_define_plain(id) ? id : kNoTensor;
}

void Lowering::require(const Value& v, int64_t low, int64_t high) {
  if (v.low >= low && v.high <= high) return;
  for (Transfer& t : program_.inputs) {
    if (t.memory != v.memory) continue;
    t.low = std::max(t.low, low);
    t.high = std::min(t.high, high);
    return;
  }
  throw Declined();
}

void Lowering::set(TensorId id, Value v) {
  values_.push_back(std::move(v));
  ids_.push_back(id);
  value_of_[id] = values_.size();
}

void Lowering::take_step(size_t s) {
  if (done_[s]) return;
  done_[s] = true;
  steps_.push_back(s);
}

Value Lowering::make(const IntVec& sizes, const IntVec& strides, bool wide) {
  const int64_t elements = checked_numel(sizes);
  if (elements > kMaxElements || elements == 0) throw Declined();
  Value v;
  v.sizes = sizes;
  v.strides = strides;
  v.wide = wide && program_.half;
  v.memory = add_memory(Memory::Kind::kArena, bytes_of(elements, v.wide));
  return v;
}

Value Lowering::get_constant(const plan::PackKey& key, size_t elements, const Callback<void(float*)>& pack, bool wide) {
  if (elements > static_cast<size_t>(kMaxElements)) throw Declined();
  Value v;
  v.memory = add_memory(Memory::Kind::kConstant, bytes_of(static_cast<int64_t>(elements), wide));
  program_.memory[v.memory].constant = weights_.get(key, elements, pack, wide);
  v.sizes = {static_cast<int64_t>(elements)};
  v.strides = {1};
  return v;
}

void Lowering::copy(const Value& from, const Value& to, bool part, const ir::Node* node) {
  if (from.wide != to.wide) throw Declined();
  IntVec sizes = to.sizes, x = from.strides, y = to.strides;
  // The result's order of dims, so that neighbors are written side by side.
  IntVec order;
  for (size_t d = 0; d < sizes.size(); ++d) {
    size_t at = order.size();
    while (at > 0 && y[static_cast<size_t>(order[at - 1])] < y[d]) --at;
    order.insert(at, static_cast<int64_t>(d));
  }
  IntVec ordered, ordered_x, ordered_y;
  for (int64_t d : order) {
    ordered.push_back(sizes[static_cast<size_t>(d)]);
    ordered_x.push_back(x[static_cast<size_t>(d)]);
    ordered_y.push_back(y[static_cast<size_t>(d)]);
  }
  coalesce(ordered, {&ordered_x, &ordered_y});
  if (ordered.size() > 6) throw Declined();
  const int64_t count = checked_numel(to.sizes);
  Dispatch d;
  d.shader = Shader::k_copy;
  d.constants = {element_threads(), static_cast<uint32_t>(ordered.size())};
  // Dims from the first on: the rest is not looked at.
  d.push.add(count);
  for (const IntVec* list : {&ordered, &ordered_x, &ordered_y}) d.push.add_first(*list, 6, 1);
  d.push.add(from.at);
  d.push.add(to.at);
  d.reads[0] = from.memory;
  d.write = to.memory;
  d.writes_part = part;
  d.wide = from.wide;
  d.name = "copy";
  d.node = node;
  add(std::move(d), count);
}

Value Lowering::copied(const Value& v, const IntVec& strides, const ir::Node* node) {
  Value out = make(v.sizes, strides, v.wide);
  out.low = v.low;
  out.high = v.high;
  copy(v, out, false, node);
  return out;
}

Value Lowering::as_image(const Value& v, const ir::Node* node) {
  if (same_strides(v.sizes, v.strides, image_strides(v.sizes))) return v;
  return copied(v, image_strides(v.sizes), node);
}

uint32_t Lowering::element_threads() const { return threads_up_to(128); }

uint32_t Lowering::threads_up_to(int64_t wanted) const {
  uint32_t n = 1;
  while (n * 2 <= limits_.max_invocations && static_cast<int64_t>(n) * 2 <= wanted) n *= 2;
  return n;
}

std::array<uint32_t, 3> Lowering::spread(int64_t workgroups) const {
  const int64_t x = std::min<int64_t>(workgroups, limits_.max_workgroups[0]), y = (workgroups + x - 1) / x;
  if (y > limits_.max_workgroups[1]) throw Declined();
  return {static_cast<uint32_t>(x), static_cast<uint32_t>(y), 1};
}

void Lowering::add(Dispatch d, int64_t count) {
  d.workgroups = spread((count + d.constants[0] - 1) / d.constants[0]);
  add(std::move(d));
}

void Lowering::add(Dispatch d) {
  if (!has_shader(d.shader)) throw Declined();
  WICK_CHECK(d.push.all().size() * 4 <= Device::kPushBytes, kInternal, "too many push constants for ", d.name);
  for (size_t k = 0; k < 3; ++k) {
    if (d.workgroups[k] > limits_.max_workgroups[k] || d.workgroups[k] == 0) throw Declined();
  }
  program_.dispatches.push_back(std::move(d));
}

// Whether it is recorded as a view of one of its step's arguments.
bool Lowering::is_view(TensorId id) const {
  const TracedTensor& t = b_.tensor(id);
  if (t.origin != TracedTensor::Origin::kComputed) return false;
  for (const TracedValue& arg : b_.step(t.step).args) {
    for (TensorId from : arg.ids) {
      if (from != kNoTensor && b_.tensor(from).storage == t.storage) return true;
    }
  }
  return false;
}

// Marks a tensor as one that others read: a view's step is repeated for them, with what it is a view of.
void Lowering::need(TensorId id, std::vector<bool>& needed, std::vector<bool>& views) {
  const TracedTensor& t = b_.tensor(id);
  if (t.origin != TracedTensor::Origin::kComputed || !done_[t.step] || needed[id]) return;
  needed[id] = true;
  if (!is_view(id)) return;
  views[t.step] = true;
  for (const TracedValue& out : b_.step(t.step).outs) {
    for (TensorId other : out.ids) {
      if (other != kNoTensor) needed[other] = true;
    }
  }
  for (const TracedValue& arg : b_.step(t.step).args) {
    for (TensorId from : arg.ids) {
      if (from != kNoTensor) need(from, needed, views);
    }
  }
}

Lowering::Stretch Lowering::take() {
  Stretch out;
  const bool half = program_.half;
  try {
    give_results(out);
    std::sort(steps_.begin(), steps_.end());
    out.steps = std::move(steps_);
    out.program = std::move(program_);
  } catch (const Declined&) {
    // Results that can't be given back as others expect them: the processor has it all.
    for (size_t s : steps_) done_[s] = false;
    out = Stretch();
  }
  program_ = Program();
  program_.half = half;
  for (TensorId id : ids_) value_of_[id] = 0;
  ids_.clear();
  values_.clear();
  steps_.clear();
  return out;
}

// Gives every tensor that others read a place among the outputs.
void Lowering::give_results(Stretch& out) {
  std::vector<bool> own(b_.step_count()), needed(b_.tensor_count()), views(b_.step_count());
  for (size_t s : steps_) own[s] = true;
  const std::vector<TensorId> ids = ids_;
  for (TensorId id : ids) {
    const TracedTensor& t = b_.tensor(id);
    if (t.origin != TracedTensor::Origin::kComputed || !own[t.step]) continue;
    const std::vector<uint32_t>& users = b_.uses().users(id);
    if (b_.uses().leaves(id) || std::any_of(users.begin(), users.end(), [&](uint32_t user) { return !own[user]; })) {
      need(id, needed, views);
    }
  }
  for (TensorId id : ids) {
    const TracedTensor& t = b_.tensor(id);
    if (!needed[id] || !own[t.step] || is_view(id)) continue;
    // As others expect it: the strides it was recorded with.
    const Value v = value(id);
    Memory memory;
    memory.kind = Memory::Kind::kOutput;
    memory.bytes = bytes_of(checked_numel(t.sizes), v.wide);
    const bool whole = same_strides(t.sizes, v.strides, t.strides) && v.at == 0 &&
                       program_.memory[v.memory].kind == Memory::Kind::kArena &&
                       program_.memory[v.memory].bytes == memory.bytes;
    if (whole) {
      program_.memory[v.memory].kind = Memory::Kind::kOutput;
      program_.outputs.push_back({id, v.memory, t.sizes, t.strides, v.wide});
      continue;
    }
    program_.memory.push_back(std::move(memory));
    Value to;
    to.memory = static_cast<MemoryId>(program_.memory.size() - 1);
    to.sizes = t.sizes;
    to.strides = t.strides;
    to.wide = v.wide;
    copy(v, to, false, b_.step(t.step).node);
    program_.outputs.push_back({id, to.memory, t.sizes, t.strides, to.wide});
  }
  for (size_t s = 0; s < views.size(); ++s) {
    if (views[s] && own[s]) out.views.push_back(s);
  }
}

}  // namespace wick::gpu
