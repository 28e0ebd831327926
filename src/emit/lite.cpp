// Writes lite-interpreter containers.
#include "emit/lite.h"

#include "core/check.h"
#include "emit/bytecode_tables.h"
#include "emit/codegen.h"
#include "emit/container_parts.h"
#include "emit/debug_records.h"
#include "emit/pickle_values.h"

namespace wick::emit {

namespace {

constexpr int64_t kLastWithOwnStorages = 4;  // bytecode tensors in bytecode/, later in constants/
constexpr int64_t kNewestOperators = 10;

class LiteWriter {
 public:
  LiteWriter(const ir::Program& program, const SaveOptions& options)
      : program_(program), options_(options), data_(program, options.stored_state), source_(program) {
    embed_ = options.source && source_.present();
    // Source text keeps the meaning its version gives it. Bytecode of an old file was given today's operators when
    // it was read, which mean the same in files of its version.
    version_ = embed_ ? program.operator_version : version_needed(program);
  }

  std::vector<uint8_t> run(const std::string& root) {
    generate_all();
    ZipWriter zip(root);
    write_extra_files(zip, program_, options_);
    data_.write(zip);
    if (embed_) {
      source_.write_code(zip, options_.debug_info);
    } else if (options_.debug_info) {
      source_.write_debug_tables(zip);
    }
    write_bytecode(zip);
    if (options_.debug_info) write_debug_records(zip, program_, functions_, options_.bytecode_version);
    write_version(zip, version_);
    return zip.finish();
  }

 private:
  void generate_all() {
    const CodegenOptions options{options_.bytecode_version, std::min(version_, kNewestOperators)};
    for (ir::InlinedFunction& inlined : ir::functions_to_write(program_)) {
      const std::string& name = inlined.function->name;
      if (name.ends_with(".__setstate__") && data_.stored_by_attributes().contains(name.substr(0, name.rfind('.')))) {
        continue;
      }
      GeneratedCode code = generate(*inlined.function, options);
      functions_.push_back({std::move(inlined), std::move(code)});
    }
  }

  void write_bytecode(ZipWriter& zip) {
    std::vector<IValue> tables{IValue(options_.bytecode_version)};
    for (const WrittenFunction& function : functions_) {
      tables.push_back(function_tables(function.code.function, options_.bytecode_version));
    }
    const bool own = options_.bytecode_version <= kLastWithOwnStorages;
    StorageTable storages(own ? "" : ".storage");
    if (embed_ && !own) source_.reserve_constants(storages);
    const std::vector<uint8_t> pickle = ValuePickler(storages).run(IValue::tuple(std::move(tables)));
    if (embed_) {
      source_.write_constants(zip);
    } else {
      StorageTable none;
      zip.add("constants.pkl", ValuePickler(none).run(IValue::tuple({})));
    }
    write_storages(zip, own ? "bytecode" : "constants", storages);
    zip.add("bytecode.pkl", pickle);
  }

  const ir::Program& program_;
  const SaveOptions& options_;
  ModuleData data_;
  SourceRecords source_;
  bool embed_ = false;
  int64_t version_ = 0;
  std::vector<WrittenFunction> functions_;
};

}  // namespace

std::vector<uint8_t> lite_container(const ir::Program& program, const SaveOptions& options, const std::string& root) {
  WICK_CHECK(options.bytecode_version >= kOldestBytecode && options.bytecode_version <= kNewestBytecode,
             kInvalidArgument, "bytecode version ", options.bytecode_version, " cannot be written; ", kOldestBytecode,
             " to ", kNewestBytecode, " can");
  WICK_CHECK(program.root.is_object(), kInvalidArgument, "the program has no module to save");
  return LiteWriter(program, options).run(root);
}

}  // namespace wick::emit
