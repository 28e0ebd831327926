#include "emit/torchscript.h"

#include "core/check.h"
#include "emit/container_parts.h"

namespace wick::emit {

std::vector<uint8_t> torchscript_container(const ir::Program& program, const SaveOptions& options,
                                           const std::string& root) {
  WICK_CHECK(program.root.is_object(), kInvalidArgument, "the program has no module to save");
  const SourceRecords source(program);
  WICK_CHECK(source.present(), kUnsupported,
             "the model holds no TorchScript source, only bytecode: it cannot be saved as TorchScript");
  const ModuleData data(program, options.stored_state);
  ZipWriter zip(root);
  write_extra_files(zip, program);
  data.write(zip);
  source.write_code(zip, options.debug_info);
  source.write_constants(zip);
  write_version(zip, program.operator_version);
  return zip.finish();
}

}  // namespace wick::emit
