// The public calls that save models.
#include "wick/save.h"
#include "api/module_access.h"
#include "archive/writer.h"
#include "core/check.h"
#include "core/out_of_memory.h"
#include "core/stopped.h"
#include "emit/lite.h"
#include "emit/torchscript.h"

namespace wick {

namespace {

const ir::Program& checked_program(const Module& module) {
  WICK_CHECK(program_of(module), kInvalidArgument, "the module is empty: there is nothing to save");
  return *program_of(module);
}

// The source that a lite file carries along was not read when it was loaded: what is written is, before anyone gets it.
// Source of a kind that this build cannot read is left out; what the bytecode does is written instead.
std::vector<uint8_t> torchscript_bytes(const ir::Program& program, const SaveOptions& options,
                                       const std::string& root) {
  std::vector<uint8_t> bytes = emit::torchscript_container(program, options, root);
#ifdef WICK_WITH_TORCHSCRIPT
  if (program.kind == ir::FileKind::kTorchScript || !emit::has_kept_source(program)) return bytes;
  try {
    load(bytes);
  } catch (const Error& e) {
    rethrow_if_stopped(e);
    if (e.code() == ErrorCode::kUnsupported || e.code() == ErrorCode::kMissingOperator ||
        e.code() == ErrorCode::kLimitExceeded) {
      return emit::torchscript_container(program, options, root, emit::SourceText::kPrinted);
    }
    throw Error(e.code(), cat("the model's file carries source, which cannot be read: ", e.message()));
  }
#endif
  return bytes;
}

}  // namespace

std::vector<uint8_t> save_lite(const Module& module, const SaveOptions& options) {
  return with_memory_errors([&] { return emit::lite_container(checked_program(module), options, "archive"); });
}

void save_lite(const Module& module, const std::string& path, const SaveOptions& options) {
  with_memory_errors(
      [&] { write_file(path, emit::lite_container(checked_program(module), options, archive_root_of(path))); });
}

std::vector<uint8_t> save_torchscript(const Module& module, const SaveOptions& options) {
  return with_memory_errors([&] { return torchscript_bytes(checked_program(module), options, "archive"); });
}

void save_torchscript(const Module& module, const std::string& path, const SaveOptions& options) {
  with_memory_errors(
      [&] { write_file(path, torchscript_bytes(checked_program(module), options, archive_root_of(path))); });
}

}  // namespace wick
