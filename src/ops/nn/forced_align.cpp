// The likeliest alignment of labels with frames (Viterbi), as torchaudio's forced_align.
#include <algorithm>
#include <limits>
#include <vector>

#include "ops/nn/audio.h"
#include "ops/nn/common.h"
#include "ops/stoppable.h"

namespace wick::ops {

namespace {

// Labels with a blank before, between and after them; states are numbered through both.
struct States {
  const int64_t* labels;
  int64_t count;  // of labels
  int64_t blank;

  int64_t size() const { return 2 * count + 1; }
  int64_t label(int64_t s) const { return s % 2 == 0 ? blank : labels[s / 2]; }
  // Whether state s, a label, may follow the label before it without a blank between.
  bool may_skip(int64_t s) const { return s % 2 == 1 && s > 1 && labels[s / 2] != labels[s / 2 - 1]; }
};

// The state of each frame of the best path. A state is left out of the search at frames where too few frames are left
// to reach the end from it, or too few have been to be there.
template <class T>
std::vector<int64_t> best_path(const States& states, int64_t shortest, const T* log_probs, int64_t frames,
                               int64_t classes) {
  constexpr T kNever = -std::numeric_limits<T>::infinity();
  const size_t width = static_cast<size_t>(states.size());
  std::vector<T> before(width, kNever), now(width);
  const Tensor taken = Tensor::zeros({frames, states.size()}, DType::kChar);  // how far to the state from the last one
  int8_t* step = taken.data_ptr<int8_t>();
  int64_t first = frames > shortest ? 0 : 1, end = std::min<int64_t>(2, states.size());
  for (int64_t s = first; s < end; ++s) before[static_cast<size_t>(s)] = log_probs[states.label(s)];
  StepCounter steps;
  for (int64_t t = 1; t < frames; ++t) {
    if (frames - t <= shortest)
      first += first % 2 == 1 && first + 2 < states.size() && states.may_skip(first + 2) ? 2 : 1;
    if (t <= shortest) end += end % 2 == 0 && end + 1 < states.size() && states.may_skip(end + 1) ? 2 : 1;
    end = std::min(end, states.size());
    std::fill(now.begin(), now.end(), kNever);
    for (int64_t s = first; s < end; ++s) {
      const size_t i = static_cast<size_t>(s);
      const T stay = before[i], next = s > 0 ? before[i - 1] : kNever,
              skip = states.may_skip(s) ? before[i - 2] : kNever;
      int8_t from = 0;
      T best = stay;
      if (skip > next && skip > stay) {
        best = skip;
        from = 2;
      } else if (next > stay && next > skip) {
        best = next;
        from = 1;
      }
      now[i] = best + log_probs[t * classes + states.label(s)];
      step[t * states.size() + s] = from;
    }
    before.swap(now);
    steps.count(states.size());
  }
  int64_t at = states.size() - 1;
  if (at > 0 && !(before[static_cast<size_t>(at)] > before[static_cast<size_t>(at - 1)])) --at;
  std::vector<int64_t> path(static_cast<size_t>(frames));
  for (int64_t t = frames - 1; t >= 0; --t) {
    path[static_cast<size_t>(t)] = at;
    at = std::max<int64_t>(0, at - step[t * states.size() + at]);
  }
  return path;
}

int64_t longest(const Tensor& lengths, const char* name) {
  WICK_CHECK(is_integral(lengths.dtype(), false) && lengths.numel() > 0, kTypeMismatch, name,
             " must be integers, one a sequence");
  const Tensor all = contiguous(to_dtype(lengths, DType::kLong));
  const int64_t* n = all.data_ptr<const int64_t>();
  return *std::max_element(n, n + all.numel());
}

}  // namespace

std::tuple<Tensor, Tensor> forced_align(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                                        const Tensor& target_lengths, int64_t blank) {
  check_dtype(is_floating(log_probs.dtype()), "forced_align", log_probs.dtype());
  WICK_CHECK(targets.dtype() == DType::kInt || targets.dtype() == DType::kLong, kTypeMismatch,
             "targets must be int32 or int64 type");
  WICK_CHECK(log_probs.dim() == 3, kShapeMismatch, "log_probs must be 3-D (batch_size, input length, num classes)");
  WICK_CHECK(targets.dim() == 2, kShapeMismatch, "targets must be 2-D (batch_size, target length,)");
  const int64_t frames = log_probs.size(1), classes = log_probs.size(2), count = targets.size(1);
  WICK_CHECK(log_probs.size(0) == 1 && targets.size(0) == 1, kUnsupported,
             "The batch dimension for log_probs must be 1 at the current version.");
  WICK_CHECK(blank >= 0 && blank < classes, kInvalidArgument, "blank must be within [0, num classes)");
  WICK_CHECK(frames == longest(input_lengths, "input_lengths"), kShapeMismatch, "input length mismatch");
  WICK_CHECK(count == longest(target_lengths, "target_lengths"), kShapeMismatch, "target length mismatch");
  const Tensor ids = contiguous(to_dtype(targets, DType::kLong));
  const States states{ids.data_ptr<const int64_t>(), count, blank};
  int64_t repeats = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t id = states.labels[i];
    WICK_CHECK(id >= 0 && id < classes, kIndexOutOfRange, "target ", id, " is not a class; there are ", classes);
    repeats += i > 0 && id == states.labels[i - 1];
  }
  WICK_CHECK(frames > 0 && frames >= count + repeats, kInvalidArgument,
             "targets length is too long for CTC. Found log_probs length: ", frames, ", targets length: ", count,
             ", and number of repeats: ", repeats);
  const Tensor x = contiguous(widened(log_probs));
  const Tensor path = Tensor::empty({1, frames}, DType::kLong), scores = Tensor::empty({1, frames}, x.dtype());
  for_float(x.dtype(), "forced_align", log_probs.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* probs = x.data_ptr<const T>();
    const std::vector<int64_t> best = best_path(states, count + repeats, probs, frames, classes);
    for (int64_t t = 0; t < frames; ++t) {
      const int64_t label = states.label(best[static_cast<size_t>(t)]);
      path.data_ptr<int64_t>()[t] = label;
      scores.data_ptr<T>()[t] = probs[t * classes + label];
    }
  });
  return {to_dtype(path, targets.dtype()), to_dtype(scores, log_probs.dtype())};
}

}  // namespace wick::ops
