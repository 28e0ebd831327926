// Max and average pooling over tables of windows.
#include "kernels/pool.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "kernels/bounds.h"
#include "kernels/half_rows.h"
#include "kernels/rows.h"

namespace wick::kernels {
namespace {

// dst = reduction of dst and src, element by element.
struct Max {
  template <class T>
  static T start() {
    return -std::numeric_limits<T>::infinity();
  }
  template <class T>
  static void rows(T* dst, const T* src, int64_t n) {
    max_into(dst, src, n);
  }
  template <class T>
  static void pixels(T* dst, const T* src, const WindowWalk& walk, int64_t n) {
    max_of_window(dst, src, walk, n);
  }
  template <class T>
  static T one(T a, T b) {
    return b > a || b != b ? b : a;
  }
};
struct Sum {
  template <class T>
  static T start() {
    return T(0);
  }
  template <class T>
  static void rows(T* dst, const T* src, int64_t n) {
    if constexpr (std::is_floating_point_v<T>) {
      add_into(dst, src, n);
    } else {
      for (int64_t i = 0; i < n; ++i) dst[i] = one(dst[i], src[i]);
    }
  }
  template <class T>
  static void pixels(T* dst, const T* src, const WindowWalk& walk, int64_t n) {
    if constexpr (std::is_floating_point_v<T>) {
      sum_of_window(dst, src, walk, n);
    } else {
      std::fill(dst, dst + n, T(0));
      for (int64_t i = 0; i < walk.count[0]; ++i)
        for (int64_t j = 0; j < walk.count[1]; ++j)
          for (int64_t k = 0; k < walk.count[2]; ++k)
            rows(dst, src + i * walk.step[0] + j * walk.step[1] + k * walk.step[2], n);
    }
  }
  template <class T>
  static T one(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    } else {
      return a + b;
    }
  }
};

int64_t divisor_of(int64_t fixed, const Window& d, const Window& h, const Window& w) {
  return fixed != 0 ? fixed : d.extent * h.extent * w.extent;
}
bool is_empty(const Window& d, const Window& h, const Window& w) {
  return d.count <= 0 || h.count <= 0 || w.count <= 0;
}

template <class T>
T quotient(T sum, T by) {
  if constexpr (std::is_integral_v<T>) {
    // The least integer has no negative.
    if (by == -1) return static_cast<T>(0 - static_cast<uint64_t>(sum));
  }
  return sum / by;
}

// A plane: rows of a window are reduced into one row by vectors, then the row by columns.
// finish(value, d, h, w) makes the result of a window.
template <class Op, class T, class Finish>
void reduce_plane(const Pool& pool, const T* x, T* y, T* row, Finish&& finish) {
  const PoolDim &dd = pool.dim[0], &dh = pool.dim[1], &dw = pool.dim[2];
  BoundedSteps steps;
  for (int64_t od = 0; od < dd.out; ++od) {
    for (int64_t oh = 0; oh < dh.out; ++oh) {
      const Window &d = dd.windows[od], &h = dh.windows[oh];
      std::fill(row, row + dw.in, Op::template start<T>());
      steps.count(d.count * h.count * dw.in);
      for (int64_t i = 0; i < d.count; ++i)
        for (int64_t j = 0; j < h.count; ++j)
          Op::rows(row, x + ((d.first + i * dd.step) * dh.in + h.first + j * dh.step) * dw.in, dw.in);
      for (int64_t ow = 0; ow < dw.out; ++ow) {
        const Window& w = dw.windows[ow];
        steps.count(w.count);
        T value = Op::template start<T>();
        for (int64_t k = 0; k < w.count; ++k) value = Op::one(value, row[w.first + k * dw.step]);
        *y++ = finish(value, d, h, w);
      }
    }
  }
}

// One row of output pixels with channels last: each(y, x, walk, d, h, w) makes one of them of a window.
template <class T, class To, class Each>
void walk_pixels(const Pool& pool, const T* x, To* y, int64_t od, int64_t oh, Each&& each) {
  const PoolDim &dd = pool.dim[0], &dh = pool.dim[1], &dw = pool.dim[2];
  const Window &d = dd.windows[od], &h = dh.windows[oh];
  const int64_t step = pool.x_pixel(), row = dw.in * step;
  BoundedSteps steps;
  for (int64_t ow = 0; ow < dw.out; ++ow, y += pool.y_pixel()) {
    const Window& w = dw.windows[ow];
    steps.count(d.count * h.count * w.count * step);
    const WindowWalk walk{{d.count, h.count, w.count}, {dd.step * dh.in * row, dh.step * row, dw.step * step}};
    const int64_t first = (d.first * dh.in + h.first) * row + w.first * step;
    each(y, x + (is_empty(d, h, w) ? 0 : first), walk, d, h, w);
  }
}
template <class T, class To, class Each>
void reduce_pixels(const Pool& pool, const T* x, To* y, const Workers& workers, Each&& each) {
  const int64_t rows = pool.dim[0].out * pool.dim[1].out;
  workers.each(pool.batch * rows, [&](int64_t first, int64_t last) {
    for (int64_t t = first; t < last; ++t) {
      const T* image = x + t / rows * pool.in_pixels() * pool.x_pixel();
      walk_pixels(pool, image, y + t * pool.dim[2].out * pool.y_pixel(), t % rows / pool.dim[1].out,
                  t % rows % pool.dim[1].out, each);
    }
  });
}

// finish_pixel(pixel, d, h, w) completes a pixel's channels.
template <class Op, class T, class FinishValue, class FinishPixel>
void reduce(const Pool& pool, const T* x, T* y, const Workers& workers, FinishValue&& finish_value,
            FinishPixel&& finish_pixel) {
  if (pool.channels_last) {
    return reduce_pixels(
        pool, x, y, workers,
        [&](T* pixel, const T* from, const WindowWalk& walk, const Window& d, const Window& h, const Window& w) {
          Op::pixels(pixel, from, walk, pool.channels);
          finish_pixel(pixel, d, h, w);
        });
  }
  workers.each(pool.batch * pool.channels, [&](int64_t first, int64_t last) {
    const Scratch<T> row(static_cast<size_t>(pool.dim[2].in));
    for (int64_t p = first; p < last; ++p)
      reduce_plane<Op>(pool, x + p * pool.in_pixels(), y + p * pool.out_pixels(), row.data(), finish_value);
  });
}

// The winner and its position for every window of a plane.
template <class T>
void max_with_indices(const Pool& pool, const T* x, T* y, int64_t* indices) {
  const PoolDim &dd = pool.dim[0], &dh = pool.dim[1], &dw = pool.dim[2];
  int64_t at = 0;
  BoundedSteps steps;
  for (int64_t od = 0; od < dd.out; ++od)
    for (int64_t oh = 0; oh < dh.out; ++oh)
      for (int64_t ow = 0; ow < dw.out; ++ow, ++at) {
        const Window &d = dd.windows[od], &h = dh.windows[oh], &w = dw.windows[ow];
        steps.count(d.count * h.count * w.count);
        T best = std::is_integral_v<T> ? std::numeric_limits<T>::lowest() : -std::numeric_limits<T>::infinity();
        int64_t where = (d.first * dh.in + h.first) * dw.in + w.first;
        for (int64_t i = 0; i < d.count; ++i)
          for (int64_t j = 0; j < h.count; ++j)
            for (int64_t k = 0; k < w.count; ++k) {
              const int64_t pixel =
                  ((d.first + i * dd.step) * dh.in + h.first + j * dh.step) * dw.in + w.first + k * dw.step;
              const T value = x[pixel];
              if (value > best || value != value) {
                best = value;
                where = pixel;
              }
            }
        y[at] = best;
        indices[at] = where;
      }
}

// The same for one row of output pixels with channels last: all channels of a pixel side by side. Positions are
// gathered in `where`: of the width of a float they are chosen by vectors.
template <class Where, class T>
void max_pixels_with_indices(const Pool& pool, const T* x, T* y, int64_t* indices, Where* where, int64_t od,
                             int64_t oh) {
  const PoolDim &dd = pool.dim[0], &dh = pool.dim[1], &dw = pool.dim[2];
  const Window &d = dd.windows[od], &h = dh.windows[oh];
  const int64_t channels = pool.channels;
  BoundedSteps steps;
  for (int64_t ow = 0; ow < dw.out; ++ow, y += channels, indices += channels) {
    const Window& w = dw.windows[ow];
    steps.count(d.count * h.count * w.count * channels);
    const T lowest = std::is_integral_v<T> ? std::numeric_limits<T>::lowest() : -std::numeric_limits<T>::infinity();
    std::fill(y, y + channels, lowest);
    std::fill(where, where + channels, static_cast<Where>((d.first * dh.in + h.first) * dw.in + w.first));
    for (int64_t i = 0; i < d.count; ++i)
      for (int64_t j = 0; j < h.count; ++j)
        for (int64_t k = 0; k < w.count; ++k) {
          const int64_t pixel =
              ((d.first + i * dd.step) * dh.in + h.first + j * dh.step) * dw.in + w.first + k * dw.step;
          const T* from = x + pixel * channels;
          const auto number = static_cast<Where>(pixel);
          for (int64_t c = 0; c < channels; ++c) {
            const T value = from[c], best = y[c];
            const bool takes = (value > best) | (value != value);
            y[c] = takes ? value : best;
            where[c] = takes ? number : where[c];
          }
        }
    std::copy(where, where + channels, indices);
  }
}

template <class Where, class T>
void max_pixels(const Pool& pool, const T* x, T* y, int64_t* indices, const Workers& workers) {
  const int64_t rows = pool.dim[0].out * pool.dim[1].out, row = pool.dim[2].out * pool.channels;
  workers.each(pool.batch * rows, [&](int64_t first, int64_t last) {
    const Scratch<Where> where(static_cast<size_t>(pool.channels));
    for (int64_t t = first; t < last; ++t) {
      const T* image = x + t / rows * pool.in_pixels() * pool.channels;
      max_pixels_with_indices(pool, image, y + t * row, indices + t * row, where.data(), t % rows / pool.dim[1].out,
                              t % rows % pool.dim[1].out);
    }
  });
}

template <class T>
void max_planes(const Pool& pool, const T* x, T* y, int64_t* indices, const Workers& workers) {
  if (pool.channels_last) {
    return pool.in_pixels() <= INT32_MAX ? max_pixels<int32_t>(pool, x, y, indices, workers)
                                         : max_pixels<int64_t>(pool, x, y, indices, workers);
  }
  workers.each(pool.batch * pool.channels, [&](int64_t first, int64_t last) {
    for (int64_t p = first; p < last; ++p) {
      max_with_indices(pool, x + p * pool.in_pixels(), y + p * pool.out_pixels(), indices + p * pool.out_pixels());
    }
  });
}

}  // namespace

template <class T>
void max_pool(const Pool& pool, const T* x, T* y, int64_t* indices, const Workers& workers) {
  if (indices == nullptr) {
    return reduce<Max>(
        pool, x, y, workers, [](T v, const Window&, const Window&, const Window&) { return v; },
        [](T*, const Window&, const Window&, const Window&) {});
  }
  max_planes(pool, x, y, indices, workers);
}

template <class T>
void avg_pool(const Pool& pool, const T* x, T* y, int64_t divisor, const Workers& workers) {
  reduce<Sum>(
      pool, x, y, workers,
      [divisor](T sum, const Window& d, const Window& h, const Window& w) {
        return is_empty(d, h, w) ? T(0) : quotient(sum, static_cast<T>(divisor_of(divisor, d, h, w)));
      },
      [divisor, n = pool.channels](T* pixel, const Window& d, const Window& h, const Window& w) {
        if (is_empty(d, h, w)) return std::fill(pixel, pixel + n, T(0));
        const T by = static_cast<T>(divisor_of(divisor, d, h, w));
        if constexpr (std::is_floating_point_v<T>) {
          divide_by(pixel, by, n);
        } else {
          for (int64_t c = 0; c < n; ++c) pixel[c] = quotient(pixel[c], by);
        }
      });
}

template void max_pool<float>(const Pool&, const float*, float*, int64_t*, const Workers&);
template void max_pool<double>(const Pool&, const double*, double*, int64_t*, const Workers&);
template <>
void max_pool<int64_t>(const Pool& pool, const int64_t* x, int64_t* y, int64_t* indices, const Workers& workers) {
  max_planes(pool, x, y, indices, workers);
}
template void avg_pool<float>(const Pool&, const float*, float*, int64_t, const Workers&);
template void avg_pool<double>(const Pool&, const double*, double*, int64_t, const Workers&);
template void avg_pool<int64_t>(const Pool&, const int64_t*, int64_t*, int64_t, const Workers&);

#ifdef WICK_HALF_KERNELS
void max_pool_half(const Pool& pool, const Half* x, Half* y, const Workers& workers) {
  reduce_pixels(pool, x, y, workers,
                [&](Half* pixel, const Half* from, const WindowWalk& walk, const Window&, const Window&,
                    const Window&) { max_of_window(pixel, from, walk, pool.channels); });
}

template <class To>
void avg_pool_half(const Pool& pool, const Half* x, To* y, int64_t divisor, const Workers& workers) {
  reduce_pixels(
      pool, x, y, workers,
      [&](To* pixel, const Half* from, const WindowWalk& walk, const Window& d, const Window& h, const Window& w) {
        if (is_empty(d, h, w)) return std::fill(pixel, pixel + pool.channels, To(0));
        const auto by = static_cast<float>(divisor_of(divisor, d, h, w));
        mean_of_window(pixel, from, walk, by, pool.channels);
      });
}
template void avg_pool_half<float>(const Pool&, const Half*, float*, int64_t, const Workers&);
template void avg_pool_half<Half>(const Pool&, const Half*, Half*, int64_t, const Workers&);
#endif

}  // namespace wick::kernels
