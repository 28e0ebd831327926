// If, loops, and leaving them early.
#include <algorithm>

#include "core/limits.h"
#include "frontend/script/lowerer.h"
#include "frontend/script/match.h"

namespace wick::script {

namespace {

bool leaves(Flow flow) { return flow == Flow::kExits || flow == Flow::kRaises; }

}  // namespace

// The value where a `type` is wanted, converted as an argument of a call would be.
ir::Value* Lowerer::fitted(ir::Value* value, const TypePtr& type) {
  value = convert_to(emit_, value, type);
  if (!emit_.fits(*value->type, *type)) {
    emit_.bad("expected a value of type '", type->str(), "' but found type '", value->type->str(), "'");
  }
  return value;
}

void Lowerer::refine(const Refinements& refinements) {
  for (const auto& [name, type] : refinements) {
    const Binding* before = lookup(name);
    if (!before || !before->what.is(SugarKind::kValue) || same_type(*before->what.value->type, *type)) continue;
    scope_->set(name, {Sugar::of(emit_.cast(before->what.value, type)), before->declared, true, {}});
  }
}

Lowerer::Branch Lowerer::branch(ir::Node* node, const Refinements& refinements, const std::function<Flow()>& body) {
  Branch out;
  out.block = emit_.graph().add_block(node);
  out.scope = std::make_unique<Scope>(scope_);
  ir::Block* const outer = std::exchange(emit_.block, out.block);
  scope_ = out.scope.get();
  refine(refinements);
  out.flow = body();
  scope_ = scope_->parent();
  emit_.block = outer;
  return out;
}

Flow Lowerer::if_statement(const Stmt& stmt) {
  const Condition test = condition(*stmt.value);
  if (test.known) {
    refine(*test.known ? test.yes : test.no);
    return statements(*test.known ? stmt.body : stmt.orelse);
  }
  ir::Node* node = emit_.node(ir::NodeKind::kIf, {test.value});
  Branch yes = branch(node, test.yes, [&] { return statements(stmt.body); });
  Branch no = branch(node, test.no, [&] { return statements(stmt.orelse); });
  return join(node, yes, no);
}

Flow Lowerer::rest_unless_exited(const std::function<Flow()>& rest) {
  ir::Node* node = emit_.node(ir::NodeKind::kIf, {scope_->find(kExit)->what.value});
  Branch yes = branch(node, {}, [] { return Flow::kExits; });
  Branch no = branch(node, {}, rest);
  return join(node, yes, no);
}

namespace {

bool is_usable(const Binding* b) { return b && b->problem.empty() && b->what.is(SugarKind::kValue); }

// The flow after an If whose branches flow so.
Flow joined_flow(Flow yes, Flow no) {
  if (leaves(yes) && leaves(no)) return yes == Flow::kRaises && no == Flow::kRaises ? Flow::kRaises : Flow::kExits;
  const bool exits = yes == Flow::kMaybe || no == Flow::kMaybe || yes == Flow::kExits || no == Flow::kExits;
  return exits ? Flow::kMaybe : Flow::kFalls;
}

}  // namespace

// Names assigned in the branches become outputs of the If.
Flow Lowerer::join(ir::Node* node, Branch& yes, Branch& no) {
  std::set<std::string_view> names;
  const bool one_leaves = leaves(yes.flow) != leaves(no.flow);
  for (const Branch* side : {&yes, &no}) {
    for (const auto& [name, binding] : side->scope->own()) {
      // What one branch knows better holds after it when the other does not come back.
      if (!binding.refined || (one_leaves && !leaves(side->flow))) names.insert(name);
    }
  }
  std::vector<TypePtr> types;
  std::vector<std::pair<std::string_view, TypePtr>> outputs;  // name, declared type
  for (std::string_view name : names) {
    const std::optional<JoinedName> joined = join_name(name, yes, no);
    if (!joined) continue;
    for (Branch* side : {&yes, &no}) side->values.push_back(result_of(*side, name, joined->type));
    types.push_back(joined->type);
    outputs.emplace_back(name, joined->declared);
  }
  const size_t before = node->outputs.size();
  join_values(node, yes, no, types);
  for (size_t i = 0; i < outputs.size(); ++i) {
    ir::Value* out = node->outputs[before + i];
    if (!outputs[i].first.starts_with("$")) out->name = outputs[i].first;
    scope_->set(outputs[i].first, {Sugar::of(out), outputs[i].second, false, {}});
  }
  return joined_flow(yes.flow, no.flow);
}

std::optional<Lowerer::JoinedName> Lowerer::join_name(std::string_view name, const Branch& yes, const Branch& no) {
  const Binding* a = yes.scope->find(name);
  const Binding* b = no.scope->find(name);
  const bool hidden = name.starts_with("$");
  const bool a_left = leaves(yes.flow) && !hidden;
  const bool b_left = leaves(no.flow) && !hidden;
  if (a_left && b_left) return std::nullopt;
  if ((!is_usable(a) && !a_left) || (!is_usable(b) && !b_left)) {
    // Functions and classes under a name are not values: they stay when only one side can define them.
    const Binding* alias = a_left ? b : b_left ? a : nullptr;
    if (alias && alias->problem.empty()) {
      scope_->set(name, *alias);
    } else {
      scope_->set(name, {{}, nullptr, false, cat(name, " is not defined in every branch of the if before it")});
    }
    return std::nullopt;
  }
  const Binding* known = scope_->find(name);
  TypePtr declared = known ? known->declared : nullptr;
  if (a_left || b_left) return JoinedName{(a_left ? b : a)->what.value->type, declared};
  if (a->what.value == b->what.value) {
    scope_->set(name, {a->what, declared, false, {}});
    return std::nullopt;
  }
  if (!declared && a->declared && b->declared && same_type(*a->declared, *b->declared)) declared = a->declared;
  TypePtr type = emit_.unify(a->what.value->type, b->what.value->type, declared != nullptr);
  if (!type) {
    scope_->set(name, {{},
                       nullptr,
                       false,
                       cat("Type mismatch: ", name, " is set to type ", a->what.value->type->str(),
                           " in the true branch and type ", b->what.value->type->str(), " in the false branch")});
    return std::nullopt;
  }
  return JoinedName{std::move(type), std::move(declared)};
}

// A name's value at the end of a branch, or a placeholder where the branch does not come back with one.
ir::Value* Lowerer::result_of(Branch& side, std::string_view name, const TypePtr& type) {
  const Binding* binding = side.scope->find(name);
  if (is_usable(binding) && emit_.fits(*binding->what.value->type, *type)) return binding->what.value;
  ir::Block* const outer = std::exchange(emit_.block, side.block);
  ir::Value* placeholder = emit_.uninitialized(type);
  emit_.block = outer;
  return placeholder;
}

void Lowerer::join_values(ir::Node* node, Branch& yes, Branch& no, const std::vector<TypePtr>& types) {
  emit_.graph().set_results(yes.block, yes.values);
  emit_.graph().set_results(no.block, no.values);
  for (const TypePtr& type : types) emit_.output(node, type);
}

ir::Value* Lowerer::if_value(ir::Value* condition, const std::function<ir::Value*()>& yes,
                             const std::function<ir::Value*()>& no) {
  ir::Node* node = emit_.node(ir::NodeKind::kIf, {condition});
  auto side = [&](const std::function<ir::Value*()>& body) {
    ir::Value* result = nullptr;
    Branch out = branch(node, {}, [&] {
      result = body();
      return Flow::kFalls;
    });
    out.values = {result};
    return out;
  };
  Branch a = side(yes);
  Branch b = side(no);
  TypePtr type = emit_.unify(a.values[0]->type, b.values[0]->type, /*any_union=*/true);
  join_values(node, a, b, {type});
  return node->outputs[0];
}

// Whether a loop has another turn after a body that flows so: nothing in it left the loop, and the condition holds.
ir::Value* Lowerer::next_turn(Flow flow, bool returns, const Expr* condition) {
  ir::Value* stop = nullptr;
  if (flow == Flow::kMaybe || flow == Flow::kExits) {
    stop = scope_->find(kBroke)->what.value;
    if (returns) stop = emit_.op("aten::__or__.bool", {stop, scope_->find(kReturned)->what.value});
  }
  auto test = [&] { return condition ? value_of(this->condition(*condition)) : emit_.constant(IValue(true)); };
  if (stop && condition) {
    return if_value(
        stop, [&] { return emit_.constant(IValue(false)); }, test);
  }
  return stop ? emit_.op("aten::__not__", {stop}) : test();
}

// A loop: `condition` is tested before each turn when there is one; `begin` gets the index of the turn.
Flow Lowerer::loop(Statements body, std::set<std::string_view> targets, ir::Value* max, const Expr* condition,
                   const std::function<void(ir::Value*)>& begin) {
  const Effects effects = effects_of(body);
  targets.insert(effects.assigned.begin(), effects.assigned.end());
  if (effects.returns) targets.insert({kReturned, kResult});

  ir::Value* first = condition ? value_of(this->condition(*condition)) : emit_.constant(IValue(true));
  ir::Node* node = emit_.node(ir::NodeKind::kLoop, {max, first});
  ir::Block* const inner = emit_.graph().add_block(node);
  ir::Value* const index = emit_.graph().add_param(inner, types::integer());
  Scope scope(scope_);
  struct Carried {
    std::string_view name;
    TypePtr declared;
    ir::Value* param;
  };
  std::vector<Carried> carried;
  for (std::string_view name : targets) {
    const Binding* before = lookup(name);
    if (!before || !before->problem.empty() || !before->what.is(SugarKind::kValue)) continue;
    const TypePtr type = before->declared && !before->refined ? before->declared : before->what.value->type;
    ir::Value* initial = before->what.value;
    emit_.graph().add_input(node, initial);
    emit_.charge();
    ir::Value* param = emit_.graph().add_param(inner, type, name.starts_with("$") ? "" : std::string(name));
    carried.push_back({name, before->declared, param});
    scope.set(name, {Sugar::of(param), before->declared, false, {}});
  }

  ir::Block* const outer = std::exchange(emit_.block, inner);
  scope_ = &scope;
  ++loop_depth_;
  if (effects.breaks || effects.returns) {
    set_flag(kExit, false);
    set_flag(kBroke, false);
  }
  begin(index);
  const Flow flow = statements(body);
  --loop_depth_;

  std::vector<ir::Value*> results{next_turn(flow, effects.returns, condition)};
  for (const Carried& c : carried) {
    const Binding* after = scope_->find(c.name);
    if (!after->problem.empty() || !after->what.is(SugarKind::kValue)) emit_.bad(after->problem);
    ir::Value* value = after->what.value;
    if (is_unknown(*c.param->type)) c.param->type = value->type;
    if (!emit_.fits(*value->type, *c.param->type)) {
      emit_.bad("Variable '", c.name, "' previously had type ", c.param->type->str(),
                " but is now being assigned to a value of type ", value->type->str());
    }
    results.push_back(value);
  }
  emit_.graph().set_results(inner, std::move(results));
  scope_ = scope.parent();
  emit_.block = outer;
  for (const Carried& c : carried) {
    ir::Value* out = emit_.output(node, c.param->type);
    out->name = c.param->name;
    scope_->set(c.name, {Sugar::of(out), c.declared, false, {}});
  }
  if (!effects.returns || flow == Flow::kFalls || flow == Flow::kRaises) return Flow::kFalls;
  set(kExit, scope_->find(kReturned)->what.value);
  return Flow::kMaybe;
}

}  // namespace wick::script
