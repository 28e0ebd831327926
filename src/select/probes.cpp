// Probe nodes that record which operators, dtypes and blocks a run reaches.
#include "select/probes.h"

#include <algorithm>
#include <atomic>

#include "core/check.h"
#include "core/visit_tensors.h"

namespace wick::select {
namespace {

std::atomic<Probes*> current{nullptr};

// An operator outside of the table; the program's nodes keep pointers to it.
const Operator* probe_operator(const char* schema, OpCall call) {
  return new Operator(parse_schema(schema), call, traits::deterministic);
}

void add_dtypes(const IValue& value, std::set<DType>& out) {
  each_tensor(value, [&out](const Tensor& t) { out.insert(t.dtype()); });
}

void collect_operators(const ir::Block& block, std::vector<std::string>& out) {
  for (const ir::Node* node : block.nodes) {
    if (node->kind == ir::NodeKind::kOp && !node->op_name.starts_with("wick::") &&
        std::find(out.begin(), out.end(), node->op_name) == out.end()) {
      out.push_back(node->op_name);
    }
    for (const ir::Block* inner : node->blocks) collect_operators(*inner, out);
  }
}

}  // namespace

Probes::Probes(ir::Program& program) : program_(program) {
  for (const auto& function : program.functions) {
    blocks_.push_back({function.get(), function->graph.body(), function->graph.body()->nodes.empty()});
    watch(*function, *function->graph.body());
  }
  // Last: when something fails before, nobody would take it back.
  Probes* none = nullptr;
  WICK_CHECK(current.compare_exchange_strong(none, this), kInternal, "two programs are traced at once");
}

Probes::~Probes() { current = nullptr; }

void Probes::watch(ir::Function& function, ir::Block& block) {
  static const Operator* const call_probe = probe_operator("wick::call_probe(...) -> ()", &Probes::note_call);
  static const Operator* const block_probe = probe_operator("wick::block_probe(int id) -> ()", &Probes::note_block);
  ir::Graph& graph = function.graph;
  const auto insert = [&](ir::Node* before, const Operator* op, size_t id, const std::vector<ir::Value*>& values) {
    const auto node_at = [&](ir::NodeKind kind) {
      return before ? graph.insert_before(before, kind) : graph.append(&block, kind);
    };
    ir::Node* number = node_at(ir::NodeKind::kConstant);
    number->constant = IValue(static_cast<int64_t>(id));
    ir::Node* probe = node_at(ir::NodeKind::kOp);
    probe->op = op;
    probe->op_name = op->schema.full_name();
    graph.add_input(probe, graph.add_output(number, types::integer()));
    for (ir::Value* value : values) graph.add_input(probe, value);
  };
  const std::vector<ir::Node*> nodes(block.nodes.begin(), block.nodes.end());
  insert(nodes.empty() ? nullptr : nodes[0], block_probe, blocks_.size() - 1, {});
  for (size_t i = 0; i < nodes.size(); ++i) {
    ir::Node* node = nodes[i];
    for (ir::Block* inner : node->blocks) {
      blocks_.push_back({&function, inner, inner->nodes.empty()});
      watch(function, *inner);
    }
    if (node->kind != ir::NodeKind::kOp) continue;
    std::vector<ir::Value*> values = node->inputs;
    values.insert(values.end(), node->outputs.begin(), node->outputs.end());
    names_.push_back(node->op_name);
    insert(i + 1 < nodes.size() ? nodes[i + 1] : nullptr, call_probe, names_.size() - 1, values);
  }
}

void Probes::note_call(IValue* args, size_t count, IValue*) {
  Probes* probes = current;
  if (!probes) return;
  const std::lock_guard lock(probes->mutex_);
  const std::string& name = probes->names_[static_cast<size_t>(args[0].to_int())];
  probes->called_.insert(name);
  std::set<DType>& dtypes = probes->dtypes_[name];
  for (size_t i = 1; i < count; ++i) add_dtypes(args[i], dtypes);
}

void Probes::note_block(IValue* args, size_t, IValue*) {
  Probes* probes = current;
  if (!probes) return;
  const std::lock_guard lock(probes->mutex_);
  probes->blocks_[static_cast<size_t>(args[0].to_int())].reached = true;
}

std::vector<Probes::Unreached> Probes::unreached() const {
  std::set<const ir::Block*> reached;
  for (const Block& b : blocks_) {
    if (b.reached) reached.insert(b.block);
  }
  std::vector<Unreached> out;
  for (const Block& b : blocks_) {
    const ir::Node* owner = b.block->owner;
    // Only the outermost block of those that were missed.
    if (b.reached || b.is_empty || !owner || !reached.contains(owner->block)) continue;
    Unreached gap;
    gap.function = b.function->name;
    gap.what = owner->kind == ir::NodeKind::kLoop ? "the body of a loop"
               : b.block == owner->blocks.front() ? "the 'if' branch"
                                                  : "the 'else' branch";
    if (program_.describe_source && owner->source >= 0) gap.where = program_.describe_source(owner->source);
    collect_operators(*b.block, gap.operators);
    out.push_back(std::move(gap));
  }
  return out;
}

}  // namespace wick::select
