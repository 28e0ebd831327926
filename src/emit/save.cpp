// The public calls that save models.
#include "wick/save.h"
#include "api/module_access.h"
#include "archive/writer.h"
#include "core/check.h"
#include "emit/lite.h"
#include "emit/torchscript.h"

namespace wick {

namespace {

const ir::Program& checked_program(const Module& module) {
  WICK_CHECK(program_of(module), kInvalidArgument, "the module is empty: there is nothing to save");
  return *program_of(module);
}

}  // namespace

std::vector<uint8_t> save_lite(const Module& module, const SaveOptions& options) {
  return emit::lite_container(checked_program(module), options, "archive");
}

void save_lite(const Module& module, const std::string& path, const SaveOptions& options) {
  write_file(path, emit::lite_container(checked_program(module), options, archive_root_of(path)));
}

std::vector<uint8_t> save_torchscript(const Module& module, const SaveOptions& options) {
  return emit::torchscript_container(checked_program(module), options, "archive");
}

void save_torchscript(const Module& module, const std::string& path, const SaveOptions& options) {
  write_file(path, emit::torchscript_container(checked_program(module), options, archive_root_of(path)));
}

}  // namespace wick
