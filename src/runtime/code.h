// Code: a function's graph as a flat list of register instructions, the form the executor runs.
#pragma once

#include <vector>

#include "ir/graph.h"
#include "ir/sharing.h"

namespace wick::runtime {

// Where an instruction takes a value from: a register (kept or given up) or a constant.
class Operand {
 public:
  static Operand reg(uint32_t index, bool move, bool plain = false) {
    return Operand(index | (move ? kMove : 0) | (plain ? kPlain : 0));
  }
  static Operand constant(uint32_t index) { return Operand(index | kConstant); }
  bool is_constant() const { return bits_ & kConstant; }
  bool is_move() const { return bits_ & kMove; }
  // Declared to be a number, a string or None; a file may declare what it likes, and ir::Sharing relies on it.
  bool is_plain() const { return bits_ & kPlain; }
  uint32_t index() const { return bits_ & kIndex; }

 private:
  static constexpr uint32_t kConstant = 1u << 31, kMove = 1u << 30, kPlain = 1u << 29, kIndex = kPlain - 1;
  explicit Operand(uint32_t bits) : bits_(bits) {}
  uint32_t bits_;
};

enum class OpCode : uint8_t {
  kCallOp,       // outputs = the node's operator(inputs)
  kAssign,       // outputs = inputs, simultaneously
  kDrop,         // outputs = None
  kJump,         // to `target`
  kJumpIfFalse,  // to `target` unless inputs[0]
  kLoopTest,     // inputs: max, condition; outputs: trip register, index register. To `target` when done
  kNode,         // any other node kind
  kReturn,       // inputs are the results
};

constexpr uint32_t kNoRegister = UINT32_MAX;  // as an output: the value is not needed

struct Instruction {
  OpCode code;
  ir::Access access = ir::Access::kNone;  // what it locks (runtime/value_lock.h)
  uint32_t in_begin = 0, in_count = 0;    // in Code::operands
  uint32_t out_begin = 0, out_count = 0;  // in Code::outputs
  uint32_t target = 0;
  const ir::Node* node = nullptr;
};

struct Code : RefCounted {
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<uint32_t> outputs;
  std::vector<IValue> constants;
  uint32_t register_count = 0;
  uint32_t max_inputs = 0;   // of one instruction
  uint32_t max_outputs = 1;  // an operator with "..." as returns gives one
};

// `sharing`: of the function's program, when that has hazards.
Ref<const Code> compile(const ir::Function& function, const ir::Sharing* sharing = nullptr);

}  // namespace wick::runtime
