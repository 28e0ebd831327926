// Operators on quantized tensors. Where PyTorch's engines differ, results are those of its mobile engine.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "config/build.h"
#include "ops/quantize/quantize.h"

namespace wick::ops {

// Whether the tensor is quantized; in a build without quantized tensors never, and what would take one is left out.
inline bool is_quantized(const Tensor& tensor) { return build::kQuantized && tensor.is_quantized(); }

// quantized:: operators on packed weights.
IValue quantized_linear_prepack(const Tensor& weight, const OptTensor& bias);
IValue quantized_linear_prepack_fp16(const Tensor& weight, const OptTensor& bias);
std::tuple<Tensor, OptTensor> quantized_linear_unpack(CustomObject& packed);
Tensor quantized_linear(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point);
Tensor quantized_linear_relu(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point);
Tensor quantized_linear_dynamic(const Tensor& x, CustomObject& packed, bool reduce_range);
Tensor quantized_linear_relu_dynamic(const Tensor& x, CustomObject& packed, bool reduce_range);
Tensor quantized_linear_dynamic_fp16(const Tensor& x, CustomObject& packed);
Tensor quantized_linear_relu_dynamic_fp16(const Tensor& x, CustomObject& packed);

IValue quantized_conv1d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                IntSpan dilation, int64_t groups);
IValue quantized_conv2d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                IntSpan dilation, int64_t groups);
IValue quantized_conv3d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                IntSpan dilation, int64_t groups);
IValue quantized_conv_transpose1d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                          IntSpan output_padding, IntSpan dilation, int64_t groups);
IValue quantized_conv_transpose2d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                          IntSpan output_padding, IntSpan dilation, int64_t groups);
IValue quantized_conv_transpose3d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                          IntSpan output_padding, IntSpan dilation, int64_t groups);
std::tuple<Tensor, OptTensor> quantized_conv1d_unpack(CustomObject& packed);
std::tuple<Tensor, OptTensor> quantized_conv2d_unpack(CustomObject& packed);
std::tuple<Tensor, OptTensor> quantized_conv3d_unpack(CustomObject& packed);
IntVec quantized_conv2d_stride(CustomObject& packed);
IntVec quantized_conv2d_padding(CustomObject& packed);
IntVec quantized_conv2d_output_padding(CustomObject& packed);
IntVec quantized_conv2d_dilation(CustomObject& packed);
int64_t quantized_conv2d_groups(CustomObject& packed);
int64_t quantized_conv2d_transpose(CustomObject& packed);
IntVec quantized_conv3d_stride(CustomObject& packed);
IntVec quantized_conv3d_padding(CustomObject& packed);
IntVec quantized_conv3d_output_padding(CustomObject& packed);
IntVec quantized_conv3d_dilation(CustomObject& packed);
int64_t quantized_conv3d_groups(CustomObject& packed);
int64_t quantized_conv3d_transpose(CustomObject& packed);
Tensor quantized_conv1d(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point);
Tensor quantized_conv1d_relu(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point);
Tensor quantized_conv2d(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point);
Tensor quantized_conv2d_relu(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point);
Tensor quantized_conv3d(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point);
Tensor quantized_conv3d_relu(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point);
Tensor quantized_conv1d_dynamic(const Tensor& x, CustomObject& packed, bool reduce_range);
Tensor quantized_conv2d_dynamic(const Tensor& x, CustomObject& packed, bool reduce_range);
Tensor quantized_conv3d_dynamic(const Tensor& x, CustomObject& packed, bool reduce_range);
// As files before the packed weights knew them: stride, padding, dilation and groups are those of the weights.
Tensor quantized_conv2d_old(const Tensor& x, CustomObject& packed, IntSpan stride, IntSpan padding, IntSpan dilation,
                            int64_t groups, double scale, int64_t zero_point);
Tensor quantized_conv2d_relu_old(const Tensor& x, CustomObject& packed, IntSpan stride, IntSpan padding,
                                 IntSpan dilation, int64_t groups, double scale, int64_t zero_point);
Tensor quantized_conv3d_old(const Tensor& x, CustomObject& packed, IntSpan stride, IntSpan padding, IntSpan dilation,
                            int64_t groups, double scale, int64_t zero_point);
Tensor quantized_conv3d_relu_old(const Tensor& x, CustomObject& packed, IntSpan stride, IntSpan padding,
                                 IntSpan dilation, int64_t groups, double scale, int64_t zero_point);

// Arithmetic.
Tensor quantized_add(const Tensor& a, const Tensor& b, double scale, int64_t zero_point);
Tensor quantized_add_relu(const Tensor& a, const Tensor& b, double scale, int64_t zero_point);
Tensor quantized_mul(const Tensor& a, const Tensor& b, double scale, int64_t zero_point);
Tensor quantized_mul_relu(const Tensor& a, const Tensor& b, double scale, int64_t zero_point);
// The parameters are those of `out`.
Tensor quantized_add_out(const Tensor& a, const Tensor& b, const Tensor& out);
Tensor quantized_add_relu_out(const Tensor& a, const Tensor& b, const Tensor& out);
Tensor quantized_mul_out(const Tensor& a, const Tensor& b, const Tensor& out);
Tensor quantized_mul_relu_out(const Tensor& a, const Tensor& b, const Tensor& out);
Tensor quantized_cat_out(const TensorList& tensors, int64_t dim, const Tensor& out);
Tensor quantized_cat_relu_out(const TensorList& tensors, int64_t dim, const Tensor& out);
Tensor quantized_scalar_add(const Scalar& b, const Tensor& a);
Tensor quantized_scalar_add_relu(const Scalar& b, const Tensor& a);
Tensor quantized_scalar_mul(const Scalar& b, const Tensor& a);
Tensor quantized_scalar_mul_relu(const Scalar& b, const Tensor& a);
Tensor quantized_add_scalar(const Tensor& a, const Scalar& b);
Tensor quantized_add_scalar_relu(const Tensor& a, const Scalar& b);
Tensor quantized_mul_scalar(const Tensor& a, const Scalar& b);
Tensor quantized_mul_scalar_relu(const Tensor& a, const Scalar& b);
Tensor quantized_cat(const TensorList& tensors, int64_t dim, std::optional<double> scale,
                     std::optional<int64_t> zero_point);
Tensor quantized_cat_relu(const TensorList& tensors, int64_t dim, std::optional<double> scale,
                          std::optional<int64_t> zero_point);

// Layers of PyTorch's desktop engines.
Tensor quantized_conv2d_add(const Tensor& x, const Tensor& other, CustomObject& packed, double scale,
                            int64_t zero_point);
Tensor quantized_conv2d_add_relu(const Tensor& x, const Tensor& other, CustomObject& packed, double scale,
                                 int64_t zero_point);
Tensor quantized_linear_leaky_relu(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point,
                                   double negative_slope);
Tensor quantized_linear_tanh(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point);
Tensor quantized_max_pool3d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                            bool ceil_mode);
IValue quantized_conv2d_unpack_sizes(const IValue& packed);

// Functions of one tensor.
using FloatKernel = void (*)(void* const* p, int64_t n, const void* params);  // kernels/math.h
Tensor quantized_by_kernel(const char* name, FloatKernel kernel, const Tensor& self, double scale, int64_t zero_point);
template <size_t kSize>
struct OpName {
  constexpr OpName(const char (&name)[kSize]) { std::copy_n(name, kSize, text); }
  char text[kSize];
};
// By the function's float kernel, under the name that PyTorch's messages have for it.
template <FloatKernel kKernel, OpName kName>
Tensor quantized_activation(const Tensor& self, double scale, int64_t zero_point) {
  return quantized_by_kernel(kName.text, kKernel, self, scale, zero_point);
}
Tensor quantized_sigmoid(const Tensor& self, double scale, int64_t zero_point);
Tensor quantized_leaky_relu(const Tensor& self, const Scalar& slope, bool inplace, double scale, int64_t zero_point);
Tensor quantized_elu(const Tensor& self, double scale, int64_t zero_point, const Scalar& alpha, const Scalar& factor,
                     const Scalar& input_factor);
Tensor quantized_clamp(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max);
Tensor quantized_relu6(const Tensor& self, bool inplace);
Tensor quantized_relu(const Tensor& self);
// What aten::sigmoid and its like give: a result of a fixed scale.
Tensor quantized_sigmoid_fixed(const Tensor& self);
Tensor quantized_tanh_fixed(const Tensor& self);
Tensor quantized_hardsigmoid_fixed(const Tensor& self);

// Pools and means; scale and zero point are the input's.
Tensor quantized_max_pool2d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                            bool ceil_mode);
Tensor quantized_avg_pool2d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                            bool count_include_pad, std::optional<int64_t> divisor_override);
Tensor quantized_adaptive_avg_pool2d(const Tensor& self, IntSpan output_size);
Tensor quantized_mean(const Tensor& self, const std::optional<IntVec>& dims, bool keepdim);

// Normalization by fixed statistics.
Tensor quantized_batch_norm(const Tensor& self, const OptTensor& weight, const OptTensor& bias, const Tensor& mean,
                            const Tensor& var, double eps, double scale, int64_t zero_point);
Tensor quantized_batch_norm_relu(const Tensor& self, const OptTensor& weight, const OptTensor& bias, const Tensor& mean,
                                 const Tensor& var, double eps, double scale, int64_t zero_point);
Tensor quantized_batch_norm1d(const Tensor& self, const OptTensor& weight, const OptTensor& bias, const Tensor& mean,
                              const Tensor& var, double eps, double scale, int64_t zero_point);
Tensor quantized_batch_norm1d_relu(const Tensor& self, const OptTensor& weight, const OptTensor& bias,
                                   const Tensor& mean, const Tensor& var, double eps, double scale, int64_t zero_point);
Tensor quantized_batch_norm2d(const Tensor& self, const OptTensor& weight, const OptTensor& bias, const Tensor& mean,
                              const Tensor& var, double eps, double scale, int64_t zero_point);
Tensor quantized_batch_norm2d_relu(const Tensor& self, const OptTensor& weight, const OptTensor& bias,
                                   const Tensor& mean, const Tensor& var, double eps, double scale, int64_t zero_point);
Tensor quantized_batch_norm3d(const Tensor& self, const OptTensor& weight, const OptTensor& bias, const Tensor& mean,
                              const Tensor& var, double eps, double scale, int64_t zero_point);
Tensor quantized_batch_norm3d_relu(const Tensor& self, const OptTensor& weight, const OptTensor& bias,
                                   const Tensor& mean, const Tensor& var, double eps, double scale, int64_t zero_point);

// Computed in floats.
Tensor quantized_layer_norm(const Tensor& input, IntSpan normalized_shape, const OptTensor& weight,
                            const OptTensor& bias, double eps, double scale, int64_t zero_point);
Tensor quantized_group_norm(const Tensor& input, int64_t num_groups, const OptTensor& weight, const OptTensor& bias,
                            double eps, double scale, int64_t zero_point);
Tensor quantized_instance_norm(const Tensor& input, const OptTensor& weight, const OptTensor& bias, double eps,
                               double scale, int64_t zero_point);
Tensor quantized_softmax(const Tensor& self, int64_t dim, double scale, int64_t zero_point);
Tensor quantized_prelu(const Tensor& self, const Tensor& weight, double scale, int64_t zero_point);
Tensor quantized_matmul(const Tensor& a, const Tensor& b, double scale, int64_t zero_point);
Tensor quantized_celu(const Tensor& self, double scale, int64_t zero_point, const Scalar& alpha);
Tensor quantized_dropout(const Tensor& self, double scale, int64_t zero_point, const Scalar& p, bool training);
Tensor quantized_threshold(const Tensor& self, const Scalar& threshold, const Scalar& value);
// What aten's operators do with quantized tensors; scale and zero point are the input's.
Tensor quantized_gelu(const Tensor& self, std::string_view approximate);
Tensor quantized_max_pool1d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                            bool ceil_mode);
Tensor quantized_avg_pool3d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                            bool count_include_pad, std::optional<int64_t> divisor_override);
Tensor quantized_adaptive_avg_pool3d(const Tensor& self, IntSpan output_size);
Tensor quantized_std(const Tensor& self, const std::optional<IntVec>& dims, const std::optional<Scalar>& correction,
                     bool keepdim);
Tensor quantized_extreme(const Tensor& self, bool greatest);
std::tuple<Tensor, Tensor> quantized_extreme_dim(const Tensor& self, int64_t dim, bool keepdim, bool greatest);
std::tuple<Tensor, Tensor> quantized_sort(const Tensor& self, std::optional<bool> stable, int64_t dim, bool descending);
std::tuple<Tensor, Tensor> quantized_topk(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted);
// The same integers under the same parameters.
bool quantized_equal(const Tensor& self, const Tensor& other);
// The integer that stands for a number in this tensor.
Scalar quantized_number(const Tensor& self, const Scalar& value);
// Sums and products with a number in a one-element tensor, and into a tensor that takes the result's parameters.
Tensor quantized_add_number(const Tensor& a, const Tensor& b);
Tensor quantized_add_number_relu(const Tensor& a, const Tensor& b);
Tensor quantized_mul_number(const Tensor& a, const Tensor& b);
Tensor quantized_mul_number_relu(const Tensor& a, const Tensor& b);
Tensor quantized_add_scalar_out(const Tensor& a, const Scalar& b, const Tensor& out);
Tensor quantized_add_scalar_relu_out(const Tensor& a, const Scalar& b, const Tensor& out);
Tensor quantized_mul_scalar_out(const Tensor& a, const Scalar& b, const Tensor& out);
Tensor quantized_mul_scalar_relu_out(const Tensor& a, const Scalar& b, const Tensor& out);
Tensor quantized_add_number_out(const Tensor& a, const Tensor& b, const Tensor& out);
Tensor quantized_add_number_relu_out(const Tensor& a, const Tensor& b, const Tensor& out);
Tensor quantized_mul_number_out(const Tensor& a, const Tensor& b, const Tensor& out);
Tensor quantized_mul_number_relu_out(const Tensor& a, const Tensor& b, const Tensor& out);

// The sum and the product of quint8 tensors (the product: of qint8 ones too) by these parameters as loops over bytes;
// none where it takes another way.
std::optional<kernels::AddBytes> byte_sum(const Quantizer& a, const Quantizer& b, const Quantizer& out, bool relu);
std::optional<kernels::MultiplyBytes> byte_product(const Quantizer& a, const Quantizer& b, const Quantizer& out,
                                                   DType dtype, bool relu);

// The result where an operator was asked to write it, or itself.
Tensor placed(const Tensor& result, Out out);
// A quantized tensor's integers as a plain tensor that shares them, and the way back.
Tensor ints_of(const Tensor& t);
Tensor with_quantizer(const Tensor& ints, const Tensor& like);
// Throws unless the tensor is quint8 or qint8, quantized per tensor.
const Quantizer& check_8bit(const Tensor& t, const char* op);

}  // namespace wick::ops
