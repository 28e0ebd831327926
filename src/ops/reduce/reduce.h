// Reductions and scans as C++ functions.
#pragma once

#include <optional>
#include <string_view>
#include <tuple>

#include "ops/boxing.h"
#include "wick/tensor.h"

namespace wick::ops {

using OptDims = std::optional<IntVec>;
using OptDType = std::optional<DType>;
using OptScalar = std::optional<Scalar>;

// Sums
Tensor sum(const Tensor& self, OptDType dtype = {});
Tensor sum_dims(const Tensor& self, const OptDims& dims, bool keepdim = false, OptDType dtype = {});
Tensor nansum(const Tensor& self, const OptDims& dims = {}, bool keepdim = false, OptDType dtype = {});
Tensor mean(const Tensor& self, OptDType dtype = {});
Tensor mean_dims(const Tensor& self, const OptDims& dims, bool keepdim = false, OptDType dtype = {});
Tensor nanmean(const Tensor& self, const OptDims& dims = {}, bool keepdim = false, OptDType dtype = {});
Tensor prod(const Tensor& self, OptDType dtype = {});
Tensor prod_dim(const Tensor& self, int64_t dim, bool keepdim = false, OptDType dtype = {});
Tensor sum_to_size(const Tensor& self, IntSpan size);
Tensor count_nonzero(const Tensor& self, IntSpan dims);
Tensor count_nonzero_dim(const Tensor& self, std::optional<int64_t> dim);
Tensor trace(const Tensor& self);

// Truth
Tensor all(const Tensor& self);
Tensor all_dim(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor all_dims(const Tensor& self, const OptDims& dims, bool keepdim = false);
Tensor any(const Tensor& self);
Tensor any_dim(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor any_dims(const Tensor& self, const OptDims& dims, bool keepdim = false);

// Extremes
Tensor max(const Tensor& self);
Tensor min(const Tensor& self);
std::tuple<Tensor, Tensor> max_dim(const Tensor& self, int64_t dim, bool keepdim = false);
std::tuple<Tensor, Tensor> min_dim(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor amax(const Tensor& self, IntSpan dims = {}, bool keepdim = false);
Tensor amin(const Tensor& self, IntSpan dims = {}, bool keepdim = false);
std::tuple<Tensor, Tensor> aminmax(const Tensor& self, std::optional<int64_t> dim = {}, bool keepdim = false);
std::tuple<Tensor, Tensor> aminmax_all(const Tensor& self);
std::tuple<Tensor, Tensor> aminmax_dim(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor argmax(const Tensor& self, std::optional<int64_t> dim = {}, bool keepdim = false);
Tensor argmin(const Tensor& self, std::optional<int64_t> dim = {}, bool keepdim = false);

// Moments
Tensor var(const Tensor& self, bool unbiased = true);
Tensor var_dims(const Tensor& self, const OptDims& dims, bool unbiased = true, bool keepdim = false);
Tensor var_correction(const Tensor& self, const OptDims& dims, const OptScalar& correction, bool keepdim = false);
Tensor stddev(const Tensor& self, bool unbiased = true);
Tensor stddev_dims(const Tensor& self, const OptDims& dims, bool unbiased = true, bool keepdim = false);
Tensor stddev_correction(const Tensor& self, const OptDims& dims, const OptScalar& correction, bool keepdim = false);
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, bool unbiased = true);
std::tuple<Tensor, Tensor> var_mean_dims(const Tensor& self, const OptDims& dims, bool unbiased = true,
                                         bool keepdim = false);
std::tuple<Tensor, Tensor> var_mean_correction(const Tensor& self, const OptDims& dims, const OptScalar& correction,
                                               bool keepdim = false);
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, bool unbiased = true);
std::tuple<Tensor, Tensor> std_mean_dims(const Tensor& self, const OptDims& dims, bool unbiased = true,
                                         bool keepdim = false);
std::tuple<Tensor, Tensor> std_mean_correction(const Tensor& self, const OptDims& dims, const OptScalar& correction,
                                               bool keepdim = false);

Tensor cov(const Tensor& self, int64_t correction, const OptTensor& fweights, const OptTensor& aweights);
Tensor corrcoef(const Tensor& self);

// Norms
Tensor vector_norm(const Tensor& self, const Scalar& ord = 2, const OptDims& dims = {}, bool keepdim = false,
                   OptDType dtype = {});
Tensor norm(const Tensor& self, const Scalar& p = 2);
Tensor norm_dtype(const Tensor& self, const std::optional<Scalar>& p, DType dtype);
Tensor norm_dims(const Tensor& self, const std::optional<Scalar>& p, IntSpan dims, bool keepdim = false);
Tensor norm_dims_dtype(const Tensor& self, const std::optional<Scalar>& p, IntSpan dims, bool keepdim, DType dtype);
Tensor linalg_norm(const Tensor& self, const std::optional<Scalar>& ord, const OptDims& dims, bool keepdim = false,
                   OptDType dtype = {});
Tensor linalg_norm_named(const Tensor& self, std::string_view ord, const OptDims& dims, bool keepdim = false,
                         OptDType dtype = {});
Tensor linalg_matrix_norm(const Tensor& self, const Scalar& ord, IntSpan dims, bool keepdim = false,
                          OptDType dtype = {});
Tensor linalg_matrix_norm_named(const Tensor& self, std::string_view ord, IntSpan dims, bool keepdim = false,
                                OptDType dtype = {});
Tensor frobenius_norm(const Tensor& self);
Tensor frobenius_norm_dims(const Tensor& self, IntSpan dims, bool keepdim = false);
Tensor logsumexp(const Tensor& self, IntSpan dims, bool keepdim = false);

// Quantiles; interpolation: "linear", "lower", "higher", "midpoint" or "nearest"
Tensor quantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                std::string_view interpolation);
Tensor quantile_scalar(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                       std::string_view interpolation);
Tensor nanquantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                   std::string_view interpolation);
Tensor nanquantile_scalar(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                          std::string_view interpolation);

// Scans
Tensor cumsum(const Tensor& self, int64_t dim, OptDType dtype = {}, Out out = {});
Tensor cumprod(const Tensor& self, int64_t dim, OptDType dtype = {}, Out out = {});
std::tuple<Tensor, Tensor> cummax(const Tensor& self, int64_t dim);
std::tuple<Tensor, Tensor> cummin(const Tensor& self, int64_t dim);
Tensor logcumsumexp(const Tensor& self, int64_t dim);
Tensor diff(const Tensor& self, int64_t n = 1, int64_t dim = -1, const OptTensor& prepend = {},
            const OptTensor& append = {});
Tensor trapezoid_dx(const Tensor& y, const Scalar& dx = 1, int64_t dim = -1);
Tensor trapezoid_x(const Tensor& y, const Tensor& x, int64_t dim = -1);
Tensor trapz_dx(const Tensor& y, double dx = 1, int64_t dim = -1);
Tensor trapz_x(const Tensor& y, const Tensor& x, int64_t dim = -1);
Tensor cumulative_trapezoid_dx(const Tensor& y, const Scalar& dx = 1, int64_t dim = -1);
Tensor cumulative_trapezoid_x(const Tensor& y, const Tensor& x, int64_t dim = -1);

// Derivatives along dims: spacing is one number, a number a dim, or the coordinates along each dim.
TensorList gradient(const Tensor& self, const OptScalar& spacing, std::optional<int64_t> dim, int64_t edge_order);
TensorList gradient_dims(const Tensor& self, IntSpan dims, int64_t edge_order);
TensorList gradient_spacing_dims(const Tensor& self, const Scalar& spacing, IntSpan dims, int64_t edge_order);
TensorList gradient_spacings(const Tensor& self, ListImpl& spacing, std::optional<int64_t> dim, int64_t edge_order);
TensorList gradient_spacings_dims(const Tensor& self, ListImpl& spacing, IntSpan dims, int64_t edge_order);
TensorList gradient_coordinates(const Tensor& self, const TensorList& spacing, std::optional<int64_t> dim,
                                int64_t edge_order);
TensorList gradient_coordinates_dims(const Tensor& self, const TensorList& spacing, IntSpan dims, int64_t edge_order);

// Reduces runs of `data` along the last dim of lengths (or of offsets, which hold one more); reduce: "sum", "mean",
// "max", "min" or "prod".
Tensor segment_reduce(const Tensor& data, std::string_view reduce, const OptTensor& lengths, const OptTensor& indices,
                      const OptTensor& offsets, int64_t axis, bool unsafe, const OptScalar& initial);

}  // namespace wick::ops
