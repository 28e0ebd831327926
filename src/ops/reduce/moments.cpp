// Variance and standard deviation.
#include <cmath>

#include "core/tensor_impl.h"
#include "ops/pointwise/pointwise.h"
#include "ops/quantize/layers.h"
#include "ops/reduce/fold.h"
#include "ops/reduce/reduce.h"

namespace wick::ops {

namespace {

// Sums of differences to the first element: no cancellation when the mean is large.
struct Spread {
  double origin, sum, squares, count;
};

struct SpreadContext {
  double correction;
  bool root;
};

template <class T>
struct SpreadOp {
  static Spread start(const void*) { return {0, 0, 0, 0}; }
  static Spread fold(Spread a, T v, int64_t, const void*) {
    const auto x = static_cast<double>(v);
    if (a.count == 0) a.origin = x;
    const double d = x - a.origin;
    return {a.origin, a.sum + d, a.squares + d * d, a.count + 1};
  }
  static Spread join(Spread a, Spread b) {
    if (b.count == 0) return a;
    if (a.count == 0) return b;
    const double shift = b.origin - a.origin;
    return {a.origin, a.sum + b.sum + b.count * shift,
            a.squares + b.squares + 2 * shift * b.sum + b.count * shift * shift, a.count + b.count};
  }
  static void finish(void* const* outs, int64_t i, Spread a, const void* ctx) {
    const auto& c = *static_cast<const SpreadContext*>(ctx);
    const double mean = a.sum / a.count;
    const double spread = a.squares - a.sum * mean;
    const double left = a.count - c.correction;
    // Nothing left to divide by: infinite, or NaN for a single value or none.
    const double v = (spread < 0 ? 0.0 : spread) / (left > 0 ? left : 0.0);
    static_cast<T*>(outs[0])[i] = static_cast<T>(c.root ? std::sqrt(v) : v);
    if (outs[1]) static_cast<T*>(outs[1])[i] = static_cast<T>(a.origin + mean);
  }
};

constexpr Reducers kSpread{&Fold<float, Spread, SpreadOp<float>>::kReducer,
                           &Fold<double, Spread, SpreadOp<double>>::kReducer};

std::tuple<Tensor, Tensor> spread(const char* name, const Tensor& self, const OptDims& dims, double correction,
                                  bool keepdim, bool root, bool with_mean) {
  WICK_CHECK(is_floating(self.dtype()) || is_complex(self.dtype()), kTypeMismatch, name,
             " only support floating point and complex dtypes");
  const ReducedDims r = reduced_dims(self, dims, keepdim);
  const SpreadContext ctx{correction, root};
  const Tensor out = Tensor::empty(r.kept, to_real(self.dtype()));
  if (is_complex(self.dtype())) {
    // The spread of a complex number is that of its parts, added.
    IntVec strides(self.strides());
    for (int64_t& s : strides) s *= 2;
    const auto part = [&](int64_t k) {
      Tensor view = self.alias();
      view.impl()->dtype = to_real(self.dtype());
      view.impl()->strides = strides;
      view.impl()->offset = self.storage_offset() * 2 + k;
      return std::get<0>(spread(name, view, dims, correction, keepdim, false, false));
    };
    const Tensor total = add(part(0), part(1));
    return {root ? sqrt(total) : total, with_mean ? mean_dims(self, dims, keepdim) : Tensor()};
  }
  const Reducer& reducer = kSpread.of(self.dtype(), "std_cpu");
  if (!with_mean) {
    run_reduction(self, self.dtype(), r.dims, reducer, &ctx, {out});
    return {out, Tensor()};
  }
  const Tensor mean = Tensor::empty(r.kept, self.dtype());
  run_reduction(self, self.dtype(), r.dims, reducer, &ctx, {out, mean});
  return {out, mean};
}

double correction_of(const OptScalar& given) { return given ? given->to_double() : 1; }
// unbiased=True is a correction of one.
Scalar correction_of(bool unbiased) { return Scalar(static_cast<int64_t>(unbiased)); }

constexpr const char* kStdVar = "std and var";
constexpr const char* kStdVarMean = "std_mean and var_mean";

}  // namespace

Tensor var(const Tensor& self, bool unbiased) {
  return var_correction(self, std::nullopt, correction_of(unbiased), false);
}
Tensor var_dims(const Tensor& self, const OptDims& dims, bool unbiased, bool keepdim) {
  return var_correction(self, dims, correction_of(unbiased), keepdim);
}
Tensor var_correction(const Tensor& self, const OptDims& dims, const OptScalar& correction, bool keepdim) {
  return std::get<0>(spread(kStdVar, self, dims, correction_of(correction), keepdim, false, false));
}
Tensor stddev(const Tensor& self, bool unbiased) {
  return stddev_correction(self, std::nullopt, correction_of(unbiased), false);
}
Tensor stddev_dims(const Tensor& self, const OptDims& dims, bool unbiased, bool keepdim) {
  return stddev_correction(self, dims, correction_of(unbiased), keepdim);
}
Tensor stddev_correction(const Tensor& self, const OptDims& dims, const OptScalar& correction, bool keepdim) {
  if (is_quantized(self)) return quantized_std(self, dims, correction, keepdim);
  return std::get<0>(spread(kStdVar, self, dims, correction_of(correction), keepdim, true, false));
}

std::tuple<Tensor, Tensor> var_mean(const Tensor& self, bool unbiased) {
  return var_mean_correction(self, std::nullopt, correction_of(unbiased), false);
}
std::tuple<Tensor, Tensor> var_mean_dims(const Tensor& self, const OptDims& dims, bool unbiased, bool keepdim) {
  return var_mean_correction(self, dims, correction_of(unbiased), keepdim);
}
std::tuple<Tensor, Tensor> var_mean_correction(const Tensor& self, const OptDims& dims, const OptScalar& correction,
                                               bool keepdim) {
  return spread(kStdVarMean, self, dims, correction_of(correction), keepdim, false, true);
}
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, bool unbiased) {
  return std_mean_correction(self, std::nullopt, correction_of(unbiased), false);
}
std::tuple<Tensor, Tensor> std_mean_dims(const Tensor& self, const OptDims& dims, bool unbiased, bool keepdim) {
  return std_mean_correction(self, dims, correction_of(unbiased), keepdim);
}
std::tuple<Tensor, Tensor> std_mean_correction(const Tensor& self, const OptDims& dims, const OptScalar& correction,
                                               bool keepdim) {
  return spread(kStdVarMean, self, dims, correction_of(correction), keepdim, true, true);
}

}  // namespace wick::ops
