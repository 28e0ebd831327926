// The operator list of reductions. Schemas are PyTorch's own text.
#include "ops/families.h"
#include "ops/reduce/reduce.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", sum, shapes_only),
    OP_OUT("aten::sum.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", sum, shapes_only),
    OP("aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
       sum_dims, shapes_only),
    OP_OUT("aten::sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) "
           "out) -> Tensor(a!)",
           sum_dims, shapes_only),
    OP("aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", nansum,
       deterministic),
    OP_OUT("aten::nansum.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) "
           "out) -> Tensor(a!)",
           nansum, deterministic),
    OP_OUT("aten::mean.dtype_out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", mean,
           shapes_only),
    OP("aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", mean, shapes_only, rounds_once, keeps_qparams),
    OP("aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", mean_dims,
       shapes_only, rounds_once, keeps_qparams),
    OP_OUT("aten::mean.out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> "
           "Tensor(a!)",
           mean_dims, shapes_only),
    OP("aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", nanmean,
       deterministic),
    OP_OUT("aten::nanmean.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) "
           "out) -> Tensor(a!)",
           nanmean, deterministic),
    OP("aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", prod, shapes_only),
    OP_OUT("aten::prod.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", prod, shapes_only),
    OP("aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", prod_dim,
       shapes_only),
    OP_OUT("aten::prod.int_out(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> "
           "Tensor(a!)",
           prod_dim, shapes_only),
    OP("aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", count_nonzero, deterministic),
    OP_OUT("aten::count_nonzero.dim_IntList_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)",
           count_nonzero, deterministic),
    OP("aten::count_nonzero(Tensor self, int? dim=None) -> Tensor", count_nonzero_dim, deterministic),
    OP_OUT("aten::count_nonzero.out(Tensor self, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)", count_nonzero_dim,
           deterministic),
    OP("aten::sum_to_size(Tensor self, int[] size) -> Tensor", sum_to_size, may_alias),
    OP("aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor", cov,
       deterministic),
    OP("aten::corrcoef(Tensor self) -> Tensor", corrcoef, deterministic),
    OP("aten::trace(Tensor self) -> Tensor", trace, deterministic),
    OP_OUT("aten::trace.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", trace, deterministic),
    OP("aten::_is_all_true(Tensor self) -> Tensor", all, deterministic),
    OP("aten::_is_any_true(Tensor self) -> Tensor", any, deterministic),
    OP("aten::all(Tensor self) -> Tensor", all, deterministic),
    OP_OUT("aten::all.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", all, deterministic),
    OP("aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", all_dim, deterministic),
    OP("aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", all_dims, deterministic),
    OP_OUT("aten::all.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
           all_dims, deterministic),
    OP_OUT("aten::all.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)", all_dim,
           deterministic),
    OP("aten::any(Tensor self) -> Tensor", any, deterministic),
    OP_OUT("aten::any.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", any, deterministic),
    OP("aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", any_dim, deterministic),
    OP("aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", any_dims, deterministic),
    OP_OUT("aten::any.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
           any_dims, deterministic),
    OP_OUT("aten::any.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)", any_dim,
           deterministic),
    OP_OUT("aten::max.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", max, shapes_only),
    OP_OUT("aten::min.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", min, shapes_only),
    OP("aten::max(Tensor self) -> Tensor", max, shapes_only),
    OP("aten::min(Tensor self) -> Tensor", min, shapes_only),
    OP("aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", max_dim,
       shapes_only),
    OP_OUT("aten::max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values) -> "
           "(Tensor(a!) values, Tensor(b!) indices)",
           max_dim, shapes_only),
    OP("aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", min_dim,
       shapes_only),
    OP_OUT("aten::min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!) min_indices) -> "
           "(Tensor(a!) values, Tensor(b!) indices)",
           min_dim, shapes_only),
    OP("aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", amax, shapes_only),
    OP_OUT("aten::amax.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)", amax,
           shapes_only),
    OP("aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", amin, shapes_only),
    OP_OUT("aten::amin.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)", amin,
           shapes_only),
    OP("aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)", aminmax,
       deterministic),
    OP_OUT("aten::aminmax.out(Tensor self, *, int? dim=None, bool keepdim=False, Tensor(a!) min, Tensor(b!) max) -> "
           "(Tensor(a!) min, Tensor(b!) max)",
           aminmax, deterministic),
    OP("aten::_aminmax(Tensor self) -> (Tensor, Tensor)", aminmax_all, deterministic),
    OP_OUT("aten::_aminmax.out(Tensor self, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
           aminmax_all, deterministic),
    OP("aten::_aminmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)", aminmax_dim, deterministic),
    OP_OUT("aten::_aminmax.dim_out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out0, Tensor(b!) out1) -> "
           "(Tensor(a!), Tensor(b!))",
           aminmax_dim, deterministic),
    OP("aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", argmax, shapes_only),
    OP_OUT("aten::argmax.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)", argmax,
           shapes_only),
    OP("aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", argmin, shapes_only),
    OP_OUT("aten::argmin.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)", argmin,
           shapes_only),
    OP("aten::var(Tensor self, bool unbiased=True) -> Tensor", var, shapes_only),
    OP("aten::var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor", var_dims,
       shapes_only),
    OP_OUT("aten::var.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           var_dims, shapes_only),
    OP("aten::var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
       var_correction, shapes_only),
    OP_OUT("aten::var.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, "
           "Tensor(a!) out) -> Tensor(a!)",
           var_correction, shapes_only),
    OP("aten::std(Tensor self, bool unbiased=True) -> Tensor", stddev, shapes_only),
    OP("aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor", stddev_dims,
       shapes_only),
    OP_OUT("aten::std.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           stddev_dims, shapes_only),
    OP("aten::std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
       stddev_correction, shapes_only),
    OP_OUT("aten::std.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, "
           "Tensor(a!) out) -> Tensor(a!)",
           stddev_correction, shapes_only),
    OP("aten::var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", var_mean, shapes_only),
    OP("aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)",
       var_mean_dims, shapes_only),
    OP("aten::var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> "
       "(Tensor, Tensor)",
       var_mean_correction, shapes_only),
    OP_OUT("aten::var_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
           "keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
           var_mean_correction, shapes_only),
    OP("aten::std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", std_mean, deterministic),
    OP("aten::std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)",
       std_mean_dims, deterministic),
    OP("aten::std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> "
       "(Tensor, Tensor)",
       std_mean_correction, deterministic),
    OP_OUT("aten::std_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
           "keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
           std_mean_correction, deterministic),
    OP("aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor", norm, shapes_only),
    OP_OUT("aten::norm.Scalar_out(Tensor self, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)", norm, shapes_only),
    OP("aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor", norm_dtype, shapes_only),
    OP_OUT("aten::norm.ScalarOpt_dtype_out(Tensor self, Scalar? p, *, ScalarType dtype, Tensor(a!) out) -> Tensor(a!)",
           norm_dtype, shapes_only),
    OP("aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor", norm_dims,
       shapes_only),
    OP_OUT("aten::norm.out(Tensor self, Scalar? p, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
           norm_dims, shapes_only),
    OP("aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) -> "
       "Tensor",
       norm_dims_dtype, shapes_only),
    OP_OUT("aten::norm.dtype_out(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype, Tensor(a!) "
           "out) -> Tensor(a!)",
           norm_dims_dtype, shapes_only),
    OP("aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? "
       "dtype=None) -> Tensor",
       vector_norm, shapes_only),
    OP_OUT("aten::linalg_vector_norm.out(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
           "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)",
           vector_norm, shapes_only),
    OP("aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? "
       "dtype=None) -> Tensor",
       linalg_norm, deterministic),
    OP_OUT("aten::linalg_norm.out(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? "
           "dtype=None, Tensor(a!) out) -> Tensor(a!)",
           linalg_norm, deterministic),
    OP("aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? "
       "dtype=None) -> Tensor",
       linalg_norm_named, deterministic),
    OP_OUT("aten::linalg_norm.ord_str_out(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? "
           "dtype=None, Tensor(a!) out) -> Tensor(a!)",
           linalg_norm_named, deterministic),
    OP("aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? "
       "dtype=None) -> Tensor",
       linalg_matrix_norm, deterministic),
    OP_OUT("aten::linalg_matrix_norm.out(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, "
           "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)",
           linalg_matrix_norm, deterministic),
    OP("aten::linalg_matrix_norm.str_ord(Tensor self, str ord='fro', int[] dim=[-2, -1], bool keepdim=False, *, "
       "ScalarType? dtype=None) -> Tensor",
       linalg_matrix_norm_named, deterministic),
    OP_OUT("aten::linalg_matrix_norm.str_ord_out(Tensor self, str ord='fro', int[] dim=[-2, -1], bool keepdim=False, "
           "*, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)",
           linalg_matrix_norm_named, deterministic),
    OP("aten::frobenius_norm(Tensor self) -> Tensor", frobenius_norm, deterministic),
    OP("aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", frobenius_norm_dims,
       deterministic),
    OP_OUT("aten::frobenius_norm.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
           frobenius_norm_dims, deterministic),
    OP("aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", logsumexp, shapes_only),
    OP_OUT("aten::logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
           logsumexp, shapes_only),
    OP("aten::special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", logsumexp, deterministic),
    OP_OUT("aten::special_logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
           logsumexp, deterministic),
    OP("aten::quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> "
       "Tensor",
       quantile, deterministic),
    OP_OUT("aten::quantile.out(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
           "interpolation='linear', Tensor(a!) out) -> Tensor(a!)",
           quantile, deterministic),
    OP("aten::quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') "
       "-> Tensor",
       quantile_scalar, deterministic),
    OP_OUT("aten::quantile.scalar_out(Tensor self, float q, int? dim=None, bool keepdim=False, *, str "
           "interpolation='linear', Tensor(a!) out) -> Tensor(a!)",
           quantile_scalar, deterministic),
    OP("aten::nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> "
       "Tensor",
       nanquantile, deterministic),
    OP_OUT("aten::nanquantile.out(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
           "interpolation='linear', Tensor(a!) out) -> Tensor(a!)",
           nanquantile, deterministic),
    OP("aten::nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str "
       "interpolation='linear') -> Tensor",
       nanquantile_scalar, deterministic),
    OP_OUT("aten::nanquantile.scalar_out(Tensor self, float q, int? dim=None, bool keepdim=False, *, str "
           "interpolation='linear', Tensor(a!) out) -> Tensor(a!)",
           nanquantile_scalar, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kReduceOps, kEntries)

}  // namespace wick
