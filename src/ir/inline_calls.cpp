// Inlines calls of functions whose targets are known before running, for writers and passes.
#include "ir/inline_calls.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/check.h"
#include "core/limits.h"
#include "ir/clone.h"
#include "ir/verify.h"

namespace wick::ir {

namespace {

constexpr size_t kMaxNodes = 1 << 22;  // of one function after inlining

// Futures are gone once forks run on the spot: the type of what they hold.
TypePtr without_futures(const TypePtr& type) {
  if (type->is(TypeKind::kFuture)) return without_futures(type->element(0));
  bool changed = false;
  std::vector<TypePtr> elements;
  for (const TypePtr& element : type->elements()) {
    elements.push_back(without_futures(element));
    changed = changed || elements.back() != element;
  }
  return changed ? types::make(type->kind(), std::move(elements), type->name(), type->fields()) : type;
}

class Inliner final : Cloner {
 public:
  Inliner(const Program& program, const Bodies& bodies, InlinedFunction& out)
      : Cloner(out.function->graph), program_(program), bodies_(bodies), out_(out) {}

  void run(const Function& function) {
    Values values;
    values_ = &values;
    active_.push_back(&function);
    clone_block(*bodies_.own(function).body(), graph().body());
    debug_verify(*out_.function, "inlining for lite bytecode");
  }

 private:
  using Values = std::unordered_map<const Value*, Value*>;

  Value* get(const Value* from) override {
    const auto it = values_->find(from);
    WICK_CHECK(it != values_->end(), kInternal, "value ", from->id, " is used before it is defined");
    return it->second;
  }
  void set(const Value* from, Value* to) override { (*values_)[from] = to; }
  TypePtr type_in_copy(const TypePtr& type) override { return without_futures(type); }

  void visit(const Node& node, Block* to) override {
    WICK_CHECK(depth() <= limits::kMaxBlockDepth, kLimitExceeded, "more than ", limits::kMaxBlockDepth,
               " nested ifs and loops in ", out_.function->name);
    WICK_CHECK(++nodes_ <= kMaxNodes, kLimitExceeded, "function ", out_.function->name, " has more than ", kMaxNodes,
               " steps once calls are inlined");
    if (const Function* callee = callee_of(node)) {
      inline_call(node, *callee, to);
    } else if (is_wait(node)) {
      set(node.outputs.at(0), get(node.inputs.at(0)));
    } else {
      const Node* copy = clone_node(node, to);
      if (site_ >= 0) out_.site_of[copy] = site_;
    }
  }

  const Function* callee_of(const Node& node) const {
    if (node.kind == NodeKind::kCallFunction || node.kind == NodeKind::kFork) {
      WICK_CHECK(node.callee, kInternal, "a call in ", active_.back()->name, " calls nothing");
      return node.callee;
    }
    if (node.kind != NodeKind::kCallMethod || program_.kind != FileKind::kTorchScript || node.inputs.empty())
      return nullptr;
    const Type& type = *node.inputs[0]->type;
    return type.is(TypeKind::kClass) ? program_.find(cat(type.name(), ".", node.name)) : nullptr;
  }

  static bool is_wait(const Node& node) {
    return node.kind == NodeKind::kWait || (node.kind == NodeKind::kOp && node.op_name == "aten::wait");
  }

  void inline_call(const Node& node, const Function& callee, Block* to) {
    WICK_CHECK(
        active_.size() <= limits::kMaxCallDepth && std::find(active_.begin(), active_.end(), &callee) == active_.end(),
        kLimitExceeded, callee.name, " calls itself: it cannot be written as lite bytecode");
    const Block& body = *bodies_.called(callee).body();
    WICK_CHECK(body.params.size() == node.inputs.size() && body.results.size() == node.outputs.size(), kInternal,
               "a call of ", callee.name, " does not fit its signature");
    Values inner;
    for (size_t i = 0; i < body.params.size(); ++i) inner[body.params[i]] = get(node.inputs[i]);
    const int32_t outer_site = std::exchange(site_, static_cast<int32_t>(out_.sites.size()));
    out_.sites.push_back(site_of_call(node, callee, outer_site));
    Values* const outer = std::exchange(values_, &inner);
    active_.push_back(&callee);
    clone_nodes(body, to);
    std::vector<Value*> results;
    for (const Value* result : body.results) results.push_back(get(result));
    active_.pop_back();
    values_ = outer;
    site_ = outer_site;
    for (size_t i = 0; i < node.outputs.size(); ++i) set(node.outputs[i], results[i]);
  }

  static InlinedCall site_of_call(const Node& node, const Function& callee, int32_t outer) {
    InlinedCall site;
    site.outer = outer;
    site.source = node.source;
    site.function = callee.own_name();
    // A method's name is that of its class and its own.
    const std::string cls =
        callee.name.substr(0, callee.name.size() - std::min(callee.name.size(), site.function.size() + 1));
    if (!node.inputs.empty() && node.inputs[0]->type->is(TypeKind::kClass) && node.inputs[0]->type->name() == cls) {
      const Node* object = node.inputs[0]->def;
      site.class_name = cls;
      site.caller_object = object && object->kind == NodeKind::kGetAttr ? object->name : "<SELF>";
    }
    return site;
  }

  const Program& program_;
  const Bodies& bodies_;
  InlinedFunction& out_;
  Values* values_ = nullptr;             // of the body that is being copied
  std::vector<const Function*> active_;  // the calls that are being inlined, outermost first
  int32_t site_ = -1;
  size_t nodes_ = 0;
};

// Methods that are looked up by name when they are run.
void names_called(const Block& block, std::vector<std::string>& out) {
  for (const Node* node : block.nodes) {
    if (node->kind == NodeKind::kCallMethod) out.push_back(node->name);
    for (const Block* inner : node->blocks) names_called(*inner, out);
  }
}

// Classes of the module and of everything below it, each once.
class ClassesBelow {
 public:
  std::vector<std::string> run(const IValue& root) {
    visit(root, 0);
    return std::move(names_);
  }

 private:
  void visit(const IValue& value, size_t depth) {
    const void* ref = value.ref_or_null();
    if (depth > limits::kMaxPickleDepth || !ref || !seen_.insert(ref).second) return;
    if (value.is_object()) {
      const ObjectImpl& object = value.to_object();
      if (known_.insert(object.cls->name).second) names_.push_back(object.cls->name);
      for (size_t i = 0; i < object.slot_count(); ++i) visit(object.get(i), depth + 1);
    } else if (value.is_list()) {
      for (const IValue& item : value.to_list().items) visit(item, depth + 1);
    } else if (value.is_tuple()) {
      for (const IValue& item : value.to_tuple().items) visit(item, depth + 1);
    } else if (value.is_dict()) {
      for (const auto& [key, item] : value.to_dict().entries()) visit(item, depth + 1);
    }
  }

  std::vector<std::string> names_;
  std::unordered_set<std::string> known_;
  std::unordered_set<const void*> seen_;
};

bool is_method_of(const Function& function, const std::string& class_name) {
  return function.name.size() > class_name.size() + 1 && function.name.starts_with(class_name) &&
         function.name[class_name.size()] == '.' &&
         function.name.find('.', class_name.size() + 1) == std::string::npos && !function.schema.arguments.empty() &&
         function.schema.arguments[0].type->name() == class_name;
}

class Selection {
 public:
  Selection(const Program& program, const Bodies& bodies) : program_(program), bodies_(bodies) {}

  std::vector<InlinedFunction> run() {
    classes_ = ClassesBelow().run(program_.root);
    const std::string& root = program_.root.to_object().cls->name;
    for (const auto& function : program_.functions) {
      if (is_method_of(*function, root) && !program_.is_hook(*function)) add(function.get());
    }
    for (const std::string& name : classes_) {
      Function* setstate = program_.find(name + ".__setstate__");
      Function* getstate = program_.find(name + ".__getstate__");
      if (!setstate || !getstate) continue;
      add(setstate);
      add(getstate);
    }
    for (size_t i = 0; i < out_.size(); ++i) {
      std::vector<std::string> names;
      names_called(*out_[i].function->graph.body(), names);
      for (const std::string& name : names) add_methods(name);
    }
    return std::move(out_);
  }

 private:
  void add(const Function* function) {
    if (function && added_.insert(function).second) out_.push_back(inline_calls(program_, *function, bodies_));
  }
  void add_methods(const std::string& name) {
    if (!looked_up_.insert(name).second) return;
    for (const std::string& cls : classes_) add(program_.find(cat(cls, ".", name)));
  }

  const Program& program_;
  const Bodies& bodies_;
  std::vector<std::string> classes_;
  std::vector<InlinedFunction> out_;
  std::unordered_set<const Function*> added_;
  std::unordered_set<std::string> looked_up_;
};

}  // namespace

Bodies plain_bodies() {
  const auto own = [](const Function& function) -> const Graph& { return function.graph; };
  return {own, own};
}

InlinedFunction inline_calls(const Program& program, const Function& function, const Bodies& bodies) {
  InlinedFunction out;
  out.function = function_like(function);
  Inliner(program, bodies, out).run(function);
  return out;
}

std::vector<InlinedFunction> functions_to_write(const Program& program, const Bodies& bodies) {
  if (program.kind == FileKind::kTorchScript) return Selection(program, bodies).run();
  std::vector<InlinedFunction> out;
  for (const auto& function : program.functions) out.push_back(inline_calls(program, *function, bodies));
  return out;
}

}  // namespace wick::ir
