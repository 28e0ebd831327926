// Counts a model's operators, layers, multiply-adds and weight bytes.
#include "passes/summary.h"

#include <unordered_set>

#include "api/module_access.h"
#include "api/run.h"
#include "core/check.h"
#include "core/stopped.h"
#include "core/tensor_impl.h"
#include "core/value_walk.h"
#include "passes/freeze.h"
#include "passes/program_copy.h"
#include "passes/rewriter.h"
#include "passes/sample_inputs.h"
#include "wick/module.h"

namespace wick::passes {

namespace {

using ir::Node;
using ir::NodeKind;
using ir::Value;

bool is_plain_layer(const Node* node) {
  return is_op(node, {"aten::conv1d", "aten::conv2d", "aten::conv3d", "aten::_convolution", "aten::conv_transpose1d",
                      "aten::conv_transpose2d", "aten::conv_transpose3d", "aten::linear", "aten::addmm"});
}

bool is_packed_layer(const Node* node) {
  if (node->kind != NodeKind::kOp || !node->op || node->inputs.size() != 2) return false;
  const IValue* weights = known(node->inputs[1]);
  const std::string& name = node->op->schema.name;
  return weights && weights->is_custom() &&
         (name.starts_with("prepacked::") || name.find("_prepack::") != std::string::npos);
}

// Weights of a layer, stored as they are or packed; null when they are computed.
const Tensor* weight_of(const Node& node, IValue& held) {
  if (is_packed_layer(&node)) {
    held = known(node.inputs[1])->to_custom().get_state();
    const std::vector<IValue>* items = held.is_tuple()  ? &held.to_tuple().items
                                       : held.is_list() ? &held.to_list().items
                                                        : nullptr;
    return items && !items->empty() && (*items)[0].is_tensor() ? &(*items)[0].to_tensor() : nullptr;
  }
  return node.inputs.size() > 2 ? known_tensor(node.inputs[is_op(&node, "aten::addmm") ? 2 : 1]) : nullptr;
}

bool is_transposed(const Node& node) {
  const std::string& name = node.op->schema.name;
  if (name == "aten::_convolution") return known_bool(node.inputs[6]).value_or(false);
  return name.find("transpose") != std::string::npos || name.find("tconv") != std::string::npos;
}

double product(const IntVec& sizes) {
  double total = 1;
  for (int64_t size : sizes) total *= static_cast<double>(size);
  return total;
}

// Products and sums a layer computes for input and output of these sizes.
double multiply_adds(const Node& node, const IntVec& in, const IntVec& out) {
  IValue held;
  if (const Tensor* weight = weight_of(node, held)) {
    const double each = static_cast<double>(weight->numel());
    const bool dense = weight->dim() == 2;
    const bool by_rows = is_op(&node, "aten::addmm") || node.op->schema.name == "vulkan_prepack::run_linear_context";
    if (dense) return product(out) * static_cast<double>(weight->size(by_rows ? 0 : 1));
    const bool transposed = is_transposed(node);
    const double channels = static_cast<double>(weight->size(0));
    return (transposed ? product(in) : product(out)) * each / channels;
  }
  if (is_op(&node, {"aten::matmul", "aten::bmm", "aten::mm"}) && !in.empty())
    return product(out) * static_cast<double>(in[in.size() - 1]);
  return 0;
}

bool counts(const Node* node) {
  return is_plain_layer(node) || is_packed_layer(node) || is_op(node, {"aten::matmul", "aten::bmm", "aten::mm"});
}

class Summarizer {
 public:
  Summarizer(const ir::Program& program, const std::vector<std::string>& methods, const std::vector<IValue>& arguments)
      : program_(frozen_copy(program, methods)), arguments_(arguments) {}

  ModelSummary run() {
    for (const std::string& name : method_names(*program_)) {
      for (const Node* node : all_nodes(std::as_const(program_->find_method(name)->graph).body())) count(*node);
    }
    weigh(program_->root);
    if (program_->find_method("forward")) run_forward();
    return std::move(out_);
  }

 private:
  void count(const Node& node) {
    if (node.kind == NodeKind::kConstant) weigh(node.constant);
    if (node.kind != NodeKind::kOp) return;
    ++out_.operators[node.op_name];
    if (!node.op) return;
    const bool packed = is_packed_layer(&node);
    out_.layers += packed || is_plain_layer(&node) ? 1 : 0;
    out_.packed_layers += packed ? 1 : 0;
    out_.clamped_layers += packed && is_clamped(node) ? 1 : 0;
    out_.norms += is_op(&node, {"aten::batch_norm", "aten::native_batch_norm"}) ? 1 : 0;
    out_.dropouts +=
        is_op(&node, {"aten::dropout", "aten::dropout_", "aten::feature_dropout", "aten::feature_dropout_"}) ? 1 : 0;
    out_.activations +=
        is_op(&node, {"aten::relu", "aten::relu_", "aten::hardtanh", "aten::hardtanh_", "aten::relu6", "aten::relu6_",
                      "aten::clamp", "aten::clamp_", "aten::hardsigmoid", "aten::hardsigmoid_"})
            ? 1
            : 0;
    out_.add_relus += is_op(&node, {"aten::_add_relu", "aten::_add_relu_"}) ? 1 : 0;
  }

  static bool is_clamped(const Node& node) {
    const IValue state = known(node.inputs[1])->to_custom().get_state();
    const std::vector<IValue>* items = state.is_tuple()  ? &state.to_tuple().items
                                       : state.is_list() ? &state.to_list().items
                                                         : nullptr;
    if (!items || items->size() < 4) return false;
    return (*items)[items->size() - 1].is_number() || (*items)[items->size() - 2].is_number();
  }

  void weigh(const IValue& value) {
    std::vector<IValue> states;  // of packed weights, each once
    walk_value(value, [&](const IValue& v) {
      if (v.is_tensor() && storages_.insert(v.to_tensor().storage().get()).second) {
        out_.weight_bytes += v.to_tensor().storage()->nbytes();
      }
      if (v.is_custom() && customs_.insert(v.ref_or_null()).second) states.push_back(v.to_custom().get_state());
      return Walk::kEnter;
    });
    for (const IValue& state : states) weigh(state);
  }

  // Runs forward with the sizes of its layers' inputs and outputs written down in a list it gives beside its result.
  void run_forward() {
    if (!choose_arguments()) return;
    const std::shared_ptr<ir::Program> copy = copy_program(*program_, method_names(*program_));
    ir::Function& forward = *copy->find_method("forward");
    ir::Graph& graph = forward.graph;
    Rewriter rewriter(graph);
    std::vector<const Node*> layers;
    for (const Node* node : all_nodes(std::as_const(graph).body())) {
      if (counts(node)) layers.push_back(node);
    }
    if (layers.empty() || graph.body()->nodes.empty()) return;
    const TypePtr sizes = types::list(types::integer());
    Node* list = graph.insert_before(graph.body()->nodes.front(), NodeKind::kListConstruct);
    list->types = {types::list(sizes)};
    Value* record = graph.add_output(list, types::list(sizes));
    for (size_t i = 0; i < layers.size(); ++i)
      write_down(rewriter, *const_cast<Node*>(layers[i]), static_cast<int64_t>(i), record);
    graph.set_results(graph.body(), {record});
    try {
      std::vector<IValue> bound = arguments_;
      if (forward.has_schema) api::bind_arguments(forward.schema, "forward", bound, {});
      bound.insert(bound.begin(), copy->root);
      const IValue result = std::make_shared<api::Executor>(*copy)->run(forward, std::move(bound));
      const std::vector<IValue>& items = result.to_list().items;
      for (size_t i = 0; i + 2 < items.size(); i += 3) {
        const size_t which = static_cast<size_t>(items[i].to_list().items.at(0).to_int());
        out_.multiply_adds += multiply_adds(*layers[which], items[i + 1].to_int_vec(), items[i + 2].to_int_vec());
      }
      out_.run_on = description_;
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      out_.multiply_adds = 0;
    }
  }

  static void write_down(Rewriter& rewriter, Node& node, int64_t number, Value* record) {
    const bool last = std::next(node.place) == node.block->nodes.end();
    Node* next = last ? nullptr : *std::next(node.place);
    ir::Graph& graph = rewriter.graph();
    auto add = [&](Value* what) {
      if (last) {
        graph.call_op(node.block, find_operator("aten::append.t"), {record, what});
      } else {
        rewriter.op_before(next, "aten::append.t", {record, what}, &node);
      }
    };
    auto size = [&](Value* of) {
      return last ? graph.call_op(node.block, find_operator("aten::size"), {of})->outputs[0]
                  : rewriter.op_before(next, "aten::size", {of}, &node)->outputs[0];
    };
    IValue key = IValue::int_list(IntVec{number});
    Value* constant = last ? graph.constant(node.block, key) : rewriter.constant_before(next, key);
    add(constant);
    add(size(node.inputs[is_op(&node, "aten::addmm") ? 1 : 0]));
    add(size(node.outputs[0]));
  }

  bool choose_arguments() {
    description_ = "the arguments given";
    if (!arguments_.empty()) return true;
    try {
      const auto bundled = make_module(copy_program(*program_, method_names(*program_))).bundled_inputs();
      if (!bundled.empty()) {
        arguments_ = bundled[0];
        description_ = "bundled input 0";
        return true;
      }
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      // Random ones will do.
    }
    auto sample = sample_inputs(*program_, *program_, "forward", 0);
    if (!sample) return false;
    arguments_ = std::move(sample->arguments);
    description_ = sample->description;
    return true;
  }

  std::shared_ptr<ir::Program> program_;
  std::vector<IValue> arguments_;
  std::string description_;
  ModelSummary out_;
  std::unordered_set<const void*> storages_, customs_;
};

}  // namespace

size_t ModelSummary::operator_count() const {
  size_t total = 0;
  for (const auto& [name, count] : operators) total += count;
  return total;
}

bool is_layer(const ir::Node& node) {
  return node.kind == NodeKind::kOp && node.op && (is_plain_layer(&node) || is_packed_layer(&node));
}

std::shared_ptr<ir::Program> frozen_copy(const ir::Program& program, const std::vector<std::string>& methods) {
  std::shared_ptr<ir::Program> out = copy_program(program, methods);
  set_eval(*out);
  freeze(*out);
  prune(*out);
  return out;
}

ModelSummary summarize(const ir::Program& program, const std::vector<std::string>& methods,
                       const std::vector<IValue>& arguments) {
  return Summarizer(program, methods, arguments).run();
}

}  // namespace wick::passes
