// aten::segment_reduce: reductions of runs of different lengths along one dim.
#include <cmath>
#include <limits>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/nn/common.h"
#include "ops/reduce/reduce.h"

namespace wick::ops {

namespace {

enum class SegmentReduce { kMax, kMean, kMin, kSum, kProd };

SegmentReduce reduction_named(std::string_view name) {
  if (name == "max") return SegmentReduce::kMax;
  if (name == "mean") return SegmentReduce::kMean;
  if (name == "min") return SegmentReduce::kMin;
  if (name == "sum") return SegmentReduce::kSum;
  WICK_CHECK(name == "prod", kInvalidArgument, "unsupported reduction given! ", name);
  return SegmentReduce::kProd;
}

template <class T>
T start_value(SegmentReduce reduction, const OptScalar& initial) {
  if (initial) return static_cast<T>(initial->to_double());
  switch (reduction) {
    case SegmentReduce::kMax:
      return -std::numeric_limits<T>::infinity();
    case SegmentReduce::kMin:
      return std::numeric_limits<T>::infinity();
    case SegmentReduce::kProd:
      return T{1};
    default:
      return T{0};
  }
}

template <class T>
T fold(SegmentReduce reduction, T a, T x) {
  switch (reduction) {
    case SegmentReduce::kMax:
      return std::isnan(x) ? x : std::max(a, x);
    case SegmentReduce::kMin:
      return std::isnan(x) ? x : std::min(a, x);
    case SegmentReduce::kProd:
      return a * x;
    default:
      return a + x;
  }
}

// Where each row's segments begin and end, one more entry than segments, all inside [0, size].
Tensor segment_bounds(const Tensor& lengths, bool are_offsets, int64_t size) {
  const int64_t given = lengths.size(-1), rows = given == 0 ? 0 : lengths.numel() / given;
  const Tensor values = contiguous(to_dtype(lengths, DType::kLong));
  const int64_t* v = values.data_ptr<int64_t>();
  if (are_offsets) {
    for (int64_t i = 0, count = values.numel(); i < count; ++i) {
      WICK_CHECK(v[i] >= 0 && v[i] <= size && (i % given == 0 || v[i] >= v[i - 1]), kIndexOutOfRange,
                 "segment_reduce(): offsets must ascend within [0, ", size, "], but got ", v[i]);
    }
    return values;
  }
  const Tensor bounds = Tensor::empty({rows, given + 1}, DType::kLong);
  int64_t* b = bounds.data_ptr<int64_t>();
  for (int64_t r = 0; r < rows; ++r) {
    b[r * (given + 1)] = 0;
    for (int64_t i = 0; i < given; ++i) {
      const int64_t length = v[r * given + i], start = b[r * (given + 1) + i];
      WICK_CHECK(length >= 0, kInvalidArgument, "lengths contains negative value!");
      WICK_CHECK(length <= size - start, kIndexOutOfRange,
                 "segment_reduce(): lengths exceed the size of the reduced dimension");
      b[r * (given + 1) + i + 1] = start + length;
    }
  }
  return bounds;
}

}  // namespace

Tensor segment_reduce(const Tensor& data, std::string_view reduce, const OptTensor& lengths, const OptTensor& indices,
                      const OptTensor& offsets, int64_t axis, bool unsafe, const OptScalar& initial) {
  axis = wrap_dim(axis, data.dim());
  WICK_CHECK(data.numel() > 0, kInvalidArgument, "segment_reduce(): Expected data to have elements");
  WICK_CHECK(!has(indices), kUnsupported, "segment_reduce(): indices based reduction is not supported yet.");
  WICK_CHECK(has(lengths) || has(offsets), kInvalidArgument,
             "segment_reduce(): Either lengths or offsets must be defined.");
  const SegmentReduce reduction = reduction_named(reduce);
  const bool by_offsets = has(offsets);
  const Tensor& given = by_offsets ? *offsets : *lengths;
  WICK_CHECK(data.dim() >= given.dim(), kShapeMismatch, "segment_reduce(): Expected data to have at least ",
             given.dim(), " dimensions");
  WICK_CHECK(axis == given.dim() - 1, kShapeMismatch, "segment_reduce(): Expected axis to be the last dimension of ",
             by_offsets ? "offsets" : "lengths", " but got ", axis, ".");
  check_dtype(given.dtype() == DType::kInt || given.dtype() == DType::kLong, "_segment_reduce_cpu", given.dtype());
  for (int64_t d = 0; d < axis; ++d) {
    WICK_CHECK(data.size(d) == given.size(d), kShapeMismatch, "segment_reduce(): Expected data and ",
               by_offsets ? "offsets" : "lengths", " to have the same size in dimension ", d);
  }
  const int64_t segments = given.size(axis) - (by_offsets ? 1 : 0);
  WICK_CHECK(segments >= 0, kShapeMismatch, "segment_reduce(): Expected offsets to have at least one element");
  const Tensor bounds = segment_bounds(given, by_offsets, data.size(axis));
  if (!by_offsets && !unsafe) {
    for (int64_t r = 0; segments > 0 && r < bounds.numel() / (segments + 1); ++r) {
      WICK_CHECK(bounds.data_ptr<int64_t>()[(r + 1) * (segments + 1) - 1] == data.size(axis), kInvalidArgument,
                 "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when "
                 "!unsafe.");
    }
  }

  const Tensor values = contiguous(widened(data));
  const DimSplit split = split_at(values.sizes(), axis);
  IntVec sizes(data.sizes());
  sizes[static_cast<size_t>(axis)] = segments;
  const Tensor out = Tensor::empty(sizes, values.dtype());
  for_float(values.dtype(), "_segment_reduce_cpu", data.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* in = values.data_ptr<T>();
    T* to = out.data_ptr<T>();
    const int64_t* bound = bounds.data_ptr<int64_t>();
    for (int64_t row = 0; row < split.outer; ++row) {
      for (int64_t s = 0; s < segments; ++s, to += split.inner) {
        const int64_t first = bound[row * (segments + 1) + s], last = bound[row * (segments + 1) + s + 1];
        for (int64_t k = 0; k < split.inner; ++k) {
          T a = start_value<T>(reduction, initial);
          for (int64_t j = first; j < last; ++j) {
            a = fold(reduction, a, in[(row * split.size + j) * split.inner + k]);
          }
          if (reduction == SegmentReduce::kMean) {
            if (last > first) {
              a /= static_cast<T>(last - first);
            } else if (!initial) {
              a = std::numeric_limits<T>::quiet_NaN();
            }
          }
          to[k] = a;
        }
      }
    }
  });
  return to_dtype(out, data.dtype());
}

}  // namespace wick::ops
