// grid_sampler and affine grids.
#include <cmath>
#include <limits>

#include "ops/nn/common.h"
#include "ops/nn/vision.h"
#include "ops/quantize/layers.h"

namespace wick::ops {

namespace {

enum Interpolation : int64_t { kBilinear = 0, kNearest = 1, kBicubic = 2 };
enum Padding : int64_t { kZeros = 0, kBorder = 1, kReflection = 2 };

struct Sampling {
  int64_t interpolation, padding;
  bool align_corners;
};

// Positions that are no usable number are far outside.
template <class T>
int64_t to_index(T x) {
  return x > T(-1e9) && x < T(1e9) ? static_cast<int64_t>(x) : -100;
}

template <class T>
T unnormalized(T x, int64_t size, bool align_corners) {
  return align_corners ? (x + 1) / 2 * static_cast<T>(size - 1) : ((x + 1) * static_cast<T>(size) - 1) / 2;
}

template <class T>
T reflected(T x, T twice_low, T twice_high) {
  if (twice_low == twice_high) return T(0);
  const T low = twice_low / 2;
  const T span = (twice_high - twice_low) / 2;
  x = std::abs(x - low);
  const T extra = std::fmod(x, span);
  const T flips = std::floor(x / span);
  return std::fmod(flips, T(2)) == T(0) ? extra + low : span - extra + low;
}

template <class T>
T padded(T x, int64_t size, const Sampling& s) {
  const T top = static_cast<T>(size - 1);
  if (s.padding == kReflection) {
    x = s.align_corners ? reflected(x, T(0), 2 * top) : reflected(x, T(-1), 2 * static_cast<T>(size) - 1);
  }
  if (s.padding != kZeros) x = std::min(top, std::max(T(0), x));  // NaN becomes 0
  return x;
}

template <class T>
T source_coordinate(T x, int64_t size, const Sampling& s) {
  return padded(unnormalized(x, size, s.align_corners), size, s);
}

// Up to sixteen taps of one output point: offsets into a channel plane and weights.
template <class T>
struct Taps {
  int count = 0;
  int64_t offset[16];
  T weight[16];
  void add(int64_t at, T w) {
    offset[count] = at;
    weight[count++] = w;
  }
  T of(const T* image) const {
    if (count == 4) {
      return image[offset[0]] * weight[0] + image[offset[1]] * weight[1] + image[offset[2]] * weight[2] +
             image[offset[3]] * weight[3];
    }
    T sum = 0;
    for (int k = 0; k < count; ++k) sum += image[offset[k]] * weight[k];
    return sum;
  }
};

struct Plane {
  int64_t d, h, w;
  bool inside(int64_t z, int64_t y, int64_t x) const { return z >= 0 && z < d && y >= 0 && y < h && x >= 0 && x < w; }
  int64_t at(int64_t z, int64_t y, int64_t x) const { return (z * h + y) * w + x; }
};

template <class T>
void linear_point(const T* g, bool volume, const Plane& p, const Sampling& s, Taps<T>& taps) {
  const T fx = source_coordinate(g[0], p.w, s);
  const T fy = source_coordinate(g[1], p.h, s);
  const T fz = volume ? source_coordinate(g[2], p.d, s) : T(0);
  if (s.interpolation == kNearest) {
    const int64_t x = to_index(std::nearbyint(fx)), y = to_index(std::nearbyint(fy)), z = to_index(std::nearbyint(fz));
    if (p.inside(z, y, x)) taps.add(p.at(z, y, x), T(1));
    return;
  }
  const int64_t x = to_index(std::floor(fx)), y = to_index(std::floor(fy)), z = to_index(std::floor(fz));
  const T ax = fx - std::floor(fx), ay = fy - std::floor(fy), az = fz - std::floor(fz);
  if (!volume && !std::isfinite(ax + ay)) {
    taps.add(0, std::numeric_limits<T>::quiet_NaN());
    return;
  }
  for (int c = 0; c < (volume ? 2 : 1); ++c) {
    for (int b = 0; b < 2; ++b) {
      for (int a = 0; a < 2; ++a) {
        if (!p.inside(z + c, y + b, x + a)) continue;
        T weight = (a ? ax : 1 - ax) * (b ? ay : 1 - ay);
        if (volume) weight *= c ? az : 1 - az;
        taps.add(p.at(z + c, y + b, x + a), weight);
      }
    }
  }
}

template <class T>
void cubic_weights(T t, T (&w)[4]) {
  constexpr T a = T(-0.75);
  auto near = [](T x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
  auto far = [](T x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
  w[0] = far(t + 1);
  w[1] = near(t);
  w[2] = near(1 - t);
  w[3] = far(2 - t);
}

template <class T>
void cubic_point(const T* g, const Plane& p, const Sampling& s, Taps<T>& taps) {
  const T fx = unnormalized(g[0], p.w, s.align_corners);
  const T fy = unnormalized(g[1], p.h, s.align_corners);
  const T bx = std::floor(fx), by = std::floor(fy);
  T wx[4], wy[4];
  cubic_weights(fx - bx, wx);
  cubic_weights(fy - by, wy);
  if (!std::isfinite(fx - bx + (fy - by))) {
    taps.add(0, std::numeric_limits<T>::quiet_NaN());
    return;
  }
  for (int b = 0; b < 4; ++b) {
    for (int a = 0; a < 4; ++a) {
      const int64_t x = to_index(padded(bx - 1 + static_cast<T>(a), p.w, s));
      const int64_t y = to_index(padded(by - 1 + static_cast<T>(b), p.h, s));
      if (p.inside(0, y, x)) taps.add(p.at(0, y, x), wx[a] * wy[b]);
    }
  }
}

template <class T>
void sample(const T* in, const T* grid, T* out, int64_t batch, int64_t channels, const Plane& p, int64_t points,
            bool volume, const Sampling& s) {
  // Points whose taps are found before the channels are walked: what is written is contiguous.
  constexpr int64_t kTogether = 32;
  const int64_t plane = p.d * p.h * p.w;
  const int64_t coordinates = volume ? 3 : 2;
  parallel_for(0, batch * points, grain_for(channels * 4), [&](int64_t begin, int64_t end) {
    std::vector<Taps<T>> taps(static_cast<size_t>(std::min(kTogether, end - begin)));
    for (int64_t i = begin, n = 0; i < end; i += n) {
      n = std::min({kTogether, end - i, points - i % points});
      for (int64_t k = 0; k < n; ++k) {
        Taps<T>& t = taps[static_cast<size_t>(k)];
        t.count = 0;
        const T* g = grid + (i + k) * coordinates;
        if (s.interpolation == kBicubic) {
          cubic_point(g, p, s, t);
        } else {
          linear_point(g, volume, p, s, t);
        }
      }
      const T* image = in + i / points * channels * plane;
      T* to = out + i / points * channels * points + i % points;
      for (int64_t c = 0; c < channels; ++c, image += plane, to += points) {
        for (int64_t k = 0; k < n; ++k) to[k] = taps[static_cast<size_t>(k)].of(image);
      }
    }
  });
}

}  // namespace

Tensor grid_sampler(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                    bool align_corners) {
  if (input.is_quantized()) {
    const Quantizer& q = check_8bit(input, "grid_sampler_2d_cpu");
    const Tensor y = grid_sampler(dequantize(input), grid, interpolation_mode, padding_mode, align_corners);
    return quantize_per_tensor(y, q.scale, q.zero_point, input.dtype());
  }
  const int64_t rank = input.dim();
  WICK_CHECK(input.dim() > 0 && grid.dim() > 0 && input.size(0) == grid.size(0), kShapeMismatch,
             "grid_sampler(): expected grid and input to have same batch size, but got input with sizes ",
             input.sizes(), " and grid with sizes ", grid.sizes());
  WICK_CHECK(grid.size(-1) == rank - 2, kShapeMismatch, "grid_sampler(): expected grid to have size ", rank - 2,
             " in last dimension, but got grid with sizes ", grid.sizes());
  for (int64_t d = 2; d < rank; ++d) {
    WICK_CHECK(input.size(d) > 0, kShapeMismatch,
               "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes ",
               input.sizes(), " with dimension ", d, " being empty");
  }
  WICK_CHECK(
      (rank == 4 || rank == 5) && rank == grid.dim(), kShapeMismatch,
      "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes ",
      input.sizes(), " and grid with sizes ", grid.sizes());
  WICK_CHECK(rank == 4 || interpolation_mode != kBicubic, kUnsupported,
             "grid_sampler(): bicubic interpolation only supports 4D input");
  WICK_CHECK(input.dtype() == grid.dtype(), kTypeMismatch, "expected scalar type ", name_of(input.dtype()),
             " but found ", name_of(grid.dtype()));
  check_dtype(is_floating(input.dtype()), "grid_sampler", input.dtype());
  const bool volume = rank == 5;
  IntVec shape(grid.sizes());
  shape.pop_back();
  shape.insert(1, input.size(1));
  const Tensor x = contiguous(widened(input));
  const Tensor g = contiguous(widened(grid));
  Tensor y = Tensor::empty(shape, x.dtype());
  const Plane plane{volume ? input.size(2) : 1, input.size(-2), input.size(-1)};
  const int64_t points = product(shape, 2, shape.size());
  if (y.numel() > 0) {
    for_float(x.dtype(), "grid_sampler", input.dtype(), [&](auto zero) {
      using T = decltype(zero);
      sample(x.data_ptr<T>(), g.data_ptr<T>(), y.data_ptr<T>(), input.size(0), input.size(1), plane, points, volume,
             Sampling{interpolation_mode, padding_mode, align_corners});
    });
  }
  return to_dtype(y, input.dtype());
}

namespace {

// n values from -1 to 1; the pixel centers instead of the corners when corners are not aligned.
template <class T>
std::vector<T> normalized_axis(int64_t n, bool align_corners) {
  std::vector<T> v(static_cast<size_t>(n), T(0));
  if (n <= 1) return v;
  const T step = T(2) / static_cast<T>(n - 1);
  for (int64_t i = 0; i < n; ++i) {
    T x = i < n / 2 ? T(-1) + step * static_cast<T>(i) : T(1) - step * static_cast<T>(n - i - 1);
    if (!align_corners) x = x * static_cast<T>(n - 1) / static_cast<T>(n);
    v[static_cast<size_t>(i)] = x;
  }
  return v;
}

}  // namespace

Tensor affine_grid_generator(const Tensor& theta, IntSpan size, bool align_corners) {
  WICK_CHECK(size.size() == 4 || size.size() == 5, kInvalidArgument,
             "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.");
  check_dtype(is_floating(theta.dtype()), "affine_grid_generator", theta.dtype());
  const int64_t spatial = static_cast<int64_t>(size.size()) - 2;
  WICK_CHECK(theta.dim() == 3 && theta.size(0) == size[0] && theta.size(1) == spatial && theta.size(2) == spatial + 1,
             kShapeMismatch, "Expected a batch of affine matrices of shape ", size[0], "x", spatial, "x", spatial + 1,
             " for size ", size, ". Got ", theta.sizes(), ".");
  IntVec shape{size[0]};
  for (size_t i = 2; i < size.size(); ++i) shape.push_back(size[i]);
  shape.push_back(spatial);
  const Tensor t = contiguous(widened(theta));
  Tensor out = Tensor::empty(shape, t.dtype());
  for_float(t.dtype(), "affine_grid_generator", theta.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const int64_t depth = spatial == 3 ? size[2] : 1;
    const int64_t height = size[size.size() - 2], width = size.back();
    const std::vector<T> zs = spatial == 3 ? normalized_axis<T>(depth, align_corners) : std::vector<T>{T(0)};
    const std::vector<T> ys = normalized_axis<T>(height, align_corners);
    const std::vector<T> xs = normalized_axis<T>(width, align_corners);
    T* to = out.data_ptr<T>();
    for (int64_t n = 0; n < size[0]; ++n) {
      const T* m = t.data_ptr<T>() + n * spatial * (spatial + 1);
      for (T z : zs) {
        for (T y : ys) {
          for (T x : xs) {
            for (int64_t r = 0; r < spatial; ++r) {
              const T* row = m + r * (spatial + 1);
              *to++ = spatial == 3 ? x * row[0] + y * row[1] + z * row[2] + row[3] : x * row[0] + y * row[1] + row[2];
            }
          }
        }
      }
    }
  });
  return to_dtype(out, theta.dtype());
}

}  // namespace wick::ops
