// Resolves a call of an operator to an overload and its version.
#include "frontend/script/match_call.h"

#include "frontend/script/match_overloads.h"
#include "frontend/script/match_scripted.h"
#include "frontend/upgrades.h"

namespace wick::script {

namespace {

// What PyTorch never chooses from source: view.dtype would take every x.view(n).
bool is_hidden(const FunctionSchema& schema) { return schema.name == "aten::view" && schema.overload == "dtype"; }

// Calls of quantized convolutions written before their packed weights knew stride, padding, dilation and groups.
constexpr size_t kOldConvolutionArguments = 8;

bool is_old_convolution(std::string_view name, const Arguments& arguments) {
  const bool convolution = name == "quantized::conv2d" || name == "quantized::conv2d_relu" ||
                           name == "quantized::conv3d" || name == "quantized::conv3d_relu";
  return convolution && arguments.positional.size() == kOldConvolutionArguments && arguments.keywords.empty();
}

std::vector<ir::Value*> all_values(const Arguments& arguments) {
  std::vector<ir::Value*> out;
  if (arguments.self) out.push_back(arguments.self);
  out.insert(out.end(), arguments.positional.begin(), arguments.positional.end());
  for (const NamedArgument& keyword : arguments.keywords) out.push_back(keyword.value);
  return out;
}

class EmitterSink : public UpgradeSink {
 public:
  explicit EmitterSink(Emitter& emitter) : emitter_(emitter) {}
  ir::Node* node(ir::NodeKind kind, std::vector<ir::Value*> inputs) override {
    return emitter_.node(kind, std::move(inputs));
  }
  ir::Value* op(std::string_view full_name, std::vector<ir::Value*> inputs) override {
    return emitter_.op(full_name, std::move(inputs));
  }
  ir::Value* constant(IValue value) override { return emitter_.constant(std::move(value)); }
  ir::Graph& graph() override { return emitter_.graph(); }
  ir::Block*& block() override { return emitter_.block; }

 private:
  Emitter& emitter_;
};

// Tracing leaves the numbers of x + 2.5 as constant tensors; for these operators PyTorch makes them numbers again
// before it runs a graph, which decides the dtype where x has no dimensions, too.
bool may_take_number(const FunctionSchema& schema) {
  return schema.overload == "Tensor" && (schema.name == "aten::add" || schema.name == "aten::sub" ||
                                         schema.name == "aten::mul" || schema.name == "aten::div");
}

// The overload for numbers, the second operand replaced, where that is such a constant; null elsewhere.
const Operator* with_number(Emitter& emitter, const Operator& op, std::vector<ir::Value*>& operands) {
  if (!may_take_number(op.schema)) return nullptr;
  const ir::Node* def = operands[1]->def;
  if (!def || def->kind != ir::NodeKind::kConstant || !def->constant.is_tensor()) return nullptr;
  const Tensor& constant = def->constant.to_tensor();
  if (constant.dim() != 0 || constant.requires_grad() || constant.is_quantized()) return nullptr;
  const Operator* scalar = find_operator(op.schema.name, "Scalar");
  if (scalar) operands[1] = emitter.constant(IValue(constant.item()));
  return scalar;
}

}  // namespace

bool has_operator(std::string_view name) { return !overloads_of(name).empty() || !scripted_overloads(name).empty(); }

OperatorResult call_operator(Emitter& emitter, std::string_view name, const Arguments& arguments, size_t outputs) {
  if (is_old_convolution(name, arguments)) {
    Arguments four;
    four.positional = {arguments.positional[0], arguments.positional[1], arguments.positional[6],
                       arguments.positional[7]};
    return call_operator(emitter, name, four, outputs);
  }
  const int64_t version = emitter.importer().operator_version();
  std::vector<const FunctionSchema*> schemas;
  std::vector<const Operator*> operators;
  for (const Operator* op : overloads_of(name)) {
    if (is_hidden(op->schema)) continue;
    const FunctionSchema* old = old_schema(op->schema, version);
    schemas.push_back(old ? old : &op->schema);
    operators.push_back(op);
  }
  const std::vector<ScriptedOverload>& scripted = scripted_overloads(name);
  for (const ScriptedOverload& overload : scripted) schemas.push_back(&overload.schema);
  if (schemas.empty()) return {emitter.missing_op(name, all_values(arguments), outputs)->outputs, nullptr};

  size_t index = 0;
  Match match = match_first(emitter, schemas, arguments, index);
  if (index >= operators.size()) {
    return {{scripted[index - operators.size()].emit(emitter, match.inputs)}, schemas[index]};
  }
  const Operator* op = operators[index];
  if (is_upgraded(op->schema, version)) {
    EmitterSink sink(emitter);
    return {{upgrade_call(sink, op->schema.name, op->schema.overload, std::move(match.inputs))}, &op->schema};
  }
  if (op->schema.is_varret) match.results.assign(1, types::any());
  if (const Operator* scalar = with_number(emitter, *op, match.inputs)) {
    ir::Node* node = emitter.op_node(scalar, std::move(match.inputs), std::move(match.results));
    node->name = op->schema.overload;  // what the file says
    return {node->outputs, &op->schema};
  }
  return {emitter.op_node(op, std::move(match.inputs), std::move(match.results))->outputs, &op->schema};
}

ir::Value* call_one(Emitter& emitter, std::string_view name, std::vector<ir::Value*> arguments) {
  Arguments passed;
  passed.positional = std::move(arguments);
  const OperatorResult result = call_operator(emitter, name, passed);
  return result.values.empty() ? emitter.none() : result.values[0];
}

}  // namespace wick::script
