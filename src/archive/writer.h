// Writing containers: zip records and torch.save archives. Part of the compiler library.
#pragma once

#include <unordered_set>

#include "archive/archive.h"
#include "wick/save.h"

namespace wick {

// Writes a container PyTorch opens: data aligned to 64 bytes, zip64 where needed.
class ZipWriter {
 public:
  // Records are written below `root`/.
  explicit ZipWriter(std::string root);
  ~ZipWriter();
  // Throws kInvalidArgument for an impossible or repeated name.
  // With `deflate`, compressed when that makes it smaller; records that are mapped, as tensors, must not be.
  void add(std::string_view record, Bytes bytes, bool deflate = false);
  // The finished archive.
  std::vector<uint8_t> finish();

 private:
  std::string root_;
  std::vector<uint8_t> out_;
  struct Entry;
  std::vector<Entry> entries_;
  std::unordered_set<std::string> names_;
};

// Name of the folder records of a file stand in: PyTorch names it after the file.
std::string archive_root_of(const std::string& path);

// Writes a file under a temporary name beside it and renames it when whole; on failure (kIo) nothing is left
// behind. A path that names a device or pipe is written to directly.
void write_file(const std::string& path, Bytes bytes);

}  // namespace wick
