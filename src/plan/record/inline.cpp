#include "plan/record/inline.h"

#include "core/check.h"
#include "core/selection.h"
#include "ir/verify.h"
#include "plan/record/changed.h"

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

// Without these in any code there is nothing to inline.
constexpr bool kHasCalls =
    selects_node("CallFunction") || selects_node("CallMethod") || selects_node("GetAttr") || selects_node("SetAttr");

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

class Inliner {
 public:
  Inliner(const Program& program, const Function& method)
      : program_(program), changed_(program), out_(std::make_unique<Function>()) {
    out_->name = method.name;
    out_->schema = method.schema;
    out_->has_schema = method.has_schema;
    Scope scope(method, -1);
    const std::vector<Value*>& params = method.graph.peek()->params;
    for (size_t i = 0; i < params.size(); ++i) {
      scope[params[i]].value = graph().add_param(graph().body(), params[i]->type, params[i]->name);
    }
    if (!params.empty() && program.root.is_object()) {
      scope[params[0]].known = true;
      scope[params[0]].constant = program.root;
    }
    stack_.push_back(&method);
    copy_nodes(scope, *method.graph.peek(), graph().body());
    set_results(scope, *method.graph.peek(), graph().body());
    ir::debug_verify(*out_, "inlining");
  }
  Inlined take() {
    ir::Function* const function = out_.get();
    return {std::move(out_), function, changed_.take_constants(), std::move(unchanging_)};
  }

 private:
  Graph& graph() { return out_->graph; }

  // The value in the copy; a known one becomes a constant at the start of the function, where every block sees it.
  Value* value_of(Binding& binding) {
    if (!binding.value) {
      Block* body = graph().body();
      Node* node = body->nodes.empty() ? graph().append(body, NodeKind::kConstant)
                                       : graph().insert_before(body->nodes.front(), NodeKind::kConstant);
      node->constant = binding.constant;
      binding.value = graph().add_output(node, binding.constant.type());
    }
    return binding.value;
  }

  void set_results(Scope& scope, const Block& from, Block* to) {
    std::vector<Value*> results;
    for (const Value* v : from.results) results.push_back(value_of(scope[v]));
    graph().set_results(to, std::move(results));
  }

  void copy_nodes(Scope& scope, const Block& from, Block* to) {
    for (const Node* node : from.nodes) copy_node(scope, *node, to);
  }

  void copy_node(Scope& scope, const Node& node, Block* to) {
    switch (node.kind) {
      case NodeKind::kConstant:
        scope[node.outputs[0]].known = true;
        scope[node.outputs[0]].constant = node.constant;
        return;
      case NodeKind::kGetAttr: {
        bool unchanged = false;
        if (read_attribute(scope, node, unchanged)) return;
        const Node* copy = clone(scope, node, to);
        if (unchanged) unchanging_.insert(copy);
        return;
      }
      case NodeKind::kIf: {
        const Binding& condition = scope[node.inputs[0]];
        if (!condition.known || !condition.constant.is_bool()) break;
        const Block& taken = *node.blocks[condition.constant.to_bool() ? 0 : 1];
        copy_nodes(scope, taken, to);
        for (size_t i = 0; i < node.outputs.size(); ++i) scope[node.outputs[i]] = scope[taken.results[i]];
        return;
      }
      case NodeKind::kCallFunction:
        if (inline_call(scope, node, node.callee, to)) return;
        break;
      case NodeKind::kCallMethod:
        if (inline_call(scope, node, method_of(scope, node), to)) return;
        break;
      default:
        break;
    }
    clone(scope, node, to);
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

  bool inline_call(Scope& scope, const Node& node, Function* callee, Block* to) {
    if (!callee || copied_ > kMaxNodes) return false;
    const Block& body = *callee->graph.peek();
    if (body.params.size() != node.inputs.size() || body.results.size() != node.outputs.size()) return false;
    for (const Function* f : stack_) {
      if (f == callee) return false;
    }
    out_->call_sites.push_back({scope.function.name, callee->name, node.source, scope.call_site});
    Scope inner(*callee, static_cast<int32_t>(out_->call_sites.size()) - 1);
    for (size_t i = 0; i < node.inputs.size(); ++i) inner[body.params[i]] = scope[node.inputs[i]];
    stack_.push_back(callee);
    copy_nodes(inner, body, to);
    stack_.pop_back();
    for (size_t i = 0; i < node.outputs.size(); ++i) scope[node.outputs[i]] = inner[body.results[i]];
    return true;
  }

  Node* clone(Scope& scope, const Node& node, Block* to) {
    ++copied_;
    std::vector<Value*> inputs;
    for (const Value* v : node.inputs) inputs.push_back(value_of(scope[v]));
    Node* copy = graph().append(to, node.kind, std::move(inputs));
    copy_attributes(node, *copy);
    copy->call_site = scope.call_site;
    for (const Block* inner : node.blocks) {
      Block* block = graph().add_block(copy);
      for (const Value* p : inner->params) scope[p].value = graph().add_param(block, p->type, p->name);
      copy_nodes(scope, *inner, block);
      set_results(scope, *inner, block);
    }
    for (const Value* v : node.outputs) scope[v].value = graph().add_output(copy, v->type, v->name);
    return copy;
  }

  const Program& program_;
  ChangedAttributes changed_;
  std::unique_ptr<Function> out_;
  WordSet unchanging_;
  std::vector<const Function*> stack_;
  size_t copied_ = 0;
};

}  // namespace

Inlined inline_calls(const ir::Program& program, const ir::Function& method) {
  const std::lock_guard lock(program.graphs_mutex);
  if constexpr (kHasCalls) {
    Inlined out = Inliner(program, method).take();
    for (const auto& f : program.functions) f->graph.release();
    return out;
  } else {
    return {nullptr, &method, selects_in_place() ? ChangedAttributes(program).take_constants() : Storages(), {}};
  }
}

}  // namespace wick::plan
