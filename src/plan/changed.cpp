#include "plan/changed.h"

#include <algorithm>

#include "plan/guard.h"

namespace wick::plan {

using ir::Block;
using ir::Function;
using ir::Node;
using ir::NodeKind;
using ir::Program;
using ir::Value;

namespace {

std::string last_part(const std::string& name) { return name.substr(name.rfind('.') + 1); }

// Operators that may give an argument itself without their schema saying so.
bool may_give_argument(const FunctionSchema& schema) {
  return schema.is_vararg || schema.is_varret || schema.name.find("dropout") != std::string::npos;
}

}  // namespace

ChangedAttributes::ChangedAttributes(const Program& program) {
  for (const auto& f : program.functions) {
    functions_[&f->graph] = f.get();
    methods_[last_part(f->name)].push_back(f.get());
    collect_calls(*f->graph.peek());
  }
  for (const auto& f : program.functions) scan(*f->graph.peek());
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

void ChangedAttributes::collect_calls(const Block& block) {
  for (const Node* node : block.nodes) {
    if (node->kind == NodeKind::kCallFunction || node->kind == NodeKind::kFork) {
      function_calls_[node->callee].push_back(node);
    }
    if (node->kind == NodeKind::kCallMethod) method_calls_[node->name].push_back(node);
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
    slots_.insert(node.index);
  } else {
    names_.insert(node.name);
  }
}

// The value, or something that shares memory with it, is changed.
void ChangedAttributes::mark(const Value* value) {
  if (marked_.insert(value).second) waiting_.push_back(value);
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
      for (const Function* f : methods_[node.name]) mark_results(*f);
      return;
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
  const auto found = functions_.find(value.block->graph);
  if (found == functions_.end()) return;
  const auto mark_argument = [&](const Node* call) {
    if (k < call->inputs.size()) mark(call->inputs[k]);
  };
  for (const Node* call : function_calls_[found->second]) mark_argument(call);
  for (const Node* call : method_calls_[last_part(found->second->name)]) mark_argument(call);
}

}  // namespace wick::plan
