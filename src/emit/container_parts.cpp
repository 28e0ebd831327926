// Records that lite and TorchScript containers share: data, source, constants, debug tables, extra files.
#include "emit/container_parts.h"
#include "core/budget.h"

#include "api/run.h"
#include "archive/container.h"
#include "archive/pickle.h"
#include "core/check.h"
#include "core/limits.h"
#include "emit/pickle_values.h"

namespace wick::emit {

namespace {

constexpr int64_t kLeastVersion = 3;
constexpr int64_t kFirstVersionInDotData = 6;

struct Change {
  std::string_view name;
  int64_t version;
};
constexpr Change kChanges[] = {{"aten::div", 4},      {"aten::div_", 4},     {"aten::full", 5},
                               {"aten::linspace", 8}, {"aten::logspace", 9}, {"aten::gelu", 10}};

Bytes bytes_of(std::string_view text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

void copy_record(ZipWriter& zip, const ZipReader& from, const std::string& record) {
  const bool deflate = record.ends_with(".py") || record.ends_with(".debug_pkl");
  zip.add(record, from.read(record).bytes, deflate);
}

}  // namespace

ModuleData::ModuleData(const ir::Program& program, bool stored_state) : program_(program) {
  // Files up to version 2 do not tell the types of containers; records of the other byte order cannot be kept.
  const bool can_copy = program.archive && !program.attributes_set && program.operator_version >= kLeastVersion &&
                        program.archive->has("data.pkl") && !is_big_endian(*program.archive);
  for (const auto& function : program.functions) {
    if (stored_state && can_copy && function->name.ends_with(".__setstate__")) {
      copied_ = true;
      return;
    }
  }
  const auto executor = std::make_shared<api::Executor>(program);
  auto custom_state = [&](const IValue& value) -> std::optional<IValue> {
    const ObjectImpl& object = value.to_object();
    if (!program.find_method(object, "__setstate__")) return std::nullopt;
    ir::Function* getstate = program.find_method(object, "__getstate__");
    if (!getstate) {
      by_attributes_.insert(object.cls->name);
      return std::nullopt;
    }
    const BoundedWork bounded("__getstate__", unasked_bounds());
    return executor->run(*getstate, {value});
  };
  pickle_ = ValuePickler(storages_, custom_state).run(program.root);
  if (!by_attributes_.empty() && can_copy) {
    copied_ = true;
    by_attributes_.clear();
  }
}

void ModuleData::write(ZipWriter& zip) const {
  if (!copied_) {
    write_storages(zip, "data", storages_);
    zip.add("data.pkl", pickle_);
    return;
  }
  for (const std::string& record : program_.archive->names()) {
    if (record.starts_with("data/") || record == "data.pkl") copy_record(zip, *program_.archive, record);
  }
}

SourceRecords::SourceRecords(const ir::Program& program) : archive_(program.archive.get()) {
  // Records of the other byte order cannot stand beside those that are written.
  if (!archive_ || !archive_->has("constants.pkl") || is_big_endian(*archive_)) return;
  for (const std::string& record : archive_->names()) {
    if (!record.starts_with("code/")) continue;
    code_.push_back(record);
    present_ = present_ || record.ends_with(".py");
  }
  if (!present_) return;
  PickleEnvironment environment;
  const auto storage = storage_records(*archive_, "constants");
  environment.storage = [&](const std::string& key, uint64_t nbytes, size_t itemsize) {
    const std::string record = "constants/" + key;
    if (archive_->has(record)) constants_[key] = archive_->read(record);
    return storage(key, nbytes, itemsize);
  };
  // Only the keys are wanted: objects and enum members need not be understood.
  environment.object = [](const std::string&, IValue state) { return state; };
  environment.enumeration = [](const std::string&, IValue value) { return value; };
  const IValue table = read_pickle(archive_->read("constants.pkl").bytes, "constants.pkl", environment);
  WICK_CHECK(table.is_tuple(), kCorruptFile, "constants.pkl: the root is not a tuple but ", table.tag_name());
}

void SourceRecords::reserve_constants(StorageTable& storages) const {
  for (const auto& [key, record] : constants_) storages.reserve(key, record.bytes);
}

void SourceRecords::write_code(ZipWriter& zip, bool with_debug_info) const {
  for (const std::string& record : code_) {
    if (with_debug_info || !record.ends_with(".debug_pkl")) copy_record(zip, *archive_, record);
  }
}

void SourceRecords::write_constants(ZipWriter& zip) const {
  for (const auto& [key, record] : constants_) zip.add("constants/" + key, record.bytes);
  copy_record(zip, *archive_, "constants.pkl");
}

void SourceRecords::write_debug_tables(ZipWriter& zip) const {
  for (const std::string& record : code_) {
    if (record.ends_with(".debug_pkl")) copy_record(zip, *archive_, record);
  }
}

void write_extra_files(ZipWriter& zip, const ir::Program& program, const SaveOptions& options) {
  for (const auto& [name, text] : options.extra_files) zip.add("extra/" + name, bytes_of(text));
  for (const auto& [name, text] : program.extra_files) {
    if (!options.extra_files.contains(name)) zip.add("extra/" + name, bytes_of(text));
  }
}

void write_storages(ZipWriter& zip, const std::string& folder, const StorageTable& storages) {
  for (const StorageTable::Entry& entry : storages.entries()) zip.add(cat(folder, "/", entry.key), entry.bytes);
}

void write_version(ZipWriter& zip, int64_t version) {
  zip.add(version < kFirstVersionInDotData ? "version" : ".data/version", bytes_of(cat(version, "\n")));
  zip.add("byteorder", bytes_of("little"));
}

int64_t version_needed(const ir::Program& program) {
  int64_t version = kLeastVersion;
  for (const auto& [full_name, use] : ir::operators_used(program)) {
    const std::string_view name = std::string_view(full_name).substr(0, full_name.find('.'));
    for (const Change& change : kChanges) {
      if (name == change.name) version = std::max(version, change.version);
    }
  }
  return version;
}

}  // namespace wick::emit
