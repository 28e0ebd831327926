// Instructions that make, take apart and look into values and objects. A selective build has those of its models.
#include "config/build.h"
#include "frontend/bytecode/lifter.h"
#include "ir/infer.h"

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
      const std::vector<ir::Value*>& inputs = pop_n(2);
      check(!ir::certainly_incompatible(*inputs[0]->type, *types::basic(TypeKind::kAnyClass)),
            "expects an object, got ", *inputs[0]->type);
      append(ir::NodeKind::kSetAttr, inputs)->index = ins.x;
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
      push(one_output(node, type));
      return true;
    }
    case Opcode::kIsInstance: {
      ir::Node* node = append(ir::NodeKind::kIsInstance, pop());
      node->types.assign(code_.types.begin() + ins.x, code_.types.begin() + ins.x + ins.n);
      push(one_output(node, types::boolean()));
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
      ir::Value* tuple = pop();
      check(!ir::certainly_incompatible(*tuple->type, *types::basic(TypeKind::kAnyTuple)), "expects a tuple, got ",
            *tuple->type);
      TypePtr type = types::basic(TypeKind::kAnyTuple);
      const auto& elements = tuple->type->elements();
      if (tuple->type->is(TypeKind::kTuple) && static_cast<size_t>(ins.x) + ins.n <= elements.size()) {
        type = types::tuple({elements.begin() + ins.x, elements.begin() + ins.x + ins.n});
      }
      ir::Node* node = append(ir::NodeKind::kTupleSlice, tuple);
      node->index = ins.x;
      node->count = ins.n;
      push(one_output(node, type));
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
  check(!ir::certainly_incompatible(*object->type, *types::basic(TypeKind::kAnyClass)), "expects an object, got ",
        *object->type);
  TypePtr type = types::any();
  ir::Node* node = append(ir::NodeKind::kGetAttr, object);
  node->index = ins.x;
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
  const std::vector<ir::Value*>& items = pop_n(count);
  std::vector<TypePtr> elements;
  elements.reserve(items.size());
  for (ir::Value* item : items) elements.push_back(TypePtr(item->type));
  ir::Node* node = append(ir::NodeKind::kTupleConstruct, items);
  push(one_output(node, ir::bounded(types::tuple(std::move(elements)))));
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
    for (ir::Value* item : items) {
      check(!ir::certainly_incompatible(*item->type, *type->element(0)), "an item of type ", *item->type,
            " does not fit into ", *type);
    }
  }
  ir::Node* node = append(kind, items);
  node->types.push_back(TypePtr(type));
  push(one_output(node, ir::bounded(type)));
}

// Results of a node are stored at once when there are several; a single one may be used from the stack.
size_t Lifter::outputs_expected() const {
  if (at_ + 1 >= code_.instructions.size()) return 1;
  const Instruction& next = code_.instructions[at_ + 1];
  return static_cast<Opcode>(next.op) == Opcode::kStoreN ? next.n : 1;
}

void Lifter::unpack_tuple() {
  ir::Value* tuple = pop();
  check(!ir::certainly_incompatible(*tuple->type, *types::basic(TypeKind::kAnyTuple)), "expects a tuple, got ",
        *tuple->type);
  const bool typed = tuple->type->is(TypeKind::kTuple);
  const bool made_here = tuple->def && tuple->def->kind == ir::NodeKind::kTupleConstruct;
  const size_t count = made_here ? tuple->def->inputs.size()
                       : typed   ? tuple->type->elements().size()
                                 : outputs_expected();
  charge_values(count);
  ir::Node* node = append(ir::NodeKind::kTupleUnpack, tuple);
  for (size_t i = 0; i < count; ++i) one_output(node, typed ? tuple->type->element(i) : types::any());
  push_outputs(node);
}

void Lifter::unpack_list(size_t count) {
  charge_values(count);
  ir::Value* list = pop();
  check(!ir::certainly_incompatible(*list->type, *types::basic(TypeKind::kAnyList)), "expects a list, got ",
        *list->type);
  ir::Node* node = append(ir::NodeKind::kListUnpack, list);
  const TypePtr element = list->type->is(TypeKind::kList) ? list->type->element(0) : types::any();
  for (size_t i = 0; i < count; ++i) one_output(node, element);
  push_outputs(node);
}

}  // namespace wick::lite
