// XNNPACK's convolution with channels last, to be timed beside ours. Without the library nothing is available.
#pragma once

#include "kernels/conv.h"

namespace wick::bench {

class XnnConv {
 public:
  // Weights [out][in / groups][kernel]; x and y dense, with 16 bytes of room behind them.
  XnnConv(const kernels::ConvShape& shape, const float* weight, const float* bias, float low, float high,
          const float* x, float* y);
  ~XnnConv();
  XnnConv(const XnnConv&) = delete;
  XnnConv& operator=(const XnnConv&) = delete;
  bool is_available() const { return operator_ != nullptr; }
  void run();

 private:
  void* operator_ = nullptr;
};

}  // namespace wick::bench
