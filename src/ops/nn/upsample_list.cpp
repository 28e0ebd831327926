// The operator list of resampling.
#include "ops/families.h"
#include "ops/nn/upsample.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor", upsample_nearest1d,
       shapes_only),
    OP_OUT("aten::upsample_nearest1d.out(Tensor self, SymInt[1] output_size, float? scales=None, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           upsample_nearest1d, shapes_only),
    OP("aten::upsample_nearest1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
       upsample_nearest1d_vec, shapes_only),
    OP_OUT("aten::upsample_nearest1d.vec_out(Tensor input, SymInt[]? output_size, float[]? scale_factors, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           upsample_nearest1d_vec, shapes_only),
    OP("aten::upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, "
       "float? scales_w=None) -> Tensor",
       upsample_nearest2d, shapes_only, rounds_never, keeps_qparams, keeps_rank),
    OP_OUT("aten::upsample_nearest2d.out(Tensor self, SymInt[2] output_size, float? scales_h=None, "
           "float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_nearest2d, shapes_only),
    OP("aten::upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
       upsample_nearest2d_vec, shapes_only, rounds_never, keeps_qparams, keeps_rank),
    OP_OUT("aten::upsample_nearest2d.vec_out(Tensor input, SymInt[]? output_size, float[]? scale_factors, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           upsample_nearest2d_vec, shapes_only),
    OP("aten::upsample_nearest3d(Tensor self, SymInt[3] output_size, float? scales_d=None, "
       "float? scales_h=None, float? scales_w=None) -> Tensor",
       upsample_nearest3d, shapes_only),
    OP_OUT("aten::upsample_nearest3d.out(Tensor self, SymInt[3] output_size, float? scales_d=None, "
           "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_nearest3d, shapes_only),
    OP("aten::upsample_nearest3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor",
       upsample_nearest3d_vec, shapes_only),
    OP_OUT("aten::upsample_nearest3d.vec_out(Tensor input, SymInt[]? output_size, float[]? scale_factors, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           upsample_nearest3d_vec, shapes_only),
    OP("aten::_upsample_nearest_exact1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor",
       upsample_nearest_exact1d, deterministic),
    OP_OUT("aten::_upsample_nearest_exact1d.out(Tensor self, SymInt[1] output_size, float? scales=None, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           upsample_nearest_exact1d, deterministic),
    OP("aten::_upsample_nearest_exact1d.vec(Tensor input, SymInt[]? output_size, "
       "float[]? scale_factors) -> Tensor",
       upsample_nearest_exact1d_vec, deterministic),
    OP_OUT("aten::_upsample_nearest_exact1d.vec_out(Tensor input, SymInt[]? output_size, "
           "float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_nearest_exact1d_vec, deterministic),
    OP("aten::_upsample_nearest_exact2d(Tensor self, SymInt[2] output_size, float? scales_h=None, "
       "float? scales_w=None) -> Tensor",
       upsample_nearest_exact2d, deterministic),
    OP_OUT("aten::_upsample_nearest_exact2d.out(Tensor self, SymInt[2] output_size, float? scales_h=None, "
           "float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_nearest_exact2d, deterministic),
    OP("aten::_upsample_nearest_exact2d.vec(Tensor input, SymInt[]? output_size, "
       "float[]? scale_factors) -> Tensor",
       upsample_nearest_exact2d_vec, deterministic),
    OP_OUT("aten::_upsample_nearest_exact2d.vec_out(Tensor input, SymInt[]? output_size, "
           "float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_nearest_exact2d_vec, deterministic),
    OP("aten::_upsample_nearest_exact3d(Tensor self, SymInt[3] output_size, float? scales_d=None, "
       "float? scales_h=None, float? scales_w=None) -> Tensor",
       upsample_nearest_exact3d, deterministic),
    OP_OUT("aten::_upsample_nearest_exact3d.out(Tensor self, SymInt[3] output_size, float? scales_d=None, "
           "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_nearest_exact3d, deterministic),
    OP("aten::_upsample_nearest_exact3d.vec(Tensor input, SymInt[]? output_size, "
       "float[]? scale_factors) -> Tensor",
       upsample_nearest_exact3d_vec, deterministic),
    OP_OUT("aten::_upsample_nearest_exact3d.vec_out(Tensor input, SymInt[]? output_size, "
           "float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_nearest_exact3d_vec, deterministic),
    OP("aten::upsample_linear1d(Tensor self, SymInt[1] output_size, bool align_corners, "
       "float? scales=None) -> Tensor",
       upsample_linear1d, shapes_only),
    OP_OUT("aten::upsample_linear1d.out(Tensor self, SymInt[1] output_size, bool align_corners, "
           "float? scales=None, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_linear1d, shapes_only),
    OP("aten::upsample_linear1d.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
       "float[]? scale_factors) -> Tensor",
       upsample_linear1d_vec, shapes_only),
    OP_OUT("aten::upsample_linear1d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, "
           "float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_linear1d_vec, shapes_only),
    OP("aten::upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, "
       "float? scales_h=None, float? scales_w=None) -> Tensor",
       upsample_bilinear2d, shapes_only, rounds_once, keeps_qparams, keeps_rank),
    OP_OUT("aten::upsample_bilinear2d.out(Tensor self, SymInt[2] output_size, bool align_corners, "
           "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_bilinear2d, shapes_only),
    OP("aten::upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
       "float[]? scale_factors) -> Tensor",
       upsample_bilinear2d_vec, shapes_only, rounds_once, keeps_qparams, keeps_rank),
    OP_OUT("aten::upsample_bilinear2d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, "
           "float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_bilinear2d_vec, shapes_only),
    OP("aten::upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, "
       "float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor",
       upsample_trilinear3d, shapes_only),
    OP_OUT("aten::upsample_trilinear3d.out(Tensor self, SymInt[3] output_size, bool align_corners, "
           "float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_trilinear3d, shapes_only),
    OP("aten::upsample_trilinear3d.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
       "float[]? scale_factors) -> Tensor",
       upsample_trilinear3d_vec, shapes_only),
    OP_OUT("aten::upsample_trilinear3d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, "
           "float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_trilinear3d_vec, shapes_only),
    OP("aten::upsample_bicubic2d(Tensor self, SymInt[2] output_size, bool align_corners, "
       "float? scales_h=None, float? scales_w=None) -> Tensor",
       upsample_bicubic2d, shapes_only),
    OP_OUT("aten::upsample_bicubic2d.out(Tensor self, SymInt[2] output_size, bool align_corners, "
           "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_bicubic2d, shapes_only),
    OP("aten::upsample_bicubic2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
       "float[]? scale_factors) -> Tensor",
       upsample_bicubic2d_vec, shapes_only),
    OP_OUT("aten::upsample_bicubic2d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, "
           "float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_bicubic2d_vec, shapes_only),
    OP("aten::_upsample_bilinear2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, "
       "float? scales_h=None, float? scales_w=None) -> Tensor",
       upsample_bilinear2d_aa, deterministic),
    OP_OUT("aten::_upsample_bilinear2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, "
           "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_bilinear2d_aa, deterministic),
    OP("aten::_upsample_bilinear2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
       "float[]? scale_factors) -> Tensor",
       upsample_bilinear2d_aa_vec, deterministic),
    OP_OUT("aten::_upsample_bilinear2d_aa.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, "
           "float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_bilinear2d_aa_vec, deterministic),
    OP("aten::_upsample_bicubic2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, "
       "float? scales_h=None, float? scales_w=None) -> Tensor",
       upsample_bicubic2d_aa, deterministic),
    OP_OUT("aten::_upsample_bicubic2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, "
           "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_bicubic2d_aa, deterministic),
    OP("aten::_upsample_bicubic2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
       "float[]? scale_factors) -> Tensor",
       upsample_bicubic2d_aa_vec, deterministic),
    OP_OUT("aten::_upsample_bicubic2d_aa.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, "
           "float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_bicubic2d_aa_vec, deterministic),
    OP_OUT("aten::_upsample_lanczos2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, float? "
           "scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)",
           upsample_lanczos2d_aa, deterministic),
    OP("aten::_upsample_lanczos2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, "
       "float? scales_h=None, float? scales_w=None) -> Tensor",
       upsample_lanczos2d_aa, deterministic),
    OP("aten::_upsample_lanczos2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, "
       "float[]? scale_factors) -> Tensor",
       upsample_lanczos2d_aa_vec, deterministic),
    OP("aten::__interpolate(Tensor input, int? size=None, float? scale_factor=None, str mode=\"nearest\", "
       "bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor",
       interpolate, deterministic),
    OP("aten::__upsample_bilinear(Tensor input, int? size=None, int? scale_factor=None) -> Tensor",
       upsample_bilinear_builtin, deterministic),
    OP("aten::__interpolate.scale_list(Tensor input, int? size=None, float[]? scale_factor=None, "
       "str mode=\"nearest\", bool? align_corners=None, bool? recompute_scale_factor=None, "
       "bool antialias=False) -> Tensor",
       interpolate, deterministic),
    OP("aten::__upsample_bilinear.scale_list(Tensor input, int? size=None, "
       "int[]? scale_factor=None) -> Tensor",
       upsample_bilinear_builtin, deterministic),
    OP("aten::__interpolate.size_list(Tensor input, int[]? size=None, float? scale_factor=None, "
       "str mode=\"nearest\", bool? align_corners=None, bool? recompute_scale_factor=None, "
       "bool antialias=False) -> Tensor",
       interpolate, deterministic),
    OP("aten::__upsample_bilinear.size_list(Tensor input, int[]? size=None, "
       "int? scale_factor=None) -> Tensor",
       upsample_bilinear_builtin, deterministic),
    OP("aten::__interpolate.size_list_scale_list(Tensor input, int[]? size=None, "
       "float[]? scale_factor=None, str mode=\"nearest\", bool? align_corners=None, "
       "bool? recompute_scale_factor=None, bool antialias=False) -> Tensor",
       interpolate, deterministic),
    OP("aten::__upsample_bilinear.size_list_scale_list(Tensor input, int[]? size=None, "
       "int[]? scale_factor=None) -> Tensor",
       upsample_bilinear_builtin, deterministic),
    OP("aten::__upsample(Tensor input, int? size=None, int? scale_factor=None, str mode=\"nearest\", "
       "bool? align_corners=None) -> Tensor",
       upsample_builtin, deterministic),
    OP("aten::__upsample_nearest(Tensor input, int? size=None, int? scale_factor=None) -> Tensor",
       upsample_nearest_builtin, deterministic),
    OP("aten::__upsample.size_list(Tensor input, int[]? size=None, int? scale_factor=None, "
       "str mode=\"nearest\", bool? align_corners=None) -> Tensor",
       upsample_builtin, deterministic),
    OP("aten::__upsample_nearest.size_list(Tensor input, int[]? size=None, int? scale_factor=None) -> Tensor",
       upsample_nearest_builtin, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kUpsampleOps, kEntries)

}  // namespace wick
