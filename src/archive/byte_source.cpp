// Byte sources: private file mappings, descriptors, copies and borrowed memory.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "archive/archive.h"
#include "core/check.h"
#include "core/memory.h"
#include "core/tensor_impl.h"

namespace wick {
namespace {

class Mapping : public ByteSource {
 public:
  ~Mapping() override {
    if (base_ != MAP_FAILED) ::munmap(base_, mapped_);
  }
  Bytes bytes() const override { return {static_cast<const uint8_t*>(base_) + skip_, mapped_ - skip_}; }

  bool map(int fd, uint64_t offset, uint64_t length) {
    constexpr uint64_t kLargestPage = 1 << 16;  // of the systems Wick knows; where they are larger, this may not map
    skip_ = static_cast<size_t>(offset % kLargestPage);
    if (length > SIZE_MAX - skip_) return false;
    mapped_ = static_cast<size_t>(length) + skip_;
    base_ = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, static_cast<off_t>(offset - skip_));
    return base_ != MAP_FAILED;
  }

 private:
  void* base_ = MAP_FAILED;
  size_t mapped_ = 0;
  size_t skip_ = 0;
};

// Growable memory aligned for any element type.
class Buffer : public ByteSource {
 public:
  explicit Buffer(size_t capacity) { reserve(capacity); }
  ~Buffer() override { free_memory(data_); }
  Bytes bytes() const override { return {data_, size_}; }

  uint8_t* end() { return data_ + size_; }
  size_t space() const { return capacity_ - size_; }
  void grow_by(size_t n) { size_ += n; }
  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    void* bigger = memory_or_null(capacity);
    WICK_CHECK(bigger, kOutOfMemory, "cannot allocate ", capacity, " bytes for the contents of a file");
    if (size_ != 0) std::memcpy(bigger, data_, size_);
    free_memory(data_);
    data_ = static_cast<uint8_t*>(bigger);
    capacity_ = capacity;
  }

 private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

class Borrowed : public ByteSource {
 public:
  Borrowed(const void* data, size_t size) : bytes_(static_cast<const uint8_t*>(data), size) {}
  Bytes bytes() const override { return bytes_; }

 private:
  Bytes bytes_;
};

struct Descriptor {
  int fd;
  ~Descriptor() { ::close(fd); }
};

// Null when the descriptor cannot be mapped.
Ref<ByteSource> map_range(int fd, uint64_t offset, uint64_t length) {
  auto mapping = make_ref<Mapping>();
  return mapping->map(fd, offset, length) ? mapping : nullptr;
}

[[noreturn]] void fail_reading(const std::string& what) {
  const int error = errno;
  fail_with<ErrorCode::kIo>("cannot read ", what, ": ", std::strerror(error));
}

// Reads `length` bytes from `offset` on, of a file without moving its position. Of a pipe or socket it drops `offset`
// bytes and, when the length is 0, takes all there are.
Ref<ByteSource> read_bytes(int fd, bool is_stream, uint64_t offset, uint64_t length, const std::string& what) {
  constexpr size_t kChunk = size_t{1} << 16;
  auto buffer = make_ref<Buffer>(is_stream ? kChunk : addressable(length));
  uint64_t to_skip = is_stream ? offset : 0;
  while (length == 0 || buffer->bytes().size() < length) {
    if (buffer->space() == 0) buffer->reserve(addressable(uint64_t{2} * buffer->bytes().size()));
    uint64_t wanted = buffer->space();
    if (to_skip != 0) {
      wanted = std::min(wanted, to_skip);
    } else if (length != 0) {
      wanted = std::min(wanted, length - buffer->bytes().size());
    }
    const ssize_t n = is_stream
                          ? ::read(fd, buffer->end(), wanted)
                          : ::pread(fd, buffer->end(), wanted, static_cast<off_t>(offset + buffer->bytes().size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_reading(what);
    if (n == 0) break;
    if (to_skip != 0) {
      to_skip -= static_cast<uint64_t>(n);
    } else {
      buffer->grow_by(static_cast<size_t>(n));
    }
  }
  WICK_CHECK(to_skip == 0 && buffer->bytes().size() >= length, kIo, "cannot read ", what, ": it ended early");
  WICK_CHECK(!buffer->bytes().empty(), kCorruptFile, what, " is empty");
  return buffer;
}

Ref<ByteSource> open_descriptor(int fd, uint64_t offset, uint64_t length, const std::string& what, bool copied) {
  struct stat info;
  if (::fstat(fd, &info) != 0) fail_reading(what);
  WICK_CHECK(!S_ISDIR(info.st_mode), kIo, what, " is a directory, not a model file");
  if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)) return read_bytes(fd, true, offset, length, what);
  WICK_CHECK(S_ISREG(info.st_mode), kIo, what, " is not a regular file");
  const uint64_t size = static_cast<uint64_t>(info.st_size);
  WICK_CHECK(size != 0, kCorruptFile, what, " is empty");
  WICK_CHECK(offset < size, kInvalidArgument, "offset ", offset, " is past the end of ", what, " (", size, " bytes)");
  WICK_CHECK(length <= size - offset, kInvalidArgument, "bytes ", offset, " to ", offset, " + ", length,
             " are not all inside ", what, " (", size, " bytes)");
  if (length == 0) length = size - offset;
  if (!copied) {
    if (auto mapping = map_range(fd, offset, length)) return mapping;
  }
  return read_bytes(fd, false, offset, length, what);
}

}  // namespace

Ref<ByteSource> ByteSource::open_file(const std::string& path, bool copied) {
  const std::string what = cat("file '", path, "'");
  int fd;
  do {
    fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) {
    const int error = errno;
    WICK_CHECK(error != ENOENT && error != ENOTDIR, kNotFound, what, " does not exist");
    fail_with<ErrorCode::kIo>("cannot open ", what, ": ", std::strerror(error));
  }
  Descriptor closer{fd};
  return open_descriptor(fd, 0, 0, what, copied);
}

Ref<ByteSource> ByteSource::open_fd(int fd, uint64_t offset, uint64_t length, bool copied) {
  return open_descriptor(fd, offset, length, cat("file descriptor ", fd), copied);
}

Ref<ByteSource> ByteSource::copy_of(Bytes bytes) {
  auto buffer = make_ref<Buffer>(bytes.size());
  if (!bytes.empty()) std::memcpy(buffer->end(), bytes.data(), bytes.size());
  buffer->grow_by(bytes.size());
  return buffer;
}

Ref<ByteSource> ByteSource::borrow(void* data, size_t size) { return make_ref<Borrowed>(data, size); }

Storage ByteSource::storage_of(Bytes part) {
  uint8_t* data = const_cast<uint8_t*>(part.data());
  return make_ref<StorageImpl>(data, part.size(), std::shared_ptr<void>(data, [keep = Ref(this)](void*) {}));
}

}  // namespace wick
