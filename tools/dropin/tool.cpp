// Runs a drop-in tool; parses the input flags that several of them share and prints their summary lines.
#include "dropin/tool.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "arguments.h"
#include "core/check.h"
#include "core/copy.h"
#include "standard_output.h"

namespace wick::dropin {

namespace {

int64_t side(const std::string& text) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  WICK_CHECK(end != text.c_str() && value <= INT_MAX && value >= INT_MIN, kInvalidArgument, "stoi: '", text,
             "' in --input_dims is not a number");
  WICK_CHECK(value >= 0, kInvalidArgument, "Trying to create tensor with negative dimension ", value, ": [", value,
             "]");
  return value;
}

DType input_type(const std::string& text) {
  if (text == "float") return DType::kFloat;
  if (text == "uint8_t") return DType::kByte;
  if (text == "int64") return DType::kLong;
  fail(ErrorCode::kInvalidArgument, "Unsupported input type: " + text);
}

MemoryFormat input_format(const std::string& text, size_t dims) {
  if (text == "contiguous_format") return MemoryFormat::kContiguous;
  WICK_CHECK(text == "channels_last", kInvalidArgument, "Unsupported input memory format: ", text);
  WICK_CHECK(dims == 4, kInvalidArgument, "channels_last memory format only available on 4D tensors!");
  return MemoryFormat::kChannelsLast;
}

}  // namespace

int run(int argc, char** argv, Flags flags, int (*tool)(const Flags& flags)) {
  tools::prepare_output();
  if (!flags.parse(argc, argv)) return flags.exit_code();
  std::string problem;
  try {
    return tools::finish_output(tool(flags));
  } catch (const Error& e) {
    problem = e.message();
  } catch (const std::bad_alloc&) {
    problem = "out of memory";
  } catch (const std::exception& e) {
    problem = e.what();
  }
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", problem.c_str());
  return 1;
}

void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

std::vector<InputSpec> input_specs(const Flags& flags) {
  const std::vector<std::string> dims = tools::split(flags.text("input_dims"), ';');
  const std::vector<std::string> types = tools::split(flags.text("input_type"), ';');
  const std::vector<std::string> formats = tools::split(flags.text("input_memory_format"), ';');
  WICK_CHECK(dims.size() == types.size(), kInvalidArgument, dims.size(), " vs ", types.size(),
             ". Input dims and type should have the same number of items.");
  WICK_CHECK(dims.size() == formats.size(), kInvalidArgument, dims.size(), " vs ", formats.size(),
             ". Input dims and format should have the same number of items.");
  std::vector<InputSpec> out;
  for (size_t i = 0; i < dims.size(); ++i) {
    InputSpec& spec = out.emplace_back();
    for (const std::string& text : tools::split(dims[i], ',')) spec.sizes.push_back(side(text));
    spec.dtype = input_type(types[i]);
    spec.format = input_format(formats[i], spec.sizes.size());
  }
  return out;
}

Tensor text_length(int length) {
  Tensor out = Tensor::empty({1}, DType::kLong);
  fill(out, static_cast<int64_t>(length));
  return out;
}

std::string summary(double micros_per_iteration, double iterations_per_second) {
  return cat("Main run finished. Microseconds per iter: ", micros_per_iteration,
             ". Iters per second: ", iterations_per_second);
}

std::string observation(const std::string& micros) {
  return cat(R"(PyTorchObserver {"type": "NET", "unit": "us", "metric": "latency", "value": ")", micros, "\"}");
}

}  // namespace wick::dropin
