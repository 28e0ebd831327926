// Operators that read or write elements chosen by index tensors. Every index is checked before it is used.
#pragma once

#include "ops/boxing.h"
#include "wick/tensor.h"

namespace wick::ops {

// Advanced indexing; an absent entry stands for a whole dimension.
Tensor index(const Tensor& self, const OptTensorList& indices);
Tensor index_list(const Tensor& self, const TensorList& indices);
Tensor index_put(const Tensor& self, const OptTensorList& indices, const Tensor& values, bool accumulate);
Tensor index_put_inplace(const Tensor& self, const OptTensorList& indices, const Tensor& values, bool accumulate);
Tensor index_put_list(const Tensor& self, const TensorList& indices, const Tensor& values, bool accumulate);
Tensor index_put_list_inplace(const Tensor& self, const TensorList& indices, const Tensor& values, bool accumulate);
Tensor index_put_impl(const Tensor& self, const OptTensorList& indices, const Tensor& values, bool accumulate,
                      bool unsafe);
Tensor index_put_impl_inplace(const Tensor& self, const OptTensorList& indices, const Tensor& values, bool accumulate,
                              bool unsafe);
Tensor index_put_impl_list_inplace(const Tensor& self, const TensorList& indices, const Tensor& values, bool accumulate,
                                   bool unsafe);

// Where the mask is false: `fill`, or nothing is added; the indices there may be anything.
Tensor masked_index(const Tensor& self, const Tensor& mask, const OptTensorList& indices, const Scalar& fill);
Tensor masked_index_put_accumulate(const Tensor& self, const Tensor& mask, const OptTensorList& indices,
                                   const Tensor& values);

Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index);
Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha,
                 Out out = {});
Tensor index_copy(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, Out out = {});
Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, Out out = {});
Tensor index_fill_tensor(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& value, Out out = {});
Tensor index_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                    bool include_self, Out out = {});

Tensor gather(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad);
Tensor scatter_src(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, Out out = {});
Tensor scatter_value(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, Out out = {});
Tensor scatter_src_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                          std::string_view reduce, Out out = {});
Tensor scatter_value_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
                            std::string_view reduce, Out out = {});
Tensor scatter_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, Out out = {});
Tensor scatter_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce,
                      bool include_self, Out out = {});

Tensor take(const Tensor& self, const Tensor& index);
Tensor take_along_dim(const Tensor& self, const Tensor& indices, std::optional<int64_t> dim);
Tensor put(const Tensor& self, const Tensor& index, const Tensor& source, bool accumulate, Out out = {});

Tensor nonzero(const Tensor& self);
// The first `size` of them; rows that are not there hold fill_value.
Tensor nonzero_static(const Tensor& self, int64_t size, int64_t fill_value);
TensorList nonzero_numpy(const Tensor& self);

Tensor bucketize(const Tensor& self, const Tensor& boundaries, bool out_int32, bool right);
Tensor bucketize_scalar(const Scalar& self, const Tensor& boundaries, bool out_int32, bool right);
Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& self, bool out_int32, bool right,
                    std::optional<std::string> side, const OptTensor& sorter);
Tensor searchsorted_scalar(const Tensor& sorted_sequence, const Scalar& self, bool out_int32, bool right,
                           std::optional<std::string> side, const OptTensor& sorter);
Tensor isin(const Tensor& elements, const Tensor& test_elements, bool assume_unique, bool invert);
Tensor isin_scalar(const Tensor& elements, const Scalar& test_element, bool assume_unique, bool invert);
Tensor isin_of_scalar(const Scalar& element, const Tensor& test_elements, bool assume_unique, bool invert);

std::tuple<Tensor, Tensor> unique_pair(const Tensor& self, bool sorted, bool return_inverse);
std::tuple<Tensor, Tensor, Tensor> unique(const Tensor& self, bool sorted, bool return_inverse, bool return_counts);
std::tuple<Tensor, Tensor, Tensor> unique_dim(const Tensor& self, int64_t dim, bool sorted, bool return_inverse,
                                              bool return_counts);
std::tuple<Tensor, Tensor, Tensor> unique_consecutive(const Tensor& self, bool return_inverse, bool return_counts,
                                                      std::optional<int64_t> dim);
std::tuple<Tensor, Tensor, Tensor> unique_dim_consecutive(const Tensor& self, int64_t dim, bool return_inverse,
                                                          bool return_counts);

Tensor bincount(const Tensor& self, const OptTensor& weights, int64_t minlength);
Tensor histc(const Tensor& self, int64_t bins, const Scalar& min, const Scalar& max);
std::tuple<Tensor, Tensor> histogram_bins(const Tensor& self, const Tensor& bins, const OptTensor& weight,
                                          bool density);
std::tuple<Tensor, Tensor> histogram_count(const Tensor& self, int64_t bins,
                                           const std::optional<std::vector<double>>& range, const OptTensor& weight,
                                           bool density);
// Of points in several dimensions, the innermost dim of self. (counts, edges of each dimension)
std::tuple<Tensor, TensorList> histogramdd(const Tensor& self, IntSpan bins,
                                           const std::optional<std::vector<double>>& range, const OptTensor& weight,
                                           bool density);
std::tuple<Tensor, TensorList> histogramdd_int(const Tensor& self, int64_t bins,
                                               const std::optional<std::vector<double>>& range, const OptTensor& weight,
                                               bool density);
std::tuple<Tensor, TensorList> histogramdd_edges(const Tensor& self, const TensorList& bins,
                                                 const std::optional<std::vector<double>>& range,
                                                 const OptTensor& weight, bool density);
TensorList histogramdd_bin_edges(const Tensor& self, IntSpan bins, const std::optional<std::vector<double>>& range,
                                 const OptTensor& weight, bool density);
Tensor histogramdd_from_counts(const Tensor& self, IntSpan bins, const std::optional<std::vector<double>>& range,
                               const OptTensor& weight, bool density);
Tensor histogramdd_from_edges(const Tensor& self, const TensorList& bins, const OptTensor& weight, bool density);

}  // namespace wick::ops
