// The random generator: PyTorch's CPU generator, number for number.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "wick/ref.h"

namespace wick {

// The Mersenne Twister of 32 bits (mt19937), its numbers made a whole state at a time.
class MersenneTwister {
 public:
  void seed(uint32_t seed);
  uint32_t operator()() {
    if (next_ == kSize) refill();
    return numbers_[next_++];
  }

 private:
  static constexpr int kSize = 624;
  void refill();

  uint32_t state_[kSize];
  uint32_t numbers_[kSize];
  int next_ = kSize;
};

// Users hold `mutex` while they draw.
class GeneratorImpl : public RefCounted {
 public:
  static constexpr uint64_t kDefaultSeed = 67280421310721;

  explicit GeneratorImpl(uint64_t seed = kDefaultSeed) { set_seed(seed); }

  void set_seed(uint64_t seed) {
    engine_.seed(static_cast<uint32_t>(seed));
    seed_ = seed;
    spare_normal_.reset();
  }
  uint64_t seed() const { return seed_; }
  uint32_t random() { return engine_(); }
  uint64_t random64() {
    const uint64_t high = random();
    return high << 32 | random();
  }
  // The second of a pair of normal numbers, kept for the next call.
  std::optional<double>& spare_normal() { return spare_normal_; }

  std::mutex mutex;

 private:
  MersenneTwister engine_;
  uint64_t seed_ = 0;
  std::optional<double> spare_normal_;
};

// What operators draw from when they are given no generator, and manual_seed() seeds.
GeneratorImpl& default_generator();

}  // namespace wick
