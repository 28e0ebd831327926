// Inlines calls of functions whose targets are known before running, for writers and passes.
#include "ir/inline_calls.h"

#include <algorithm>
#include <unordered_set>

#include "core/check.h"
#include "core/limits.h"
#include "ir/verify.h"

namespace wick::ir {

namespace {

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

// Inlines every call whose target the program's text tells, or fails.
class StaticInliner final : Inliner {
 public:
  StaticInliner(const Program& program, const Bodies& bodies, InlineBudget& budget, InlinedFunction& out)
      : Inliner(*out.function, budget), program_(program), bodies_(bodies), budget_(budget), out_(out) {}

  void run(const Function& function) {
    Inliner::run(function);
    debug_verify(*out_.function, "inlining for lite bytecode");
  }

 private:
  TypePtr type_in_copy(const TypePtr& type) override { return without_futures(type); }
  const Block& body_of(const Function& function, bool is_called) override {
    return *(is_called ? bodies_.called : bodies_.own)(function).body();
  }

  const Function* callee_of(const Node& node) override {
    if (node.kind == NodeKind::kCallFunction || node.kind == NodeKind::kFork) {
      WICK_CHECK(node.callee, kInternal, "a call in ", current().name, " calls nothing");
      return node.callee;
    }
    if (node.kind != NodeKind::kCallMethod || program_.kind != FileKind::kTorchScript || node.inputs.empty())
      return nullptr;
    const Type& type = *node.inputs[0]->type;
    return type.is(TypeKind::kClass) ? program_.find(cat(type.name(), ".", node.name)) : nullptr;
  }

  // A fork was run on the spot: its future is the value.
  bool replace(const Node& node, Block*) override {
    WICK_CHECK(depth() <= limits::kMaxBlockDepth, kLimitExceeded, "more than ", limits::kMaxBlockDepth,
               " nested ifs and loops in ", out_.function->name);
    if (node.kind != NodeKind::kWait && !(node.kind == NodeKind::kOp && node.op_name == "aten::wait")) return false;
    binding(node.outputs.at(0)) = binding(node.inputs.at(0));
    return true;
  }

  void on_inlined(const Node& node, const Function& callee) override {
    CalledObject& called = out_.objects.emplace_back();
    // A method's name is that of its class and its own.
    const std::string_view cls =
        std::string_view(callee.name)
            .substr(0, callee.name.size() - std::min(callee.name.size(), callee.own_name().size() + 1));
    if (node.inputs.empty() || !node.inputs[0]->type->is(TypeKind::kClass) || node.inputs[0]->type->name() != cls) {
      return;
    }
    const Node* object = node.inputs[0]->def;
    called.class_name = cls;
    called.name = object && object->kind == NodeKind::kGetAttr ? object->name : "<SELF>";
  }

  void on_refused(const Function& callee, Refusal why) override {
    WICK_CHECK(why != Refusal::kCallsItself, kLimitExceeded, callee.name,
               " calls itself: it cannot be written as lite bytecode");
    WICK_CHECK(why != Refusal::kNestsDeep, kLimitExceeded, "calls in ", out_.function->name, " nest deeper than ",
               limits::kMaxInlineDepth, ", or their ifs and loops deeper than ", limits::kMaxBlockDepth,
               ": they cannot be inlined");
    WICK_CHECK(why != Refusal::kGrowsLarge, kLimitExceeded, "the program would have more than ", budget_.most(),
               " nodes with the calls in ", out_.function->name,
               " inlined: its functions call each other too many times");
    WICK_CHECK(false, kInternal, "a call of ", callee.name, " does not fit its signature");
  }

  const Program& program_;
  const Bodies& bodies_;
  const InlineBudget& budget_;
  InlinedFunction& out_;
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
  Selection(const Program& program, InlineBudget& budget, const Bodies& bodies)
      : program_(program), budget_(budget), bodies_(bodies) {}

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
    if (!function || !added_.insert(function).second) return;
    out_.push_back(inline_calls(program_, *function, budget_, bodies_));
  }
  void add_methods(const std::string& name) {
    if (!looked_up_.insert(name).second) return;
    for (const std::string& cls : classes_) add(program_.find(cat(cls, ".", name)));
  }

  const Program& program_;
  InlineBudget& budget_;
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

InlinedFunction inline_calls(const Program& program, const Function& function, InlineBudget& budget,
                             const Bodies& bodies) {
  InlinedFunction out{function_like(function), {}};
  StaticInliner(program, bodies, budget, out).run(function);
  return out;
}

std::vector<InlinedFunction> functions_to_write(const Program& program) {
  InlineBudget budget(program);
  return functions_to_write(program, budget, plain_bodies());
}

std::vector<InlinedFunction> functions_to_write(const Program& program, InlineBudget& budget, const Bodies& bodies) {
  if (program.kind == FileKind::kTorchScript) return Selection(program, budget, bodies).run();
  std::vector<InlinedFunction> out;
  for (const auto& function : program.functions) out.push_back(inline_calls(program, *function, budget, bodies));
  return out;
}

}  // namespace wick::ir
