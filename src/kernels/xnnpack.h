// XNNPACK's float convolution with channels last, as a method beside conv2d's own. In builds with WICK_XNNPACK, and in
// the kernel benchmarks where the library is installed.
#pragma once

#include <memory>

#include "kernels/conv2d.h"

namespace wick::kernels {

// XNNPACK reads up to this many bytes behind the input; they are not used.
inline constexpr size_t kXnnpackExtraBytes = 16;

class XnnpackConv {
 public:
  // Weights and scale as pack_conv takes them, copied; bias may be null. Null when XNNPACK has nothing for the shape.
  static std::unique_ptr<XnnpackConv> make(const ConvShape& shape, const float* weight, const float* scale,
                                           const float* bias, float low, float high);
  ~XnnpackConv();
  XnnpackConv(const XnnpackConv&) = delete;
  XnnpackConv& operator=(const XnnpackConv&) = delete;

  // x and y are dense, x followed by kXnnpackExtraBytes. On the calling thread; not by two threads at a time.
  void run(const float* x, float* y);

 private:
  struct Handle;
  explicit XnnpackConv(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

}  // namespace wick::kernels
