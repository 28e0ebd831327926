// Instructions that make, take apart and look into values and objects, and the types of values. A selective build has
// the instructions of its models.
#include "config/build.h"
#include "frontend/bytecode/lifter.h"
#include "ir/typing.h"

namespace wick::lite {

// It is told with the operators that are missing.
void Lifter::refuse_instruction() {
  const Instruction& ins = code_.instructions[at_];
  const auto op = static_cast<Opcode>(ins.op);
  const bool is_operator = op == Opcode::kOp || op == Opcode::kOpN;
  note_missing(is_operator ? code_.operators[ins.x].name.c_str() : opcode_name(ins.op));
  check(false, "this build has no such instruction");
  __builtin_unreachable();
}

// Of the groups that a selective build may be without.
bool Lifter::lacks_instruction(Opcode op) const {
  switch (op) {
    case Opcode::kGetAttr:
    case Opcode::kSetAttr:
    case Opcode::kInterfaceCall:
    case Opcode::kCreateObject:
    case Opcode::kIsInstance:
      return !build::kObjects;
    case Opcode::kListUnpack:
    case Opcode::kNamedTupleConstruct:
    case Opcode::kListConstruct:
    case Opcode::kDictConstruct:
    case Opcode::kTupleSlice:
      return !build::kContainers;
    default:
      return false;
  }
}

void Lifter::check_condition(const Type& type) const {
  check(ir::is_condition(type), "the condition is not a bool but ", type);
}

void Lifter::check_inputs(const ir::Node& node) const {
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (!ir::accepts(node, node.op, i, *node.inputs[i]->type)) [[unlikely]]
      refuse_input(node, i);
  }
}

void Lifter::refuse_input(const ir::Node& node, size_t i) const {
  const Type& given = *node.inputs[i]->type;
  const char* wanted = "a list";
  switch (node.kind) {
    case ir::NodeKind::kOp: {
      const Argument& argument = node.op->schema.arguments[i];
      check(false, "argument '", argument.name, "' of ", node.op_name, " is ", *argument.type, ", given ", given);
      break;
    }
    case ir::NodeKind::kLoop:
      check(i != 0, "the trip limit is not an int");
      [[fallthrough]];
    case ir::NodeKind::kIf:
      check_condition(given);
      break;
    case ir::NodeKind::kListConstruct:
      check(false, "an item of type ", given, " does not fit into ", *node.types[0]);
      break;
    case ir::NodeKind::kGetAttr:
    case ir::NodeKind::kSetAttr:
      wanted = "an object";
      break;
    case ir::NodeKind::kTupleUnpack:
    case ir::NodeKind::kTupleSlice:
      wanted = "a tuple";
      break;
    default:
      break;
  }
  check(false, "expects ", wanted, ", got ", given);
  __builtin_unreachable();
}

void Lifter::add_outputs(ir::Node* node, size_t count) {
  check_inputs(*node);
  std::vector<TypePtr> types;
  ir::output_types(*node, node->op, node->inputs, count, types);
  for (const TypePtr& type : types) graph_->add_output(node, type);
}

bool Lifter::value_instruction(const Instruction& ins) {
  if constexpr (build::kObjects) {
    if (object_instruction(ins)) return true;
  }
  if constexpr (build::kContainers) {
    if (container_instruction(ins)) return true;
  }
  if (lacks_instruction(static_cast<Opcode>(ins.op))) refuse_instruction();
  switch (static_cast<Opcode>(ins.op)) {
    case Opcode::kTupleConstruct:
      construct_tuple(static_cast<size_t>(ins.x));
      return true;
    case Opcode::kUncheckedCast:
      unchecked_cast();
      return true;
    case Opcode::kUninitialized:
      push(one_output(append(ir::NodeKind::kUninitialized), types::any()));
      return true;
    default:
      return false;
  }
}

bool Lifter::object_instruction(const Instruction& ins) {
  switch (static_cast<Opcode>(ins.op)) {
    case Opcode::kGetAttr:
      get_attr(ins);
      return true;
    case Opcode::kSetAttr: {
      ir::Node* node = append(ir::NodeKind::kSetAttr, pop_n(2));
      node->index = ins.x;
      check_inputs(*node);
      return true;
    }
    case Opcode::kInterfaceCall: {
      ir::Node* node = append(ir::NodeKind::kCallMethod, pop_n(ins.n));
      node->name = code_.constants[ins.x].to_string();
      push(one_output(node, types::any()));
      return true;
    }
    case Opcode::kCreateObject: {
      const TypePtr& type = code_.types[ins.x];
      check(type->is(TypeKind::kClass), "type ", ins.x, " is ", *type, ", not a class");
      ir::Node* node = append(ir::NodeKind::kCreateObject);
      node->types.push_back(TypePtr(type));
      add_outputs(node);
      push_outputs(node);
      return true;
    }
    case Opcode::kIsInstance: {
      ir::Node* node = append(ir::NodeKind::kIsInstance, pop());
      node->types.assign(code_.types.begin() + ins.x, code_.types.begin() + ins.x + ins.n);
      add_outputs(node);
      push_outputs(node);
      return true;
    }
    default:
      return false;
  }
}

bool Lifter::container_instruction(const Instruction& ins) {
  switch (static_cast<Opcode>(ins.op)) {
    case Opcode::kListUnpack:
      unpack_list(static_cast<size_t>(ins.x));
      return true;
    case Opcode::kNamedTupleConstruct:
    case Opcode::kListConstruct:
    case Opcode::kDictConstruct:
      construct(ins);
      return true;
    case Opcode::kTupleSlice: {
      ir::Node* node = append(ir::NodeKind::kTupleSlice, pop());
      node->index = ins.x;
      node->count = ins.n;
      add_outputs(node);
      push_outputs(node);
      return true;
    }
    default:
      return false;
  }
}

// The value stays; only what is known of it changes. An Optional may be anything already.
void Lifter::unchecked_cast() {
  check(available() >= 1, "the stack is empty");
  ir::Value* value = stack_.back();
  if (!value->type->is(TypeKind::kOptional)) value->type = types::any();
}

void Lifter::get_attr(const Instruction& ins) {
  ir::Value* object = pop();
  ir::Node* node = append(ir::NodeKind::kGetAttr, object);
  node->index = ins.x;
  check_inputs(*node);
  TypePtr type = types::any();
  if (context_.classes && object->type->is(TypeKind::kClass)) {
    const std::shared_ptr<ClassInfo>* found = context_.classes->find(object->type->name());
    if (found && static_cast<size_t>(ins.x) < (*found)->attributes.size()) {
      node->name = (*found)->attributes[ins.x];
      type = (*found)->attribute_types[ins.x];
    }
  }
  push(one_output(node, type));
}

void Lifter::construct_tuple(size_t count) {
  ir::Node* node = append(ir::NodeKind::kTupleConstruct, pop_n(count));
  add_outputs(node);
  push_outputs(node);
}

void Lifter::construct(const Instruction& ins) {
  const auto op = static_cast<Opcode>(ins.op);
  const TypePtr& type = code_.types[ins.x];
  const std::vector<ir::Value*>& items = pop_n(ins.n);
  ir::NodeKind kind = ir::NodeKind::kListConstruct;
  if (op == Opcode::kNamedTupleConstruct) {
    check(type->is(TypeKind::kTuple) && !type->name().empty(), "type ", ins.x, " is ", *type, ", not a named tuple");
    check(type->elements().size() == items.size(), type->name(), " has ", type->elements().size(), " fields, given ",
          items.size());
    kind = ir::NodeKind::kTupleConstruct;
  } else if (op == Opcode::kDictConstruct) {
    check(type->is(TypeKind::kDict), "type ", ins.x, " is ", *type, ", not a dict");
    check(items.size() % 2 == 0, "a dict needs keys and values in pairs, given ", items.size());
    kind = ir::NodeKind::kDictConstruct;
  } else {
    check(type->is(TypeKind::kList), "type ", ins.x, " is ", *type, ", not a list");
  }
  ir::Node* node = append(kind, items);
  node->types.push_back(TypePtr(type));
  add_outputs(node);
  push_outputs(node);
}

// Results of a node whose number nothing else tells are stored at once when they are not one.
size_t Lifter::outputs_expected() const {
  if (at_ + 1 >= code_.instructions.size()) return 1;
  const Instruction& next = code_.instructions[at_ + 1];
  return static_cast<Opcode>(next.op) == Opcode::kStoreN ? next.n : 1;
}

void Lifter::unpack_tuple() {
  ir::Node* node = append(ir::NodeKind::kTupleUnpack, pop());
  const std::optional<size_t> known = ir::unpacked_count(*node->inputs[0]);
  const size_t count = known ? *known : outputs_expected();
  charge_values(count);
  add_outputs(node, count);
  push_outputs(node);
}

void Lifter::unpack_list(size_t count) {
  charge_values(count);
  ir::Node* node = append(ir::NodeKind::kListUnpack, pop());
  add_outputs(node, count);
  push_outputs(node);
}

}  // namespace wick::lite
