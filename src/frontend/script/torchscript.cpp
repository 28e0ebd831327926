// Loads TorchScript archives (.pt).
#include "frontend/script/torchscript.h"

#include <map>

#include "archive/container.h"
#include "archive/pickle.h"
#include "archive/pickle_values.h"
#include "core/check.h"
#include "core/limits.h"
#include "frontend/script/importer.h"
#include "frontend/script/objects.h"

namespace wick {

namespace {

constexpr int64_t kNewestVersion = 10;

class ArchiveRecords : public script::CodeRecords {
 public:
  explicit ArchiveRecords(ZipReader zip) : zip_(std::move(zip)) {}
  std::optional<std::string> text(const std::string& record) const override {
    if (!zip_.has(record)) return std::nullopt;
    return zip_.read_text(record);
  }
  std::optional<IValue> debug(const std::string& record) const override {
    if (!zip_.has(record)) return std::nullopt;
    return read_pickle(zip_.read(record).bytes, record, {});
  }

 private:
  ZipReader zip_;
};

class ScriptLoader {
 public:
  ScriptLoader(const ZipReader& zip, const LoadOptions& options, const RunSetState& run)
      : zip_(zip),
        options_(options),
        program_(std::make_shared<ir::Program>()),
        sources_(std::make_shared<script::Sources>(std::make_unique<ArchiveRecords>(zip))),
        importer_(*program_, sources_, [this] { return constants(); }),
        objects_(*program_, importer_, run, options.allow_missing_operators) {}

  std::shared_ptr<ir::Program> load() {
    program_->kind = ir::FileKind::kTorchScript;
    program_->operator_version = container_version(zip_);
    WICK_CHECK(program_->operator_version >= 1 && program_->operator_version <= kNewestVersion, kUnsupportedVersion,
               "Attempted to read a PyTorch file with version ", program_->operator_version,
               ", but the versions supported for reading are 1 to ", kNewestVersion,
               ". The model was exported by another generation of PyTorch");
    program_->archive = std::make_shared<ZipReader>(zip_);
    program_->source_place = [sources = sources_](int64_t handle) { return sources->place(handle); };
    program_->describe_source = [sources = sources_](int64_t handle) { return sources->describe(handle); };
    importer_.read_constants();
    program_->root = read("data.pkl", "data");
    WICK_CHECK(program_->root.is_object(), kCorruptFile, "data.pkl: the root is not a module but ",
               program_->root.tag_name());
    importer_.lower_all();
    if (const script::ScriptClass* cls = importer_.class_named(program_->root.to_object().cls->name)) {
      program_->pre_hooks = cls->pre_hooks;
      program_->hooks = cls->hooks;
    }
    if (!options_.allow_missing_operators) refuse_missing();
    constexpr std::string_view kFolder = "extra/";
    for (const std::string& name : zip_.names()) {
      if (name.starts_with(kFolder)) program_->extra_files[name.substr(kFolder.size())] = zip_.read_text(name);
    }
    return program_;
  }

 private:
  IValue read(const std::string& record, const std::string& folder) {
    const ZipReader::Record bytes = zip_.read(record);
    PickleContext context(record);
    context.offset = bytes.bytes.size();
    PickleEnvironment environment;
    environment.storage = storage_records(zip_, folder);
    environment.swap_bytes = is_big_endian(zip_);
    environment.object = [&](const std::string& name, IValue state) {
      return objects_.object(name, std::move(state), context);
    };
    environment.enumeration = [&](const std::string& name, const IValue& value) {
      return objects_.enumeration(name, value);
    };
    environment.named_type = [&](const std::string& name) { return importer_.type_named(name); };
    return read_pickle(bytes.bytes, record, environment);
  }

  std::vector<IValue> constants() {
    const IValue table = read("constants.pkl", "constants");
    WICK_CHECK(table.is_tuple(), kCorruptFile, "constants.pkl: the root is not a tuple but ", table.tag_name());
    return table.to_tuple().items;
  }

  void refuse_missing() const {
    std::map<std::string, std::string> missing;  // operator -> where it is first used
    for (const auto& function : program_->functions) collect(*function, *function->graph.body(), missing);
    if (missing.empty()) return;
    std::string names, uses;
    for (const auto& [name, where] : missing) {
      names += cat(names.empty() ? "" : ", ", name);
      uses += cat("\n  ", name, " is used in ", where);
    }
    WICK_CHECK(!missing.contains("prim::ConstantMKLDNNTensor"), kUnsupported,
               "the model was saved after torch.jit.optimize_for_inference(), which leaves its weights out of the file "
               "(PyTorch cannot load it either): save what was there before that call");
    fail_with<ErrorCode::kMissingOperator>("Following ops cannot be found: [", names,
                                           "]. The model needs them and this build does not have them.", uses);
  }

  void collect(const ir::Function& function, const ir::Block& block,
               std::map<std::string, std::string>& missing) const {
    for (const ir::Node* node : block.nodes) {
      if (node->kind == ir::NodeKind::kOp && !node->op && !missing.contains(node->op_name)) {
        missing[node->op_name] =
            node->source < 0 ? function.name : cat(function.name, ":\n  ", sources_->describe(node->source));
      }
      for (const ir::Block* inner : node->blocks) collect(function, *inner, missing);
    }
  }

  const ZipReader& zip_;
  const LoadOptions& options_;
  std::shared_ptr<ir::Program> program_;
  std::shared_ptr<script::Sources> sources_;
  script::Importer importer_;
  script::Objects objects_;
};

}  // namespace

std::shared_ptr<ir::Program> load_torchscript(const ZipReader& zip, const LoadOptions& options,
                                              const RunSetState& run) {
  return ScriptLoader(zip, options, run).load();
}

}  // namespace wick
