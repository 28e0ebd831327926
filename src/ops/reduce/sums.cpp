// sum, mean, prod, counts, all and any.
#include "core/copy.h"
#include "kernels/folds.h"
#include "kernels/math.h"
#include "kernels/rows.h"
#include "ops/pointwise/math.h"
#include "ops/pointwise/pointwise.h"
#include "ops/quantize/layers.h"
#include "ops/reduce/fold.h"
#include "ops/reduce/reduce.h"

namespace wick::ops {

namespace {

template <class T, bool kSkipNan>
struct SumOp {
  using Acc = typename WideSum<T>::type;
  static Acc start(const void*) { return Acc(0); }
  static Acc fold(Acc a, T v, int64_t, const void*) {
    if constexpr (kSkipNan) v = v != v ? T(0) : v;
    return wrap_add(a, static_cast<Acc>(v));
  }
  static Acc join(Acc a, Acc b) { return wrap_add(a, b); }
  // ctx: the number of elements to divide by, or null.
  static void finish(void* const* outs, int64_t i, Acc a, const void* ctx) {
    if constexpr (!std::is_integral_v<T>) {
      if (ctx) a /= static_cast<Acc>(*static_cast<const double*>(ctx));
    }
    static_cast<T*>(outs[0])[i] = static_cast<T>(a);
  }
};
template <class T, bool kSkipNan>
using SumFold = Fold<T, typename SumOp<T, kSkipNan>::Acc, SumOp<T, kSkipNan>>;

template <class T>
struct ProdOp {
  static T start(const void*) { return T(1); }
  static T fold(T a, T v, int64_t, const void*) { return wrap_mul(a, v); }
  static T join(T a, T b) { return wrap_mul(a, b); }
  static void finish(void* const* outs, int64_t i, T a, const void*) { static_cast<T*>(outs[0])[i] = a; }
};

template <class T>
struct CountOp {
  static int64_t start(const void*) { return 0; }
  static int64_t fold(int64_t a, T v, int64_t, const void*) { return a + (v != T(0)); }
  static int64_t join(int64_t a, int64_t b) { return a + b; }
  static void finish(void* const* outs, int64_t i, int64_t a, const void*) { static_cast<int64_t*>(outs[0])[i] = a; }
};

template <bool kAll>
struct TruthOp {
  static bool start(const void*) { return kAll; }
  static bool fold(bool a, bool v, int64_t, const void*) { return kAll ? a & v : a | v; }
  static bool join(bool a, bool b) { return kAll ? a & b : a | b; }
  static void finish(void* const* outs, int64_t i, bool a, const void*) { static_cast<bool*>(outs[0])[i] = a; }
};

// The float sum with vectorized rows.
using FloatSum = SumFold<float, false>;
constexpr Reducer kFloatSum{FloatSum::kReducer.acc_size,
                            FloatSum::kReducer.init,
                            [](void* acc, const void* x, int64_t n, int64_t, const void*) {
                              kernels::add_into_f64(static_cast<double*>(acc), static_cast<const float*>(x), n);
                            },
                            [](void* acc, const void* x, int64_t n, int64_t, const void*) {
                              *static_cast<double*>(acc) += kernels::sum_f32(static_cast<const float*>(x), n);
                            },
                            FloatSum::kReducer.merge,
                            FloatSum::kReducer.finish};

// The same of other folds: F with rows that a kernel folds, added (or multiplied) to what there is.
template <class F, class T, auto kAlong, auto kAcross = nullptr>
struct Vectorized {
  using Acc = decltype(kAlong(static_cast<const T*>(nullptr), 0));
  static void along(void* acc, const void* x, int64_t n, int64_t, const void*) {
    const Acc part = kAlong(static_cast<const T*>(x), n);
    F::merge(acc, &part);
  }
  static void across(void* acc, const void* x, int64_t n, int64_t index, const void* ctx) {
    if constexpr (kAcross == nullptr) {
      F::across(acc, x, n, index, ctx);
    } else {
      kAcross(static_cast<Acc*>(acc), static_cast<const T*>(x), n);
    }
  }
  static constexpr Reducer kReducer{sizeof(Acc), &F::init, &across, &along, &F::merge, &F::finish};
};

void add_longs(int64_t* acc, const int64_t* x, int64_t n) { kernels::add_scaled_i64(acc, x, 1, n); }
template <class T>
using ProdFold = Fold<T, T, ProdOp<T>>;

constexpr Reducers kSum{
    &kFloatSum,
    &Vectorized<SumFold<double, false>, double, kernels::sum_f64, kernels::add_into<double>>::kReducer,
    &Vectorized<SumFold<int64_t, false>, int64_t, kernels::sum_i64, add_longs>::kReducer,
    nullptr,
    &SumFold<c64, false>::kReducer,
    &SumFold<c128, false>::kReducer};
constexpr Reducers kNanSum{&Vectorized<SumFold<float, true>, float, kernels::nansum_f32>::kReducer,
                           &SumFold<double, true>::kReducer};
constexpr Reducers kProd{&Vectorized<ProdFold<float>, float, kernels::product_f32>::kReducer,
                         &Vectorized<ProdFold<double>, double, kernels::product_f64>::kReducer,
                         &ProdFold<int64_t>::kReducer,
                         nullptr,
                         &ProdFold<c64>::kReducer,
                         &ProdFold<c128>::kReducer};
constexpr Reducers kCount{
    &Fold<float, int64_t, CountOp<float>>::kReducer,     &Fold<double, int64_t, CountOp<double>>::kReducer,
    &Fold<int64_t, int64_t, CountOp<int64_t>>::kReducer, &Fold<bool, int64_t, CountOp<bool>>::kReducer,
    &Fold<c64, int64_t, CountOp<c64>>::kReducer,         &Fold<c128, int64_t, CountOp<c128>>::kReducer};

// Integers and bools add up in int64 unless told otherwise.
DType sum_type(const Tensor& self, OptDType dtype) {
  if (dtype) return *dtype;
  return is_integral(self.dtype(), true) ? DType::kLong : self.dtype();
}

Tensor reduce(const char* name, const Reducers& reducers, const Tensor& self, const OptDims& dims, bool keepdim,
              DType common, bool divide = false) {
  if (common == DType::kBool) {
    return to_dtype(reduce(name, reducers, to_dtype(self, common), dims, keepdim, DType::kLong), common);
  }
  const Reducer& reducer = reducers.of(common, name);
  const ReducedDims r = reduced_dims(self, dims, keepdim);
  const Tensor out = Tensor::empty(r.kept, common);
  const auto count = static_cast<double>(r.count);
  run_reduction(self, common, r.dims, reducer, divide ? &count : nullptr, {out});
  return out;
}

Tensor mean_of(const Reducers& reducers, const Tensor& self, const OptDims& dims, bool keepdim, OptDType dtype) {
  const DType t = dtype.value_or(self.dtype());
  WICK_CHECK(is_floating(t) || is_complex(t), kTypeMismatch,
             dtype ? "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex "
                     "dtype. Got: "
                   : "mean(): could not infer output dtype. Input dtype must be either a floating point or complex "
                     "dtype. Got: ",
             name_of(t));
  return reduce("mean_cpu", reducers, self, dims, keepdim, t, true);
}

template <bool kAll>
Tensor truth(const Tensor& self, const OptDims& dims, bool keepdim) {
  const ReducedDims r = reduced_dims(self, dims, keepdim);
  const Tensor out = Tensor::empty(r.kept, self.dtype() == DType::kByte ? DType::kByte : DType::kBool);
  const Tensor raw = out.dtype() == DType::kByte ? Tensor::empty(r.kept, DType::kBool) : out;
  run_reduction(self, DType::kBool, r.dims, Fold<bool, bool, TruthOp<kAll>>::kReducer, nullptr, {raw});
  if (!raw.is_same(out)) copy_into(out, raw);
  return out;
}

Tensor truth_of_each(const Tensor& self) {
  const Tensor out = Tensor::empty(self.sizes(), self.dtype() == DType::kByte ? DType::kByte : DType::kBool);
  copy_into(out, to_dtype(self, DType::kBool));
  return out;
}

}  // namespace

Tensor sum(const Tensor& self, OptDType dtype) { return sum_dims(self, std::nullopt, false, dtype); }
Tensor sum_dims(const Tensor& self, const OptDims& dims, bool keepdim, OptDType dtype) {
  return reduce("sum_cpu", kSum, self, dims, keepdim, sum_type(self, dtype));
}
Tensor nansum(const Tensor& self, const OptDims& dims, bool keepdim, OptDType dtype) {
  WICK_CHECK(!is_complex(self.dtype()), kUnsupported, "nansum does not support complex inputs");
  const DType t = sum_type(self, dtype);
  return reduce("nansum_cpu", is_integral(t, true) ? kSum : kNanSum, self, dims, keepdim, t);
}
Tensor mean(const Tensor& self, OptDType dtype) { return mean_dims(self, std::nullopt, false, dtype); }
Tensor mean_dims(const Tensor& self, const OptDims& dims, bool keepdim, OptDType dtype) {
  if (is_quantized(self)) return quantized_mean(self, dims, keepdim);
  return mean_of(kSum, self, dims, keepdim, dtype);
}
Tensor nanmean(const Tensor& self, const OptDims& dims, bool keepdim, OptDType dtype) {
  WICK_CHECK(is_floating(self.dtype()), kTypeMismatch,
             "nanmean(): expected input to have floating point dtype but got ", name_of(self.dtype()));
  const Tensor count = sum_dims(logical_not(isnan(self)), dims, keepdim);
  return div(nansum(self, dims, keepdim, dtype), count);
}

Tensor prod(const Tensor& self, OptDType dtype) {
  return reduce("prod_cpu", kProd, self, std::nullopt, false, sum_type(self, dtype));
}
Tensor prod_dim(const Tensor& self, int64_t dim, bool keepdim, OptDType dtype) {
  return reduce("prod_cpu", kProd, self, IntVec{dim}, keepdim, sum_type(self, dtype));
}

Tensor count_nonzero(const Tensor& self, IntSpan dims) {
  const ReducedDims r = reduced_dims(self, IntVec(dims), false);
  const Tensor out = Tensor::empty(r.kept, DType::kLong);
  run_reduction(self, self.dtype(), r.dims, kCount.of(self.dtype(), "count_nonzero_cpu"), nullptr, {out});
  return out;
}
Tensor count_nonzero_dim(const Tensor& self, std::optional<int64_t> dim) {
  return count_nonzero(self, dim ? IntSpan(&*dim, 1) : IntSpan());
}

Tensor trace(const Tensor& self) {
  WICK_CHECK(self.dim() == 2, kShapeMismatch, "trace: expected a matrix, but got tensor with dim ", self.dim());
  const int64_t n = std::min(self.sizes()[0], self.sizes()[1]);
  return sum(self.as_strided({n}, {self.strides()[0] + self.strides()[1]}, self.storage_offset()));
}

Tensor all(const Tensor& self) { return truth<true>(self, std::nullopt, false); }
Tensor all_dim(const Tensor& self, int64_t dim, bool keepdim) { return truth<true>(self, IntVec{dim}, keepdim); }
// No dims, unlike none given: nothing is reduced.
Tensor all_dims(const Tensor& self, const OptDims& dims, bool keepdim) {
  return dims && dims->empty() ? truth_of_each(self) : truth<true>(self, dims, keepdim);
}
Tensor any(const Tensor& self) { return truth<false>(self, std::nullopt, false); }
Tensor any_dim(const Tensor& self, int64_t dim, bool keepdim) { return truth<false>(self, IntVec{dim}, keepdim); }
Tensor any_dims(const Tensor& self, const OptDims& dims, bool keepdim) {
  return dims && dims->empty() ? truth_of_each(self) : truth<false>(self, dims, keepdim);
}

}  // namespace wick::ops
