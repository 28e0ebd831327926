// wick info: what a model file holds.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "arguments.h"
#include "commands.h"
#include "core/check.h"
#include "files.h"
#include "json.h"
#include "output.h"
#include "wick/inspect.h"
#include "wick/save.h"
#include "wick/wick.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {
      "info",
      "MODEL",
      "Says what a model file holds: kind, versions, methods, operators, bundled inputs, sizes.",
      {
          {"--opnames", nullptr,
           "print the operators of the lite form, one a line, as torch.jit.export_opnames lists them"},
          {"--graph", nullptr, "print the graph of a method and of the functions it calls, as TorchScript shows it"},
          {"--method", "NAME", "the method for --graph (default: forward)"},
          {"--devices", nullptr, "list the GPUs that models can run on; takes no MODEL"},
      }};
}

struct Tensors {
  size_t count = 0;
  size_t numel = 0;
  size_t bytes = 0;
};

Tensors sum(const std::vector<std::pair<std::string, Tensor>>& named) {
  Tensors out;
  for (const auto& [name, tensor] : named) {
    ++out.count;
    out.numel += static_cast<size_t>(tensor.numel());
    out.bytes += tensor.nbytes();
  }
  return out;
}

// "forward(Tensor x, int n=1) -> Tensor"
std::string signature(const MethodInfo& method) {
  std::string out = method.name + "(";
  for (size_t i = 0; i < method.arguments.size(); ++i) {
    const MethodArgument& argument = method.arguments[i];
    out += cat(i ? ", " : "", argument.type, " ", argument.name);
    if (argument.has_default) out += "=" + repr(argument.default_value);
  }
  out += ")";
  return method.return_type.empty() ? out : out + " -> " + method.return_type;
}

struct Summary {
  std::string path;
  size_t file_bytes;
  Module module;
  Tensors parameters, buffers;
  ModelInfo info;
};

Summary summarize(const std::string& path) {
  LoadOptions options;
  options.allow_missing_operators = true;
  Summary out;
  out.path = path;
  out.module = load_file(path, options);
  std::error_code ignored;
  out.file_bytes = static_cast<size_t>(std::filesystem::file_size(path, ignored));
  out.parameters = sum(out.module.named_parameters());
  out.buffers = sum(out.module.named_buffers());
  out.info = inspect_model(out.module);
  return out;
}

void print_summary_json(const Summary& summary) {
  const ModelInfo& info = summary.info;
  Json json;
  json.begin_object();
  json.key("file").string(summary.path);
  json.key("kind").string(info.kind);
  json.key("bytecode_version").number(static_cast<long>(info.bytecode_version));
  json.key("operator_version").number(static_cast<long>(info.operator_version));
  json.key("producer").string(info.producer);
  json.key("file_bytes").number(static_cast<long>(summary.file_bytes));
  const auto tensors = [&](const char* name, const Tensors& t) {
    json.key(name).begin_object();
    json.key("count").number(static_cast<long>(t.count));
    json.key("elements").number(static_cast<long>(t.numel));
    json.key("bytes").number(static_cast<long>(t.bytes));
    json.end_object();
  };
  tensors("parameters", summary.parameters);
  tensors("buffers", summary.buffers);
  json.key("methods").begin_array();
  for (const MethodInfo& method : summary.module.methods()) {
    json.begin_object();
    json.key("name").string(method.name);
    json.key("signature").string(signature(method));
    json.key("arguments").begin_array();
    for (const MethodArgument& argument : method.arguments) {
      json.begin_object();
      json.key("name").string(argument.name);
      json.key("type").string(argument.type);
      json.key("has_default").boolean(argument.has_default);
      json.end_object();
    }
    json.end_array();
    json.key("returns").string(method.return_type);
    json.end_object();
  }
  json.end_array();
  json.key("operators").begin_array();
  for (const OperatorUse& use : info.operators) {
    json.begin_object();
    json.key("name").string(use.name);
    json.key("count").number(static_cast<long>(use.count));
    json.key("available").boolean(use.available);
    json.end_object();
  }
  json.end_array();
  json.key("bundled_inputs").begin_object();
  for (const auto& [method, count] : info.bundled_inputs) json.key(method).number(static_cast<long>(count));
  json.end_object();
  json.key("extra_files").begin_array();
  for (const auto& [name, bytes] : summary.module.extra_files()) json.string(name);
  json.end_array();
  json.end_object();
  print_json(json);
}

void print_text(const Summary& summary) {
  const ModelInfo& info = summary.info;
  say("%s: %s model", summary.path.c_str(), info.kind.c_str());
  if (info.bytecode_version) say(", bytecode version %lld", static_cast<long long>(info.bytecode_version));
  if (info.operator_version) say(", operator version %lld", static_cast<long long>(info.operator_version));
  say("\n%zu bytes; %zu parameters with %zu elements (%zu bytes), %zu buffers (%zu bytes)\n", summary.file_bytes,
      summary.parameters.count, summary.parameters.numel, summary.parameters.bytes, summary.buffers.count,
      summary.buffers.bytes);
  say("\nmethods\n");
  for (const MethodInfo& method : summary.module.methods()) say("  %s\n", signature(method).c_str());
  if (!info.bundled_inputs.empty()) {
    say("\nbundled inputs\n");
    for (const auto& [method, count] : info.bundled_inputs) say("  %s: %zu\n", method.c_str(), count);
  }
  if (!summary.module.extra_files().empty()) {
    say("\nextra files\n");
    for (const auto& [name, bytes] : summary.module.extra_files()) {
      say("  %s (%zu bytes)\n", name.c_str(), bytes.size());
    }
  }
  say("\n%zu operators\n", info.operators.size());
  for (const OperatorUse& use : info.operators) {
    say("  %-48s %4zu%s\n", use.name.c_str(), use.count, use.available ? "" : "   missing in this build");
  }
}

void print_opnames(const std::string& path) {
  LoadOptions options;
  options.allow_missing_operators = true;
  const std::vector<std::string> names = export_opnames(load_file(path, options));
  if (output().json) {
    Json json;
    json.begin_object().key("file").string(path).key("operators").begin_array();
    for (const std::string& name : names) json.string(name);
    print_json(json.end_array().end_object());
    return;
  }
  for (const std::string& name : names) std::printf("%s\n", name.c_str());
}

void print_graph(const std::string& path, const std::string& name) {
  LoadOptions options;
  options.allow_missing_operators = true;
  const std::string text = graph_text(load_file(path, options), name);
  if (output().json) {
    Json json;
    print_json(
        json.begin_object().key("file").string(path).key("method").string(name).key("graph").string(text).end_object());
    return;
  }
  std::printf("%s", text.c_str());
}

// Every device that Vulkan finds.
int print_devices() {
  const bool as_json = output().json;
  Json json;
  json.begin_array();
  int number = 0;
  for (const GpuDevice& device : gpu_devices()) {
    json.begin_object();
    json.key("name").string(device.name);
    json.key("kind").string(device.kind);
    json.key("driver").string(device.driver);
    json.key("memory_bytes").number(static_cast<double>(device.memory));
    json.key("float16").boolean(device.has_float16);
    json.end_object();
    if (!as_json) {
      std::printf("%d: %s, %s, %s, %.1f GB%s\n", number, device.name.c_str(), device.kind.c_str(),
                  device.driver.c_str(), static_cast<double>(device.memory) / 1e9,
                  device.has_float16 ? ", float16" : "");
    }
    ++number;
  }
  json.end_array();
  if (as_json) print_json(json);
  if (number == 0 && !as_json) say("no GPU: Vulkan finds no device\n");
  return 0;
}

}  // namespace

CommandSpec spec_info() { return spec(); }

int command_info(int argc, char** argv) {
  for (int k = 0; k < argc; ++k) {
    if (std::string_view(argv[k]) != "--devices") continue;
    const Arguments arguments(spec(), argc, argv, 0);
    return print_devices();
  }
  const Arguments arguments(spec(), argc, argv, 1);
  if (arguments.wants_help()) return print_help(spec()), 0;
  if (arguments.has("--graph") || arguments.has("--method")) {
    print_graph(arguments.operand(0), arguments.get("--method", "forward"));
    return 0;
  }
  if (arguments.has("--opnames")) return print_opnames(arguments.operand(0)), 0;
  const Summary summary = summarize(arguments.operand(0));
  if (output().json) {
    print_summary_json(summary);
  } else {
    print_text(summary);
  }
  return 0;
}

}  // namespace wick::tools
