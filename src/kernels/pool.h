// Pooling: each output element reduces a window of the input. Every kind of pooling (strided, dilated, adaptive,
// fractional) is a table of windows per spatial dimension.
#pragma once

#include "kernels/half.h"
#include "kernels/workers.h"

namespace wick::kernels {

struct Window {
  int64_t first = 0;   // first input position inside the image
  int64_t count = 0;   // positions inside the image, `step` apart
  int64_t extent = 0;  // positions the average divides by
};

struct PoolDim {
  const Window* windows = nullptr;  // one per output position
  int64_t out = 1, in = 1;
  int64_t step = 1;
};

// Three spatial dimensions; unused ones come first with extent 1 (see kWholeDim).
struct Pool {
  int64_t batch = 1, channels = 1;
  PoolDim dim[3];
  bool channels_last = false;  // [batch][in][channels] instead of [batch][channels][in]
  // Elements from pixel to pixel when channels are last and there is more than they (0: the channels). Not with
  // indices.
  int64_t in_pixel = 0, out_pixel = 0;

  int64_t x_pixel() const { return in_pixel > 0 ? in_pixel : channels; }
  int64_t y_pixel() const { return out_pixel > 0 ? out_pixel : channels; }
  int64_t in_pixels() const { return dim[0].in * dim[1].in * dim[2].in; }
  int64_t out_pixels() const { return dim[0].out * dim[1].out * dim[2].out; }
};

inline constexpr Window kSingle{0, 1, 1};
inline constexpr PoolDim kWholeDim{&kSingle, 1, 1, 1};

// T: float, double. The last NaN of a window wins, else the first of the greatest; an empty window gives -infinity.
// indices (may be null): position of the winner within its plane, in the layout of y.
template <class T>
void max_pool(const Pool& pool, const T* x, T* y, int64_t* indices, const Workers& workers);

// T: float, double, int64. divisor 0: the extents of the window. An empty window gives 0.
template <class T>
void avg_pool(const Pool& pool, const T* x, T* y, int64_t divisor, const Workers& workers);

// The same of float16 with channels last, without indices, where it is in the build; means are of sums of floats.
// To: float or Half.
void max_pool_half(const Pool& pool, const Half* x, Half* y, const Workers& workers);
template <class To>
void avg_pool_half(const Pool& pool, const Half* x, To* y, int64_t divisor, const Workers& workers);

}  // namespace wick::kernels
