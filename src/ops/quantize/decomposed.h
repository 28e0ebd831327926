// quantized_decomposed::*, the quantized form of exported models: plain integer tensors, their scales as arguments.
#pragma once

#include "ops/reduce/reduce.h"

namespace wick::ops {

Tensor decomposed_quantize(const Tensor& input, double scale, int64_t zero_point, int64_t quant_min, int64_t quant_max,
                           DType dtype);
Tensor decomposed_quantize_tensor(const Tensor& input, const Tensor& scale, const Tensor& zero_point, int64_t quant_min,
                                  int64_t quant_max, DType dtype);
Tensor decomposed_quantize_tensor2(const Tensor& input, const Tensor& scale, const Tensor& zero_point,
                                   const Tensor& quant_min, const Tensor& quant_max, DType dtype);
Tensor decomposed_dequantize(const Tensor& input, double scale, int64_t zero_point, int64_t quant_min,
                             int64_t quant_max, DType dtype, OptDType out_dtype);
Tensor decomposed_dequantize_tensor(const Tensor& input, const Tensor& scale, const Tensor& zero_point,
                                    int64_t quant_min, int64_t quant_max, DType dtype, OptDType out_dtype);
Tensor decomposed_dequantize_tensor2(const Tensor& input, const Tensor& scale, const Tensor& zero_point,
                                     const Tensor& quant_min, const Tensor& quant_max, DType dtype, OptDType out_dtype);
Tensor decomposed_quantize_channels(const Tensor& input, const Tensor& scales, const Tensor& zero_points, int64_t axis,
                                    int64_t quant_min, int64_t quant_max, DType dtype);
Tensor decomposed_dequantize_channels(const Tensor& input, const Tensor& scales, const OptTensor& zero_points,
                                      int64_t axis, int64_t quant_min, int64_t quant_max, DType dtype,
                                      OptDType out_dtype);
Tensor decomposed_fake_quantize_channels(const Tensor& input, const Tensor& scales, const Tensor& zero_points,
                                         int64_t axis, int64_t quant_min, int64_t quant_max);
std::tuple<Tensor, Tensor> decomposed_choose(const Tensor& input, int64_t quant_min, int64_t quant_max, double eps,
                                             DType dtype);
std::tuple<Tensor, Tensor> decomposed_choose_symmetric(const Tensor& input, int64_t quant_min, int64_t quant_max,
                                                       double eps, DType dtype);
std::tuple<Tensor, Tensor> decomposed_choose_tokens(const Tensor& input, DType dtype);
std::tuple<Tensor, Tensor> decomposed_choose_tokens_asymmetric(const Tensor& input, DType dtype);
Tensor decomposed_quantize_tokens(const Tensor& input, const Tensor& scales, const Tensor& zero_points,
                                  int64_t quant_min, int64_t quant_max, DType dtype);
Tensor decomposed_dequantize_tokens(const Tensor& input, const Tensor& scales, const Tensor& zero_points,
                                    int64_t quant_min, int64_t quant_max, DType dtype, DType output_dtype);
Tensor decomposed_quantize_groups(const Tensor& input, const Tensor& scales, const Tensor& zero_points,
                                  int64_t quant_min, int64_t quant_max, DType dtype, int64_t group_size);
Tensor decomposed_dequantize_groups(const Tensor& input, const Tensor& scales, const OptTensor& zero_points,
                                    int64_t quant_min, int64_t quant_max, DType dtype, int64_t group_size,
                                    DType output_dtype);
Tensor decomposed_convert(const Tensor& input, DType dtype);

}  // namespace wick::ops
