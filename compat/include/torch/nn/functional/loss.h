// torch::nn::functional: losses (without gradients) and distances.
#pragma once

#include <torch/expanding_array.h>

namespace torch {
namespace nn {
namespace functional {

#define WICK_LOSS_OPTIONS(Options)                               \
  struct Options {                                               \
    Options() = default;                                         \
    using reduction_t = enumtype::Name;                          \
    Options(enumtype::Name reduction) : reduction_(reduction) {} \
    TORCH_ARG(enumtype::Name, reduction) = torch::kMean;
WICK_LOSS_OPTIONS(L1LossFuncOptions)
};
WICK_LOSS_OPTIONS(MSELossFuncOptions)
};
WICK_LOSS_OPTIONS(KLDivFuncOptions)
TORCH_ARG(bool, log_target) = false;
};
WICK_LOSS_OPTIONS(SmoothL1LossFuncOptions)
TORCH_ARG(double, beta) = 1.0;
}
;
WICK_LOSS_OPTIONS(HuberLossFuncOptions)
TORCH_ARG(double, delta) = 1.0;
}
;
WICK_LOSS_OPTIONS(BinaryCrossEntropyFuncOptions)
TORCH_ARG(at::Tensor, weight) = {};
}
;
WICK_LOSS_OPTIONS(BinaryCrossEntropyWithLogitsFuncOptions)
TORCH_ARG(at::Tensor, weight) = {};
TORCH_ARG(at::Tensor, pos_weight) = {};
}
;
WICK_LOSS_OPTIONS(NLLLossFuncOptions)
TORCH_ARG(at::Tensor, weight) = {};
TORCH_ARG(int64_t, ignore_index) = -100;
}
;
WICK_LOSS_OPTIONS(CrossEntropyFuncOptions)
TORCH_ARG(at::Tensor, weight) = {};
TORCH_ARG(int64_t, ignore_index) = -100;
TORCH_ARG(double, label_smoothing) = 0.0;
}
;
WICK_LOSS_OPTIONS(CosineEmbeddingLossFuncOptions)
TORCH_ARG(double, margin) = 0.0;
}
;
WICK_LOSS_OPTIONS(TripletMarginLossFuncOptions)
TORCH_ARG(double, margin) = 1.0;
TORCH_ARG(double, p) = 2.0;
TORCH_ARG(double, eps) = 1e-6;
TORCH_ARG(bool, swap) = false;
}
;
WICK_LOSS_OPTIONS(CTCLossFuncOptions)
TORCH_ARG(int64_t, blank) = 0;
TORCH_ARG(bool, zero_infinity) = false;
}
;
WICK_LOSS_OPTIONS(HingeEmbeddingLossFuncOptions)
TORCH_ARG(double, margin) = 1.0;
}
;
WICK_LOSS_OPTIONS(MarginRankingLossFuncOptions)
TORCH_ARG(double, margin) = 0;
}
;
WICK_LOSS_OPTIONS(MultiMarginLossFuncOptions)
TORCH_ARG(int64_t, p) = 1;
TORCH_ARG(double, margin) = 1.0;
TORCH_ARG(at::Tensor, weight) = {};
}
;
WICK_LOSS_OPTIONS(MultilabelMarginLossFuncOptions)
}
;
WICK_LOSS_OPTIONS(SoftMarginLossFuncOptions)
}
;
WICK_LOSS_OPTIONS(MultilabelSoftMarginLossFuncOptions)
TORCH_ARG(at::Tensor, weight) = {};
}
;
WICK_LOSS_OPTIONS(PoissonNLLLossFuncOptions)
TORCH_ARG(bool, log_input) = true;
TORCH_ARG(bool, full) = false;
TORCH_ARG(double, eps) = 1e-8;
}
;
#undef WICK_LOSS_OPTIONS

inline at::Tensor l1_loss(const at::Tensor& input, const at::Tensor& target, const L1LossFuncOptions& o = {}) {
  return at::l1_loss(input, target, nn::detail::reduction(o.reduction()));
}
inline at::Tensor mse_loss(const at::Tensor& input, const at::Tensor& target, const MSELossFuncOptions& o = {}) {
  return at::mse_loss(input, target, nn::detail::reduction(o.reduction()));
}
inline at::Tensor kl_div(const at::Tensor& input, const at::Tensor& target, const KLDivFuncOptions& o = {}) {
  const bool batch = o.reduction() == kBatchMean;
  const at::Tensor loss = at::kl_div(input, target, batch ? 2 : nn::detail::reduction(o.reduction()), o.log_target());
  return batch && input.dim() != 0 ? loss / input.size(0) : loss;
}
inline at::Tensor smooth_l1_loss(const at::Tensor& input, const at::Tensor& target,
                                 const SmoothL1LossFuncOptions& o = {}, double beta = -1) {
  return at::smooth_l1_loss(input, target, nn::detail::reduction(o.reduction()), beta < 0 ? o.beta() : beta);
}
inline at::Tensor huber_loss(const at::Tensor& input, const at::Tensor& target, const HuberLossFuncOptions& o = {}) {
  return at::huber_loss(input, target, nn::detail::reduction(o.reduction()), o.delta());
}
inline at::Tensor binary_cross_entropy(const at::Tensor& input, const at::Tensor& target,
                                       const BinaryCrossEntropyFuncOptions& o = {}) {
  return at::binary_cross_entropy(input, target, nn::detail::given(o.weight()), nn::detail::reduction(o.reduction()));
}
inline at::Tensor binary_cross_entropy_with_logits(const at::Tensor& input, const at::Tensor& target,
                                                   const BinaryCrossEntropyWithLogitsFuncOptions& o = {}) {
  return at::binary_cross_entropy_with_logits(input, target, nn::detail::given(o.weight()),
                                              nn::detail::given(o.pos_weight()), nn::detail::reduction(o.reduction()));
}
inline at::Tensor nll_loss(const at::Tensor& input, const at::Tensor& target, const NLLLossFuncOptions& o = {}) {
  return at::nll_loss_nd(input, target, nn::detail::given(o.weight()), nn::detail::reduction(o.reduction()),
                         o.ignore_index());
}
inline at::Tensor cross_entropy(const at::Tensor& input, const at::Tensor& target,
                                const CrossEntropyFuncOptions& o = {}) {
  return at::cross_entropy_loss(input, target, nn::detail::given(o.weight()), nn::detail::reduction(o.reduction()),
                                o.ignore_index(), o.label_smoothing());
}
inline at::Tensor cosine_embedding_loss(const at::Tensor& a, const at::Tensor& b, const at::Tensor& target,
                                        const CosineEmbeddingLossFuncOptions& o = {}) {
  return at::cosine_embedding_loss(a, b, target, o.margin(), nn::detail::reduction(o.reduction()));
}
inline at::Tensor triplet_margin_loss(const at::Tensor& anchor, const at::Tensor& positive, const at::Tensor& negative,
                                      const TripletMarginLossFuncOptions& o = {}) {
  return at::triplet_margin_loss(anchor, positive, negative, o.margin(), o.p(), o.eps(), o.swap(),
                                 nn::detail::reduction(o.reduction()));
}
inline at::Tensor ctc_loss(const at::Tensor& log_probs, const at::Tensor& targets, const at::Tensor& input_lengths,
                           const at::Tensor& target_lengths, const CTCLossFuncOptions& o = {}) {
  return at::ctc_loss(log_probs, targets, input_lengths, target_lengths, o.blank(),
                      nn::detail::reduction(o.reduction()), o.zero_infinity());
}
inline at::Tensor hinge_embedding_loss(const at::Tensor& input, const at::Tensor& target,
                                       const HingeEmbeddingLossFuncOptions& o = {}) {
  return at::hinge_embedding_loss(input, target, o.margin(), nn::detail::reduction(o.reduction()));
}
inline at::Tensor margin_ranking_loss(const at::Tensor& a, const at::Tensor& b, const at::Tensor& target,
                                      const MarginRankingLossFuncOptions& o = {}) {
  return at::margin_ranking_loss(a, b, target, o.margin(), nn::detail::reduction(o.reduction()));
}
inline at::Tensor multi_margin_loss(const at::Tensor& input, const at::Tensor& target,
                                    const MultiMarginLossFuncOptions& o = {}) {
  return at::multi_margin_loss(input, target, o.p(), o.margin(), nn::detail::given(o.weight()),
                               nn::detail::reduction(o.reduction()));
}
inline at::Tensor multilabel_margin_loss(const at::Tensor& input, const at::Tensor& target,
                                         const MultilabelMarginLossFuncOptions& o = {}) {
  return at::multilabel_margin_loss(input, target, nn::detail::reduction(o.reduction()));
}
inline at::Tensor soft_margin_loss(const at::Tensor& input, const at::Tensor& target,
                                   const SoftMarginLossFuncOptions& o = {}) {
  return at::soft_margin_loss(input, target, nn::detail::reduction(o.reduction()));
}
at::Tensor multilabel_soft_margin_loss(const at::Tensor& input, const at::Tensor& target,
                                       const MultilabelSoftMarginLossFuncOptions& options = {});
inline at::Tensor poisson_nll_loss(const at::Tensor& input, const at::Tensor& target,
                                   const PoissonNLLLossFuncOptions& o = {}) {
  return at::poisson_nll_loss(input, target, o.log_input(), o.full(), o.eps(), nn::detail::reduction(o.reduction()));
}

struct CosineSimilarityFuncOptions {
  TORCH_ARG(int64_t, dim) = 1;
  TORCH_ARG(double, eps) = 1e-8;
};
inline at::Tensor cosine_similarity(const at::Tensor& a, const at::Tensor& b,
                                    const CosineSimilarityFuncOptions& o = {}) {
  return at::cosine_similarity(a, b, o.dim(), o.eps());
}
struct PairwiseDistanceFuncOptions {
  TORCH_ARG(double, p) = 2.0;
  TORCH_ARG(double, eps) = 1e-6;
  TORCH_ARG(bool, keepdim) = false;
};
inline at::Tensor pairwise_distance(const at::Tensor& a, const at::Tensor& b,
                                    const PairwiseDistanceFuncOptions& o = {}) {
  return at::pairwise_distance(a, b, o.p(), o.eps(), o.keepdim());
}
inline at::Tensor pdist(const at::Tensor& input, double p = 2.0) { return at::pdist(input, p); }

}  // namespace functional
}  // namespace nn
}  // namespace torch
