// wick run: runs a method of a model and prints or saves the result.
#include <chrono>
#include <cstdio>
#include <fstream>

#include "arguments.h"
#include "commands.h"
#include "inputs.h"
#include "print.h"
#include "wick/save.h"
#include "wick/wick.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {"run",
          "MODEL",
          "Runs a method of a model. The result is printed, or written to a file that torch.load reads.",
          {
              {"--method", "NAME", "the method to run (default: call the model: forward with its hooks)"},
              {"--eval", nullptr, "switch a model saved in training mode to inference first"},
              {"--input", "IN.pt", "arguments: what torch.save of a tuple wrote; may be given again for more"},
              {"--image", "FILE", "a PNG or JPEG image as a normalized [1, 3, H, W] argument"},
              {"--size", "N|WxH", "scale the image: short side N and center crop, or exactly W x H"},
              {"--bundled", "K", "run on the model's bundled input number K"},
              {"--output", "OUT.pt", "write the result to this file"},
              {"--top", "K", "print the K best scores"},
              {"--labels", "FILE", "names of the classes, one a line, for --top"},
              {"--threads", "N", "threads to use (default: the performance cores)"},
              {"--backend", "cpu|gpu", "where to run (default: cpu)"},
              {"--no-plan", nullptr, "run operator by operator, without plans"},
              {"--copy", nullptr, "read the model into memory; a mapped file must not be truncated while it is used"},
              {"--exact", nullptr, "no convolution method that rounds differently (Winograd)"},
          }};
}

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(ErrorCode::kNotFound, "cannot open the labels " + path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<IValue> collect_arguments(const Arguments& arguments, const Module& module, const std::string& method,
                                      long bundled) {
  if (bundled >= 0) return bundled_arguments(module, method, bundled);
  std::vector<IValue> out;
  if (arguments.has("--image")) out.push_back(image_argument(arguments.get("--image"), arguments.get("--size")));
  for (IValue& value : saved_arguments(arguments.all("--input"))) out.push_back(std::move(value));
  check_arguments_given(module, method, out, "--input IN.pt, --image FILE or --bundled K");
  return out;
}

double milliseconds(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

}  // namespace

int command_run(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, 1);
  if (arguments.wants_help()) return print_help(spec()), 0;
  apply_machine_options(arguments);
  const long top = arguments.get_number("--top", 0, 1);
  const long bundled = arguments.get_number("--bundled", -1, 0);
  if (bundled >= 0 && (arguments.has("--input") || arguments.has("--image"))) {
    throw UsageError("give either --bundled, or --input and --image");
  }
  const std::string method = arguments.get("--method", "forward");
  const std::vector<std::string> labels =
      arguments.has("--labels") ? read_lines(arguments.get("--labels")) : std::vector<std::string>{};

  const auto start = std::chrono::steady_clock::now();
  Module module = load(arguments.operand(0), {.copy = arguments.has("--copy")});
  if (arguments.has("--eval")) module.eval();
  if (arguments.has("--no-plan")) module.set_planning(false);
  if (arguments.has("--exact")) module.set_exact(true);
  const auto loaded = std::chrono::steady_clock::now();
  std::vector<IValue> inputs = collect_arguments(arguments, module, method, bundled);
  const auto ready = std::chrono::steady_clock::now();
  const IValue result =
      arguments.has("--method") ? module.run_method(method, std::move(inputs)) : module(std::move(inputs));
  const auto done = std::chrono::steady_clock::now();

  if (top > 0) {
    print_top(result, top, labels);
  } else if (!arguments.has("--output")) {
    print_value(result);
  }
  if (arguments.has("--output")) {
    save_tensors(result, arguments.get("--output"));
    std::printf("wrote %s\n", arguments.get("--output").c_str());
  }
  std::printf("loaded in %.1f ms, ran %s in %.1f ms\n", milliseconds(start, loaded), method.c_str(),
              milliseconds(ready, done));
  return 0;
}

}  // namespace wick::tools
