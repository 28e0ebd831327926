// Vectorized exponentials of softmax and the gates of recurrent cells.
#include "kernels/gates.h"

#include <algorithm>
#include <cstring>

#include "kernels/product.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gates.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// Calls body(i, count): whole vectors, and the rest in one call with fewer lanes.
template <class F>
HWY_INLINE void for_vectors(int64_t n, F&& body) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(D()));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) body(i, lanes);
  if (i < n) body(i, n - i);
}

HWY_INLINE V load(const float* p, int64_t count) {
  const D d;
  if (count == static_cast<int64_t>(hn::Lanes(d))) return hn::LoadU(d, p);
  HWY_ALIGN float buffer[HWY_MAX_BYTES / sizeof(float)] = {};
  std::memcpy(buffer, p, static_cast<size_t>(count) * sizeof(float));
  return hn::Load(d, buffer);
}
HWY_INLINE void store(V v, float* p, int64_t count) {
  const D d;
  if (count == static_cast<int64_t>(hn::Lanes(d))) {
    hn::StoreU(v, d, p);
    return;
  }
  HWY_ALIGN float buffer[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(v, d, buffer);
  std::memcpy(p, buffer, static_cast<size_t>(count) * sizeof(float));
}

template <bool kStore>
HWY_INLINE float exponentials(const float* x, float peak, float* y, int64_t n) {
  const D d;
  const V top = hn::Set(d, peak);
  V sum = hn::Zero(d);
  for_vectors(n, [&](int64_t i, int64_t count) HWY_ATTR {
    V e = exp_of(d, hn::Sub(load(x + i, count), top));
    if constexpr (kStore) store(e, y + i, count);
    if (count < static_cast<int64_t>(hn::Lanes(d))) {
      e = hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(count)), e);
    }
    sum = hn::Add(sum, e);
  });
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

float exp_minus(const float* x, float peak, float* y, int64_t n) { return exponentials<true>(x, peak, y, n); }
float sum_exp_minus(const float* x, float peak, int64_t n) { return exponentials<false>(x, peak, nullptr, n); }

void exp_minus_each(const float* x, const float* peak, float* y, float* sum, int64_t n) {
  const D d;
  for_vectors(n, [&](int64_t i, int64_t count) HWY_ATTR {
    const V e = exp_of(d, hn::Sub(load(x + i, count), load(peak + i, count)));
    store(e, y + i, count);
    store(hn::Add(load(sum + i, count), e), sum + i, count);
  });
}

// The input, forget, cell and output gates before their functions; gives the state.
HWY_INLINE V lstm_cell(V in, V forget, V cell, V out, V& memory) {
  const D d;
  memory = hn::Add(hn::Mul(sigmoid_of(d, forget), memory), hn::Mul(sigmoid_of(d, in), tanh_of(d, cell)));
  return hn::Mul(sigmoid_of(d, out), tanh_of(d, memory));
}

void lstm_step(const float* x, const float* h, float* state, float* memory, int64_t n) {
  for_vectors(n, [&](int64_t i, int64_t count) HWY_ATTR {
    const auto gate = [&](int64_t k)
                          HWY_ATTR { return hn::Add(load(x + k * n + i, count), load(h + k * n + i, count)); };
    V kept = load(memory + i, count);
    const V next = lstm_cell(gate(0), gate(1), gate(2), gate(3), kept);
    store(kept, memory + i, count);
    store(next, state + i, count);
  });
}

// The weights pass once, as fast as they come from the caches, while the gates of the groups before are computed.
void lstm_row(const LstmRow& r, int64_t first, int64_t last, bool backwards) {
  const D d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), width = 4 * lanes;
  // A group is one panel of four vectors or two panels of two.
  const int64_t second = r.panel == width ? 2 * lanes : 2 * lanes * r.hidden;
  for (int64_t i = first; i < last; ++i) {
    const int64_t group = backwards ? last - 1 - (i - first) : i;
    const float* b = r.weights + group * width * r.hidden;
    V sums[4];
    WICK_UNROLL
    for (int j = 0; j < 4; ++j) sums[j] = hn::Zero(d);
    for (int64_t k = 0; k < r.hidden;) {
      V sum[4];
      WICK_UNROLL
      for (int j = 0; j < 4; ++j) {
        sum[j] = k == 0 && r.bias != nullptr ? hn::LoadU(d, r.bias + group * width + j * lanes) : hn::Zero(d);
      }
      for (const int64_t end = std::min(r.hidden, k + kMaxDepth); k < end; ++k, b += r.panel) {
        const V h = hn::Set(d, r.state[k]);
        sum[0] = hn::MulAdd(h, hn::LoadU(d, b), sum[0]);
        sum[1] = hn::MulAdd(h, hn::LoadU(d, b + lanes), sum[1]);
        sum[2] = hn::MulAdd(h, hn::LoadU(d, b + second), sum[2]);
        sum[3] = hn::MulAdd(h, hn::LoadU(d, b + second + lanes), sum[3]);
      }
      WICK_UNROLL
      for (int j = 0; j < 4; ++j) sums[j] = hn::Add(sum[j], sums[j]);
    }
    const float* x = r.x + group * width;
    WICK_UNROLL
    for (int j = 0; j < 4; ++j) sums[j] = hn::Add(hn::LoadU(d, x + j * lanes), sums[j]);
    V kept = hn::LoadU(d, r.memory + group * lanes);
    hn::StoreU(lstm_cell(sums[0], sums[1], sums[2], sums[3], kept), d, r.next + group * lanes);
    hn::StoreU(kept, d, r.memory + group * lanes);
  }
}

void gru_step(const float* x, const float* h, float* state, int64_t n) {
  const D d;
  for_vectors(n, [&](int64_t i, int64_t count) HWY_ATTR {
    const V reset = sigmoid_of(d, hn::Add(load(x + i, count), load(h + i, count)));
    const V update = sigmoid_of(d, hn::Add(load(x + n + i, count), load(h + n + i, count)));
    const V fresh = tanh_of(d, hn::Add(load(x + 2 * n + i, count), hn::Mul(reset, load(h + 2 * n + i, count))));
    store(hn::Add(hn::Mul(hn::Sub(load(state + i, count), fresh), update), fresh), state + i, count);
  });
}

void tanh_step(const float* x, const float* h, float* state, int64_t n) {
  const D d;
  for_vectors(n, [&](int64_t i, int64_t count) HWY_ATTR {
    store(tanh_of(d, hn::Add(load(x + i, count), load(h + i, count))), state + i, count);
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(exp_minus);
HWY_EXPORT(sum_exp_minus);
HWY_EXPORT(exp_minus_each);
HWY_EXPORT(lstm_step);
HWY_EXPORT(lstm_row);
HWY_EXPORT(gru_step);
HWY_EXPORT(tanh_step);

float exp_minus_f32(const float* x, float peak, float* y, int64_t n) {
  return HWY_DYNAMIC_DISPATCH(exp_minus)(x, peak, y, n);
}
float sum_exp_minus_f32(const float* x, float peak, int64_t n) {
  return HWY_DYNAMIC_DISPATCH(sum_exp_minus)(x, peak, n);
}
void exp_minus_each_f32(const float* x, const float* peak, float* y, float* sum, int64_t n) {
  HWY_DYNAMIC_DISPATCH(exp_minus_each)(x, peak, y, sum, n);
}
void lstm_step_f32(const float* x, const float* h, float* state, float* memory, int64_t n) {
  HWY_DYNAMIC_DISPATCH(lstm_step)(x, h, state, memory, n);
}
void lstm_row_f32(const LstmRow& row, int64_t first, int64_t last, bool backwards) {
  HWY_DYNAMIC_DISPATCH(lstm_row)(row, first, last, backwards);
}
void gru_step_f32(const float* x, const float* h, float* state, int64_t n) {
  HWY_DYNAMIC_DISPATCH(gru_step)(x, h, state, n);
}
void tanh_step_f32(const float* x, const float* h, float* state, int64_t n) {
  HWY_DYNAMIC_DISPATCH(tanh_step)(x, h, state, n);
}

}  // namespace wick::kernels
#endif
