// PyTorch's CPU generator (Mersenne Twister) and the default generator.
#include "ops/random/generator.h"

#include "core/check.h"
#include "wick/ivalue.h"
#include "wick/module.h"

namespace wick {

void MersenneTwister::seed(uint32_t seed) {
  state_[0] = seed;
  for (uint32_t i = 1; i < kSize; ++i) state_[i] = 1812433253u * (state_[i - 1] ^ state_[i - 1] >> 30) + i;
  next_ = kSize;
}

void MersenneTwister::refill() {
  constexpr int kMiddle = 397;
  // The next word from its own top bit, the rest of the word after it, and a word further on.
  const auto twist = [](uint32_t top, uint32_t rest, uint32_t other) {
    const uint32_t y = (top & 0x80000000u) | (rest & 0x7fffffffu);
    return other ^ y >> 1 ^ ((0u - (rest & 1u)) & 0x9908b0dfu);
  };
  for (int i = 0; i < kSize - kMiddle; ++i) state_[i] = twist(state_[i], state_[i + 1], state_[i + kMiddle]);
  for (int i = kSize - kMiddle; i < kSize - 1; ++i) {
    state_[i] = twist(state_[i], state_[i + 1], state_[i + kMiddle - kSize]);
  }
  state_[kSize - 1] = twist(state_[kSize - 1], state_[0], state_[kMiddle - 1]);
  for (int i = 0; i < kSize; ++i) {
    uint32_t y = state_[i];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    numbers_[i] = y ^ y >> 18;
  }
  next_ = 0;
}

GeneratorImpl& default_generator() {
  static GeneratorImpl* const instance = new GeneratorImpl;  // never destroyed: threads may outlive static destruction
  return *instance;
}

void manual_seed(uint64_t seed) {
  GeneratorImpl& generator = default_generator();
  std::lock_guard lock(generator.mutex);
  generator.set_seed(seed);
}

IValue::IValue(Ref<GeneratorImpl> v) : IValue(Tag::kGenerator, v.get()) {}

GeneratorImpl& IValue::to_generator() const { return static_cast<GeneratorImpl&>(expect(Tag::kGenerator)); }

}  // namespace wick
