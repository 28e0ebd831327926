// wick convert: from one kind of model file to another.
#include <cstdio>

#include "arguments.h"
#include "commands.h"
#include "core/check.h"
#include "files.h"
#include "output.h"
#include "output_kind.h"
#include "wick/bundle.h"
#include "wick/save.h"
#include "wick/wick.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {"convert",
          "IN OUT",
          "Writes a model as another kind of file: .ptl for PyTorch's lite interpreter, .pt for torch.jit.load.\n"
          "PyTorch and Wick load what it writes. OUT is written whole or not at all.",
          {{"--format", "lite|torchscript", "kind of OUT (default: by its extension, .ptl or .pt)"},
           {"--bytecode-version", "N", "bytecode of a lite file, 4 to 8 (default 8)"},
           {"--strip-debug", nullptr, "leave out what names the Python lines of errors"},
           {"--strip-bundled", nullptr, "remove the bundled inputs"},
           {"--no-source", nullptr, "leave the TorchScript source out of a lite file"}}};
}

}  // namespace

CommandSpec spec_convert() { return spec(); }

int command_convert(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, 2);
  if (arguments.wants_help()) return print_help(spec()), 0;
  SaveOptions options;
  const bool lite = wants_lite(arguments, arguments.operand(1));
  options.bytecode_version = arguments.get_number("--bytecode-version", options.bytecode_version, 0);
  options.debug_info = !arguments.has("--strip-debug");
  options.stored_state = true;
  options.source = !arguments.has("--no-source");
  if (!lite && arguments.has("--bytecode-version")) throw UsageError("--bytecode-version is for lite files");
  if (!lite && arguments.has("--no-source")) throw UsageError("--no-source is for lite files");
  Module module = load_file(arguments.operand(0));
  if (arguments.has("--strip-bundled") && strip_bundled_inputs(module)) options.stored_state = false;
  const std::string& out = arguments.operand(1);
  save_file(module, out, lite, options);
  if (output().json) {
    Json json;
    json.begin_object().key("output").string(out).key("format").string(lite ? "lite" : "torchscript");
    print_json(json.key("bytes").number(static_cast<long>(file_bytes(out))).end_object());
  }
  say("wrote %s\n", out.c_str());
  return 0;
}

}  // namespace wick::tools
