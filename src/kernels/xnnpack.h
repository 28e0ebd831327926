// XNNPACK's layers as methods beside our own: convolutions with channels last and dense layers, of floats and of bytes.
// In builds with WICK_XNNPACK, and in the kernel benchmarks where the library is installed.
#pragma once

#include <memory>

#include "kernels/conv2d.h"

namespace wick::kernels {

// XNNPACK reads up to this many bytes behind the input; they are not used.
inline constexpr size_t kXnnpackExtraBytes = 16;

// A layer of bytes without sign: round(sum * multiplier) + out_zero within [low, high], ties to the even number.
struct XnnpackBytes {
  uint8_t in_zero = 0, out_zero = 0, low = 0, high = 255;
  const float* multipliers = nullptr;                      // by output channel
  const int8_t* weight = nullptr;                          // [out][tap][in of the group]
  const int32_t *weight_zeros = nullptr, *bias = nullptr;  // by output channel
};

class XnnpackLayer {
 public:
  // Each copies what it is given, and gives null when XNNPACK has nothing for the layer.

  // Weights and scale as pack_conv takes them; bias may be null.
  static std::unique_ptr<XnnpackLayer> conv(const ConvShape& shape, const float* weight, const float* scale,
                                            const float* bias, float low, float high);
  // Weights [outputs][inputs]; rows of the input and of the result lie so many elements apart.
  static std::unique_ptr<XnnpackLayer> dense(int64_t rows, int64_t inputs, int64_t outputs, int64_t in_step,
                                             int64_t out_step, const float* weight, const float* bias, float low,
                                             float high);
  // With one multiplier for all channels and one zero point of the weights, or with weights whose zero points are 0.
  static std::unique_ptr<XnnpackLayer> byte_conv(const ConvShape& shape, const XnnpackBytes& bytes);
  static std::unique_ptr<XnnpackLayer> byte_dense(int64_t rows, int64_t inputs, int64_t outputs,
                                                  const XnnpackBytes& bytes);
  ~XnnpackLayer();
  XnnpackLayer(const XnnpackLayer&) = delete;
  XnnpackLayer& operator=(const XnnpackLayer&) = delete;

  // Bytes of scratch a run needs.
  size_t scratch_size() const;
  // x is followed by kXnnpackExtraBytes that may be read. Not by two threads at a time.
  void run(const void* x, void* y, void* scratch, int threads);

 private:
  struct Handle;
  explicit XnnpackLayer(std::unique_ptr<Handle> handle);
  static std::unique_ptr<XnnpackLayer> holding(std::unique_ptr<Handle> handle, int status);
  static std::unique_ptr<Handle> for_shape(const ConvShape& shape);
  std::unique_ptr<Handle> handle_;
};

}  // namespace wick::kernels
