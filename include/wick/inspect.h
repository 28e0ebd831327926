// What a loaded model is made of. Part of the compiler library (wick::compiler).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "wick/module.h"

namespace wick {

// An operator that a model's code names.
struct OperatorUse {
  std::string name;       // "aten::add.Tensor"
  size_t count = 0;       // places
  bool available = true;  // false: this build lacks it, and calling it throws kMissingOperator
  std::string where;      // of the first place: method and, when known, source line
};

// What a file says of itself and of its code.
//
//   wick::Module module = wick::load("model.ptl", {.allow_missing_operators = true});
//   for (const wick::OperatorUse& use : wick::inspect_model(module).operators)
//     if (!use.available) std::printf("%s is missing\n", use.name.c_str());
struct ModelInfo {
  std::string kind;              // "lite", "flatbuffer" or "torchscript"
  int64_t bytecode_version = 0;  // 0 for source
  int64_t operator_version = 0;
  std::string producer;  // where known
  std::vector<OperatorUse> operators;
  // Methods that have bundled inputs, and how many. Counting runs the model's code, within the bounds of loading.
  std::vector<std::pair<std::string, size_t>> bundled_inputs;
};
ModelInfo inspect_model(const Module& module);

// The operator, of this build or registered, whose name is nearly the one that was typed: "aten::relu" for
// "aten::reluu", "torch::relu" or "relu". Empty where there is none that is like it.
std::string nearest_operator(std::string_view full_name);

// Reads every record of a zip container and compares its checksum; other kinds of file have none. Throws kNotFound, kIo
// or, naming the record, kCorruptFile.
void check_records(const std::string& path);

// A step of a method's code. Values are named by numbers ("%3") or by the names that the source has ("%x").
struct GraphNode {
  std::string name;  // "aten::conv2d", "prim::If"
  std::vector<std::string> inputs, outputs;
  std::vector<std::string> types;              // of the outputs
  std::string detail;                          // a constant's value, an attribute's or a called method's name
  std::string where;                           // "code/__torch__/m.py:12"; empty when not known
  std::vector<std::vector<GraphNode>> blocks;  // of an if (then, else) and a loop
};

// The code of a method: typed, structured, each value defined once.
struct MethodGraph {
  std::string name;
  std::vector<std::string> inputs, input_types, outputs;
  std::vector<GraphNode> nodes;
};
// Throws kNotFound for an unknown method.
MethodGraph method_graph(const Module& module, std::string_view method = "forward");
// The graph of the method and of every function that it calls, as TorchScript prints them.
std::string graph_text(const Module& module, std::string_view method = "forward");

}  // namespace wick
