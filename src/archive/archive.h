// Read access to the records of a model container (zip) over one block of bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor_impl.h"
#include "wick/tensor.h"

namespace wick {

using Bytes = std::span<const uint8_t>;

// The bytes of a model: a private, writable mapping of a file (writes never reach the file), or memory.
class ByteSource : public RefCounted {
 public:
  virtual Bytes bytes() const = 0;

  // Maps a file; throws kNotFound or kIo. Falls back to reading when mapping is not possible.
  // `copied`: reads it into memory; a file that is truncated while it is mapped raises SIGBUS.
  static Ref<ByteSource> open_file(const std::string& path, bool copied = false);
  // Maps `length` bytes at `offset` of an open descriptor (0: to the end). The descriptor is not kept.
  static Ref<ByteSource> open_fd(int fd, uint64_t offset, uint64_t length, bool copied = false);
  // Copies into memory aligned to 64 bytes.
  static Ref<ByteSource> copy_of(Bytes bytes);
  // Borrows; the caller keeps the memory alive and unchanged, and allows tensors to be written in place.
  static Ref<ByteSource> borrow(void* data, size_t size);

  // A storage of some of the bytes, which keeps the source alive.
  Storage storage_of(Bytes part);
};

class ZipReader {
 public:
  // Parses the central directory; throws kCorruptFile naming the offset and reason. `max_inflated`: bytes that all
  // deflated records may inflate to together, each counted once, by whichever thread reads it first; beyond, reads
  // throw kLimitExceeded. 0: limits::kMaxInflatedTotal, or kMaxTextRatio times the file when that is more.
  explicit ZipReader(Ref<ByteSource> source, uint64_t max_inflated = 0);

  // The first folder of the first entry ("archive"); records are named below it.
  const std::string& root() const;
  bool has(std::string_view record) const;
  // Whether any record's name starts so.
  bool has_any(std::string_view prefix) const;
  // Record names without the root folder, in file order.
  std::vector<std::string> names() const;
  // Uncompressed size; throws kNotFound.
  uint64_t size(std::string_view record) const;
  bool is_stored(std::string_view record) const;

  // The bytes of a record (pickle, source, text). A stored record is a view into the source (no copy); a deflated
  // one is inflated into new memory, to a limited ratio. `owner` keeps the memory alive. Checks sizes; the checksum
  // too when `check_crc` (PyTorch 2 can be told to write files without right checksums).
  struct Record {
    Bytes bytes;
    Ref<RefCounted> owner;
  };
  Record read(std::string_view record, bool check_crc = false) const;
  std::string read_text(std::string_view record) const;
  // A record as tensor storage: no copy when it is stored and aligned to `alignment`, else copied.
  Storage read_storage(std::string_view record, size_t alignment) const;

 private:
  struct State;
  const State& state() const;
  Ref<RefCounted> state_;  // a State, never null
};

}  // namespace wick
