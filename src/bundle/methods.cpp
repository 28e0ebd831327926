// The methods that return bundled inputs, as graphs and as source.
#include "bundle/methods.h"

#include <cstdio>
#include <functional>

#include "core/check.h"

namespace wick::bundle {

namespace {

using ir::Graph;
using ir::NodeKind;
using ir::Value;

using Body = std::function<Value*(Graph& graph, Value* self)>;

std::unique_ptr<ir::Function> make_method(const std::string& class_name, const std::string& name, TypePtr result,
                                          const Body& body) {
  auto out = std::make_unique<ir::Function>();
  out->name = cat(class_name, ".", name);
  out->schema.name = name;
  Argument self;
  self.name = "self";
  self.type = types::class_type(class_name);
  Argument returned;
  returned.type = std::move(result);
  Value* object = out->graph.add_param(out->graph.body(), self.type, "self");
  out->schema.arguments.push_back(std::move(self));
  out->schema.returns.push_back(std::move(returned));
  out->graph.set_results(out->graph.body(), {body(out->graph, object)});
  return out;
}

Value* call(Graph& graph, std::string_view op, std::vector<Value*> inputs, const TypePtr& type) {
  ir::Node* node = graph.append(graph.body(), NodeKind::kOp, std::move(inputs));
  node->op = find_operator(op);
  node->op_name = op;
  return graph.add_output(node, type);
}

Value* construct(Graph& graph, NodeKind kind, std::vector<Value*> inputs, const TypePtr& type) {
  ir::Node* node = graph.append(graph.body(), kind, std::move(inputs));
  node->types = {type};
  return graph.add_output(node, type);
}

Value* inflated(Graph& graph, Value* stored, Inflate inflate) {
  const auto constant = [&](IValue value) { return graph.constant(graph.body(), std::move(value)); };
  switch (inflate) {
    case Inflate::kNothing:
      return stored;
    case Inflate::kContiguous:
    case Inflate::kChannelsLast: {
      const auto format = inflate == Inflate::kContiguous ? MemoryFormat::kContiguous : MemoryFormat::kChannelsLast;
      return call(graph, "aten::contiguous", {stored, constant(static_cast<int64_t>(format))}, types::tensor());
    }
    case Inflate::kRandn: {
      Value* none = constant({});
      return call(graph, "aten::randn_like", {stored, none, none, none, none, none}, types::tensor());
    }
  }
  return stored;
}

// Lite bytecode has no calls, so every getter has the whole of this.
Value* all_inputs(Graph& graph, Value* self, const BundledMethod& method) {
  ir::Node* read = graph.append(graph.body(), NodeKind::kGetAttr, {self});
  read->name = method.attribute;
  read->index = static_cast<int64_t>(method.slot);
  Value* list = graph.add_output(read, method.type);
  const TypePtr& tuple_type = method.type->element(0);
  std::vector<Value*> inputs;
  for (size_t i = 0; i < method.inflates.size(); ++i) {
    Value* at = graph.constant(graph.body(), IValue(static_cast<int64_t>(i)));
    Value* tuple = call(graph, "aten::__getitem__.t", {list, at}, tuple_type);
    std::vector<Value*> arguments;
    for (size_t j = 0; j < method.inflates[i].size(); ++j) {
      Value* place = graph.constant(graph.body(), IValue(static_cast<int64_t>(j)));
      Value* stored = call(graph, "prim::TupleIndex", {tuple, place}, tuple_type->element(j));
      arguments.push_back(inflated(graph, stored, method.inflates[i][j]));
    }
    inputs.push_back(construct(graph, NodeKind::kTupleConstruct, std::move(arguments), tuple_type));
  }
  return construct(graph, NodeKind::kListConstruct, std::move(inputs), method.type);
}

std::string signature(const std::string& class_name, std::string_view name, const Type& result) {
  return cat("  def ", name, "(self: ", class_name, ") -> ", result.str(), ":\n");
}

std::string inflated_source(const std::string& stored, Inflate inflate) {
  switch (inflate) {
    case Inflate::kContiguous:
      return cat("torch.contiguous(", stored, ")");
    case Inflate::kChannelsLast:
      return cat("torch.contiguous(", stored, ", memory_format=", static_cast<int64_t>(MemoryFormat::kChannelsLast),
                 ")");
    case Inflate::kRandn:
      return cat("torch.randn_like(", stored, ")");
    case Inflate::kNothing:
      break;
  }
  return stored;
}

const TypePtr& strings() {
  static const TypePtr type = types::list(types::string());
  return type;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c < 0x20 || c > 0x7e) {
      char octal[8];
      std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(static_cast<uint8_t>(c)));
      out += octal;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string strings_source(const std::vector<std::string>& items) {
  std::string out = "annotate(List[str], [";
  for (size_t i = 0; i < items.size(); ++i) out += cat(i ? ", " : "", quoted(items[i]));
  return out + "])";
}

std::string getter_name(const std::string& method) { return "get_all_bundled_inputs_for_" + method; }

}  // namespace

std::vector<std::unique_ptr<ir::Function>> getters(const BundledMethod& method) {
  const Body all = [&](Graph& graph, Value* self) { return all_inputs(graph, self, method); };
  std::vector<std::unique_ptr<ir::Function>> out;
  const auto add = [&](const std::string& name, const TypePtr& type, const Body& body) {
    out.push_back(make_method(method.class_name, name, type, body));
  };
  add("_generate_bundled_inputs_for_" + method.name, method.type, all);
  add(getter_name(method.name), method.type, all);
  if (method.name == "forward") {
    add("get_all_bundled_inputs", method.type, all);
    add("get_num_bundled_inputs", types::integer(),
        [&](Graph& graph, Value* self) { return call(graph, "aten::len.t", {all(graph, self)}, types::integer()); });
  }
  return out;
}

std::string getters_source(const BundledMethod& method) {
  const std::string& cls = method.class_name;
  const std::string generate = "_generate_bundled_inputs_for_" + method.name;
  std::string out = cat("  ", method.attribute, " : ", method.type->str(), "\n", signature(cls, generate, *method.type),
                        "    deflated = self.", method.attribute, "\n");
  std::string inputs;
  for (size_t i = 0; i < method.inflates.size(); ++i) {
    std::string arguments;
    for (size_t j = 0; j < method.inflates[i].size(); ++j) {
      arguments += inflated_source(cat("(deflated[", i, "])[", j, "]"), method.inflates[i][j]) + ", ";
    }
    out += cat("    input_", i, " = (", arguments, ")\n");
    inputs += cat(i ? ", " : "", "input_", i);
  }
  out += cat("    return [", inputs, "]\n");
  out += cat(signature(cls, getter_name(method.name), *method.type), "    return (self).", generate, "()\n");
  if (method.name == "forward") {
    out += cat(signature(cls, "get_all_bundled_inputs", *method.type), "    return (self).", generate, "()\n");
    out += cat(signature(cls, "get_num_bundled_inputs", *types::integer()), "    return torch.len((self).", generate,
               "())\n");
  }
  return out;
}

std::unique_ptr<ir::Function> info_getter(const std::string& class_name, const Info& info) {
  const TypePtr entry_type = types::dict(types::string(), strings());
  const TypePtr type = types::dict(types::string(), entry_type);
  return make_method(class_name, "get_bundled_inputs_functions_and_info", type, [&](Graph& graph, Value*) {
    const auto constant = [&](const std::string& text) { return graph.constant(graph.body(), IValue(text)); };
    std::vector<Value*> entries;
    for (const auto& [method, lines] : info) {
      std::vector<Value*> texts;
      for (const std::string& line : lines) texts.push_back(constant(line));
      Value* told = construct(graph, NodeKind::kListConstruct, std::move(texts), strings());
      Value* getter = construct(graph, NodeKind::kListConstruct, {constant(getter_name(method))}, strings());
      entries.push_back(constant(method));
      entries.push_back(construct(graph, NodeKind::kDictConstruct,
                                  {constant("info"), told, constant("get_inputs_function_name"), getter}, entry_type));
    }
    return construct(graph, NodeKind::kDictConstruct, std::move(entries), type);
  });
}

std::string info_source(const std::string& class_name, const Info& info) {
  const TypePtr type = types::dict(types::string(), types::dict(types::string(), strings()));
  std::string out = signature(class_name, "get_bundled_inputs_functions_and_info", *type);
  out += "    return {";
  for (size_t i = 0; i < info.size(); ++i) {
    const auto& [method, lines] = info[i];
    out += cat(i ? ", " : "", "\"", method, "\": {\"info\": ", strings_source(lines),
               ", \"get_inputs_function_name\": [\"", getter_name(method), "\"]}");
  }
  return out + "}\n";
}

}  // namespace wick::bundle
