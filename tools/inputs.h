// What a method is run on, from the options that run and bench share.
#pragma once

#include <string>
#include <vector>

#include "arguments.h"
#include "image.h"
#include "wick/module.h"

namespace wick::tools {

// --threads and --backend; throws UsageError or Error for what this build does not have.
void apply_machine_options(const Arguments& arguments);
// --backend, --precision and --device, of commands that have them.
void apply_backend_options(const Arguments& arguments, Module& module);
#define WICK_BACKEND_OPTIONS                                                                            \
  {"--backend", "cpu|gpu|auto", "where to run (default: cpu)"},                                         \
      {"--precision", "fp32|fp16|auto",                                                                 \
       "what layers compute in, where the machine can; a GPU stores elements so (default: auto)"},      \
  {                                                                                                     \
    "--device", "N", "which GPU, of those that 'wick info --devices' lists (default: the fastest kind)" \
  }

// The arguments stored as bundled input K of the method; throws Error saying how many there are.
std::vector<IValue> bundled_arguments(const Module& module, const std::string& method, long k);

// Throws Error, saying which options give arguments, when the method takes some and has none.
void check_arguments_given(const Module& module, const std::string& method, const std::vector<IValue>& inputs,
                           const char* options);

// Values of IN.pt files: a tuple is a list of arguments, anything else is one argument.
std::vector<IValue> saved_arguments(const std::vector<std::string>& paths);

// "1,3,224,224;1,10" as lists of sizes; `option` is named in what is thrown.
std::vector<IntVec> input_sizes(const std::string& dims, const char* option = "--input-dims");

// Tensors of ones by --input-dims "1,3,224,224;1,10" and --input-type "float;int64".
std::vector<IValue> ones_arguments(const std::string& dims, const std::string& types);

// By --bundled, --input, or --input-dims and --input-type. Throws Error when the method takes arguments and none of
// these gives them.
std::vector<IValue> timed_arguments(const Arguments& arguments, const Module& module, const std::string& method);

// The same as ones_arguments with random numbers: floats from -1 to 1, integers from 0 to 9, booleans.
std::vector<IValue> random_arguments(const std::string& dims, const std::string& types, uint64_t seed);

// The image at `size`, as below.
Image sized_image(const std::string& path, const std::string& size);
// The image as a normalized tensor; `size` is "", "224" (short side, then center crop) or "320x240" (width x height).
IValue image_argument(const std::string& path, const std::string& size);

}  // namespace wick::tools
