// Control flow, stack and registers.
#include "frontend/bytecode/lift.h"

#include <algorithm>

#include "core/limits.h"
#include "core/stack.h"
#include "frontend/bytecode/lifter.h"
#include "ir/infer.h"
#include "ir/typing.h"

namespace wick::lite {

namespace {

// Bytecode without a schema begins by storing its arguments.
size_t count_arguments(const BytecodeFunction& code) {
  if (code.has_schema) return code.schema.arguments.size();
  const Instruction& first = code.instructions[0];
  if (static_cast<Opcode>(first.op) == Opcode::kStoreN) return first.n;
  return static_cast<Opcode>(first.op) == Opcode::kStore ? 1 : 0;
}

bool is_zero(const ir::Value& value) {
  return value.def && value.def->kind == ir::NodeKind::kConstant && value.def->constant.is_int() &&
         value.def->constant.to_int() == 0;
}

}  // namespace

Lifter::Lifter(BytecodeFunction& code, LiftContext& context)
    : code_(code),
      context_(context),
      function_(std::make_unique<ir::Function>()),
      graph_(&function_->graph),
      block_(graph_->body()),
      values_left_(64 + limits::kValuesPerInstruction * code.instructions.size()),
      constants_(code.constants.size()),
      operators_(code.operators.size()) {
  WordMap stored;
  for (size_t i = 0; i < code.instructions.size(); ++i) {
    const Instruction& ins = code.instructions[i];
    const auto op = static_cast<Opcode>(ins.op);
    const int32_t count = op == Opcode::kStore ? 1 : op == Opcode::kStoreN ? ins.n : 0;
    for (int32_t k = 0; k < count; ++k) {
      const uint64_t reg = static_cast<uint64_t>(ins.x) + static_cast<uint64_t>(k);
      if (stored[reg]++ != 0) rewrites_.push_back({i, reg});
    }
  }
}

std::unique_ptr<ir::Function> Lifter::run() {
  const size_t nargs = count_arguments(code_);
  for (size_t i = 0; i < nargs; ++i) {
    if (code_.has_schema) {
      const Argument& arg = code_.schema.arguments[i];
      push(graph_->add_param(block_, ir::bounded(arg.type), arg.name));
    } else {
      push(graph_->add_param(block_, types::any()));
    }
  }
  const size_t last = code_.instructions.size() - 1;
  range(0, last);
  at_ = last;
  check(static_cast<Opcode>(code_.instructions[last].op) == Opcode::kReturn, "the last instruction is not RET");
  const size_t results = code_.has_schema ? code_.schema.returns.size() : 1;
  check(stack_.size() == results, "RET leaves ", stack_.size(), " values, the function returns ", results);
  graph_->set_results(block_, std::move(stack_));
  give_schema(*function_);
  return std::move(function_);
}

void Lifter::give_schema(ir::Function& function) {
  function.name = code_.name;
  function.schema = std::move(code_.schema);
  function.has_schema = code_.has_schema;
}

void Lifter::malformed(uint64_t kinds, ...) const {
  va_list parts;
  va_start(parts, kinds);
  const std::string reason = text::joined(kinds, parts);
  va_end(parts);
  refuse(code_, at_, reason);
}

void Lifter::range(size_t begin, size_t end) {
  for (size_t i = begin; i < end;) i = instruction(i, end);
}

size_t Lifter::instruction(size_t i, size_t end) {
  at_ = i;
  const Instruction& ins = code_.instructions[i];
  switch (static_cast<Opcode>(ins.op)) {
    case Opcode::kLoad:
    case Opcode::kMove:
      push(read(static_cast<uint64_t>(ins.x)));
      break;
    case Opcode::kStore:
      write(static_cast<uint64_t>(ins.x), pop());
      break;
    case Opcode::kStoreN: {
      const std::vector<ir::Value*>& values = pop_n(ins.n);
      for (size_t k = 0; k < values.size(); ++k) write(static_cast<uint64_t>(ins.x) + k, values[k]);
      break;
    }
    case Opcode::kDrop:
      pop();
      break;
    case Opcode::kDropR:
      write(static_cast<uint64_t>(ins.x), nullptr);
      break;
    case Opcode::kLoadC:
      push(file_constant(ins.x));
      break;
    case Opcode::kJumpFalse:
      return branch(i, end);
    case Opcode::kLoop:
      return loop(i, end);
    case Opcode::kJump:
      check(false, "a jump that belongs to no if or loop");
      break;
    case Opcode::kReturn:
      check(false, "RET before the end of the function");
      break;
    case Opcode::kOp:
    case Opcode::kOpN:
      operator_instruction(ins);
      break;
    default:
      if (!value_instruction(ins)) promoted(static_cast<Opcode>(ins.op), ins);
  }
  return i + 1;
}

void Lifter::enter_block() {
  check(depth_ < limits::kMaxBlockDepth, "more than ", limits::kMaxBlockDepth, " nested ifs and loops");
  check_stack("ifs and loops");
}

Lifter::BlockEnd Lifter::block(ir::Block* inner, std::span<ir::Value* const> pushed, size_t begin, size_t end) {
  ir::Block* const outer = std::exchange(block_, inner);
  const size_t outer_floor = std::exchange(floor_, stack_.size());
  const size_t mark = log_.size();
  ++depth_;
  for (ir::Value* value : pushed) push(value);
  range(begin, end);
  --depth_;

  BlockEnd out;
  out.values = taken_from(floor_);
  WordMap seen;  // the newest write of a register comes first
  for (; log_.size() > mark; log_.pop_back()) {
    const Write& before = log_.back();
    uint64_t& current = registers_[before.key];
    if (seen[before.key]++ == 0) out.writes.push_back({before.key, current});
    current = before.word;
  }
  sort_by_key(out.writes);
  floor_ = outer_floor;
  block_ = outer;
  return out;
}

size_t Lifter::branch(size_t i, size_t end) {
  enter_block();
  const auto& code = code_.instructions;
  const int64_t else_begin = static_cast<int64_t>(i) + code[i].x;
  check(code[i].x >= 2 && else_begin <= static_cast<int64_t>(end), "the jump leaves its block");
  const Instruction& jump = code[else_begin - 1];
  check(static_cast<Opcode>(jump.op) == Opcode::kJump, "the first branch does not end with a jump over the second");
  const int64_t join_at = else_begin - 1 + jump.x;
  check(jump.x >= 1 && join_at <= static_cast<int64_t>(end), "the end of the second branch is outside its block");

  ir::Node* node = append(ir::NodeKind::kIf, pop());
  check_inputs(*node);
  ir::Block* blocks[2] = {graph_->add_block(node), graph_->add_block(node)};
  BlockEnd first = block(blocks[0], {}, i + 1, else_begin - 1);
  BlockEnd second = block(blocks[1], {}, else_begin, join_at);
  at_ = i;
  check(first.values.size() == second.values.size(), "the branches leave ", first.values.size(), " and ",
        second.values.size(), " values");

  charge_values(first.values.size());
  for (size_t k = 0; k < first.values.size(); ++k) {
    push(one_output(node, ir::join(first.values[k]->type, second.values[k]->type)));
  }
  auto a = first.writes.begin();
  auto b = second.writes.begin();
  while (a != first.writes.end() || b != second.writes.end()) {
    const bool in_first = a != first.writes.end() && (b == second.writes.end() || a->key <= b->key);
    const bool in_second = b != second.writes.end() && (!in_first || a->key == b->key);
    const uint64_t reg = in_first ? a->key : b->key;
    ir::Value* const before = value_at(registers_.get(reg));
    ir::Value* const va = in_first ? value_at((a++)->word) : before;
    ir::Value* const vb = in_second ? value_at((b++)->word) : before;
    if (!va || !vb) {
      if (before) write(reg, nullptr);
    } else if (va == vb) {
      if (va != before) write(reg, va);
    } else {
      charge_values(1);
      first.values.push_back(va);
      second.values.push_back(vb);
      write(reg, one_output(node, ir::join(va->type, vb->type)));
    }
  }
  graph_->set_results(blocks[0], std::move(first.values));
  graph_->set_results(blocks[1], std::move(second.values));
  return static_cast<size_t>(join_at);
}

std::vector<KeyedWord> Lifter::registers_carried(size_t begin, size_t end) {
  std::vector<KeyedWord> out;
  const auto comes_before = [](const KeyedWord& store, size_t instruction) { return store.key < instruction; };
  auto from = std::lower_bound(rewrites_.begin(), rewrites_.end(), begin, comes_before);
  WordMap seen;
  for (; from != rewrites_.end() && from->key < end; ++from) {
    const uint64_t value = registers_.get(from->word);
    if (value != 0 && seen[from->word]++ == 0) out.push_back({from->word, value});
  }
  sort_by_key(out);
  return out;
}

size_t Lifter::loop(size_t i, size_t end) {
  enter_block();
  const auto& code = code_.instructions;
  const int64_t exit = static_cast<int64_t>(i) + code[i].x;
  check(code[i].x >= 2 && exit <= static_cast<int64_t>(end), "the end of the loop is outside its block");
  const Instruction& jump = code[exit - 1];
  check(static_cast<Opcode>(jump.op) == Opcode::kJump && exit - 1 + jump.x == static_cast<int64_t>(i),
        "the loop does not end with a jump back");
  check(code[i].n >= 2, "a loop needs a trip limit and a condition");

  std::vector<ir::Value*>& inputs = pop_n(code[i].n);
  check(is_zero(*pop()), "the loop counter does not start at 0");
  const size_t on_stack = inputs.size() - 2;
  const std::vector<KeyedWord> carried = registers_carried(i + 1, exit - 1);
  charge_values(on_stack + carried.size());
  for (const KeyedWord& c : carried) inputs.push_back(value_at(c.word));

  ir::Node* node = append(ir::NodeKind::kLoop, inputs);
  check_inputs(*node);
  const std::vector<ir::Value*>& given = node->inputs;
  ir::Block* body = graph_->add_block(node);
  std::vector<ir::Value*> params = {graph_->add_param(body, types::integer())};
  for (size_t k = 2; k < given.size(); ++k) {
    params.push_back(graph_->add_param(body, ir::carried_type(given[k]->type)));
  }
  // In the body the registers carried hold the parameters; afterwards the outputs.
  for (size_t k = 0; k < carried.size(); ++k) write(carried[k].key, params[1 + on_stack + k]);
  BlockEnd done = block(body, std::span(params).first(1 + on_stack), i + 1, exit - 1);
  at_ = i;
  check(done.values.size() == on_stack + 1, "the loop body leaves ", done.values.size(), " values, expected ",
        on_stack + 1);
  check_condition(*done.values[0]->type);

  std::vector<ir::Value*> results = std::move(done.values);
  auto written = done.writes.begin();
  for (size_t k = 0; k < carried.size(); ++k) {
    while (written != done.writes.end() && written->key < carried[k].key) ++written;
    const bool found = written != done.writes.end() && written->key == carried[k].key;
    ir::Value* value = found ? value_at(written->word) : params[1 + on_stack + k];
    check(value, "register ", carried[k].key, " is dropped in a loop that needs it");
    results.push_back(value);
  }
  for (const Write& w : done.writes) {
    if (w.word == 0 && registers_.get(w.key) != 0) write(w.key, nullptr);
  }
  for (size_t k = 1; k < params.size(); ++k) {
    const TypePtr type = ir::join(params[k]->type, results[k]->type);
    params[k]->type = type;
    ir::Value* out = one_output(node, type);
    if (k <= on_stack) {
      push(out);
    } else {
      write(carried[k - 1 - on_stack].key, out);
    }
  }
  graph_->set_results(body, std::move(results));
  return static_cast<size_t>(exit);
}

// An exporter stores, loads or drops each value with an instruction of its own. Without this limit a few
// instructions could define values by the million.
void Lifter::charge_values(size_t count) {
  check(count <= values_left_, "more values than the function has instructions to use them");
  values_left_ -= count;
}

ir::Value* Lifter::pop() {
  check(available() >= 1, "the stack is empty");
  ir::Value* value = stack_.back();
  stack_.pop_back();
  return value;
}

std::vector<ir::Value*> Lifter::taken_from(size_t place) {
  std::vector<ir::Value*> out;
  for (size_t i = place; i < stack_.size(); ++i) out.push_back(stack_[i]);
  while (stack_.size() > place) stack_.pop_back();
  return out;
}

std::vector<ir::Value*>& Lifter::pop_n(size_t n) {
  check(available() >= n, "needs ", n, " values, the stack has ", available());
  return taken_ = taken_from(stack_.size() - n);
}

void Lifter::write(uint64_t reg, ir::Value* value) {
  uint64_t& current = registers_[reg];
  if (depth_ > 0) log_.push_back({reg, current});
  current = reinterpret_cast<uintptr_t>(value);
}

ir::Value* Lifter::read(uint64_t reg) {
  ir::Value* value = value_at(registers_.get(reg));
  check(value, "register ", reg, " is read before it is written");
  return value;
}

ir::Node* Lifter::append(ir::NodeKind kind, std::span<ir::Value* const> inputs) {
  ir::Node* node = graph_->append(block_, kind, inputs);
  node->source = source();
  if (!has_nodes_) {
    has_nodes_ = true;
    first_node_ = std::prev(block_->nodes.end());
  }
  return node;
}

void Lifter::push_outputs(ir::Node* node) {
  for (ir::Value* value : node->outputs) push(value);
}

ir::Value* Lifter::constant(const IValue& value) {
  uint64_t fresh = 0;
  uint64_t& made = value.is_int()    ? int_constants_[static_cast<uint64_t>(value.to_int())]
                   : value.is_bool() ? plain_constants_[value.to_bool() ? 2 : 1]
                   : value.is_none() ? plain_constants_[uint64_t{0}]
                                     : fresh;
  if (made != 0) return value_at(made);
  ir::Node* node = graph_->append(graph_->body(), ir::NodeKind::kConstant);
  std::list<ir::Node*>& nodes = graph_->body()->nodes;
  if (has_nodes_) nodes.splice(first_node_, nodes, std::prev(nodes.end()));
  node->constant = value;
  ir::Value* out = graph_->add_output(node, ir::type_of(value));
  made = reinterpret_cast<uintptr_t>(out);
  return out;
}

ir::Value* Lifter::file_constant(size_t index) {
  if (!constants_[index]) constants_[index] = constant(code_.constants[index]);
  return constants_[index];
}

}  // namespace wick::lite
