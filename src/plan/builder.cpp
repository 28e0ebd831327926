#include "plan/builder.h"

#include <algorithm>

#include "core/check.h"
#include "core/copy.h"
#include "core/selection.h"
#include "plan/patterns/pointwise.h"
#include "plan/patterns/selected_floats.h"
#include "plan/patterns/widen.h"
#include "plan/record/functional.h"
#include "plan/record/traits.h"
#include "plan/steps/conv_step.h"
#include "plan/steps/linear_step.h"

namespace wick::plan {
namespace {

bool is_laid_out(IntSpan sizes, IntSpan strides, IntSpan order) {
  int64_t expected = 1;
  for (size_t k = order.size(); k-- > 0;) {
    const auto d = static_cast<size_t>(order[k]);
    if (sizes[d] != 1 && strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

// Weights from which on their memory is worth care: pages of the program are given back before they are packed, and
// their own pages in such pieces after that.
constexpr size_t kWorthRoom = size_t{1} << 20;
constexpr size_t kGivenBackAtOnce = size_t{1} << 20;

// Patterns without an operator to take in this build are not in it.
constexpr bool kHasConv =
    selects_any_op("aten::conv2d", "aten::conv1d", "aten::conv_transpose2d", "aten::conv_transpose1d",
                   "aten::_convolution", "aten::convolution", "prepacked::conv2d_clamp_run");
constexpr bool kHasQuantized = selects_namespace("quantized::") || selects_op("aten::quantize_per_tensor");
constexpr bool kHasSoftmax = selects_any_op("aten::softmax", "aten::_softmax");
constexpr bool kHasAttention =
    (kHasSoftmax && selects_any_op("aten::matmul", "aten::bmm", "aten::baddbmm")) ||
    selects_any_op("aten::scaled_dot_product_attention", "aten::_scaled_dot_product_attention",
                   "aten::_scaled_dot_product_attention_forward", "aten::_scaled_dot_product_attention_math",
                   "aten::_scaled_dot_product_flash_attention_for_cpu");
constexpr bool kHasTransformer =
    selects_any_op("aten::_native_multi_head_attention", "aten::_transformer_encoder_layer_fwd");
constexpr bool kHasRows = kHasSoftmax || selects_any_op("aten::layer_norm", "aten::embedding");
constexpr bool kHasNorm = selects_any_op("aten::group_norm", "aten::instance_norm");
constexpr bool kHasPool = selects_floats_of("aten::max_pool2d") || selects_floats_of("aten::avg_pool2d") ||
                          selects_floats_of("aten::adaptive_avg_pool2d") || selects_floats_of("aten::mean");
constexpr bool kHasResize = selects_any_op("aten::upsample_nearest2d", "aten::_upsample_nearest_exact2d",
                                           "aten::upsample_bilinear2d", "aten::upsample_bicubic2d");
constexpr bool kHasShuffle = selects_op("aten::pixel_shuffle");
constexpr bool kHasImage = selects_any_op("aten::batch_norm", "aten::prelu");
constexpr bool kHasPointwise = selects_step("pointwise") || selects_step("scale");
constexpr bool kHasArgmax = selects_op("aten::argmax");
constexpr bool kHasReduce =
    selects_any_op("aten::sum", "aten::nansum", "aten::mean", "aten::nanmean", "aten::prod", "aten::amax", "aten::amin",
                   "aten::max", "aten::min", "aten::argmax", "aten::argmin", "aten::var", "aten::std", "aten::norm",
                   "aten::all", "aten::any", "aten::linalg_vector_norm", "aten::var_mean", "aten::std_mean");
constexpr bool kHasJoin = selects_op("aten::cat");
constexpr bool kHasHalf = selects_dtype(DType::kHalf) || selects_dtype(DType::kBFloat16);
constexpr bool kHasRnn = selects_any_op("aten::lstm", "aten::gru", "aten::rnn_tanh", "aten::rnn_relu");

}  // namespace

bool is_contiguous(IntSpan sizes, IntSpan strides) {
  int64_t expected = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] != 1 && strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

bool is_channels_last(IntSpan sizes, IntSpan strides) {
  if (sizes.size() == 3) return is_laid_out(sizes, strides, {0, 2, 1});
  return sizes.size() == 4 && is_laid_out(sizes, strides, {0, 2, 3, 1});
}

IntVec channels_last_strides(IntSpan sizes) {
  if (sizes.size() == 3) return {sizes[1] * sizes[2], 1, sizes[1]};
  return contiguous_strides(sizes, MemoryFormat::kChannelsLast);
}

void insert_in_order(std::vector<Pair>& pairs, Pair pair) {
  auto at = pairs.end();
  while (at != pairs.begin() && pair < at[-1]) --at;
  pairs.insert(at, pair);
}

bool is_dense(IntSpan sizes, IntSpan strides) {
  std::vector<Pair> dims;  // stride, size
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] != 1) insert_in_order(dims, Pair(strides[d], sizes[d]));
  }
  size_t expected = 1;
  for (const auto& [stride, size] : dims) {
    if (stride != expected) return false;
    expected *= size;
  }
  return true;
}

PackKey::PackKey(std::vector<Tensor> tensors, std::vector<int64_t> numbers)
    : tensors_(std::move(tensors)), parts_(std::move(numbers)) {
  for (const Tensor& t : tensors_) {
    parts_.push_back(t.defined() ? static_cast<int64_t>(reinterpret_cast<intptr_t>(t.raw_data())) : 0);
    if (!t.defined()) continue;
    parts_.insert(parts_.end(), t.sizes().begin(), t.sizes().end());
    parts_.insert(parts_.end(), t.strides().begin(), t.strides().end());
  }
}

uint64_t PackKey::hash() const {
  uint64_t hash = parts_.size();
  for (int64_t part : parts_) hash = scatter(hash ^ static_cast<uint64_t>(part));
  return hash;
}

Packed PackCache::find(const PackKey& key) const {
  for (uint64_t at = first_.get(key.hash()); at != 0; at = entries_[at - 1].next) {
    if (entries_[at - 1].key == key) return entries_[at - 1].form;
  }
  return nullptr;
}

void PackCache::add(const PackKey& key, Packed form) {
  uint64_t& first = first_[key.hash()];
  entries_.push_back({key, std::move(form), first});
  first = entries_.size();
}

Builder::Builder(Trace& trace, PackCache& cache, const PlanOptions& options)
    : trace_(trace),
      cache_(cache),
      options_(options),
      slots_(trace.tensors.size()),
      users_(trace.tensors.size()),
      leaves_(trace.tensors.size()),
      taken_(trace.steps.size()),
      deferred_(trace.steps.size()),
      groups_(trace.steps.size()),
      has_plain_(trace.tensors.size()),
      channels_last_(trace.tensors.size(), kNoSlot) {
  for (TensorId id = 0; id < trace.tensors.size(); ++id) {
    const TracedTensor& t = trace.tensors[id];
    slots_[id].dtype = t.dtype;
    slots_[id].sizes = t.sizes;
    slots_[id].strides = t.strides;
    slots_[id].quantizer = t.quantizer;
    has_plain_[id] = t.origin != TracedTensor::Origin::kComputed;
    if (t.origin == TracedTensor::Origin::kConstant) {
      slots_[id].kind = SlotInfo::Kind::kConstant;
      // A handle of the plan's own: the program may give another one a new shape or storage.
      slots_[id].tensor = t.constant.alias();
    }
  }
  count_uses();
  expect_packing();
}

Packed Builder::pack_once(const PackKey& key, size_t elements, const Callback<void(float*)>& pack) {
  Packed form = cache_.find(key);
  if (form) return form;
  std::shared_ptr<float> made = cache_.memory.take(elements);
  pack(made.get());
  cache_.bytes += elements * sizeof(float);
  note_sources(key);
  form = std::move(made);
  cache_.add(key, form);
  return form;
}

void Builder::count_uses() {
  for (auto& [reg, recipe] : trace_.changes) {
    each_tensor_of(recipe, [&](TensorId& id) {
      leaves_[id] = true;
      leaving_storages_.insert(tensor(id).storage);
    });
  }
  for (size_t s = 0; s < trace_.steps.size(); ++s) {
    for (const TracedValue& v : trace_.steps[s].args) {
      for (TensorId id : v.ids) {
        if (id != kNoTensor) users_[id].push_back(static_cast<uint32_t>(s));
      }
    }
  }
}

bool Builder::is_constant(TensorId id) const {
  const TracedTensor& t = trace_.tensors[id];
  return t.fixed && t.constant.defined() && is_stable(id);
}

TensorId Builder::result(size_t s) const {
  const std::vector<TracedValue>& outs = trace_.steps[s].outs;
  return outs.size() == 1 && outs[0].kind == TracedValue::Kind::kTensor ? outs[0].ids[0] : kNoTensor;
}

size_t Builder::only_user(TensorId id) const {
  if (id == kNoTensor || leaves_[id] || users_[id].size() != 1 || !is_stable(id)) return SIZE_MAX;
  return users_[id][0];
}

void Builder::run() {
  for (size_t s = 0; s < trace_.steps.size(); ++s) {
    if (groups_[s]) {
      groups_[s]->emit();
      continue;
    }
    if (taken_[s] || fold_constants(s) || forward_view(s) || (kHasQuantized && build_quantized(*this, s)) ||
        (kHasConv && build_conv(*this, s)) || (kHasLinear && build_linear(*this, s)) ||
        (kHasAttention && build_attention(*this, s)) || (kHasTransformer && build_transformer(*this, s)) ||
        (kHasRows && build_rows(*this, s)) || (kHasNorm && build_norm(*this, s)) || (kHasRnn && build_rnn(*this, s)) ||
        (kHasPool && build_pool(*this, s)) || (kHasResize && build_resize(*this, s)) ||
        (kHasShuffle && build_shuffle(*this, s)) || (kHasArgmax && build_argmax(*this, s)) ||
        (kHasReduce && build_reduce(*this, s)) || (kHasImage && build_image(*this, s)) ||
        (kHasJoin && build_join(*this, s)) || (kHasPointwise && build_pointwise(*this, s)) ||
        (kHasHalf && build_cast(*this, s))) {
      // A group of this step alone.
      if (groups_[s]) groups_[s]->emit();
      continue;
    }
    emit_call(s);
  }
  emit_results();
  if (kHasConv && kHasPointwise && selects_step("scale") && !is_exact()) fuse_scalings(emissions_, slots_);
  if (kHasConv && kHasPool && selects_step("pooled")) fuse_pools(emissions_, slots_);
  if (kHasConv && selects_step("band")) fuse_bands(emissions_, slots_);
  if (kHasConv && kHasPool && kernels::selected::kMeans) fuse_means(emissions_);
  sources_.give_back();
}

// Matrices and kernels among the constants that are not packed yet; vectors add little, and are folded often.
void Builder::expect_packing() {
  WordSet seen;
  size_t small = 0, large = 0;
  for (const TracedTensor& t : trace_.tensors) {
    if (t.origin != TracedTensor::Origin::kConstant || t.dtype != DType::kFloat || t.sizes.size() < 2) continue;
    const void* at = t.constant.raw_data();
    const size_t bytes = t.constant.nbytes();
    if (!seen.insert(at)) continue;
    weight_bytes_ += bytes;
    if (cache_.sources.contains(at)) continue;
    (bytes < PackMemory::kLarge ? small : large) += bytes;
  }
  // Panels are filled up to whole vectors.
  cache_.memory.expect(small + small / 16);
  // What loading and recording have freed makes room for them, and their code.
  if (small + large < kWorthRoom) return;
  give_back_free_memory();
  give_back_program_pages();
}

void Builder::note_sources(const PackKey& key) {
  for (const Tensor& t : key.tensors()) {
    if (!t.defined()) continue;
    if (t.dim() >= 2 && cache_.sources.insert(t.raw_data()) && t.nbytes() < PackMemory::kLarge) {
      cache_.memory.note(t.nbytes());
    }
    if (!t.is_contiguous()) continue;
    sources_.add(t);
    lately_.add(t);
    lately_packed_.push_back(t);
  }
  if (lately_.bytes < kGivenBackAtOnce) return;
  if (!lately_.give_back()) {
    for (const Tensor& t : lately_packed_) give_back_file_pages(t.raw_data(), t.nbytes());
  }
  lately_ = {};
  lately_packed_.clear();
}

void Builder::Sources::add(const Tensor& t) {
  const auto at = reinterpret_cast<uintptr_t>(t.raw_data());
  begin = std::min(begin, at);
  end = std::max(end, at + t.nbytes());
  bytes += t.nbytes();
}

// The plan won't read the weights in their own form again. Those of a file lie side by side: what is between them goes
// as well.
bool Builder::Sources::give_back() const {
  if (begin >= end || (end - begin) / 2 > bytes) return false;
  give_back_file_pages(reinterpret_cast<const void*>(begin), end - begin);
  return true;
}

// Results known now are constants, unless somebody may change them later.
bool Builder::fold_constants(size_t s) {
  if (result(s) != kNoTensor && widened(result(s)).defined()) {
    defer(s);
    return true;
  }
  for (const TracedValue& v : step(s).outs) {
    for (TensorId id : v.ids) {
      if (id != kNoTensor && (!is_constant(id) || leaving_storages_.contains(tensor(id).storage))) return false;
    }
  }
  bool any = false;
  for (const TracedValue& v : step(s).outs) {
    for (TensorId id : v.ids) {
      if (id == kNoTensor) continue;
      make_constant(id);
      any = true;
    }
  }
  return any;
}

void Builder::make_constant(TensorId id) {
  slots_[id].kind = SlotInfo::Kind::kConstant;
  slots_[id].tensor = constant(id).alias();
  has_plain_[id] = true;
}

Tensor Builder::widened(TensorId id) const {
  if constexpr (!kHasHalf) return {};
  const TracedTensor& t = tensor(id);
  if (t.origin != TracedTensor::Origin::kComputed || t.dtype != DType::kFloat || !is_stable(id) || leaves_[id])
    return {};
  const TracedStep& step = trace_.steps[t.step];
  const std::string_view name = step.op->schema.name;
  if ((name != "aten::to" && name != "aten::_to_copy") || step.args.empty() || result(t.step) != id) return {};
  const TensorId from = step.args[0].kind == TracedValue::Kind::kTensor ? step.args[0].ids[0] : kNoTensor;
  if (from == kNoTensor || !is_constant(from) || tensor(from).sizes != t.sizes) return {};
  const DType dtype = tensor(from).dtype;
  return dtype == DType::kHalf || dtype == DType::kBFloat16 ? constant(from) : Tensor();
}

// A view of something whose address is known when the run begins needs no step; nor does a step that gives one of its
// arguments.
bool Builder::forward_view(size_t s) {
  const TracedStep& step = trace_.steps[s];
  if (!is_function_call(step)) return false;
  std::vector<std::pair<TensorId, TensorId>> views;  // result, base
  for (const TracedValue& out : step.outs) {
    for (TensorId id : out.ids) {
      if (id == kNoTensor) continue;
      TensorId base = kNoTensor;
      for (const TracedValue& arg : step.args) {
        for (TensorId candidate : arg.ids) {
          if (base == id || candidate == kNoTensor) continue;
          if (candidate == id || tensor(candidate).storage == tensor(id).storage) base = candidate;
        }
      }
      if (base == kNoTensor) return false;
      if (base == id) continue;
      if (!is_stable(id) || tensor(base).dtype != tensor(id).dtype || leaving_storages_.contains(tensor(id).storage)) {
        return false;
      }
      views.emplace_back(id, base);
    }
  }
  for (const auto& [id, base] : views) {
    const Slot from = plain(base);
    const SlotInfo::Kind kind = slots_[from].kind;
    const bool is_made = kind == SlotInfo::Kind::kCall && tensor(base).origin != TracedTensor::Origin::kInput;
    if (is_made || kind == SlotInfo::Kind::kFresh || !reaches_only(id, base)) return false;
  }
  for (const auto& [id, base] : views) {
    SlotInfo& info = slots_[id];
    info.kind = SlotInfo::Kind::kView;
    info.base = base;
    info.offset = tensor(id).offset - tensor(base).offset;
    has_plain_[id] = true;
  }
  return true;
}

// Whether a view lies within the elements from its base's first to its last.
bool Builder::reaches_only(TensorId view, TensorId base) const {
  const auto last = [](const TracedTensor& t) {
    int64_t at = t.offset;
    for (size_t d = 0; d < t.sizes.size(); ++d) at += (t.sizes[d] - 1) * t.strides[d];
    return at;
  };
  const TracedTensor& v = tensor(view);
  const TracedTensor& b = tensor(base);
  return checked_numel(v.sizes) == 0 || (checked_numel(b.sizes) > 0 && v.offset >= b.offset && last(v) <= last(b));
}

void Builder::emit_call(size_t s) {
  if constexpr (!kHasCalls) throw ShapeChanged();
  std::vector<Slot> reads, writes;
  for (const TracedValue& v : step(s).args) {
    for (TensorId id : v.ids) {
      if (id != kNoTensor) reads.push_back(plain(id));
    }
  }
  for (const TracedValue& v : step(s).outs) {
    for (TensorId id : v.ids) {
      if (id == kNoTensor) continue;
      const bool is_new = !has_plain_[id];
      has_plain_[id] = true;
      writes.push_back(id);
      // A view that the call makes keeps the place in use. A tensor it writes to has its place, even where another
      // argument is a view of the same storage.
      if (!is_new) continue;
      for (Slot read : reads) {
        if (read < trace_.tensors.size() && read != id && tensor(read).storage == tensor(id).storage) {
          slots_[id].base = read;
        }
      }
    }
  }
  emit_call_of(step(s), std::move(reads), std::move(writes));
  emissions_.back().has_effect = has_effect(step(s));
}

void Builder::emit_call_of(const TracedStep& step, std::vector<Slot> reads, std::vector<Slot> writes) {
  if constexpr (!kHasCalls) throw ShapeChanged();
  std::vector<ExpectedResult> expected;
  expected.reserve(writes.size());
  for (Slot slot : writes) {
    expected.push_back({slot, slots_[slot].dtype, slots_[slot].sizes, slots_[slot].strides});
  }
  emit(call_step(step, std::move(expected)), std::move(reads), std::move(writes));
}

Slot Builder::define_call(TensorId id, bool channels_last) {
  const TracedTensor& t = tensor(id);
  if (!channels_last || is_channels_last(t.sizes, t.strides)) {
    has_plain_[id] = true;
    return id;
  }
  SlotInfo info;
  info.dtype = t.dtype;
  info.quantizer = t.quantizer;
  info.sizes = t.sizes;
  info.strides = channels_last_strides(t.sizes);
  channels_last_[id] = static_cast<Slot>(slots_.size());
  slots_.push_back(std::move(info));
  return channels_last_[id];
}

// Whether a step changes something that others than the plan can see, or could not be repeated.
bool Builder::has_effect(const TracedStep& step) const {
  if (!is_function_call(step)) return true;
  for (size_t k = 0; k < step.args.size() && k < step.op->schema.arguments.size(); ++k) {
    if (!step.op->schema.arguments[k].is_mutated) continue;
    for (TensorId id : step.args[k].ids) {
      if (id != kNoTensor && tensor(id).origin != TracedTensor::Origin::kComputed) return true;
    }
  }
  return false;
}

void Builder::emit_results() {
  for (TensorId id = 0; id < leaves_.size(); ++id) {
    if (leaves_[id]) plain(id);
  }
}

size_t Builder::deferred_producer(TensorId id) const {
  if constexpr (!kHasPointwise && !kHasHalf) return SIZE_MAX;
  const TracedTensor& t = tensor(id);
  if (t.origin != TracedTensor::Origin::kComputed || !deferred_[t.step]) return SIZE_MAX;
  return has_plain_[id] || channels_last_[id] != kNoSlot ? SIZE_MAX : t.step;
}

void Builder::make_deferred(TensorId id) {
  const size_t s = deferred_producer(id);
  if (s != SIZE_MAX && widened(id).defined() && is_constant(id)) return make_constant(id);
  if (s != SIZE_MAX && !(kHasPointwise && emit_pointwise(*this, s))) emit_call(s);
}

Slot Builder::plain(TensorId id) {
  make_deferred(id);
  if (has_plain_[id]) return id;
  WICK_CHECK(channels_last_[id] != kNoSlot, kInternal, "the plan uses a tensor before it is made");
  const Slot from = channels_last_[id];
  const Slot to = define_plain(id);
  emit(copy_step(), {from}, {to});
  return to;
}

bool Builder::has_channels_last(TensorId id) const {
  return channels_last_[id] != kNoSlot || (has_plain_[id] && is_channels_last(tensor(id).sizes, tensor(id).strides));
}

bool Builder::prefers_channels_last(TensorId id) const {
  return has_channels_last(id) && (!has_plain_[id] || is_channels_last(tensor(id).sizes, tensor(id).strides));
}

Slot Builder::channels_last(TensorId id) {
  make_deferred(id);
  if (channels_last_[id] != kNoSlot) return channels_last_[id];
  if (is_channels_last(tensor(id).sizes, tensor(id).strides)) return plain(id);
  const Slot from = plain(id);
  const Slot to = define_channels_last(id);
  emit(copy_step(), {from}, {to});
  return to;
}

bool Builder::can_define_plain(TensorId id) const {
  return id != kNoTensor && is_stable(id) && is_dense(tensor(id).sizes, tensor(id).strides);
}

Slot Builder::define_plain(TensorId id) {
  SlotInfo& info = slots_[id];
  info.kind = leaving_storages_.contains(tensor(id).storage) ? SlotInfo::Kind::kFresh : SlotInfo::Kind::kArena;
  info.nbytes = static_cast<size_t>(checked_numel(info.sizes)) * itemsize(info.dtype);
  has_plain_[id] = true;
  return id;
}

Slot Builder::define_channels_last(TensorId id) {
  const TracedTensor& t = tensor(id);
  if (is_channels_last(t.sizes, t.strides)) return define_plain(id);
  SlotInfo info;
  info.kind = SlotInfo::Kind::kArena;
  info.dtype = t.dtype;
  info.quantizer = t.quantizer;
  info.sizes = t.sizes;
  info.strides = channels_last_strides(t.sizes);
  info.nbytes = static_cast<size_t>(checked_numel(info.sizes)) * itemsize(info.dtype);
  channels_last_[id] = static_cast<Slot>(slots_.size());
  slots_.push_back(std::move(info));
  return channels_last_[id];
}

Slot Builder::define_temporary(const IntVec& sizes) {
  SlotInfo info;
  info.kind = SlotInfo::Kind::kArena;
  info.sizes = sizes;
  info.strides = contiguous_strides(sizes);
  info.nbytes = static_cast<size_t>(checked_numel(sizes)) * sizeof(float);
  slots_.push_back(std::move(info));
  return static_cast<Slot>(slots_.size()) - 1;
}

Packed Builder::packed_vector(const Tensor& t) {
  if (!t.defined()) return nullptr;
  constexpr int64_t kVector = -4;  // the form a key names
  return packed(PackKey({t}, {kVector}), static_cast<size_t>(t.numel()),
                [&](float* dst) { copy_into(Tensor::from_blob(dst, t.sizes()), t); });
}

bool Builder::place_in(Slot image, Slot larger, int64_t channel) {
  SlotInfo& part = slots_[image];
  const SlotInfo& whole = slots_[larger];
  if (part.kind != SlotInfo::Kind::kArena || whole.kind != SlotInfo::Kind::kArena) return false;
  Step* producer = nullptr;
  for (const Emission& e : emissions_) {
    if (std::find(e.reads.begin(), e.reads.end(), image) != e.reads.end()) return false;
    if (std::find(e.writes.begin(), e.writes.end(), image) != e.writes.end()) producer = e.step.get();
  }
  if (producer == nullptr || !producer->set_output_pixel(whole.sizes[1])) return false;
  part.kind = SlotInfo::Kind::kView;
  part.base = larger;
  part.offset = channel;
  part.strides = whole.strides;
  return true;
}

void Builder::emit(std::unique_ptr<Step> step, std::vector<Slot> reads, std::vector<Slot> writes) {
  step->set_slots(reads, writes);
  emissions_.push_back({std::move(step), std::move(reads), std::move(writes), false});
}

}  // namespace wick::plan
