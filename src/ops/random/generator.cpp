// PyTorch's CPU generator (Mersenne Twister) and the default generator.
#include "ops/random/generator.h"

#include <algorithm>

#include "core/check.h"
#include "wick/ivalue.h"
#include "wick/module.h"

namespace wick {

void MersenneTwister::seed(uint32_t seed) {
  state_[0] = seed;
  for (uint32_t i = 1; i < kSize; ++i) state_[i] = 1812433253u * (state_[i - 1] ^ state_[i - 1] >> 30) + i;
  next_ = kSize;
  is_fresh_ = true;
}

MersenneTwister::Snapshot MersenneTwister::save() const {
  Snapshot out;
  std::copy(state_, state_ + kSize, out.words);
  out.next = next_;
  out.is_fresh = is_fresh_;
  return out;
}

void MersenneTwister::restore(const Snapshot& snapshot) {
  WICK_CHECK(snapshot.next >= 0 && snapshot.next <= kSize, kInvalidArgument, "the generator's state is at word ",
             snapshot.next, " of ", kSize);
  std::copy(snapshot.words, snapshot.words + kSize, state_);
  next_ = snapshot.next;
  is_fresh_ = snapshot.is_fresh;
  temper();
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
  temper();
  next_ = 0;
  is_fresh_ = false;
}

void MersenneTwister::temper() {
  for (int i = 0; i < kSize; ++i) {
    uint32_t y = state_[i];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    numbers_[i] = y ^ y >> 18;
  }
}

namespace {
thread_local GeneratorImpl* in_scope = nullptr;
}  // namespace

DefaultGeneratorScope::DefaultGeneratorScope(GeneratorImpl* generator) : before_(in_scope) {
  if (generator) in_scope = generator;
}
DefaultGeneratorScope::~DefaultGeneratorScope() { in_scope = before_; }

GeneratorImpl& default_generator() {
  if (in_scope) return *in_scope;
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
