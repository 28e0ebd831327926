// Helpers of the archive and pickle tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.h"
#include "archive/pickle.h"
#include "wick/error.h"

namespace wick::test {

inline Bytes bytes_of(const std::string& text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

inline std::string data_path(const std::string& name) { return std::string(WICK_TEST_DATA) + "/archive/" + name; }

inline std::vector<uint8_t> read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// A path in the temporary folder that is removed at the end.
class TempPath {
 public:
  explicit TempPath(const std::string& suffix = ".pt") {
    static int counter = 0;
    path_ =
        ::testing::TempDir() + "wick_archive_" + std::to_string(::getpid()) + "_" + std::to_string(counter++) + suffix;
  }
  ~TempPath() { std::remove(path_.c_str()); }
  const std::string& str() const { return path_; }
  void write(const std::string& contents) const {
    std::ofstream(path_, std::ios::binary).write(contents.data(), static_cast<std::streamsize>(contents.size()));
  }

 private:
  std::string path_;
};

// The error `action` throws, or nothing.
inline std::optional<Error> error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    return e;
  }
  return std::nullopt;
}

// Expects an Error with the code, whose message has the text.
inline void expect_error(ErrorCode code, const std::string& text, const std::function<void()>& action) {
  const auto error = error_of(action);
  ASSERT_TRUE(error.has_value()) << "no error; expected: " << text;
  EXPECT_STREQ(to_string(error->code()), to_string(code)) << error->message();
  EXPECT_NE(error->message().find(text), std::string::npos) << error->message();
}

inline void put_u16(std::vector<uint8_t>& bytes, size_t at, uint16_t v) { std::memcpy(bytes.data() + at, &v, 2); }
inline void put_u32(std::vector<uint8_t>& bytes, size_t at, uint32_t v) { std::memcpy(bytes.data() + at, &v, 4); }
inline uint16_t get_u16(const std::vector<uint8_t>& bytes, size_t at) { return bytes[at] | bytes[at + 1] << 8; }
inline uint32_t get_u32(const std::vector<uint8_t>& bytes, size_t at) {
  uint32_t v;
  std::memcpy(&v, bytes.data() + at, 4);
  return v;
}

inline double seconds_of(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace wick::test
