#include "plan/record/record.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/check.h"
#include "core/pages.h"
#include "core/selection.h"
#include "core/shapes_only.h"
#include "core/word_map.h"
#include "plan/record/traits.h"

namespace wick::plan {
namespace {

using ir::NodeKind;
using runtime::Frame;
using runtime::Instruction;
using runtime::kNoRegister;
using runtime::OpCode;
using runtime::Operand;

// A stretch longer than this is cut: a loop of many trips is not unrolled without end.
constexpr size_t kMaxSteps = 20'000;
constexpr size_t kMaxInstructions = 400'000;
constexpr size_t kSweepInterval = 32;
// A trace keeps values that the program would have let go: no more than this.
constexpr size_t kMaxFixedBytes = size_t{64} << 20;
// Freed memory goes back to the system when results have become so much smaller, the largest of so many in a row:
// the weights that are read from then on take its place.
constexpr size_t kShrunk = 4;
constexpr size_t kWindow = 16;
constexpr size_t kWorthTrimming = size_t{1} << 20;
constexpr size_t kMaxItems = 200'000;  // of lists among arguments, and of containers that remain

class Recorder {
 public:
  Recorder(Frame& frame, size_t pc, const Storages& changed, bool shapes_only)
      : frame_(frame), changed_(changed), shapes_only_(shapes_only), state_(frame.code().register_count, kUntouched) {
    trace_.begin = pc;
  }

  // Absent: it takes elements that were not computed. The frame stands at the begin again.
  std::optional<Recording> run() {
    size_t pc = trace_.begin;
    const runtime::Code& code = frame_.code();
    try {
      for (size_t executed = 0; executed < kMaxInstructions && trace_.steps.size() < kMaxSteps; ++executed) {
        const Instruction& i = code.instructions[pc];
        if (i.code == OpCode::kReturn || poisoned_ || !can_record(i)) break;
        const bool is_step = before(i);
        if (needs_elements_) break;
        {
          const ShapesOnly shapes(is_step && skips_);
          pc = frame_.step(pc);
        }
        after(i, is_step);
      }
    } catch (...) {
      frame_.rethrow(code.instructions[pc].node);
    }
    trace_.end = pc;
    if (!trace_.steps.empty() && !poisoned_ && !needs_elements_) describe_registers();
    const bool is_sound = !trace_.steps.empty() && !poisoned_;
    if (needs_elements_ || (!is_sound && !unset_.empty())) {
      for (auto& [reg, value] : before_) frame_.registers()[reg] = std::move(value);
      return std::nullopt;
    }
    if (!is_sound) return Recording{pc, std::nullopt, {}};
    return Recording{pc, std::move(trace_), std::move(before_), unset_.empty()};
  }

 private:
  // What the trace did to a register: nothing yet; read its first value; wrote or emptied it.
  enum : uint8_t { kUntouched, kRead, kWritten };

  const Operand* operands(const Instruction& i) const { return frame_.code().operands.data() + i.in_begin; }

  bool can_record(const Instruction& i) {
    if (i.code == OpCode::kCallOp) return can_record_op(i);
    if (i.code != OpCode::kNode) return true;
    if (!plan::can_record(*i.node)) return false;
    return i.node->kind != NodeKind::kGetAttr || frame_.value(operands(i)[0]).is_object();
  }

  bool can_record_op(const Instruction& i) {
    const Operator& op = *i.node->op;
    args_.clear();
    for (uint32_t k = 0; k < i.in_count; ++k) args_.push_back(&frame_.value(operands(i)[k]));
    switch (known_class(op)) {
      case OpClass::kBarrier:
        return (op.has(traits::data_dependent_output) && all_fixed()) || (op.has(traits::makes_text) && no_tensors());
      case OpClass::kFixed:
        return true;
      case OpClass::kContainer:
        return changes_only_own_containers(i, op);
      case OpClass::kTensor:
        break;
    }
    if (depends_on_elements(op, args_.data(), args_.size()) ||
        may_update_statistics(op,
                              [this](size_t k) -> const IValue* { return k < args_.size() ? args_[k] : nullptr; })) {
      return false;
    }
    for (const IValue* arg : args_) {
      if (!can_hold(*arg)) return false;
    }
    return true;
  }

  OpClass known_class(const Operator& op) {
    uint64_t& word = classes_[&op];
    if (word == 0) word = 1 + static_cast<uint64_t>(class_of(op));
    return static_cast<OpClass>(word - 1);
  }

  bool no_tensors() const {
    bool none = true;
    for (const IValue* arg : args_) each_tensor(*arg, [&](const Tensor&) { none = false; });
    return none;
  }

  // Whether the elements of all tensors among the arguments are the same in every run.
  bool all_fixed() const {
    bool fixed = true;
    for (const IValue* arg : args_) {
      each_tensor(*arg, [&](const Tensor& t) {
        const uint64_t* known = ids_.find(t.impl());
        fixed = fixed && known && trace_.tensors[*known - 1].fixed;
      });
    }
    return fixed;
  }

  // Whether an argument is nothing but static values, a tensor or a flat list of tensors (None among them).
  static bool can_hold(const IValue& v) {
    if (v.is_tensor()) return !v.to_tensor().impl()->row_lengths;
    bool has_tensor = false;
    each_tensor(v, [&](const Tensor&) { has_tensor = true; });
    if (!has_tensor) return !v.is_future();
    if (!v.is_list()) return false;
    for (const IValue& item : v.to_list().items) {
      if (!item.is_none() && !(item.is_tensor() && !item.to_tensor().impl()->row_lengths)) return false;
    }
    return true;
  }

  bool changes_only_own_containers(const Instruction& i, const Operator& op) {
    for (size_t k = 0; k < args_.size() && k < op.schema.arguments.size(); ++k) {
      if (!op.schema.arguments[k].is_mutated) continue;
      const Operand o = operands(i)[k];
      if (o.is_constant()) return false;
      if (state_[o.index()] == kUntouched) note_read(o.index());
      if (foreign_.find(args_[k]->ref_or_null())) return false;
    }
    return true;
  }

  // Notes what the instruction reads; true when it becomes a step (whose arguments are then written down).
  bool before(const Instruction& i) {
    for (uint32_t k = 0; k < i.in_count; ++k) {
      const Operand o = operands(i)[k];
      if (!o.is_constant() && state_[o.index()] == kUntouched) note_read(o.index());
      if (o.is_constant() && frame_.value(o).ref_or_null()) foreign_[frame_.value(o).ref_or_null()] = 1;
    }
    // The trip counter of a loop is read where it is written.
    if (i.code == OpCode::kLoopTest) {
      const uint32_t trip = frame_.code().outputs[i.out_begin];
      if (state_[trip] == kUntouched) note_read(trip);
    }
    if (i.code == OpCode::kCallOp && known_class(*i.node->op) == OpClass::kTensor) {
      TracedStep step{i.node, traced_op(i), {}, {}};
      for (uint32_t k = 0; k < i.in_count; ++k) step.args.push_back(describe(frame_.value(operands(i)[k])));
      if (shapes_only_) skips_ = may_skip(step);
      trace_.steps.push_back(std::move(step));
      return true;
    }
    if (selects_node("GetAttr") && i.code == OpCode::kNode && i.node->kind == NodeKind::kGetAttr) note_attribute(i);
    return false;
  }

  // Whether a step needs no elements of its result; says so when it, or what follows, needs those of others.
  bool may_skip(const TracedStep& step) {
    bool fixed = true, unset = false, outside = false;
    for (size_t k = 0; k < step.args.size(); ++k) {
      const bool mutated =
          selects_in_place() && k < step.op->schema.arguments.size() && step.op->schema.arguments[k].is_mutated;
      for (TensorId id : step.args[k].ids) {
        if (id == kNoTensor) continue;
        const TracedTensor& t = trace_.tensors[id];
        fixed = fixed && t.fixed;
        unset = unset || unset_.contains(t.storage);
        outside = outside || (mutated && t.storage < kFirstFresh);
      }
    }
    const bool skips = !fixed && may_skip_elements(step);
    needs_elements_ = outside || (!skips && (unset || !is_function_call(step)));
    return skips;
  }

  // A dropout in place that is switched off changes nothing: it is traced as the one that gives its argument.
  const Operator* traced_op(const Instruction& i) const {
    const Operator* op = i.node->op;
    if (!selects_op("aten::dropout_") || op->schema.name != "aten::dropout_" || i.in_count != 3) return op;
    const IValue& train = frame_.value(operands(i)[2]);
    const Operator* same = train.is_bool() && !train.to_bool() ? find_operator("aten::dropout", "") : nullptr;
    return same ? same : op;
  }

  void after(const Instruction& i, bool is_step) {
    for (uint32_t k = 0; k < i.in_count; ++k) {
      const Operand o = operands(i)[k];
      if (!o.is_constant() && o.is_move()) state_[o.index()] = kWritten;
    }
    for (uint32_t k = 0; k < i.out_count; ++k) {
      const uint32_t r = frame_.code().outputs[i.out_begin + k];
      if (r != kNoRegister) state_[r] = kWritten;
    }
    if (is_step) finish_step(i);
    if (trace_.steps.size() % kSweepInterval == kSweepInterval - 1) sweep(0);
  }

  void finish_step(const Instruction& i) {
    TracedStep& step = trace_.steps.back();
    const uint32_t index = static_cast<uint32_t>(trace_.steps.size()) - 1;
    for (uint32_t k = 0; k < i.out_count; ++k) {
      const uint32_t r = frame_.code().outputs[i.out_begin + k];
      if (r == kNoRegister) {
        step.outs.emplace_back();
        continue;
      }
      const IValue& out = frame_.registers()[r];
      each_tensor(out, [&](const Tensor& t) { note_result(t, step, index); });
      poisoned_ = poisoned_ || !can_hold(out);
      if (!poisoned_) step.outs.push_back(describe(out));
    }
    if constexpr (selects_in_place()) note_changes(step);
    note_fixed(step);
    if (skips_) note_unset(step);
    for (const TracedValue& arg : step.args) {
      for (TensorId id : arg.ids) drop_if_dead(id);
    }
  }

  void note_unset(const TracedStep& step) {
    const auto add = [&](const TracedValue& v) {
      for (TensorId id : v.ids) {
        if (id != kNoTensor && trace_.tensors[id].storage >= kFirstFresh) unset_.insert(trace_.tensors[id].storage);
      }
    };
    for (const TracedValue& out : step.outs) add(out);
    for (size_t k = 0; selects_in_place() && k < step.args.size() && k < step.op->schema.arguments.size(); ++k) {
      if (step.op->schema.arguments[k].is_mutated) add(step.args[k]);
    }
    skips_ = false;
  }

  void note_changes(const TracedStep& step) {
    const auto& arguments = step.op->schema.arguments;
    for (size_t k = 0; k < step.args.size() && k < arguments.size(); ++k) {
      if (!arguments[k].is_mutated) continue;
      check_unchanged_shape(step.args[k]);
      for (TensorId id : step.args[k].ids) {
        if (id == kNoTensor) continue;
        trace_.changed_storages.insert(trace_.tensors[id].storage);
        for (TracedTensor& t : trace_.tensors) t.fixed = t.fixed && t.storage != trace_.tensors[id].storage;
      }
    }
  }

  // The results of a function of fixed values are fixed.
  void note_fixed(const TracedStep& step) {
    if (!is_function_call(step)) return;
    for (const TracedValue& arg : step.args) {
      for (TensorId id : arg.ids) {
        if (id != kNoTensor && !trace_.tensors[id].fixed) return;
      }
    }
    for (const TracedValue& out : step.outs) {
      for (TensorId id : out.ids) {
        if (id == kNoTensor || trace_.tensors[id].origin != TracedTensor::Origin::kComputed) continue;
        if (fixed_bytes_ + held_[id]->storage->nbytes() > kMaxFixedBytes) return;
        fixed_bytes_ += held_[id]->storage->nbytes();
        trace_.tensors[id].fixed = true;
        trace_.tensors[id].constant = Tensor(held_[id]);
      }
    }
  }

  // A plan writes down shapes once: a handle that changes its own shape can't be part of one.
  void check_unchanged_shape(const TracedValue& value) {
    for (TensorId id : value.ids) {
      if (id == kNoTensor || !held_[id]->storage) continue;
      const TensorImpl& t = *held_[id];
      const TracedTensor& noted = trace_.tensors[id];
      poisoned_ = poisoned_ || !(t.sizes == noted.sizes) || !(t.strides == noted.strides) || t.dtype != noted.dtype ||
                  storages_[t.storage.get()] != uint64_t{noted.storage} + 1;
    }
  }

  void note_read(uint32_t reg) {
    state_[reg] = kRead;
    LiveIn in;
    in.reg = reg;
    before_.emplace_back(reg, frame_.registers()[reg]);
    add_live_in(std::move(in), frame_.registers()[reg]);
  }

  void note_attribute(const Instruction& i) {
    const ObjectImpl& object = frame_.value(operands(i)[0]).to_object();
    const int64_t slot = i.node->index >= 0 ? i.node->index : object.cls->slot_of(i.node->name);
    if (slot < 0 || static_cast<size_t>(slot) >= object.slot_count()) return;  // the instruction will throw
    if (!attributes_.insert({&object, slot}).second) return;
    LiveIn in;
    in.object = Ref<ObjectImpl>(&frame_.value(operands(i)[0]).to_object());
    in.slot = static_cast<size_t>(slot);
    const IValue value = object.get(in.slot);
    add_live_in(std::move(in), value, i.node->count == 1);
  }

  // `unchanged`: an attribute that no code changes. The tensors of such a list (the weights of a recurrent layer) are
  // constants, when the guard holds them to be the same.
  void add_live_in(LiveIn in, const IValue& value, bool unchanged = false) {
    const bool same_tensors = unchanged && value.is_list();
    in.guard = Guard::of(value, same_tensors);
    kept_.push_back(value);
    poisoned_ = poisoned_ || !in.guard.can_match();
    each_tensor(value, [&](const Tensor& t) {
      if (same_tensors) {
        id_of(t, TracedTensor::Origin::kConstant);
      } else {
        in.tensors.push_back(id_of(t, TracedTensor::Origin::kInput));
      }
    });
    note_containers(value, static_cast<uint32_t>(trace_.live_ins.size()), {});
    trace_.live_ins.push_back(std::move(in));
  }

  struct Place {
    uint32_t live_in;
    std::vector<uint32_t> path;
  };
  void note_containers(const IValue& value, uint32_t live_in, const std::vector<uint32_t>& path) {
    if (!value.ref_or_null() || path.size() > 32) return;
    foreign_[value.ref_or_null()] = 1;
    uint64_t& place = place_of_[value.ref_or_null()];
    if (place == 0) {
      places_.push_back({live_in, path});
      place = places_.size();
    }
    const auto enter = [&](const IValue& item, size_t at) {
      std::vector<uint32_t> deeper = path;
      deeper.push_back(static_cast<uint32_t>(at));
      note_containers(item, live_in, deeper);
    };
    if (value.is_list()) {
      for (size_t k = 0; k < value.to_list().items.size(); ++k) enter(value.to_list().items[k], k);
    } else if (value.is_tuple()) {
      for (size_t k = 0; k < value.to_tuple().items.size(); ++k) enter(value.to_tuple().items[k], k);
    } else if (value.is_dict()) {
      const auto& entries = value.to_dict().entries();
      for (size_t k = 0; k < entries.size(); ++k) {
        enter(entries[k].first, 2 * k);
        enter(entries[k].second, 2 * k + 1);
      }
    }
  }

  // A tensor not seen before is a constant of the program, unless said otherwise.
  TensorId id_of(const Tensor& t, TracedTensor::Origin origin = TracedTensor::Origin::kConstant) {
    uint64_t& known = ids_[t.impl()];
    if (known != 0) return static_cast<TensorId>(known - 1);
    const auto id = static_cast<TensorId>(trace_.tensors.size());
    known = uint64_t{id} + 1;
    uint64_t& storage = storages_[t.impl()->storage.get()];
    if (storage == 0) storage = ++storage_count_;
    TracedTensor traced{
        origin, t.dtype(), t.sizes(), t.strides(),        t.storage_offset(), static_cast<uint32_t>(storage - 1),
        0,      false,     {},        t.impl()->quantizer};
    if (origin == TracedTensor::Origin::kConstant) {
      traced.constant = t;
      traced.fixed = !changed_.contains(t.impl()->storage.get());
    }
    trace_.tensors.push_back(std::move(traced));
    held_.push_back(t.ref());
    return id;
  }

  // A tensor that a step gave. Its storage is one of the step's arguments', or new, whatever address it has: a
  // storage that was freed may have been there before.
  void note_result(const Tensor& t, const TracedStep& step, uint32_t index) {
    if (ids_.find(t.impl())) return;
    bool shared = false;
    for (const TracedValue& arg : step.args) {
      for (TensorId id : arg.ids) {
        shared = shared || (id != kNoTensor && held_[id]->storage == t.impl()->storage);
      }
    }
    // Several results of one step may share a new storage.
    for (TensorId id = static_cast<TensorId>(trace_.tensors.size()); !shared && id-- > 0;) {
      if (trace_.tensors[id].origin != TracedTensor::Origin::kComputed || trace_.tensors[id].step != index) break;
      shared = held_[id]->storage == t.impl()->storage;
    }
    if (!shared) storages_[t.impl()->storage.get()] = uint64_t{next_storage()} + 1;
    const TensorId id = id_of(t, TracedTensor::Origin::kComputed);
    trace_.tensors[id].step = index;
    trace_.tensors[id].storage = static_cast<uint32_t>(storages_[t.impl()->storage.get()] - 1);
  }
  uint32_t next_storage() { return fresh_storage_++; }

  TracedValue describe(const IValue& v) {
    TracedValue out;
    if (v.is_tensor()) {
      out.kind = TracedValue::Kind::kTensor;
      out.ids = {id_of(v.to_tensor())};
      return out;
    }
    bool has_tensor = false;
    each_tensor(v, [&](const Tensor&) { has_tensor = true; });
    if (!has_tensor) {
      out.value = copy_of(v);
      return out;
    }
    out.kind = TracedValue::Kind::kTensorList;
    out.element_type = v.to_list().element_type;
    for (const IValue& item : v.to_list().items) {
      out.ids.push_back(item.is_tensor() ? id_of(item.to_tensor()) : kNoTensor);
    }
    return out;
  }

  // A list as it is now; it may be changed later.
  IValue copy_of(const IValue& v) {
    if (!v.is_list() || !count_items(v.to_list().items.size())) return v;
    std::vector<IValue> items;
    for (const IValue& item : v.to_list().items) items.push_back(copy_of(item));
    return IValue::list(v.to_list().element_type, std::move(items));
  }

  bool count_items(size_t count) {
    items_ += count;
    poisoned_ = poisoned_ || items_ > kMaxItems;
    return !poisoned_;
  }

  // Lets go of the memory of a tensor that only the recorder still knows; its handle stays, so that its address
  // stays its own.
  void drop_if_dead(TensorId id) {
    if (id == kNoTensor || trace_.tensors[id].origin != TracedTensor::Origin::kComputed) return;
    if (held_[id]->use_count() != 1 || !held_[id]->storage) return;
    const size_t bytes = held_[id]->storage->nbytes();
    held_[id]->storage = Storage();
    largest_lately_ = std::max(largest_lately_, bytes);
    if (++dropped_ % kWindow != 0) return;
    if (largest_ >= kWorthTrimming && largest_lately_ * kShrunk <= largest_) {
      release_free_memory();
      largest_ = 0;
    }
    largest_ = std::max(largest_, std::exchange(largest_lately_, 0));
  }
  void sweep(TensorId from) {
    for (TensorId id = from; id < held_.size(); ++id) drop_if_dead(id);
  }

  void describe_registers() {
    for (uint32_t r = 0; r < state_.size() && !poisoned_; ++r) {
      if (state_[r] == kWritten) trace_.changes.emplace_back(r, recipe(frame_.registers()[r], 0));
    }
  }

  Recipe recipe(const IValue& v, size_t depth) {
    Recipe out;
    if (depth > 32 || v.is_future()) {
      poisoned_ = true;
      return out;
    }
    if (v.is_tensor()) {
      const TensorId id = id_of(v.to_tensor());
      if (trace_.tensors[id].origin == TracedTensor::Origin::kConstant) {
        out.value = v;
        return out;
      }
      out.kind = Recipe::Kind::kTensor;
      out.tensor = id;
      return out;
    }
    const uint64_t* known = v.ref_or_null() ? place_of_.find(v.ref_or_null()) : nullptr;
    if (known) {
      const Place& place = places_[*known - 1];
      out.kind = Recipe::Kind::kLiveIn;
      out.index = place.live_in;
      out.path = place.path;
      return out;
    }
    if (!v.is_list() && !v.is_tuple() && !v.is_dict()) {
      out.value = v;
      return out;
    }
    if ((!kMakesTuples && v.is_tuple()) || (!kMakesDicts && v.is_dict())) {
      poisoned_ = true;
      return out;
    }
    uint64_t& made = made_[v.ref_or_null()];
    if (made != 0) {
      out.kind = Recipe::Kind::kSame;
      out.index = static_cast<uint32_t>(made - 1);
      return out;
    }
    made = ++made_count_;
    const size_t count = v.is_list()                    ? v.to_list().items.size()
                         : kMakesTuples && v.is_tuple() ? v.to_tuple().items.size()
                         : kMakesDicts                  ? v.to_dict().size()
                                                        : 0;
    if (!count_items(count)) return out;
    const auto add = [&](const IValue& item) { out.items.push_back(recipe(item, depth + 1)); };
    if (v.is_list()) {
      out.kind = Recipe::Kind::kList;
      out.value = IValue::list(v.to_list().element_type, {});
      for (const IValue& item : v.to_list().items) add(item);
    } else if (kMakesTuples && v.is_tuple()) {
      out.kind = Recipe::Kind::kTuple;
      auto tuple = make_ref<TupleImpl>();
      tuple->named_type = v.to_tuple().named_type;
      out.value = IValue(std::move(tuple));
      for (const IValue& item : v.to_tuple().items) add(item);
    } else if (kMakesDicts) {
      out.kind = Recipe::Kind::kDict;
      auto dict = make_ref<DictImpl>();
      dict->key_type = v.to_dict().key_type;
      dict->value_type = v.to_dict().value_type;
      out.value = IValue(std::move(dict));
      for (const auto& [key, item] : v.to_dict().entries()) {
        add(key);
        add(item);
      }
    }
    return out;
  }

  Frame& frame_;
  const Storages& changed_;
  const bool shapes_only_;
  bool skips_ = false;           // the step at hand leaves the elements of its result unset
  bool needs_elements_ = false;  // of what was left unset
  WordSet unset_;                // storages without elements
  Trace trace_;
  std::vector<uint8_t> state_;  // by register
  bool poisoned_ = false;
  size_t fixed_bytes_ = 0, items_ = 0;
  size_t dropped_ = 0, largest_ = 0, largest_lately_ = 0;  // results let go of, and their bytes
  std::vector<const IValue*> args_;
  // Words are one more than what they stand for.
  WordMap classes_;                    // by Operator
  WordMap ids_;                        // by TensorImpl
  std::vector<Ref<TensorImpl>> held_;  // by id
  WordMap storages_;                   // by StorageImpl
  uint32_t storage_count_ = 0;
  // Numbers of new storages; those of inputs and constants count from 0.
  static constexpr uint32_t kFirstFresh = 1u << 31;
  uint32_t fresh_storage_ = kFirstFresh;
  std::vector<std::pair<uint32_t, IValue>> before_;
  std::vector<IValue> kept_;  // live-ins, so that their addresses stay their own
  WordMap foreign_;
  WordMap place_of_;
  std::vector<Place> places_;
  WordMap made_;  // containers among what remains
  uint32_t made_count_ = 0;
  std::set<std::pair<const ObjectImpl*, int64_t>> attributes_;
};

}  // namespace

Recording record(runtime::Frame& frame, size_t pc, const Storages& changed) {
  std::optional<Recording> recording = Recorder(frame, pc, changed, /*shapes_only=*/true).run();
  if (!recording) recording = Recorder(frame, pc, changed, /*shapes_only=*/false).run();
  return std::move(*recording);
}

}  // namespace wick::plan
