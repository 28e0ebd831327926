// Inlines calls and attributes of the root module, and takes the branches that they decide.
#include "plan/record/inline.h"

#include "config/build.h"
#include "core/check.h"
#include "ir/changed_attributes.h"
#include "ir/inliner.h"
#include "ir/sharing.h"
#include "ir/verify.h"

namespace wick::plan {
namespace {

using ir::Block;
using ir::Function;
using ir::Node;
using ir::NodeKind;
using ir::Program;
using ir::Value;

// Takes in what is known before running: constants, attributes of the root that no code changes, and the branches they
// decide. Calls that are not known or do not fit stay calls.
class KnownInliner final : ir::Inliner {
 public:
  KnownInliner(const Program& program, Function& out, ir::InlineBudget& budget)
      : ir::Inliner(out, budget), program_(program), changed_(program) {}

  void run(const Function& method) { ir::Inliner::run(method, program_.root.is_object() ? &program_.root : nullptr); }
  WordSet take_changed_constants() { return changed_.take_constants(); }
  WordSet take_unchanging() { return std::move(unchanging_); }
  std::vector<const ObjectImpl*> take_called() { return std::move(called_); }

 private:
  const Block& body_of(const Function& function, bool) override { return *function.graph.peek(); }

  const Function* callee_of(const Node& node) override {
    if (node.kind == NodeKind::kCallFunction) return node.callee;
    return node.kind == NodeKind::kCallMethod ? method_of(node) : nullptr;
  }

  bool replace(const Node& node, Block* to) override {
    switch (node.kind) {
      case NodeKind::kConstant:
        set_known(node.outputs[0], node.constant);
        return true;
      case NodeKind::kGetAttr: {
        bool unchanged = false;
        if (read_attribute(node, unchanged)) return true;
        const Node* made = copy(node, to);
        if (unchanged) unchanging_.insert(made);
        return true;
      }
      case NodeKind::kIf: {
        const Binding& condition = binding(node.inputs[0]);
        if (!condition.known || !condition.constant.is_bool()) return false;
        const Block& taken = *node.blocks[condition.constant.to_bool() ? 0 : 1];
        clone_nodes(taken, to);
        for (size_t i = 0; i < node.outputs.size(); ++i) binding(node.outputs[i]) = binding(taken.results[i]);
        return true;
      }
      default:
        return false;
    }
  }

  void set_known(const Value* value, IValue constant) {
    Binding& out = binding(value);
    out.known = true;
    out.constant = std::move(constant);
  }

  // False: it stays an attribute; `unchanged` says that no code changes it.
  bool read_attribute(const Node& node, bool& unchanged) {
    const Binding& object = binding(node.inputs[0]);
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
    set_known(node.outputs[0], std::move(value));
    return true;
  }

  Function* method_of(const Node& node) {
    const Binding& self = binding(node.inputs[0]);
    if (self.known) {
      if (!self.constant.is_object()) return nullptr;
      const ObjectImpl& object = self.constant.to_object();
      if (build::kTorchScript && !ir::may_be_called_on(program_, node, node.name, object)) return nullptr;
      return program_.find_method(object, node.name);
    }
    const Type& type = *self.value->type;
    return type.is(TypeKind::kClass) ? program_.find(cat(type.name(), ".", node.name)) : nullptr;
  }

  void on_inlined(const Node& node, const Function&) override {
    if constexpr (!build::kProfiles) return;
    const bool is_known = node.kind == NodeKind::kCallMethod && binding(node.inputs[0]).known &&
                          binding(node.inputs[0]).constant.is_object();
    called_.push_back(is_known ? &binding(node.inputs[0]).constant.to_object() : nullptr);
  }

  const Program& program_;
  ir::ChangedAttributes changed_;
  WordSet unchanging_;
  std::vector<const ObjectImpl*> called_;  // by call site
};

}  // namespace

Inlined inline_calls(const ir::Program& program, const ir::Function& method) {
  const std::lock_guard lock(program.graphs_mutex);
  if constexpr (!build::kObjects) {
    return {nullptr, &method, build::kMutates ? ir::ChangedAttributes(program).take_constants() : WordSet(), {}, {}};
  }
  std::unique_ptr<Function> copy = ir::function_like(method);
  ir::InlineBudget budget(program);
  KnownInliner inliner(program, *copy, budget);
  inliner.run(method);
  ir::debug_verify(*copy, "inlining");
  const Function* const function = copy.get();
  Inlined out{std::move(copy), function, inliner.take_changed_constants(), inliner.take_unchanging(),
              inliner.take_called()};
  for (const auto& f : program.functions) f->graph.release();
  return out;
}

}  // namespace wick::plan
