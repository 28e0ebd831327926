// Connectionist temporal classification: the forward recursion over the labels with blanks between them.
#include <cmath>
#include <limits>

#include "ops/nn/common.h"
#include "ops/nn/fused_map.h"
#include "ops/nn/loss.h"

namespace wick::ops {

namespace {

template <class T>
constexpr T kNever = -std::numeric_limits<T>::infinity();

template <class T>
T log_add(T a, T b, T c) {
  const T top = std::max(a, std::max(b, c));
  if (top == kNever<T>) return top;
  return std::log(std::exp(a - top) + std::exp(b - top) + std::exp(c - top)) + top;
}

// Label s of the sequence with a blank before, between and after the targets.
int64_t label_at(const int64_t* targets, int64_t s, int64_t blank) { return s % 2 == 0 ? blank : targets[s / 2]; }

template <class T>
T sequence_loss(const T* log_probs, int64_t step, const int64_t* targets, int64_t length, int64_t frames, int64_t blank,
                T* alpha, int64_t width) {
  if (frames == 0) return length == 0 ? T(0) : std::numeric_limits<T>::infinity();
  const int64_t states = 2 * length + 1;
  std::fill_n(alpha, width, kNever<T>);
  alpha[0] = log_probs[blank];
  if (length > 0) alpha[1] = log_probs[targets[0]];
  for (int64_t t = 1; t < frames; ++t) {
    const T* before = alpha + (t - 1) * width;
    T* now = alpha + t * width;
    for (int64_t s = 0; s < states; ++s) {
      const int64_t label = label_at(targets, s, blank);
      const T one = s > 0 ? before[s - 1] : kNever<T>;
      const bool may_skip = s > 1 && label_at(targets, s - 2, blank) != label;
      const T two = may_skip ? before[s - 2] : kNever<T>;
      now[s] = log_add(before[s], one, two) + log_probs[t * step + label];
    }
  }
  const T* last = alpha + (frames - 1) * width;
  return -log_add(last[states - 1], length > 0 ? last[states - 2] : kNever<T>, kNever<T>);
}

IntVec lengths_of(const Tensor& t, const char* name) {
  WICK_CHECK(is_integral(t.dtype(), false), kTypeMismatch, name, " must be integral");
  const Tensor c = contiguous(to_dtype(t, DType::kLong));
  return IntVec(IntSpan(c.data_ptr<int64_t>(), static_cast<size_t>(c.numel())));
}

}  // namespace

std::tuple<Tensor, Tensor> ctc_loss_forward(const Tensor& log_probs, const Tensor& targets, IntSpan input_lengths,
                                            IntSpan target_lengths, int64_t blank, bool) {
  WICK_CHECK(targets.dtype() == DType::kLong || targets.dtype() == DType::kInt, kTypeMismatch,
             "Expected tensor for argument #2 'targets' to have scalar type Int; but got torch.",
             name_of(targets.dtype()), "Tensor instead (while checking arguments for ctc_loss_cpu)");
  check_dtype(is_floating(log_probs.dtype()), "ctc_loss_cpu", log_probs.dtype());
  WICK_CHECK(log_probs.dim() == 3, kShapeMismatch, "Expected 3-dimensional tensor, but got ", log_probs.dim(),
             "-dimensional tensor for argument #1 'log_probs' (while checking arguments for ctc_loss_cpu)");
  WICK_CHECK(targets.dim() >= 1 && targets.dim() <= 2, kShapeMismatch, "Expected 1 to 2 dimensions, but got ",
             targets.dim(),
             "-dimensional tensor for argument #2 'targets' (while checking arguments for ctc_loss_cpu)");
  const int64_t frames = log_probs.size(0), batch = log_probs.size(1), labels = log_probs.size(2);
  WICK_CHECK(blank >= 0 && blank < labels, kInvalidArgument, "blank must be in label range");
  WICK_CHECK(static_cast<int64_t>(input_lengths.size()) == batch, kShapeMismatch,
             "input_lengths must be of size batch_size");
  WICK_CHECK(static_cast<int64_t>(target_lengths.size()) == batch, kShapeMismatch,
             "target_lengths must be of size batch_size");
  const bool packed = targets.dim() == 1;
  int64_t longest = 0, total = 0;
  for (size_t b = 0; b < static_cast<size_t>(batch); ++b) {
    WICK_CHECK(target_lengths[b] >= 0 && target_lengths[b] <= targets.numel(), kInvalidArgument,
               "Expected target_lengths to have value at least 0 and at most the number of targets, but got value ",
               target_lengths[b], " (while checking arguments for ctc_loss_cpu)");
    WICK_CHECK(input_lengths[b] >= 0, kInvalidArgument,
               "Expected input_lengths to have value at least 0, but got value ", input_lengths[b],
               " (while checking arguments for ctc_loss_cpu)");
    WICK_CHECK(input_lengths[b] <= frames, kInvalidArgument, "Expected input_lengths to have value at most ", frames,
               ", but got value ", input_lengths[b], " (while checking arguments for ctc_loss_cpu)");
    longest = std::max(longest, target_lengths[b]);
    total += target_lengths[b];
  }
  if (packed) {
    WICK_CHECK(targets.size(0) == total, kShapeMismatch, "Expected tensor to have size ", total,
               " at dimension 0, but got size ", targets.size(0),
               " for argument #2 'targets' (while checking arguments for ctc_loss_cpu)");
  } else {
    WICK_CHECK(targets.size(0) == batch, kShapeMismatch, "Expected tensor to have size ", batch,
               " at dimension 0, but got size ", targets.size(0),
               " for argument #2 'targets' (while checking arguments for ctc_loss_cpu)");
    WICK_CHECK(targets.size(1) >= longest, kShapeMismatch, "Expected tensor to have size at least ", longest,
               " at dimension 1, but got size ", targets.size(1),
               " for argument #2 'targets' (while checking arguments for ctc_loss_cpu)");
  }
  const Tensor ids = contiguous(to_dtype(targets, DType::kLong));
  const int64_t* id = ids.data_ptr<int64_t>();
  for (int64_t i = 0, count = ids.numel(); i < count; ++i) {
    // Values beyond a padded sequence's length are never read.
    const bool used = packed || i % targets.size(1) < target_lengths[static_cast<size_t>(i / targets.size(1))];
    WICK_CHECK(!used || (id[i] >= 0 && id[i] < labels), kIndexOutOfRange, "target ", id[i],
               " is not a label; there are ", labels);
  }
  const Tensor x = contiguous(widened(log_probs));
  const int64_t width = 2 * longest + 1;
  Tensor loss = Tensor::empty({batch}, x.dtype());
  Tensor alpha = Tensor::zeros({batch, frames, width}, x.dtype());
  for_float(x.dtype(), "ctc_loss_cpu", log_probs.dtype(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<int64_t> first(static_cast<size_t>(batch), 0);
    for (size_t b = 1; b < first.size(); ++b) {
      first[b] = packed ? first[b - 1] + target_lengths[b - 1] : static_cast<int64_t>(b) * targets.size(1);
    }
    parallel_for(0, batch, 1, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        const size_t k = static_cast<size_t>(b);
        loss.data_ptr<T>()[b] =
            sequence_loss(x.data_ptr<T>() + b * labels, batch * labels, id + first[k], target_lengths[k],
                          input_lengths[k], blank, alpha.data_ptr<T>() + b * frames * width, width);
      }
    });
  });
  return {to_dtype(loss, log_probs.dtype()), to_dtype(alpha, log_probs.dtype())};
}

std::tuple<Tensor, Tensor> ctc_loss_forward_tensor(const Tensor& log_probs, const Tensor& targets,
                                                   const Tensor& input_lengths, const Tensor& target_lengths,
                                                   int64_t blank, bool zero_infinity) {
  return ctc_loss_forward(log_probs, targets, lengths_of(input_lengths, "input_lengths"),
                          lengths_of(target_lengths, "target_lengths"), blank, zero_infinity);
}

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntSpan input_lengths, IntSpan target_lengths,
                int64_t blank, int64_t reduction, bool zero_infinity) {
  const bool batched = log_probs.dim() == 3;
  Tensor probs = log_probs;
  if (log_probs.dim() == 2) probs = reshaped(contiguous(log_probs), {log_probs.size(0), 1, log_probs.size(1)});
  Tensor loss = std::get<0>(ctc_loss_forward(probs, targets, input_lengths, target_lengths, blank, zero_infinity));
  if (zero_infinity) {
    loss = fused_map<1>("where", {loss},
                        [](auto x) { return x == std::numeric_limits<decltype(x)>::infinity() ? decltype(x)(0) : x; });
  }
  if (reduction == kReduceMean) {
    std::vector<int64_t> lengths = target_lengths.vec();
    for (int64_t& n : lengths) n = std::max<int64_t>(n, 1);
    loss = fused_map<2>("div", {loss, Tensor::from_values<int64_t>(lengths)}, [](auto x, auto n) { return x / n; });
  }
  const Tensor out = reduce_loss(loss, reduction);
  return batched || reduction == kReduceMean || reduction == kReduceSum ? out : reshaped(out, {});
}

Tensor ctc_loss_tensor(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                       const Tensor& target_lengths, int64_t blank, int64_t reduction, bool zero_infinity) {
  WICK_CHECK(is_integral(input_lengths.dtype(), true), kTypeMismatch, "input_lengths must be integral");
  WICK_CHECK(is_integral(target_lengths.dtype(), true), kTypeMismatch, "target_lengths must be integral");
  return ctc_loss(log_probs, targets, lengths_of(input_lengths, "input_lengths"),
                  lengths_of(target_lengths, "target_lengths"), blank, reduction, zero_infinity);
}

}  // namespace wick::ops
