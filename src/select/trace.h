// The tracer: runs a model and writes down what a build for it must hold.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "select/op_list.h"
#include "wick/module.h"

namespace wick::ir {
struct Program;
}

namespace wick::select {

// One run of a method.
struct TraceInput {
  std::string method;
  std::string label;  // "bundled input 0", "in.pt"
  std::vector<IValue> arguments;
};

// A branch no input took, or a loop no input entered.
struct Gap {
  std::string function;                // "forward"
  std::string what;                    // "the 'else' of an if", "the body of a loop"
  std::string where;                   // source line, when known
  std::vector<std::string> operators;  // called nowhere else
  size_t count = 1;                    // places that are alike
};

struct InputCoverage {
  std::string label;     // with the method: "forward, bundled input 0"
  size_t operators = 0;  // different ones it called
  size_t fresh = 0;      // of these, called by no input before
};

struct TraceReport {
  std::string kind;  // of the file: "lite", "flatbuffer", "torchscript"
  OperatorList list;
  std::vector<InputCoverage> inputs;
  std::vector<Gap> gaps;
  std::vector<std::string> methods_not_run;
  std::vector<std::string> operators_not_called;
  std::vector<std::string> kernels;  // of planned runs: "conv 3x3 winograd4 batch_norm relu"
};

// Whether bytecode has an instruction for the operator.
bool has_instruction(std::string_view full_name);

// Adds what the program needs without being run: operators, classes, the frontend.
void add_program(OperatorList& list, const ir::Program& program);

// Adds the form of a file of tensors.
void add_saved(OperatorList& list, const std::string& path);

// The bundled inputs of every method that has some.
std::vector<TraceInput> bundled_trace_inputs(const Module& module);

// Told how many runs are done, and how many there are.
using TraceProgress = std::function<void(const char* what, size_t done, size_t total)>;

// Runs the inputs operator by operator and by plans, by plans once for every instruction set of this machine. Every
// operator of the file is listed, called or not; dtypes and kernels are those that were met, so they depend on the
// inputs. Throws what a run throws. `isa`: plans are run for these only (sse4, avx2, avx512, neon, as WICK_ISA has
// them); empty: for all.
TraceReport trace_model(const std::string& path, const std::vector<TraceInput>& inputs,
                        const std::vector<std::string>& isa = {}, const TraceProgress& progress = nullptr);

}  // namespace wick::select
