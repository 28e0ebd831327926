// Copies between tensors of any strides and dtypes.
#include "core/copy.h"

#include <cmath>
#include <complex>
#include <cstring>

#include "core/check.h"
#include "core/float8.h"
#include "core/parallel.h"
#include "core/selection.h"
#include "core/shape.h"
#include "core/shapes_only.h"
#include "core/tensor_impl.h"
#include "kernels/cpu.h"

namespace wick {
namespace {

using ConvertFn = void (*)(char* dst, int64_t ds, const char* src, int64_t ss, int64_t n);

template <class T>
constexpr bool kIsComplex = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;
template <class T>
constexpr bool kIsSmallFloat = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// Float to integer as PyTorch does on x86-64: signed ones through int32, others and int64 through int64, with the
// smallest number for what does not fit; then wrapped.
template <class D>
D float_to_int(double v) {
  if constexpr (std::is_signed_v<D> && sizeof(D) <= 4) {
    return static_cast<D>(v > -2147483649.0 && v < 2147483648.0 ? static_cast<int32_t>(v) : INT32_MIN);
  }
  if (!(v >= -9223372036854775808.0 && v < 9223372036854775808.0)) return static_cast<D>(INT64_MIN);
  return static_cast<D>(static_cast<int64_t>(v));
}

template <class D, class S>
D convert(S s) {
  if constexpr (std::is_same_v<D, S>) {
    return s;
  } else if constexpr (kIsComplex<S>) {
    if constexpr (kIsComplex<D>) {
      return D(s);
    } else if constexpr (std::is_same_v<D, bool>) {
      return s != S(0);
    } else {
      return convert<D>(s.real());
    }
  } else if constexpr (kIsSmallFloat<S>) {
    return convert<D>(static_cast<float>(s));
  } else if constexpr (kIsComplex<D>) {
    return D(static_cast<typename D::value_type>(s), 0);
  } else if constexpr (kIsSmallFloat<D>) {
    return D(static_cast<float>(s));
  } else if constexpr (std::is_same_v<D, bool>) {
    return s != S(0);
  } else if constexpr (std::is_floating_point_v<S> && std::is_integral_v<D>) {
    return float_to_int<D>(static_cast<double>(s));
  } else {
    return static_cast<D>(s);
  }
}

template <class T>
T load(const char* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <>
bool load<bool>(const char* p) {
  return *p != 0;  // a file may hold other bytes than 0 and 1
}

// Whether a kernel converted the contiguous run.
template <class D, class S>
bool convert_by_kernel(char* dst, const char* src, int64_t n) {
  [[maybe_unused]] const auto as = [&]<class To, class From>(void (*kernel)(const From*, To*, int64_t)) {
    kernel(reinterpret_cast<const From*>(src), reinterpret_cast<To*>(dst), n);
    return true;
  };
  if constexpr (build::kAllDTypes) {  // a selective build has the loop alone
    if constexpr (std::is_same_v<D, float> && std::is_same_v<S, Half>) {
      return as(kernels::half_to_float);
    } else if constexpr (std::is_same_v<D, Half> && std::is_same_v<S, float>) {
      return as(kernels::float_to_half);
    } else if constexpr (std::is_same_v<D, float> && std::is_same_v<S, BFloat16>) {
      return as(kernels::bfloat16_to_float);
    } else if constexpr (std::is_same_v<D, BFloat16> && std::is_same_v<S, float>) {
      return as(kernels::float_to_bfloat16);
    } else if constexpr (std::is_same_v<D, int64_t> && std::is_same_v<S, float>) {
      return as(kernels::float_to_int64);
    } else if constexpr (std::is_same_v<D, int32_t> && std::is_same_v<S, float>) {
      return as(kernels::float_to_int32);
    } else if constexpr (std::is_same_v<D, int8_t> && std::is_same_v<S, float>) {
      return as(kernels::float_to_int8);
    } else if constexpr (std::is_same_v<D, uint8_t> && std::is_same_v<S, float>) {
      return as(kernels::float_to_uint8);
    }
  }
  return false;
}

// A complex number goes part by part: put together in memory first, it would wait for its own parts.
template <class D>
void store(char* p, D v) {
  if constexpr (kIsComplex<D>) {
    const auto real = v.real(), imag = v.imag();
    std::memcpy(p, &real, sizeof real);
    std::memcpy(p + sizeof real, &imag, sizeof imag);
  } else {
    std::memcpy(p, &v, sizeof v);
  }
}

template <class D, class S>
void convert_run(char* dst, int64_t ds, const char* src, int64_t ss, int64_t n) {
  if (build::kAllDTypes && ds == static_cast<int64_t>(sizeof(D)) && ss == static_cast<int64_t>(sizeof(S))) {
    if (convert_by_kernel<D, S>(dst, src, n)) return;
    for (int64_t i = 0; i < n; ++i) {
      store<D>(dst + i * static_cast<int64_t>(sizeof(D)),
               convert<D>(load<S>(src + i * static_cast<int64_t>(sizeof(S)))));
    }
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    store<D>(dst + i * ds, convert<D>(load<S>(src + i * ss)));
  }
}

// Whether a build has the dtypes that are converted element by element, through complex doubles.
constexpr bool kHasRare = selects_dtype(DType::kUInt16) || selects_dtype(DType::kUInt32) ||
                          selects_dtype(DType::kUInt64) || selects_dtype(DType::kFloat8_e5m2) ||
                          selects_dtype(DType::kFloat8_e4m3fn) || selects_dtype(DType::kFloat8_e5m2fnuz) ||
                          selects_dtype(DType::kFloat8_e4m3fnuz) || selects_dtype(DType::kComplexHalf);

// Types with kernels for every pair. The others go through these.
// clang-format off
#define WICK_COPY_TYPES(X)                                                                    \
  X(kByte, uint8_t) X(kChar, int8_t) X(kShort, int16_t) X(kInt, int32_t) X(kLong, int64_t)    \
  X(kHalf, Half) X(kFloat, float) X(kDouble, double) X(kComplexFloat, std::complex<float>)    \
  X(kComplexDouble, std::complex<double>) X(kBool, bool) X(kBFloat16, BFloat16)
// clang-format on

// Whether elements of the dtype are converted: in a selective build its own, those that numbers have, and integers of
// any width where there are integers or quantized tensors (operators use them inside) or conversions are asked for
// (inputs that are stored with a model are often bytes).
consteval bool converts(DType t) {
  if (kHasRare || selects_dtype(t) || t == DType::kDouble) return true;
  return (build::kQuantized || build::kIntegers || selects_any_op("aten::to", "aten::type_as", "aten::copy_")) &&
         (t == DType::kByte || t == DType::kChar || t == DType::kShort || t == DType::kInt);
}

template <class D, class S>
ConvertFn loop() {
  if constexpr (converts(DTypeOf<D>::value) && converts(DTypeOf<S>::value)) {
    return &convert_run<D, S>;
  } else {
    return nullptr;
  }
}

template <class D>
ConvertFn converter_from(DType src) {
  switch (src) {
#define X(dt, type) \
  case DType::dt:   \
    return loop<D, type>();
    WICK_COPY_TYPES(X)
#undef X
    default:
      return nullptr;
  }
}

ConvertFn converter(DType dst, DType src) {
  switch (dst) {
#define X(dt, type) \
  case DType::dt:   \
    return converter_from<type>(src);
    WICK_COPY_TYPES(X)
#undef X
    default:
      return nullptr;
  }
}

// An item's bits; 16 bytes have no integer.
template <size_t Size>
struct Bits {
  std::conditional_t<Size == 1, uint8_t,
                     std::conditional_t<Size == 2, uint16_t, std::conditional_t<Size == 4, uint32_t, uint64_t>>>
      words[Size == 16 ? 2 : 1];
};

// n copies of one item, side by side.
template <size_t Size>
void repeat_item(char* dst, const char* src, int64_t n) {
  Bits<Size> item;
  std::memcpy(&item, src, Size);
  for (int64_t i = 0; i < n; ++i) std::memcpy(dst + i * static_cast<int64_t>(Size), &item, Size);
}

template <size_t Size>
void move_run(char* dst, int64_t ds, const char* src, int64_t ss, int64_t n) {
  if (ds == static_cast<int64_t>(Size) && ss == ds) {
    std::memcpy(dst, src, static_cast<size_t>(n) * Size);
    return;
  }
  if (ds == static_cast<int64_t>(Size) && ss == 0) {
    repeat_item<Size>(dst, src, n);
    return;
  }
  for (int64_t i = 0; i < n; ++i) std::memcpy(dst + i * ds, src + i * ss, Size);
}

ConvertFn mover(size_t size) {
  switch (size) {
    case 1:
      return &move_run<1>;
    case 2:
      return &move_run<2>;
    case 4:
      return &move_run<4>;
    case 8:
      return &move_run<8>;
    default:
      return &move_run<16>;
  }
}

// Rare dtypes, element by element through complex doubles.
bool rare_load(const char* p, DType dtype, std::complex<double>& out) {
  switch (dtype) {
    case DType::kUInt16:
      out = load<uint16_t>(p);
      return true;
    case DType::kUInt32:
      out = load<uint32_t>(p);
      return true;
    case DType::kUInt64:
      out = static_cast<double>(load<uint64_t>(p));
      return true;
    case DType::kFloat8_e5m2:
    case DType::kFloat8_e4m3fn:
    case DType::kFloat8_e5m2fnuz:
    case DType::kFloat8_e4m3fnuz:
      out = float8_to_float(load<uint8_t>(p), dtype);
      return true;
    case DType::kComplexHalf:
      out = {static_cast<float>(load<Half>(p)), static_cast<float>(load<Half>(p + sizeof(Half)))};
      return true;
    default:
      return false;
  }
}

bool rare_store(char* p, DType dtype, std::complex<double> number) {
  const double value = number.real();
  switch (dtype) {
    case DType::kUInt16: {
      const uint16_t v = float_to_int<uint16_t>(value);
      std::memcpy(p, &v, sizeof v);
      return true;
    }
    case DType::kUInt32: {
      const uint32_t v = float_to_int<uint32_t>(value);
      std::memcpy(p, &v, sizeof v);
      return true;
    }
    case DType::kUInt64: {
      const uint64_t v = value >= 9223372036854775808.0 && value < 18446744073709551616.0
                             ? static_cast<uint64_t>(value)
                             : float_to_int<uint64_t>(value);
      std::memcpy(p, &v, sizeof v);
      return true;
    }
    case DType::kFloat8_e5m2:
    case DType::kFloat8_e4m3fn:
    case DType::kFloat8_e5m2fnuz:
    case DType::kFloat8_e4m3fnuz: {
      const uint8_t v = float_to_float8(static_cast<float>(value), dtype);
      std::memcpy(p, &v, sizeof v);
      return true;
    }
    case DType::kComplexHalf: {
      const Half parts[2] = {Half(static_cast<float>(value)), Half(static_cast<float>(number.imag()))};
      std::memcpy(p, parts, sizeof parts);
      return true;
    }
    default:
      return false;
  }
}

// In a selective build: one of the dtypes is not its own.
[[noreturn, maybe_unused]] void refuse_conversion(DType to, DType from) {
  refuse_dtype("copy", converter(DType::kDouble, from) ? to : from);
}

void convert_rare(char* dst, int64_t ds, DType dst_dtype, const char* src, int64_t ss, DType src_dtype, int64_t n) {
  if constexpr (!kHasRare) refuse_conversion(dst_dtype, src_dtype);
  const ConvertFn load_plain = converter(DType::kComplexDouble, src_dtype);
  const ConvertFn store_plain = converter(dst_dtype, DType::kComplexDouble);
  for (int64_t i = 0; i < n; ++i) {
    std::complex<double> v = 0;
    if (load_plain) {
      load_plain(reinterpret_cast<char*>(&v), sizeof v, src + i * ss, ss, 1);
    } else {
      WICK_CHECK(rare_load(src + i * ss, src_dtype, v), kUnsupported, "cannot convert from ", name_of(src_dtype));
    }
    if (store_plain) {
      store_plain(dst + i * ds, ds, reinterpret_cast<const char*>(&v), sizeof v, 1);
    } else {
      WICK_CHECK(rare_store(dst + i * ds, dst_dtype, v), kUnsupported, "cannot convert to ", name_of(dst_dtype));
    }
  }
}

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

void convert_elements(void* dst, int64_t dst_stride, DType dst_dtype, const void* src, int64_t src_stride,
                      DType src_dtype, int64_t n) {
  char* d = static_cast<char*>(dst);
  const char* s = static_cast<const char*>(src);
  if (dst_dtype == src_dtype) {
    mover(itemsize(dst_dtype))(d, dst_stride, s, src_stride, n);
  } else if (const ConvertFn fn = converter(dst_dtype, src_dtype)) {
    fn(d, dst_stride, s, src_stride, n);
  } else {
    convert_rare(d, dst_stride, dst_dtype, s, src_stride, src_dtype, n);
  }
}

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
  if constexpr (kHasRare) {
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
    const auto scale = static_cast<float>(per_tensor ? q.scale : scales.data<double>()[c]);
    const double zero = per_tensor ? static_cast<double>(q.zero_point) : zero_points.data<double>()[c];
    const float inverse = 1.0f / scale;
    if (dst.is_quantized()) {
      const Tensor values = contiguous(to_dtype(channel_of(src), DType::kFloat));
      const float* in = values.data<float>();
      Tensor rounded = Tensor::empty(values.sizes(), DType::kDouble);
      double* r = rounded.data<double>();
      for (int64_t i = 0, count = values.numel(); i < count; ++i) {
        const double x = std::nearbyint(in[i] * inverse) + zero;
        r[i] = std::isnan(x) ? low : std::min(high, std::max(low, x));
      }
      copy_into(channel_of(ints), rounded);
    } else {
      const Tensor values = contiguous(to_dtype(channel_of(ints), DType::kFloat));
      Tensor real = Tensor::empty(values.sizes(), DType::kFloat);
      const float* in = values.data<float>();
      float* out = real.data<float>();
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
      *one.data<bool>() = value.to_bool();
      break;
    case DType::kLong:
      *one.data<int64_t>() = value.to_int();
      break;
    case DType::kDouble:
      *one.data<double>() = value.to_double();
      break;
    case DType::kFloat:
      *one.data<float>() = static_cast<float>(value.to_double());
      break;
    default:
      *one.data<std::complex<double>>() = value.to_complex();
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
  if (n > 0 && static_cast<size_t>(bytes) > t.storage()->nbytes()) t.storage()->resize(static_cast<size_t>(bytes));
  TensorImpl* impl = t.impl();
  impl->sizes = sizes;
  impl->strides = std::move(strides);
  impl->numel = n;
}

}  // namespace wick
