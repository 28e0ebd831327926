// Upgrades calls of operators whose meaning changed after a file was written.
#include "frontend/upgrades.h"

#include "core/check.h"

namespace wick {

namespace {

constexpr int64_t kStepsWhenNone = 100;

// Versions up to which the old meaning holds.
constexpr int64_t kTruncatingDivision = 3;  // dividing integers truncated
constexpr int64_t kFullIsFloat = 4;         // without a dtype, full() made floats whatever the value
constexpr int64_t kUnalignedRoiAlign = 1;   // torchvision's roi_align() did not know pixels' centers
constexpr int64_t kOptionalLinspaceSteps = 7;
constexpr int64_t kOptionalLogspaceSteps = 8;

struct OldSchema {
  const char* text;
  int64_t last_version;
};
constexpr OldSchema kOldSchemas[] = {
    {"aten::linspace(Scalar start, Scalar end, int? steps=None, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor",
     kOptionalLinspaceSteps},
    {"aten::linspace.out(Scalar start, Scalar end, int? steps=None, *, Tensor(a!) out) -> Tensor(a!)",
     kOptionalLinspaceSteps},
    {"aten::logspace(Scalar start, Scalar end, int? steps=None, float base=10.0, *, ScalarType? dtype=None, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
     kOptionalLogspaceSteps},
    {"aten::logspace.out(Scalar start, Scalar end, int? steps=None, float base=10.0, *, Tensor(a!) out) -> Tensor(a!)",
     kOptionalLogspaceSteps},
    {"torchvision::roi_align(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width, int "
     "sampling_ratio) -> Tensor",
     kUnalignedRoiAlign},
};

bool is_division(const FunctionSchema& schema) {
  return (schema.name == "aten::div" || schema.name == "aten::div_") &&
         (schema.overload == "out" || schema.overload == "Tensor" || schema.overload == "Scalar");
}

ir::Value* is_float(UpgradeSink& sink, ir::Value* value, bool is_scalar) {
  if (!is_scalar) return sink.op("aten::is_floating_point", {value});
  ir::Node* node = sink.node(ir::NodeKind::kIsInstance, {value});
  node->types = {types::floating()};
  return sink.graph().add_output(node, types::boolean());
}

ir::Value* divide(UpgradeSink& sink, const std::string& full_name, bool by_scalar, std::vector<ir::Value*> args) {
  ir::Value* floating = is_float(sink, args[0], false);
  for (size_t i = 1; i < args.size(); ++i) {
    floating = sink.op("aten::__or__.bool", {floating, is_float(sink, args[i], by_scalar)});
  }
  std::vector<ir::Value*> truncating = args;
  truncating.insert(truncating.begin() + 2, sink.constant(IValue("trunc")));

  ir::Node* node = sink.node(ir::NodeKind::kIf, {floating});
  ir::Block* const outer = sink.block();
  sink.block() = sink.graph().add_block(node);
  sink.graph().set_results(sink.block(), {sink.op(full_name, std::move(args))});
  sink.block() = sink.graph().add_block(node);
  sink.graph().set_results(sink.block(), {sink.op(full_name + "_mode", std::move(truncating))});
  sink.block() = outer;
  return sink.graph().add_output(node, types::tensor());
}

// `then` when the value is None, the value itself otherwise.
ir::Value* if_none(UpgradeSink& sink, ir::Value* value, ir::Value* then, const TypePtr& type) {
  if (value->type->is(TypeKind::kNone)) return then;
  ir::Node* node = sink.node(ir::NodeKind::kIf, {sink.op("aten::__is__", {value, sink.constant(IValue())})});
  sink.graph().set_results(sink.graph().add_block(node), {then});
  sink.graph().set_results(sink.graph().add_block(node), {value});
  return sink.graph().add_output(node, type);
}

// A fill value becomes a float unless the call says which dtype it wants.
ir::Value* float_fill(UpgradeSink& sink, ir::Value* fill, ir::Value* dtype) {
  ir::Value* as_float = sink.op("aten::Float.Scalar", {fill});
  if (!dtype || dtype->type->is(TypeKind::kNone)) return as_float;
  ir::Node* node = sink.node(ir::NodeKind::kIf, {sink.op("aten::__is__", {dtype, sink.constant(IValue())})});
  sink.graph().set_results(sink.graph().add_block(node), {as_float});
  sink.graph().set_results(sink.graph().add_block(node), {fill});
  return sink.graph().add_output(node, types::number());
}

}  // namespace

const FunctionSchema* old_schema(const FunctionSchema& schema, int64_t version) {
  if (version > kOptionalLogspaceSteps ||
      (schema.name != "aten::linspace" && schema.name != "aten::logspace" && schema.name != "torchvision::roi_align")) {
    return nullptr;
  }
  static const auto* const parsed = [] {
    auto* out = new std::vector<FunctionSchema>;
    for (const OldSchema& old : kOldSchemas) out->push_back(parse_schema(old.text));
    return out;
  }();
  for (size_t i = 0; i < parsed->size(); ++i) {
    const FunctionSchema& old = (*parsed)[i];
    if (old.name == schema.name && old.overload == schema.overload && version <= kOldSchemas[i].last_version) {
      return &old;
    }
  }
  return nullptr;
}

bool is_upgraded(const FunctionSchema& schema, int64_t version) {
  if (version <= kTruncatingDivision && is_division(schema)) return true;
  if (version <= kFullIsFloat && schema.name == "aten::full" && (schema.overload.empty() || schema.overload == "out")) {
    return true;
  }
  return old_schema(schema, version) != nullptr;
}

ir::Value* upgrade_call(UpgradeSink& sink, std::string_view name, std::string_view overload,
                        std::vector<ir::Value*> args) {
  const std::string full_name = cat(name, overload.empty() ? "" : ".", overload);
  if (name == "aten::div" || name == "aten::div_") {
    return divide(sink, full_name, overload == "Scalar", std::move(args));
  }
  if (name == "torchvision::roi_align") {
    args.push_back(sink.constant(IValue(false)));
  } else if (name == "aten::full") {
    args[1] = float_fill(sink, args[1], overload.empty() ? args[2] : nullptr);
  } else if (!args[2]->type->is(TypeKind::kInt)) {
    args[2] = if_none(sink, args[2], sink.constant(IValue(kStepsWhenNone)), types::any());
  }
  return sink.op(full_name, std::move(args));
}

}  // namespace wick
