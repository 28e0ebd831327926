// torch::nn: activations, pooling, padding, losses: modules that are options and a function.
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/loss.h>
#include <torch/nn/modules/pooling.h>
#include <torch/nn/modules/vision.h>

#include "nn_print.h"

namespace torch {
namespace nn {

using at::Tensor;
using wick_compat::Printed;
namespace F = functional;

#define WICK_FORWARD(Name, ...) \
  Tensor Name##Impl::forward(const Tensor& input) { return __VA_ARGS__; }
#define WICK_PRINT(Name, ...)                                 \
  void Name##Impl::pretty_print(std::ostream& stream) const { \
    Printed printed(stream, #Name);                           \
    printed __VA_ARGS__;                                      \
  }
#define WICK_PRINT_NAME(Name) \
  void Name##Impl::pretty_print(std::ostream& stream) const { Printed printed(stream, #Name); }
#define WICK_INPLACE .field_if(options.inplace(), "inplace", options.inplace())

WICK_FORWARD(ELU, F::elu(input, options))
WICK_PRINT(ELU, .field("alpha", options.alpha()) WICK_INPLACE)
WICK_FORWARD(SELU, F::selu(input, options))
WICK_PRINT(SELU, WICK_INPLACE)
WICK_FORWARD(CELU, F::celu(input, options))
WICK_PRINT(CELU, .field("alpha", options.alpha()) WICK_INPLACE)
WICK_FORWARD(GLU, F::glu(input, options))
WICK_PRINT(GLU, .field("dim", options.dim()))
WICK_FORWARD(GELU, F::gelu(input, options))
WICK_PRINT_NAME(GELU)
WICK_FORWARD(ReLU, F::relu(input, options))
WICK_PRINT(ReLU, WICK_INPLACE)
WICK_FORWARD(ReLU6, F::relu6(input, options))
WICK_PRINT(ReLU6, WICK_INPLACE)
WICK_FORWARD(RReLU, F::rrelu(input, F::RReLUFuncOptions()
                                        .lower(options.lower())
                                        .upper(options.upper())
                                        .training(is_training())
                                        .inplace(options.inplace())))
WICK_PRINT(RReLU, .field("lower", options.lower()).field("upper", options.upper()) WICK_INPLACE)
WICK_FORWARD(LeakyReLU, F::leaky_relu(input, options))
WICK_PRINT(LeakyReLU, .field("negative_slope", options.negative_slope()) WICK_INPLACE)
WICK_FORWARD(Hardshrink, F::hardshrink(input, options))
WICK_PRINT(Hardshrink, .value(options.lambda()))
WICK_FORWARD(Hardtanh, F::hardtanh(input, options))
WICK_PRINT(Hardtanh, .field("min_val", options.min_val()).field("max_val", options.max_val()) WICK_INPLACE)
WICK_FORWARD(Softshrink, F::softshrink(input, options))
WICK_PRINT(Softshrink, .value(options.lambda()))
WICK_FORWARD(Softplus, F::softplus(input, options))
WICK_PRINT(Softplus, .field("beta", options.beta()).field("threshold", options.threshold()))
WICK_FORWARD(Threshold, F::threshold(input, options))
WICK_PRINT(Threshold, .field("threshold", options.threshold()).field("value", options.value()) WICK_INPLACE)
WICK_FORWARD(Softmax, at::softmax(input, options.dim()))
WICK_PRINT(Softmax, .field("dim", options.dim()))
WICK_FORWARD(Softmin, at::softmax(-input, options.dim()))
WICK_PRINT(Softmin, .field("dim", options.dim()))
WICK_FORWARD(LogSoftmax, at::log_softmax(input, options.dim()))
WICK_PRINT(LogSoftmax, .field("dim", options.dim()))
Tensor Softmax2dImpl::forward(const Tensor& input) {
  TORCH_CHECK(input.dim() == 4 || input.dim() == 3, "Softmax2d requires a 3D or 4D tensor as input");
  return at::softmax(input, -3);
}
WICK_PRINT_NAME(Softmax2d)
WICK_FORWARD(LogSigmoid, at::log_sigmoid(input))
WICK_PRINT_NAME(LogSigmoid)
WICK_FORWARD(SiLU, at::silu(input))
WICK_PRINT_NAME(SiLU)
WICK_FORWARD(Mish, at::mish(input))
WICK_PRINT_NAME(Mish)
WICK_FORWARD(Sigmoid, at::sigmoid(input))
WICK_PRINT_NAME(Sigmoid)
WICK_FORWARD(Softsign, F::softsign(input))
WICK_PRINT_NAME(Softsign)
WICK_FORWARD(Tanh, at::tanh(input))
WICK_PRINT_NAME(Tanh)
WICK_FORWARD(Tanhshrink, F::tanhshrink(input))
WICK_PRINT_NAME(Tanhshrink)

PReLUImpl::PReLUImpl(const PReLUOptions& o) : options(o) { PReLUImpl::reset(); }
void PReLUImpl::reset() { weight = register_parameter("weight", at::full({options.num_parameters()}, options.init())); }
WICK_FORWARD(PReLU, at::prelu(input, weight))
WICK_PRINT(PReLU, .field("num_parameters", options.num_parameters()))

#define WICK_POOL(D)                                                                                        \
  WICK_FORWARD(AvgPool##D##d, F::avg_pool##D##d(input, options))                                            \
  WICK_PRINT(AvgPool##D##d, .field("kernel_size", options.kernel_size())                                    \
                                .field("stride", options.stride())                                          \
                                .field("padding", options.padding()))                                       \
  WICK_FORWARD(MaxPool##D##d, F::max_pool##D##d(input, options))                                            \
  std::tuple<Tensor, Tensor> MaxPool##D##dImpl::forward_with_indices(const Tensor& input) {                 \
    return F::max_pool##D##d_with_indices(input, options);                                                  \
  }                                                                                                         \
  WICK_PRINT(MaxPool##D##d, .field("kernel_size", options.kernel_size())                                    \
                                .field("stride", options.stride())                                          \
                                .field("padding", options.padding())                                        \
                                .field("dilation", options.dilation())                                      \
                                .field("ceil_mode", options.ceil_mode()))                                   \
  WICK_FORWARD(AdaptiveAvgPool##D##d, F::adaptive_avg_pool##D##d(input, options))                           \
  WICK_PRINT(AdaptiveAvgPool##D##d, .field("output_size", options.output_size()))                           \
  WICK_FORWARD(AdaptiveMaxPool##D##d, std::get<0>(F::adaptive_max_pool##D##d_with_indices(input, options))) \
  std::tuple<Tensor, Tensor> AdaptiveMaxPool##D##dImpl::forward_with_indices(const Tensor& input) {         \
    return F::adaptive_max_pool##D##d_with_indices(input, options);                                         \
  }                                                                                                         \
  WICK_PRINT(AdaptiveMaxPool##D##d, .field("output_size", options.output_size()))                           \
  Tensor MaxUnpool##D##dImpl::forward(const Tensor& input, const Tensor& indices,                           \
                                      const c10::optional<std::vector<int64_t>>& output_size) {             \
    F::MaxUnpool##D##dFuncOptions o(options.kernel_size());                                                 \
    o.output_size(output_size).stride(options.stride()).padding(options.padding());                         \
    return F::max_unpool##D##d(input, indices, o);                                                          \
  }                                                                                                         \
  WICK_PRINT(MaxUnpool##D##d, .field("kernel_size", options.kernel_size())                                  \
                                  .field("stride", options.stride())                                        \
                                  .field("padding", options.padding()))
WICK_POOL(1)
WICK_POOL(2)
WICK_POOL(3)
#undef WICK_POOL
WICK_FORWARD(LPPool1d, F::lp_pool1d(input, options))
WICK_FORWARD(LPPool2d, F::lp_pool2d(input, options))
#define WICK_LP_POOL(Name)                                          \
  WICK_PRINT(Name, .field("norm_type", options.norm_type())         \
                       .field("kernel_size", options.kernel_size()) \
                       .field("stride", options.stride())           \
                       .field("ceil_mode", options.ceil_mode()))
WICK_LP_POOL(LPPool1d)
WICK_LP_POOL(LPPool2d)
#undef WICK_LP_POOL

#define WICK_PAD(Name, name, D)                                                            \
  WICK_FORWARD(Name##Pad##D##d, at::pad(input, options.padding(), c10::string_view(name))) \
  WICK_PRINT(Name##Pad##D##d, .field("padding", options.padding()))
WICK_PAD(Reflection, "reflect", 1)
WICK_PAD(Reflection, "reflect", 2)
WICK_PAD(Reflection, "reflect", 3)
WICK_PAD(Replication, "replicate", 1)
WICK_PAD(Replication, "replicate", 2)
WICK_PAD(Replication, "replicate", 3)
#undef WICK_PAD
#define WICK_PAD(D)                                                                               \
  WICK_FORWARD(ConstantPad##D##d, at::constant_pad_nd(input, options.padding(), options.value())) \
  WICK_PRINT(ConstantPad##D##d, .field("padding", options.padding()).field("value", options.value()))
WICK_PAD(1)
WICK_PAD(2)
WICK_PAD(3)
#undef WICK_PAD
WICK_FORWARD(ZeroPad2d, at::constant_pad_nd(input, options.padding(), 0))
WICK_PRINT(ZeroPad2d, .field("padding", options.padding()))

WICK_FORWARD(Upsample, F::upsample(input, options))
void UpsampleImpl::pretty_print(std::ostream& stream) const {
  Printed printed(stream, "Upsample");
  if (options.scale_factor()) {
    printed.field("scale_factor", at::ArrayRef<double>(*options.scale_factor()));
  } else if (options.size()) {
    printed.field("size", at::IntArrayRef(*options.size()));
  }
  std::string name = options.mode().text;
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  printed.field("mode", "k" + name);
}
WICK_FORWARD(PixelShuffle, F::pixel_shuffle(input, options))
WICK_PRINT(PixelShuffle, .field("upscale_factor", options.upscale_factor()))
WICK_FORWARD(PixelUnshuffle, F::pixel_unshuffle(input, options))
WICK_PRINT(PixelUnshuffle, .field("downscale_factor", options.downscale_factor()))

#define WICK_LOSS2(Name, function) \
  Tensor Name##Impl::forward(const Tensor& input, const Tensor& target) { return F::function(input, target, options); }
#define WICK_LOSS3(Name, function)                                                     \
  Tensor Name##Impl::forward(const Tensor& a, const Tensor& b, const Tensor& target) { \
    return F::function(a, b, target, options);                                         \
  }
WICK_LOSS2(L1Loss, l1_loss)
WICK_PRINT_NAME(L1Loss)
WICK_LOSS2(MSELoss, mse_loss)
WICK_PRINT_NAME(MSELoss)
WICK_LOSS2(KLDivLoss, kl_div)
WICK_PRINT_NAME(KLDivLoss)
WICK_LOSS2(SmoothL1Loss, smooth_l1_loss)
void SmoothL1LossImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::SmoothL1Loss"; }
WICK_LOSS2(HuberLoss, huber_loss)
void HuberLossImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::HuberLoss"; }
WICK_LOSS2(BCELoss, binary_cross_entropy)
WICK_PRINT_NAME(BCELoss)
WICK_LOSS2(BCEWithLogitsLoss, binary_cross_entropy_with_logits)
WICK_PRINT_NAME(BCEWithLogitsLoss)
WICK_LOSS2(NLLLoss, nll_loss)
WICK_PRINT_NAME(NLLLoss)
WICK_LOSS2(CrossEntropyLoss, cross_entropy)
WICK_PRINT_NAME(CrossEntropyLoss)
WICK_LOSS2(HingeEmbeddingLoss, hinge_embedding_loss)
WICK_PRINT(HingeEmbeddingLoss, .field("margin", options.margin()))
WICK_LOSS2(MultiMarginLoss, multi_margin_loss)
WICK_PRINT(MultiMarginLoss, .field("p", options.p())
                                .field("margin", options.margin())
                                .field("weight", options.weight())
                                .field("reduction", options.reduction() == kMean  ? "kMean"
                                                    : options.reduction() == kSum ? "kSum"
                                                                                  : "kNone"))
WICK_LOSS2(MultiLabelMarginLoss, multilabel_margin_loss)
WICK_PRINT_NAME(MultiLabelMarginLoss)
WICK_LOSS2(MultiLabelSoftMarginLoss, multilabel_soft_margin_loss)
WICK_PRINT_NAME(MultiLabelSoftMarginLoss)
WICK_LOSS2(SoftMarginLoss, soft_margin_loss)
WICK_PRINT_NAME(SoftMarginLoss)
WICK_LOSS2(PoissonNLLLoss, poisson_nll_loss)
WICK_PRINT_NAME(PoissonNLLLoss)
WICK_LOSS3(CosineEmbeddingLoss, cosine_embedding_loss)
WICK_PRINT(CosineEmbeddingLoss, .field("margin", options.margin()))
WICK_LOSS3(MarginRankingLoss, margin_ranking_loss)
WICK_PRINT_NAME(MarginRankingLoss)
WICK_LOSS3(TripletMarginLoss, triplet_margin_loss)
WICK_PRINT(TripletMarginLoss, .field("margin", options.margin())
                                  .field("p", options.p())
                                  .field("eps", options.eps())
                                  .field("swap", options.swap()))
Tensor CTCLossImpl::forward(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                            const Tensor& target_lengths) {
  return F::ctc_loss(log_probs, targets, input_lengths, target_lengths, options);
}
WICK_PRINT_NAME(CTCLoss)
Tensor CosineSimilarityImpl::forward(const Tensor& a, const Tensor& b) { return F::cosine_similarity(a, b, options); }
WICK_PRINT(CosineSimilarity, .field("dim", options.dim()).field("eps", options.eps()))
Tensor PairwiseDistanceImpl::forward(const Tensor& a, const Tensor& b) { return F::pairwise_distance(a, b, options); }
WICK_PRINT(PairwiseDistance, .field("p", options.p()).field("eps", options.eps()).field("keepdim", options.keepdim()))

}  // namespace nn
}  // namespace torch
