// What a loaded model is made of: versions, operators, bundled inputs, checksums of its file.
#include "wick/inspect.h"

#include "api/module_access.h"
#include "api/run.h"
#include "archive/archive.h"
#include "core/budget.h"
#include "core/check.h"
#include "ir/program.h"

namespace wick {

ModelInfo inspect_model(const Module& module) {
  const std::shared_ptr<ir::Program> program = program_of(module);
  WICK_CHECK(program, kInvalidArgument, "the module is empty: assign it a loaded one");
  ModelInfo out;
  out.kind = ir::to_string(program->kind);
  out.bytecode_version = program->bytecode_version;
  out.operator_version = program->operator_version;
  out.producer = program->producer;
  for (const auto& [name, use] : ir::operators_used(*program)) {
    out.operators.push_back({name, use.count, use.op != nullptr, use.where});
  }
  for (const MethodInfo& method : module.methods()) {
    try {
      const BoundedWork bounded("counting the bundled inputs", unasked_bounds());
      if (const size_t count = module.bundled_inputs(method.name).size()) {
        out.bundled_inputs.emplace_back(method.name, count);
      }
    } catch (const Error&) {
      // Inputs that cannot be inflated here (a missing operator) are no inputs.
    }
  }
  return out;
}

void check_records(const std::string& path) {
  const Ref<ByteSource> source = ByteSource::open_file(path);
  const Bytes bytes = source->bytes();
  if (bytes.size() < 4 || bytes[0] != 'P' || bytes[1] != 'K') return;
  const ZipReader zip(source);
  for (const std::string& record : zip.names()) zip.read(record, true);
}

}  // namespace wick
