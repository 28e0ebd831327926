// Denormals slow some processors down a hundredfold. Where they are no more than noise, in the
// sums of convolutions and dense layers, they are taken for zero.
#pragma once

#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace wick::kernels {

// Flushes denormal numbers, of operands and of results, in the calling thread while it lives. Nested ones cost a read
// of the mode alone.
class FlushDenormals {
 public:
#if defined(__SSE__)
  FlushDenormals() : before_(_mm_getcsr()) {
    if (before_ != (before_ | kFlush)) _mm_setcsr(before_ | kFlush);
  }
  ~FlushDenormals() {
    if (before_ != (before_ | kFlush)) _mm_setcsr(before_);
  }

 private:
  static constexpr unsigned kFlush = 0x8040;  // results, operands
  const unsigned before_;
#elif defined(__aarch64__)
  FlushDenormals() {
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(before_));
    if (before_ != (before_ | kFlush)) set(before_ | kFlush);
  }
  ~FlushDenormals() {
    if (before_ != (before_ | kFlush)) set(before_);
  }

 private:
  static constexpr uint64_t kFlush = uint64_t{1} << 24;
  static void set(uint64_t value) { __asm__ __volatile__("msr fpcr, %0" : : "r"(value)); }
  uint64_t before_;
#else
  FlushDenormals() = default;
  ~FlushDenormals() = default;

 private:
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;
};

}  // namespace wick::kernels
