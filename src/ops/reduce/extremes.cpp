// max, min, amax, amin, argmax, argmin.
#include "core/copy.h"
#include "kernels/folds.h"
#include "kernels/math.h"
#include "ops/pointwise/math.h"
#include "ops/quantize/layers.h"
#include "ops/reduce/fold.h"
#include "ops/reduce/reduce.h"

namespace wick::ops {

namespace {

template <class T>
bool is_nan(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return v != v;
  else
    return false;
}

template <class T, bool kMax>
struct ExtremeOp {
  static T start(const void*) {
    if constexpr (std::is_floating_point_v<T>) {
      return kMax ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
    } else {
      return kMax ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    }
  }
  static T fold(T a, T v, int64_t, const void*) { return kMax ? nan_max(a, v) : nan_min(a, v); }
  static T join(T a, T b) { return kMax ? nan_max(a, b) : nan_min(a, b); }
  static void finish(void* const* outs, int64_t i, T a, const void*) { static_cast<T*>(outs[0])[i] = a; }
};

template <class T>
struct Located {
  T value;
  int64_t index;  // -1: nothing seen yet
};

// The first of equal elements wins; NaN beats everything.
template <class T, bool kMax>
struct LocatedOp {
  using Acc = Located<T>;
  static Acc start(const void*) { return {T(0), -1}; }
  static bool better(T v, T a) { return kMax ? v > a : v < a; }
  static Acc fold(Acc a, T v, int64_t index, const void*) {
    const bool take = a.index < 0 || (!is_nan(a.value) && (is_nan(v) || better(v, a.value)));
    return take ? Acc{v, index} : a;
  }
  static Acc join(Acc a, Acc b) {
    if (b.index < 0) return a;
    if (a.index < 0) return b;
    if (is_nan(a.value) != is_nan(b.value)) return is_nan(a.value) ? a : b;
    if (!is_nan(a.value) && better(a.value, b.value)) return a;
    if (!is_nan(a.value) && better(b.value, a.value)) return b;
    return a.index < b.index ? a : b;
  }
  // outs: indices, then values when asked for.
  static void finish(void* const* outs, int64_t i, Acc a, const void*) {
    static_cast<int64_t*>(outs[0])[i] = a.index;
    if (outs[1]) static_cast<T*>(outs[1])[i] = a.value;
  }
};

template <class T, bool kMax>
using ExtremeFold = Fold<T, T, ExtremeOp<T, kMax>>;
template <class T, bool kMax>
using LocatedFold = Fold<T, Located<T>, LocatedOp<T, kMax>>;

// The float extreme with vectorized rows.
template <bool kMax>
constexpr Reducer kFloatExtreme{sizeof(float),
                                ExtremeFold<float, kMax>::kReducer.init,
                                [](void* acc, const void* x, int64_t n, int64_t, const void*) {
                                  void* const p[] = {acc, acc, const_cast<void*>(x)};
                                  kMax ? kernels::maximum_f32(p, n, nullptr) : kernels::minimum_f32(p, n, nullptr);
                                },
                                [](void* acc, const void* x, int64_t n, int64_t, const void*) {
                                  float* a = static_cast<float*>(acc);
                                  const float* v = static_cast<const float*>(x);
                                  *a = kMax ? nan_max(*a, kernels::max_of_f32(v, n))
                                            : nan_min(*a, kernels::min_of_f32(v, n));
                                },
                                ExtremeFold<float, kMax>::kReducer.merge,
                                ExtremeFold<float, kMax>::kReducer.finish};

template <bool kMax>
void double_extreme_along(void* acc, const void* x, int64_t n, int64_t, const void*) {
  double* a = static_cast<double*>(acc);
  const double* v = static_cast<const double*>(x);
  *a = kMax ? nan_max(*a, kernels::max_of_f64(v, n)) : nan_min(*a, kernels::min_of_f64(v, n));
}
template <bool kMax>
constexpr Reducer kDoubleExtreme{sizeof(double),
                                 ExtremeFold<double, kMax>::kReducer.init,
                                 ExtremeFold<double, kMax>::kReducer.across,
                                 &double_extreme_along<kMax>,
                                 ExtremeFold<double, kMax>::kReducer.merge,
                                 ExtremeFold<double, kMax>::kReducer.finish};

template <bool kMax>
constexpr Reducers kExtreme{&kFloatExtreme<kMax>, &kDoubleExtreme<kMax>, &ExtremeFold<int64_t, kMax>::kReducer,
                            &ExtremeFold<bool, kMax>::kReducer};
// The row's extreme first, then where it is: both are loops without a choice to make.
template <class T, bool kMax>
void locate_along(void* acc, const void* x, int64_t n, int64_t index, const void* ctx) {
  if (n == 0) return;
  const T* v = static_cast<const T*>(x);
  T best = ExtremeOp<T, kMax>::start(ctx);
  if constexpr (std::is_same_v<T, float>) {
    kFloatExtreme<kMax>.along(&best, x, n, index, ctx);
  } else if constexpr (std::is_same_v<T, double>) {
    double_extreme_along<kMax>(&best, x, n, index, ctx);
  } else {
    ExtremeFold<T, kMax>::along(&best, x, n, index, ctx);
  }
  int64_t at = 0;
  if (is_nan(best)) {
    while (at < n - 1 && !is_nan(v[at])) ++at;
  } else {
    while (at < n - 1 && v[at] != best) ++at;
  }
  Located<T>& a = *static_cast<Located<T>*>(acc);
  a = LocatedOp<T, kMax>::fold(a, best, index + at, ctx);
}
template <class T, bool kMax>
constexpr Reducer kLocatedOf{LocatedFold<T, kMax>::kReducer.acc_size, LocatedFold<T, kMax>::kReducer.init,
                             LocatedFold<T, kMax>::kReducer.across,   &locate_along<T, kMax>,
                             LocatedFold<T, kMax>::kReducer.merge,    LocatedFold<T, kMax>::kReducer.finish};
template <bool kMax>
constexpr Reducers kLocated{&kLocatedOf<float, kMax>, &kLocatedOf<double, kMax>, &kLocatedOf<int64_t, kMax>,
                            &kLocatedOf<bool, kMax>};

// Every reduced dim must have elements: there is no extreme of nothing.
void check_dims_not_empty(const char* name, const Tensor& self, IntSpan dims) {
  for (int64_t d : dims) {
    if (self.dim() == 0) continue;
    WICK_CHECK(self.sizes()[static_cast<size_t>(d)] != 0, kIndexOutOfRange, name, ": Expected reduction dim ", d,
               " to have non-zero size.");
  }
}

void check_not_empty(const char* name, const Tensor& self) {
  WICK_CHECK(
      self.numel() != 0, kInvalidArgument, name,
      ": Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' "
      "argument.");
}

template <bool kMax>
Tensor extreme_all(const Tensor& self) {
  const char* name = kMax ? "max()" : "min()";
  check_not_empty(name, self);
  const Reducer& reducer = kExtreme<kMax>.of(self.dtype(), kMax ? "max_all" : "min_all");
  const ReducedDims r = reduced_dims(self, std::nullopt, false);
  const Tensor out = Tensor::empty({}, self.dtype());
  run_reduction(self, self.dtype(), r.dims, reducer, nullptr, {out});
  return out;
}

template <bool kMax>
std::tuple<Tensor, Tensor> extreme_dim(const Tensor& self, int64_t dim, bool keepdim) {
  const char* name = kMax ? "max()" : "min()";
  WICK_CHECK(!is_complex(self.dtype()), kUnsupported, kMax ? "max" : "min", "(): does not support complex input");
  const ReducedDims r = reduced_dims(self, IntVec{dim}, keepdim);
  check_dims_not_empty(name, self, r.dims);
  const Tensor values = Tensor::empty(r.kept, self.dtype()), indices = Tensor::empty(r.kept, DType::kLong);
  run_reduction(self, self.dtype(), r.dims, kLocated<kMax>.of(self.dtype(), kMax ? "max_cpu" : "min_cpu"), nullptr,
                {indices, values});
  return {values, indices};
}

template <bool kMax>
Tensor extreme_dims(const Tensor& self, IntSpan dims, bool keepdim) {
  const char* name = kMax ? "amax()" : "amin()";
  const ReducedDims r = reduced_dims(self, IntVec(dims), keepdim);
  if (self.numel() == 0) {
    if (dims.empty()) check_not_empty(name, self);
    check_dims_not_empty(name, self, r.dims);
  }
  const Tensor out = Tensor::empty(r.kept, self.dtype());
  run_reduction(self, self.dtype(), r.dims, kExtreme<kMax>.of(self.dtype(), kMax ? "amax_cpu" : "amin_cpu"), nullptr,
                {out});
  return out;
}

template <bool kMax>
Tensor arg_extreme(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  const char* name = kMax ? "argmax()" : "argmin()";
  const Reducer& reducer = kLocated<kMax>.of(self.dtype(), kMax ? "argmax_cpu" : "argmin_cpu");
  check_dtype(self.dtype() != DType::kBool, kMax ? "argmax_cpu" : "argmin_cpu", self.dtype());
  if (!dim) {
    check_not_empty(name, self);
    const Tensor flat = contiguous(self).as_strided({self.numel()}, {1}, contiguous(self).storage_offset());
    const Tensor out = Tensor::empty(keepdim ? IntVec(static_cast<size_t>(self.dim()), 1) : IntVec(), DType::kLong);
    run_reduction(flat, self.dtype(), {0}, reducer, nullptr, {out});
    return out;
  }
  const ReducedDims r = reduced_dims(self, IntVec{*dim}, keepdim);
  check_dims_not_empty(name, self, r.dims);
  const Tensor out = Tensor::empty(r.kept, DType::kLong);
  run_reduction(self, self.dtype(), r.dims, reducer, nullptr, {out});
  return out;
}

}  // namespace

Tensor max(const Tensor& self) { return is_quantized(self) ? quantized_extreme(self, true) : extreme_all<true>(self); }
Tensor min(const Tensor& self) {
  return is_quantized(self) ? quantized_extreme(self, false) : extreme_all<false>(self);
}
std::tuple<Tensor, Tensor> max_dim(const Tensor& self, int64_t dim, bool keepdim) {
  if (is_quantized(self)) return quantized_extreme_dim(self, dim, keepdim, true);
  return extreme_dim<true>(self, dim, keepdim);
}
std::tuple<Tensor, Tensor> min_dim(const Tensor& self, int64_t dim, bool keepdim) {
  if (is_quantized(self)) return quantized_extreme_dim(self, dim, keepdim, false);
  return extreme_dim<false>(self, dim, keepdim);
}
Tensor amax(const Tensor& self, IntSpan dims, bool keepdim) { return extreme_dims<true>(self, dims, keepdim); }
Tensor amin(const Tensor& self, IntSpan dims, bool keepdim) { return extreme_dims<false>(self, dims, keepdim); }

std::tuple<Tensor, Tensor> aminmax(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  if (!dim) {
    WICK_CHECK(self.numel() != 0, kInvalidArgument,
               "aminmax(): cannot compute aminmax over an empty dimension as the "
               "operation has no identity.");
    return {extreme_dims<false>(self, {}, keepdim), extreme_dims<true>(self, {}, keepdim)};
  }
  const int64_t d = wrap_dim(*dim, self.dim());
  check_dims_not_empty("aminmax", self, {d});
  // A kept dim of a zero-dim tensor is a dim in PyTorch.
  if (self.dim() == 0 && keepdim) return aminmax(self.as_strided({1}, {1}, self.storage_offset()), 0, true);
  return {extreme_dims<false>(self, {d}, keepdim), extreme_dims<true>(self, {d}, keepdim)};
}
std::tuple<Tensor, Tensor> aminmax_all(const Tensor& self) { return aminmax(self, std::nullopt, false); }
std::tuple<Tensor, Tensor> aminmax_dim(const Tensor& self, int64_t dim, bool keepdim) {
  return aminmax(self, dim, keepdim);
}

Tensor argmax(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  return arg_extreme<true>(self, dim, keepdim);
}
Tensor argmin(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  return arg_extreme<false>(self, dim, keepdim);
}

}  // namespace wick::ops
