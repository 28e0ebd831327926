// torch::nn: losses (without gradients) and distances.
#pragma once

#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/common.h>

namespace torch {
namespace nn {

using CosineSimilarityOptions = functional::CosineSimilarityFuncOptions;
using PairwiseDistanceOptions = functional::PairwiseDistanceFuncOptions;

#define WICK_LOSS_CLASS(Name, Options)                                   \
  class Name##Impl : public detail::OptionsModule<Name##Impl, Options> { \
   public:                                                               \
    using OptionsModule = detail::OptionsModule<Name##Impl, Options>;    \
    using OptionsModule::OptionsModule;                                  \
    void pretty_print(std::ostream& stream) const override;
#define WICK_LOSS2(Name, FuncOptions)                                    \
  using Name##Options = functional::FuncOptions;                         \
  WICK_LOSS_CLASS(Name, Name##Options)                                   \
  at::Tensor forward(const at::Tensor& input, const at::Tensor& target); \
  }                                                                      \
  ;                                                                      \
  TORCH_MODULE(Name)
#define WICK_LOSS3(Name, FuncOptions)                                                     \
  using Name##Options = functional::FuncOptions;                                          \
  WICK_LOSS_CLASS(Name, Name##Options)                                                    \
  at::Tensor forward(const at::Tensor& a, const at::Tensor& b, const at::Tensor& target); \
  }                                                                                       \
  ;                                                                                       \
  TORCH_MODULE(Name)
WICK_LOSS2(L1Loss, L1LossFuncOptions);
WICK_LOSS2(MSELoss, MSELossFuncOptions);
WICK_LOSS2(KLDivLoss, KLDivFuncOptions);
WICK_LOSS2(SmoothL1Loss, SmoothL1LossFuncOptions);
WICK_LOSS2(HuberLoss, HuberLossFuncOptions);
WICK_LOSS2(BCELoss, BinaryCrossEntropyFuncOptions);
WICK_LOSS2(BCEWithLogitsLoss, BinaryCrossEntropyWithLogitsFuncOptions);
WICK_LOSS2(NLLLoss, NLLLossFuncOptions);
WICK_LOSS2(CrossEntropyLoss, CrossEntropyFuncOptions);
WICK_LOSS2(HingeEmbeddingLoss, HingeEmbeddingLossFuncOptions);
WICK_LOSS2(MultiMarginLoss, MultiMarginLossFuncOptions);
WICK_LOSS2(MultiLabelMarginLoss, MultilabelMarginLossFuncOptions);
WICK_LOSS2(MultiLabelSoftMarginLoss, MultilabelSoftMarginLossFuncOptions);
WICK_LOSS2(SoftMarginLoss, SoftMarginLossFuncOptions);
WICK_LOSS2(PoissonNLLLoss, PoissonNLLLossFuncOptions);
WICK_LOSS3(CosineEmbeddingLoss, CosineEmbeddingLossFuncOptions);
WICK_LOSS3(MarginRankingLoss, MarginRankingLossFuncOptions);
WICK_LOSS3(TripletMarginLoss, TripletMarginLossFuncOptions);
#undef WICK_LOSS2
#undef WICK_LOSS3
using CTCLossOptions = functional::CTCLossFuncOptions;
WICK_LOSS_CLASS(CTCLoss, CTCLossOptions)
at::Tensor forward(const at::Tensor& log_probs, const at::Tensor& targets, const at::Tensor& input_lengths,
                   const at::Tensor& target_lengths);
};
TORCH_MODULE(CTCLoss);
WICK_LOSS_CLASS(CosineSimilarity, CosineSimilarityOptions)
at::Tensor forward(const at::Tensor& a, const at::Tensor& b);
};
TORCH_MODULE(CosineSimilarity);
WICK_LOSS_CLASS(PairwiseDistance, PairwiseDistanceOptions)
at::Tensor forward(const at::Tensor& a, const at::Tensor& b);
}
;
TORCH_MODULE(PairwiseDistance);
#undef WICK_LOSS_CLASS

}  // namespace nn
}  // namespace torch
