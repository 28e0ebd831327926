// Verifies that a graph is well formed.
#include "ir/verify.h"

#include <vector>

#include "core/check.h"
#include "ir/program.h"
#include "ir/typing.h"
#include "wick/error.h"

namespace wick::ir {

namespace {

class Verifier {
 public:
  explicit Verifier(const Function& function)
      : function_(function), visible_(function.graph.value_count(), false), uses_(function.graph.value_count()) {}

  void run() { block(*function_.graph.body(), nullptr); }

 private:
  template <class... Parts>
  [[gnu::always_inline]] void check(bool condition, const Node* node, const Parts&... parts) const {
    if (!condition) [[unlikely]]
      malformed(node, text::kinds_of<Parts...>(0), text::word_of<Parts>(parts)...);
  }
  [[noreturn, gnu::cold]] void malformed(const Node* node, uint64_t kinds, ...) const {
    va_list parts;
    va_start(parts, kinds);
    const std::string reason = text::joined(kinds, parts);
    va_end(parts);
    const std::string what =
        node ? cat("node ", node->op_name.empty() ? cat("of kind ", static_cast<int>(node->kind)) : node->op_name)
             : std::string("the body");
    fail_with<ErrorCode::kInternal>("the graph of ", function_.name, " is malformed at ", what, ": ", reason);
  }

  void define(const Value* value, const Node* def, const Block& block) {
    check(value->id < visible_.size() && !visible_[value->id], def, "value %", value->id, " is defined twice");
    check(value->def == def && value->block == &block, def, "value %", value->id, " names another definition");
    check(value->type != nullptr, def, "value %", value->id, " has no type");
    visible_[value->id] = true;
  }

  void use(const Value* value, const Node* node) const {
    check(value->id < visible_.size() && visible_[value->id], node, "value %", value->id,
          " is used where it is not defined");
  }

  void block(const Block& b, const Node* owner) {
    check(b.owner == owner, owner, "a block names another owner");
    std::vector<const Value*> defined;
    for (const Value* param : b.params) {
      define(param, nullptr, b);
      defined.push_back(param);
    }
    for (const Node* node : b.nodes) {
      check(node->block == &b, node, "it names another block");
      for (const Value* input : node->inputs) {
        use(input, node);
        ++uses_[input->id];
      }
      visit(*node);
      for (const Value* output : node->outputs) {
        define(output, node, b);
        defined.push_back(output);
      }
    }
    for (const Value* result : b.results) use(result, owner);
    for (const Value* value : defined) {
      visible_[value->id] = false;
      check(uses_[value->id] == value->users.size(), value->def, "value %", value->id, " lists ", value->users.size(),
            " uses, has ", uses_[value->id]);
    }
  }

  void arity(const Node& node, size_t inputs, size_t outputs) const {
    check(node.inputs.size() == inputs && node.outputs.size() == outputs, &node, "has ", node.inputs.size(),
          " inputs and ", node.outputs.size(), " outputs, expected ", inputs, " and ", outputs);
  }

  void condition(const Value& value, const Node& node) const {
    check(is_condition(*value.type), &node, "a condition has type ", *value.type);
  }

  void visit(const Node& node) {
    check(node.blocks.empty() || node.kind == NodeKind::kIf || node.kind == NodeKind::kLoop, &node, "has blocks");
    switch (node.kind) {
      case NodeKind::kIf:
        check(node.inputs.size() == 1 && node.blocks.size() == 2, &node, "an If has one input and two blocks");
        condition(*node.inputs[0], node);
        for (const Block* inner : node.blocks) {
          check(inner->params.empty() && inner->results.size() == node.outputs.size(), &node,
                "a block of an If has no parameters and one result an output");
          block(*inner, &node);
        }
        return;
      case NodeKind::kLoop: {
        check(node.inputs.size() >= 2 && node.blocks.size() == 1, &node, "a Loop has two inputs or more and one block");
        const Block& body = *node.blocks[0];
        const size_t carried = node.inputs.size() - 2;
        check(body.params.size() == carried + 1 && body.results.size() == carried + 1 && node.outputs.size() == carried,
              &node, "its block and outputs do not fit ", carried, " carried values");
        condition(*node.inputs[1], node);
        block(body, &node);
        condition(*body.results[0], node);
        return;
      }
      case NodeKind::kOp:
        return op(node);
      case NodeKind::kConstant:
      case NodeKind::kUninitialized:
        return arity(node, 0, 1);
      case NodeKind::kCreateObject:
        check(node.types.size() == 1, &node, "needs a type");
        return arity(node, 0, 1);
      case NodeKind::kGetAttr:
      case NodeKind::kIsInstance:
      case NodeKind::kTupleSlice:
      case NodeKind::kWait:
      case NodeKind::kEnter:
        return arity(node, 1, 1);
      case NodeKind::kExit:
        return arity(node, 1, 0);
      case NodeKind::kSetAttr:
        return arity(node, 2, 0);
      case NodeKind::kTupleConstruct:
        return check(node.outputs.size() == 1, &node, "has ", node.outputs.size(), " outputs");
      case NodeKind::kListConstruct:
        return check(node.outputs.size() == 1 && node.types.size() == 1, &node, "needs one output and its type");
      case NodeKind::kDictConstruct:
        return check(node.outputs.size() == 1 && node.types.size() == 1 && node.inputs.size() % 2 == 0, &node,
                     "needs pairs of inputs, one output and its type");
      case NodeKind::kTupleUnpack:
      case NodeKind::kListUnpack:
        return check(node.inputs.size() == 1, &node, "has ", node.inputs.size(), " inputs");
      case NodeKind::kCallFunction:
      case NodeKind::kFork:
        return check(node.callee != nullptr, &node, "has no function to call");
      case NodeKind::kCallMethod:
        return check(!node.inputs.empty() && !node.name.empty(), &node, "needs an object and a method name");
    }
  }

  void op(const Node& node) const {
    check(!node.op_name.empty(), &node, "has no operator name");
    if (!node.op) return;
    const FunctionSchema& schema = node.op->schema;
    check(schema.is_vararg || node.inputs.size() == schema.arguments.size(), &node, "has ", node.inputs.size(),
          " inputs, the operator takes ", schema.arguments.size());
    check(schema.is_varret || node.outputs.size() == schema.returns.size(), &node, "has ", node.outputs.size(),
          " outputs, the operator gives ", schema.returns.size());
  }

  const Function& function_;
  std::vector<char> visible_;  // by value id
  std::vector<size_t> uses_;   // likewise
};

}  // namespace

void verify(const Function& function) { Verifier(function).run(); }

#ifdef NDEBUG
void debug_verify(const Function&, const char*) {}
void debug_verify(const Program&, const char*) {}
#else
void debug_verify(const Function& function, const char* pass) {
  try {
    verify(function);
  } catch (const Error& e) {
    fail_with<ErrorCode::kInternal>("after ", pass, ": ", e.what());
  }
}

void debug_verify(const Program& program, const char* pass) {
  for (const auto& function : program.functions) debug_verify(*function, pass);
}
#endif

}  // namespace wick::ir
