// arange, range, linspace and logspace. Values are computed as PyTorch's CPU loops do: two vectors of lanes at a time
// from a rounded first value, single elements at the end.
#include <cmath>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/dtype_switch.h"
#include "ops/shape/creation.h"
#include "ops/shape/out.h"

namespace wick::ops {

namespace {

template <class T>
constexpr int64_t kLanes = 32 / static_cast<int64_t>(sizeof(T));

// base + k * step, for k in [0, n), stored at out.
template <class T, class Step>
void lane_values(T* out, T base, Step step, int64_t n) {
  for (int64_t k = 0; k < n; ++k) out[k] = static_cast<T>(base + static_cast<Step>(k) * step);
}

// out[i] = value(i); runs of lanes start at value(i) and go on by step.
template <class T, class Step, class Value>
void fill_series(T* out, int64_t n, Step step, Value&& value) {
  int64_t i = 0;
  constexpr int64_t lanes = kLanes<T>;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    lane_values(out + i, static_cast<T>(value(i)), step, lanes);
    lane_values(out + i + lanes, static_cast<T>(value(i + lanes)), step, lanes);
  }
  for (; i < n; ++i) out[i] = static_cast<T>(value(i));
}

// Calls fn with the type the series is computed in; 16-bit floats go through float.
template <class Fn>
Tensor computed(int64_t n, DType dtype, const char* op, Fn&& fn) {
  const DType wide = dtype == DType::kHalf || dtype == DType::kBFloat16 ? DType::kFloat : dtype;
  const Tensor out = Tensor::empty({n}, wide);
  for_dtype(wide, op, [&]<class T>(T) {
    if constexpr (!std::is_same_v<T, Half> && !std::is_same_v<T, BFloat16> && !std::is_same_v<T, bool>) {
      fn(static_cast<T*>(out.raw_data()));
    } else {
      check_dtype(false, op, dtype);
    }
  });
  return to_dtype(out, dtype);
}

template <class T>
constexpr bool kIsComplex = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

void check_bounds(const Scalar& start, const Scalar& end, const Scalar& step, const char* bound) {
  const double s = step.to_double(), from = start.to_double(), to = end.to_double();
  WICK_CHECK(s > 0 || s < 0, kInvalidArgument, "step must be nonzero");
  WICK_CHECK(std::isfinite(from) && std::isfinite(to), kInvalidArgument, "unsupported range: ", from, " -> ", to);
  WICK_CHECK((s > 0 && to >= from) || (s < 0 && to <= from), kInvalidArgument, "upper bound and ", bound,
             " bound inconsistent with step sign");
}

// start + i * step: floats in double, integers in 64-bit words.
Tensor series(const Scalar& start, const Scalar& step, int64_t n, DType dtype, const char* op) {
  check_dtype(!is_complex(dtype), op, dtype);
  return computed(n, dtype, op, [&]<class T>(T* out) {
    if constexpr (std::is_floating_point_v<T>) {
      const double first = start.to_double(), by = step.to_double();
      fill_series(out, n, by, [=](int64_t i) { return first + by * static_cast<double>(i); });
    } else if constexpr (std::is_integral_v<T>) {
      const uint64_t first = static_cast<uint64_t>(start.to_int()), by = static_cast<uint64_t>(step.to_int());
      for (int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(first + by * static_cast<uint64_t>(i));
    }
  });
}

int64_t checked_count(double count, const char* op) {
  WICK_CHECK(count >= 0 && count < 9.2e18, kInvalidArgument, "invalid size, possible overflow?");
  return static_cast<int64_t>(count);
}

Tensor make_arange(const Scalar& start, const Scalar& end, const Scalar& step, DType dtype) {
  double count;
  if (dtype == DType::kLong) {
    const double by = static_cast<double>(step.to_int());
    WICK_CHECK(by != 0 || step.to_double() == 0, kInvalidArgument, "step must be nonzero");
    check_bounds(start, end, step, "larger");
    // The difference fits one bit more than an int64_t has: its sign is that of the comparison.
    const int64_t from = start.to_int(), to = end.to_int();
    const uint64_t apart = static_cast<uint64_t>(std::max(from, to)) - static_cast<uint64_t>(std::min(from, to));
    count = std::ceil((to < from ? -static_cast<double>(apart) : static_cast<double>(apart)) / by);
  } else {
    check_bounds(start, end, step, "larger");
    count = std::ceil((end.to_double() - start.to_double()) / step.to_double());
  }
  return series(start, step, checked_count(count, "arange"), dtype, "arange");
}

DType arange_dtype(const Scalar& start, const Scalar& end, const Scalar& step, std::optional<DType> dtype) {
  if (dtype) return *dtype;
  const bool integral = start.is_integral() && end.is_integral() && step.is_integral();
  return integral ? DType::kLong : kDefaultDType;
}

Tensor make_range(const Scalar& start, const Scalar& end, const Scalar& step, DType dtype) {
  check_bounds(start, end, step, "lower");
  const double count = (end.to_double() - start.to_double()) / step.to_double() + 1;
  return series(start, step, checked_count(std::floor(count), "range"), dtype, "range");
}

Tensor make_linspace(const Scalar& start, const Scalar& end, int64_t steps, DType dtype) {
  WICK_CHECK(steps >= 0, kInvalidArgument, "number of steps must be non-negative");
  const int64_t half = steps / 2;
  return computed(steps, dtype, "linspace", [&]<class T>(T* out) {
    const T first = start.to<T>(), last = end.to<T>();
    if (steps == 0) return;
    if (steps == 1) {
      out[0] = first;
    } else if constexpr (kIsComplex<T>) {
      const T by = (last - first) / static_cast<typename T::value_type>(steps - 1);
      for (int64_t i = 0; i < steps; ++i) {
        out[i] = i < half ? first + by * static_cast<typename T::value_type>(i)
                          : last - by * static_cast<typename T::value_type>(steps - i - 1);
      }
    } else {
      using Step = std::conditional_t<std::is_integral_v<T>, double, T>;
      const Step by = (static_cast<Step>(last) - static_cast<Step>(first)) / static_cast<Step>(steps - 1);
      fill_series(out, steps, by, [=](int64_t i) -> Step {
        return i < half ? first + by * static_cast<Step>(i) : last - by * static_cast<Step>(steps - i - 1);
      });
    }
  });
}

Tensor make_logspace(const Scalar& start, const Scalar& end, int64_t steps, double base, DType dtype) {
  WICK_CHECK(steps >= 0, kInvalidArgument, "number of steps must be non-negative");
  const int64_t half = steps / 2;
  return computed(steps, dtype, "logspace", [&]<class T>(T* out) {
    if (steps == 0) return;
    if constexpr (kIsComplex<T>) {
      using Real = typename T::value_type;
      const T first = start.to<T>(), last = end.to<T>();
      const T by = steps == 1 ? T(0) : (last - first) / static_cast<Real>(steps - 1);
      for (int64_t i = 0; i < steps; ++i) {
        const T exponent =
            steps == 1 || i < half ? first + by * static_cast<Real>(i) : last - by * static_cast<Real>(steps - i - 1);
        out[i] = std::pow(T(static_cast<Real>(base)), exponent);
      }
    } else {
      using Real = std::conditional_t<std::is_integral_v<T>, double, T>;
      const Real first = static_cast<Real>(start.to<T>()), last = static_cast<Real>(end.to<T>());
      const Real scale = static_cast<Real>(base);
      Real by = steps == 1 ? Real(0) : (last - first) / static_cast<Real>(steps - 1);
      if constexpr (std::is_integral_v<T>) by = static_cast<float>(by);
      for (int64_t i = 0; i < steps; ++i) {
        const Real exponent =
            steps == 1 || i < half ? first + by * static_cast<Real>(i) : last - by * static_cast<Real>(steps - i - 1);
        const Real v = std::pow(scale, exponent);
        if constexpr (std::is_integral_v<T>) {
          out[i] = v >= -9.2e18 && v <= 9.2e18 ? static_cast<T>(static_cast<int64_t>(v)) : static_cast<T>(INT64_MIN);
        } else {
          out[i] = v;
        }
      }
    }
  });
}

DType space_dtype(const Scalar& start, const Scalar& end, std::optional<DType> dtype) {
  if (dtype) return *dtype;
  return start.is_complex() || end.is_complex() ? to_complex(kDefaultDType) : kDefaultDType;
}

}  // namespace

Tensor arange_step(const Scalar& start, const Scalar& end, const Scalar& step, TensorOptions options) {
  return make_arange(start, end, step, arange_dtype(start, end, step, options.dtype));
}
Tensor arange(const Scalar& end, TensorOptions options) { return arange_step(0, end, 1, options); }
Tensor arange_start(const Scalar& start, const Scalar& end, TensorOptions options) {
  return arange_step(start, end, 1, options);
}
Tensor arange_step_out(const Scalar& start, const Scalar& end, const Scalar& step, const Tensor& out) {
  return put_out(out, make_arange(start, end, step, out.dtype()));
}
Tensor arange_out(const Scalar& end, const Tensor& out) { return arange_step_out(0, end, 1, out); }

Tensor range_step(const Scalar& start, const Scalar& end, const Scalar& step, TensorOptions options) {
  return make_range(start, end, step, options.dtype_or(kDefaultDType));
}
Tensor range(const Scalar& start, const Scalar& end, TensorOptions options) {
  return range_step(start, end, 1, options);
}
Tensor range_step_out(const Scalar& start, const Scalar& end, const Scalar& step, const Tensor& out) {
  return put_out(out, make_range(start, end, step, out.dtype()));
}
Tensor range_out(const Scalar& start, const Scalar& end, const Tensor& out) {
  return range_step_out(start, end, 1, out);
}

Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps, TensorOptions options) {
  return make_linspace(start, end, steps, space_dtype(start, end, options.dtype));
}
Tensor linspace_out(const Scalar& start, const Scalar& end, int64_t steps, const Tensor& out) {
  return put_out(out, make_linspace(start, end, steps, out.dtype()));
}
Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base, TensorOptions options) {
  return make_logspace(start, end, steps, base, space_dtype(start, end, options.dtype));
}
Tensor logspace_out(const Scalar& start, const Scalar& end, int64_t steps, double base, const Tensor& out) {
  return put_out(out, make_logspace(start, end, steps, base, out.dtype()));
}

namespace {

Scalar bound(const Tensor& t) {
  WICK_CHECK(t.dim() == 0, kShapeMismatch,
             "linspace and logspace only support 0-dimensional start and end tensors, got ", t.dim(), " dimension(s).");
  return t.item();
}

}  // namespace

Tensor linspace_tensors(const Tensor& start, const Tensor& end, int64_t steps, TensorOptions options) {
  return linspace(bound(start), bound(end), steps, options);
}
Tensor linspace_tensors_out(const Tensor& start, const Tensor& end, int64_t steps, const Tensor& out) {
  return linspace_out(bound(start), bound(end), steps, out);
}
Tensor linspace_from_tensor(const Tensor& start, const Scalar& end, int64_t steps, TensorOptions options) {
  return linspace(bound(start), end, steps, options);
}
Tensor linspace_from_tensor_out(const Tensor& start, const Scalar& end, int64_t steps, const Tensor& out) {
  return linspace_out(bound(start), end, steps, out);
}
Tensor linspace_to_tensor(const Scalar& start, const Tensor& end, int64_t steps, TensorOptions options) {
  return linspace(start, bound(end), steps, options);
}
Tensor linspace_to_tensor_out(const Scalar& start, const Tensor& end, int64_t steps, const Tensor& out) {
  return linspace_out(start, bound(end), steps, out);
}
Tensor logspace_tensors(const Tensor& start, const Tensor& end, int64_t steps, double base, TensorOptions options) {
  return logspace(bound(start), bound(end), steps, base, options);
}
Tensor logspace_tensors_out(const Tensor& start, const Tensor& end, int64_t steps, double base, const Tensor& out) {
  return logspace_out(bound(start), bound(end), steps, base, out);
}
Tensor logspace_from_tensor(const Tensor& start, const Scalar& end, int64_t steps, double base, TensorOptions options) {
  return logspace(bound(start), end, steps, base, options);
}
Tensor logspace_from_tensor_out(const Tensor& start, const Scalar& end, int64_t steps, double base, const Tensor& out) {
  return logspace_out(bound(start), end, steps, base, out);
}
Tensor logspace_to_tensor(const Scalar& start, const Tensor& end, int64_t steps, double base, TensorOptions options) {
  return logspace(start, bound(end), steps, base, options);
}
Tensor logspace_to_tensor_out(const Scalar& start, const Tensor& end, int64_t steps, double base, const Tensor& out) {
  return logspace_out(start, bound(end), steps, base, out);
}

}  // namespace wick::ops
