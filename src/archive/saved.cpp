// What torch.save wrote: zip containers, and the form of before 1.6 (five pickles, then the storages' bytes).
#include <cstring>
#include <unordered_map>

#include "archive/container.h"
#include "archive/pickle.h"
#include "archive/pickle_reader.h"
#include "archive/pickle_type_tag.h"
#include "archive/zip_format.h"
#include "core/check.h"
#include "core/out_of_memory.h"
#include "core/selection.h"
#include "core/tensor_impl.h"
#include "wick/module.h"

namespace wick {
namespace {

constexpr int64_t kLatestFileVersion = 10;

IValue load_zip(Ref<ByteSource> source) {
  const ZipReader zip(std::move(source));
  WICK_CHECK(!zip.has("constants.pkl") && !zip.has("bytecode.pkl"), kInvalidArgument,
             "the file holds a model, not values that torch.save wrote; load it as a model");
  WICK_CHECK(zip.has("data.pkl"), kCorruptFile, "the archive has no record 'data.pkl'; torch.save did not write it");
  const int64_t version = container_version(zip);
  WICK_CHECK(version >= 1 && version <= kLatestFileVersion, kUnsupportedVersion, "the file has format version ",
             version, "; versions 1 to ", kLatestFileVersion, " can be read");
  PickleEnvironment environment;
  environment.storage = storage_records(zip, "data");
  environment.swap_bytes = is_big_endian(zip);
  const ZipReader::Record pickle = zip.read("data.pkl");
  return read_pickle(pickle.bytes, "data.pkl", environment);
}

// The storages' places follow the pickle that refers to them, so that pickle is read twice: first to learn
// how large each storage is, then with the bytes.
class LegacyFile {
 public:
  explicit LegacyFile(Ref<ByteSource> source) : source_(std::move(source)) {}

  IValue read() {
    constexpr std::string_view kMagic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15);
    const std::string_view head(reinterpret_cast<const char*>(file().data()), std::min(file().size(), kMagic.size()));
    WICK_CHECK(head == kMagic, kCorruptFile, "the file begins like a pickle, but torch.save did not write it");
    at_ = kMagic.size();
    const IValue version = next("protocol version", {});
    WICK_CHECK(version.is_int() && version.to_int() == 1001, kUnsupportedVersion,
               "the file has an unknown protocol version; only 1001 can be read");
    next("system information", {});
    const size_t object_at = at_;
    measure();
    place_storages();
    at_ = object_at;
    return next("object",
                [this](const std::string& key, uint64_t nbytes, size_t itemsize) { return storage(key, itemsize); });
  }

 private:
  struct Measured {
    uint64_t nbytes = 0;
    size_t itemsize = 1;
    Bytes bytes;
    bool placed = false;
  };

  Bytes file() const { return source_->bytes(); }

  IValue next(const char* what, decltype(PickleEnvironment::storage) storage) {
    PickleEnvironment environment;
    environment.storage = storage;
    PickleReader reader(file().subspan(at_), what, environment);
    IValue value = reader.run();
    at_ += reader.consumed();
    return value;
  }

  void measure() {
    uint64_t left = file().size();
    next("object", [&](const std::string& key, uint64_t nbytes, size_t itemsize) {
      WICK_CHECK(nbytes <= left, kCorruptFile, "storage '", key, "' of ", nbytes, " bytes is larger than the file");
      left -= nbytes;
      measured_[key] = {nbytes, itemsize, {}, false};
      auto zeros = make_ref<StorageImpl>(static_cast<size_t>(nbytes));
      if (nbytes != 0) std::memset(zeros->data(), 0, static_cast<size_t>(nbytes));
      return zeros;
    });
  }

  void place_storages() {
    const IValue keys = next("storage keys", {});
    WICK_CHECK(keys.is_list(), kCorruptFile, "the list of storages is missing");
    for (const IValue& key : keys.to_list().items) {
      const auto it = key.is_string() ? measured_.find(key.to_string()) : measured_.end();
      WICK_CHECK(it != measured_.end() && !it->second.placed, kCorruptFile,
                 "the list of storages names one that no tensor uses, or one twice");
      Measured& storage = it->second;
      WICK_CHECK(file().size() - at_ >= 8, kCorruptFile, "the file ends before storage '", it->first, "'");
      const uint64_t numel = zip::u64(file().data() + at_);
      at_ += 8;
      WICK_CHECK(numel == storage.nbytes / storage.itemsize, kCorruptFile, "storage '", it->first, "' has ", numel,
                 " elements, but a tensor refers to ", storage.nbytes / storage.itemsize);
      WICK_CHECK(storage.nbytes <= file().size() - at_, kCorruptFile, "the file ends inside storage '", it->first, "'");
      storage.bytes = file().subspan(at_, storage.nbytes);
      storage.placed = true;
      at_ += storage.nbytes;
    }
  }

  Storage storage(const std::string& key, size_t itemsize) const {
    const auto it = measured_.find(key);
    WICK_CHECK(it != measured_.end() && it->second.placed, kCorruptFile, "the file does not hold storage '", key, "'");
    const Bytes bytes = it->second.bytes;
    if (reinterpret_cast<uintptr_t>(bytes.data()) % itemsize == 0) {
      return source_->storage_of(bytes);
    }
    auto copy = make_ref<StorageImpl>(bytes.size());
    if (!bytes.empty()) std::memcpy(copy->data(), bytes.data(), bytes.size());
    return copy;
  }

  Ref<ByteSource> source_;
  size_t at_ = 0;
  std::unordered_map<std::string, Measured> measured_;
};

IValue load_any(Ref<ByteSource> source) {
  IValue value;
  switch (file_kind(source->bytes())) {
    case FileKind::kZip:
      value = load_zip(std::move(source));
      break;
    case FileKind::kLegacySave:
      if constexpr (build::kLegacySaves) {
        value = LegacyFile(std::move(source)).read();
        break;
      }
      fail_with<ErrorCode::kUnsupported>("files of PyTorch before 1.6 are not read in this build", advice_on_missing());
    case FileKind::kFlatbuffer:
      fail_with<ErrorCode::kInvalidArgument>("the file holds a flatbuffer model, not values that torch.save wrote");
    case FileKind::kPrerelease:
      fail_with<ErrorCode::kUnsupportedVersion>("the file was written by a PyTorch before 1.0");
    case FileKind::kUnknown:
      fail(ErrorCode::kCorruptFile, source->bytes().empty()
                                        ? "the file is empty"
                                        : "the file is not one that torch.save wrote: it begins with other bytes");
  }
  infer_container_types(value);
  return value;
}

}  // namespace

IValue load_saved(Ref<ByteSource> source) {
  try {
    return load_any(std::move(source));
  } catch (...) {
    rethrow_out_of_memory("not enough memory to load the file");
  }
}

IValue load_saved(const std::string& path) {
  return with_memory_errors([&] {
    auto source = ByteSource::open_file(path);
    try {
      return load_saved(std::move(source));
    } catch (const Error& e) {
      throw Error(e.code(), cat(path, ": ", e.message()));
    }
  });
}

IValue load_tensors(const std::string& path) { return load_saved(path); }

}  // namespace wick
