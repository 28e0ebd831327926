// The operator list of reordering.
#include "ops/families.h"
#include "ops/shape/rearrange.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::flip(Tensor self, int[] dims) -> Tensor", flip, shapes_only),
    OP_OUT("aten::flip.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)", flip, shapes_only),
    OP("aten::fliplr(Tensor self) -> Tensor", fliplr, deterministic),
    OP("aten::flipud(Tensor self) -> Tensor", flipud, deterministic),
    OP("aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor", rot90, deterministic),
    OP_OUT("aten::rot90.out(Tensor self, int k=1, int[] dims=[0, 1], *, Tensor(a!) out) -> Tensor(a!)", rot90,
           deterministic),
    OP("aten::roll(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor", roll, shapes_only),
    OP_OUT("aten::roll.out(Tensor self, int[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> Tensor(a!)", roll,
           shapes_only),
    OP("aten::repeat(Tensor self, SymInt[] repeats) -> Tensor", repeat, shapes_only),
    OP_OUT("aten::repeat.out(Tensor self, SymInt[] repeats, *, Tensor(a!) out) -> Tensor(a!)", repeat, shapes_only),
    OP("aten::tile(Tensor self, int[] dims) -> Tensor", tile, shapes_only),
    OP("aten::repeat_interleave.Tensor(Tensor repeats, *, int? output_size=None) -> Tensor", repeat_interleave,
       dynamic_output_shape),
    OP_OUT("aten::repeat_interleave.Tensor_out(Tensor repeats, *, int? output_size=None, Tensor(a!) out) -> Tensor(a!)",
           repeat_interleave, dynamic_output_shape),
    OP("aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, int? output_size=None) "
       "-> Tensor",
       repeat_interleave_self_tensor, dynamic_output_shape),
    OP("aten::repeat_interleave.self_int(Tensor self, int repeats, int? dim=None, *, int? output_size=None) -> Tensor",
       repeat_interleave_self_int, deterministic),
    OP("aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor", pixel_shuffle, shapes_only, rounds_never,
       keeps_qparams),
    OP_OUT("aten::pixel_shuffle.out(Tensor self, int upscale_factor, *, Tensor(a!) out) -> Tensor(a!)", pixel_shuffle,
           shapes_only),
    OP("aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor", pixel_unshuffle, shapes_only),
    OP_OUT("aten::pixel_unshuffle.out(Tensor self, int downscale_factor, *, Tensor(a!) out) -> Tensor(a!)",
           pixel_unshuffle, shapes_only),
    OP("aten::channel_shuffle(Tensor self, int groups) -> Tensor", channel_shuffle, shapes_only, keeps_qparams),
    OP_OUT("aten::channel_shuffle.out(Tensor self, int groups, *, Tensor(a!) out) -> Tensor(a!)", channel_shuffle,
           shapes_only),
    OP("aten::native_channel_shuffle(Tensor self, int groups) -> Tensor", channel_shuffle, deterministic),
    OP("aten::tril(Tensor self, int diagonal=0) -> Tensor", tril, shapes_only),
    OP_INPLACE("aten::tril_(Tensor(a!) self, int diagonal=0) -> Tensor(a!)", tril, deterministic),
    OP_OUT("aten::tril.out(Tensor self, int diagonal=0, *, Tensor(a!) out) -> Tensor(a!)", tril, shapes_only),
    OP("aten::triu(Tensor self, int diagonal=0) -> Tensor", triu, shapes_only),
    OP_INPLACE("aten::triu_(Tensor(a!) self, int diagonal=0) -> Tensor(a!)", triu, deterministic),
    OP_OUT("aten::triu.out(Tensor self, int diagonal=0, *, Tensor(a!) out) -> Tensor(a!)", triu, shapes_only),
    OP("aten::diag(Tensor self, int diagonal=0) -> Tensor", diag, deterministic),
    OP_OUT("aten::diag.out(Tensor self, int diagonal=0, *, Tensor(a!) out) -> Tensor(a!)", diag, deterministic),
    OP("aten::diagflat(Tensor self, int offset=0) -> Tensor", diagflat, deterministic),
    OP("aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor", diag_embed, deterministic),
    OP_OUT("aten::diag_embed.out(Tensor self, int offset=0, int dim1=-2, int dim2=-1, *, Tensor(a!) out) -> Tensor(a!)",
           diag_embed, deterministic),
    OP("aten::block_diag(Tensor[] tensors) -> Tensor", block_diag, deterministic),
    OP_OUT("aten::block_diag.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", block_diag, deterministic),
    OP("aten::cartesian_prod(Tensor[] tensors) -> Tensor", cartesian_prod, deterministic),
    OP("aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor", combinations, not_planned),
    OP("aten::select_scatter(Tensor self, Tensor src, int dim, int index) -> Tensor", select_scatter, deterministic),
    OP_OUT("aten::select_scatter.out(Tensor self, Tensor src, int dim, int index, *, Tensor(a!) out) -> Tensor(a!)",
           select_scatter, deterministic),
    OP("aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt "
       "step=1) -> Tensor",
       slice_scatter, deterministic),
    OP_OUT("aten::slice_scatter.out(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, "
           "SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)",
           slice_scatter, deterministic),
    OP("aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
       diagonal_scatter, deterministic),
    OP_OUT("aten::diagonal_scatter.out(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1, *, Tensor(a!) "
           "out) -> Tensor(a!)",
           diagonal_scatter, deterministic),
    OP("aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? "
       "storage_offset=None) -> Tensor",
       as_strided_scatter, deterministic),
    OP_OUT("aten::as_strided_scatter.out(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? "
           "storage_offset=None, *, Tensor(a!) out) -> Tensor(a!)",
           as_strided_scatter, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kRearrangeOps, kEntries)

}  // namespace wick
