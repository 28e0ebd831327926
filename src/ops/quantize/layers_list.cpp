#include "ops/families.h"
#include "ops/quantize/layers.h"

namespace wick {

namespace {

using namespace ops;

constexpr OpEntry kEntries[] = {
    OP("quantized::add(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc", quantized_add),
    OP("quantized::add.out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_add_out),
    OP("quantized::add_out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_add_out),
    OP("quantized::add.Scalar(Tensor qa, Scalar b) -> Tensor qc", quantized_add_scalar),
    OP("quantized::add.Scalar2(Scalar b, Tensor qa) -> Tensor qc", quantized_scalar_add),
    OP("quantized::add_scalar(Tensor qa, Scalar b) -> Tensor qc", quantized_add_scalar),
    OP("quantized::add_relu(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc", quantized_add_relu),
    OP("quantized::add_relu.out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_add_relu_out),
    OP("quantized::add_relu_out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_add_relu_out),
    OP("quantized::add_relu.Scalar(Tensor qa, Scalar b) -> Tensor qc", quantized_add_scalar_relu),
    OP("quantized::add_relu.Scalar2(Scalar b, Tensor qa) -> Tensor qc", quantized_scalar_add_relu),
    OP("quantized::add_scalar_relu(Tensor qa, Scalar b) -> Tensor qc", quantized_add_scalar_relu),
    OP("quantized::mul(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc", quantized_mul),
    OP("quantized::mul.out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_mul_out),
    OP("quantized::mul_out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_mul_out),
    OP("quantized::mul.Scalar(Tensor qa, Scalar b) -> Tensor qc", quantized_mul_scalar),
    OP("quantized::mul.Scalar2(Scalar b, Tensor qa) -> Tensor qc", quantized_scalar_mul),
    OP("quantized::mul_scalar(Tensor qa, Scalar b) -> Tensor qc", quantized_mul_scalar),
    OP("quantized::mul_relu(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc", quantized_mul_relu),
    OP("quantized::mul_relu.out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_mul_relu_out),
    OP("quantized::mul_relu_out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_mul_relu_out),
    OP("quantized::mul_relu.Scalar(Tensor qa, Scalar b) -> Tensor qc", quantized_mul_scalar_relu),
    OP("quantized::mul_relu.Scalar2(Scalar b, Tensor qa) -> Tensor qc", quantized_scalar_mul_relu),
    OP("quantized::mul_scalar_relu(Tensor qa, Scalar b) -> Tensor qc", quantized_mul_scalar_relu),
    OP("quantized::cat(Tensor[] qx, int dim, float? scale, int? zero_point) -> Tensor", quantized_cat),
    OP("quantized::cat_out(Tensor[] qx, int dim, Tensor(a!) out) -> Tensor(a!)", quantized_cat_out),
    OP("quantized::cat_relu(Tensor[] qx, int dim, float? scale, int? zero_point) -> Tensor", quantized_cat_relu),
    OP("quantized::cat_relu_out(Tensor[] qx, int dim, Tensor(a!) out) -> Tensor(a!)", quantized_cat_relu_out),
    OP("quantized::hardswish(Tensor input, float output_scale, int output_zero_point) -> Tensor", quantized_hardswish),
    OP("quantized::sigmoid(Tensor qx, float output_scale, int output_zero_point) -> Tensor", quantized_sigmoid),
    OP("quantized::leaky_relu(Tensor qx, Scalar negative_slope, bool inplace, float output_scale, int "
       "output_zero_point) -> Tensor",
       quantized_leaky_relu),
    OP("quantized::elu(Tensor self, float output_scale, int output_zero_point, Scalar alpha=1, Scalar scale=1, Scalar "
       "input_scale=1) -> Tensor",
       quantized_elu),
    OP("quantized::clamp(Tensor qx, Scalar? min=None, Scalar? max=None) -> Tensor qy", quantized_clamp),
    OP("quantized::relu6(Tensor qx, bool inplace=False) -> Tensor", quantized_relu6),
    OP("quantized::max_pool2d(Tensor qx, int[] kernel_size, int[] stride, int[] padding, int[] dilation, bool "
       "ceil_mode) -> Tensor",
       quantized_max_pool2d),
    OP("quantized::batch_norm(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm),
    OP("quantized::batch_norm_relu(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm_relu),
    OP("quantized::batch_norm1d(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm1d),
    OP("quantized::batch_norm1d_relu(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm1d_relu),
    OP("quantized::batch_norm2d(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm2d),
    OP("quantized::batch_norm2d_relu(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm2d_relu),
    OP("quantized::batch_norm3d(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm3d),
    OP("quantized::batch_norm3d_relu(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm3d_relu),
    OP("quantized::layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_layer_norm),
    OP("quantized::group_norm(Tensor input, int num_groups, Tensor? weight, Tensor? bias, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_group_norm),
    OP("quantized::instance_norm(Tensor input, Tensor? weight, Tensor? bias, float eps, float output_scale, int "
       "output_zero_point) -> Tensor",
       quantized_instance_norm),
    OP("quantized::softmax(Tensor qx, int dim, float output_scale, int output_zero_point) -> Tensor",
       quantized_softmax),
    OP("quantized::prelu(Tensor qx, Tensor weight, float output_scale, int output_zero_point) -> Tensor",
       quantized_prelu),
    OP("quantized::matmul(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc", quantized_matmul),
    OP("quantized::celu(Tensor self, float output_scale, int output_zero_point, Scalar alpha=1) -> Tensor",
       quantized_celu),
    OP("quantized::dropout(Tensor self, float output_scale, int output_zero_point, Scalar p=0.5, bool training=False) "
       "-> Tensor",
       quantized_dropout),
    OP("quantized::threshold(Tensor qx, Scalar threshold, Scalar value) -> Tensor qy", quantized_threshold),
    OP("quantized::max_pool1d(Tensor qx, int[] kernel_size, int[] stride, int[] padding, int[] dilation, bool "
       "ceil_mode) -> Tensor",
       quantized_max_pool1d),
    OP("aten::quantized_max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] "
       "dilation=[1], bool ceil_mode=False) -> Tensor",
       quantized_max_pool1d),
    OP("aten::quantized_max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] "
       "dilation=1, bool ceil_mode=False) -> Tensor",
       quantized_max_pool3d),
    OP("aten::quantized_max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] "
       "dilation=1, bool ceil_mode=False) -> Tensor",
       quantized_max_pool2d),
    OP("aten::quantized_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm),
    OP("_quantized::add(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc", quantized_add),
    OP("quantized::add.Scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out", quantized_add_scalar_out),
    OP("quantized::add_scalar.Tensor(Tensor qa, Tensor b) -> Tensor qc", quantized_add_number),
    OP("quantized::add_scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out", quantized_add_scalar_out),
    OP("quantized::add_scalar_out.Tensor(Tensor qa, Tensor b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_add_number_out),
    OP("quantized::add_relu.Scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_add_scalar_relu_out),
    OP("quantized::add_scalar_relu.Tensor(Tensor qa, Tensor b) -> Tensor qc", quantized_add_number_relu),
    OP("quantized::add_scalar_relu_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_add_scalar_relu_out),
    OP("quantized::add_scalar_relu_out.Tensor(Tensor qa, Tensor b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_add_number_relu_out),
    OP("quantized::mul.Scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out", quantized_mul_scalar_out),
    OP("quantized::mul_scalar.Tensor(Tensor qa, Tensor b) -> Tensor qc", quantized_mul_number),
    OP("quantized::mul_scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out", quantized_mul_scalar_out),
    OP("quantized::mul_scalar_out.Tensor(Tensor qa, Tensor b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_mul_number_out),
    OP("quantized::mul_relu.Scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_mul_scalar_relu_out),
    OP("quantized::mul_scalar_relu.Tensor(Tensor qa, Tensor b) -> Tensor qc", quantized_mul_number_relu),
    OP("quantized::mul_scalar_relu_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_mul_scalar_relu_out),
    OP("quantized::mul_scalar_relu_out.Tensor(Tensor qa, Tensor b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_mul_number_relu_out),
};

}  // namespace

WICK_OP_FAMILY(kQuantizedLayerOps, kEntries)

}  // namespace wick
