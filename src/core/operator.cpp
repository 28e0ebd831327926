// What is known about an operator and about a call of it, from its schema and its traits.
#include "core/operator.h"

#include <algorithm>

namespace wick {
namespace {

bool is_training_flag(const Argument& argument) {
  return argument.name == "training" || argument.name == "train" || argument.name == "use_input_stats";
}
bool is_statistic(const Argument& argument) {
  return argument.name == "running_mean" || argument.name == "running_var";
}

// Whether a flag among the arguments says that the call is not one of training.
bool is_evaluation(const Operator& op, const KnownArgument& argument) {
  const std::vector<Argument>& arguments = op.schema.arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!is_training_flag(arguments[i])) continue;
    const IValue* flag = argument(i);
    return flag && flag->is_bool() && !flag->to_bool();
  }
  return false;
}

}  // namespace

Operator::Operator(FunctionSchema s, OpCall call, OpTraits t) : schema(std::move(s)), function(call), traits(t) {
  bool has_flag = false;
  for (const Argument& argument : schema.arguments) {
    mutates = mutates || argument.is_mutated;
    has_flag = has_flag || is_training_flag(argument);
    has_statistics = has_statistics || (is_statistic(argument) && !argument.is_mutated);
  }
  has_statistics = has_statistics && has_flag;
}

bool Operator::is_function() const {
  return has(traits::deterministic) && !has(traits::nondeterministic_seeded) && !has(traits::uninitialized) &&
         !mutates && !has_statistics;
}

bool may_draw(const Operator& op, const KnownArgument& argument) {
  if (op.is_unknown()) return true;
  if (!op.has(traits::nondeterministic_seeded)) return false;
  if (is_evaluation(op, argument)) return false;
  const std::vector<Argument>& arguments = op.schema.arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name != "dropout_p" && arguments[i].name != "dropout") continue;
    const IValue* share = argument(i);
    return !share || !share->is_number() || share->to_scalar().to_double() != 0;
  }
  return true;
}

bool may_update_statistics(const Operator& op, const KnownArgument& argument) {
  if (!op.has_statistics || is_evaluation(op, argument)) return false;
  // Statistics of the input alone are kept nowhere.
  const std::vector<Argument>& arguments = op.schema.arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!is_statistic(arguments[i])) continue;
    const IValue* kept = argument(i);
    if (!kept || !kept->is_none()) return true;
  }
  return false;
}

bool is_function_call(const Operator& op, const KnownArgument& argument) {
  return !op.is_unknown() && !op.has(traits::uninitialized) && !op.mutates && !may_draw(op, argument) &&
         !may_update_statistics(op, argument);
}

const Operator* functional_variant_of(const Operator& op) {
  const std::string& name = op.schema.name;
  if (!op.mutates || !name.ends_with('_') || name.ends_with("__")) return nullptr;
  const Operator* variant = find_operator(std::string_view(name).substr(0, name.size() - 1), op.schema.overload);
  if (!variant || variant->mutates || variant->schema.arguments.size() != op.schema.arguments.size() ||
      variant->schema.returns.size() != 1) {
    return nullptr;
  }
  for (size_t i = 0; i < op.schema.arguments.size(); ++i) {
    const Argument& a = op.schema.arguments[i];
    const Argument& b = variant->schema.arguments[i];
    if (a.name != b.name || !same_type(*a.type, *b.type) || a.is_mutated != (i == 0)) return nullptr;
  }
  return variant;
}

}  // namespace wick
