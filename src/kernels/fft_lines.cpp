// Discrete Fourier transforms of many lines, one line a vector lane.
#include "kernels/fft_lines.h"

#include <cmath>
#include <utility>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fft_lines.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/doubles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t kMostFactor = 31;

template <class T>
struct Pair {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  V re, im;
};

// Element k of the lines: their real parts, then their imaginary ones.
template <class T>
HWY_INLINE Pair<T> load(const T* x, int64_t k) {
  const typename Pair<T>::D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const T* p = x + 2 * lanes * k;
  return {hn::Load(d, p), hn::Load(d, p + lanes)};
}
template <class T>
HWY_INLINE void store(T* x, int64_t k, Pair<T> v) {
  const typename Pair<T>::D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  T* p = x + 2 * lanes * k;
  hn::Store(v.re, d, p);
  hn::Store(v.im, d, p + lanes);
}
template <class T>
HWY_INLINE Pair<T> add(Pair<T> a, Pair<T> b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
template <class T>
HWY_INLINE Pair<T> sub(Pair<T> a, Pair<T> b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
template <class T>
HWY_INLINE Pair<T> mul(Pair<T> a, std::complex<T> w) {
  const typename Pair<T>::D d;
  const auto c = hn::Set(d, w.real()), s = hn::Set(d, w.imag());
  return {hn::MulSub(a.re, c, hn::Mul(a.im, s)), hn::MulAdd(a.re, s, hn::Mul(a.im, c))};
}
// Times -i.
template <class T>
HWY_INLINE Pair<T> turn_back(Pair<T> a) {
  return {a.im, hn::Neg(a.re)};
}

// One pass of Stockham's self-sorting form by an odd factor: places k and p - k go together, as their roots are
// conjugates.
template <class T>
HWY_INLINE void odd_pass(const FftSteps<T>& steps, const T* x, T* y, int64_t p, int64_t m, int64_t s, int64_t step) {
  const int64_t h = (p - 1) / 2, unit = steps.n / p;
  // Memory, not vectors: where a target is an attribute of functions, arrays of vectors can not be constructed.
  constexpr size_t kRoom = kMostFactor / 2 * 2 * hn::MaxLanes(typename Pair<T>::D());
  HWY_ALIGN T sums[kRoom];
  HWY_ALIGN T differences[kRoom];
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t q = 0; q < s; ++q) {
      const int64_t from = q + s * i, to = q + s * p * i;
      const Pair<T> first = load(x, from);
      Pair<T> total = first;
      for (int64_t k = 1; k <= h; ++k) {
        const Pair<T> a = load(x, from + k * s * m), b = load(x, from + (p - k) * s * m);
        const Pair<T> sum = add(a, b);
        store(sums, k - 1, sum);
        store(differences, k - 1, sub(a, b));
        total = add(total, sum);
      }
      store(y, to, total);
      for (int64_t j = 1; j <= h; ++j) {
        const typename Pair<T>::D d;
        Pair<T> even = first, odd = {hn::Zero(d), hn::Zero(d)};
        for (int64_t k = 1, turn = j; k <= h; ++k, turn = turn + j < p ? turn + j : turn + j - p) {
          const std::complex<T> w = steps.roots[turn * unit];
          const auto c = hn::Set(d, w.real()), sine = hn::Set(d, -w.imag());
          const Pair<T> sum = load(sums, k - 1), difference = load(differences, k - 1);
          even = {hn::MulAdd(sum.re, c, even.re), hn::MulAdd(sum.im, c, even.im)};
          odd = {hn::MulAdd(difference.re, sine, odd.re), hn::MulAdd(difference.im, sine, odd.im)};
        }
        const Pair<T> rotated = turn_back(odd);
        store(y, to + j * s, mul(add(even, rotated), steps.roots[i * j * step]));
        store(y, to + (p - j) * s, mul(sub(even, rotated), steps.roots[i * (p - j) * step]));
      }
    }
  }
}

// The forward transform of x, by passes between x and y; where the result is.
template <class T>
HWY_INLINE T* transform(const FftSteps<T>& steps, T* x, T* y) {
  int64_t n = steps.n, s = 1;
  for (int64_t p : steps.factors) {
    const int64_t m = n / p, step = steps.n / n;
    if (p == 4) {
      for (int64_t i = 0; i < m; ++i) {
        const std::complex<T> w1 = steps.roots[i * step], w2 = steps.roots[2 * i * step],
                              w3 = steps.roots[3 * i * step];
        for (int64_t q = 0; q < s; ++q) {
          const int64_t from = q + s * i, to = q + 4 * s * i;
          const Pair<T> a = load(x, from), b = load(x, from + s * m), c = load(x, from + 2 * s * m),
                        e = load(x, from + 3 * s * m);
          const Pair<T> ac = add(a, c), be = add(b, e), am = sub(a, c), bm = turn_back(sub(b, e));
          store(y, to, add(ac, be));
          if (i == 0) {
            store(y, to + s, add(am, bm));
            store(y, to + 2 * s, sub(ac, be));
            store(y, to + 3 * s, sub(am, bm));
          } else {
            store(y, to + s, mul(add(am, bm), w1));
            store(y, to + 2 * s, mul(sub(ac, be), w2));
            store(y, to + 3 * s, mul(sub(am, bm), w3));
          }
        }
      }
    } else if (p == 2) {
      for (int64_t i = 0; i < m; ++i) {
        for (int64_t q = 0; q < s; ++q) {
          const Pair<T> a = load(x, q + s * i), b = load(x, q + s * i + s * m);
          store(y, q + 2 * s * i, add(a, b));
          store(y, q + 2 * s * i + s, mul(sub(a, b), steps.roots[i * step]));
        }
      }
    } else {
      odd_pass(steps, x, y, p, m, s, step);
    }
    std::swap(x, y);
    n = m;
    s *= p;
  }
  return x;
}

// Element k of every line: `imaginary` places after the real part, or none. Lanes without a line repeat the first.
template <class T>
HWY_INLINE void gather(const FftLines<T>& lines, int64_t n, int64_t imaginary, T sign, T* x) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(typename Pair<T>::D()));
  const T* from[hn::MaxLanes(typename Pair<T>::D())];
  for (int64_t b = 0; b < lanes; ++b) from[b] = lines.in + lines.in_lines[b < lines.count ? b : 0];
  for (int64_t k = 0; k < n; ++k, x += 2 * lanes) {
    for (int64_t b = 0; b < lanes; ++b) {
      const T* p = from[b] + k * lines.in_step;
      x[b] = p[0];
      x[lanes + b] = sign * p[imaginary];
    }
  }
}

template <class T>
HWY_INLINE void complex_lines(const FftSteps<T>& steps, const FftLines<T>& lines, T* work) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(typename Pair<T>::D()));
  // The inverse is the forward transform of the conjugate, conjugated.
  const T sign = lines.forward ? T(1) : T(-1);
  gather(lines, steps.n, 1, sign, work);
  const T* x = transform(steps, work, work + fft_work<T>(steps.n) / 2);
  for (int64_t k = 0; k < steps.n; ++k, x += 2 * lanes) {
    for (int64_t b = 0; b < lines.count; ++b) {
      T* p = lines.out + lines.out_lines[b] + k * lines.out_step;
      p[0] = x[b] * lines.factor;
      p[1] = x[lanes + b] * lines.factor * sign;
    }
  }
}

// Even and odd elements are the real and imaginary parts of the complex lines, which symmetry tells apart afterwards.
template <class T>
HWY_INLINE void lines_from_real(const FftSteps<T>& steps, const FftLines<T>& given, int64_t kept, T* work) {
  const typename Pair<T>::D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  FftLines<T> lines = given;
  lines.in_step *= 2;
  const int64_t n = steps.n;
  gather(lines, n, given.in_step, T(1), work);
  const T* x = transform(steps, work, work + fft_work<T>(n) / 2);
  const auto scale = hn::Set(d, lines.factor / 2);
  HWY_ALIGN T result[2 * hn::MaxLanes(typename Pair<T>::D())];
  for (int64_t k = 0; k <= n; ++k) {
    const Pair<T> a = load(x, k < n ? k : 0), b = load(x, k == 0 || k == n ? 0 : n - k);
    const Pair<T> even = {hn::Add(a.re, b.re), hn::Sub(a.im, b.im)};
    const Pair<T> odd = {hn::Add(a.im, b.im), hn::Sub(b.re, a.re)};
    const Pair<T> both = add(even, mul(odd, steps.half_turns[k]));
    hn::Store(hn::Mul(both.re, scale), d, result);
    hn::Store(hn::Mul(both.im, scale), d, result + lanes);
    const bool mirrored = k > 0 && 2 * n - k < kept && 2 * n - k > n;
    for (int64_t line = 0; line < lines.count; ++line) {
      T* p = lines.out + lines.out_lines[line];
      p[k * lines.out_step] = result[line];
      p[k * lines.out_step + 1] = result[lanes + line];
      if (!mirrored) continue;
      p[(2 * n - k) * lines.out_step] = result[line];
      p[(2 * n - k) * lines.out_step + 1] = -result[lanes + line];
    }
  }
}

template <class T>
HWY_INLINE void lines_to_real(const FftSteps<T>& steps, const FftLines<T>& lines, T* work) {
  const typename Pair<T>::D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t n = steps.n;
  T* x = work;
  T* y = work + fft_work<T>(n) / 2;
  gather(lines, n + 1, 1, T(1), y);
  // The imaginary parts of the ends are not part of a real line's transform.
  for (int64_t k : {int64_t{0}, n}) store(y, k, {load(y, k).re, hn::Zero(d)});
  for (int64_t k = 0; k < n; ++k) {
    const Pair<T> a = load(y, k), mirror = load(y, n - k), b = {mirror.re, hn::Neg(mirror.im)};
    const Pair<T> odd = mul(sub(a, b), std::conj(steps.half_turns[k]));
    const Pair<T> even = add(a, b);
    // even + i odd, conjugated: the inverse is the forward transform of the conjugate, conjugated.
    store(x, k, {hn::Sub(even.re, odd.im), hn::Neg(hn::Add(even.im, odd.re))});
  }
  x = transform(steps, x, y);
  for (int64_t k = 0; k < n; ++k, x += 2 * lanes) {
    for (int64_t b = 0; b < lines.count; ++b) {
      T* p = lines.out + lines.out_lines[b] + 2 * k * lines.out_step;
      p[0] = x[b] * lines.factor;
      p[lines.out_step] = -x[lanes + b] * lines.factor;
    }
  }
}

#define WICK_FFT(name, type)                                                                                 \
  void complex_##name(const FftSteps<type>& s, const FftLines<type>& l, type* w) { complex_lines(s, l, w); } \
  void from_real_##name(const FftSteps<type>& s, const FftLines<type>& l, int64_t kept, type* w) {           \
    lines_from_real(s, l, kept, w);                                                                          \
  }                                                                                                          \
  void to_real_##name(const FftSteps<type>& s, const FftLines<type>& l, type* w) { lines_to_real(s, l, w); } \
  int64_t lanes_##name() { return static_cast<int64_t>(hn::Lanes(hn::ScalableTag<type>())); }
WICK_FFT(float, float)
WICK_FFT(double, double)
#undef WICK_FFT

}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int64_t kLargestFactor = 31;

// What is left of the length after the factors; they are appended where asked for.
int64_t factorize(int64_t n, std::vector<int64_t>* factors) {
  const auto take = [&](int64_t p) {
    for (; n % p == 0; n /= p) {
      if (factors) factors->push_back(p);
    }
  };
  take(4);
  take(2);
  for (int64_t p = 3; p <= kLargestFactor && n > 1; p += 2) take(p);
  return n;
}

}  // namespace

template <class T>
bool FftSteps<T>::takes(int64_t length) {
  return length >= 1 && factorize(length, nullptr) == 1;
}

template <class T>
FftSteps<T>::FftSteps(int64_t length) : n(length) {
  factorize(length, &factors);
  // exp(-pi*i*k/n) of the first eighth of a circle; the rest mirrors it.
  std::vector<std::complex<double>> turns(static_cast<size_t>(n) + 1);
  const int64_t direct = n % 2 == 0 ? n / 4 : n / 2;
  for (int64_t k = 0; k <= direct; ++k) {
    const double angle = kPi * static_cast<double>(k) / static_cast<double>(n);
    turns[k] = {std::cos(angle), -std::sin(angle)};
  }
  for (int64_t k = direct + 1; k <= n / 2; ++k) turns[k] = {-turns[n / 2 - k].imag(), -turns[n / 2 - k].real()};
  for (int64_t k = n / 2 + 1; k <= n; ++k) turns[k] = {-turns[n - k].real(), turns[n - k].imag()};
  for (int64_t k = 0; k <= n; ++k) half_turns.emplace_back(turns[k]);
  for (int64_t k = 0; k < n; ++k) roots.emplace_back(2 * k <= n ? turns[2 * k] : std::conj(turns[2 * (n - k)]));
}

#define WICK_FFT(name, type)                                                                    \
  template struct FftSteps<type>;                                                               \
  HWY_EXPORT(complex_##name);                                                                   \
  HWY_EXPORT(from_real_##name);                                                                 \
  HWY_EXPORT(to_real_##name);                                                                   \
  HWY_EXPORT(lanes_##name);                                                                     \
  template <>                                                                                   \
  int64_t fft_lanes<type>() {                                                                   \
    return HWY_DYNAMIC_DISPATCH(lanes_##name)();                                                \
  }                                                                                             \
  template <>                                                                                   \
  void fft_complex(const FftSteps<type>& s, const FftLines<type>& l, type* w) {                 \
    HWY_DYNAMIC_DISPATCH(complex_##name)(s, l, w);                                              \
  }                                                                                             \
  template <>                                                                                   \
  void fft_from_real(const FftSteps<type>& s, const FftLines<type>& l, int64_t kept, type* w) { \
    HWY_DYNAMIC_DISPATCH(from_real_##name)(s, l, kept, w);                                      \
  }                                                                                             \
  template <>                                                                                   \
  void fft_to_real(const FftSteps<type>& s, const FftLines<type>& l, type* w) {                 \
    HWY_DYNAMIC_DISPATCH(to_real_##name)(s, l, w);                                              \
  }
WICK_FFT(float, float)
WICK_FFT(double, double)
#undef WICK_FFT

}  // namespace wick::kernels
#endif
