// Compiles graphs to register code.
#include "runtime/code.h"

#include "config/build.h"
#include "core/check.h"
#include "runtime/liveness.h"
#include "runtime/value_lock.h"

namespace wick::runtime {
namespace {

using ir::Block;
using ir::Node;
using ir::NodeKind;
using ir::Value;

class Compiler {
 public:
  // `accesses`: what nodes use that other threads may hold; null when there is nothing to look out for.
  Compiler(const ir::Function& function, const ir::Accesses* accesses)
      : function_(function),
        accesses_(accesses),
        liveness_(function.graph),
        registers_(function.graph.value_count(), kNoRegister),
        constants_(registers_) {}

  Ref<const Code> compile() {
    const Block& body = *function_.graph.body();
    for (const Value* p : body.params) define(p);
    emit_block(body);
    Instruction ret = begin(OpCode::kReturn);
    take_results(body);
    push(ret);
    code_.register_count = next_register_;
    return compiled_;
  }

 private:
  // An instruction is begun, its operands and outputs are listed in the code's tables, then it is pushed.
  Instruction begin(OpCode opcode, const Node* node = nullptr) {
    Instruction i{opcode};
    i.in_begin = static_cast<uint32_t>(code_.operands.size());
    i.out_begin = static_cast<uint32_t>(code_.outputs.size());
    i.node = node;
    return i;
  }
  size_t push(Instruction& i) {
    i.in_count = static_cast<uint32_t>(code_.operands.size()) - i.in_begin;
    i.out_count = static_cast<uint32_t>(code_.outputs.size()) - i.out_begin;
    code_.max_inputs = std::max(code_.max_inputs, i.in_count);
    code_.max_outputs = std::max(code_.max_outputs, i.out_count);
    code_.instructions.push_back(i);
    return code_.instructions.size() - 1;
  }
  void push_assign(Instruction& i) {
    if (code_.outputs.size() > i.out_begin) push(i);
  }
  uint32_t here() const { return static_cast<uint32_t>(code_.instructions.size()); }

  uint32_t define(const Value* v) { return registers_[v->id] = next_register_++; }
  void define_outputs(const Node& node) {
    for (const Value* v : node.outputs) {
      if (liveness_.is_used(v)) define(v);
    }
  }
  void give(uint32_t reg) { code_.outputs.push_back(reg); }
  void give_all(const std::vector<Value*>& values) {
    for (const Value* v : values) give(registers_[v->id]);
  }

  void take(Operand operand) { code_.operands.push_back(operand); }
  void take(const Value* v, bool last, bool plain = false) {
    if (constants_[v->id] != kNoRegister) return take(Operand::constant(constants_[v->id]));
    WICK_CHECK(registers_[v->id] != kNoRegister, kInternal, "value %", v->id, " is used before it is defined in ",
               function_.name);
    take(Operand::reg(registers_[v->id], last, plain));
  }
  // The declared types of what operators and calls are given are held to be true: see ir::Sharing.
  void take_arguments(const Node& node) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const bool plain = build::kTorchScript && !ir::holds_others(*node.inputs[i]->type);
      take(node.inputs[i], liveness_.is_last_use(&node, i), plain);
    }
  }
  void take_inputs(const Node& node) {
    for (size_t i = 0; i < node.inputs.size(); ++i) take(node.inputs[i], liveness_.is_last_use(&node, i));
  }
  void take_results(const Block& block) {
    for (size_t i = 0; i < block.results.size(); ++i) take(block.results[i], liveness_.is_last_result(&block, i));
  }

  void emit_drops(const void* block_or_loop) {
    Instruction i = begin(OpCode::kDrop);
    liveness_.each_drop(block_or_loop, [this](const Value* v) {
      if (registers_[v->id] != kNoRegister) give(registers_[v->id]);
    });
    push_assign(i);
  }

  void emit_block(const Block& block) {
    emit_drops(&block);
    for (const Node* node : block.nodes) emit(*node);
  }

  void emit(const Node& node) {
    switch (node.kind) {
      case NodeKind::kConstant:
        constants_[node.outputs[0]->id] = add_constant(node.constant);
        return;
      case NodeKind::kIf:
        return emit_if(node);
      case NodeKind::kLoop:
        return emit_loop(node);
      default:
        break;
    }
    Instruction i = begin(node.kind == NodeKind::kOp && node.op ? OpCode::kCallOp : OpCode::kNode, &node);
    if (kHasValueLock && accesses_) i.access = accesses_->of(node);
    take_arguments(node);
    define_outputs(node);
    give_all(node.outputs);
    push(i);
  }

  void emit_branch(const Node& node, const Block& block) {
    emit_block(block);
    Instruction i = begin(OpCode::kAssign);
    take_results(block);
    give_all(node.outputs);
    push_assign(i);
  }
  void emit_if(const Node& node) {
    Instruction test = begin(OpCode::kJumpIfFalse, &node);
    take_inputs(node);
    const size_t test_at = push(test);
    define_outputs(node);
    emit_branch(node, *node.blocks[0]);
    Instruction jump = begin(OpCode::kJump);
    const size_t jump_at = push(jump);
    code_.instructions[test_at].target = here();
    emit_branch(node, *node.blocks[1]);
    code_.instructions[jump_at].target = here();
  }

  void emit_loop(const Node& node) {
    const Block& body = *node.blocks[0];
    const uint32_t trip = next_register_++, max = next_register_++, condition = next_register_++;
    const uint32_t index = next_register_;
    for (const Value* p : body.params) define(p);  // the carried values follow the index
    const auto give_carried = [&] {
      for (uint32_t r = index + 1; r < index + body.params.size(); ++r) give(r);
    };

    Instruction first = begin(OpCode::kAssign);
    take_inputs(node);
    if (zero_ == kNoRegister) zero_ = add_constant(IValue(int64_t{0}));
    take(Operand::constant(zero_));
    give(max);
    give(condition);
    give_carried();
    give(trip);
    push(first);

    Instruction test = begin(OpCode::kLoopTest, &node);
    take(Operand::reg(max, false));
    take(Operand::reg(condition, false));
    give(trip);
    give(index);
    const size_t test_at = push(test);
    emit_block(body);
    Instruction next = begin(OpCode::kAssign);
    take_results(body);
    give(condition);
    give_carried();
    push(next);
    Instruction back = begin(OpCode::kJump);
    back.target = static_cast<uint32_t>(test_at);
    push(back);
    code_.instructions[test_at].target = here();

    Instruction last = begin(OpCode::kAssign);
    for (uint32_t r = index + 1; r < index + body.params.size(); ++r) take(Operand::reg(r, true));
    define_outputs(node);
    give_all(node.outputs);
    push_assign(last);
    emit_drops(&node);
  }

  uint32_t add_constant(const IValue& value) {
    code_.constants.push_back(IValue(value));
    return static_cast<uint32_t>(code_.constants.size() - 1);
  }

  const ir::Function& function_;
  const ir::Accesses* const accesses_;
  Liveness liveness_;
  const Ref<Code> compiled_ = make_ref<Code>();
  Code& code_ = *compiled_;
  std::vector<uint32_t> registers_, constants_;  // by value id
  uint32_t next_register_ = 0;
  uint32_t zero_ = kNoRegister;
};

}  // namespace

Ref<const Code> compile(const ir::Function& function, const ir::Sharing* sharing) {
  if (!sharing) return Compiler(function, nullptr).compile();
  const ir::Accesses accesses(*sharing, function);
  return Compiler(function, &accesses).compile();
}

}  // namespace wick::runtime
