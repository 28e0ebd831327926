// lite_interpreter_model_load: whether a lite-interpreter file loads, with the flags of PyTorch's tool of that name.
#include <cstdio>

#include "api/module_access.h"
#include "core/check.h"
#include "dropin/tool.h"
#include "ir/program.h"
#include "wick/wick.h"

namespace wick::dropin {

namespace {

Flags flags() {
  return {
      "Checks that a lite-interpreter file can be loaded.\n"
      "For example:\n"
      "./lite_interpreter_model_load --model=<model_file>",
      {{"model", FlagKind::kString, "", "The file to load."}}};
}

int try_load(const Flags& flags) {
  if (flags.text("model").empty()) {
    std::fprintf(stderr, ":Model file is not provided\n");
    return -1;
  }
  const Module module = load(flags.text("model"));
  WICK_CHECK(program_of(module)->kind != ir::FileKind::kTorchScript, kUnsupported,
             "PytorchStreamReader failed locating file bytecode.pkl: file not found. ", flags.text("model"),
             " is a TorchScript file; 'wick convert' makes a lite one of it");
  return 0;
}

}  // namespace

}  // namespace wick::dropin

int main(int argc, char** argv) { return wick::dropin::run(argc, argv, wick::dropin::flags(), wick::dropin::try_load); }
