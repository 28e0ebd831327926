// at::Generator: the source of random numbers that an operator takes. Wick has one, the default.
#pragma once

#include <cstdint>
#include <mutex>

#include <c10/core/Device.h>

namespace at {

struct Generator {
  Generator() = default;
  bool defined() const { return defined_; }
  void set_current_seed(uint64_t seed);
  uint64_t current_seed() const;
  c10::Device device() const { return c10::Device(c10::kCPU); }
  std::mutex& mutex();
  bool operator==(const Generator& o) const { return defined_ == o.defined_; }
  bool operator!=(const Generator& o) const { return defined_ != o.defined_; }
  static Generator make_default() {
    Generator g;
    g.defined_ = true;
    return g;
  }

 private:
  bool defined_ = false;
};

namespace detail {
const Generator& getDefaultCPUGenerator();
}  // namespace detail

}  // namespace at
