// Frame: one call of a function: its registers, and buffers for the arguments and results of the running instruction.
#pragma once

#include <cstring>
#include <vector>

#include "core/budget.h"
#include "ir/program.h"
#include "runtime/code.h"
#include "runtime/value_lock.h"

namespace wick::runtime {

class Executor;

class Frame {
 public:
  // `code` is the function's. `depth`: how many calls this one is nested in. `buffer`: memory for the registers, that
  // of an earlier frame.
  Frame(Executor& executor, const ir::Function& function, const Code& code, size_t depth,
        std::vector<IValue> buffer = {});

  // Counts an operation; throws when the run has reached one of its bounds.
  void count_step() {
    if (is_bounded()) [[unlikely]]
      budget_->spend(1);
  }

  // Runs the function. The arguments must be as many as its parameters.
  std::vector<IValue> run(std::vector<IValue>&& args);

  // The pieces of run(), for callers that look at every instruction: the arguments into their registers; one
  // instruction (not kReturn), giving the next one; the results of a kReturn.
  void set_arguments(std::vector<IValue>&& args);
  size_t step(size_t pc) {
    const Instruction& i = code_.instructions[pc];
    switch (i.code) {
      case OpCode::kCallOp:
        load(i);
        if (kHasValueLock && i.access != ir::Access::kNone) [[unlikely]] {
          call_locked(i);
        } else {
          call_operator(i);
        }
        store(i);
        return pc + 1;
      case OpCode::kAssign:
        load(i);
        for (uint32_t k = 0; k < i.out_count; ++k) put(i, k, inputs_[k]);
        return pc + 1;
      case OpCode::kDrop:
        for (uint32_t k = 0; k < i.out_count; ++k) release(values_[code_.outputs[i.out_begin + k]]);
        return pc + 1;
      case OpCode::kJump:
        count_step();
        return i.target;
      case OpCode::kJumpIfFalse:
        load(i);
        return inputs_[0].to_bool() ? pc + 1 : i.target;
      case OpCode::kLoopTest:
        return loop_test(i) ? pc + 1 : i.target;
      default:
        count_step();
        load(i);
        if (kHasValueLock && i.access != ir::Access::kNone) [[unlikely]] {
          call_locked(i);
        } else {
          run_node(*i.node, i);
        }
        if (is_bounded()) [[unlikely]]
          charge_new(i);
        store(i);
        return pc + 1;
    }
  }
  std::vector<IValue> results(size_t pc) {
    const Instruction& i = code_.instructions[pc];
    load(i);
    return take_inputs(i);
  }
  // The same as one value: None, the only result, or a tuple.
  IValue result(size_t pc) {
    const Instruction& i = code_.instructions[pc];
    load(i);
    if (i.in_count == 1) return std::move(inputs_[0]);
    return i.in_count == 0 ? IValue() : IValue::tuple(take_inputs(i));
  }
  // The registers' memory, emptied, for a later frame; this one is not to be used again.
  std::vector<IValue> take_room() {
    values_.clear();
    return std::move(values_);
  }
  // To be called in a catch block with the instruction's node (null: none): throws the error on as an Error with
  // a line that says where in the model it happened.
  [[noreturn, gnu::cold]] void rethrow(const ir::Node* node);

  // For who runs several instructions, or a plan of them, under the executor's value lock: while this guard is held
  // they do not take it. An error releases it.
  ValueGuard& guard() { return guard_; }
  // What to hold while looking at values that others may change; null: it is held, or there is none.
  ValueLock* lock() const;

  const Code& code() const { return code_; }
  IValue* registers() { return values_.data(); }
  // What an operand of the next instruction holds.
  const IValue& value(Operand o) const { return o.is_constant() ? code_.constants[o.index()] : values_[o.index()]; }

 private:
  // The slots of arguments hold references only while an instruction runs. So numbers are written over what is there,
  // and references change places, without a look at the counts.
  [[gnu::always_inline]] static bool is_number(const IValue& v) { return v.tag() < IValue::Tag::kTensor; }
  // A word and a tag: copying the padding as well would wait for the store of the tag.
  [[gnu::always_inline]] static void copy_number(IValue& to, const IValue& from) {
    std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(int64_t) + sizeof(IValue::Tag));
  }
  [[gnu::always_inline]] static void release(IValue& value) {
    if (!is_number(value)) value = IValue();
  }
  void load(const Instruction& i) {
    const Operand* operands = code_.operands.data() + i.in_begin;
    for (uint32_t k = 0; k < i.in_count; ++k) {
      const Operand o = operands[k];
      const IValue& from = value(o);
      if (is_number(from)) {
        copy_number(inputs_[k], from);
        continue;
      }
      if (build::kTorchScript && o.is_plain()) check_plain(from);
      if (o.is_move()) {
        inputs_[k].swap(values_[o.index()]);
      } else {
        inputs_[k] = from;
      }
    }
  }
  // Moves a slot's value to where the instruction's result k belongs.
  [[gnu::always_inline]] void put(const Instruction& i, uint32_t k, IValue& slot) {
    const uint32_t r = code_.outputs[i.out_begin + k];
    if (r != kNoRegister) {
      if (is_number(slot) && is_number(values_[r])) return copy_number(values_[r], slot);
      slot.swap(values_[r]);
    }
    release(slot);
  }
  // Stores the results and lets go of the arguments.
  void store(const Instruction& i) {
    for (uint32_t k = 0; k < i.in_count; ++k) release(inputs_[k]);
    for (uint32_t k = 0; k < i.out_count; ++k) put(i, k, outputs_[k]);
  }
  bool is_bounded() const { return build::kLimits && budget_; }
  // Calls an operator within the bounds of the run.
  [[gnu::cold]] void call_bounded(const Instruction& i);
  // Charges the containers that the instruction has made.
  [[gnu::cold]] void charge_new(const Instruction& i);
  void call_operator(const Instruction& i) {
    if (is_bounded()) [[unlikely]] {
      call_bounded(i);
    } else {
      i.node->op->call(inputs_, i.in_count, outputs_);
    }
  }
  // Throws unless the value is a string or a complex number.
  static void check_plain(const IValue& value);
  bool changes(const Instruction& i) const;
  void call_locked(const Instruction& i);
  void check_class(const ir::Node& node, std::string_view method) const;
  bool loop_test(const Instruction& i);
  std::vector<IValue> take_inputs(const Instruction& i, size_t from = 0) {
    return {std::make_move_iterator(inputs_ + from), std::make_move_iterator(inputs_ + i.in_count)};
  }
  void set_outputs(const Instruction& i, std::vector<IValue> values, const char* what);
  void run_node(const ir::Node& node, const Instruction& i);
  bool run_object_node(const ir::Node& node, const Instruction& i);
  bool run_container_node(const ir::Node& node, const Instruction& i);
  IValue create_object(const ir::Node& node);
  std::vector<IValue> call_method(const std::string& name, std::vector<IValue>&& args);  // args[0]: the object
  void leave_entered();
  [[gnu::cold]] void add_context(Error& error, const ir::Node* node) const;

  Executor& executor_;
  const ir::Program& program_;
  const ir::Function& function_;
  const Code& code_;
  const size_t depth_;
  Budget* const budget_;  // of the thread that runs it; null: there are no bounds
  ValueGuard guard_;
  std::vector<IValue> entered_;  // objects of the with statements being run
  std::vector<IValue> values_;
  IValue* inputs_;
  IValue* outputs_;
};

}  // namespace wick::runtime
