// Writes TorchScript containers, with the original source or printed source.
#include "emit/torchscript.h"

#include "core/check.h"
#include "emit/container_parts.h"
#include "emit/pickle_values.h"
#include "emit/script/print_function.h"
#include "emit/script/script_types.h"
#include "ir/inline_calls.h"

namespace wick::emit {

namespace {

// The source the program was read with.
void write_kept_source(ZipWriter& zip, const SourceRecords& source, const ir::Program& program, bool debug_info) {
  source.write_code(zip, debug_info);
  source.write_constants(zip);
  write_version(zip, program.operator_version);
}

// Source printed from the IR.
void write_printed_source(ZipWriter& zip, const ir::Program& program, const ModuleData& data) {
  std::vector<ir::InlinedFunction> functions = ir::functions_to_write(program);
  std::erase_if(functions, [&](const ir::InlinedFunction& f) {
    const std::string& name = f.function->name;
    return name.ends_with(".__setstate__") && data.stored_by_attributes().contains(name.substr(0, name.rfind('.')));
  });
  ScriptContext context(program);
  // What methods store decides the types of attributes, and those the types of what methods read.
  constexpr int kRounds = 2;
  for (int round = 0; round < kRounds; ++round) {
    for (ir::InlinedFunction& f : functions) ScriptTypes(context, *f.function).run();
  }
  for (const ir::InlinedFunction& f : functions) {
    const std::string cls = f.function->name.substr(0, f.function->name.rfind('.'));
    WICK_CHECK(f.function->has_schema && context.classes().contains(cls), kUnsupported, "the file does not tell ",
               f.function->has_schema ? "the class" : "the signature", " of ", f.function->name,
               ": the model cannot be written as source");
    const std::string text = print_function(context, *f.function);
    context.classes()[cls].methods += text;
  }
  for (const auto& [record, text] : context.files()) {
    zip.add(record, {reinterpret_cast<const uint8_t*>(text.data()), text.size()}, /*deflate=*/true);
  }
  StorageTable storages;
  const std::vector<uint8_t> constants = ValuePickler(storages).run(IValue::tuple(context.constants()));
  write_storages(zip, "constants", storages);
  zip.add("constants.pkl", constants);
  write_version(zip, version_needed(program));
}

}  // namespace

bool has_kept_source(const ir::Program& program) { return SourceRecords(program).present(); }

std::vector<uint8_t> torchscript_container(const ir::Program& program, const SaveOptions& options,
                                           const std::string& root, SourceText text) {
  WICK_CHECK(program.root.is_object(), kInvalidArgument, "the program has no module to save");
  const SourceRecords source(program);
  const ModuleData data(program, options.stored_state);
  ZipWriter zip(root);
  write_extra_files(zip, program, options);
  data.write(zip);
  if (source.present() && text == SourceText::kKept) {
    write_kept_source(zip, source, program, options.debug_info);
  } else {
    write_printed_source(zip, program, data);
  }
  return zip.finish();
}

}  // namespace wick::emit
