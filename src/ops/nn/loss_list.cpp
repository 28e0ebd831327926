// The operator list of losses.
#include "ops/families.h"
#include "ops/nn/loss.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", mse_loss, deterministic),
    OP_OUT("aten::mse_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)", mse_loss,
           deterministic),
    OP("aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", l1_loss, deterministic),
    OP("aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor", smooth_l1_loss,
       deterministic),
    OP_OUT("aten::smooth_l1_loss.out(Tensor self, Tensor target, int reduction=1, float beta=1., *, "
           "Tensor(a!) out) -> Tensor(a!)",
           smooth_l1_loss, deterministic),
    OP("aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor", huber_loss,
       deterministic),
    OP_OUT("aten::huber_loss.out(Tensor self, Tensor target, int reduction=1, float delta=1., *, "
           "Tensor(a!) out) -> Tensor(a!)",
           huber_loss, deterministic),
    OP("aten::soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", soft_margin_loss,
       deterministic),
    OP_OUT("aten::soft_margin_loss.out(Tensor self, Tensor target, int reduction=1, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           soft_margin_loss, deterministic),
    OP("aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, "
       "int reduction=1) -> Tensor",
       binary_cross_entropy, deterministic),
    OP_OUT("aten::binary_cross_entropy.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           binary_cross_entropy, deterministic),
    OP("aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, "
       "Tensor? pos_weight=None, int reduction=1) -> Tensor",
       binary_cross_entropy_with_logits, deterministic),
    OP_OUT("aten::binary_cross_entropy_with_logits.out(Tensor self, Tensor target, Tensor? weight=None, "
           "Tensor? pos_weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)",
           binary_cross_entropy_with_logits, deterministic),
    OP("aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor", kl_div,
       deterministic),
    OP("aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, "
       "int reduction) -> Tensor",
       poisson_nll_loss, deterministic),
    OP("aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1) -> Tensor",
       hinge_embedding_loss, deterministic),
    OP("aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., "
       "int reduction=1) -> Tensor",
       margin_ranking_loss, deterministic),
    OP("aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., "
       "int reduction=1) -> Tensor",
       cosine_embedding_loss, deterministic),
    OP("aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1., "
       "float p=2., float eps=9.9999999999999995e-07, bool swap=False, int reduction=1) -> Tensor",
       triplet_margin_loss, deterministic),
    OP("aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, "
       "Tensor? weight=None, int reduction=1) -> Tensor",
       multi_margin_loss, deterministic),
    OP_OUT("aten::multi_margin_loss.out(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, "
           "Tensor? weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)",
           multi_margin_loss, deterministic),
    OP("aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", multilabel_margin_loss,
       deterministic),
    OP_OUT("aten::multilabel_margin_loss.out(Tensor self, Tensor target, int reduction=1, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           multilabel_margin_loss, deterministic),
    OP("aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, "
       "Tensor is_target)",
       multilabel_margin_loss_forward, deterministic),
    OP_OUT("aten::multilabel_margin_loss_forward.output(Tensor self, Tensor target, int reduction, *, "
           "Tensor(a!) output, Tensor(b!) is_target) -> (Tensor(a!), Tensor(b!))",
           multilabel_margin_loss_forward, deterministic),
    OP("aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
       "int ignore_index=-100) -> Tensor",
       nll_loss, deterministic),
    OP_OUT("aten::nll_loss.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
           "int ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)",
           nll_loss, deterministic),
    OP("aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, "
       "int ignore_index) -> (Tensor output, Tensor total_weight)",
       nll_loss_forward, deterministic),
    OP_OUT("aten::nll_loss_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, "
           "int ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))",
           nll_loss_forward, deterministic),
    OP("aten::nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
       "int ignore_index=-100) -> Tensor",
       nll_loss2d, deterministic),
    OP_OUT("aten::nll_loss2d.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
           "int ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)",
           nll_loss2d, deterministic),
    OP("aten::nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, "
       "int ignore_index) -> (Tensor output, Tensor total_weight)",
       nll_loss2d_forward, deterministic),
    OP_OUT("aten::nll_loss2d_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, "
           "int ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), Tensor(b!))",
           nll_loss2d_forward, deterministic),
    OP("aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
       "int ignore_index=-100) -> Tensor",
       nll_loss_nd, deterministic),
    OP("aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
       "int ignore_index=-100, float label_smoothing=0.) -> Tensor",
       cross_entropy_loss, deterministic),
    OP("aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, "
       "int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor",
       ctc_loss, deterministic),
    OP("aten::ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, "
       "Tensor target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor",
       ctc_loss_tensor, deterministic),
    OP_OUT("aten::_ctc_loss.Tensor_out(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
           "target_lengths, int blank=0, bool zero_infinity=False, *, Tensor(a!) out0, Tensor(b!) out1) -> "
           "(Tensor(a!), Tensor(b!))",
           ctc_loss_forward_tensor, deterministic),
    OP("aten::_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, "
       "int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)",
       ctc_loss_forward, dynamic_output_shape),
    OP("aten::_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, "
       "Tensor target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)",
       ctc_loss_forward_tensor, dynamic_output_shape),
    OP_OUT("aten::_ctc_loss.out(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, "
           "int blank=0, bool zero_infinity=False, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
           ctc_loss_forward, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kLossOps, kEntries)

}  // namespace wick
