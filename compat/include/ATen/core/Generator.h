// at::Generator: a source of random numbers that operators take, PyTorch's for the CPU.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>

#include <c10/core/Device.h>
#include <c10/util/intrusive_ptr.h>

namespace at {
class Tensor;

// A handle: copies share the generator. Threads lock mutex() while they draw or change it; operators do by themselves.
struct Generator {
  Generator() = default;
  Generator(const Generator& o) noexcept : impl_(o.impl_) { wick_compat::retain(impl_); }
  Generator(Generator&& o) noexcept : impl_(o.impl_) { o.impl_ = nullptr; }
  Generator& operator=(Generator o) noexcept {
    std::swap(impl_, o.impl_);
    return *this;
  }
  ~Generator() { wick_compat::release(impl_); }

  bool defined() const { return impl_ != nullptr; }
  void set_current_seed(uint64_t seed);
  uint64_t current_seed() const;
  // Seeds it with a number that is not predictable, and gives this.
  uint64_t seed();
  // All of it, as bytes that PyTorch reads and writes too.
  Tensor get_state() const;
  void set_state(const Tensor& state);
  Generator clone() const;
  c10::Device device() const { return c10::Device(c10::kCPU); }
  std::mutex& mutex() const;
  bool operator==(const Generator& o) const { return impl_ == o.impl_; }
  bool operator!=(const Generator& o) const { return impl_ != o.impl_; }

  // For the library's own code: takes over a reference to one of Wick's generators.
  static Generator taking(void* impl) {
    Generator g;
    g.impl_ = impl;
    return g;
  }
  void* ref() const { return impl_; }

 private:
  void* impl_ = nullptr;
};

// Names the one kind of generators that there is, for make_generator.
struct CPUGeneratorImpl {
  static c10::DeviceType device_type() { return c10::kCPU; }
};

namespace detail {
const Generator& getDefaultCPUGenerator();
Generator createCPUGenerator(uint64_t seed = 67280421310721);
uint64_t getNonDeterministicRandom(bool is_cuda = false);
}  // namespace detail

template <class Impl>
Generator make_generator(uint64_t seed = 67280421310721) {
  static_assert(std::is_same<Impl, CPUGeneratorImpl>::value, "Wick has generators of the CPU");
  return detail::createCPUGenerator(seed);
}

}  // namespace at
namespace c10 {
constexpr uint64_t default_rng_seed_val = 67280421310721;
}
