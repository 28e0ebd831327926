// Functions of one element, accurate to a few units in the last place on every driver.

// NaN passes through. Said outright: drivers make a minimum or maximum, which drops NaN, of a comparison alone.
float clamp_of(float x, float low, float high) { return is_nan(x) ? x : x < low ? low : x > high ? high : x; }

// Taylor's series near 0, where exp(x) - 1 loses its digits.
float expm1_of(float x) {
  if (abs(x) > 0.35 || is_nan(x)) return exp(x) - 1.0;
  return x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0 * (1.0 + x / 5.0 * (1.0 + x / 6.0 * (1.0 + x / 7.0))))));
}

float sigmoid_of(float x) { return 1.0 / (1.0 + exp(-x)); }

// Drivers compute tanh by exponentials that overflow, and lose the small values.
float tanh_of(float x) {
  float a = abs(x);
  if (a < 0.05) {
    float s = x * x;
    return x * (1.0 + s * (-1.0 / 3.0 + s * (2.0 / 15.0 - s * (17.0 / 315.0))));
  }
  float e = exp(-2.0 * min(a, 20.0));
  float r = (1.0 - e) / (1.0 + e);
  return is_nan(x) ? x : x < 0.0 ? -r : r;
}

// 1 - erf(a) = t exp(-a^2) (polynomial in t), t = 1 / (1 + a / 2), where a is not negative: fractional error below
// 1.2e-7.
float erfc_of(float a) {
  float t = 1.0 / (1.0 + 0.5 * a);
  float p = -1.26551223 +
            t * (1.00002368 +
                 t * (0.37409196 +
                      t * (0.09678418 +
                           t * (-0.18628806 +
                                t * (0.27886807 +
                                     t * (-1.13520398 + t * (1.48851587 + t * (-0.82215223 + t * 0.17087277))))))));
  return t * exp(p - a * a);
}

// Taylor's series where |x| < 1, else a continued form of the complement.
float erf_of(float x) {
  float a = abs(x);
  float r;
  if (a < 1.0) {
    float s = x * x, term = x, sum = x;
    [[unroll]] for (int n = 1; n < 12; ++n) {
      term *= -s / float(n);
      sum += term / float(2 * n + 1);
    }
    return 1.1283791670955126 * sum;
  }
  r = 1.0 - erfc_of(min(a, 10.0));
  return is_nan(x) ? x : x < 0.0 ? -r : r;
}

// log(1 + exp(x)) without overflow.
float softplus_of(float x) {
  float e = exp(-abs(x));
  float l = e < 1e-3 ? e * (1.0 - 0.5 * e) : log(1.0 + e);
  return (x > 0.0 ? x : 0.0) + l;
}

// Of -infinity it is NaN, as in PyTorch; drivers fold a product with 0, so that is said outright.
float mish_of(float x) {
  if (is_nan(x)) return x;
  if (floatBitsToUint(x) == 0xff800000u) return uintBitsToFloat(0x7fc00000u);
  return x < -80.0 ? 0.0 : x * tanh_of(softplus_of(x));
}
float gelu_of(float x) {
  float c = 0.5 * erfc_of(min(abs(x) * 0.70710678118654752, 20.0));
  return x * (x < 0.0 ? c : 1.0 - c);
}
float gelu_tanh_of(float x) {
  return 0.5 * x * (1.0 + tanh_of(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}
float hardsigmoid_of(float x) { return clamp_of(x + 3.0, 0.0, 6.0) / 6.0; }
float silu_of(float x) { return x / (1.0 + exp(-x)); }

// Activations of kernels/epilogue.h, by number.
float activate(uint kind, float x) {
  switch (kind) {
    case 1: return x * hardsigmoid_of(x);
    case 2: return hardsigmoid_of(x);
    case 3: return silu_of(x);
    case 4: return sigmoid_of(x);
    case 5: return tanh_of(x);
    case 6: return gelu_of(x);
    case 7: return gelu_tanh_of(x);
    case 8: return mish_of(x);
  }
  return x;
}
vec4 activate4(uint kind, vec4 x) {
  if (kind == 0u) return x;
  return vec4(activate(kind, x.x), activate(kind, x.y), activate(kind, x.z), activate(kind, x.w));
}
vec4 clamp4(vec4 x, float low, float high) {
  return vec4(clamp_of(x.x, low, high), clamp_of(x.y, low, high), clamp_of(x.z, low, high), clamp_of(x.w, low, high));
}
