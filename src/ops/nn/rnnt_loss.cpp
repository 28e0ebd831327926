// The loss of transducers: the sum over all alignments of labels and blanks with frames, and its gradient.
#include <cmath>
#include <limits>
#include <vector>

#include "core/budget.h"
#include "ops/nn/audio.h"
#include "ops/nn/common.h"

namespace wick::ops {

namespace {

// One sequence of the batch: `frames` by `states` (labels and one), of rows of `classes` numbers `stride` states apart.
template <class T>
struct Sequence {
  const T* logits;
  const int32_t* targets;
  int64_t frames, states, stride, classes, blank;
  bool fused;

  const T* row(int64_t t, int64_t u) const { return logits + (t * stride + u) * classes; }
};

template <class T>
T log_add(T a, T b) {
  const T top = std::max(a, b);
  return top == -std::numeric_limits<T>::infinity() ? top : top + std::log1p(std::exp(std::min(a, b) - top));
}

template <class T>
T log_sum(const T* row, int64_t n) {
  T top = row[0], sum = 0;
  for (int64_t i = 1; i < n; ++i) top = std::max(top, row[i]);
  for (int64_t i = 0; i < n; ++i) sum += std::exp(row[i] - top);
  return top + std::log(sum);
}

// Returns the cost, and writes the gradient.
template <class T>
T sequence_cost(const Sequence<T>& s, T clamp, T* gradient) {
  constexpr T kNever = -std::numeric_limits<T>::infinity();
  const int64_t frames = s.frames, states = s.states;
  const size_t count = static_cast<size_t>(frames * states);
  std::vector<T> log_sums(count, T(0)), skip(count), emit(count, kNever), alpha(count, kNever), beta(count, kNever);
  const auto at = [&](int64_t t, int64_t u) { return static_cast<size_t>(t * states + u); };
  for (int64_t t = 0; t < frames; ++t) {
    check_budget();
    for (int64_t u = 0; u < states; ++u) {
      const size_t i = at(t, u);
      if (s.fused) log_sums[i] = log_sum(s.row(t, u), s.classes);
      skip[i] = s.row(t, u)[s.blank] - log_sums[i];
      if (u < states - 1) emit[i] = s.row(t, u)[s.targets[u]] - log_sums[i];
    }
  }
  for (int64_t t = 0; t < frames; ++t) {
    for (int64_t u = 0; u < states; ++u) {
      const T from_frame = t > 0 ? alpha[at(t - 1, u)] + skip[at(t - 1, u)] : kNever;
      const T from_label = u > 0 ? alpha[at(t, u - 1)] + emit[at(t, u - 1)] : kNever;
      alpha[at(t, u)] = t + u == 0 ? T(0) : log_add(from_frame, from_label);
    }
  }
  for (int64_t t = frames - 1; t >= 0; --t) {
    for (int64_t u = states - 1; u >= 0; --u) {
      const bool last = t == frames - 1 && u == states - 1;
      const T to_frame = t < frames - 1 ? beta[at(t + 1, u)] + skip[at(t, u)] : kNever;
      const T to_label = u < states - 1 ? beta[at(t, u + 1)] + emit[at(t, u)] : kNever;
      beta[at(t, u)] = last ? skip[at(t, u)] : log_add(to_frame, to_label);
    }
  }
  const T cost = -beta[0];
  for (int64_t t = 0; t < frames; ++t) {
    check_budget();
    for (int64_t u = 0; u < states; ++u) {
      const size_t i = at(t, u);
      const T* row = s.row(t, u);
      T* out = gradient + (t * s.stride + u) * s.classes;
      for (int64_t d = 0; d < s.classes; ++d) {
        const T through = row[d] - log_sums[i] + alpha[i] + cost;
        T taken = kNever;
        if (d == s.blank && t == frames - 1 && u == states - 1) {
          taken = through;
        } else if (d == s.blank && t < frames - 1) {
          taken = through + beta[at(t + 1, u)];
        } else if (u < states - 1 && d == s.targets[u]) {
          taken = through + beta[at(t, u + 1)];
        }
        const T g = (s.fused ? std::exp(through + beta[i]) : T(0)) - std::exp(taken);
        out[d] = clamp > 0 ? std::min(std::max(g, -clamp), clamp) : g;
      }
    }
  }
  return cost;
}

void check_lengths(const Tensor& lengths, int64_t batch, int64_t least, int64_t most, const char* name) {
  WICK_CHECK(lengths.dtype() == DType::kInt, kTypeMismatch, name, " must be int32 type");
  WICK_CHECK(lengths.dim() == 1 && lengths.size(0) == batch, kShapeMismatch,
             "batch dimension mismatch between logits and ", name);
  const Tensor all = contiguous(lengths);
  for (int64_t i = 0; i < batch; ++i) {
    const int64_t n = all.data_ptr<const int32_t>()[i];
    WICK_CHECK(n >= least && n <= most, kInvalidArgument, name, " of ", n, ", expected ", least, " to ", most);
  }
}

}  // namespace

std::tuple<Tensor, Tensor> rnnt_loss(const Tensor& logits, const Tensor& targets, const Tensor& logit_lengths,
                                     const Tensor& target_lengths, int64_t blank, double clamp,
                                     bool fused_log_softmax) {
  WICK_CHECK(logits.dtype() == DType::kFloat || logits.dtype() == DType::kHalf, kTypeMismatch,
             "logits must be float32 or float16 (half) type");
  WICK_CHECK(targets.dtype() == DType::kInt, kTypeMismatch, "targets must be int32 type");
  WICK_CHECK(logits.dim() == 4, kShapeMismatch, "logits must be 4-D (batch, time, target, class)");
  WICK_CHECK(targets.dim() == 2, kShapeMismatch, "targets must be 2-D (batch, max target length)");
  const int64_t batch = logits.size(0), frames = logits.size(1), states = logits.size(2), classes = logits.size(3);
  WICK_CHECK(targets.size(0) == batch, kShapeMismatch, "batch dimension mismatch between logits and targets");
  WICK_CHECK(targets.size(1) == states - 1, kShapeMismatch, "output length mismatch");
  blank = blank < 0 ? blank + classes : blank;
  WICK_CHECK(blank >= 0 && blank < classes, kInvalidArgument, "blank must be within [0, logits.shape[-1])");
  check_lengths(logit_lengths, batch, 1, frames, "logit_lengths");
  check_lengths(target_lengths, batch, 0, states - 1, "target_lengths");
  const Tensor x = contiguous(to_dtype(logits, DType::kFloat)), labels = contiguous(targets);
  const Tensor logit_counts = contiguous(logit_lengths), target_counts = contiguous(target_lengths);
  const int32_t* label = labels.data_ptr<const int32_t>();
  for (int64_t i = 0; i < labels.numel(); ++i) {
    const bool used = i % (states - 1) < target_counts.data_ptr<const int32_t>()[i / (states - 1)];
    WICK_CHECK(!used || (label[i] >= 0 && label[i] < classes), kIndexOutOfRange, "target ", label[i],
               " is not a class; there are ", classes);
  }
  const Tensor costs = Tensor::empty({batch}, DType::kFloat);
  const Tensor gradients = Tensor::zeros({batch, frames, states, classes}, DType::kFloat);
  parallel_for(0, batch, 1, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      const int64_t block = b * frames * states * classes;
      const Sequence<float> s{x.data_ptr<const float>() + block,
                              label + b * (states - 1),
                              logit_counts.data_ptr<const int32_t>()[b],
                              int64_t{target_counts.data_ptr<const int32_t>()[b]} + 1,
                              states,
                              classes,
                              blank,
                              fused_log_softmax};
      costs.data_ptr<float>()[b] = sequence_cost(s, static_cast<float>(clamp), gradients.data_ptr<float>() + block);
    }
  });
  return {to_dtype(costs, logits.dtype()), to_dtype(gradients, logits.dtype())};
}

}  // namespace wick::ops
