// The operator list of padding.
#include "ops/families.h"
#include "ops/nn/pad.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::constant_pad_nd(Tensor self, int[] pad, Scalar value=0) -> Tensor", constant_pad_nd, shapes_only,
       keeps_qparams, keeps_rank),
    OP_OUT("aten::constant_pad_nd.out(Tensor self, int[] pad, Scalar value=0, *, Tensor(a!) out) -> Tensor(a!)",
           constant_pad_nd, shapes_only),
    OP("aten::pad(Tensor self, int[] pad, str mode=\"constant\", float? value=None) -> Tensor", pad, shapes_only,
       keeps_qparams, keeps_rank),
    OP("aten::_pad_enum(Tensor self, int[] pad, int mode, float? value=None) -> Tensor", pad_enum, deterministic),
    OP("aten::_pad_circular(Tensor self, int[] pad) -> Tensor", pad_circular, deterministic),
    OP("aten::reflection_pad1d(Tensor self, int[2] padding) -> Tensor", reflection_pad1d, shapes_only),
    OP_OUT("aten::reflection_pad1d.out(Tensor self, int[2] padding, *, Tensor(a!) out) -> Tensor(a!)", reflection_pad1d,
           shapes_only),
    OP("aten::reflection_pad2d(Tensor self, int[4] padding) -> Tensor", reflection_pad2d, shapes_only),
    OP_OUT("aten::reflection_pad2d.out(Tensor self, int[4] padding, *, Tensor(a!) out) -> Tensor(a!)", reflection_pad2d,
           shapes_only),
    OP("aten::reflection_pad3d(Tensor self, int[6] padding) -> Tensor", reflection_pad3d, deterministic),
    OP_OUT("aten::reflection_pad3d.out(Tensor self, int[6] padding, *, Tensor(a!) out) -> Tensor(a!)", reflection_pad3d,
           deterministic),
    OP("aten::replication_pad1d(Tensor self, int[2] padding) -> Tensor", replication_pad1d, shapes_only),
    OP_OUT("aten::replication_pad1d.out(Tensor self, int[2] padding, *, Tensor(a!) out) -> Tensor(a!)",
           replication_pad1d, shapes_only),
    OP("aten::replication_pad2d(Tensor self, int[4] padding) -> Tensor", replication_pad2d, shapes_only),
    OP_OUT("aten::replication_pad2d.out(Tensor self, int[4] padding, *, Tensor(a!) out) -> Tensor(a!)",
           replication_pad2d, shapes_only),
    OP("aten::replication_pad3d(Tensor self, int[6] padding) -> Tensor", replication_pad3d, deterministic),
    OP_OUT("aten::replication_pad3d.out(Tensor self, int[6] padding, *, Tensor(a!) out) -> Tensor(a!)",
           replication_pad3d, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kPadOps, kEntries)

}  // namespace wick
