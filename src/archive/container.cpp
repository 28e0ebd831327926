// Version, byte order and storages of zip containers that hold pickles.
#include "archive/container.h"

#include <algorithm>
#include <charconv>

#include "core/check.h"
#include "core/tensor_impl.h"

namespace wick {

FileKind file_kind(Bytes file) {
  const std::string_view head(reinterpret_cast<const char*>(file.data()), std::min<size_t>(file.size(), 8));
  if (head.size() == 8 && head.substr(4) == "PTMF") return FileKind::kFlatbuffer;
  if (head.starts_with("PK\3\4")) return FileKind::kZip;
  if (head.starts_with("\x80\x02")) return FileKind::kLegacySave;
  if (head == "PYTORCH1") return FileKind::kPrerelease;
  return FileKind::kUnknown;
}

int64_t container_version(const ZipReader& zip) {
  const char* record = zip.has(".data/version") ? ".data/version" : "version";
  WICK_CHECK(zip.has(record), kCorruptFile,
             "the archive has no record 'version'; it is not a PyTorch file or not whole");
  constexpr uint64_t kLongest = 32;
  WICK_CHECK(zip.size(record) <= kLongest, kCorruptFile, "record '", record, "' is not a number");
  std::string text = zip.read_text(record);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  int64_t version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  WICK_CHECK(error == std::errc() && end == text.data() + text.size() && version >= 0, kCorruptFile, "record '", record,
             "' is not a number");
  return version;
}

bool is_big_endian(const ZipReader& zip) {
  if (!zip.has("byteorder")) return false;
  WICK_CHECK(zip.size("byteorder") <= 16, kCorruptFile, "record 'byteorder' is neither 'little' nor 'big'");
  const std::string text = zip.read_text("byteorder");
  WICK_CHECK(text == "little" || text == "big", kCorruptFile, "record 'byteorder' is neither 'little' nor 'big'");
  return text == "big";
}

Storage StorageRecords::operator()(const std::string& key, uint64_t nbytes, size_t itemsize) const {
  const std::string record = cat(folder, "/", key);
  const bool there = zip->has(record);
  if (nbytes == 0 && !there) return make_ref<StorageImpl>(0);
  WICK_CHECK(there, kCorruptFile, "the archive has no record '", record, "', which a tensor refers to");
  const uint64_t size = zip->size(record);
  WICK_CHECK(size >= nbytes, kCorruptFile, "record '", record, "' has ", size, " bytes, but a tensor refers to ",
             nbytes);
  return zip->read_storage(record, itemsize);
}

}  // namespace wick
