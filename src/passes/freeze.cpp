// Freezing: attributes that nothing changes become constants.
#include "passes/freeze.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "core/check.h"
#include "core/tensor_impl.h"
#include "core/value_walk.h"
#include "core/visit_tensors.h"
#include "ir/effects.h"
#include "passes/program_copy.h"
#include "passes/rewriter.h"
#include "passes/simplify.h"

namespace wick::passes {

bool restores_state(const ir::Function& function) {
  return function.name.ends_with(".__setstate__") || function.name.ends_with(".__getstate__");
}

bool holds_objects(const IValue& value) {
  return !walk_value(value, [](const IValue& v) {
    return v.is_object() || v.is_future() || v.is_generator() ? Walk::kStop : Walk::kEnter;
  });
}

namespace {

using ir::Node;
using ir::NodeKind;
using ir::Value;

using Slot = std::pair<const ObjectImpl*, int64_t>;

std::string name_of_slot(const ObjectImpl& object, const Node& node) {
  const size_t slot = static_cast<size_t>(node.index);
  return slot < object.cls->attributes.size() ? object.cls->attributes[slot] : node.name;
}

int64_t slot_in(const ObjectImpl& object, const Node& node) {
  const int64_t slot = node.index >= 0 ? node.index : object.cls->slot_of(node.name);
  return slot >= 0 && static_cast<size_t>(slot) < object.slot_count() ? slot : -1;
}

// Storages of the tensors in a value.
void storages_in(const IValue& value, std::set<const void*>& out) {
  each_tensor(value, [&out](const Tensor& t) { out.insert(t.storage().get()); });
}

// Whether lists and tuples are few and flat enough to become a constant, which holds each wherever it is held.
bool can_be_constant(const IValue& value, size_t depth, size_t& left) {
  constexpr size_t kMaxDepth = 32;
  if (!value.is_list() && !value.is_tuple()) return true;
  const std::vector<IValue>& items = value.is_list() ? value.to_list().items : value.to_tuple().items;
  if (depth > kMaxDepth || items.size() > left) return false;
  left -= items.size();
  return std::all_of(items.begin(), items.end(), [&](const IValue& v) { return can_be_constant(v, depth + 1, left); });
}

bool can_be_constant(const IValue& value) {
  size_t left = size_t{1} << 20;
  return can_be_constant(value, 0, left);
}

// Constants hold no gradient.
IValue as_constant(const IValue& value) {
  if (value.is_tensor() && value.to_tensor().requires_grad()) {
    const Tensor alias = value.to_tensor().alias();
    alias.impl()->requires_grad = false;
    return IValue(alias);
  }
  std::vector<IValue> items;
  if (value.is_list()) {
    for (const IValue& item : value.to_list().items) items.push_back(as_constant(item));
    return IValue::list(value.to_list().element_type, std::move(items));
  }
  if (value.is_tuple()) {
    for (const IValue& item : value.to_tuple().items) items.push_back(as_constant(item));
    IValue tuple = IValue::tuple(std::move(items));
    tuple.to_tuple().named_type = value.to_tuple().named_type;
    return tuple;
  }
  return value;
}

class Freezer {
 public:
  Freezer(ir::Program& program, const FreezeOptions& options) : program_(program), options_(options) {}

  struct Outcome {
    bool changed = false;
    bool has_calls = false;  // calls became known that are to be inlined
  };
  Outcome run() {
    for (const auto& function : program_.functions) {
      if (!restores_state(*function)) find_assignments(*function);
    }
    for (const auto& function : program_.functions) {
      if (!restores_state(*function)) read_objects(*function);
    }
    for (const auto& function : program_.functions) {
      if (!restores_state(*function)) find_changes(*function);
    }
    for (Read& read : reads_) collect_changed_storages(read);
    Outcome outcome;
    for (const auto& function : program_.functions) {
      outcome.changed = replace_reads(*function) || outcome.changed;
      outcome.has_calls = resolve_calls(*function) || outcome.has_calls;
    }
    return outcome;
  }

 private:
  struct Read {
    ir::Function* function;
    Node* node;
    IValue object;
    int64_t slot;
  };

  void find_assignments(const ir::Function& function) {
    for (const Node* node : all_nodes(function.graph.body())) {
      if (node->kind != NodeKind::kSetAttr) continue;
      if (node->name.empty()) {
        assigned_slots_.insert(node->index);
      } else {
        assigned_.insert(node->name);
      }
    }
  }
  bool is_assigned(const std::string& name, int64_t slot) const {
    return assigned_.contains(name) || assigned_slots_.contains(slot);
  }

  // Which values are which modules.
  void read_objects(ir::Function& function) {
    const auto& params = function.graph.body()->params;
    const std::string& root = program_.root.to_object().cls->name;
    if (!params.empty() && program_.find(function.name) == &function &&
        function.name.substr(0, function.name.rfind('.')) == root) {
      objects_[params[0]] = program_.root;
      params[0]->type = types::class_type(root);
    }
    for (Node* node : all_nodes(function.graph.body())) {
      if (node->kind != NodeKind::kGetAttr) continue;
      const auto object = objects_.find(node->inputs[0]);
      if (object == objects_.end()) {
        unknown_reads_.push_back({&function, node, IValue(), node->index});
        continue;
      }
      const int64_t slot = slot_in(object->second.to_object(), *node);
      if (slot < 0) continue;
      const IValue value = object->second.to_object().get(static_cast<size_t>(slot));
      reads_.push_back({&function, node, object->second, slot});
      node->index = slot;
      node->name = name_of_slot(object->second.to_object(), *node);
      if (value.is_object()) node->outputs[0]->type = types::class_type(value.to_object().cls->name);
      if (value.is_object() && !is_assigned(name_of_slot(object->second.to_object(), *node), slot)) {
        objects_[node->outputs[0]] = value;
      }
    }
  }

  void find_changes(ir::Function& function) {
    ir::Aliases aliases(function.graph);
    std::map<Slot, const Value*> first;
    auto of_function = [&](const Read& read) { return read.function == &function; };
    for (const Read& read : reads_) {
      if (!of_function(read)) continue;
      const auto [it, fresh] = first.try_emplace(Slot(&read.object.to_object(), read.slot), read.node->outputs[0]);
      if (!fresh) aliases.join(it->second, read.node->outputs[0]);
    }
    for (const Read& read : reads_) {
      if (!of_function(read)) continue;
      const Value* out = read.node->outputs[0];
      const IValue value = read.object.to_object().get(static_cast<size_t>(read.slot));
      const bool container = value.is_list() || value.is_dict();
      const Slot slot(&read.object.to_object(), read.slot);
      if (aliases.is_changed(out)) changed_.insert(slot);
      if (aliases.is_changed(out) || (container && aliases.escapes(out))) kept_.insert(slot);
      if (value.is_object() && is_given_away(function, out)) open(value, 0);
    }
    for (const Read& read : unknown_reads_) {
      if (of_function(read) && aliases.is_changed(read.node->outputs[0])) {
        if (read.node->name.empty()) {
          assigned_slots_.insert(read.node->index);
        } else {
          assigned_.insert(read.node->name);
        }
      }
    }
    // The module itself may be handed on.
    for (const Value* param : function.graph.body()->params) {
      if (objects_.contains(param) && is_given_away(function, param)) open(objects_[param], 0);
    }
  }

  // A module that is used for more than its attributes and known methods.
  bool is_given_away(const ir::Function& function, const Value* value) {
    for (const Node* user : value->users) {
      const bool own = user->inputs[0] == value && std::count(user->inputs.begin(), user->inputs.end(), value) == 1;
      if (own && (user->kind == NodeKind::kGetAttr || user->kind == NodeKind::kSetAttr)) continue;
      if (own && user->kind == NodeKind::kCallMethod && resolved(*user)) continue;
      return true;
    }
    const ir::Block& body = *function.graph.body();
    if (std::find(body.results.begin(), body.results.end(), value) != body.results.end()) return true;
    for (const Node* node : all_nodes(function.graph.body())) {
      for (const ir::Block* block : node->blocks) {
        if (std::find(block->results.begin(), block->results.end(), value) != block->results.end()) return true;
      }
    }
    return false;
  }

  ir::Function* resolved(const Node& call) {
    const auto object = objects_.find(call.inputs[0]);
    if (object == objects_.end()) return nullptr;
    ir::Function* callee = program_.find_method(object->second.to_object(), call.name);
    if (!callee) return nullptr;
    const ir::Block& body = *callee->graph.body();
    const bool fits = body.params.size() == call.inputs.size() && body.results.size() == call.outputs.size();
    return fits ? callee : nullptr;
  }

  void open(const IValue& value, size_t depth) {
    constexpr size_t kMaxDepth = 256;
    if (!value.is_object() || depth > kMaxDepth || !open_.insert(value.ref_or_null()).second) return;
    const ObjectImpl& object = value.to_object();
    for (size_t i = 0; i < object.slot_count(); ++i) open(object.get(i), depth + 1);
  }

  void collect_changed_storages(const Read& read) {
    const ObjectImpl& object = read.object.to_object();
    const std::string name = name_of_slot(object, *read.node);
    if (changed_.contains(Slot(&object, read.slot)) || is_assigned(name, read.slot)) {
      storages_in(object.get(static_cast<size_t>(read.slot)), changed_storages_);
    }
  }

  bool can_freeze(const Read& read, const IValue& value) const {
    const ObjectImpl& object = read.object.to_object();
    const std::string name = name_of_slot(object, *read.node);
    if (kept_.contains(Slot(&object, read.slot)) || is_assigned(name, read.slot) || open_.contains(&object))
      return false;
    const auto& kept = options_.kept_attributes;
    if (&object == &program_.root.to_object() && std::find(kept.begin(), kept.end(), name) != kept.end()) return false;
    if (value.is_custom() && options_.takes_custom && !options_.takes_custom(value.to_custom())) return false;
    if (holds_objects(value) || !can_be_constant(value) || value.tag() == IValue::Tag::kUninitialized) return false;
    std::set<const void*> storages;
    storages_in(value, storages);
    return std::none_of(storages.begin(), storages.end(), [&](const void* s) { return changed_storages_.contains(s); });
  }

  bool replace_reads(ir::Function& function) {
    ir::Graph& graph = function.graph;
    Rewriter rewriter(graph);
    std::map<Slot, Value*> constants;
    for (const Read& read : reads_) {
      if (read.function != &function) continue;
      const Slot slot(&read.object.to_object(), read.slot);
      const IValue value = read.object.to_object().get(static_cast<size_t>(read.slot));
      if (!can_freeze(read, value)) continue;
      Value*& constant = constants[slot];
      if (!constant) {
        constant = rewriter.constant_before(graph.body()->nodes.front(), as_constant(value));
        // None and empty lists do not tell what they could be.
        if (!value.is_tensor() && !value.is_custom()) constant->type = read.node->outputs[0]->type;
      }
      rewriter.replace(read.node->outputs[0], constant);
      rewriter.erase(read.node);
    }
    return !constants.empty();
  }

  bool resolve_calls(ir::Function& function) {
    bool any = false;
    for (Node* node : all_nodes(function.graph.body())) {
      if (node->kind != NodeKind::kCallMethod) continue;
      ir::Function* callee = resolved(*node);
      if (!callee || callee == &function) continue;
      node->kind = NodeKind::kCallFunction;
      node->callee = callee;
      any = true;
    }
    return any;
  }

  ir::Program& program_;
  const FreezeOptions& options_;
  std::unordered_map<const Value*, IValue> objects_;
  std::vector<Read> reads_, unknown_reads_;
  std::set<std::string> assigned_;
  std::set<int64_t> assigned_slots_;
  std::set<Slot> kept_, changed_;
  std::set<const void*> open_;  // objects others hold
  std::set<const void*> changed_storages_;
};

}  // namespace

void freeze(ir::Program& program, const FreezeOptions& options) {
  // What is frozen removes branches, and with them changes that kept other attributes.
  constexpr int kMaxRounds = 16;
  ir::InlineBudget budget(program);
  for (int round = 0; round < kMaxRounds; ++round) {
    const Freezer::Outcome outcome = Freezer(program, options).run();
    if (outcome.has_calls) inline_all(program, budget);
    for (const auto& function : program.functions) fold(function->graph);
    if (!outcome.changed && !outcome.has_calls) return;
  }
}

}  // namespace wick::passes
