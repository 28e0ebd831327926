// Follows what code writes to back to the attributes and constants it came from.
#include "ir/changed_attributes.h"

#include <algorithm>

#include "core/tensor_impl.h"
#include "core/visit_tensors.h"

namespace wick::ir {

namespace {

// Operators that may give an argument itself without their schema saying so.
bool may_give_argument(const FunctionSchema& schema) {
  return schema.is_vararg || schema.is_varret || schema.name.find("dropout") != std::string::npos;
}

std::vector<const Function*> functions_of(const Program& program) {
  std::vector<const Function*> out;
  for (const auto& f : program.functions) out.push_back(f.get());
  return out;
}

}  // namespace

ChangedAttributes::ChangedAttributes(const Program& program) : ChangedAttributes(functions_of(program)) {
  add_memory(program.root);
}

// Of the attributes that are changed, in all objects that the root holds as attributes.
void ChangedAttributes::add_memory(const IValue& root) {
  if (!root.is_object()) return;
  WordSet seen;
  std::vector<IValue> objects{root}, changed;
  while (!objects.empty()) {
    const IValue object = std::move(objects.back());
    objects.pop_back();
    const ObjectImpl& o = object.to_object();
    if (!seen.insert(&o)) continue;
    for (size_t slot = 0; slot < o.slot_count(); ++slot) {
      IValue value = o.get(slot);
      const bool is_named = slot < o.cls->attributes.size();
      if (contains(is_named ? o.cls->attributes[slot] : std::string(), static_cast<int64_t>(slot))) {
        changed.push_back(value);
      }
      if (value.is_object()) objects.push_back(std::move(value));
    }
  }
  // In one walk: many may hold the same containers.
  each_tensor(IValue::list(types::any(), std::move(changed)), [&](const Tensor& t) {
    if (t.defined()) constants_.insert(t.impl()->storage.get());
  });
}

ChangedAttributes::ChangedAttributes(const std::vector<const Function*>& functions) {
  for (const Function* f : functions) {
    functions_[&f->graph] = reinterpret_cast<uintptr_t>(f);
    link(methods_[f->own_name()], f);
    collect_calls(*f->graph.peek());
  }
  for (const Function* f : functions) scan(*f->graph.peek());
  while (!waiting_.empty()) {
    const Value* value = waiting_.back();
    waiting_.pop_back();
    if (value->def) {
      mark_source(*value);
    } else {
      mark_parameter(*value);
    }
  }
}

void ChangedAttributes::link(uint64_t& first, const void* to) {
  links_.push_back({to, first});
  first = links_.size();
}

void ChangedAttributes::collect_calls(const Block& block) {
  for (const Node* node : block.nodes) {
    if (node->kind == NodeKind::kCallFunction || node->kind == NodeKind::kFork) {
      link(function_calls_[node->callee], node);
    }
    if (node->kind == NodeKind::kCallMethod) link(method_calls_[node->name], node);
    for (const Block* inner : node->blocks) collect_calls(*inner);
  }
}

void ChangedAttributes::scan(const Block& block) {
  for (const Node* node : block.nodes) {
    if (node->kind == NodeKind::kSetAttr) add(*node);
    if (node->kind == NodeKind::kOp && node->op) {
      const std::vector<Argument>& arguments = node->op->schema.arguments;
      for (size_t i = 0; i < node->inputs.size() && i < arguments.size(); ++i) {
        if (arguments[i].is_mutated) mark(node->inputs[i]);
      }
    }
    for (const Block* inner : node->blocks) scan(*inner);
  }
}

void ChangedAttributes::add(const Node& node) {
  if (node.name.empty()) {
    slots_.insert(static_cast<uint64_t>(node.index));
  } else {
    names_[node.name] = 1;
  }
}

// The value, or something that shares memory with it, is changed.
void ChangedAttributes::mark(const Value* value) {
  if (marked_.insert(value)) waiting_.push_back(value);
}

// What the value may share memory with.
void ChangedAttributes::mark_source(const Value& value) {
  const Node& node = *value.def;
  const auto at = std::find(node.outputs.begin(), node.outputs.end(), &value);
  const auto k = static_cast<size_t>(at - node.outputs.begin());
  const auto mark_inputs = [&] {
    for (const Value* input : node.inputs) mark(input);
  };
  const auto mark_results = [&](const Function& f) {
    for (const Value* result : f.graph.peek()->results) mark(result);
  };
  switch (node.kind) {
    case NodeKind::kGetAttr:
      return add(node);
    case NodeKind::kOp: {
      if (!node.op || may_give_argument(node.op->schema)) return mark_inputs();
      const std::vector<Argument>& arguments = node.op->schema.arguments;
      for (size_t i = 0; i < node.inputs.size() && i < arguments.size(); ++i) {
        if (arguments[i].is_alias) mark(node.inputs[i]);
      }
      return;
    }
    case NodeKind::kIf:
      for (const Block* block : node.blocks) mark(block->results[k]);
      return;
    case NodeKind::kLoop:
      mark(node.inputs[2 + k]);
      mark(node.blocks[0]->results[1 + k]);
      return;
    case NodeKind::kCallFunction:
    case NodeKind::kFork:
      return mark_results(*node.callee);
    case NodeKind::kCallMethod:
      return each<Function>(methods_.get(node.name), mark_results);
    case NodeKind::kConstant:
      return each_tensor(node.constant, [&](const Tensor& t) {
        if (t.defined()) constants_.insert(t.impl()->storage.get());
      });
    case NodeKind::kCreateObject:
    case NodeKind::kIsInstance:
    case NodeKind::kUninitialized:
      return;
    default:
      return mark_inputs();
  }
}

void ChangedAttributes::mark_parameter(const Value& value) {
  const std::vector<Value*>& params = value.block->params;
  const auto k = static_cast<size_t>(std::find(params.begin(), params.end(), &value) - params.begin());
  if (const Node* loop = value.block->owner) {
    if (k == 0) return;
    mark(loop->inputs[1 + k]);
    mark(value.block->results[k]);
    return;
  }
  const uint64_t* const found = functions_.find(value.block->graph);
  if (!found) return;
  const auto* const function = reinterpret_cast<const Function*>(*found);
  const auto mark_argument = [&](const Node& call) {
    if (k < call.inputs.size()) mark(call.inputs[k]);
  };
  each<Node>(function_calls_.get(*found), mark_argument);
  each<Node>(method_calls_.get(function->own_name()), mark_argument);
}

}  // namespace wick::ir
