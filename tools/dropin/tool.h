// What the drop-in tools have in common.
#pragma once

#include <string>
#include <vector>

#include "dropin/flags.h"
#include "wick/ivalue.h"

namespace wick::dropin {

// Parses the flags and runs the tool; what it throws is printed to stderr and the exit code is 1.
int run(int argc, char** argv, Flags flags, int (*tool)(const Flags& flags));

// Prints a line to stdout and flushes it.
void say(const std::string& line);

// One input of --input_dims, --input_type and --input_memory_format.
struct InputSpec {
  IntVec sizes;
  DType dtype = DType::kFloat;
  MemoryFormat format = MemoryFormat::kContiguous;
};
// Throws with PyTorch's texts when the flags do not go together or name what there is not.
std::vector<InputSpec> input_specs(const Flags& flags);

// The tensor --pytext_len adds to the inputs: [length], of shape {1}.
Tensor text_length(int length);

// The line every benchmark ends with.
std::string summary(double micros_per_iteration, double iterations_per_second);
// A line for machines: the time of one iteration.
std::string observation(const std::string& micros);

}  // namespace wick::dropin
