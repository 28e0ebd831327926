// Writing containers: zip records and torch.save archives. Part of the compiler library.
#pragma once

#include "archive/archive.h"
#include "wick/save.h"

namespace wick {

// Writes a container PyTorch opens: stored, data aligned to 64 bytes, zip64 where needed.
class ZipWriter {
 public:
  // Records are written below `root`/.
  explicit ZipWriter(std::string root);
  void add(std::string_view record, Bytes bytes);
  // The finished archive.
  std::vector<uint8_t> finish();

 private:
  std::string root_;
  std::vector<uint8_t> out_;
  struct Entry;
  std::vector<Entry> entries_;

 public:
  ~ZipWriter();
};

}  // namespace wick
