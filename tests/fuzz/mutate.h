// Inputs derived from seeds by a fixed random sequence: the same ones on every machine, whatever the program does with
// them. libFuzzer's own depend on coverage, which differs from run to run where code hashes with a random key.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

namespace wick::fuzz {

using Input = std::vector<uint8_t>;

class Mutator {
 public:
  explicit Mutator(std::vector<Input> seeds) : pool_(std::move(seeds)), seed_count_(pool_.size()) {}

  // The next input: a seed, or one of the latest inputs, with one to six changes.
  Input next() {
    Input input = pool_[below(4) != 0 ? below(seed_count_) : below(pool_.size())];
    for (uint64_t changes = 1 + below(6); changes != 0; --changes) change(input);
    if (input.size() > kMaxSize) input.resize(kMaxSize);
    if (pool_.size() < seed_count_ + kRecent) {
      pool_.push_back(input);
    } else {
      pool_[seed_count_ + oldest_++ % kRecent] = input;
    }
    return input;
  }

 private:
  static constexpr size_t kMaxSize = 65536, kRecent = 64, kMaxRange = 64;
  struct Range {
    size_t begin, size;
  };

  // The standard's distributions differ between libraries; the generator does not.
  uint64_t below(uint64_t n) { return n == 0 ? 0 : random_() % n; }

  // A short range of bytes or, in a text, one or two whole lines.
  Range some_range(const Input& input) {
    Range range{below(input.size()), 0};
    range.size = std::min<size_t>(1 + below(kMaxRange), input.size() - range.begin);
    if (below(2) == 0) return range;
    const auto first = input.begin() + static_cast<std::ptrdiff_t>(range.begin);
    const auto begin = std::find(std::make_reverse_iterator(first), input.rend(), uint8_t{'\n'}).base();
    auto end = std::find(first, input.end(), uint8_t{'\n'});
    if (end == input.end()) return range;
    if (const auto second = std::find(end + 1, input.end(), uint8_t{'\n'}); below(4) == 0 && second != input.end()) {
      end = second;
    }
    return {static_cast<size_t>(begin - input.begin()), static_cast<size_t>(end + 1 - begin)};
  }

  static Input bytes_of(const Input& input, Range range) {
    const auto begin = input.begin() + static_cast<std::ptrdiff_t>(range.begin);
    return Input(begin, begin + static_cast<std::ptrdiff_t>(range.size));
  }
  static void insert(Input& input, size_t at, const Input& bytes) {
    input.insert(input.begin() + static_cast<std::ptrdiff_t>(at), bytes.begin(), bytes.end());
  }
  static void erase(Input& input, Range range) {
    const auto begin = input.begin() + static_cast<std::ptrdiff_t>(range.begin);
    input.erase(begin, begin + static_cast<std::ptrdiff_t>(range.size));
  }

  void change(Input& input) {
    if (input.empty()) input.push_back(static_cast<uint8_t>(random_()));
    const size_t at = below(input.size());
    switch (below(9)) {
      case 0:
        input[at] ^= static_cast<uint8_t>(1U << below(8));
        break;
      case 1:
        input[at] = static_cast<uint8_t>(random_());
        break;
      case 2:
        set_number(input, at);
        break;
      case 3:
        erase(input, some_range(input));
        break;
      case 4:
        insert(input, at, bytes_of(input, some_range(input)));
        break;
      case 5:
        insert(input, at, Input(1 + below(8), static_cast<uint8_t>(random_())));
        break;
      case 6: {  // a piece moves
        const Range range = some_range(input);
        const Input piece = bytes_of(input, range);
        erase(input, range);
        insert(input, below(input.size() + 1), piece);
        break;
      }
      case 7: {  // a piece of another input comes in, in the place of one here
        const Input& other = pool_[below(pool_.size())];
        if (other.empty()) break;
        const Input piece = bytes_of(other, some_range(other));
        const Range range = some_range(input);
        if (below(2) == 0) erase(input, range);
        insert(input, std::min(range.begin, input.size()), piece);
        break;
      }
      default:
        if (below(8) == 0) input.resize(at);
        input.push_back(static_cast<uint8_t>(random_()));
    }
  }

  // A number of 1 to 8 bytes at the edge of a type or a size, or near what was there.
  void set_number(Input& input, size_t at) {
    const size_t size = std::min<size_t>(size_t{1} << below(4), input.size() - at);
    uint64_t value = 0;
    std::memcpy(&value, &input[at], size);
    switch (below(4)) {
      case 0:
        value += below(33) - 16;
        break;
      case 1:
        value = uint64_t{1} << below(64);
        break;
      case 2:
        value = (uint64_t{1} << below(64)) - 1;
        break;
      default:
        value = ~below(16);
    }
    std::memcpy(&input[at], &value, size);
  }

  std::mt19937_64 random_{1};
  std::vector<Input> pool_;  // the seeds, then the latest inputs
  const size_t seed_count_;
  size_t oldest_ = 0;
};

}  // namespace wick::fuzz
