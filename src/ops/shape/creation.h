// Operators that make tensors from sizes, numbers and Python values.
#pragma once

#include "ops/boxing.h"
#include "ops/shape/copy_ops.h"
#include "wick/tensor.h"

namespace wick::ops {

Tensor empty_sized(IntSpan size, TensorOptions options, OptFormat format);
Tensor empty_out(IntSpan size, OptFormat format, const Tensor& out);
Tensor empty_strided_op(IntSpan size, IntSpan stride, TensorOptions options);
Tensor empty_strided_out(IntSpan size, IntSpan stride, const Tensor& out);
// The dims in the order they lie in memory, outermost first.
Tensor empty_permuted(IntSpan size, IntSpan physical_layout, TensorOptions options);
Tensor zeros(IntSpan size, TensorOptions options);
Tensor zeros_out(IntSpan size, const Tensor& out);
Tensor ones(IntSpan size, TensorOptions options);
Tensor ones_out(IntSpan size, const Tensor& out);
Tensor full(IntSpan size, const Scalar& value, TensorOptions options);
Tensor full_out(IntSpan size, const Scalar& value, const Tensor& out);

Tensor empty_like_op(const Tensor& self, TensorOptions options, OptFormat format);
Tensor empty_like_out(const Tensor& self, OptFormat format, const Tensor& out);
Tensor zeros_like(const Tensor& self, TensorOptions options, OptFormat format);
Tensor zeros_like_out(const Tensor& self, OptFormat format, const Tensor& out);
Tensor ones_like(const Tensor& self, TensorOptions options, OptFormat format);
Tensor ones_like_out(const Tensor& self, OptFormat format, const Tensor& out);
Tensor full_like(const Tensor& self, const Scalar& value, TensorOptions options, OptFormat format);
Tensor full_like_out(const Tensor& self, const Scalar& value, OptFormat format, const Tensor& out);

Tensor new_empty(const Tensor& self, IntSpan size, TensorOptions options);
Tensor new_empty_out(const Tensor& self, IntSpan size, const Tensor& out);
Tensor new_empty_strided(const Tensor& self, IntSpan size, IntSpan stride, TensorOptions options);
Tensor new_empty_strided_out(const Tensor& self, IntSpan size, IntSpan stride, const Tensor& out);
Tensor new_zeros(const Tensor& self, IntSpan size, TensorOptions options);
Tensor new_zeros_out(const Tensor& self, IntSpan size, const Tensor& out);
Tensor new_ones(const Tensor& self, IntSpan size, TensorOptions options);
Tensor new_ones_out(const Tensor& self, IntSpan size, const Tensor& out);
Tensor new_full(const Tensor& self, IntSpan size, const Scalar& value, TensorOptions options);
Tensor new_full_out(const Tensor& self, IntSpan size, const Scalar& value, const Tensor& out);

Tensor scalar_tensor(const Scalar& value, TensorOptions options);
Tensor scalar_tensor_out(const Scalar& value, const Tensor& out);
Tensor eye(int64_t n, TensorOptions options);
Tensor eye_m(int64_t n, int64_t m, TensorOptions options);
Tensor eye_out(int64_t n, const Tensor& out);
Tensor eye_m_out(int64_t n, int64_t m, const Tensor& out);
Tensor tril_indices(int64_t row, int64_t col, int64_t offset, TensorOptions options);
Tensor tril_indices_out(int64_t row, int64_t col, int64_t offset, const Tensor& out);
Tensor triu_indices(int64_t row, int64_t col, int64_t offset, TensorOptions options);
Tensor triu_indices_out(int64_t row, int64_t col, int64_t offset, const Tensor& out);
Tensor shape_as_tensor(const Tensor& self);
Tensor dim_arange(const Tensor& like, int64_t dim);
Tensor vander(const Tensor& x, std::optional<int64_t> n, bool increasing);
Tensor linalg_vander(const Tensor& x, std::optional<int64_t> n);

Tensor arange(const Scalar& end, TensorOptions options);
Tensor arange_start(const Scalar& start, const Scalar& end, TensorOptions options);
Tensor arange_step(const Scalar& start, const Scalar& end, const Scalar& step, TensorOptions options);
Tensor arange_out(const Scalar& end, const Tensor& out);
Tensor arange_step_out(const Scalar& start, const Scalar& end, const Scalar& step, const Tensor& out);
Tensor range(const Scalar& start, const Scalar& end, TensorOptions options);
Tensor range_step(const Scalar& start, const Scalar& end, const Scalar& step, TensorOptions options);
Tensor range_out(const Scalar& start, const Scalar& end, const Tensor& out);
Tensor range_step_out(const Scalar& start, const Scalar& end, const Scalar& step, const Tensor& out);
Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps, TensorOptions options);
Tensor linspace_out(const Scalar& start, const Scalar& end, int64_t steps, const Tensor& out);
Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base, TensorOptions options);
Tensor logspace_out(const Scalar& start, const Scalar& end, int64_t steps, double base, const Tensor& out);
// Bounds given as tensors of one element without dimensions.
Tensor linspace_tensors(const Tensor& start, const Tensor& end, int64_t steps, TensorOptions options);
Tensor linspace_tensors_out(const Tensor& start, const Tensor& end, int64_t steps, const Tensor& out);
Tensor linspace_from_tensor(const Tensor& start, const Scalar& end, int64_t steps, TensorOptions options);
Tensor linspace_from_tensor_out(const Tensor& start, const Scalar& end, int64_t steps, const Tensor& out);
Tensor linspace_to_tensor(const Scalar& start, const Tensor& end, int64_t steps, TensorOptions options);
Tensor linspace_to_tensor_out(const Scalar& start, const Tensor& end, int64_t steps, const Tensor& out);
Tensor logspace_tensors(const Tensor& start, const Tensor& end, int64_t steps, double base, TensorOptions options);
Tensor logspace_tensors_out(const Tensor& start, const Tensor& end, int64_t steps, double base, const Tensor& out);
Tensor logspace_from_tensor(const Tensor& start, const Scalar& end, int64_t steps, double base, TensorOptions options);
Tensor logspace_from_tensor_out(const Tensor& start, const Scalar& end, int64_t steps, double base, const Tensor& out);
Tensor logspace_to_tensor(const Scalar& start, const Tensor& end, int64_t steps, double base, TensorOptions options);
Tensor logspace_to_tensor_out(const Scalar& start, const Tensor& end, int64_t steps, double base, const Tensor& out);

// torch.tensor and torch.as_tensor of numbers and (nested) lists of numbers.
Tensor tensor_from_list(const IValue& data, std::optional<DType> dtype, std::optional<Device> device,
                        bool requires_grad);
Tensor tensor_from_number(const Scalar& value, std::optional<DType> dtype, std::optional<Device> device,
                          bool requires_grad);
Tensor as_tensor_list(const IValue& data, std::optional<DType> dtype, std::optional<Device> device);
Tensor as_tensor_number(const Scalar& value, std::optional<DType> dtype, std::optional<Device> device);
Tensor as_tensor(const Tensor& data, std::optional<DType> dtype, std::optional<Device> device);

Tensor bartlett_window(int64_t window_length, TensorOptions options);
Tensor bartlett_window_periodic(int64_t window_length, bool periodic, TensorOptions options);
Tensor bartlett_window_out(int64_t window_length, const Tensor& out);
Tensor bartlett_window_periodic_out(int64_t window_length, bool periodic, const Tensor& out);
Tensor blackman_window(int64_t window_length, TensorOptions options);
Tensor blackman_window_periodic(int64_t window_length, bool periodic, TensorOptions options);
Tensor blackman_window_out(int64_t window_length, const Tensor& out);
Tensor blackman_window_periodic_out(int64_t window_length, bool periodic, const Tensor& out);
Tensor hann_window(int64_t window_length, TensorOptions options);
Tensor hann_window_periodic(int64_t window_length, bool periodic, TensorOptions options);
Tensor hann_window_out(int64_t window_length, const Tensor& out);
Tensor hann_window_periodic_out(int64_t window_length, bool periodic, const Tensor& out);
Tensor hamming_window(int64_t window_length, TensorOptions options);
Tensor hamming_window_periodic(int64_t window_length, bool periodic, TensorOptions options);
Tensor hamming_window_alpha(int64_t window_length, bool periodic, double alpha, TensorOptions options);
Tensor hamming_window_alpha_beta(int64_t window_length, bool periodic, double alpha, double beta,
                                 TensorOptions options);
Tensor hamming_window_out(int64_t window_length, const Tensor& out);
Tensor hamming_window_periodic_out(int64_t window_length, bool periodic, const Tensor& out);
Tensor hamming_window_alpha_out(int64_t window_length, bool periodic, double alpha, const Tensor& out);
Tensor hamming_window_alpha_beta_out(int64_t window_length, bool periodic, double alpha, double beta,
                                     const Tensor& out);
Tensor kaiser_window(int64_t window_length, TensorOptions options);
Tensor kaiser_window_periodic(int64_t window_length, bool periodic, TensorOptions options);
Tensor kaiser_window_beta(int64_t window_length, bool periodic, double beta, TensorOptions options);
Tensor kaiser_window_out(int64_t window_length, const Tensor& out);
Tensor kaiser_window_periodic_out(int64_t window_length, bool periodic, const Tensor& out);
Tensor kaiser_window_beta_out(int64_t window_length, bool periodic, double beta, const Tensor& out);

}  // namespace wick::ops
