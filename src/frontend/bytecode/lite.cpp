// Loads lite-interpreter containers (.ptl).
#include "frontend/bytecode/lite.h"

#include <type_traits>

#include "archive/container.h"
#include "archive/pickle.h"
#include "core/check.h"
#include "core/pages.h"
#include "core/selection.h"
#include "frontend/bytecode/debug_info.h"
#include "frontend/bytecode/decode.h"
#include "frontend/bytecode/enum_names.h"
#include "frontend/bytecode/lift.h"
#include "frontend/bytecode/objects.h"

namespace wick {

namespace {

constexpr int64_t kNewestContainerVersion = 10;
constexpr int64_t kLastVersionWithOwnStorages = 4;  // bytecode tensors in bytecode/, later in constants/

// Throws what the file is, when it has the record.
template <class... Parts>
[[gnu::always_inline]] inline void refuse_with(const ZipReader& zip, std::string_view record, const Parts&... what) {
  WICK_CHECK(!zip.has(record), kUnsupported, "the file cannot be run: it is ", what...);
}

// Throws when there is no bytecode, and says what the file is.
void check_is_lite(const ZipReader& zip) {
  if (zip.has("bytecode.pkl")) return;
  refuse_with(zip, "constants.pkl",
              "a TorchScript model (torch.jit.save), and this build reads lite-interpreter files only "
              "(WICK_TORCHSCRIPT=OFF). Export the model with model._save_for_lite_interpreter(path)");
  for (const char* record : {"archive_format", "serialized_exported_program.json"}) {
    refuse_with(zip, record, "an exported program (torch.export, .pt2), not a lite-interpreter file",
                ". Export the model with torch.jit.script(model)._save_for_lite_interpreter(path)");
  }
  refuse_with(zip, "model.json",
              "a TorchScript model of a PyTorch before 1.4. Load and save it with a newer PyTorch first");
  for (const char* record : {".data/extern_modules", ".data/python_version"}) {
    refuse_with(zip, record, "a torch.package archive, not a lite-interpreter file");
  }
  refuse_with(zip, "data.pkl",
              "a torch.save archive (tensors or a state_dict), not a lite-interpreter file: it holds no code",
              ". Export the model with torch.jit.script(model)._save_for_lite_interpreter(path)");
  fail_with<ErrorCode::kUnsupported>(
      "the file cannot be run: it is a zip file but not a model: it has no bytecode.pkl and no data.pkl");
}

constexpr std::string_view kExtraFolder = "extra/";
constexpr bool kHasEnums = build::kEnums;

struct NoEnumNames {
  explicit NoEnumNames(const ZipReader&) {}
  static std::string name_of(const std::string&, const IValue&) { return {}; }
};

class LiteLoader {
 public:
  LiteLoader(const ZipReader& zip, const LoadOptions& options, const RunSetState& run)
      : zip_(zip),
        options_(options),
        program_(new ir::Program),
        objects_(*program_, run, options.allow_missing_operators),
        enum_names_(zip) {}

  std::shared_ptr<ir::Program> load() {
    program_->kind = ir::FileKind::kLite;
    if constexpr (!build::kIsSelective) program_->archive = std::make_shared<ZipReader>(zip_);  // for writers
    read_versions();
    read_functions();
    lift_restoring_functions();
    if ((!options_.allow_missing_operators && !context_.missing.empty()) || !unread_.empty()) {
      // Name everything that is missing, not only what restoring objects needs.
      lift_functions(/*restoring=*/false);
      refuse_missing();
    }
    const ZipReader::Record objects = zip_.read("data.pkl");
    PickleEnvironment data = environment("data");
    data.unread = nullptr;
    program_->root = read_pickle(objects.bytes, "data.pkl", data);
    WICK_CHECK(program_->root.is_object(), kCorruptFile, "data.pkl: the root is not a module but ",
               program_->root.tag_name());
    lift_functions(/*restoring=*/false);
    refuse_missing();
    read_extra_files();
    // Both are taken apart.
    if constexpr (build::kTensors) {
      for (const Bytes read : {bytecode_.bytes, objects.bytes}) release_file_pages(read.data(), read.size());
    }
    return program_;
  }

 private:
  void read_versions() {
    program_->operator_version = container_version(zip_);
    WICK_CHECK(program_->operator_version >= 1 && program_->operator_version <= kNewestContainerVersion,
               kUnsupportedVersion, "Attempted to read a PyTorch file with version ", program_->operator_version,
               ", but the versions supported for reading are 1 to ", kNewestContainerVersion,
               ". The model was exported by another generation of PyTorch");
    bytecode_ = zip_.read("bytecode.pkl");
    program_->bytecode_version = lite::peek_bytecode_version(bytecode_.bytes);
    lite::check_bytecode_version(program_->bytecode_version);
    context_.bytecode_version = program_->bytecode_version;
    context_.operator_version = program_->operator_version;
    context_.classes = &program_->classes;
  }

  void read_functions() {
    const char* folder = program_->bytecode_version <= kLastVersionWithOwnStorages ? "bytecode" : "constants";
    const IValue root = read_pickle(bytecode_.bytes, "bytecode.pkl", environment(folder));
    functions_ = lite::decode_bytecode(root, bytecode_.bytes.size(), program_->bytecode_version, named_);
    if constexpr (build::kSourceLines) {
      std::vector<std::string> names;
      for (const lite::BytecodeFunction& f : functions_) names.push_back(f.name);
      auto debug = std::make_shared<lite::DebugInfo>(zip_, std::move(names));
      program_->describe_source = [debug](int64_t source) { return debug->describe(source); };
    }
  }

  void lift_functions(bool restoring) {
    for (lite::BytecodeFunction& f : functions_) {
      if (f.name.ends_with(".__setstate__") != restoring) continue;
      program_->add(restoring ? lite::lift(f, context_) : lite::lift_for_plans(std::move(f), context_));
    }
  }

  void lift_restoring_functions() {
    if constexpr (build::kRestores) return lift_functions(/*restoring=*/true);
    for (const lite::BytecodeFunction& f : functions_) {
      if (f.name.ends_with(".__setstate__")) unread_ = "__setstate__";
    }
  }

  void refuse_missing() {
    if (!options_.allow_missing_operators) lite::refuse_missing(context_, *program_);
    WICK_CHECK(unread_.empty(), kUnsupported, "the model needs support of '", unread_,
               "', which this build does not have", advice_on_missing());
  }

  PickleEnvironment environment(const char* folder) {
    PickleEnvironment out;
    out.unread = &unread_;  // missing operators are named first
    if constexpr (build::kTensors) {
      out.storage = storage_records(zip_, folder);
      out.swap_bytes = is_big_endian(zip_);
    }
    out.object = [this](const std::string& name, const IValue& state) { return objects_.object(name, state); };
    out.enumeration = [this](const std::string& name, const IValue& value) {
      std::string member = enum_names_.name_of(name, value);
      return objects_.enumeration(name, std::move(member), value);
    };
    out.named_type = [this](const std::string& name) { return named_.find(name); };
    return out;
  }

  void read_extra_files() {
    for (const std::string& name : zip_.names()) {
      if (!name.starts_with(kExtraFolder)) continue;
      program_->extra_files[name.substr(kExtraFolder.size())] = zip_.read_text(name);
    }
  }

  const ZipReader& zip_;
  const LoadOptions& options_;
  std::shared_ptr<ir::Program> program_;
  lite::ObjectFactory objects_;
  std::conditional_t<kHasEnums, lite::EnumNames, NoEnumNames> enum_names_;
  lite::LiftContext context_;
  lite::NamedTypes named_;
  ZipReader::Record bytecode_;
  std::string unread_;  // by a selective build
  std::vector<lite::BytecodeFunction> functions_;
};

}  // namespace

std::shared_ptr<ir::Program> load_lite(const ZipReader& zip, const LoadOptions& options, const RunSetState& run) {
  check_is_lite(zip);
  return LiteLoader(zip, options, run).load();
}

}  // namespace wick
