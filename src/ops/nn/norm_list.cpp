// The operator list of normalization.
#include "ops/families.h"
#include "ops/nn/norm.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
       "Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor",
       batch_norm, shapes_only, rounds_once, keeps_rank),
    OP("aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
       "Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
       native_batch_norm, deterministic),
    OP_OUT("aten::native_batch_norm.out(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
           "Tensor? running_var, bool training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, "
           "Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))",
           native_batch_norm, deterministic),
    OP("aten::_batch_norm_impl_index(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
       "Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> (Tensor, Tensor, "
       "Tensor, Tensor, int)",
       batch_norm_impl_index, deterministic),
    OP("aten::batch_norm_update_stats(Tensor input, Tensor? running_mean, Tensor? running_var, "
       "float momentum) -> (Tensor, Tensor)",
       batch_norm_update_stats),
    OP_OUT("aten::batch_norm_update_stats.out(Tensor input, Tensor? running_mean, Tensor? running_var, "
           "float momentum, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
           batch_norm_update_stats),
    OP("aten::_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, "
       "Tensor(b!) running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
       native_batch_norm, deterministic),
    OP("aten::_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool training, "
       "float momentum, float eps) -> (Tensor, Tensor, Tensor)",
       native_batch_norm_no_stats, deterministic),
    OP("aten::_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, "
       "Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
       native_batch_norm_no_training, deterministic),
    OP_OUT("aten::_native_batch_norm_legit.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) "
           "running_mean, Tensor(b!) running_var, bool training, float momentum, float eps, *, Tensor(d!) out, "
           "Tensor(e!) save_mean, Tensor(f!) save_invstd) -> (Tensor(d!), Tensor(e!), Tensor(f!))",
           native_batch_norm, deterministic),
    OP_OUT("aten::_native_batch_norm_legit.no_stats_out(Tensor input, Tensor? weight, Tensor? bias, bool "
           "training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) "
           "save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))",
           native_batch_norm_no_stats, deterministic),
    OP_OUT("aten::_native_batch_norm_legit_no_training.out(Tensor input, Tensor? weight, Tensor? bias, Tensor "
           "running_mean, Tensor running_var, float momentum, float eps, *, Tensor(a!) out0, Tensor(b!) out1, "
           "Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))",
           native_batch_norm_no_training, deterministic),
    OP("aten::_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor "
       "running_mean, Tensor running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor, "
       "Tensor running_mean_out, Tensor running_var_out)",
       native_batch_norm_functional, deterministic),
    OP("aten::_batch_norm_no_update(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
       "running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)",
       batch_norm_no_update, deterministic),
    OP_OUT("aten::_batch_norm_no_update.out(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
           "Tensor? running_var, float momentum, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) "
           "out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))",
           batch_norm_no_update, deterministic),
    OP("aten::_batch_norm_with_update(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, "
       "Tensor(b!) running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)",
       batch_norm_with_update, deterministic),
    OP_OUT("aten::_batch_norm_with_update.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) "
           "running_mean, Tensor(b!) running_var, float momentum, float eps, *, Tensor(d!) out, Tensor(e!) "
           "save_mean, Tensor(f!) save_invstd, Tensor(g!) reserve) -> (Tensor(d!), Tensor(e!), Tensor(f!), "
           "Tensor(g!))",
           batch_norm_with_update, deterministic),
    OP("aten::_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps) -> (Tensor, "
       "Tensor)",
       fused_rms_norm, deterministic),
    OP("aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
       "Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor",
       instance_norm, shapes_only, keeps_rank),
    OP("aten::layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, "
       "float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor",
       layer_norm, shapes_only, rounds_once, keeps_rank),
    OP("aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, "
       "float eps) -> (Tensor, Tensor, Tensor)",
       native_layer_norm, deterministic),
    OP_OUT("aten::native_layer_norm.out(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, "
           "float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))",
           native_layer_norm, deterministic),
    OP("aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, "
       "float? eps=None) -> Tensor",
       rms_norm, deterministic),
    OP("aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, "
       "float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor",
       group_norm, shapes_only, rounds_once, keeps_rank),
    OP("aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, "
       "int group, float eps) -> (Tensor, Tensor, Tensor)",
       native_group_norm, deterministic),
    OP_OUT("aten::native_group_norm.out(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, "
           "SymInt HxW, int group, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), "
           "Tensor(b!), Tensor(c!))",
           native_group_norm, deterministic),
    OP("aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor", norm_except_dim, deterministic),
    OP("aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor", weight_norm, deterministic),
    OP("aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)", weight_norm_interface,
       deterministic),
    OP_OUT("aten::_weight_norm_interface.out(Tensor v, Tensor g, int dim=0, *, Tensor(a!) out0, Tensor(b!) out1) -> "
           "(Tensor(a!), Tensor(b!))",
           weight_norm_interface, deterministic),
    OP("aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor", renorm, deterministic),
    OP_INPLACE("aten::renorm_(Tensor(a!) self, Scalar p, int dim, Scalar maxnorm) -> Tensor(a!)", renorm,
               deterministic),
    OP_OUT("aten::renorm.out(Tensor self, Scalar p, int dim, Scalar maxnorm, *, Tensor(a!) out) -> Tensor(a!)", renorm,
           deterministic),
};

}  // namespace

WICK_OP_FAMILY(kNormOps, kEntries)

}  // namespace wick
