// Bounds-checked reading of flatbuffer tables. Nothing is trusted: every offset is checked when it is followed.
#pragma once

#include <cstring>
#include <optional>
#include <string_view>

#include "archive/archive.h"
#include "core/check.h"
#include "core/limits.h"

namespace wick::flatbuffer {

// The bytes of a file, and how much may still be read from it through vectors and strings: these may be shared
// inside a file, and without a limit a small file could make a reader copy the same bytes without end.
struct Buffer {
  Bytes bytes;
  size_t budget;

  explicit Buffer(Bytes b) : bytes(b), budget(limits::kFlatbufferReadsPerByte * b.size() + 4096) {}

  void check(uint64_t at, uint64_t size, const char* what) const {
    WICK_CHECK(at <= bytes.size() && size <= bytes.size() - at, kCorruptFile, "flatbuffer: ", what, " at offset ", at,
               " lies outside the file of ", bytes.size(), " bytes");
  }
  void charge(size_t size) {
    WICK_CHECK(size <= budget, kCorruptFile, "flatbuffer: the same bytes are used too many times");
    budget -= size;
  }
  template <class T>
  T read(uint64_t at, const char* what) const {
    check(at, sizeof(T), what);
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
  }
  // Where the 32-bit offset at `at` points to.
  uint64_t follow(uint64_t at, const char* what) const { return at + read<uint32_t>(at, what); }
};

// A vector of fixed-size elements.
struct Vector {
  const Buffer* buffer = nullptr;
  uint64_t begin = 0;
  size_t count = 0;

  template <class T>
  T at(size_t i) const {
    T value;
    std::memcpy(&value, buffer->bytes.data() + begin + i * sizeof(T), sizeof(T));
    return value;
  }
};

class Table {
 public:
  static Table root(Buffer& buffer) { return Table(buffer, buffer.follow(0, "the root table")); }

  Table(Buffer& buffer, uint64_t at) : buffer_(&buffer), at_(at) {
    const int64_t vtable = static_cast<int64_t>(at) - buffer.read<int32_t>(at, "a table");
    WICK_CHECK(vtable >= 0, kCorruptFile, "flatbuffer: the layout of the table at offset ", at,
               " lies outside the file");
    vtable_ = static_cast<uint64_t>(vtable);
    vtable_size_ = buffer.read<uint16_t>(vtable_, "a table's layout");
    buffer.check(vtable_, vtable_size_, "a table's layout");
  }

  // Numbers; the default when the field is absent.
  template <class T>
  T number(int slot, T fallback) const {
    const uint64_t at = field(slot);
    return at ? buffer_->read<T>(at, "a field") : fallback;
  }
  // Empty when absent.
  std::string_view string(int slot) const {
    const uint64_t at = field(slot);
    return at ? string_at(*buffer_, buffer_->follow(at, "a string")) : std::string_view();
  }
  std::optional<Table> table(int slot) const {
    const uint64_t at = field(slot);
    if (!at) return std::nullopt;
    return Table(*buffer_, buffer_->follow(at, "a table"));
  }
  Vector vector(int slot, size_t element_size) const {
    const uint64_t at = field(slot);
    if (!at) return {buffer_, 0, 0};
    const uint64_t start = buffer_->follow(at, "a vector");
    const auto count = buffer_->read<uint32_t>(start, "a vector");
    buffer_->check(start + 4, static_cast<uint64_t>(count) * element_size, "a vector");
    buffer_->charge(count * element_size);
    return {buffer_, start + 4, count};
  }
  // Elements of a vector of offsets.
  Table table_of(const Vector& offsets, size_t i) const {
    return Table(*buffer_, buffer_->follow(offsets.begin + 4 * i, "a table"));
  }
  std::string_view string_of(const Vector& offsets, size_t i) const {
    return string_at(*buffer_, buffer_->follow(offsets.begin + 4 * i, "a string"));
  }
  // Position of what the offset field points to; 0 when absent. For structs in unions.
  uint64_t target(int slot) const {
    const uint64_t at = field(slot);
    return at ? buffer_->follow(at, "a value") : 0;
  }
  Buffer& buffer() const { return *buffer_; }

 private:
  uint64_t field(int slot) const {
    const uint64_t entry = 4 + 2 * static_cast<uint64_t>(slot);
    if (entry + 2 > vtable_size_) return 0;
    const auto offset = buffer_->read<uint16_t>(vtable_ + entry, "a table's layout");
    return offset ? at_ + offset : 0;
  }
  static std::string_view string_at(Buffer& buffer, uint64_t at) {
    const auto size = buffer.read<uint32_t>(at, "a string");
    buffer.check(at + 4, size, "a string");
    buffer.charge(size);
    return {reinterpret_cast<const char*>(buffer.bytes.data()) + at + 4, size};
  }

  Buffer* buffer_;
  uint64_t at_;
  uint64_t vtable_;
  uint16_t vtable_size_;
};

}  // namespace wick::flatbuffer
