#include "runtime/code.h"

#include "core/check.h"
#include "core/selection.h"
#include "runtime/liveness.h"

namespace wick::runtime {
namespace {

using ir::Block;
using ir::Node;
using ir::NodeKind;
using ir::Value;

class Compiler {
 public:
  explicit Compiler(ir::Function& function) : function_(function), liveness_(function.graph) {
    registers_.assign(function.graph.value_count(), kNoRegister);
    constants_.assign(function.graph.value_count(), kNoRegister);
  }

  Code compile() {
    const Block& body = *function_.graph.body();
    for (const Value* p : body.params) define(p);
    emit_block(body);
    Instruction ret{OpCode::kReturn};
    set_inputs(ret, results_of(body));
    push(ret);
    code_.register_count = next_register_;
    return std::move(code_);
  }

 private:
  uint32_t define(const Value* v) { return registers_[v->id] = next_register_++; }

  std::vector<uint32_t> define_outputs(const Node& node) {
    std::vector<uint32_t> out;
    for (const Value* v : node.outputs) out.push_back(liveness_.is_used(v) ? define(v) : kNoRegister);
    return out;
  }

  Operand operand(const Value* v, bool last) {
    if (constants_[v->id] != kNoRegister) return Operand::constant(constants_[v->id]);
    WICK_CHECK(registers_[v->id] != kNoRegister, kInternal, "value %", v->id, " is used before it is defined in ",
               function_.name);
    return Operand::reg(registers_[v->id], last);
  }
  std::vector<Operand> inputs_of(const Node& node) {
    std::vector<Operand> out;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      out.push_back(operand(node.inputs[i], liveness_.is_last_use(&node, i)));
    }
    return out;
  }
  std::vector<Operand> results_of(const Block& block) {
    std::vector<Operand> out;
    for (size_t i = 0; i < block.results.size(); ++i) {
      out.push_back(operand(block.results[i], liveness_.is_last_result(&block, i)));
    }
    return out;
  }

  void set_inputs(Instruction& i, const std::vector<Operand>& operands) {
    i.in_begin = static_cast<uint32_t>(code_.operands.size());
    i.in_count = static_cast<uint32_t>(operands.size());
    code_.operands.insert(code_.operands.end(), operands.begin(), operands.end());
    code_.max_inputs = std::max(code_.max_inputs, i.in_count);
  }
  void set_outputs(Instruction& i, const std::vector<uint32_t>& outputs) {
    i.out_begin = static_cast<uint32_t>(code_.outputs.size());
    i.out_count = static_cast<uint32_t>(outputs.size());
    code_.outputs.insert(code_.outputs.end(), outputs.begin(), outputs.end());
    code_.max_outputs = std::max(code_.max_outputs, i.out_count);
  }
  size_t push(const Instruction& i) {
    code_.instructions.push_back(i);
    return code_.instructions.size() - 1;
  }
  uint32_t here() const { return static_cast<uint32_t>(code_.instructions.size()); }

  void emit_assign(const std::vector<Operand>& from, const std::vector<uint32_t>& to) {
    if (to.empty()) return;
    Instruction i{OpCode::kAssign};
    set_inputs(i, from);
    set_outputs(i, to);
    push(i);
  }
  void emit_drops(const std::vector<const Value*>* values) {
    if (!values) return;
    std::vector<uint32_t> registers;
    for (const Value* v : *values) {
      if (registers_[v->id] != kNoRegister) registers.push_back(registers_[v->id]);
    }
    if (registers.empty()) return;
    Instruction i{OpCode::kDrop};
    set_outputs(i, registers);
    push(i);
  }

  void emit_block(const Block& block) {
    emit_drops(liveness_.drops_at(&block));
    for (const Node* node : block.nodes) emit(*node);
  }

  void emit(const Node& node) {
    switch (node.kind) {
      case NodeKind::kConstant:
        constants_[node.outputs[0]->id] = static_cast<uint32_t>(code_.constants.size());
        code_.constants.push_back(node.constant);
        return;
      case NodeKind::kIf:
        if constexpr (selects_node("If")) return emit_if(node);
        break;
      case NodeKind::kLoop:
        if constexpr (selects_node("Loop")) return emit_loop(node);
        break;
      default:
        break;
    }
    Instruction i{node.kind == NodeKind::kOp && node.op ? OpCode::kCallOp : OpCode::kNode};
    i.node = &node;
    set_inputs(i, inputs_of(node));
    set_outputs(i, define_outputs(node));
    push(i);
  }

  void emit_if(const Node& node) {
    Instruction test{OpCode::kJumpIfFalse};
    test.node = &node;
    set_inputs(test, inputs_of(node));
    const size_t test_at = push(test);
    const std::vector<uint32_t> outputs = define_outputs(node);
    emit_block(*node.blocks[0]);
    emit_assign(results_of(*node.blocks[0]), outputs);
    const size_t jump_at = push({OpCode::kJump});
    code_.instructions[test_at].target = here();
    emit_block(*node.blocks[1]);
    emit_assign(results_of(*node.blocks[1]), outputs);
    code_.instructions[jump_at].target = here();
  }

  void emit_loop(const Node& node) {
    const Block& body = *node.blocks[0];
    const uint32_t trip = next_register_++, max = next_register_++, condition = next_register_++;
    std::vector<uint32_t> params;
    for (const Value* p : body.params) params.push_back(define(p));
    const std::vector<uint32_t> carried(params.begin() + 1, params.end());

    std::vector<Operand> initial = inputs_of(node);
    initial.push_back(zero());
    std::vector<uint32_t> into{max, condition};
    into.insert(into.end(), carried.begin(), carried.end());
    into.push_back(trip);
    emit_assign(initial, into);

    Instruction test{OpCode::kLoopTest};
    test.node = &node;
    set_inputs(test, {Operand::reg(max, false), Operand::reg(condition, false)});
    set_outputs(test, {trip, params[0]});
    const size_t test_at = push(test);
    emit_block(body);
    std::vector<uint32_t> next{condition};
    next.insert(next.end(), carried.begin(), carried.end());
    emit_assign(results_of(body), next);
    Instruction back{OpCode::kJump};
    back.target = static_cast<uint32_t>(test_at);
    push(back);
    code_.instructions[test_at].target = here();

    std::vector<Operand> last;
    last.reserve(carried.size());
    for (uint32_t r : carried) last.push_back(Operand::reg(r, true));
    emit_assign(last, define_outputs(node));
    emit_drops(liveness_.drops_after(&node));
  }

  Operand zero() {
    if (zero_ == kNoRegister) {
      zero_ = static_cast<uint32_t>(code_.constants.size());
      code_.constants.emplace_back(int64_t{0});
    }
    return Operand::constant(zero_);
  }

  ir::Function& function_;
  Liveness liveness_;
  Code code_;
  std::vector<uint32_t> registers_, constants_;  // by value id
  uint32_t next_register_ = 0;
  uint32_t zero_ = kNoRegister;
};

}  // namespace

const Code& code_of(ir::Function& function) {
  std::call_once(function.code_once,
                 [&] { function.code = std::make_shared<const Code>(Compiler(function).compile()); });
  return *static_cast<const Code*>(function.code.get());
}

}  // namespace wick::runtime
