// Loops that convert elements, one for each pair of dtypes.
#include "core/convert.h"

#include <cmath>
#include <complex>
#include <cstring>

#include "core/check.h"
#include "core/copy.h"
#include "core/float8.h"
#include "kernels/cpu.h"

namespace wick {
namespace {

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
  if (kConvertsRare || selects_dtype(t) || t == DType::kDouble) return true;
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

}  // namespace

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

void refuse_conversion(DType to, DType from) { refuse_dtype("copy", converter(DType::kDouble, from) ? to : from); }

void convert_rare(char* dst, int64_t ds, DType dst_dtype, const char* src, int64_t ss, DType src_dtype, int64_t n) {
  if constexpr (!kConvertsRare) refuse_conversion(dst_dtype, src_dtype);
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

}  // namespace wick
