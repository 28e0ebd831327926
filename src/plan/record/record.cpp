// Recording: runs instructions of a frame and writes down the tensor operators among them.
#include "plan/record/record.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/check.h"
#include "core/selection.h"
#include "core/shapes_only.h"
#include "core/tensor_impl.h"
#include "core/value_walk.h"
#include "core/visit_tensors.h"
#include "core/word_map.h"
#include "plan/record/containers.h"
#include "plan/record/tensor_table.h"
#include "plan/record/traits.h"

namespace wick::plan {
namespace {

using ir::NodeKind;
using runtime::Frame;
using runtime::Instruction;
using runtime::kNoRegister;
using runtime::OpCode;
using runtime::Operand;

// A region longer than this is cut: loops of many trips are not unrolled without bound.
constexpr size_t kMaxSteps = 20'000;
constexpr size_t kMaxInstructions = 400'000;
// A trace keeps values that the program would have let go: no more than this.
constexpr size_t kMaxFixedBytes = size_t{64} << 20;
constexpr size_t kMaxCopyDepth = 32;  // of lists in lists
constexpr bool kHasIdentity = selects_any_op("aten::__is__", "aten::__isnot__");
constexpr size_t kMaxDifferences = 1000;  // of values that are compared

class Recorder {
 public:
  Recorder(Frame& frame, size_t pc, const Inlined& inlined, size_t limit, bool shapes_only)
      : frame_(frame),
        inlined_(inlined),
        limit_(std::min(limit, kMaxInstructions)),
        shapes_only_(shapes_only),
        state_(frame.code().register_count, kUntouched),
        tensors_(trace_, inlined.changed_constants),
        containers_(tensors_) {
    trace_.begin = pc;
  }

  // Absent: it takes elements that were not computed. The frame stands at the begin again.
  std::optional<Recording> run() {
    size_t pc = trace_.begin;
    const runtime::Code& code = frame_.code();
    size_t executed = 0;
    try {
      for (; executed < limit_ && trace_.steps.size() < kMaxSteps; ++executed) {
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
    const size_t fit = poisoned_ && executed > 0 ? executed - 1 : SIZE_MAX;
    if (!trace_.steps.empty() && !poisoned_ && !needs_elements_) describe_registers();
    const bool is_sound = !trace_.steps.empty() && !poisoned_;
    if (needs_elements_ || (!is_sound && !unset_.empty())) {
      for (auto& [reg, value] : before_) frame_.registers()[reg] = std::move(value);
      return std::nullopt;
    }
    if (!is_sound) return Recording{pc, std::nullopt, {}, true, disturbed_, fit};
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
        return !kHasIdentity || !compares(op) || can_compare(i);
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

  // Whether two values are one.
  static bool compares(const Operator& op) {
    return op.schema.name == "aten::__is__" || op.schema.name == "aten::__isnot__";
  }

  // Whether what comes out is the same whenever the guards match; notes what they have to see for that. Values that are
  // no tensors, containers or objects are told by what they are.
  bool can_compare(const Instruction& i) {
    const IValue &a = *args_[0], &b = *args_[1];
    if (!has_identity(a) || !has_identity(b)) return true;
    const Place* places[2];
    for (size_t k = 0; k < 2; ++k) {
      const Operand o = operands(i)[k];
      if (o.is_constant()) {
        note_constant(*args_[k]);
      } else if (state_[o.index()] == kUntouched) {
        note_read(o.index());
      }
      // What the trace has made is nothing that was there before.
      if (!containers_.is_foreign(*args_[k])) return true;
    }
    for (size_t k = 0; k < 2; ++k) {
      places[k] = pinned_.contains(args_[k]->ref_or_null()) ? nullptr : containers_.find_place(*args_[k]);
      if (places[k] == nullptr) return false;  // it is a constant, perhaps
    }
    if (a.is_same(b)) return true;
    const bool first_is_later = places[0]->live_in > places[1]->live_in;
    const Place &later = *places[first_is_later ? 0 : 1], &earlier = *places[first_is_later ? 1 : 0];
    if (later.live_in >= trace_.live_ins.size() || ++differences_ > kMaxDifferences) return false;
    trace_.live_ins[later.live_in].different.emplace_back(later.path, earlier);
    return true;
  }
  static bool has_identity(const IValue& v) {
    return v.is_tensor() || holds_others(v) || v.is_custom() || v.is_future();
  }

  // A value of the code, with all that it holds.
  void note_constant(const IValue& v) {
    if (pinned_.contains(v.ref_or_null())) return;
    walk_value(v, [this](const IValue& part) {
      containers_.note_foreign(part);
      if (part.ref_or_null()) pinned_.insert(part.ref_or_null());
      return part.is_object() ? Walk::kSkip : Walk::kEnter;
    });
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
      each_tensor(*arg, [&](const Tensor& t) { fixed = fixed && tensors_.is_fixed(t); });
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
      if (containers_.is_foreign(*args_[k])) return false;
    }
    return true;
  }

  // Notes what the instruction reads; true when it becomes a step (whose arguments are then written down).
  bool before(const Instruction& i) {
    for (uint32_t k = 0; k < i.in_count; ++k) {
      const Operand o = operands(i)[k];
      if (!o.is_constant() && state_[o.index()] == kUntouched) note_read(o.index());
      if (!o.is_constant()) continue;
      if constexpr (kHasIdentity) {
        if (frame_.value(o).ref_or_null()) note_constant(frame_.value(o));
      } else {
        containers_.note_foreign(frame_.value(o));
      }
    }
    // The trip counter of a loop is read where it is written.
    if (i.code == OpCode::kLoopTest) {
      const uint32_t trip = frame_.code().outputs[i.out_begin];
      if (state_[trip] == kUntouched) note_read(trip);
    }
    if (i.code == OpCode::kCallOp) fix_objects(i);
    if (i.code == OpCode::kCallOp && known_class(*i.node->op) == OpClass::kTensor) {
      TracedStep step{i.node, traced_op(i), {}, {}};
      for (uint32_t k = 0; k < i.in_count; ++k) step.args.push_back(describe(frame_.value(operands(i)[k])));
      if (shapes_only_) skips_ = may_skip(step);
      trace_.steps.push_back(std::move(step));
      return true;
    }
    if (i.code == OpCode::kNode && i.node->kind == NodeKind::kGetAttr) note_attribute(i);
    return false;
  }

  // An operator may look at more of an object than its class: the plan is for the very one. Containers only hold it.
  void fix_objects(const Instruction& i) {
    const Operator& op = *i.node->op;
    if (known_class(op) == OpClass::kContainer) return;
    for (uint32_t k = 0; k < i.in_count; ++k) {
      const IValue& arg = frame_.value(operands(i)[k]);
      if (!holds_others(arg)) continue;
      walk_value(arg, [&](const IValue& v) {
        if (!v.is_object()) return Walk::kEnter;
        if (const Place* place = containers_.find_place(v)) {
          Kept& kept = kept_of_[place->live_in];
          if (std::exchange(kept.same_objects, true)) return Walk::kSkip;
          trace_.live_ins[place->live_in].guard = Guard::of(kept_[kept.at], kept.same_tensors, true);
        }
        return Walk::kSkip;
      });
    }
  }

  // Whether a step needs no elements of its result; says so when it, or what follows, needs those of others.
  bool may_skip(const TracedStep& step) {
    bool fixed = true, unset = false, outside = false;
    for (size_t k = 0; k < step.args.size(); ++k) {
      const bool mutated = k < step.op->schema.arguments.size() && step.op->schema.arguments[k].is_mutated;
      for (TensorId id : step.args[k].ids) {
        if (id == kNoTensor) continue;
        const TracedTensor& t = trace_.tensors[id];
        fixed = fixed && t.fixed;
        unset = unset || unset_.contains(t.storage);
        outside = outside || (mutated && !TensorTable::is_new(t));
      }
    }
    const bool skips = !fixed && may_skip_elements(step) && !has_masks(step);
    needs_elements_ = outside || (!skips && (unset || !is_function_call(step)));
    return skips;
  }

  // Whether masks are among its indices: how much they choose has to fit the values that are put there.
  bool has_masks(const TracedStep& step) const {
    if (step.args.size() < 2 || step.args[1].kind != TracedValue::Kind::kTensorList) return false;
    return step.op->schema.arguments[1].name == "indices" &&
           std::any_of(step.args[1].ids.begin(), step.args[1].ids.end(), [this](TensorId id) {
             return id != kNoTensor &&
                    (trace_.tensors[id].dtype == DType::kBool || trace_.tensors[id].dtype == DType::kByte);
           });
  }

  // A dropout in place that is switched off changes nothing: it is traced as the one that gives its argument.
  const Operator* traced_op(const Instruction& i) const {
    const Operator* op = i.node->op;
    if (op->schema.name != "aten::dropout_" || i.in_count != 3) return op;
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
    if (i.code == OpCode::kNode && i.node->kind == NodeKind::kGetAttr) check_attribute(i);
    if (is_step) finish_step(i);
    if (is_step) tensors_.sweep_at_times();
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
      each_tensor(out, [&](const Tensor& t) { tensors_.note_result(t, step, index); });
      poisoned_ = poisoned_ || !can_hold(out);
      if (!poisoned_) step.outs.push_back(describe(out));
    }
    note_changes(step);
    note_fixed(step);
    if (skips_) note_unset(step);
    for (const TracedValue& arg : step.args) {
      for (TensorId id : arg.ids) tensors_.drop_if_dead(id);
    }
  }

  void note_unset(const TracedStep& step) {
    const auto add = [&](const TracedValue& v) {
      for (TensorId id : v.ids) {
        if (id != kNoTensor && TensorTable::is_new(trace_.tensors[id])) unset_.insert(trace_.tensors[id].storage);
      }
    };
    for (const TracedValue& out : step.outs) add(out);
    for (size_t k = 0; k < step.args.size() && k < step.op->schema.arguments.size(); ++k) {
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
        tensors_.unfix(trace_.tensors[id].storage);
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
        const Tensor t = tensors_.handle(id);
        if (fixed_bytes_ + t.storage()->nbytes() > kMaxFixedBytes) return;
        fixed_bytes_ += t.storage()->nbytes();
        tensors_.fix(id);
        trace_.tensors[id].constant = t;
      }
    }
  }

  // A plan writes down shapes once: a handle that changes its own shape can't be part of one.
  void check_unchanged_shape(const TracedValue& value) {
    for (TensorId id : value.ids) {
      if (id != kNoTensor) poisoned_ = poisoned_ || !tensors_.keeps_shape(id);
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
    attribute_ = SIZE_MAX;
    // The instruction will throw, unless another thread sets the attribute first.
    if (slot < 0 || static_cast<size_t>(slot) >= object.slot_count()) return;
    const auto [known, is_new] = attributes_.try_emplace({&object, slot}, kept_.size());
    attribute_ = known->second;
    if (!is_new) return;
    LiveIn in;
    if (const Place* place = containers_.find_place(frame_.value(operands(i)[0]))) {
      in.holder = *place;
    } else {
      in.object = Ref<ObjectImpl>(&frame_.value(operands(i)[0]).to_object());
    }
    in.slot = static_cast<size_t>(slot);
    const IValue value = object.get(in.slot);
    add_live_in(std::move(in), value, inlined_.unchanging.contains(i.node));
  }

  // The instruction has read the attribute once more: it must be what the guard was made of.
  void check_attribute(const Instruction& i) {
    const uint32_t r = frame_.code().outputs[i.out_begin];
    if (r == kNoRegister || (attribute_ < kept_.size() && frame_.registers()[r].is_same(kept_[attribute_]))) return;
    poisoned_ = disturbed_ = true;
  }

  // `unchanged`: an attribute that no code changes. The tensors of such a list (the weights of a recurrent layer) are
  // constants, when the guard holds them to be the same.
  void add_live_in(LiveIn in, const IValue& value, bool unchanged = false) {
    const bool same_tensors = unchanged && value.is_list();
    // What an object of the program holds stays the same for long; objects in registers are made anew in every run.
    const bool same_objects = static_cast<bool>(in.object);
    in.guard = Guard::of(value, same_tensors, same_objects);
    kept_.push_back(value);
    if (!in.guard.can_match()) {  // there will be no plan, and the value may be too large to write its places down
      poisoned_ = true;
      containers_.note_foreign(value);
      each_tensor(value, [&](const Tensor& t) { tensors_.id_of(t, TracedTensor::Origin::kInput); });
      return;
    }
    visit_guarded_tensors(value, [&](const Tensor& t) {
      if (same_tensors) {
        tensors_.id_of(t);
        if constexpr (kHasIdentity) pinned_.insert(t.impl());
      } else {
        in.tensors.push_back(tensors_.id_of(t, TracedTensor::Origin::kInput));
      }
    });
    containers_.note_live_in(value, static_cast<uint32_t>(trace_.live_ins.size()), in);
    kept_of_.push_back({kept_.size() - 1, same_tensors, same_objects});
    trace_.live_ins.push_back(std::move(in));
  }

  TracedValue describe(const IValue& v) {
    TracedValue out;
    if (v.is_tensor()) {
      out.kind = TracedValue::Kind::kTensor;
      out.ids = {tensors_.id_of(v.to_tensor())};
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
      out.ids.push_back(item.is_tensor() ? tensors_.id_of(item.to_tensor()) : kNoTensor);
    }
    return out;
  }

  // A list as it is now; it may be changed later.
  IValue copy_of(const IValue& v, size_t depth = 0) {
    if (!v.is_list() || poisoned_) return v;
    poisoned_ = depth > kMaxCopyDepth || !containers_.count_items(v.to_list().items.size());
    if (poisoned_) return v;
    std::vector<IValue> items;
    for (const IValue& item : v.to_list().items) items.push_back(copy_of(item, depth + 1));
    return IValue::list(v.to_list().element_type, std::move(items));
  }

  void describe_registers() {
    for (uint32_t r = 0; r < state_.size() && !poisoned_; ++r) {
      if (state_[r] != kWritten) continue;
      std::optional<Recipe> recipe = containers_.recipe(frame_.registers()[r]);
      poisoned_ = !recipe;
      if (recipe) trace_.changes.emplace_back(r, *std::move(recipe));
    }
  }

  Frame& frame_;
  const Inlined& inlined_;
  const size_t limit_;  // instructions
  const bool shapes_only_;
  bool skips_ = false;           // the step at hand leaves the elements of its result unset
  bool needs_elements_ = false;  // of what was left unset
  WordSet unset_;                // storages without elements
  Trace trace_;
  std::vector<uint8_t> state_;  // by register
  bool poisoned_ = false;
  size_t fixed_bytes_ = 0;
  std::vector<const IValue*> args_;
  WordMap classes_;  // by Operator: one more than its OpClass
  TensorTable tensors_;
  Containers containers_;
  std::vector<std::pair<uint32_t, IValue>> before_;
  std::vector<IValue> kept_;  // live-ins, so that their addresses stay their own
  // How a live-in's guard was made, and where in kept_ its value is.
  struct Kept {
    size_t at;
    bool same_tensors, same_objects;
  };
  std::vector<Kept> kept_of_;  // by live-in of the trace
  WordSet pinned_;             // tensors and constants of the code that are the same ones in every run
  size_t differences_ = 0;     // that guards look for
  std::map<std::pair<const ObjectImpl*, int64_t>, size_t> attributes_;  // places in kept_
  size_t attribute_ = 0;                                                // the place of the one being read
  bool disturbed_ = false;                                              // another thread has set one of them
};

}  // namespace

Recording record(runtime::Frame& frame, size_t pc, const Inlined& inlined, size_t limit) {
  std::optional<Recording> recording = Recorder(frame, pc, inlined, limit, /*shapes_only=*/true).run();
  if (!recording) recording = Recorder(frame, pc, inlined, limit, /*shapes_only=*/false).run();
  return std::move(*recording);
}

}  // namespace wick::plan
