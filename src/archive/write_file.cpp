#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "archive/writer.h"
#include "core/check.h"

namespace wick {
namespace {

[[noreturn]] void fail_writing(const std::string& path, int error) {
  fail(ErrorCode::kIo, cat("cannot write file '", path, "': ", std::strerror(error)));
}

// 0, or the error number.
int write_all(int fd, Bytes bytes) {
  constexpr size_t kStep = size_t{1} << 30;
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), std::min(bytes.size(), kStep));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return 0;
}

int close_file(int fd) { return ::close(fd) == 0 || errno == EINTR ? 0 : errno; }

// The file a path leads to when it is a link, so that the link stays one.
std::string resolve(const std::string& path) {
  std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

}  // namespace

void write_file(const std::string& path, Bytes bytes) {
  const std::string target = resolve(path);
  struct stat info;
  if (::stat(target.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    const int fd = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) fail_writing(path, errno);
    const int error = write_all(fd, bytes);
    const int close_error = close_file(fd);
    if (error != 0 || close_error != 0) fail_writing(path, error != 0 ? error : close_error);
    return;
  }
  static std::atomic<unsigned> counter{0};
  std::string temporary;
  int fd = -1;
  constexpr int kAttempts = 100;
  for (int i = 0; i < kAttempts && fd < 0; ++i) {
    temporary = cat(target, ".tmp", static_cast<int64_t>(::getpid()), "-", counter.fetch_add(1));
    fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) break;
  }
  if (fd < 0) fail_writing(path, errno);
  int error = write_all(fd, bytes);
  const int close_error = close_file(fd);
  if (error == 0) error = close_error;
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail_writing(path, error);
  }
}

}  // namespace wick
