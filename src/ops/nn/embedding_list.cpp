// The operator list of embeddings.
#include "ops/families.h"
#include "ops/nn/embedding.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False, "
       "bool sparse=False) -> Tensor",
       embedding, deterministic),
    OP_OUT("aten::embedding.out(Tensor weight, Tensor indices, int padding_idx=-1, "
           "bool scale_grad_by_freq=False, bool sparse=False, *, Tensor(a!) out) -> Tensor(a!)",
           embedding, deterministic),
    OP("aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, "
       "float norm_type) -> Tensor(a!)",
       embedding_renorm, deterministic),
    OP("aten::_no_grad_embedding_renorm_(Tensor weight, Tensor input, float max_norm, "
       "float norm_type) -> Tensor",
       no_grad_embedding_renorm, deterministic),
    OP("aten::one_hot(Tensor self, int num_classes=-1) -> Tensor", one_hot, dynamic_output_shape),
    OP("aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, "
       "int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
       "bool include_last_offset=False) -> (Tensor, Tensor, Tensor, Tensor)",
       embedding_bag, deterministic),
    OP("aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, "
       "bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool include_last_offset, "
       "int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)",
       embedding_bag_padding_idx, deterministic),
    OP("aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, "
       "int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, "
       "int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)",
       embedding_bag_forward, deterministic),
    OP_OUT("aten::_embedding_bag.out(Tensor weight, Tensor indices, Tensor offsets, "
           "bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
           "bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1, "
           "Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))",
           embedding_bag_forward, deterministic),
    OP("aten::_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, "
       "bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
       "bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)",
       embedding_bag_forward, deterministic),
    OP_OUT("aten::_embedding_bag_forward_only.out(Tensor weight, Tensor indices, Tensor offsets, "
           "bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
           "bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1, "
           "Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))",
           embedding_bag_forward, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kEmbeddingOps, kEntries)

}  // namespace wick
