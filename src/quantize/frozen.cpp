// A copy of a model with calls inlined and unchanging attributes as constants.
#include "quantize/frozen.h"

#include <algorithm>
#include <set>

#include "core/check.h"
#include "core/stopped.h"
#include "core/tensor_impl.h"
#include "core/value_walk.h"
#include "ir/changed_attributes.h"
#include "ir/inline_calls.h"
#include "ir/walk.h"
#include "passes/freeze.h"
#include "passes/program_copy.h"
#include "quantize/edit.h"

namespace wick::quantize {

namespace {

using ir::Block;
using ir::Function;
using ir::Graph;
using ir::Node;
using ir::NodeKind;
using ir::Program;
using ir::Value;

// Attributes that no constant may stand for: those that code changes, and lists that others than operators take, who
// may change them.
class ChangingAttributes {
 public:
  ChangingAttributes() = default;
  explicit ChangingAttributes(const std::vector<const Function*>& functions) : changed_(functions) {
    for (const Function* function : functions) {
      const auto results = block_results(function->graph);
      for (const Node* node : ir::all_nodes(function->graph.body())) {
        if (node->kind == NodeKind::kGetAttr && node->outputs[0]->type->is(TypeKind::kList)) scan_list(*node, results);
      }
    }
  }
  bool contains(const std::string& name, int64_t slot) const {
    return changed_.contains(name, slot) || names_.contains(name) || slots_.contains(slot);
  }

 private:
  void scan_list(const Node& node, const std::unordered_set<const Value*>& results) {
    bool only_read = !results.contains(node.outputs[0]);
    for (const Node* user : node.outputs[0]->users) only_read = only_read && user->kind == NodeKind::kOp && user->op;
    if (only_read) return;
    if (node.name.empty()) {
      slots_.insert(node.index);
    } else {
      names_.insert(node.name);
    }
  }
  ir::ChangedAttributes changed_;
  std::set<std::string> names_;
  std::set<int64_t> slots_;
};

int64_t slot_of(const Node& node, const ClassInfo& cls) {
  return node.index >= 0 ? node.index : cls.slot_of(node.name);
}

// Parameters as constants, which need no gradient: a handle of their own, the same for every use.
class Detached {
 public:
  explicit Detached(std::unordered_map<const TensorImpl*, std::string>& names) : names_(names) {}
  IValue operator()(const IValue& value) {
    if (!value.is_tensor() || !value.to_tensor().requires_grad()) return value;
    const Tensor& t = value.to_tensor();
    Tensor& made = made_[t.impl()];
    if (!made.defined()) {
      made = t.alias();
      made.impl()->requires_grad = false;
      if (const auto it = names_.find(t.impl()); it != names_.end()) {
        const std::string name = it->second;
        names_[made.impl()] = name;
      }
    }
    return made;
  }

 private:
  std::unordered_map<const TensorImpl*, std::string>& names_;
  std::unordered_map<const TensorImpl*, Tensor> made_;
};

// Puts constants in the place of attributes, and takes the branches that they decide.
class Folder {
 public:
  Folder(Function& function, const IValue& root, const ChangingAttributes& changed, Detached& detached)
      : graph_(function.graph), changed_(changed), detached_(detached) {
    if (!graph_.body()->params.empty() && root.is_object()) objects_[graph_.body()->params[0]] = root;
  }
  void run() { block(*graph_.body()); }

 private:
  void block(Block& b) {
    for (auto it = b.nodes.begin(); it != b.nodes.end();) {
      Node* node = *it;
      if (node->kind == NodeKind::kIf) {
        const std::optional<IValue> condition = known(*node->inputs[0]);
        if (condition && condition->is_bool()) {
          it = take_branch(*node, *node->blocks[condition->to_bool() ? 0 : 1]);
          continue;
        }
      }
      ++it;
      if (node->kind == NodeKind::kGetAttr) {
        read_attribute(*node);
      } else if (node->kind == NodeKind::kOp) {
        compute(*node);
      } else {
        for (Block* inner : node->blocks) block(*inner);
        if (node->kind == NodeKind::kIf) join_branches(*node);
      }
    }
  }

  // Returns the first node that came out of the branch.
  std::list<Node*>::iterator take_branch(Node& node, Block& taken) {
    Block* outer = node.block;
    Node* first = taken.nodes.empty() ? nullptr : taken.nodes.front();
    const std::vector<Value*> results = taken.results;
    splice_before(&node, taken);
    for (size_t i = 0; i < node.outputs.size(); ++i) graph_.replace_uses(node.outputs[i], results[i]);
    auto at = std::find(outer->nodes.begin(), outer->nodes.end(), first ? first : &node);
    if (!first) ++at;
    for (Block* inner : node.blocks) graph_.set_results(inner, {});
    graph_.erase(&node);
    return at;
  }

  // An if whose branches do nothing and agree is what they agree on.
  void join_branches(Node& node) {
    for (const Block* inner : node.blocks) {
      if (!std::all_of(inner->nodes.begin(), inner->nodes.end(), [](const Node* n) { return has_no_effect(*n); }))
        return;
    }
    const std::vector<Value*>&yes = node.blocks[0]->results, &no = node.blocks[1]->results;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (yes[i] == no[i]) continue;
      const std::optional<IValue> a = known(*yes[i]), b = known(*no[i]);
      if (!a || !b || a->is_list() || !is_simple(*a) || a->tag() != b->tag() || !equal(*a, *b)) return;
    }
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      const std::optional<IValue> value = known(*yes[i]);
      Value* by = yes[i] == no[i] && !value ? yes[i] : add_constant(graph_, node.block, &node, *value);
      graph_.replace_uses(node.outputs[i], by);
    }
    for (Block* inner : node.blocks) graph_.set_results(inner, {});
    graph_.erase(&node);
  }

  void replace(Node& node, const IValue& value) {
    Value* constant = add_constant(graph_, node.block, &node, detached_(value));
    constant->name = node.outputs[0]->name;
    graph_.replace_uses(node.outputs[0], constant);
    graph_.erase(&node);
  }

  void read_attribute(Node& node) {
    const auto known_object = objects_.find(node.inputs[0]);
    if (known_object == objects_.end()) return;
    const ObjectImpl& object = known_object->second.to_object();
    const int64_t slot = slot_of(node, *object.cls);
    if (slot < 0 || static_cast<size_t>(slot) >= object.slot_count()) return;
    const std::string& name = static_cast<size_t>(slot) < object.cls->attributes.size()
                                  ? object.cls->attributes[static_cast<size_t>(slot)]
                                  : node.name;
    const IValue value = object.get(static_cast<size_t>(slot));
    if (value.is_object()) {
      if (changed_.contains(name, slot)) return;
      objects_[node.outputs[0]] = value;
      // Lite files do not tell the types of values.
      if (!node.outputs[0]->type->is(TypeKind::kClass))
        node.outputs[0]->type = types::class_type(value.to_object().cls->name);
      return;
    }
    if (value.is_bool() && name == "training") return replace(node, IValue(false));
    if (value.is_list() && node.outputs[0]->type->is(TypeKind::kList) && holds_only_tensors(value) &&
        !changed_.contains(name, slot)) {
      return spell_out(node, value.to_list());
    }
    // What a container holds may be changed through another reference to it.
    if (value.is_list() || value.is_dict() || passes::holds_objects(value) || changed_.contains(name, slot)) return;
    replace(node, value);
  }

  static bool holds_only_tensors(const IValue& value) {
    const std::vector<IValue>& items = value.to_list().items;
    return !items.empty() && std::all_of(items.begin(), items.end(), [](const IValue& v) { return v.is_tensor(); });
  }

  void spell_out(Node& node, const ListImpl& list) {
    std::vector<Value*> items;
    for (const IValue& item : list.items) items.push_back(add_constant(graph_, node.block, &node, detached_(item)));
    Node* made = graph_.insert_before(&node, NodeKind::kListConstruct, std::move(items));
    made->types = {node.outputs[0]->type};
    graph_.replace_uses(node.outputs[0], graph_.add_output(made, node.outputs[0]->type));
    graph_.erase(&node);
  }

  static bool is_simple(const IValue& value) {
    return walk_value(value, [](const IValue& v) {
      return v.is_list() || v.is_number() || v.is_none() || v.is_string() ? Walk::kEnter : Walk::kStop;
    });
  }

  static bool is_container(const Value& value) {
    return value.def && (value.def->kind == NodeKind::kListConstruct || value.def->kind == NodeKind::kTupleConstruct);
  }

  void compute(Node& node) {
    if (!node.op || node.outputs.size() != 1 || node.inputs.empty() || !node.op->is_function()) return;
    if (node.op->schema.is_vararg || node.inputs.size() != node.op->schema.arguments.size()) return;
    const bool asks_identity = node.op->schema.name == "aten::__is__" || node.op->schema.name == "aten::__isnot__";
    if (asks_identity && is_container(*node.inputs[0]) && known(*node.inputs[1]) && known(*node.inputs[1])->is_none()) {
      return replace(node, IValue(node.op->schema.name == "aten::__isnot__"));
    }
    std::vector<IValue> args;
    for (const Value* input : node.inputs) {
      std::optional<IValue> value = known(*input);
      if (!value || (!asks_identity && !is_simple(*value))) return;
      args.push_back(std::move(*value));
    }
    IValue result;
    try {
      node.op->call(args.data(), args.size(), &result);
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      return;  // it is raised when the model runs, if it ever comes there
    }
    if (result.is_number() || result.is_string() || result.is_none()) replace(node, result);
  }

  Graph& graph_;
  const ChangingAttributes& changed_;
  Detached& detached_;
  std::unordered_map<const Value*, IValue> objects_;
};

std::string path_of(const ir::InlinedFunction& function, int32_t site) {
  std::string out;
  for (; site >= 0; site = function.function->call_sites[static_cast<size_t>(site)].parent) {
    const std::string& object = function.objects[static_cast<size_t>(site)].name;
    if (!object.empty() && object != "<SELF>") out = out.empty() ? object : object + "." + out;
  }
  return out;
}

void collect_weights(Function& function, const std::unordered_map<const TensorImpl*, std::string>& names,
                     std::set<const TensorImpl*>& out) {
  each_node(*function.graph.body(), [&](Node& node) {
    if (node.kind != NodeKind::kConstant || !node.constant.is_tensor()) return;
    const TensorImpl* weight = node.constant.to_tensor().impl();
    if (names.contains(weight)) out.insert(weight);
  });
}

// Methods such as _forward_impl, which forward is written with, were inlined. They are not for users to call, and would
// keep every weight a second time.
void remove_helpers(Program& program, const std::string& prefix,
                    const std::unordered_map<const TensorImpl*, std::string>& names) {
  Function* forward = program.find(prefix + "forward");
  if (!forward) return;
  std::set<const TensorImpl*> used;
  collect_weights(*forward, names, used);
  std::vector<const Function*> helpers;
  for (const auto& function : program.functions) {
    if (!function->name.starts_with(prefix + "_") || function->name.starts_with(prefix + "__")) continue;
    std::set<const TensorImpl*> weights;
    collect_weights(*function, names, weights);
    const bool shares =
        std::any_of(weights.begin(), weights.end(), [&](const TensorImpl* w) { return used.contains(w); });
    if (shares) helpers.push_back(function.get());
  }
  for (const Function* helper : helpers) program.remove(*helper);
}

}  // namespace

Frozen freeze(const Program& program) {
  WICK_CHECK(program.root.is_object(), kInvalidArgument, "the model has no module");
  WICK_CHECK(program.hooks.empty() && program.pre_hooks.empty(), kUnsupported,
             "the model has forward hooks, which would be lost: remove them before quantizing");
  Frozen out;
  out.program = std::make_shared<Program>();
  Program& copy = *out.program;
  copy.kind = program.kind;
  copy.bytecode_version = program.bytecode_version;
  copy.operator_version = program.operator_version;
  copy.producer = program.producer;
  copy.extra_files = program.extra_files;
  std::vector<ir::InlinedFunction> functions = ir::functions_to_write(program);
  std::vector<const Function*> all, code;
  for (const auto& f : functions) all.push_back(f.function.get());
  passes::copy_state(program, all, copy);
  walk_attributes(copy.root.to_object(), [&out](const Attribute& a) {
    if (a.value.is_tensor()) out.names.try_emplace(a.value.to_tensor().impl(), a.path);
  });
  Detached detached(out.names);
  for (const auto& f : functions) {
    if (!passes::restores_state(*f.function)) code.push_back(f.function.get());
  }
  const ChangingAttributes changed(code);
  const std::string prefix = program.root.to_object().cls->name + ".";
  for (ir::InlinedFunction& f : functions) {
    for (const Node* node : ir::all_nodes(std::as_const(f.function->graph).body())) {
      if (std::string path = path_of(f, node->call_site); !path.empty()) out.paths[node] = std::move(path);
    }
    const bool of_root =
        f.function->name.starts_with(prefix) && f.function->name.find('.', prefix.size()) == std::string::npos;
    Function* function = copy.add(std::move(f.function));
    if (!of_root || passes::restores_state(*function)) continue;
    if (!function->graph.body()->params.empty() && !function->graph.body()->params[0]->type->is(TypeKind::kClass)) {
      function->graph.body()->params[0]->type = types::class_type(program.root.to_object().cls->name);
    }
    Folder(*function, copy.root, changed, detached).run();
    remove_unused(function->graph);
  }
  remove_helpers(copy, prefix, out.names);
  return out;
}

void fold_branches(Function& function) {
  const ChangingAttributes changed;
  std::unordered_map<const TensorImpl*, std::string> names;
  Detached detached(names);
  Folder(function, IValue(), changed, detached).run();
  remove_unused(function.graph);
}

void prune(Program& program) {
  for (const auto& function : program.functions) {
    if (!passes::restores_state(*function)) remove_unused(function->graph);
    ir::verify(*function);
  }
  passes::FreezeOptions options;
  options.kept_everywhere = {"training"};  // which PyTorch asks modules for
  passes::prune(program, options);
}

}  // namespace wick::quantize
