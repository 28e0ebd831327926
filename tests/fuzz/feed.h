// Bytes of a fuzz input, taken one after another as choices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace wick::fuzz {

// Gives zero when the bytes are used up.
class ByteFeed {
 public:
  ByteFeed(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  uint8_t byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  int32_t small() { return static_cast<int8_t>(byte()); }
  uint32_t word() {
    const uint32_t high = byte();
    return high << 8 | byte();
  }
  size_t below(size_t n) { return n <= 256 ? (n == 0 ? 0 : byte() % n) : word() % n; }
  bool one_in(size_t n) { return below(n) == n - 1; }  // not when the bytes are used up
  template <class T, size_t N>
  const T& pick(const T (&from)[N]) {
    return from[below(N)];
  }
  bool empty() const { return size_ == 0; }
  size_t left() const { return size_; }

  // A seed for a generator of more choices than the input has bytes.
  uint64_t seed() {
    uint64_t out = 0;
    for (int i = 0; i < 4; ++i) out = out << 8 | byte();
    return out;
  }

 private:
  const uint8_t* data_;
  size_t size_;
};

}  // namespace wick::fuzz
