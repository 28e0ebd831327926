// Writes a file under a temporary name and renames it, so that it appears whole or not at all.
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
  fail_with<ErrorCode::kIo>("cannot write file '", path, "': ", std::strerror(error));
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

constexpr int kAttempts = 100;
constexpr int kNoUnnamedFiles = -1;

std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  return cat(target, ".tmp", static_cast<int64_t>(::getpid()), "-", counter.fetch_add(1));
}

// A file that has its name only once it is whole: a process that is stopped while it writes leaves nothing behind.
// 0 with the name, an error number, or kNoUnnamedFiles where the file system or the machine has no such files.
int write_unnamed(const std::string& target, Bytes bytes, std::string& name) {
#ifdef O_TMPFILE
  const size_t slash = target.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : target.substr(0, slash + 1);
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0) return kNoUnnamedFiles;
  int error = write_all(fd, bytes);
  for (int i = 0; error == 0 && i < kAttempts; ++i) {
    name = temporary_name(target);
    if (::linkat(AT_FDCWD, cat("/proc/self/fd/", fd).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) break;
    name.clear();
    if (errno != EEXIST) error = kNoUnnamedFiles;
  }
  const int close_error = close_file(fd);
  return error == 0 ? close_error : error;
#else
  (void)target, (void)bytes, (void)name;
  return kNoUnnamedFiles;
#endif
}

int write_named(const std::string& target, Bytes bytes, std::string& name) {
  int fd = -1;
  for (int i = 0; i < kAttempts && fd < 0; ++i) {
    name = temporary_name(target);
    fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) break;
  }
  if (fd < 0) {
    name.clear();
    return errno;
  }
  const int error = write_all(fd, bytes);
  const int close_error = close_file(fd);
  return error == 0 ? close_error : error;
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
  std::string temporary;
  int error = write_unnamed(target, bytes, temporary);
  if (error == kNoUnnamedFiles) error = write_named(target, bytes, temporary);
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    if (!temporary.empty()) ::unlink(temporary.c_str());
    fail_writing(path, error);
  }
}

}  // namespace wick
