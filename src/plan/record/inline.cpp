// Inlines calls and attributes of the root module, and takes the branches that they decide.
#include "plan/record/inline.h"

#include "config/build.h"
#include "core/check.h"
#include "ir/changed_attributes.h"
#include "ir/clone.h"
#include "ir/verify.h"

namespace wick::plan {
namespace {

using ir::Block;
using ir::Function;
using ir::Graph;
using ir::Node;
using ir::NodeKind;
using ir::Program;
using ir::Value;

// A program larger than this after inlining keeps its remaining calls.
constexpr size_t kMaxNodes = 200'000;

// What a value of the source graph is in the copy: a value, or something known already (both, once it was needed).
struct Binding {
  Value* value = nullptr;
  bool known = false;
  IValue constant;
};

// One body being copied.
struct Scope {
  const Function& function;
  int32_t call_site;
  std::vector<Binding> bindings;  // by value id

  Scope(const Function& f, int32_t site) : function(f), call_site(site), bindings(f.graph.value_count()) {}
  Binding& operator[](const Value* v) { return bindings[v->id]; }
};

class Inliner final : ir::Cloner {
 public:
  Inliner(const Program& program, Function& out)
      : ir::Cloner(out.graph), program_(program), changed_(program), out_(out) {}

  void run(const Function& method) {
    const Block& body = *method.graph.peek();
    Scope scope(method, -1);
    scope_ = &scope;
    for (const Value* param : body.params) set(param, graph().add_param(graph().body(), param->type, param->name));
    if (!body.params.empty() && program_.root.is_object()) {
      scope[body.params[0]].known = true;
      scope[body.params[0]].constant = program_.root;
    }
    stack_.push_back(&method);
    clone_nodes(body, graph().body());
    clone_results(body, graph().body());
    ir::debug_verify(out_, "inlining");
  }
  WordSet take_changed_constants() { return changed_.take_constants(); }
  WordSet take_unchanging() { return std::move(unchanging_); }

 private:
  // A known value becomes a constant at the start of the function, where every block sees it.
  Value* get(const Value* from) override {
    Binding& binding = (*scope_)[from];
    if (!binding.value) {
      Block* body = graph().body();
      Node* node = body->nodes.empty() ? graph().append(body, NodeKind::kConstant)
                                       : graph().insert_before(body->nodes.front(), NodeKind::kConstant);
      node->constant = binding.constant;
      binding.value = graph().add_output(node, binding.constant.type());
    }
    return binding.value;
  }
  void set(const Value* from, Value* to) override { (*scope_)[from].value = to; }

  void visit(const Node& node, Block* to) override {
    Scope& scope = *scope_;
    switch (node.kind) {
      case NodeKind::kConstant:
        scope[node.outputs[0]].known = true;
        scope[node.outputs[0]].constant = node.constant;
        return;
      case NodeKind::kGetAttr: {
        if constexpr (!build::kObjects) break;
        bool unchanged = false;
        if (read_attribute(scope, node, unchanged)) return;
        const Node* copy = clone(node, to);
        if (unchanged) unchanging_.insert(copy);
        return;
      }
      case NodeKind::kIf: {
        const Binding& condition = scope[node.inputs[0]];
        if (!condition.known || !condition.constant.is_bool()) break;
        const Block& taken = *node.blocks[condition.constant.to_bool() ? 0 : 1];
        clone_nodes(taken, to);
        for (size_t i = 0; i < node.outputs.size(); ++i) scope[node.outputs[i]] = scope[taken.results[i]];
        return;
      }
      case NodeKind::kCallFunction:
        if (build::kObjects && inline_call(node, node.callee, to)) return;
        break;
      case NodeKind::kCallMethod:
        if (build::kObjects && inline_call(node, method_of(scope, node), to)) return;
        break;
      default:
        break;
    }
    clone(node, to);
  }

  Node* clone(const Node& node, Block* to) {
    ++copied_;
    Node* copy = clone_node(node, to);
    copy->call_site = scope_->call_site;
    return copy;
  }

  // False: it stays an attribute; `unchanged` says that no code changes it.
  bool read_attribute(Scope& scope, const Node& node, bool& unchanged) {
    const Binding& object = scope[node.inputs[0]];
    if (!object.known || !object.constant.is_object()) return false;
    const ObjectImpl& o = object.constant.to_object();
    const int64_t slot = node.index >= 0 ? node.index : o.cls->slot_of(node.name);
    if (slot < 0 || static_cast<size_t>(slot) >= o.slot_count()) return false;
    const std::string name =
        static_cast<size_t>(slot) < o.cls->attributes.size() ? o.cls->attributes[static_cast<size_t>(slot)] : node.name;
    if (changed_.contains(name, slot)) return false;
    unchanged = true;
    IValue value = o.get(static_cast<size_t>(slot));
    // What a container holds may be changed through another reference to it.
    if (value.is_list() || value.is_dict()) return false;
    Binding& out = scope[node.outputs[0]];
    out.known = true;
    out.constant = std::move(value);
    return true;
  }

  Function* method_of(Scope& scope, const Node& node) {
    const Binding& self = scope[node.inputs[0]];
    if (self.known) {
      return self.constant.is_object() ? program_.find_method(self.constant.to_object(), node.name) : nullptr;
    }
    const Type& type = *self.value->type;
    return type.is(TypeKind::kClass) ? program_.find(cat(type.name(), ".", node.name)) : nullptr;
  }

  bool inline_call(const Node& node, const Function* callee, Block* to) {
    if (!callee || copied_ > kMaxNodes) return false;
    const Block& body = *callee->graph.peek();
    if (body.params.size() != node.inputs.size() || body.results.size() != node.outputs.size()) return false;
    for (const Function* f : stack_) {
      if (f == callee) return false;
    }
    Scope& scope = *scope_;
    out_.call_sites.push_back({scope.function.name, callee->name, node.source, scope.call_site});
    Scope inner(*callee, static_cast<int32_t>(out_.call_sites.size()) - 1);
    for (size_t i = 0; i < node.inputs.size(); ++i) inner[body.params[i]] = scope[node.inputs[i]];
    stack_.push_back(callee);
    scope_ = &inner;
    clone_nodes(body, to);
    scope_ = &scope;
    stack_.pop_back();
    for (size_t i = 0; i < node.outputs.size(); ++i) scope[node.outputs[i]] = inner[body.results[i]];
    return true;
  }

  const Program& program_;
  ir::ChangedAttributes changed_;
  Function& out_;
  Scope* scope_ = nullptr;  // the body that is being copied
  WordSet unchanging_;
  std::vector<const Function*> stack_;
  size_t copied_ = 0;
};

}  // namespace

Inlined inline_calls(const ir::Program& program, const ir::Function& method) {
  const std::lock_guard lock(program.graphs_mutex);
  std::unique_ptr<Function> copy = ir::function_like(method);
  Inliner inliner(program, *copy);
  inliner.run(method);
  const Function* const function = copy.get();
  Inlined out{std::move(copy), function, inliner.take_changed_constants(), inliner.take_unchanging()};
  for (const auto& f : program.functions) f->graph.release();
  return out;
}

}  // namespace wick::plan
