// The resampling kernels. One- and two-dimensional images are volumes with leading extents of one.
#include <cstring>

#include "core/tensor_impl.h"
#include "ops/nn/common.h"
#include "ops/nn/resample_taps.h"
#include "ops/nn/upsample.h"
#include "ops/quantize/integers.h"
#include "ops/quantize/layers.h"

namespace wick::ops {

namespace {

struct Extents {
  int64_t d, h, w;
  int64_t volume() const { return d * h * w; }
};

Extents extents_of(IntSpan spatial) {
  Extents e{1, 1, spatial.back()};
  if (spatial.size() > 1) e.h = spatial[spatial.size() - 2];
  if (spatial.size() > 2) e.d = spatial[0];
  return e;
}

// Separable filter over planes. Rows already filtered along w are kept until they leave the window of the other
// axes, so that enlarging filters every input row once.
template <class T>
class PlaneResampler {
 public:
  PlaneResampler(const AxisTaps<T>& d, const AxisTaps<T>& h, const AxisTaps<T>& w)
      : d_(d),
        h_(h),
        w_(w),
        keys_(static_cast<size_t>(d.count * h.count)),
        rows_(static_cast<size_t>(d.count * h.count * w.out_size)) {}

  void run(const T* in, T* out) {
    std::fill(keys_.begin(), keys_.end(), -1);
    for (int64_t z = 0; z < d_.out_size; ++z) {
      for (int64_t y = 0; y < h_.out_size; ++y) combine(in, z, y, out + (z * h_.out_size + y) * w_.out_size);
    }
  }

 private:
  void combine(const T* in, int64_t z, int64_t y, T* out) {
    bool first = true;
    for (int64_t a = 0; a < d_.count; ++a) {
      const T wd = d_.weight[static_cast<size_t>(z * d_.count + a)];
      if (wd == T(0) && d_.in_size == 1 && a > 0) continue;
      const int64_t taps = h_.used_at(y);
      for (int64_t b = 0; b < taps; ++b) {
        const T weight = wd * h_.weight[static_cast<size_t>(y * h_.count + b)];
        if (weight == T(0) && h_.in_size == 1 && b > 0) continue;
        const T* row = filtered_row(in, d_.index[static_cast<size_t>(z * d_.count + a)],
                                    h_.index[static_cast<size_t>(y * h_.count + b)]);
        if (first) {
          for (int64_t x = 0; x < w_.out_size; ++x) out[x] = row[x] * weight;
        } else if (!h_.used.empty() && b >= first_fused(taps)) {
          for (int64_t x = 0; x < w_.out_size; ++x) out[x] = fused(row[x], weight, out[x]);
        } else {
          for (int64_t x = 0; x < w_.out_size; ++x) out[x] += row[x] * weight;
        }
        first = false;
      }
    }
  }

  const T* filtered_row(const T* in, int64_t z, int64_t y) {
    const size_t slot = static_cast<size_t>((z % d_.count) * h_.count + y % h_.count);
    T* row = rows_.data() + slot * static_cast<size_t>(w_.out_size);
    const int64_t key = z * h_.in_size + y;
    if (keys_[slot] == key) return row;
    keys_[slot] = key;
    const T* src = in + key * w_.in_size;
    const int64_t* index = w_.index.data();
    const T* weight = w_.weight.data();
    if (!w_.used.empty()) {
      for (int64_t x = 0; x < w_.out_size; ++x) {
        const int64_t* at = index + x * w_.count;
        const T* scale = weight + x * w_.count;
        const int64_t taps = w_.used[static_cast<size_t>(x)];
        T sum = src[at[0]] * scale[0];
        const int64_t fused_at = first_fused(taps);
        for (int64_t k = 1; k < fused_at; ++k) sum += src[at[k]] * scale[k];
        for (int64_t k = fused_at; k < taps; ++k) sum = fused(src[at[k]], scale[k], sum);
        row[x] = sum;
      }
      return row;
    }
    if (w_.count == 2) {
      for (int64_t x = 0; x < w_.out_size; ++x) {
        row[x] = src[index[2 * x]] * weight[2 * x] + src[index[2 * x + 1]] * weight[2 * x + 1];
      }
      return row;
    }
    for (int64_t x = 0; x < w_.out_size; ++x) {
      T sum = 0;
      for (int64_t k = 0; k < w_.count; ++k) sum += src[index[x * w_.count + k]] * weight[x * w_.count + k];
      row[x] = sum;
    }
    return row;
  }

  const AxisTaps<T>& d_;
  const AxisTaps<T>& h_;
  const AxisTaps<T>& w_;
  std::vector<int64_t> keys_;
  std::vector<T> rows_;
};

template <class T>
void resample_planes(const T* in, T* out, int64_t planes, const AxisTaps<T>& d, const AxisTaps<T>& h,
                     const AxisTaps<T>& w) {
  const int64_t in_plane = d.in_size * h.in_size * w.in_size;
  const int64_t out_plane = d.out_size * h.out_size * w.out_size;
  parallel_for(0, planes, grain_for(out_plane), [&](int64_t begin, int64_t end) {
    PlaneResampler<T> resampler(d, h, w);
    for (int64_t p = begin; p < end; ++p) resampler.run(in + p * in_plane, out + p * out_plane);
  });
}

// Channels-last: every tap is a run of channels.
template <class T>
void resample_pixels(const T* in, T* out, int64_t batch, int64_t channels, const AxisTaps<T>& d, const AxisTaps<T>& h,
                     const AxisTaps<T>& w) {
  const int64_t in_volume = d.in_size * h.in_size * w.in_size;
  const int64_t rows = d.out_size * h.out_size;
  parallel_for(0, batch * rows, grain_for(w.out_size * channels), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t z = i % rows / h.out_size;
      const int64_t y = i % h.out_size;
      const T* image = in + i / rows * in_volume * channels;
      for (int64_t x = 0; x < w.out_size; ++x) {
        T* pixel = out + (i * w.out_size + x) * channels;
        bool first = true;
        for (int64_t a = 0; a < d.count; ++a) {
          const T wd = d.weight[static_cast<size_t>(z * d.count + a)];
          if (wd == T(0) && d.in_size == 1 && a > 0) continue;
          const int64_t plane = d.index[static_cast<size_t>(z * d.count + a)] * h.in_size;
          for (int64_t b = 0; b < h.count; ++b) {
            const T wh = wd * h.weight[static_cast<size_t>(y * h.count + b)];
            const int64_t row = (plane + h.index[static_cast<size_t>(y * h.count + b)]) * w.in_size;
            for (int64_t c = 0; c < w.count; ++c) {
              const T weight = wh * w.weight[static_cast<size_t>(x * w.count + c)];
              const T* tap = image + (row + w.index[static_cast<size_t>(x * w.count + c)]) * channels;
              if (first) {
                for (int64_t k = 0; k < channels; ++k) pixel[k] = tap[k] * weight;
              } else {
                for (int64_t k = 0; k < channels; ++k) pixel[k] += tap[k] * weight;
              }
              first = false;
            }
          }
        }
      }
    }
  });
}

using Indices = std::array<std::vector<int64_t>, 3>;

void nearest_pixels(const Tensor& in, const Tensor& out, int64_t outer, int64_t run, const Extents& from,
                    const Extents& to, const Indices& index) {
  const size_t bytes = static_cast<size_t>(run) * in.itemsize();
  const char* src = static_cast<const char*>(in.raw_data());
  char* dst = static_cast<char*>(out.raw_data());
  const int64_t rows = to.d * to.h;
  auto source_row = [&](int64_t i) {
    const size_t z = static_cast<size_t>(i % rows / to.h);
    const size_t y = static_cast<size_t>(i % to.h);
    return (i / rows * from.d + index[0][z]) * from.h * from.w + index[1][y] * from.w;
  };
  const int64_t* columns = index[2].data();
  if (run > 1) {
    parallel_for(0, outer * rows, grain_for(to.w * run), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const char* row = src + static_cast<size_t>(source_row(i)) * bytes;
        char* to_row = dst + static_cast<size_t>(i * to.w) * bytes;
        for (int64_t x = 0; x < to.w; ++x) std::memcpy(to_row + x * bytes, row + columns[x] * bytes, bytes);
      }
    });
    return;
  }
  for_element_size(in.itemsize(), [&](auto element) {
    using T = decltype(element);
    parallel_for(0, outer * rows, grain_for(to.w), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T* row = reinterpret_cast<const T*>(src) + source_row(i);
        T* to_row = reinterpret_cast<T*>(dst) + i * to.w;
        for (int64_t x = 0; x < to.w; ++x) to_row[x] = row[columns[x]];
      }
    });
  });
}

void check_sizes(const Tensor& input, IntSpan size) {
  const int64_t spatial = static_cast<int64_t>(size.size());
  WICK_CHECK(input.dim() == spatial + 2, kShapeMismatch, "It is expected input_size equals to ", spatial + 2,
             ", but got size ", input.dim());
  bool positive = true;
  for (int64_t i = 0; i < spatial; ++i) positive &= size[static_cast<size_t>(i)] > 0 && input.size(i + 2) > 0;
  if (!positive) {
    static constexpr const char* kNames[] = {"D: ", "H: ", "W: "};
    std::string from, to;
    for (int64_t i = 0; i < spatial; ++i) {
      const char* name = kNames[3 - spatial + i];
      from += cat(i ? ", " : "", name, input.size(i + 2));
      to += cat(i ? ", " : "", name, size[static_cast<size_t>(i)]);
    }
    fail_with<ErrorCode::kShapeMismatch>("Input and output sizes should be greater than 0, but got input (", from,
                                         ") output (", to, ")");
  }
  WICK_CHECK(input.numel() != 0 || input.size(1) != 0, kShapeMismatch, "Non-empty ", spatial + 2,
             "D data tensor expected but got a tensor with sizes ", input.sizes());
}

// Interpolated integers are rounded to the nearest and saturated.
Tensor round_to(const Tensor& t, DType dtype) {
  if (is_floating(dtype)) return to_dtype(t, dtype);
  Tensor rounded = clone(t);
  float* p = rounded.data_ptr<float>();
  for (int64_t i = 0, count = rounded.numel(); i < count; ++i) p[i] = std::clamp(std::nearbyint(p[i]), 0.0f, 255.0f);
  return to_dtype(rounded, dtype);
}

Tensor resample_filtered(const Tensor& input, IntSpan size, const ResampleOptions& options, IntSpan shape,
                         MemoryFormat format) {
  const DType dtype = input.dtype();
  const char* op = options.method == Resampling::kLinear  ? "upsample_bilinear2d_channels_last"
                   : options.method == Resampling::kCubic ? "compute_indices_weights_cubic"
                                                          : "compute_indices_weights_aa";
  check_dtype(is_floating(dtype) || dtype == DType::kByte, op, dtype);
  const bool pixels = format != MemoryFormat::kContiguous && options.method == Resampling::kLinear;
  const Tensor x = contiguous(to_dtype(input, dtype == DType::kByte ? DType::kFloat : widened_dtype(dtype)),
                              pixels ? format : MemoryFormat::kContiguous);
  Tensor y = Tensor::empty(shape, x.dtype(), pixels ? format : MemoryFormat::kContiguous);
  if (y.numel() == 0) return contiguous(to_dtype(y, dtype), format);
  const Extents from = extents_of(input.sizes().subspan(2));
  const Extents to = extents_of(size);
  for_float(x.dtype(), op, dtype, [&](auto zero) {
    using T = decltype(zero);
    const size_t n = size.size();
    auto taps = [&](size_t from_end, int64_t in_size, int64_t out_size) {
      if (n <= from_end) return AxisTaps<T>{1, 1, 1, {0}, {T(1)}};
      return axis_taps<T>(options.method, in_size, out_size, options.align_corners, options.scales[n - 1 - from_end]);
    };
    const AxisTaps<T> d = taps(2, from.d, to.d), h = taps(1, from.h, to.h), w = taps(0, from.w, to.w);
    if (pixels) {
      resample_pixels(x.data_ptr<T>(), y.data_ptr<T>(), input.size(0), input.size(1), d, h, w);
    } else {
      resample_planes(x.data_ptr<T>(), y.data_ptr<T>(), input.size(0) * input.size(1), d, h, w);
    }
  });
  return contiguous(round_to(y, dtype), format);
}

}  // namespace

Tensor resample(const Tensor& input, IntSpan size, const ResampleOptions& options) {
  check_sizes(input, size);
  IntVec shape{input.size(0), input.size(1)};
  for (int64_t s : size) shape.push_back(s);
  MemoryFormat format = input.suggest_memory_format();
  if (options.method == Resampling::kCubic || options.method == Resampling::kCubicAntialias)
    format = MemoryFormat::kContiguous;
  const bool nearest = options.method == Resampling::kNearest || options.method == Resampling::kNearestExact;
  if (is_quantized(input)) {
    // Interpolating the integers is interpolating the real numbers: the parameters do not change.
    WICK_CHECK(input.quantizer().scheme == QScheme::kPerTensorAffine, kUnsupported,
               "upsampling needs a per-tensor quantized tensor");
    if (!nearest) {
      const Quantizer& q = check_per_tensor(input, "upsample_bilinear2d");
      const Tensor ints = ints_of(input);
      Tensor values = resample_filtered(to_dtype(ints, DType::kFloat), size, options, shape, format);
      const QuantRange range = quant_range(input.dtype());
      const auto round = [&]<class T>(T* p) {
        const auto zero = static_cast<T>(q.zero_point);
        const auto low = static_cast<T>(range.low), high = static_cast<T>(range.high);
        for (int64_t i = 0, count = values.numel(); i < count; ++i)
          p[i] = std::clamp(std::nearbyint(p[i] - zero) + zero, low, high);
      };
      if (input.dtype() == DType::kQInt32) {  // whose bounds no float holds
        values = to_dtype(values, DType::kDouble);
        round(values.data_ptr<double>());
      } else {
        round(values.data_ptr<float>());
      }
      return with_quantizer(to_dtype(values, ints.dtype()), input);
    }
    Tensor ints = input.alias();
    ints.impl()->quantizer = nullptr;
    ints.impl()->dtype = input.itemsize() == 1 ? DType::kByte : DType::kInt;
    Tensor out = resample(ints, size, options).alias();
    out.impl()->dtype = input.dtype();
    out.impl()->quantizer = input.impl()->quantizer;
    return out;
  }
  if (!nearest && input.dtype() == DType::kByte && size.size() == 2) {
    return contiguous(resample_bytes(input, size, options), input.suggest_memory_format());
  }
  if (!nearest) return resample_filtered(input, size, options, shape, format);

  const DType dtype = input.dtype();
  check_dtype(is_floating(dtype) || dtype == DType::kByte || dtype == DType::kInt, "compute_indices_weights_nearest",
              dtype);
  const Tensor x = contiguous(input, format);
  Tensor y = Tensor::empty(shape, dtype, format);
  if (y.numel() == 0) return y;
  const Extents from = extents_of(input.sizes().subspan(2));
  const Extents to = extents_of(size);
  const bool exact = options.method == Resampling::kNearestExact;
  auto index = [&](size_t from_end, int64_t in_size, int64_t out_size) {
    if (size.size() <= from_end) return std::vector<int64_t>{0};
    const Scale scale = options.scales[size.size() - 1 - from_end];
    return dtype == DType::kDouble ? nearest_indices<double>(in_size, out_size, exact, scale)
                                   : nearest_indices<float>(in_size, out_size, exact, scale);
  };
  const Indices indices{index(2, from.d, to.d), index(1, from.h, to.h), index(0, from.w, to.w)};
  const bool pixels = format != MemoryFormat::kContiguous;
  nearest_pixels(x, y, pixels ? input.size(0) : input.size(0) * input.size(1), pixels ? input.size(1) : 1, from, to,
                 indices);
  return y;
}

}  // namespace wick::ops
