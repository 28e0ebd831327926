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

// Logarithms of probabilities of all places of a sequence: frames by states.
template <class T>
class Lattice {
 public:
  explicit Lattice(const Sequence<T>& s)
      : s_(s),
        log_sums_(static_cast<size_t>(s.frames * s.states), T(0)),
        skip_(log_sums_.size()),
        emit_(log_sums_.size(), kNever),
        alpha_(log_sums_.size(), kNever),
        beta_(log_sums_.size(), kNever) {
    weigh();
    sum_before();
    sum_after();
  }

  T cost() const { return -beta_[0]; }

  void write_gradient(T clamp, T* gradient) const {
    for (int64_t t = 0; t < s_.frames; ++t) {
      check_budget();
      for (int64_t u = 0; u < s_.states; ++u) {
        const size_t i = at(t, u);
        const T* row = s_.row(t, u);
        T* out = gradient + (t * s_.stride + u) * s_.classes;
        for (int64_t d = 0; d < s_.classes; ++d) {
          const T through = row[d] - log_sums_[i] + alpha_[i] + cost();
          const T g = (s_.fused ? std::exp(through + beta_[i]) : T(0)) - std::exp(taken(t, u, d, through));
          out[d] = clamp > 0 ? std::min(std::max(g, -clamp), clamp) : g;
        }
      }
    }
  }

 private:
  static constexpr T kNever = -std::numeric_limits<T>::infinity();

  size_t at(int64_t t, int64_t u) const { return static_cast<size_t>(t * s_.states + u); }

  // Of a blank, and of the next label, at each place.
  void weigh() {
    for (int64_t t = 0; t < s_.frames; ++t) {
      check_budget();
      for (int64_t u = 0; u < s_.states; ++u) {
        const size_t i = at(t, u);
        if (s_.fused) log_sums_[i] = log_sum(s_.row(t, u), s_.classes);
        skip_[i] = s_.row(t, u)[s_.blank] - log_sums_[i];
        if (u < s_.states - 1) emit_[i] = s_.row(t, u)[s_.targets[u]] - log_sums_[i];
      }
    }
  }

  // Of all ways to a place.
  void sum_before() {
    for (int64_t t = 0; t < s_.frames; ++t) {
      for (int64_t u = 0; u < s_.states; ++u) {
        const T from_frame = t > 0 ? alpha_[at(t - 1, u)] + skip_[at(t - 1, u)] : kNever;
        const T from_label = u > 0 ? alpha_[at(t, u - 1)] + emit_[at(t, u - 1)] : kNever;
        alpha_[at(t, u)] = t + u == 0 ? T(0) : log_add(from_frame, from_label);
      }
    }
  }

  // Of all ways from a place to the end.
  void sum_after() {
    for (int64_t t = s_.frames - 1; t >= 0; --t) {
      for (int64_t u = s_.states - 1; u >= 0; --u) {
        const bool last = t == s_.frames - 1 && u == s_.states - 1;
        const T to_frame = t < s_.frames - 1 ? beta_[at(t + 1, u)] + skip_[at(t, u)] : kNever;
        const T to_label = u < s_.states - 1 ? beta_[at(t, u + 1)] + emit_[at(t, u)] : kNever;
        beta_[at(t, u)] = last ? skip_[at(t, u)] : log_add(to_frame, to_label);
      }
    }
  }

  // Of the alignments that take class d at a place; kNever where none does.
  T taken(int64_t t, int64_t u, int64_t d, T through) const {
    const bool last_frame = t == s_.frames - 1, last_state = u == s_.states - 1;
    if (d == s_.blank && last_frame && last_state) return through;
    if (d == s_.blank && !last_frame) return through + beta_[at(t + 1, u)];
    return !last_state && d == s_.targets[u] ? through + beta_[at(t, u + 1)] : kNever;
  }

  const Sequence<T>& s_;
  std::vector<T> log_sums_, skip_, emit_, alpha_, beta_;
};

// Returns the cost, and writes the gradient.
template <class T>
T sequence_cost(const Sequence<T>& s, T clamp, T* gradient) {
  const Lattice<T> lattice(s);
  lattice.write_gradient(clamp, gradient);
  return lattice.cost();
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
