// Sources of bytes: private mappings, descriptors with offsets, pipes, copies and borrowed memory.
#include <fcntl.h>
#include <sys/stat.h>

#include <thread>

#include "unit/archive/archive_util.h"

namespace wick::test {
namespace {

std::string text_of(const ByteSource& source) { return {source.bytes().begin(), source.bytes().end()}; }

TEST(ByteSource, WritesToAMappingDoNotReachTheFile) {
  TempPath path;
  path.write("hello");
  const auto source = ByteSource::open_file(path.str());
  const_cast<uint8_t*>(source->bytes().data())[0] = 'J';
  EXPECT_EQ(text_of(*source), "Jello");
  EXPECT_EQ(text_of(*ByteSource::open_file(path.str())), "hello");
}

TEST(ByteSource, ACopyOutlivesTheTruncationOfItsFile) {
  TempPath path;
  const std::string contents(100000, 'x');
  path.write(contents);
  const auto source = ByteSource::open_file(path.str(), /*copied=*/true);
  const int fd = ::open(path.str().c_str(), O_RDONLY);
  const auto part = ByteSource::open_fd(fd, 50000, 0, /*copied=*/true);
  ::close(fd);
  ASSERT_EQ(::truncate(path.str().c_str(), 1), 0);
  EXPECT_EQ(text_of(*source), contents);
  EXPECT_EQ(text_of(*part), contents.substr(50000));
}

TEST(ByteSource, DescriptorWithUnalignedOffset) {
  TempPath path;
  std::string contents(10000, 'x');
  contents.replace(5003, 5, "inner");
  path.write(contents);
  const int fd = ::open(path.str().c_str(), O_RDONLY);
  ASSERT_GE(fd, 0);
  const auto part = ByteSource::open_fd(fd, 5003, 5);
  const auto rest = ByteSource::open_fd(fd, 9999, 0);
  expect_error(ErrorCode::kInvalidArgument, "not all inside", [&] { ByteSource::open_fd(fd, 9999, 2); });
  expect_error(ErrorCode::kInvalidArgument, "past the end", [&] { ByteSource::open_fd(fd, 10000, 0); });
  expect_error(ErrorCode::kInvalidArgument, "not all inside", [&] { ByteSource::open_fd(fd, 1, UINT64_MAX); });
  ::close(fd);
  EXPECT_EQ(text_of(*part), "inner");
  EXPECT_EQ(text_of(*rest), "x");
}

TEST(ByteSource, PipesAreRead) {
  const std::string contents(200000, 'p');
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    size_t done = 0;
    while (done < contents.size())
      done += static_cast<size_t>(::write(ends[1], contents.data() + done, contents.size() - done));
    ::close(ends[1]);
  });
  const auto source = ByteSource::open_fd(ends[0], 7, 0);
  writer.join();
  ::close(ends[0]);
  EXPECT_EQ(source->bytes().size(), contents.size() - 7);
}

TEST(ByteSource, ClearErrors) {
  TempPath path;
  expect_error(ErrorCode::kNotFound, path.str(), [&] { ByteSource::open_file(path.str()); });
  path.write("");
  expect_error(ErrorCode::kCorruptFile, "is empty", [&] { ByteSource::open_file(path.str()); });
  expect_error(ErrorCode::kIo, "is a directory", [&] { ByteSource::open_file(::testing::TempDir()); });
  expect_error(ErrorCode::kIo, "not a regular file", [&] { ByteSource::open_file("/dev/null"); });
  expect_error(ErrorCode::kIo, "file descriptor -1", [&] { ByteSource::open_fd(-1, 0, 0); });
}

TEST(ByteSource, CopiesAreAligned) {
  const std::string contents = "0123456789";
  for (size_t i = 0; i < 4; ++i) {
    const auto copy = ByteSource::copy_of(bytes_of(contents).subspan(i));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(copy->bytes().data()) % 64, 0u);
    EXPECT_EQ(text_of(*copy), contents.substr(i));
  }
  EXPECT_TRUE(ByteSource::copy_of({})->bytes().empty());
}

TEST(ByteSource, BorrowDoesNotCopy) {
  std::string memory = "abc";
  EXPECT_EQ(static_cast<const void*>(ByteSource::borrow(memory.data(), 3)->bytes().data()), memory.data());
}

}  // namespace
}  // namespace wick::test
