#include "kernels/gates.h"

#include <cstring>

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
  HWY_ALIGN float room[HWY_MAX_BYTES / sizeof(float)] = {};
  std::memcpy(room, p, static_cast<size_t>(count) * sizeof(float));
  return hn::Load(d, room);
}
HWY_INLINE void store(V v, float* p, int64_t count) {
  const D d;
  if (count == static_cast<int64_t>(hn::Lanes(d))) {
    hn::StoreU(v, d, p);
    return;
  }
  HWY_ALIGN float room[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(v, d, room);
  std::memcpy(p, room, static_cast<size_t>(count) * sizeof(float));
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

void lstm_step(const float* x, const float* h, float* state, float* memory, int64_t n) {
  const D d;
  for_vectors(n, [&](int64_t i, int64_t count) HWY_ATTR {
    const auto gate = [&](int64_t k)
                          HWY_ATTR { return hn::Add(load(x + k * n + i, count), load(h + k * n + i, count)); };
    const V in = sigmoid_of(d, gate(0)), forget = sigmoid_of(d, gate(1));
    const V cell = tanh_of(d, gate(2)), out = sigmoid_of(d, gate(3));
    const V kept = hn::Add(hn::Mul(forget, load(memory + i, count)), hn::Mul(in, cell));
    store(kept, memory + i, count);
    store(hn::Mul(out, tanh_of(d, kept)), state + i, count);
  });
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
void gru_step_f32(const float* x, const float* h, float* state, int64_t n) {
  HWY_DYNAMIC_DISPATCH(gru_step)(x, h, state, n);
}
void tanh_step_f32(const float* x, const float* h, float* state, int64_t n) {
  HWY_DYNAMIC_DISPATCH(tanh_step)(x, h, state, n);
}

}  // namespace wick::kernels
#endif
