// The operator list of distances.
#include "ops/families.h"
#include "ops/nn/distance.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor", cosine_similarity,
       deterministic),
    OP("aten::pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07, "
       "bool keepdim=False) -> Tensor",
       pairwise_distance, deterministic),
    OP("aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor", cdist, deterministic),
    OP("aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor", cdist, deterministic),
    OP_OUT("aten::_cdist_forward.out(Tensor x1, Tensor x2, float p, int? compute_mode, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           cdist, deterministic),
    OP("aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor", euclidean_dist, deterministic),
    OP_OUT("aten::_euclidean_dist.out(Tensor x1, Tensor x2, *, Tensor(a!) out) -> Tensor(a!)", euclidean_dist,
           deterministic),
    OP("aten::pdist(Tensor self, float p=2.) -> Tensor", pdist, deterministic),
    OP("aten::_pdist_forward(Tensor self, float p=2.) -> Tensor", pdist, deterministic),
    OP_OUT("aten::_pdist_forward.out(Tensor self, float p=2., *, Tensor(a!) out) -> Tensor(a!)", pdist, deterministic),
    OP("aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor", dist, deterministic),
    OP_OUT("aten::dist.out(Tensor self, Tensor other, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)", dist,
           deterministic),
    OP("aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor", cross, deterministic),
    OP_OUT("aten::cross.out(Tensor self, Tensor other, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)", cross,
           deterministic),
    OP("aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor", linalg_cross, deterministic),
    OP_OUT("aten::linalg_cross.out(Tensor self, Tensor other, *, int dim=-1, Tensor(a!) out) -> Tensor(a!)",
           linalg_cross, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kDistanceOps, kEntries)

}  // namespace wick
