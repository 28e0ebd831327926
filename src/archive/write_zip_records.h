// The structures of a zip archive as bytes. ZipWriter's own; apart so that sizes past 4 GiB can be tested.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wick::zip {

struct StoredEntry {
  std::string name;  // with the root folder
  uint64_t header;   // offset of the local header
  uint64_t size;
  uint32_t crc;
  uint64_t deflated = 0;  // bytes in the file when the data is deflated (which is smaller than 4 GiB); 0: stored
};

// Appends the local header, padded so that data after it begins at a multiple of 64 of the file, in which
// the header begins at entry.header.
void append_local_header(std::vector<uint8_t>& out, const StoredEntry& entry);
void append_central_entry(std::vector<uint8_t>& out, const StoredEntry& entry);
// The end records of a directory of `count` entries that lies at [offset, offset + size).
void append_end(std::vector<uint8_t>& out, uint64_t count, uint64_t offset, uint64_t size);

}  // namespace wick::zip
