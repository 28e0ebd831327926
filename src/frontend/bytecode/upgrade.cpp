// Operators whose meaning changed after the file was written; see frontend/upgrades.h.
#include "config/build.h"
#include "frontend/upgrades.h"

#include "frontend/bytecode/lifter.h"

namespace wick::lite {

namespace {

constexpr int64_t kGeluOfOneArgument = 9;  // operator version up to which it held

}  // namespace

class Lifter::Sink : public UpgradeSink {
 public:
  explicit Sink(Lifter& lifter) : lifter_(lifter) {}
  ir::Node* node(ir::NodeKind kind, std::vector<ir::Value*> inputs) override {
    if (!build::kObjects && kind == ir::NodeKind::kIsInstance) lifter_.refuse_instruction();
    return lifter_.append(kind, inputs);
  }
  ir::Value* op(std::string_view full_name, std::vector<ir::Value*> inputs) override {
    return lifter_.upgrade_op(full_name, inputs);
  }
  ir::Value* constant(IValue value) override { return lifter_.constant(value); }
  ir::Graph& graph() override { return *lifter_.graph_; }
  ir::Block*& block() override { return lifter_.block_; }

 private:
  Lifter& lifter_;
};

bool Lifter::upgraded(const OperatorRef& ref) {
  if constexpr (!kHasUpgrades) return false;
  const int64_t version = ref.version >= 0 ? ref.version : context_.operator_version;
  if (version <= kGeluOfOneArgument && ref.name == "aten::gelu" && (ref.overload.empty() || ref.overload == "out")) {
    std::vector<ir::Value*>& args = pop_n(ref.overload == "out" ? 2 : 1);
    args.insert(args.begin() + 1, constant(IValue("none")));
    push(upgrade_op(ref.full_name(), args));
    return true;
  }
  const Operator* op = find_operator(ref.full_name());
  // Lite files have no old form of full().
  if (!op || ref.name == "aten::full" || !is_upgraded(op->schema, version)) return false;
  const FunctionSchema* old = old_schema(op->schema, version);
  std::vector<ir::Value*> args = old ? take_old_arguments(ref, *old) : pop_n(op->schema.arguments.size());
  Sink sink(*this);
  push(upgrade_call(sink, ref.name, ref.overload, std::move(args)));
  return true;
}

std::vector<ir::Value*> Lifter::take_old_arguments(const OperatorRef& ref, const FunctionSchema& schema) {
  const size_t n = schema.arguments.size();
  const size_t outs = schema.out_count();
  const size_t given = ref.num_specified >= 0 ? static_cast<size_t>(ref.num_specified) : n;
  check(given >= 2 + outs && given <= n, ref.full_name(), " is called with ", given, " arguments, it takes ", n);
  std::vector<ir::Value*> out_values = pop_n(outs);
  std::vector<ir::Value*> args = pop_n(given - outs);
  for (size_t i = args.size(); i < n - outs; ++i) args.push_back(constant(schema.arguments[i].default_value));
  args.insert(args.end(), out_values.begin(), out_values.end());
  return args;
}

ir::Value* Lifter::upgrade_op(std::string_view full_name, const std::vector<ir::Value*>& inputs) {
  const Operator* op = find_operator(full_name);
  if (!op) note_missing(full_name);
  ir::Node* node = op_node(op, full_name, inputs);
  return node->outputs.empty() ? one_output(node, types::any()) : node->outputs[0];
}

}  // namespace wick::lite
