// What core uses of the CPU kernels: the body of a parallel loop, which kernels and the thread pool hand each other,
// and conversions of contiguous runs that compilers do not vectorize by themselves. Core includes only this header of
// kernels, and bounds.h.
#pragma once

#include <cstdint>
#include <type_traits>

namespace wick::kernels {

// A call to something that outlives it; unlike std::function it never allocates.
class RangeBody {
 public:
  // Copies are made by the copy constructor: the requirement leaves RangeBody itself out.
  // NOLINTBEGIN(bugprone-forwarding-reference-overload)
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, RangeBody>) RangeBody(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(&f))), call_([](void* object, int64_t first, int64_t last) {
          (*static_cast<std::remove_reference_t<F>*>(object))(first, last);
        }) {}
  // NOLINTEND(bugprone-forwarding-reference-overload)
  void operator()(int64_t first, int64_t last) const { call_(object_, first, last); }

 private:
  void* object_;
  void (*call_)(void*, int64_t, int64_t);
};

// 16-bit floats as their bits; narrowing rounds to nearest even.
void half_to_float(const uint16_t* x, float* out, int64_t n);
void float_to_half(const float* x, uint16_t* out, int64_t n);
void bfloat16_to_float(const uint16_t* x, float* out, int64_t n);
void float_to_bfloat16(const float* x, uint16_t* out, int64_t n);

// Towards zero, through int64 (int32 for int32 and int8): what that cannot hold becomes its least, and narrower
// integers wrap.
void float_to_int64(const float* x, int64_t* out, int64_t n);
void float_to_int32(const float* x, int32_t* out, int64_t n);
void float_to_int8(const float* x, int8_t* out, int64_t n);
void float_to_uint8(const float* x, uint8_t* out, int64_t n);

}  // namespace wick::kernels
