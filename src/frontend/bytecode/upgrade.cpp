// Operators whose meaning changed after the file was written: the old meaning, built from today's operators.
#include "frontend/bytecode/lifter.h"

namespace wick::lite {

namespace {

// Operator versions up to which the old meaning holds.
constexpr int64_t kTruncatingDivision = 3;  // dividing integers truncated
constexpr int64_t kOptionalLinspaceSteps = 7;
constexpr int64_t kOptionalLogspaceSteps = 8;
constexpr int64_t kGeluOfOneArgument = 9;
constexpr int64_t kStepsWhenNone = 100;

}  // namespace

bool Lifter::upgraded(const OperatorRef& ref) {
  const int64_t version = context_.operator_version;
  const bool out = ref.overload == "out";
  const bool plain = ref.overload.empty();
  if (version <= kTruncatingDivision && (ref.name == "aten::div" || ref.name == "aten::div_") &&
      (out || ref.overload == "Tensor" || ref.overload == "Scalar")) {
    upgrade_division(ref);
    return true;
  }
  if (!plain && !out) return false;
  std::vector<IValue> defaults;  // of the arguments the operator had then, after the first two
  if (version <= kOptionalLinspaceSteps && ref.name == "aten::linspace") {
    defaults = {IValue()};
  } else if (version <= kOptionalLogspaceSteps && ref.name == "aten::logspace") {
    defaults = {IValue(), IValue(10.0)};
  } else if (version <= kGeluOfOneArgument && ref.name == "aten::gelu") {
    std::vector<ir::Value*> args = pop_n(out ? 2 : 1);
    args.insert(args.begin() + 1, constant(IValue("none")));
    push(upgrade_op(ref.full_name(), std::move(args)));
    return true;
  } else {
    return false;
  }
  if (plain) defaults.resize(defaults.size() + 4);  // dtype, layout, device, pin_memory
  std::vector<ir::Value*> args = take_old_arguments(ref, defaults, out ? 1 : 0);
  args[2] = steps_or_hundred(args[2]);
  push(upgrade_op(ref.full_name(), std::move(args)));
  return true;
}

std::vector<ir::Value*> Lifter::take_old_arguments(const OperatorRef& ref, const std::vector<IValue>& defaults,
                                                   size_t outs) {
  const size_t n = 2 + defaults.size() + outs;
  const size_t given = ref.num_specified >= 0 ? static_cast<size_t>(ref.num_specified) : n;
  check(given >= 2 + outs && given <= n, ref.full_name(), " is called with ", given, " arguments, it takes ", n);
  std::vector<ir::Value*> out_values = pop_n(outs);
  std::vector<ir::Value*> args = pop_n(given - outs);
  for (size_t i = args.size(); i < n - outs; ++i) args.push_back(constant(defaults[i - 2]));
  args.insert(args.end(), out_values.begin(), out_values.end());
  return args;
}

ir::Value* Lifter::upgrade_op(std::string_view full_name, std::vector<ir::Value*> inputs) {
  const Operator* op = find_operator(full_name);
  if (!op) note_missing(std::string(full_name));
  ir::Node* node = op_node(op, std::string(full_name), std::move(inputs));
  return node->outputs.empty() ? one_output(node, types::any()) : node->outputs[0];
}

void Lifter::upgrade_division(const OperatorRef& ref) {
  const bool by_scalar = ref.overload == "Scalar";
  std::vector<ir::Value*> args = pop_n(ref.overload == "out" ? 3 : 2);
  ir::Value* floating = upgrade_op("aten::is_floating_point", {args[0]});
  for (size_t i = 1; i < args.size(); ++i) {
    ir::Value* also;
    if (by_scalar) {
      ir::Node* node = append(ir::NodeKind::kIsInstance, {args[i]});
      node->types = {types::floating()};
      also = one_output(node, types::boolean());
    } else {
      also = upgrade_op("aten::is_floating_point", {args[i]});
    }
    floating = upgrade_op("aten::__or__.bool", {floating, also});
  }
  std::vector<ir::Value*> truncating = args;
  truncating.insert(truncating.begin() + 2, constant(IValue("trunc")));

  ir::Node* node = append(ir::NodeKind::kIf, {floating});
  ir::Block* const outer = block_;
  block_ = graph_->add_block(node);
  graph_->set_results(block_, {upgrade_op(ref.full_name(), std::move(args))});
  block_ = graph_->add_block(node);
  graph_->set_results(block_, {upgrade_op(ref.full_name() + "_mode", std::move(truncating))});
  block_ = outer;
  push(one_output(node, types::tensor()));
}

ir::Value* Lifter::steps_or_hundred(ir::Value* steps) {
  if (steps->type->is(TypeKind::kInt)) return steps;
  if (steps->type->is(TypeKind::kNone)) return constant(IValue(kStepsWhenNone));
  ir::Value* none = constant(IValue());
  ir::Value* hundred = constant(IValue(kStepsWhenNone));
  ir::Node* node = append(ir::NodeKind::kIf, {upgrade_op("aten::__is__", {steps, none})});
  graph_->set_results(graph_->add_block(node), {hundred});
  graph_->set_results(graph_->add_block(node), {steps});
  return one_output(node, types::any());
}

}  // namespace wick::lite
