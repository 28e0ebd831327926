// The operator list of quantized layers.
#include "kernels/math.h"
#include "ops/families.h"
#include "ops/quantize/layers.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("quantized::add(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc", quantized_add, deterministic),
    OP("quantized::add.out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_add_out, deterministic),
    OP("quantized::add_out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_add_out, deterministic),
    OP("quantized::add.Scalar(Tensor qa, Scalar b) -> Tensor qc", quantized_add_scalar, deterministic),
    OP("quantized::add.Scalar2(Scalar b, Tensor qa) -> Tensor qc", quantized_scalar_add, deterministic),
    OP("quantized::add_scalar(Tensor qa, Scalar b) -> Tensor qc", quantized_add_scalar, deterministic),
    OP("quantized::add_relu(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc", quantized_add_relu,
       deterministic),
    OP("quantized::add_relu.out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_add_relu_out,
       deterministic),
    OP("quantized::add_relu_out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_add_relu_out,
       deterministic),
    OP("quantized::add_relu.Scalar(Tensor qa, Scalar b) -> Tensor qc", quantized_add_scalar_relu, deterministic),
    OP("quantized::add_relu.Scalar2(Scalar b, Tensor qa) -> Tensor qc", quantized_scalar_add_relu, deterministic),
    OP("quantized::add_scalar_relu(Tensor qa, Scalar b) -> Tensor qc", quantized_add_scalar_relu, deterministic),
    OP("quantized::mul(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc", quantized_mul, deterministic),
    OP("quantized::mul.out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_mul_out, deterministic),
    OP("quantized::mul_out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_mul_out, deterministic),
    OP("quantized::mul.Scalar(Tensor qa, Scalar b) -> Tensor qc", quantized_mul_scalar, deterministic),
    OP("quantized::mul.Scalar2(Scalar b, Tensor qa) -> Tensor qc", quantized_scalar_mul, deterministic),
    OP("quantized::mul_scalar(Tensor qa, Scalar b) -> Tensor qc", quantized_mul_scalar, deterministic),
    OP("quantized::mul_relu(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc", quantized_mul_relu,
       deterministic),
    OP("quantized::mul_relu.out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_mul_relu_out,
       deterministic),
    OP("quantized::mul_relu_out(Tensor qa, Tensor qb, Tensor(a!) out) -> Tensor(a!) out", quantized_mul_relu_out,
       deterministic),
    OP("quantized::mul_relu.Scalar(Tensor qa, Scalar b) -> Tensor qc", quantized_mul_scalar_relu, deterministic),
    OP("quantized::mul_relu.Scalar2(Scalar b, Tensor qa) -> Tensor qc", quantized_scalar_mul_relu, deterministic),
    OP("quantized::mul_scalar_relu(Tensor qa, Scalar b) -> Tensor qc", quantized_mul_scalar_relu, deterministic),
    OP("quantized::cat(Tensor[] qx, int dim, float? scale, int? zero_point) -> Tensor", quantized_cat, deterministic),
    OP("quantized::cat_out(Tensor[] qx, int dim, Tensor(a!) out) -> Tensor(a!)", quantized_cat_out, deterministic),
    OP("quantized::cat_relu(Tensor[] qx, int dim, float? scale, int? zero_point) -> Tensor", quantized_cat_relu,
       deterministic),
    OP("quantized::cat_relu_out(Tensor[] qx, int dim, Tensor(a!) out) -> Tensor(a!)", quantized_cat_relu_out,
       deterministic),
    OP("quantized::hardswish(Tensor input, float output_scale, int output_zero_point) -> Tensor",
       (quantized_activation<kernels::hardswish_f32, "qhardswish">), deterministic),
    OP("quantized::sigmoid(Tensor qx, float output_scale, int output_zero_point) -> Tensor", quantized_sigmoid,
       deterministic),
    OP("quantized::leaky_relu(Tensor qx, Scalar negative_slope, bool inplace, float output_scale, int "
       "output_zero_point) -> Tensor",
       quantized_leaky_relu, deterministic),
    OP("quantized::elu(Tensor self, float output_scale, int output_zero_point, Scalar alpha=1, Scalar scale=1, Scalar "
       "input_scale=1) -> Tensor",
       quantized_elu, deterministic),
    OP("quantized::clamp(Tensor qx, Scalar? min=None, Scalar? max=None) -> Tensor qy", quantized_clamp, deterministic),
    OP("quantized::relu6(Tensor qx, bool inplace=False) -> Tensor", quantized_relu6),
    OP("quantized::max_pool2d(Tensor qx, int[] kernel_size, int[] stride, int[] padding, int[] dilation, bool "
       "ceil_mode) -> Tensor",
       quantized_max_pool2d, keeps_qparams),
    OP("quantized::batch_norm(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm, deterministic),
    OP("quantized::batch_norm_relu(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm_relu, deterministic),
    OP("quantized::batch_norm1d(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm1d, deterministic),
    OP("quantized::batch_norm1d_relu(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm1d_relu, deterministic),
    OP("quantized::batch_norm2d(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm2d, deterministic),
    OP("quantized::batch_norm2d_relu(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm2d_relu, deterministic),
    OP("quantized::batch_norm3d(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm3d, deterministic),
    OP("quantized::batch_norm3d_relu(Tensor qx, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm3d_relu, deterministic),
    OP("quantized::layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_layer_norm, deterministic),
    OP("quantized::group_norm(Tensor input, int num_groups, Tensor? weight, Tensor? bias, float eps, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_group_norm, deterministic),
    OP("quantized::instance_norm(Tensor input, Tensor? weight, Tensor? bias, float eps, float output_scale, int "
       "output_zero_point) -> Tensor",
       quantized_instance_norm, deterministic),
    OP("quantized::softmax(Tensor qx, int dim, float output_scale, int output_zero_point) -> Tensor", quantized_softmax,
       deterministic),
    OP("quantized::prelu(Tensor qx, Tensor weight, float output_scale, int output_zero_point) -> Tensor",
       quantized_prelu, deterministic),
    OP("quantized::matmul(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc", quantized_matmul,
       deterministic),
    OP("quantized::celu(Tensor self, float output_scale, int output_zero_point, Scalar alpha=1) -> Tensor",
       quantized_celu, deterministic),
    OP("quantized::dropout(Tensor self, float output_scale, int output_zero_point, Scalar p=0.5, bool training=False) "
       "-> Tensor",
       quantized_dropout, nondeterministic_seeded, may_alias),
    OP("quantized::threshold(Tensor qx, Scalar threshold, Scalar value) -> Tensor qy", quantized_threshold,
       deterministic),
    OP("quantized::max_pool1d(Tensor qx, int[] kernel_size, int[] stride, int[] padding, int[] dilation, bool "
       "ceil_mode) -> Tensor",
       quantized_max_pool1d, deterministic),
    OP("aten::quantized_max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] "
       "dilation=[1], bool ceil_mode=False) -> Tensor",
       quantized_max_pool1d, deterministic),
    OP("aten::quantized_max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] "
       "dilation=1, bool ceil_mode=False) -> Tensor",
       quantized_max_pool3d, deterministic),
    OP("aten::quantized_max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] "
       "dilation=1, bool ceil_mode=False) -> Tensor",
       quantized_max_pool2d, deterministic),
    OP("aten::quantized_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor var, float eps, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_batch_norm, deterministic),
    OP("_quantized::add(Tensor qa, Tensor qb, float scale, int zero_point) -> Tensor qc", quantized_add, not_planned),
    OP("quantized::add.Scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out", quantized_add_scalar_out,
       deterministic),
    OP("quantized::add_scalar.Tensor(Tensor qa, Tensor b) -> Tensor qc", quantized_add_number, deterministic),
    OP("quantized::add_scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out", quantized_add_scalar_out,
       deterministic),
    OP("quantized::add_scalar_out.Tensor(Tensor qa, Tensor b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_add_number_out, deterministic),
    OP("quantized::add_relu.Scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_add_scalar_relu_out, deterministic),
    OP("quantized::add_scalar_relu.Tensor(Tensor qa, Tensor b) -> Tensor qc", quantized_add_number_relu, deterministic),
    OP("quantized::add_scalar_relu_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_add_scalar_relu_out, deterministic),
    OP("quantized::add_scalar_relu_out.Tensor(Tensor qa, Tensor b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_add_number_relu_out, deterministic),
    OP("quantized::mul.Scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out", quantized_mul_scalar_out,
       deterministic),
    OP("quantized::mul_scalar.Tensor(Tensor qa, Tensor b) -> Tensor qc", quantized_mul_number, deterministic),
    OP("quantized::mul_scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out", quantized_mul_scalar_out,
       deterministic),
    OP("quantized::mul_scalar_out.Tensor(Tensor qa, Tensor b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_mul_number_out, deterministic),
    OP("quantized::mul_relu.Scalar_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_mul_scalar_relu_out, deterministic),
    OP("quantized::mul_scalar_relu.Tensor(Tensor qa, Tensor b) -> Tensor qc", quantized_mul_number_relu, deterministic),
    OP("quantized::mul_scalar_relu_out(Tensor qa, Scalar b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_mul_scalar_relu_out, deterministic),
    OP("quantized::mul_scalar_relu_out.Tensor(Tensor qa, Tensor b, Tensor(a!) out) -> Tensor(a!) out",
       quantized_mul_number_relu_out, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kQuantizedLayerOps, kEntries)

}  // namespace wick
