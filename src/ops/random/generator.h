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
  static constexpr int kSize = 624;
  // The words, and which of them is next; kSize when the next number takes new words. `is_fresh`: just seeded.
  struct Snapshot {
    uint32_t words[kSize];
    int next;
    bool is_fresh;
  };
  void seed(uint32_t seed);
  Snapshot save() const;
  void restore(const Snapshot& snapshot);
  uint32_t operator()() {
    if (next_ == kSize) refill();
    return numbers_[next_++];
  }

 private:
  void refill();
  void temper();

  uint32_t state_[kSize];
  uint32_t numbers_[kSize];
  int next_ = kSize;
  bool is_fresh_ = true;
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
  MersenneTwister& engine() { return engine_; }
  void set_initial_seed(uint64_t seed) { seed_ = seed; }
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

// While it lives, `generator` takes the default one's place in this thread; null changes nothing.
class DefaultGeneratorScope {
 public:
  explicit DefaultGeneratorScope(GeneratorImpl* generator);
  ~DefaultGeneratorScope();
  DefaultGeneratorScope(const DefaultGeneratorScope&) = delete;
  DefaultGeneratorScope& operator=(const DefaultGeneratorScope&) = delete;

 private:
  GeneratorImpl* before_;
};

}  // namespace wick
