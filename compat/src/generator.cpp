// at::Generator over Wick's generators.
#include <ATen/core/Generator.h>

#include <cstring>
#include <random>

#include "bridge.h"
#include "ops/random/generator.h"

namespace at {
namespace {

using wick::GeneratorImpl;

GeneratorImpl& impl_of(const Generator& g) {
  TORCH_CHECK(g.defined(), "Generator with undefined implementation is not allowed");
  return *static_cast<GeneratorImpl*>(g.ref());
}

// PyTorch's bytes of a state. What it calls legacy ends before the sample of floats, which nothing draws.
struct State {
  uint64_t initial_seed;
  int32_t left;
  int32_t seeded;
  uint64_t next;
  uint64_t words[wick::MersenneTwister::kSize];
  double unused_x;
  double normal;
  double unused_rho;
  int32_t has_normal;
  float float_normal;
  bool has_float_normal;
};
constexpr size_t kLegacySize = offsetof(State, float_normal);
static_assert(sizeof(State) == 5056 && kLegacySize == 5044, "PyTorch's layout");

}  // namespace

void Generator::set_current_seed(uint64_t seed) {
  GeneratorImpl& g = impl_of(*this);
  const std::lock_guard<std::mutex> lock(g.mutex);
  g.set_seed(seed);
}
uint64_t Generator::current_seed() const { return impl_of(*this).seed(); }
uint64_t Generator::seed() {
  const uint64_t seed = detail::getNonDeterministicRandom();
  set_current_seed(seed);
  return seed;
}
std::mutex& Generator::mutex() const {
  // Not the one that operators take, so that who holds it can call them.
  static std::mutex one;
  return one;
}
Tensor Generator::get_state() const {
  GeneratorImpl& g = impl_of(*this);
  State state;
  std::memset(static_cast<void*>(&state), 0, sizeof state);
  const std::lock_guard<std::mutex> lock(g.mutex);
  const wick::MersenneTwister::Snapshot words = g.engine().save();
  state.initial_seed = g.seed();
  state.seeded = 1;
  state.left = words.is_fresh ? 1 : wick::MersenneTwister::kSize + 1 - words.next;
  state.next = words.is_fresh ? 0 : static_cast<uint64_t>(words.next);
  std::copy(std::begin(words.words), std::end(words.words), state.words);
  if (g.spare_normal()) {
    state.has_normal = 1;
    state.normal = *g.spare_normal();
  }
  Tensor out = at::empty({static_cast<int64_t>(sizeof state)}, at::TensorOptions(at::kByte));
  std::memcpy(out.data_ptr(), &state, sizeof state);
  return out;
}
void Generator::set_state(const Tensor& given) {
  GeneratorImpl& g = impl_of(*this);
  TORCH_CHECK(given.scalar_type() == kByte && given.is_contiguous(), "RNG state must be a torch.ByteTensor");
  TORCH_CHECK(given.nbytes() == sizeof(State), "Expected a CPUGeneratorImplState of size ", sizeof(State),
              " but found the input RNG state size to be ", given.nbytes());
  State state;
  std::memcpy(static_cast<void*>(&state), given.data_ptr(), sizeof state);
  wick::MersenneTwister::Snapshot words;
  for (int i = 0; i < wick::MersenneTwister::kSize; ++i) words.words[i] = static_cast<uint32_t>(state.words[i]);
  TORCH_CHECK(state.seeded == 1 && state.left > 0 && state.left <= wick::MersenneTwister::kSize &&
                  state.next <= wick::MersenneTwister::kSize,
              "Invalid mt19937 state");
  words.is_fresh = state.left == 1 && state.next == 0;
  words.next = state.left == 1 ? wick::MersenneTwister::kSize : static_cast<int>(state.next);
  const std::lock_guard<std::mutex> lock(g.mutex);
  g.engine().restore(words);
  g.set_initial_seed(state.initial_seed);
  g.spare_normal() = state.has_normal ? std::optional<double>(state.normal) : std::nullopt;
}
Generator Generator::clone() const {
  Generator copy = detail::createCPUGenerator();
  copy.set_state(get_state());
  return copy;
}

Tensor rand(IntArrayRef size, c10::optional<Generator> generator, TensorOptions options) {
  const wick_compat::DrawsFrom source(generator);
  return at::rand(size, options);
}
Tensor randn(IntArrayRef size, c10::optional<Generator> generator, TensorOptions options) {
  const wick_compat::DrawsFrom source(generator);
  return at::randn(size, options);
}
Tensor randint(int64_t high, IntArrayRef size, c10::optional<Generator> generator, TensorOptions options) {
  const wick_compat::DrawsFrom source(generator);
  return at::randint(high, size, options);
}
Tensor randint(int64_t low, int64_t high, IntArrayRef size, c10::optional<Generator> generator, TensorOptions options) {
  const wick_compat::DrawsFrom source(generator);
  return at::randint(low, high, size, options);
}
Tensor randperm(int64_t n, c10::optional<Generator> generator, TensorOptions options) {
  const wick_compat::DrawsFrom source(generator);
  return at::randperm(n, options);
}

void manual_seed(uint64_t seed) { Generator(detail::getDefaultCPUGenerator()).set_current_seed(seed); }

namespace detail {
const Generator& getDefaultCPUGenerator() {
  static const Generator standard = [] {
    GeneratorImpl& g = wick::default_generator();
    wick_compat::retain(&g);
    wick_compat::retain(&g);  // never destroyed
    return Generator::taking(&g);
  }();
  return standard;
}
Generator createCPUGenerator(uint64_t seed) { return Generator::taking(wick::make_ref<GeneratorImpl>(seed).detach()); }
uint64_t getNonDeterministicRandom(bool) {
  // As many bits as a double holds, so that the seed survives Python.
  std::random_device source;
  return (uint64_t{source()} << 32 | source()) & 0x1FFFFFFFFFFFFF;
}
}  // namespace detail

}  // namespace at

namespace wick_compat {

struct DrawsFrom::Scope : wick::DefaultGeneratorScope {
  using DefaultGeneratorScope::DefaultGeneratorScope;
};
DrawsFrom::DrawsFrom(const c10::optional<at::Generator>& g)
    : scope_(g && g->defined() ? new Scope(static_cast<wick::GeneratorImpl*>(g->ref())) : nullptr) {}
DrawsFrom::~DrawsFrom() = default;

}  // namespace wick_compat
