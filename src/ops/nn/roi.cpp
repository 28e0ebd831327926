// Detection operators of torchvision: non-maximum suppression and region pooling.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include "core/budget.h"
#include "core/limits.h"
#include "core/shapes_only.h"
#include "kernels/boxes.h"
#include "kernels/layout.h"
#include "kernels/resize.h"
#include "ops/nn/common.h"
#include "ops/nn/vision.h"
#include "ops/shape/creation.h"
#include "ops/stoppable.h"
#include "ops/workers.h"

namespace wick::ops {

namespace {

// Indices of the boxes, the best first. NaN ranks first, as in PyTorch's descending sort.
template <class T>
std::vector<int64_t> by_score(const T* s, int64_t n) {
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  compare_stoppably([s](int64_t i, int64_t j) { return s[i] > s[j] || (std::isnan(s[i]) && !std::isnan(s[j])); },
                    [&](auto before) { std::stable_sort(order.begin(), order.end(), before); });
  return order;
}

template <class T>
void keep_any(const T* b, const std::vector<int64_t>& order, double iou_threshold, std::vector<int64_t>& keep) {
  const size_t n = order.size();
  std::vector<T> area(n);
  for (size_t i = 0; i < n; ++i) area[i] = (b[4 * i + 2] - b[4 * i]) * (b[4 * i + 3] - b[4 * i + 1]);
  std::vector<bool> suppressed(n);
  for (size_t p = 0; p < n; ++p) {
    const size_t i = static_cast<size_t>(order[p]);
    if (suppressed[i]) continue;
    check_budget();
    keep.push_back(order[p]);
    for (size_t q = p + 1; q < n; ++q) {
      const size_t j = static_cast<size_t>(order[q]);
      if (suppressed[j]) continue;
      const T w = std::max(T(0), std::min(b[4 * i + 2], b[4 * j + 2]) - std::max(b[4 * i], b[4 * j]));
      const T h = std::max(T(0), std::min(b[4 * i + 3], b[4 * j + 3]) - std::max(b[4 * i + 1], b[4 * j + 1]));
      const T shared = w * h;
      if (static_cast<double>(shared / (area[i] + area[j] - shared)) > iou_threshold) suppressed[j] = true;
    }
  }
}

// The same for finite floats, a vector of boxes at a time.
void keep_finite(const float* b, const std::vector<int64_t>& order, double iou_threshold, std::vector<int64_t>& keep) {
  const size_t n = order.size();
  std::vector<float> parts(5 * n);
  float* const part[5] = {&parts[0], &parts[0] + n, &parts[0] + 2 * n, &parts[0] + 3 * n, &parts[0] + 4 * n};
  for (size_t p = 0; p < n; ++p) {
    const float* const box = b + 4 * order[p];
    for (size_t k = 0; k < 4; ++k) part[k][p] = box[k];
    part[4][p] = (box[2] - box[0]) * (box[3] - box[1]);
  }
  const kernels::Boxes boxes{part[0], part[1], part[2], part[3], part[4]};
  // A float is more than the threshold where it is more than the greatest float that is not.
  auto threshold = static_cast<float>(iou_threshold);
  if (static_cast<double>(threshold) > iou_threshold) {
    threshold = std::nextafter(threshold, -std::numeric_limits<float>::infinity());
  }
  std::vector<int32_t> gone(n);
  for (size_t p = 0; p < n; ++p) {
    if (gone[p] != 0) continue;
    check_budget();
    keep.push_back(order[p]);
    kernels::mark_overlapping(boxes, static_cast<int64_t>(p), static_cast<int64_t>(p) + 1, static_cast<int64_t>(n),
                              threshold, gone.data());
  }
}

}  // namespace

Tensor nms(const Tensor& dets, const Tensor& scores, double iou_threshold) {
  WICK_CHECK(dets.dim() == 2, kShapeMismatch, "boxes should be a 2d tensor, got ", dets.dim(), "D");
  WICK_CHECK(dets.size(1) == 4, kShapeMismatch, "boxes should have 4 elements in dimension 1, got ", dets.size(1));
  WICK_CHECK(scores.dim() == 1, kShapeMismatch, "scores should be a 1d tensor, got ", scores.dim(), "D");
  WICK_CHECK(dets.size(0) == scores.size(0), kShapeMismatch,
             "boxes and scores should have same number of elements in dimension 0, got ", dets.size(0), " and ",
             scores.size(0));
  WICK_CHECK(dets.dtype() == scores.dtype(), kTypeMismatch, "dets should have the same type as scores");
  check_dtype(is_floating(dets.dtype()), "nms_kernel", dets.dtype());
  const Tensor boxes = contiguous(widened(dets));
  const Tensor rank = contiguous(widened(scores));
  std::vector<int64_t> keep;
  for_float(boxes.dtype(), "nms_kernel", dets.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* const b = boxes.data_ptr<T>();
    const std::vector<int64_t> order = by_score(rank.data_ptr<T>(), boxes.size(0));
    if constexpr (std::is_same_v<T, float>) {
      if (std::all_of(b, b + boxes.numel(), [](float x) { return std::isfinite(x); })) {
        return keep_finite(b, order, iou_threshold, keep);
      }
    }
    keep_any(b, order, iou_threshold, keep);
  });
  return Tensor::from_values<int64_t>(keep);
}

namespace {

struct Pooling {
  int64_t rois, channels, height, width, pooled_h, pooled_w;
  int64_t bins() const { return pooled_h * pooled_w; }
};

struct Prepared {
  Tensor input, rois;
  Pooling p;
};

Prepared prepare(const Tensor& input, const Tensor& rois, int64_t pooled_h, int64_t pooled_w, const char* op,
                 bool as_planes = true) {
  WICK_CHECK(input.dim() == 4, kShapeMismatch, op, ": expected a 4D input, got ", input.dim(), "D");
  WICK_CHECK(rois.dim() == 2 && rois.size(1) == 5, kShapeMismatch, "rois must have shape as Tensor[K, 5]");
  WICK_CHECK(input.dtype() == rois.dtype(), kTypeMismatch,
             "Expected tensor for argument #1 'input' to have the same type as tensor for argument #2 'rois'; but type "
             "torch.",
             name_of(input.dtype()), "Tensor does not equal torch.", name_of(rois.dtype()),
             "Tensor (while checking arguments for ", op, "_forward_kernel)");
  WICK_CHECK(pooled_h > 0 && pooled_w > 0, kInvalidArgument, op, ": the pooled size must be positive");
  WICK_CHECK(std::max(pooled_h, pooled_w) <= limits::kMaxImageExtent, kLimitExceeded, op, ": a pooled size of ",
             pooled_h, " x ", pooled_w, " is too large");
  check_dtype(is_floating(input.dtype()), op, input.dtype());
  Prepared r{as_planes ? contiguous(widened(input)) : widened(input), contiguous(widened(rois)), {}};
  r.p = {rois.size(0), input.size(1), input.size(2), input.size(3), pooled_h, pooled_w};
  return r;
}

// Results of operators whose every bin reads a channel of its own.
struct PositionSensitive {
  Tensor out, mapping;  // `mapping`: the channel each was read from

  PositionSensitive(const Pooling& p, DType dtype) {
    WICK_CHECK(p.channels % p.bins() == 0, kShapeMismatch,
               "input channels must be a multiple of pooling height * pooling width");
    out = Tensor::zeros({p.rois, p.channels / p.bins(), p.pooled_h, p.pooled_w}, dtype);
    mapping = Tensor::zeros(out.sizes(), DType::kInt);
  }
};

// The image a region belongs to.
template <class T>
int64_t image_of(T value, int64_t batch) {
  WICK_CHECK(value > T(-1) && value < static_cast<T>(batch) && batch > 0, kIndexOutOfRange, "roi batch index ",
             static_cast<double>(value), " is out of range for a batch of ", batch);
  return static_cast<int64_t>(value);
}

// Float to integer without undefined results for NaN and huge values.
template <class T>
int64_t bounded(T x) {
  return x > T(-1e9) ? x < T(1e9) ? static_cast<int64_t>(x) : int64_t{1000000000} : int64_t{-1000000000};
}

template <class T>
struct Corner {
  int64_t offset[4];
  T weight[4];  // all zero outside the image
};

template <class T>
Corner<T> corner_at(T y, T x, int64_t height, int64_t width) {
  Corner<T> c{};
  if (!(y >= T(-1) && y <= static_cast<T>(height) && x >= T(-1) && x <= static_cast<T>(width))) return c;
  y = std::max(y, T(0));
  x = std::max(x, T(0));
  int64_t y0 = static_cast<int64_t>(y), x0 = static_cast<int64_t>(x), y1 = y0 + 1, x1 = x0 + 1;
  if (y0 >= height - 1) {
    y0 = y1 = height - 1;
    y = static_cast<T>(y0);
  }
  if (x0 >= width - 1) {
    x0 = x1 = width - 1;
    x = static_cast<T>(x0);
  }
  const T ly = y - static_cast<T>(y0), lx = x - static_cast<T>(x0), hy = 1 - ly, hx = 1 - lx;
  c = {{y0 * width + x0, y0 * width + x1, y1 * width + x0, y1 * width + x1}, {hy * hx, hy * lx, ly * hx, ly * lx}};
  return c;
}

template <class T>
T interpolate_at(const T* plane, const Corner<T>& c) {
  return c.weight[0] * plane[c.offset[0]] + c.weight[1] * plane[c.offset[1]] + c.weight[2] * plane[c.offset[2]] +
         c.weight[3] * plane[c.offset[3]];
}

// A region in input coordinates, cut into bins with a grid of sampling points each.
template <class T>
struct Region {
  T y, x, bin_h, bin_w;
  int64_t grid_h, grid_w;

  Region(const T* roi, T scale, T shift, bool at_least_one, const Pooling& p, int64_t ratio) {
    x = roi[1] * scale - shift;
    y = roi[2] * scale - shift;
    T w = roi[3] * scale - shift - x;
    T h = roi[4] * scale - shift - y;
    if (at_least_one) {
      w = std::max(w, T(1));
      h = std::max(h, T(1));
    }
    bin_h = h / static_cast<T>(p.pooled_h);
    bin_w = w / static_cast<T>(p.pooled_w);
    grid_h = ratio > 0 ? ratio : bounded(std::ceil(h / static_cast<T>(p.pooled_h)));
    grid_w = ratio > 0 ? ratio : bounded(std::ceil(w / static_cast<T>(p.pooled_w)));
    // Far more than any image gives a reason for: absurd regions would run for hours.
    constexpr int64_t kMaxGrid = limits::kMaxSampleGrid;
    WICK_CHECK(grid_h <= kMaxGrid && grid_w <= kMaxGrid, kLimitExceeded, "a region of interest asks for ", grid_h,
               " x ", grid_w, " sampling points in a bin; the limit is ", kMaxGrid, " x ", kMaxGrid);
  }
  // Of a bin.
  int64_t points() const { return grid_h > 0 && grid_w > 0 ? grid_h * grid_w : 0; }
  Corner<T> point(int64_t ph, int64_t pw, int64_t iy, int64_t ix, const Pooling& p) const {
    const T py = y + static_cast<T>(ph) * bin_h + (static_cast<T>(iy) + T(0.5)) * bin_h / static_cast<T>(grid_h);
    const T px = x + static_cast<T>(pw) * bin_w + (static_cast<T>(ix) + T(0.5)) * bin_w / static_cast<T>(grid_w);
    return corner_at(py, px, p.height, p.width);
  }
};

// A region rounded to whole pixels, cut into cells. `inclusive` is 1 where the far edge belongs to the region.
template <class T>
struct Cells {
  int64_t top, left;
  T height, width;

  Cells(const T* roi, T scale, int64_t inclusive, const Pooling& p) {
    const auto edge = [&](int k) { return bounded(std::round(roi[k] * scale)); };
    left = edge(1);
    top = edge(2);
    width = static_cast<T>(std::max<int64_t>(edge(3) - left + inclusive, 1)) / static_cast<T>(p.pooled_w);
    height = static_cast<T>(std::max<int64_t>(edge(4) - top + inclusive, 1)) / static_cast<T>(p.pooled_h);
  }
};

// Pooling of float images whose pixels are rows of channels: the sampling points of a bin are blended row by row.
class PixelPooling {
 public:
  // Points of a bin that are blended at once; regions with more are left to the other way.
  static constexpr int64_t kMaxPoints = 1024;

  PixelPooling(const float* pixels, const Pooling& p) : pixels_(pixels), p_(p) {}

  // The bins of one region: `scratch` has room for bins() pixels; `to` is [channels][bins].
  void run(const Region<float>& region, int64_t image, float* scratch, float* to) const {
    const float* const from = pixels_ + image * p_.height * p_.width * p_.channels;
    // Sums are divided, as PyTorch does it; where that rounds nothing, weights are, which are fewer.
    const int64_t points = region.grid_h * region.grid_w;
    const bool is_power = std::has_single_bit(static_cast<uint64_t>(points));
    const auto of_weights = static_cast<float>(is_power ? points : 1), of_sums = static_cast<float>(points);
    std::vector<int64_t> rows(static_cast<size_t>(4 * region.grid_h * region.grid_w));
    std::vector<float> weights(rows.size());
    for (int64_t bin = 0; bin < p_.bins(); ++bin) {
      size_t k = 0;
      for (int64_t iy = 0; iy < region.grid_h; ++iy) {
        for (int64_t ix = 0; ix < region.grid_w; ++ix) {
          const Corner<float> c = region.point(bin / p_.pooled_w, bin % p_.pooled_w, iy, ix, p_);
          for (int i = 0; i < 4; ++i, ++k) {
            rows[k] = c.offset[i];
            weights[k] = c.weight[i] / of_weights;
          }
        }
      }
      kernels::blend_rows(from, p_.channels, rows.data(), weights.data(), static_cast<int64_t>(k), p_.channels,
                          scratch + bin * p_.channels);
      for (int64_t c = 0; !is_power && c < p_.channels; ++c) scratch[bin * p_.channels + c] /= of_sums;
    }
    kernels::transpose(scratch, p_.channels, p_.bins(), p_.channels, to, p_.bins());
  }

 private:
  const float* pixels_;
  const Pooling& p_;
};

// Whether an image of floats is worth being turned into rows of channels for regions with so many points a bin.
bool is_worth_turning(const Tensor& input, const Pooling& p, int64_t ratio) {
  const int64_t side = std::min(ratio, PixelPooling::kMaxPoints);  // so that its square is a number
  const int64_t points = ratio > 0 ? std::min(side * side, PixelPooling::kMaxPoints) : 4;
  const double reads = static_cast<double>(p.rois * p.bins()) * static_cast<double>(4 * points);
  return p.channels >= 4 && reads * 4 > static_cast<double>(input.size(0) * p.height * p.width);
}

// The elements of an image as rows of channels; in `turned` where they are not.
const float* as_pixels(const Tensor& input, const Pooling& p, kernels::Scratch<float>& turned) {
  const IntSpan strides = input.strides();
  if (strides[1] == 1 && strides[3] == p.channels && strides[2] == p.width * p.channels &&
      strides[0] == p.height * p.width * p.channels) {
    return input.data_ptr<float>();
  }
  const Tensor planes = contiguous(input);
  turned.reserve(static_cast<size_t>(planes.numel()));
  kernels::planes_to_channels_last(planes.data_ptr<float>(), input.size(0), p.channels, p.height * p.width,
                                   turned.data(), p.channels, workers_for(static_cast<double>(planes.numel()) * 2));
  return turned.data();
}

}  // namespace

Tensor roi_align(const Tensor& input, const Tensor& rois, double spatial_scale, int64_t pooled_height,
                 int64_t pooled_width, int64_t sampling_ratio, bool aligned) {
  const Prepared in = prepare(input, rois, pooled_height, pooled_width, "roi_align", /*as_planes=*/false);
  const Pooling& p = in.p;
  Tensor out = Tensor::zeros({p.rois, p.channels, p.pooled_h, p.pooled_w}, in.input.dtype());
  if (only_shapes() || out.numel() == 0 || p.height == 0 || p.width == 0) return to_dtype(out, input.dtype());
  kernels::Scratch<float> turned;
  const bool turns = in.input.dtype() == DType::kFloat && is_worth_turning(in.input, p, sampling_ratio);
  const float* const pixels = turns ? as_pixels(in.input, p, turned) : nullptr;
  for_float(out.dtype(), "roi_align", input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const auto region_of = [&](int64_t n) {
      return Region<T>(in.rois.data_ptr<T>() + n * 5, static_cast<T>(spatial_scale), aligned ? T(0.5) : T(0), !aligned,
                       p, sampling_ratio);
    };
    const auto takes_pixels = [&](const Region<T>& region) {
      return pixels != nullptr && region.points() > 0 && region.points() <= PixelPooling::kMaxPoints;
    };
    Tensor planes;  // for regions that do not take pixels
    for (int64_t n = 0; n < p.rois && !planes.defined(); ++n) {
      if (!takes_pixels(region_of(n))) planes = contiguous(in.input);
    }
    parallel_for(0, p.rois, grain_for(p.channels * p.bins() * 16), [&](int64_t begin, int64_t end) {
      std::vector<float> scratch;
      int64_t turn = 0;
      for (int64_t n = begin; n < end; ++n) {
        const T* roi = in.rois.data_ptr<T>() + n * 5;
        const Region<T> region = region_of(n);
        const T count = static_cast<T>(std::max<int64_t>(region.points(), 1));
        T* to = out.data_ptr<T>() + n * p.channels * p.bins();
        if constexpr (std::is_same_v<T, float>) {
          if (takes_pixels(region)) {
            scratch.resize(static_cast<size_t>(p.channels * p.bins()));
            PixelPooling(pixels, p).run(region, image_of(roi[0], input.size(0)), scratch.data(), to);
            continue;
          }
        }
        const T* image = planes.data_ptr<T>() + image_of(roi[0], input.size(0)) * p.channels * p.height * p.width;
        for (int64_t bin = 0; bin < p.bins(); ++bin) {
          for (int64_t iy = 0; iy < region.grid_h; ++iy) {
            for (int64_t ix = 0; ix < region.grid_w; ++ix) {
              check_budget_at(++turn);
              const Corner<T> c = region.point(bin / p.pooled_w, bin % p.pooled_w, iy, ix, p);
              for (int64_t k = 0; k < p.channels; ++k) {
                to[k * p.bins() + bin] += interpolate_at(image + k * p.height * p.width, c);
              }
            }
          }
          for (int64_t k = 0; k < p.channels; ++k) to[k * p.bins() + bin] /= count;
        }
      }
    });
  });
  return to_dtype(out, input.dtype());
}

std::tuple<Tensor, Tensor> ps_roi_align(const Tensor& input, const Tensor& rois, double spatial_scale,
                                        int64_t pooled_height, int64_t pooled_width, int64_t sampling_ratio) {
  const Prepared in = prepare(input, rois, pooled_height, pooled_width, "ps_roi_align");
  const Pooling& p = in.p;
  const PositionSensitive results(p, in.input.dtype());
  const Tensor &out = results.out, &mapping = results.mapping;
  const int64_t out_channels = out.size(1);
  if (p.height == 0 || p.width == 0) return {to_dtype(out, input.dtype()), mapping};
  for_float(out.dtype(), "ps_roi_align", input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    int64_t turn = 0;
    for (int64_t n = 0; n < p.rois; ++n) {
      const T* roi = in.rois.data_ptr<T>() + n * 5;
      const Region<T> region(roi, static_cast<T>(spatial_scale), T(0.5), false, p, sampling_ratio);
      const T* image = in.input.data_ptr<T>() + image_of(roi[0], input.size(0)) * p.channels * p.height * p.width;
      for (int64_t i = 0; i < out_channels * p.bins(); ++i) {
        const T* plane = image + i * p.height * p.width;
        T sum = 0;
        for (int64_t iy = 0; iy < region.grid_h; ++iy) {
          for (int64_t ix = 0; ix < region.grid_w; ++ix) {
            check_budget_at(++turn);
            sum += interpolate_at(plane, region.point(i % p.bins() / p.pooled_w, i % p.pooled_w, iy, ix, p));
          }
        }
        out.data_ptr<T>()[n * out_channels * p.bins() + i] = sum / static_cast<T>(region.grid_h * region.grid_w);
        mapping.data_ptr<int32_t>()[n * out_channels * p.bins() + i] = static_cast<int32_t>(i);
      }
    }
  });
  return {to_dtype(out, input.dtype()), mapping};
}

std::tuple<Tensor, Tensor> roi_pool(const Tensor& input, const Tensor& rois, double spatial_scale,
                                    int64_t pooled_height, int64_t pooled_width) {
  const Prepared in = prepare(input, rois, pooled_height, pooled_width, "roi_pool");
  const Pooling& p = in.p;
  Tensor out = Tensor::zeros({p.rois, p.channels, p.pooled_h, p.pooled_w}, in.input.dtype());
  Tensor argmax = Tensor::zeros(out.sizes(), DType::kInt);
  for_float(out.dtype(), "roi_pool", input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    int64_t turn = 0;
    for (int64_t n = 0; n < p.rois; ++n) {
      const T* roi = in.rois.data_ptr<T>() + n * 5;
      const Cells<T> cells(roi, static_cast<T>(spatial_scale), 1, p);
      const T* image = in.input.data_ptr<T>() + image_of(roi[0], input.size(0)) * p.channels * p.height * p.width;
      for (int64_t i = 0; i < p.channels * p.bins(); ++i) {
        const T ph = static_cast<T>(i % p.bins() / p.pooled_w), pw = static_cast<T>(i % p.pooled_w);
        const int64_t h0 = std::clamp<int64_t>(bounded(std::floor(ph * cells.height)) + cells.top, 0, p.height);
        const int64_t h1 = std::clamp<int64_t>(bounded(std::ceil((ph + 1) * cells.height)) + cells.top, 0, p.height);
        const int64_t w0 = std::clamp<int64_t>(bounded(std::floor(pw * cells.width)) + cells.left, 0, p.width);
        const int64_t w1 = std::clamp<int64_t>(bounded(std::ceil((pw + 1) * cells.width)) + cells.left, 0, p.width);
        const T* plane = image + i / p.bins() * p.height * p.width;
        T best = h1 <= h0 || w1 <= w0 ? T(0) : -std::numeric_limits<T>::max();
        int64_t where = -1;
        for (int64_t h = h0; h < h1; ++h) {
          check_budget_at(++turn);
          for (int64_t w = w0; w < w1; ++w) {
            if (plane[h * p.width + w] > best) {
              best = plane[h * p.width + w];
              where = h * p.width + w;
            }
          }
        }
        out.data_ptr<T>()[n * p.channels * p.bins() + i] = best;
        argmax.data_ptr<int32_t>()[n * p.channels * p.bins() + i] = static_cast<int32_t>(where);
      }
    }
  });
  return {to_dtype(out, input.dtype()), argmax};
}

std::tuple<Tensor, Tensor> ps_roi_pool(const Tensor& input, const Tensor& rois, double spatial_scale,
                                       int64_t pooled_height, int64_t pooled_width) {
  const Prepared in = prepare(input, rois, pooled_height, pooled_width, "ps_roi_pool");
  const Pooling& p = in.p;
  const PositionSensitive results(p, in.input.dtype());
  const Tensor &out = results.out, &mapping = results.mapping;
  const int64_t out_channels = out.size(1);
  if (p.height == 0 || p.width == 0) return {to_dtype(out, input.dtype()), mapping};
  for_float(out.dtype(), "ps_roi_pool", input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    int64_t turn = 0;
    for (int64_t n = 0; n < p.rois; ++n) {
      const T* roi = in.rois.data_ptr<T>() + n * 5;
      const Cells<T> cells(roi, static_cast<T>(spatial_scale), 0, p);
      const T* image = in.input.data_ptr<T>() + image_of(roi[0], input.size(0)) * p.channels * p.height * p.width;
      auto limit = [](T x, int64_t size) { return std::clamp<int64_t>(bounded(x), 0, size - 1); };
      for (int64_t i = 0; i < out_channels * p.bins(); ++i) {
        const T ph = static_cast<T>(i % p.bins() / p.pooled_w), pw = static_cast<T>(i % p.pooled_w);
        const int64_t h0 = limit(std::floor(ph * cells.height + static_cast<T>(cells.top)), p.height);
        const int64_t h1 = limit(std::ceil((ph + 1) * cells.height + static_cast<T>(cells.top)), p.height);
        const int64_t w0 = limit(std::floor(pw * cells.width + static_cast<T>(cells.left)), p.width);
        const int64_t w1 = limit(std::ceil((pw + 1) * cells.width + static_cast<T>(cells.left)), p.width);
        const T* plane = image + i * p.height * p.width;
        T sum = 0;
        for (int64_t h = h0; h < h1; ++h) {
          check_budget_at(++turn);
          for (int64_t w = w0; w < w1; ++w) sum += plane[h * p.width + w];
        }
        const bool empty = h1 <= h0 || w1 <= w0;
        out.data_ptr<T>()[n * out_channels * p.bins() + i] = empty ? T(0) : sum / static_cast<T>((h1 - h0) * (w1 - w0));
        mapping.data_ptr<int32_t>()[n * out_channels * p.bins() + i] = static_cast<int32_t>(i);
      }
    }
  });
  return {to_dtype(out, input.dtype()), mapping};
}

Tensor new_empty_tensor_op(const Tensor& input, IntSpan shape) { return new_empty(input, shape, {}); }

int64_t torchvision_cuda_version() { return -1; }

}  // namespace wick::ops
