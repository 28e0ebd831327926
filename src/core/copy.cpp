// Copies between tensors of any strides and dtypes.
#include "core/copy.h"

#include <cmath>
#include <complex>
#include <cstring>

#include "core/check.h"
#include "core/convert.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/selection.h"
#include "core/shape.h"
#include "core/shapes_only.h"
#include "core/tensor_impl.h"

namespace wick {
namespace {

// Walks two tensors of equal sizes row by row, after merging dims that are adjacent in both.
struct PairLoop {
  IntVec sizes, dst_strides, src_strides;  // bytes; last dim innermost

  PairLoop(const Tensor& dst, const Tensor& src) {
    const int64_t di = static_cast<int64_t>(dst.itemsize()), si = static_cast<int64_t>(src.itemsize());
    // Dims in order of the destination's strides, so that writes are sequential.
    IntVec order;
    for (int64_t d = 0; d < dst.dim(); ++d) {
      if (dst.sizes()[d] != 1) order.push_back(d);
    }
    for (size_t i = 1; i < order.size(); ++i) {
      for (size_t k = i; k > 0 && dst.strides()[order[k - 1]] < dst.strides()[order[k]]; --k) {
        std::swap(order[k - 1], order[k]);
      }
    }
    for (int64_t d : order) {
      const int64_t size = dst.sizes()[d], ds = dst.strides()[d] * di, ss = src.strides()[d] * si;
      if (!sizes.empty() && dst_strides.back() == ds * size && src_strides.back() == ss * size) {
        sizes.back() *= size;
        dst_strides.back() = ds;
        src_strides.back() = ss;
      } else {
        sizes.push_back(size);
        dst_strides.push_back(ds);
        src_strides.push_back(ss);
      }
    }
    // Rows of a few elements cost more to reach than to copy.
    constexpr int64_t kShortRow = 16;
    if (const size_t rank = sizes.size();
        rank > 1 && sizes[rank - 1] < kShortRow && sizes[rank - 2] > sizes[rank - 1]) {
      for (IntVec* v : {&sizes, &dst_strides, &src_strides}) std::swap((*v)[rank - 1], (*v)[rank - 2]);
    }
    if (sizes.empty()) {
      sizes.push_back(1);
      dst_strides.push_back(di);
      src_strides.push_back(si);
    }
  }

  template <class Row>
  void run(char* dst, const char* src, const Row& row) const {
    const size_t last = sizes.size() - 1;
    int64_t outer = 1;
    for (size_t d = 0; d < last; ++d) outer *= sizes[d];
    const int64_t n = sizes[last];
    constexpr int64_t kGrain = 32768;
    if (outer == 1) {
      parallel_for(0, n, kGrain, [&](int64_t first, int64_t end) {
        row(dst + first * dst_strides[last], dst_strides[last], src + first * src_strides[last], src_strides[last],
            end - first);
      });
      return;
    }
    parallel_for(0, outer, std::max<int64_t>(1, kGrain / n), [&](int64_t first, int64_t end) {
      IntVec index(last);
      int64_t rest = first;
      for (size_t d = last; d-- > 0;) {
        index[d] = rest % sizes[d];
        rest /= sizes[d];
      }
      for (int64_t i = first; i < end; ++i) {
        char* p = dst;
        const char* q = src;
        for (size_t d = 0; d < last; ++d) {
          p += index[d] * dst_strides[d];
          q += index[d] * src_strides[d];
        }
        row(p, dst_strides[last], q, src_strides[last], n);
        for (size_t d = last; d-- > 0;) {
          if (++index[d] < sizes[d]) break;
          index[d] = 0;
        }
      }
    });
  }
};

// One plane of 4-byte (or other) elements transposed in blocks: both sides stay in cache.
template <size_t Size>
void transpose_plane(char* dst, int64_t dst_row, const char* src, int64_t src_column, int64_t rows, int64_t columns) {
  constexpr int64_t kBlock = 16;
  for (int64_t r0 = 0; r0 < rows; r0 += kBlock) {
    const int64_t r1 = std::min(rows, r0 + kBlock);
    for (int64_t c0 = 0; c0 < columns; c0 += kBlock) {
      const int64_t c1 = std::min(columns, c0 + kBlock);
      for (int64_t r = r0; r < r1; ++r) {
        for (int64_t c = c0; c < c1; ++c) {
          std::memcpy(dst + r * dst_row + c * static_cast<int64_t>(Size),
                      src + c * src_column + r * static_cast<int64_t>(Size), Size);
        }
      }
    }
  }
}

// dst[r][c] = src[c][r] planes, the shape of every layout change. False when the pair is not of that shape.
template <size_t Size>
bool copy_transposed(const PairLoop& loop, char* dst, const char* src) {
  constexpr int64_t kSize = static_cast<int64_t>(Size);
  const size_t rank = loop.sizes.size();
  if (rank < 2 || rank > 3) return false;
  const size_t r = rank - 2, c = rank - 1;
  if (loop.dst_strides[c] != kSize || loop.src_strides[r] != kSize || loop.src_strides[c] == kSize ||
      loop.src_strides[c] == 0) {
    return false;
  }
  const int64_t planes = rank == 3 ? loop.sizes[0] : 1;
  const int64_t rows = loop.sizes[r], columns = loop.sizes[c];
  constexpr int64_t kStrip = 64;
  const int64_t strips = (rows + kStrip - 1) / kStrip;
  parallel_for(0, planes * strips, std::max<int64_t>(1, 32768 / (columns * kStrip)), [&](int64_t first, int64_t end) {
    for (int64_t i = first; i < end; ++i) {
      const int64_t plane = i / strips, row = i % strips * kStrip;
      const int64_t dp = rank == 3 ? plane * loop.dst_strides[0] : 0, sp = rank == 3 ? plane * loop.src_strides[0] : 0;
      transpose_plane<Size>(dst + dp + row * loop.dst_strides[r], loop.dst_strides[r], src + sp + row * kSize,
                            loop.src_strides[c], std::min(kStrip, rows - row), columns);
    }
  });
  return true;
}

// Quantized <-> float copies go through whole float tensors: they are rare outside the quantized operators.
void copy_quantized(const Tensor& dst, const Tensor& src);

}  // namespace

[[maybe_unused]] static void copy_elements(const Tensor& dst, const Tensor& src_given) {
  if (dst.is_same(src_given)) return;
  const Tensor src = src_given.sizes() == dst.sizes() ? src_given : expand(src_given, dst.sizes());
  if (dst.numel() == 0) return;
  if (dst.dtype() != src.dtype() && (dst.is_quantized() || src.is_quantized())) {
    if constexpr (!build::kQuantized) refuse_conversion(dst.dtype(), src.dtype());
    copy_quantized(dst, src);
    return;
  }
  if (dst.is_quantized()) dst.impl()->quantizer = src.impl()->quantizer;
  if (only_shapes()) return;
  char* d = static_cast<char*>(dst.raw_data());
  const char* s = static_cast<const char*>(src.raw_data());
  const PairLoop loop(dst, src);
  if (dst.dtype() == src.dtype()) {
    if (d == s && loop.dst_strides == loop.src_strides) return;
    const size_t size = dst.itemsize();
    if (size == 4 && copy_transposed<4>(loop, d, s)) return;
    if constexpr (build::kAllDTypes || build::kQuantized) {
      if (size == 1 && copy_transposed<1>(loop, d, s)) return;
    }
    if constexpr (build::kAllDTypes) {
      if (size == 2 ? copy_transposed<2>(loop, d, s) : size == 8 && copy_transposed<8>(loop, d, s)) return;
    }
    loop.run(d, s, mover(size));
    return;
  }
  if (const ConvertFn fn = converter(dst.dtype(), src.dtype())) {
    loop.run(d, s, fn);
    return;
  }
  if constexpr (kConvertsRare) {
    loop.run(d, s, [&](char* p, int64_t ds, const char* q, int64_t ss, int64_t n) {
      convert_rare(p, ds, dst.dtype(), q, ss, src.dtype(), n);
    });
  } else {
    refuse_conversion(dst.dtype(), src.dtype());
  }
}

void copy_into(const Tensor& dst, const Tensor& src_given) {
  if constexpr (!build::kTensors) {
    fail_with<ErrorCode::kUnsupported>("the models of this selective build do not compute with tensors");
  } else {
    copy_elements(dst, src_given);
  }
}

namespace {

void copy_quantized(const Tensor& dst, const Tensor& src) {
  const Tensor& quantized = dst.is_quantized() ? dst : src;
  const Quantizer& q = quantized.quantizer();
  const DType dtype = quantized.dtype();
  WICK_CHECK(dtype == DType::kQInt8 || dtype == DType::kQUInt8 || dtype == DType::kQInt32, kUnsupported, "copying ",
             name_of(src.dtype()), " to ", name_of(dst.dtype()), " is not supported");
  const DType plain = dtype == DType::kQInt8 ? DType::kChar : dtype == DType::kQUInt8 ? DType::kByte : DType::kInt;
  const double low = dtype == DType::kQInt8 ? -128 : dtype == DType::kQUInt8 ? 0 : -2147483648.0;
  const double high = dtype == DType::kQInt8 ? 127 : dtype == DType::kQUInt8 ? 255 : 2147483647.0;
  const bool per_tensor = !q.scales.defined();
  const int64_t channels = per_tensor ? 1 : quantized.size(q.axis);
  // A view may have lost the fit between its channels and their scales.
  WICK_CHECK(per_tensor || (q.axis >= 0 && q.scales.numel() == channels && q.zero_points.numel() == channels),
             kShapeMismatch, "the quantized tensor of sizes ", quantized.sizes(), " has ",
             per_tensor ? 1 : q.scales.numel(), " scales for ", channels, " channels of dimension ", q.axis);
  // The integers under their plain dtype, sharing memory.
  Tensor ints = quantized.alias();
  ints.impl()->dtype = plain;
  ints.impl()->quantizer = nullptr;
  const Tensor scales = per_tensor ? Tensor() : contiguous(to_dtype(q.scales, DType::kDouble));
  const Tensor zero_points = per_tensor ? Tensor() : contiguous(to_dtype(q.zero_points, DType::kDouble));
  for (int64_t c = 0; c < channels; ++c) {
    const auto channel_of = [&](const Tensor& t) {
      if (per_tensor) return t;
      IntVec sizes(t.sizes());
      sizes[q.axis] = 1;
      return t.as_strided(sizes, t.strides(), t.storage_offset() + c * t.strides()[q.axis]);
    };
    const auto scale = static_cast<float>(per_tensor ? q.scale : scales.data_ptr<double>()[c]);
    const double zero = per_tensor ? static_cast<double>(q.zero_point) : zero_points.data_ptr<double>()[c];
    const float inverse = 1.0f / scale;
    if (dst.is_quantized()) {
      const Tensor values = contiguous(to_dtype(channel_of(src), DType::kFloat));
      const float* in = values.data_ptr<float>();
      Tensor rounded = Tensor::empty(values.sizes(), DType::kDouble);
      double* r = rounded.data_ptr<double>();
      for (int64_t i = 0, count = values.numel(); i < count; ++i) {
        const double x = std::nearbyint(in[i] * inverse) + zero;
        r[i] = std::isnan(x) ? low : std::min(high, std::max(low, x));
      }
      copy_into(channel_of(ints), rounded);
    } else {
      const Tensor values = contiguous(to_dtype(channel_of(ints), DType::kFloat));
      Tensor real = Tensor::empty(values.sizes(), DType::kFloat);
      const float* in = values.data_ptr<float>();
      float* out = real.data_ptr<float>();
      for (int64_t i = 0, count = values.numel(); i < count; ++i) out[i] = (in[i] - static_cast<float>(zero)) * scale;
      copy_into(channel_of(dst), real);
    }
  }
}

}  // namespace

void fill(const Tensor& dst, const Scalar& value) {
  if (dst.numel() == 0) return;
  const Tensor one = Tensor::empty({}, dst.is_quantized() ? DType::kFloat : value.dtype());
  switch (one.dtype()) {
    case DType::kBool:
      *one.data_ptr<bool>() = value.to_bool();
      break;
    case DType::kLong:
      *one.data_ptr<int64_t>() = value.to_int();
      break;
    case DType::kDouble:
      *one.data_ptr<double>() = value.to_double();
      break;
    case DType::kFloat:
      *one.data_ptr<float>() = static_cast<float>(value.to_double());
      break;
    default:
      *one.data_ptr<std::complex<double>>() = value.to_complex();
      break;
  }
  WICK_CHECK(one.dtype() != DType::kComplexDouble || is_complex(dst.dtype()) || value.to_complex().imag() == 0,
             kTypeMismatch, "value cannot be converted to type ", torch_name_of(dst.dtype()), " without overflow");
  // Converted once; the rest is a copy of equal dtypes.
  Tensor converted = dst.is_quantized() ? one : to_dtype(one, dst.dtype());
  copy_into(dst, converted);
}

Tensor empty_like(const Tensor& t, std::optional<DType> dtype, MemoryFormat format) {
  const DType dt = dtype.value_or(t.dtype());
  Tensor out;
  if (format != MemoryFormat::kPreserve) {
    out = Tensor::empty(t.sizes(), dt, format);
  } else if (t.is_non_overlapping_and_dense()) {
    out = Tensor::empty_strided(t.sizes(), t.strides(), dt);
  } else {
    // Not dense: dims keep their order by stride, without gaps.
    IntVec order;
    for (int64_t d = 0; d < t.dim(); ++d) order.push_back(d);
    // Insertion sort from the innermost, leaving dims of ambiguous order (stride 0) in place.
    std::reverse(order.begin(), order.end());
    const auto before = [&](int64_t a, int64_t b) {  // -1: a is inner, 1: b is inner, 0: not decided
      const int64_t sa = t.strides()[a], sb = t.strides()[b];
      if (sa == 0 || sb == 0) return 0;
      if (sa != sb) return sa < sb ? -1 : 1;
      return t.sizes()[a] > t.sizes()[b] ? 1 : 0;
    };
    for (size_t i = 1; i < order.size(); ++i) {
      size_t at = i;
      for (size_t j = i; j-- > 0;) {
        const int c = before(order[j], order[at]);
        if (c > 0) {
          std::swap(order[j], order[at]);
          at = j;
        } else if (c < 0) {
          break;
        }
      }
    }
    IntVec strides(t.sizes().size());
    int64_t next = 1;
    for (int64_t d : order) {
      strides[d] = next;
      next *= std::max<int64_t>(t.sizes()[d], 1);
    }
    out = Tensor::empty_strided(t.sizes(), strides, dt);
  }
  if (dt == t.dtype()) out.impl()->quantizer = t.impl()->quantizer;
  return out;
}

Tensor clone(const Tensor& t, MemoryFormat format) {
  Tensor out = empty_like(t, {}, format);
  copy_into(out, t);
  return out;
}

Tensor contiguous(const Tensor& t, MemoryFormat format) {
  if (t.is_contiguous(format)) return t;
  return clone(t, format);
}

Tensor to_dtype(const Tensor& t, DType dtype) {
  if (t.dtype() == dtype) return t;
  Tensor out = empty_like(t, dtype);
  copy_into(out, t);
  return out;
}

void resize(const Tensor& t, IntSpan sizes, MemoryFormat format) {
  const int64_t n = checked_numel(sizes);
  int64_t end, bytes;
  WICK_CHECK(!__builtin_add_overflow(n, t.storage_offset(), &end) &&
                 !__builtin_mul_overflow(end, static_cast<int64_t>(t.itemsize()), &bytes),
             kOutOfMemory, "resize to ", sizes, " overflows");
  if (format == MemoryFormat::kPreserve) format = MemoryFormat::kContiguous;
  IntVec strides = contiguous_strides(sizes, format);
  const size_t needed = n > 0 ? addressable(static_cast<uint64_t>(bytes)) : 0;
  if (needed > t.storage()->nbytes()) t.storage()->resize(needed);
  TensorImpl* impl = t.impl();
  impl->sizes = sizes;
  impl->strides = std::move(strides);
  impl->numel = n;
}

}  // namespace wick
