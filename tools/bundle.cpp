// wick bundle: stores inputs with a model, as torch.utils.bundled_inputs does.
#include "wick/bundle.h"

#include <cstdio>

#include "arguments.h"
#include "commands.h"
#include "core/check.h"
#include "files.h"
#include "inputs.h"
#include "output.h"
#include "output_kind.h"
#include "wick/save.h"
#include "wick/wick.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {"bundle",
          "MODEL OUT",
          "Stores inputs with a model, where PyTorch's get_all_bundled_inputs, 'wick run --bundled K' and benchmarks\n"
          "find them. Each --input, --image and --randn is one more input, in this order; tensors that hold one value\n"
          "everywhere are stored as one element. OUT is written whole or not at all.",
          {{"--input", "IN.pt", "what torch.save of a tuple of arguments wrote; may be given again"},
           {"--image", "FILE", "a PNG or JPEG image as a normalized [1, 3, H, W] argument; may be given again"},
           {"--size", "N|WxH", "scale the images: short side N and center crop, or exactly W x H"},
           {"--randn", "D,D,..[;..]", "arguments of these sizes, filled with new random numbers at each use"},
           {"--method", "NAME", "the method the inputs are for (default: forward)"},
           {"--info", "TEXT", "a line about an input, for people; may be given again"},
           {"--format", "lite|torchscript", "kind of OUT (default: by its extension, .ptl or .pt)"}}};
}

BundledInput random_input(const std::string& dims) {
  BundledInput out;
  for (const IntVec& sizes : input_sizes(dims, "--randn")) out.push_back(BundledArgument::randn(sizes));
  return out;
}

std::vector<BundledInput> collect(const Arguments& arguments) {
  std::vector<BundledInput> out;
  for (const std::string& path : arguments.all("--input")) {
    BundledInput& input = out.emplace_back();
    for (IValue& value : saved_arguments({path})) input.emplace_back(std::move(value));
  }
  for (const std::string& path : arguments.all("--image")) {
    out.push_back({image_argument(path, arguments.get("--size"))});
  }
  for (const std::string& dims : arguments.all("--randn")) out.push_back(random_input(dims));
  return out;
}

}  // namespace

CommandSpec spec_bundle() { return spec(); }

int command_bundle(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, 2);
  if (arguments.wants_help()) return print_help(spec()), 0;
  const std::string& out = arguments.operand(1);
  const bool lite = wants_lite(arguments, out);
  const std::string method = arguments.get("--method", "forward");
  const std::vector<BundledInput> inputs = collect(arguments);
  if (inputs.empty()) throw UsageError("nothing to bundle: give --input, --image or --randn");
  Module module = load_file(arguments.operand(0));
  bundle_inputs(module, inputs, method, arguments.all("--info"));
  save_file(module, out, lite);
  if (output().json) {
    Json json;
    json.begin_object().key("output").string(out).key("method").string(method);
    json.key("inputs").number(static_cast<long>(inputs.size()));
    print_json(json.key("bytes").number(static_cast<long>(file_bytes(out))).end_object());
  }
  say("wrote %s with %zu bundled inputs for %s\n", out.c_str(), inputs.size(), method.c_str());
  return 0;
}

}  // namespace wick::tools
