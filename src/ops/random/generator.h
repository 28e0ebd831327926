// The random generator: PyTorch's CPU generator, number for number.
#pragma once

#include <mutex>
#include <optional>
#include <random>

#include "wick/ref.h"

namespace wick {

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
  uint32_t random() { return static_cast<uint32_t>(engine_()); }
  uint64_t random64() {
    const uint64_t high = random();
    return high << 32 | random();
  }
  // The second of a pair of normal numbers, kept for the next call.
  std::optional<double>& spare_normal() { return spare_normal_; }

  std::mutex mutex;

 private:
  std::mt19937 engine_;
  uint64_t seed_ = 0;
  std::optional<double> spare_normal_;
};

// What operators draw from when they are given no generator, and manual_seed() seeds.
GeneratorImpl& default_generator();

}  // namespace wick
