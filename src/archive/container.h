// What the records of a container have in common.
#pragma once

#include <string>
#include <string_view>

#include "archive/archive.h"
#include "core/tensor_impl.h"

namespace wick {

enum class FileKind {
  kUnknown,
  kZip,         // TorchScript, lite-interpreter or torch.save container
  kFlatbuffer,  // flatbuffer mobile module
  kLegacySave,  // non-zip torch.save
  kPrerelease,  // "PYTORCH1": before 1.0
};
FileKind file_kind(Bytes file);

// The file-format (and operator) version of a container. Throws kCorruptFile when it is missing or not a number.
int64_t container_version(const ZipReader& zip);

// True when the tensors were written on a big-endian machine.
bool is_big_endian(const ZipReader& zip);

// PickleEnvironment::storage over the records `folder`/<key>; refers to both.
struct StorageRecords {
  const ZipReader* zip;
  std::string_view folder;
  Storage operator()(const std::string& key, uint64_t nbytes, size_t itemsize) const;
};
inline StorageRecords storage_records(const ZipReader& zip, std::string_view folder) { return {&zip, folder}; }

}  // namespace wick
