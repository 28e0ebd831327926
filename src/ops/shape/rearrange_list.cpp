#include "ops/families.h"
#include "ops/shape/rearrange.h"

namespace wick {

namespace {

using namespace ops;

constexpr OpEntry kEntries[] = {
    OP("aten::flip(Tensor self, int[] dims) -> Tensor", flip),
    OP_OUT("aten::flip.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)", flip),
    OP("aten::fliplr(Tensor self) -> Tensor", fliplr),
    OP("aten::flipud(Tensor self) -> Tensor", flipud),
    OP("aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor", rot90),
    OP_OUT("aten::rot90.out(Tensor self, int k=1, int[] dims=[0, 1], *, Tensor(a!) out) -> Tensor(a!)", rot90),
    OP("aten::roll(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor", roll),
    OP_OUT("aten::roll.out(Tensor self, int[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> Tensor(a!)", roll),
    OP("aten::repeat(Tensor self, SymInt[] repeats) -> Tensor", repeat),
    OP_OUT("aten::repeat.out(Tensor self, SymInt[] repeats, *, Tensor(a!) out) -> Tensor(a!)", repeat),
    OP("aten::tile(Tensor self, int[] dims) -> Tensor", tile),
    OP("aten::repeat_interleave.Tensor(Tensor repeats, *, int? output_size=None) -> Tensor", repeat_interleave),
    OP_OUT("aten::repeat_interleave.Tensor_out(Tensor repeats, *, int? output_size=None, Tensor(a!) out) -> Tensor(a!)",
           repeat_interleave),
    OP("aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, int? output_size=None) "
       "-> Tensor",
       repeat_interleave_self_tensor),
    OP("aten::repeat_interleave.self_int(Tensor self, int repeats, int? dim=None, *, int? output_size=None) -> Tensor",
       repeat_interleave_self_int),
    OP("aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor", pixel_shuffle),
    OP_OUT("aten::pixel_shuffle.out(Tensor self, int upscale_factor, *, Tensor(a!) out) -> Tensor(a!)", pixel_shuffle),
    OP("aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor", pixel_unshuffle),
    OP_OUT("aten::pixel_unshuffle.out(Tensor self, int downscale_factor, *, Tensor(a!) out) -> Tensor(a!)",
           pixel_unshuffle),
    OP("aten::channel_shuffle(Tensor self, int groups) -> Tensor", channel_shuffle),
    OP_OUT("aten::channel_shuffle.out(Tensor self, int groups, *, Tensor(a!) out) -> Tensor(a!)", channel_shuffle),
    OP("aten::native_channel_shuffle(Tensor self, int groups) -> Tensor", channel_shuffle),
    OP("aten::tril(Tensor self, int diagonal=0) -> Tensor", tril),
    OP_INPLACE("aten::tril_(Tensor(a!) self, int diagonal=0) -> Tensor(a!)", tril),
    OP_OUT("aten::tril.out(Tensor self, int diagonal=0, *, Tensor(a!) out) -> Tensor(a!)", tril),
    OP("aten::triu(Tensor self, int diagonal=0) -> Tensor", triu),
    OP_INPLACE("aten::triu_(Tensor(a!) self, int diagonal=0) -> Tensor(a!)", triu),
    OP_OUT("aten::triu.out(Tensor self, int diagonal=0, *, Tensor(a!) out) -> Tensor(a!)", triu),
    OP("aten::diag(Tensor self, int diagonal=0) -> Tensor", diag),
    OP_OUT("aten::diag.out(Tensor self, int diagonal=0, *, Tensor(a!) out) -> Tensor(a!)", diag),
    OP("aten::diagflat(Tensor self, int offset=0) -> Tensor", diagflat),
    OP("aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor", diag_embed),
    OP_OUT("aten::diag_embed.out(Tensor self, int offset=0, int dim1=-2, int dim2=-1, *, Tensor(a!) out) -> Tensor(a!)",
           diag_embed),
    OP("aten::block_diag(Tensor[] tensors) -> Tensor", block_diag),
    OP_OUT("aten::block_diag.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", block_diag),
    OP("aten::cartesian_prod(Tensor[] tensors) -> Tensor", cartesian_prod),
    OP("aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor", combinations),
    OP("aten::select_scatter(Tensor self, Tensor src, int dim, int index) -> Tensor", select_scatter),
    OP_OUT("aten::select_scatter.out(Tensor self, Tensor src, int dim, int index, *, Tensor(a!) out) -> Tensor(a!)",
           select_scatter),
    OP("aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt "
       "step=1) -> Tensor",
       slice_scatter),
    OP_OUT("aten::slice_scatter.out(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, "
           "SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)",
           slice_scatter),
    OP("aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
       diagonal_scatter),
    OP_OUT("aten::diagonal_scatter.out(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1, *, Tensor(a!) "
           "out) -> Tensor(a!)",
           diagonal_scatter),
    OP("aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? "
       "storage_offset=None) -> Tensor",
       as_strided_scatter),
    OP_OUT("aten::as_strided_scatter.out(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? "
           "storage_offset=None, *, Tensor(a!) out) -> Tensor(a!)",
           as_strided_scatter),
};

}  // namespace

WICK_OP_FAMILY(kRearrangeOps, kEntries)

}  // namespace wick
