// The state of lifting one function; shared by the files that lift control flow, operators and upgraders.
#pragma once

#include <list>
#include <span>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/word_map.h"
#include "frontend/bytecode/lift.h"

namespace wick::lite {

class Lifter {
 public:
  Lifter(BytecodeFunction& code, LiftContext& context);
  std::unique_ptr<ir::Function> run();
  // After run() failed on a function with missing operators: one that calls only those.
  bool met_missing() const { return !first_missing_.empty(); }
  std::unique_ptr<ir::Function> missing_only();

 private:
  // An entry of the operator table, resolved at its first use.
  struct Resolved {
    bool done = false;
    const Operator* op = nullptr;
    std::string full_name;
    int64_t num_specified = -1;
    std::vector<ir::Value*> defaults;  // one an argument, made when first needed
  };
  // A register and the address of a value; 0: it is no longer defined.
  using Write = KeyedWord;
  static ir::Value* value_at(uint64_t address) { return reinterpret_cast<ir::Value*>(address); }
  // Stack values and register writes a block leaves behind.
  struct BlockEnd {
    std::vector<ir::Value*> values;
    std::vector<Write> writes;  // sorted by register, the last write of each
  };

  // Control flow (lift.cpp).
  void range(size_t begin, size_t end);
  size_t instruction(size_t i, size_t end);  // index of the next one
  size_t branch(size_t i, size_t end);
  size_t loop(size_t i, size_t end);
  BlockEnd block(ir::Block* block, std::span<ir::Value* const> pushed, size_t begin, size_t end);
  std::vector<KeyedWord> registers_carried(size_t begin, size_t end);  // with their values
  void enter_block();
  void check_condition(const Type& type) const;
  void charge_values(size_t count);

  // Registers and stack.
  void push(ir::Value* value) { stack_.push_back(value); }
  ir::Value* pop();
  // The values in the order they were pushed; they stay where they are until the next call.
  std::vector<ir::Value*>& pop_n(size_t n);
  std::vector<ir::Value*> taken_from(size_t place);  // the stack's values from there on, which leave it
  size_t available() const { return stack_.size() - floor_; }
  void write(uint64_t reg, ir::Value* value);
  ir::Value* read(uint64_t reg);
  void push_outputs(ir::Node* node);

  // Types, by the rule of ir/typing.h (lift_values.cpp).
  void check_inputs(const ir::Node& node) const;
  [[noreturn, gnu::cold]] void refuse_input(const ir::Node& node, size_t i) const;
  // Checks the node's inputs; adds the outputs, of which there are `count` when nothing else says it.
  void add_outputs(ir::Node* node, size_t count = 1);

  // Nodes.
  ir::Node* append(ir::NodeKind kind, std::span<ir::Value* const> inputs = {});
  ir::Node* append(ir::NodeKind kind, ir::Value* input) { return append(kind, std::span<ir::Value* const>(&input, 1)); }
  ir::Value* constant(const IValue& value);  // numbers and None are made once
  ir::Value* file_constant(size_t index);
  int64_t source() const { return code_.source_base < 0 ? -1 : code_.source_base + static_cast<int64_t>(at_); }
  ir::Value* one_output(ir::Node* node, const TypePtr& type) { return graph_->add_output(node, type); }
  void give_schema(ir::Function& function);

  // Values and objects (lift_values.cpp).
  bool value_instruction(const Instruction& ins);  // false: it is of another group
  bool object_instruction(const Instruction& ins);
  bool container_instruction(const Instruction& ins);
  bool lacks_instruction(Opcode op) const;
  void unchecked_cast();
  void get_attr(const Instruction& ins);
  void construct_tuple(size_t count);
  void construct(const Instruction& ins);
  [[noreturn, gnu::cold]] void refuse_instruction();  // a selective build lacks it
  void unpack_tuple();
  void unpack_list(size_t count);
  size_t outputs_expected() const;

  // Operators (lift_operators.cpp).
  void operator_instruction(const Instruction& ins);
  bool structural_operator(const OperatorRef& ref, const Instruction& ins);
  void call(Resolved& entry, const std::vector<ir::Value*>& inputs);
  void call_missing(const Resolved& entry, const Instruction& ins);
  void promoted(Opcode op, const Instruction& ins);
  Resolved& resolve(size_t index);
  std::vector<ir::Value*>& take_arguments(Resolved& entry);
  ir::Value* default_of(Resolved& entry, size_t argument);
  ir::Node* op_node(const Operator* op, std::string_view full_name, const std::vector<ir::Value*>& inputs);
  void note_missing(std::string_view full_name);

  // Operators whose meaning changed since the file was written (upgrade.cpp). False when there is nothing to do.
  class Sink;
  bool upgraded(const OperatorRef& ref);
  std::vector<ir::Value*> take_old_arguments(const OperatorRef& ref, const FunctionSchema& schema);
  ir::Value* upgrade_op(std::string_view full_name, const std::vector<ir::Value*>& inputs);

  template <class... Parts>
  [[gnu::always_inline]] void check(bool condition, const Parts&... parts) const {
    if (!condition) [[unlikely]]
      malformed(text::kinds_of<Parts...>(0), text::word_of<Parts>(parts)...);
  }
  [[noreturn, gnu::cold]] void malformed(uint64_t kinds, ...) const;

  BytecodeFunction& code_;
  LiftContext& context_;
  std::unique_ptr<ir::Function> function_;
  ir::Graph* graph_;
  ir::Block* block_;  // where nodes go
  bool has_nodes_ = false;
  std::list<ir::Node*>::iterator first_node_;  // of the body, when has_nodes_: constants stand before it
  size_t at_ = 0;                              // instruction being lifted
  size_t floor_ = 0;                           // stack values below belong to enclosing blocks
  size_t depth_ = 0;
  size_t values_left_;  // that instructions with many results may still define
  std::string first_missing_;
  std::vector<ir::Value*> stack_;
  std::vector<ir::Value*> taken_;      // what pop_n gave last
  WordMap registers_;                  // addresses of values
  std::vector<Write> log_;             // previous value of each register written
  std::vector<KeyedWord> rewrites_;    // instruction, register: stores to a register stored before
  std::vector<ir::Value*> constants_;  // one a file constant, made when first needed
  // Addresses of constants: None is at 0, bools are at 1 and 2; ints.
  WordMap plain_constants_, int_constants_;
  std::vector<Resolved> operators_;
};

}  // namespace wick::lite
