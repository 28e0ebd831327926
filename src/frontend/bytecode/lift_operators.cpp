// Operator calls: default arguments, type checks, operators this build lacks.
#include <algorithm>

#include "core/selection.h"
#include "frontend/bytecode/lifter.h"
#include "ir/infer.h"
#include "ir/verify.h"

namespace wick::lite {

namespace {

constexpr int64_t kFirstVersionWithCounts = 6;  // operator entries say how many arguments are pushed

// Inputs of promoted instructions; the others take as many as their operator has arguments.
size_t promoted_inputs(Opcode op, const Instruction& ins) {
  switch (op) {
    case Opcode::kFormat:
      return static_cast<size_t>(ins.x);
    case Opcode::kToList:
      return 3;
    case Opcode::kTupleIndex:
    case Opcode::kRaiseException:
    case Opcode::kDictIndex:
    case Opcode::kIs:
    case Opcode::kIsNot:
    case Opcode::kWarn:
      return 2;
    default:
      return 1;
  }
}

size_t promoted_outputs(Opcode op) { return op == Opcode::kRaiseException || op == Opcode::kWarn ? 0 : 1; }

// Operators that are not looked up in the table: they are nodes of their own, or need none.
enum Structural {
  kTupleUnpack,
  kListUnpack,
  kTupleConstruct,
  kUninitialized,
  kUncheckedCast,
  kUnwrapOptional,
  kToList
};
constexpr const char* kStructuralNames[] = {"prim::TupleUnpack",    "prim::ListUnpack",
                                            "prim::TupleConstruct", "prim::Uninitialized",
                                            "prim::unchecked_cast", "prim::unchecked_unwrap_optional",
                                            "prim::tolist"};

// A Structural, or -1.
int structural_of(const OperatorRef& ref) {
  for (size_t i = 0; i < std::size(kStructuralNames); ++i) {
    if (ref.name == kStructuralNames[i]) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

void Lifter::operator_instruction(const Instruction& ins) {
  const OperatorRef& ref = code_.operators[ins.x];
  if (structural_operator(ref, ins) || upgraded(ref)) return;
  Resolved& entry = resolve(static_cast<size_t>(ins.x));
  if (!entry.op) return call_missing(entry, ins);
  if (static_cast<Opcode>(ins.op) == Opcode::kOpN) {
    check(entry.op->schema.is_vararg, entry.full_name, " takes a fixed number of arguments but is called with OPN");
    return call(entry, pop_n(ins.n));
  }
  if (entry.op->schema.is_vararg) {
    check(ref.num_specified >= 0, entry.full_name, " takes any number of arguments and the call does not say how many");
    return call(entry, pop_n(static_cast<size_t>(ref.num_specified)));
  }
  call(entry, take_arguments(entry));
}

bool Lifter::structural_operator(const OperatorRef& ref, const Instruction& ins) {
  switch (structural_of(ref)) {
    case kTupleUnpack:
      if constexpr (!build::kContainers) refuse_instruction();
      unpack_tuple();
      return true;
    case kListUnpack:
      if constexpr (!build::kContainers) refuse_instruction();
      unpack_list(outputs_expected());
      return true;
    case kTupleConstruct:
      check(static_cast<Opcode>(ins.op) == Opcode::kOpN, "prim::TupleConstruct without a count");
      construct_tuple(ins.n);
      return true;
    case kUninitialized:
      push(one_output(append(ir::NodeKind::kUninitialized), types::any()));
      return true;
    case kUncheckedCast:
    case kUnwrapOptional:
      unchecked_cast();
      return true;
    case kToList:
      promoted(Opcode::kToList, ins);
      return true;
    default:
      return false;
  }
}

Lifter::Resolved& Lifter::resolve(size_t index) {
  Resolved& entry = operators_[index];
  if (entry.done) return entry;
  const OperatorRef& ref = code_.operators[index];
  entry.full_name = ref.full_name();
  entry.num_specified = ref.num_specified;
  // allow_tf32 became the 13th argument with bytecode version 4.
  if (entry.full_name == "aten::_convolution" && context_.bytecode_version < kFirstVersionWithCounts &&
      (context_.bytecode_version < 4 || available() == 12)) {
    entry.full_name = "aten::_convolution.deprecated";
  }
  if (context_.bytecode_version < kFirstVersionWithCounts && entry.num_specified < 0) {
    if (const size_t arguments = arguments_before_counts(entry.full_name)) {
      entry.num_specified = static_cast<int64_t>(arguments);
    }
  }
  entry.op = find_operator(entry.full_name);
  if (entry.op) {
    for (size_t n = entry.op->schema.arguments.size(); n > 0; --n) entry.defaults.push_back(nullptr);
  }
  entry.done = true;
  return entry;
}

std::vector<ir::Value*>& Lifter::take_arguments(Resolved& entry) {
  const FunctionSchema& schema = entry.op->schema;
  const size_t n = schema.arguments.size();
  // Files that do not count push all arguments the operator had then: fewer than now when some were added.
  size_t given = entry.num_specified >= 0 ? static_cast<size_t>(entry.num_specified) : std::min(n, available());
  if (given > n) {
    for (const ir::Value* value : pop_n(given - n)) {
      const bool is_none = value->def && value->def->kind == ir::NodeKind::kConstant && value->def->constant.is_none();
      if (!is_none) {
        fail_with<ErrorCode::kUnsupportedVersion>("bytecode of ", describe(code_, at_), ": ", entry.full_name,
                                                  " is called with ", given, " arguments, this build knows ", n,
                                                  "; the model was exported by a newer PyTorch");
      }
    }
    given = n;
  }
  const size_t outs = schema.out_count();
  if (given == n) return pop_n(n);
  check(given >= outs, entry.full_name, " needs ", outs, " out arguments, given ", given);
  std::vector<ir::Value*>& inputs = pop_n(given);
  for (size_t i = given - outs; i < n - outs; ++i) {
    inputs.push_back(default_of(entry, i));
    for (size_t at = inputs.size() - 1; at > i; --at) std::swap(inputs[at], inputs[at - 1]);
  }
  return inputs;
}

ir::Value* Lifter::default_of(Resolved& entry, size_t argument) {
  ir::Value*& value = entry.defaults[argument];
  if (!value) {
    const Argument& arg = entry.op->schema.arguments[argument];
    check(arg.has_default, "argument '", arg.name, "' of ", entry.full_name, " is not given and has no default");
    value = constant(arg.default_value);
  }
  return value;
}

ir::Node* Lifter::op_node(const Operator* op, std::string_view full_name, const std::vector<ir::Value*>& inputs) {
  ir::Node* node = append(ir::NodeKind::kOp, inputs);
  node->op = op;
  node->op_name = full_name;
  if (op) add_outputs(node);
  return node;
}

void Lifter::call(Resolved& entry, const std::vector<ir::Value*>& inputs) {
  push_outputs(op_node(entry.op, entry.full_name, inputs));
}

void Lifter::promoted(Opcode op, const Instruction& ins) {
  const std::vector<ir::Value*>& inputs = pop_n(promoted_inputs(op, ins));
  const char* name = op == Opcode::kDictIndex ? dict_index_operator(*inputs[1]->type) : promoted_operator(op);
  const Operator* known = find_operator(name);
  if (!known) note_missing(name);
  ir::Node* node = op_node(known, name, inputs);
  if (node->outputs.empty() && promoted_outputs(op) == 1) one_output(node, types::any());
  push_outputs(node);
}

void Lifter::note_missing(std::string_view full_name) {
  if (first_missing_.empty()) first_missing_ = full_name;
  if (context_.missing_names.get(full_name) != 0) return;
  MissingUse& use = context_.missing.emplace_back();
  use.name = full_name;
  use.function = code_.name;
  use.source = source();
  context_.missing_names[use.name] = 1;
}

void Lifter::call_missing(const Resolved& entry, const Instruction& ins) {
  note_missing(entry.full_name);
  const bool counted = static_cast<Opcode>(ins.op) == Opcode::kOpN;
  check(counted || entry.num_specified >= 0, "the number of arguments of ", entry.full_name, " is not known");
  ir::Node* node = append(ir::NodeKind::kOp, pop_n(counted ? ins.n : static_cast<size_t>(entry.num_specified)));
  node->op_name = entry.full_name;
  const size_t outputs = outputs_expected();
  charge_values(outputs);
  for (size_t i = 0; i < outputs; ++i) one_output(node, types::any());
  push_outputs(node);
}

std::unique_ptr<ir::Function> Lifter::missing_only() {
  auto function = std::make_unique<ir::Function>();
  ir::Graph& graph = function->graph;
  for (const Argument& arg : code_.schema.arguments) graph.add_param(graph.body(), ir::bounded(arg.type), arg.name);
  ir::Value* last = nullptr;
  auto add = [&](std::string_view full_name) {
    note_missing(full_name);
    ir::Node* node = graph.append(graph.body(), ir::NodeKind::kOp);
    node->op_name = full_name;
    node->source = source();
    last = graph.add_output(node, types::any());
  };
  add(first_missing_);
  for (at_ = 0; at_ < code_.instructions.size(); ++at_) {
    const Instruction& ins = code_.instructions[at_];
    const auto op = static_cast<Opcode>(ins.op);
    if (op == Opcode::kOp || op == Opcode::kOpN) {
      const OperatorRef& ref = code_.operators[ins.x];
      const std::string full_name = ref.full_name();
      if (structural_of(ref) < 0 && !find_operator(full_name)) add(full_name);
    } else if (const char* name = promoted_operator(op); name && !find_operator(name)) {
      add(name);
    }
  }
  std::vector<ir::Value*> results;
  for (size_t n = code_.has_schema ? code_.schema.returns.size() : 1; n > 0; --n) results.push_back(last);
  graph.set_results(graph.body(), std::move(results));
  give_schema(*function);
  return function;
}

std::unique_ptr<ir::Function> lift(BytecodeFunction& function, LiftContext& context) {
  check_instructions(function);
  Lifter lifter(function, context);
  try {
    std::unique_ptr<ir::Function> lifted = lifter.run();
    ir::debug_verify(*lifted, "lifting");
    return lifted;
  } catch (const Error&) {
    if (!lifter.met_missing()) throw;
    return lifter.missing_only();
  }
}

std::unique_ptr<ir::Function> lift_for_plans(BytecodeFunction&& function, LiftContext& context) {
  std::unique_ptr<ir::Function> lifted = lift(function, context);
  if constexpr (!build::kPlanner || !build::kObjects) return lifted;  // nothing releases graphs
  function.instructions.shrink_to_fit();
  auto code = std::make_shared<BytecodeFunction>(std::move(function));
  code->schema = lifted->schema;
  lifted->graph.set_remake(
      [code, version = context.bytecode_version, operators = context.operator_version, classes = context.classes] {
        LiftContext again;
        again.bytecode_version = version;
        again.operator_version = operators;
        again.classes = classes;
        std::unique_ptr<ir::Function> made = lift(*code, again);
        code->schema = std::move(made->schema);  // lifting takes it, and nothing else; the graph alone is wanted
        return made;
      });
  return lifted;
}

void refuse_missing(const LiftContext& context, const ir::Program& program) {
  if (context.missing.empty()) return;
  std::string names;
  std::string uses;
  for (const MissingUse& use : context.missing) {
    names += cat(names.empty() ? "" : ", ", use.name);
    uses += cat("\n  ", use.name, " is used in ", use.function);
    if constexpr (build::kSourceLines) {
      const std::string source = program.describe_source ? program.describe_source(use.source) : std::string();
      if (!source.empty()) uses += cat(": ", source);
    }
  }
  fail_with<ErrorCode::kMissingOperator>("Following ops cannot be found: [", names,
                                         "]. The model needs them and this build does not have them.", uses,
                                         advice_on_missing());
}

}  // namespace wick::lite
