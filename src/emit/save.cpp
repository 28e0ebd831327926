// The public calls that save models.
#include "wick/save.h"
#include "archive/writer.h"
#include "core/check.h"
#include "emit/lite.h"
#include "emit/torchscript.h"

namespace wick {

namespace {

const ir::Program& program_of(const Module& module) {
  WICK_CHECK(module.program(), kInvalidArgument, "the module is empty: there is nothing to save");
  return *module.program();
}

}  // namespace

std::vector<uint8_t> save_lite(const Module& module, const SaveOptions& options) {
  return emit::lite_container(program_of(module), options, "archive");
}

void save_lite(const Module& module, const std::string& path, const SaveOptions& options) {
  write_file(path, emit::lite_container(program_of(module), options, archive_root_of(path)));
}

std::vector<uint8_t> save_torchscript(const Module& module, const SaveOptions& options) {
  return emit::torchscript_container(program_of(module), options, "archive");
}

void save_torchscript(const Module& module, const std::string& path, const SaveOptions& options) {
  write_file(path, emit::torchscript_container(program_of(module), options, archive_root_of(path)));
}

}  // namespace wick
