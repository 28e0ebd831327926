// Loss functions. `reduction` is PyTorch's code: 0 none, 1 mean, 2 sum.
#pragma once

#include <tuple>

#include "ops/boxing.h"

namespace wick::ops {

enum Reduction : int64_t { kReduceNone = 0, kReduceMean = 1, kReduceSum = 2 };

// Reduces elementwise losses.
Tensor reduce_loss(const Tensor& losses, int64_t reduction);

Tensor mse_loss(const Tensor& self, const Tensor& target, int64_t reduction);
Tensor l1_loss(const Tensor& self, const Tensor& target, int64_t reduction);
Tensor smooth_l1_loss(const Tensor& self, const Tensor& target, int64_t reduction, double beta);
Tensor huber_loss(const Tensor& self, const Tensor& target, int64_t reduction, double delta);
Tensor soft_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction);
Tensor binary_cross_entropy(const Tensor& self, const Tensor& target, const OptTensor& weight, int64_t reduction);
Tensor binary_cross_entropy_with_logits(const Tensor& self, const Tensor& target, const OptTensor& weight,
                                        const OptTensor& pos_weight, int64_t reduction);
Tensor kl_div(const Tensor& self, const Tensor& target, int64_t reduction, bool log_target);
Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool full, double eps,
                        int64_t reduction);
Tensor hinge_embedding_loss(const Tensor& self, const Tensor& target, double margin, int64_t reduction);
Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                           int64_t reduction);
Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                             int64_t reduction);
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin,
                           double p, double eps, bool swap, int64_t reduction);

Tensor multi_margin_loss(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                         const OptTensor& weight, int64_t reduction);
Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction);
std::tuple<Tensor, Tensor> multilabel_margin_loss_forward(const Tensor& self, const Tensor& target, int64_t reduction);

// (loss, total weight)
std::tuple<Tensor, Tensor> nll_loss_forward(const Tensor& self, const Tensor& target, const OptTensor& weight,
                                            int64_t reduction, int64_t ignore_index);
std::tuple<Tensor, Tensor> nll_loss2d_forward(const Tensor& self, const Tensor& target, const OptTensor& weight,
                                              int64_t reduction, int64_t ignore_index);
Tensor nll_loss(const Tensor& self, const Tensor& target, const OptTensor& weight, int64_t reduction,
                int64_t ignore_index);
Tensor nll_loss2d(const Tensor& self, const Tensor& target, const OptTensor& weight, int64_t reduction,
                  int64_t ignore_index);
Tensor nll_loss_nd(const Tensor& self, const Tensor& target, const OptTensor& weight, int64_t reduction,
                   int64_t ignore_index);
Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, const OptTensor& weight, int64_t reduction,
                          int64_t ignore_index, double label_smoothing);

// (negative log likelihood of each sample, log alpha)
std::tuple<Tensor, Tensor> ctc_loss_forward(const Tensor& log_probs, const Tensor& targets, IntSpan input_lengths,
                                            IntSpan target_lengths, int64_t blank, bool zero_infinity);
std::tuple<Tensor, Tensor> ctc_loss_forward_tensor(const Tensor& log_probs, const Tensor& targets,
                                                   const Tensor& input_lengths, const Tensor& target_lengths,
                                                   int64_t blank, bool zero_infinity);
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntSpan input_lengths, IntSpan target_lengths,
                int64_t blank, int64_t reduction, bool zero_infinity);
Tensor ctc_loss_tensor(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                       const Tensor& target_lengths, int64_t blank, int64_t reduction, bool zero_infinity);

}  // namespace wick::ops
