// wick convert: from one kind of model file to another.
#include <cstdio>

#include "arguments.h"
#include "commands.h"
#include "core/check.h"
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
           {"--no-source", nullptr, "leave the TorchScript source out of a lite file"}}};
}

bool ends_with_any(const std::string& path, std::initializer_list<std::string_view> endings) {
  for (std::string_view ending : endings) {
    if (path.ends_with(ending)) return true;
  }
  return false;
}

bool wants_lite(const Arguments& arguments) {
  const std::string format = arguments.get("--format");
  const std::string& out = arguments.operand(1);
  if (format == "lite") return true;
  if (format == "torchscript") return false;
  if (!format.empty()) throw UsageError("--format is lite or torchscript, not '" + format + "'");
  if (ends_with_any(out, {".ptl"})) return true;
  if (ends_with_any(out, {".pt", ".pth", ".torchscript"})) return false;
  throw UsageError("the extension of '" + out + "' does not tell the kind of file; use .ptl or .pt, or give --format");
}

}  // namespace

int command_convert(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, 2);
  if (arguments.wants_help()) return print_help(spec()), 0;
  SaveOptions options;
  const bool lite = wants_lite(arguments);
  options.bytecode_version = arguments.get_number("--bytecode-version", options.bytecode_version, 0);
  options.debug_info = !arguments.has("--strip-debug");
  options.stored_state = true;
  options.source = !arguments.has("--no-source");
  if (!lite && arguments.has("--bytecode-version")) throw UsageError("--bytecode-version is for lite files");
  if (!lite && arguments.has("--no-source")) throw UsageError("--no-source is for lite files");
  const Module module = load(arguments.operand(0));
  const std::string& out = arguments.operand(1);
  if (lite) {
    save_lite(module, out, options);
  } else {
    save_torchscript(module, out, options);
  }
  std::printf("wrote %s\n", out.c_str());
  return 0;
}

}  // namespace wick::tools
