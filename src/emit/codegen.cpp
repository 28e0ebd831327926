// Generates stack-machine bytecode from SSA graphs.
#include "emit/codegen.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "core/check.h"
#include "core/limits.h"
#include "emit/given_arguments.h"
#include "emit/read_types.h"
#include "emit/stack_order.h"
#include "emit/type_text.h"

namespace wick::emit {

namespace {

using lite::Opcode;

constexpr int64_t kFirstWithPromoted = 8;  // primitive operators are instructions
constexpr int32_t kNoWarningId = -1;

// The instruction a primitive operator is written as; nothing for others.
std::optional<Opcode> promoted_opcode(const std::string& full_name) {
  if (full_name.starts_with("aten::__getitem__.Dict")) return Opcode::kDictIndex;
  const std::string name = full_name.substr(0, full_name.find('.'));
  if (name == "prim::tolist") return Opcode::kToList;
  for (Opcode op :
       {Opcode::kTupleIndex, Opcode::kRaiseException, Opcode::kIs, Opcode::kIsNot, Opcode::kFormat, Opcode::kDevice,
        Opcode::kDType, Opcode::kDim, Opcode::kNot, Opcode::kNumToTensor, Opcode::kIsCuda, Opcode::kWarn}) {
    const std::string_view promoted = lite::promoted_operator(op);
    if (name == promoted.substr(0, promoted.find('.'))) return op;
  }
  return std::nullopt;
}

std::optional<Opcode> promoted_opcode(const ir::Node& node) {
  if (node.kind != ir::NodeKind::kOp) return std::nullopt;
  const std::optional<Opcode> op = promoted_opcode(node.op_name);
  // The instruction has at least the text.
  return op == Opcode::kFormat && node.inputs.empty() ? std::nullopt : op;
}

class Generator {
 public:
  Generator(const ir::Function& function, const CodegenOptions& options)
      : function_(function),
        options_(options),
        order_(function.graph),
        last_(function.graph, order_),
        given_(function, options) {}

  GeneratedCode run() {
    out_.function.name = function_.name;
    const ir::Block& body = *function_.graph.body();
    write_schema(body);
    const std::vector<Argument>& arguments = out_.function.schema.arguments;
    for (size_t i = 0; i < body.params.size(); ++i) {
      types_read_.add_param(*body.params[i], i < arguments.size() ? arguments[i].type : types::any());
    }
    emit_block(body);
    instruction(Opcode::kReturn);
    WICK_CHECK(registers_.size() <= static_cast<size_t>(limits::kMaxRegisters), kUnsupported, "function ",
               function_.name, " has ", registers_.size(), " values, bytecode has space for ", limits::kMaxRegisters);
    out_.function.register_size = static_cast<int64_t>(registers_.size());
    return std::move(out_);
  }

 private:
  // Files without signatures are of version 3; every later version has them.
  void write_schema(const ir::Block& body) {
    out_.function.has_schema = true;
    out_.function.schema = function_.schema;
    if (function_.has_schema) return;
    out_.function.schema.name = function_.name;
    for (size_t i = 0; i < body.params.size(); ++i) {
      Argument argument;
      argument.name = i == 0 ? "self" : cat("argument_", i);
      argument.type = types::any();
      out_.function.schema.arguments.push_back(std::move(argument));
    }
    Argument result;
    result.type = types::any();
    out_.function.schema.returns.push_back(std::move(result));
  }

  void instruction(Opcode op, size_t x = 0, size_t n = 0) {
    WICK_CHECK(n <= std::numeric_limits<uint16_t>::max() && x <= std::numeric_limits<int32_t>::max(), kUnsupported,
               "function ", function_.name, ": ", n, " values are more than an instruction of bytecode can take");
    out_.function.instructions.push_back({static_cast<uint8_t>(op), static_cast<uint16_t>(n), static_cast<int32_t>(x)});
    out_.nodes.push_back(node_);
  }
  size_t here() const { return out_.function.instructions.size(); }
  void jump_to(size_t from, size_t to) {
    out_.function.instructions[from].x = static_cast<int32_t>(static_cast<int64_t>(to) - static_cast<int64_t>(from));
  }

  // Registers are numbered from 1.
  size_t new_register(const ir::Value& value) {
    const size_t reg = registers_.size() + 1;
    registers_[&value] = reg;
    return reg;
  }

  void store(const std::vector<ir::Value*>& values) {
    if (values.empty()) return;
    if (values.size() == 1 && order_.uses(*values[0]) == 0) return instruction(Opcode::kDrop);
    const size_t first = new_register(*values[0]);
    for (size_t i = 1; i < values.size(); ++i) new_register(*values[i]);
    if (values.size() == 1) return instruction(Opcode::kStore, first);
    instruction(Opcode::kStoreN, first, values.size());
    for (const ir::Value* value : values) {
      if (order_.uses(*value) == 0) instruction(Opcode::kDropR, registers_[value]);
    }
  }

  void drop(const std::vector<const ir::Value*>& values) {
    for (const ir::Value* value : values) {
      if (const auto it = registers_.find(value); it != registers_.end()) instruction(Opcode::kDropR, it->second);
    }
  }

  size_t add_constant(IValue value) {
    out_.function.constants.push_back(std::move(value));
    return out_.function.constants.size() - 1;
  }
  void load_constant(const IValue& value) { instruction(Opcode::kLoadC, add_constant(value)); }

  void use(const ir::Value& value, bool last) {
    const ir::Node* def = value.def;
    if (def && def->kind == ir::NodeKind::kConstant) {
      auto [it, fresh] = constants_.try_emplace(&value, 0);
      if (fresh) it->second = add_constant(def->constant);
      instruction(Opcode::kLoadC, it->second);
    } else if (def && order_.computed_at_use(*def)) {
      emit_node(*def);
    } else {
      const auto reg = registers_.find(&value);
      WICK_CHECK(reg != registers_.end(), kInternal, "function ", function_.name, ": value ", value.id,
                 " is used before it is defined");
      instruction(last ? Opcode::kMove : Opcode::kLoad, reg->second);
    }
  }

  void cast() { instruction(Opcode::kOp, add_operator("prim::unchecked_cast", 1)); }

  // The operator that the reader finds in the file for the node, once the node's inputs are there.
  const Operator* operator_read(const ir::Node& node, std::optional<Opcode> promoted) {
    if (!promoted || !is_read_as_instruction(*promoted)) return node.op;
    const Operator* op =
        find_operator(promoted == Opcode::kDictIndex ? lite::dict_index_operator(types_read_.type(*node.inputs.at(1)))
                                                     : lite::promoted_operator(*promoted));
    return op ? op : node.op;
  }

  void inputs(const ir::Node& node, size_t begin, size_t end) {
    const std::optional<Opcode> promoted = promoted_opcode(node);
    for (size_t i = begin; i < end; ++i) {
      use(*node.inputs[i], last_.is_last(node, i));
      const bool is_dict = promoted == Opcode::kDictIndex && i == 0;  // the same type, whatever the key
      if (types_read_.take(node, is_dict ? node.op : operator_read(node, promoted), i)) cast();
    }
  }
  void inputs(const ir::Node& node) { inputs(node, 0, node.inputs.size()); }

  void emit_block(const ir::Block& block) {
    store(block.params);
    drop(last_.dead_at_start(block));
    for (const ir::Node* node : block.nodes) {
      if (node->kind == ir::NodeKind::kConstant || order_.computed_at_use(*node)) continue;
      const ir::Node* outer = std::exchange(node_, node);
      emit_node(*node);
      store(node->outputs);
      // How many values a tuple holds may be told by this alone.
      if (node->kind == ir::NodeKind::kTupleUnpack && node->outputs.empty()) instruction(Opcode::kStoreN);
      if (node->kind == ir::NodeKind::kLoop) drop(last_.dead_after(*node));
      node_ = outer;
    }
    const bool in_loop = block.owner && block.owner->kind == ir::NodeKind::kLoop;
    for (size_t i = 0; i < block.results.size(); ++i) {
      use(*block.results[i], last_.is_last(block, i));
      if (in_loop && i == 0 && types_read_.take_condition(*block.results[0])) cast();
    }
  }

  void emit_node(const ir::Node& node) {
    const ir::Node* outer = std::exchange(node_, &node);
    switch (node.kind) {
      case ir::NodeKind::kOp:
        emit_operator(node);
        break;
      case ir::NodeKind::kIf:
        emit_if(node);
        break;
      case ir::NodeKind::kLoop:
        emit_loop(node);
        break;
      case ir::NodeKind::kGetAttr:
        inputs(node);
        instruction(Opcode::kGetAttr, static_cast<size_t>(node.index));
        break;
      case ir::NodeKind::kSetAttr:
        inputs(node);
        instruction(Opcode::kSetAttr, static_cast<size_t>(node.index));
        break;
      case ir::NodeKind::kCreateObject:
        instruction(Opcode::kCreateObject, add_type(node.types.at(0)));
        break;
      case ir::NodeKind::kTupleConstruct:
        inputs(node);
        if (is_named(node)) {
          instruction(Opcode::kNamedTupleConstruct, add_type(node.types[0]), node.inputs.size());
        } else {
          instruction(Opcode::kTupleConstruct, node.inputs.size());
        }
        break;
      case ir::NodeKind::kTupleUnpack:
        inputs(node);
        instruction(Opcode::kOp, add_operator("prim::TupleUnpack", 1));
        break;
      case ir::NodeKind::kTupleSlice:
        inputs(node);
        instruction(Opcode::kTupleSlice, static_cast<size_t>(node.index), static_cast<size_t>(node.count));
        break;
      case ir::NodeKind::kListConstruct:
        inputs(node);
        instruction(Opcode::kListConstruct, add_type(node.types.at(0)), node.inputs.size());
        break;
      case ir::NodeKind::kListUnpack:
        inputs(node);
        instruction(Opcode::kListUnpack, node.outputs.size());
        break;
      case ir::NodeKind::kDictConstruct:
        inputs(node);
        instruction(Opcode::kDictConstruct, add_type(node.types.at(0)), node.inputs.size());
        break;
      case ir::NodeKind::kIsInstance: {
        inputs(node);
        const size_t first = out_.function.types.size();
        for (const TypePtr& type : node.types) add_tested(type);
        instruction(Opcode::kIsInstance, first, out_.function.types.size() - first);
        break;
      }
      case ir::NodeKind::kUninitialized:
        if (options_.bytecode_version >= kFirstWithPromoted) {
          instruction(Opcode::kUninitialized);
        } else {
          instruction(Opcode::kOp, add_operator("prim::Uninitialized", 0));
        }
        break;
      case ir::NodeKind::kCallMethod:
        inputs(node);
        instruction(Opcode::kInterfaceCall, add_constant(node.name), node.inputs.size());
        break;
      case ir::NodeKind::kEnter:
        inputs(node);
        instruction(Opcode::kInterfaceCall, add_constant(std::string("__enter__")), 1);
        break;
      case ir::NodeKind::kExit:
        inputs(node);
        for (int k = 0; k < 3; ++k) load_constant(IValue());
        instruction(Opcode::kInterfaceCall, add_constant(std::string("__exit__")), 4);
        instruction(Opcode::kDrop);
        break;
      case ir::NodeKind::kConstant:
      case ir::NodeKind::kCallFunction:
      case ir::NodeKind::kFork:
      case ir::NodeKind::kWait:
        fail_with<ErrorCode::kInternal>("function ", function_.name, " has a call that should have been inlined");
    }
    give(node);
    node_ = outer;
  }

  void give(const ir::Node& node) {
    if (node.kind == ir::NodeKind::kIf || node.kind == ir::NodeKind::kLoop) return;
    if (node.op_name == "prim::unchecked_cast" || node.op_name == "prim::unchecked_unwrap_optional") {
      types_read_.give_cast(node);
    } else if (node.kind == ir::NodeKind::kTupleConstruct && !is_named(node)) {
      types_read_.give_unnamed_tuple(node);
    } else {
      types_read_.give(node, operator_read(node, promoted_opcode(node)));
    }
  }

  static bool is_named(const ir::Node& tuple) { return !tuple.types.empty() && is_named_tuple(*tuple.types[0]); }

  void emit_if(const ir::Node& node) {
    inputs(node);
    const size_t test = here();
    instruction(Opcode::kJumpFalse);
    emit_block(*node.blocks.at(0));
    const size_t leave = here();
    instruction(Opcode::kJump);
    jump_to(test, here());
    emit_block(*node.blocks.at(1));
    jump_to(leave, here());
    types_read_.give_if(node);
  }

  void emit_loop(const ir::Node& node) {
    load_constant(IValue(0));
    inputs(node);
    const size_t head = here();
    instruction(Opcode::kLoop, 0, node.inputs.size());
    types_read_.begin_loop(node);
    emit_block(*node.blocks.at(0));
    types_read_.end_loop(node);
    const size_t back = here();
    instruction(Opcode::kJump);
    jump_to(back, head);
    jump_to(head, here());
  }

  // Warnings were never operators of the lite interpreter.
  bool is_written_as_instruction(Opcode promoted) const {
    return options_.bytecode_version >= kFirstWithPromoted || promoted == Opcode::kWarn;
  }
  bool is_read_as_instruction(Opcode promoted) const {
    return is_written_as_instruction(promoted) || promoted == Opcode::kToList;
  }

  void emit_operator(const ir::Node& node) {
    const std::optional<Opcode> promoted = promoted_opcode(node);
    if (promoted && is_written_as_instruction(*promoted)) return emit_promoted(node, *promoted);
    const FunctionSchema& schema = node.op->schema;
    if (promoted && (!schema.is_vararg || promoted == Opcode::kToList)) {
      // Defaults are pushed too: PyTorch's implementations do not look at the count.
      promoted_inputs(node, *promoted);
      return instruction(Opcode::kOp, add_operator(node.op_name, promoted_count(node, *promoted)));
    }
    if (schema.is_vararg) {
      inputs(node);
      return instruction(Opcode::kOpN, add_operator(node.op_name, -1), node.inputs.size());
    }
    const size_t given = given_.count(node);
    const size_t count = node.inputs.size();
    if (given >= count) {
      inputs(node);
    } else {
      const size_t outs = given_.outs(node);
      inputs(node, 0, given - outs);
      inputs(node, count - outs, count);
    }
    instruction(Opcode::kOp, add_operator(node.op_name, static_cast<int64_t>(given)));
  }

  // An exception's class is expected as well; operators of old files did not have it.
  void promoted_inputs(const ir::Node& node, Opcode op) {
    inputs(node);
    if (op == Opcode::kRaiseException && node.inputs.size() == 1) load_constant(IValue());
  }
  static int64_t promoted_count(const ir::Node& node, Opcode op) {
    if (op == Opcode::kToList) return -1;
    return op == Opcode::kRaiseException ? 2 : static_cast<int64_t>(node.inputs.size());
  }

  void emit_promoted(const ir::Node& node, Opcode op) {
    promoted_inputs(node, op);
    instruction(op, op == Opcode::kFormat ? node.inputs.size() : 0);
    if (op == Opcode::kWarn) out_.function.instructions.back().x = kNoWarningId;
  }

  size_t add_operator(const std::string& full_name, int64_t specified) {
    const auto [it, fresh] = operators_.try_emplace(full_name, operators_.size());
    if (fresh) {
      const size_t dot = full_name.find('.');
      lite::OperatorRef ref{full_name.substr(0, dot), dot == std::string::npos ? "" : full_name.substr(dot + 1)};
      ref.num_specified = specified;
      out_.function.operators.push_back(std::move(ref));
    }
    return it->second;
  }

  void add_tested(const TypePtr& type) {
    if (!type->is(TypeKind::kUnion)) return out_.function.types.push_back(type);
    for (const TypePtr& element : type->elements()) add_tested(element);
  }

  size_t add_type(const TypePtr& type) {
    const auto [it, fresh] = types_.try_emplace(type.get(), out_.function.types.size());
    if (fresh) out_.function.types.push_back(type);
    return it->second;
  }

  const ir::Function& function_;
  const CodegenOptions& options_;
  StackOrder order_;
  LastUses last_;
  GivenArguments given_;
  ReadTypes types_read_;
  GeneratedCode out_;
  const ir::Node* node_ = nullptr;
  std::unordered_map<std::string, size_t> operators_;
  std::unordered_map<const Type*, size_t> types_;
  std::unordered_map<const ir::Value*, size_t> constants_;
  std::unordered_map<const ir::Value*, size_t> registers_;
};

}  // namespace

bool is_instruction(const std::string& operator_name) { return promoted_opcode(operator_name).has_value(); }

GeneratedCode generate(const ir::Function& function, const CodegenOptions& options) {
  return Generator(function, options).run();
}

}  // namespace wick::emit
