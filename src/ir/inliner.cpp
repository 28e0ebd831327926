// Inlines calls: scopes of values, call sites, and the bounds on depth and size.
#include "ir/inliner.h"

#include <algorithm>

#include "core/check.h"
#include "core/limits.h"

namespace wick::ir {

InlineBudget::InlineBudget(const Program& program) : most_(limits::kFreelyInlinedNodes) {
  for (const auto& f : program.functions) most_ += limits::kInlinedNodesPerValue * f->graph.value_count();
  most_ = std::min(most_, limits::kMaxInlinedNodes);
}

void Inliner::run(const Function& function, const IValue* self) {
  const Block& body = body_of(function, /*is_called=*/false);
  Scope scope{function, nullptr, -1, std::vector<Binding>(body.graph->value_count())};
  scope_ = &scope;
  Block* to = graph().body();
  for (const Value* param : body.params) set(param, graph().add_param(to, type_in_copy(param->type), param->name));
  if (self && !body.params.empty()) {
    binding(body.params[0]).known = true;
    binding(body.params[0]).constant = *self;
  }
  clone_nodes(body, to);
  clone_results(body, to);
  scope_ = nullptr;
}

// What is known becomes a constant at the start of the function, where every block sees it.
Value* Inliner::get(const Value* from) {
  Binding& found = binding(from);
  if (!found.value) {
    WICK_CHECK(found.known, kInternal, "value ", from->id, " is used before it is defined");
    Block* body = graph().body();
    Node* node = body->nodes.empty() ? graph().append(body, NodeKind::kConstant)
                                     : graph().insert_before(body->nodes.front(), NodeKind::kConstant);
    node->constant = found.constant;
    found.value = graph().add_output(node, found.constant.type());
  }
  return found.value;
}

Node* Inliner::copy(const Node& node, Block* to) {
  Node* made = clone_node(node, to);
  made->call_site = scope_->call_site;
  return made;
}

void Inliner::visit(const Node& node, Block* to) {
  if (calls_ > 0) budget_.spend(1);
  if (replace(node, to)) return;
  if (const Function* callee = callee_of(node)) {
    const Block& body = body_of(*callee, /*is_called=*/true);
    const Refusal why = refusal(node, *callee, body);
    if (why == Refusal::kNone) return inline_call(node, *callee, body, to);
    on_refused(*callee, why);
  }
  copy(node, to);
}

Inliner::Refusal Inliner::refusal(const Node& node, const Function& callee, const Block& body) const {
  if (body.params.size() != node.inputs.size() || body.results.size() != node.outputs.size()) {
    return Refusal::kWrongSignature;
  }
  for (const Scope* scope = scope_; scope; scope = scope->outer) {
    if (&scope->function == &callee) return Refusal::kCallsItself;
  }
  if (calls_ >= limits::kMaxInlineDepth || depth() >= limits::kMaxBlockDepth) return Refusal::kNestsDeep;
  return budget_.is_spent() ? Refusal::kGrowsLarge : Refusal::kNone;
}

void Inliner::inline_call(const Node& node, const Function& callee, const Block& body, Block* to) {
  Scope& outer = *scope_;
  // Tables of values and names of calls take memory too.
  budget_.spend(1 + (body.graph->value_count() + outer.function.name.size() + callee.name.size()) / 32);
  out_.call_sites.push_back({outer.function.name, callee.name, node.source, outer.call_site});
  on_inlined(node, callee);
  Scope inner{callee, &outer, static_cast<int32_t>(out_.call_sites.size()) - 1,
              std::vector<Binding>(body.graph->value_count())};
  for (size_t i = 0; i < node.inputs.size(); ++i) inner.bindings[body.params[i]->id] = binding(node.inputs[i]);
  scope_ = &inner;
  ++calls_;
  clone_nodes(body, to);
  --calls_;
  scope_ = &outer;
  for (size_t i = 0; i < node.outputs.size(); ++i) binding(node.outputs[i]) = inner.bindings[body.results[i]->id];
}

}  // namespace wick::ir
