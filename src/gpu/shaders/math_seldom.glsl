// Functions of one or two elements that models use seldom; with NaN and infinities as in PyTorch.

float nan() { return uintBitsToFloat(0x7fc00000u); }
float infinity() { return uintBitsToFloat(0x7f800000u); }
bool is_infinite(float x) { return (floatBitsToUint(x) & 0x7fffffffu) == 0x7f800000u; }
bool is_true(float x) { return is_nan(x) || x != 0.0; }

// 2 artanh(x / (2 + x)) near 0.
float log1p_of(float x) {
  if (abs(x) > 0.25 || is_nan(x)) return log(1.0 + x);
  float s = x / (2.0 + x), t = s * s;
  return 2.0 * s * (1.0 + t * (1.0 / 3.0 + t * (1.0 / 5.0 + t * (1.0 / 7.0 + t / 9.0))));
}
// Reduced to |x| < tan(pi / 8), then the series of the arc tangent, economized.
float atan_of(float x) {
  if (is_nan(x)) return x;
  float a = abs(x), base = 0.0;
  if (a > 2.414213562373095) {
    base = 1.5707963267948966;
    a = -1.0 / a;
  } else if (a > 0.4142135623730950) {
    base = 0.7853981633974483;
    a = (a - 1.0) / (a + 1.0);
  }
  float t = a * a;
  float r = base + a + a * t * (-0.333329491539 + t * (0.199777106478 + t * (-0.138776856032 + t * 0.0805374449538)));
  return x < 0.0 ? -r : r;
}
float asin_of(float x) {
  if (abs(x) > 1.0 || is_nan(x)) return nan();
  return atan_of(x / sqrt((1.0 - x) * (1.0 + x)));
}
float atan2_of(float y, float x) {
  if (is_nan(x) || is_nan(y)) return nan();
  bool from_left = (floatBitsToUint(x) >> 31) != 0u, below = (floatBitsToUint(y) >> 31) != 0u;
  float r;
  if (y == 0.0) {
    r = from_left ? 3.141592653589793 : 0.0;
  } else if (is_infinite(x) && is_infinite(y)) {
    r = from_left ? 2.356194490192345 : 0.7853981633974483;
  } else if (x == 0.0) {
    r = 1.5707963267948966;
  } else {
    r = atan_of(abs(y) / abs(x));
    if (from_left) r = 3.141592653589793 - r;
  }
  return below ? -r : r;
}
float sinh_of(float x) {
  float a = abs(x), s = x * x;
  if (a < 0.5) return x * (1.0 + s / 6.0 * (1.0 + s / 20.0 * (1.0 + s / 42.0)));
  float r = exp(a - 0.69314718055994531) - exp(-a - 0.69314718055994531);
  return is_nan(x) ? x : x < 0.0 ? -r : r;
}
float asinh_of(float x) {
  float a = abs(x);
  float r = a > 1e6 ? log(a) + 0.69314718055994531 : log1p_of(a + a * a / (1.0 + sqrt(1.0 + a * a)));
  return is_nan(x) ? x : x < 0.0 ? -r : r;
}
float acosh_of(float x) {
  if (x < 1.0 || is_nan(x)) return nan();
  float t = x - 1.0;
  return x > 1e6 ? log(x) + 0.69314718055994531 : log1p_of(t + sqrt(2.0 * t + t * t));
}
float atanh_of(float x) {
  float a = abs(x);
  float r = a == 1.0 ? infinity() : 0.5 * log1p_of(2.0 * a / (1.0 - a));
  return x < 0.0 ? -r : r;
}
float pow_of(float a, float b) {
  if (b == 0.0 || a == 1.0) return 1.0;
  if (is_nan(a) || is_nan(b)) return nan();
  if (is_infinite(b)) {
    if (abs(a) == 1.0) return 1.0;
    return (abs(a) > 1.0) == (b > 0.0) ? infinity() : 0.0;
  }
  bool is_whole = trunc(b) == b;
  bool is_odd = is_whole && abs(b) < 16777216.0 && abs(b - 2.0 * trunc(b / 2.0)) == 1.0;
  bool is_negative = (floatBitsToUint(a) >> 31) != 0u;
  float r;
  if (a == 0.0) {
    r = b > 0.0 ? 0.0 : infinity();
  } else if (is_infinite(a)) {
    r = b > 0.0 ? infinity() : 0.0;
  } else if (is_negative && !is_whole) {
    return nan();
  } else {
    r = exp2(b * log2(abs(a)));
  }
  return is_negative && is_odd ? -r : r;
}
// Exact: a division of whole numbers, digit by digit.
float fmod_of(float a, float b) {
  uint x = floatBitsToUint(a) & 0x7fffffffu, y = floatBitsToUint(b) & 0x7fffffffu;
  const uint sign = floatBitsToUint(a) & 0x80000000u;
  if (y == 0u || x >= 0x7f800000u || y > 0x7f800000u) return nan();
  if (x < y) return a;
  // Numbers below 2^-126 have the exponent of those just above.
  int e = max(int(x >> 23), 1), least = max(int(y >> 23), 1);
  x = x < 0x800000u ? x : (x & 0x7fffffu) | 0x800000u;
  y = y < 0x800000u ? y : (y & 0x7fffffu) | 0x800000u;
  for (; e > least; --e) {
    if (x >= y) x -= y;
    x <<= 1;
  }
  if (x >= y) x -= y;
  if (x == 0u) return uintBitsToFloat(sign);
  int up = min(23 - findMSB(x), e - 1);
  x <<= uint(up);
  e -= up;
  return uintBitsToFloat(sign | (x < 0x800000u ? x : (x & 0x7fffffu) | uint(e) << 23));
}
float remainder_of(float a, float b) {
  float r = fmod_of(a, b);
  return r != 0.0 && (r < 0.0) != (b < 0.0) ? r + b : r;
}
float floor_divide_of(float a, float b) {
  if (b == 0.0) return a / b;
  float r = remainder_of(a, b), q = (a - r) / b;
  return is_nan(q) || is_infinite(q) ? q : roundEven(q);
}
// A quotient that is whole may come out just below it.
float trunc_divide_of(float a, float b) {
  float q = a / b, near = roundEven(q);
  return near * b == a ? near : trunc(q);
}
float hypot_of(float a, float b) {
  if (is_infinite(a) || is_infinite(b)) return infinity();
  if (is_nan(a) || is_nan(b)) return nan();
  float m = max(abs(a), abs(b)), n = min(abs(a), abs(b));
  return m == 0.0 ? 0.0 : m * sqrt(1.0 + n / m * (n / m));
}
float log_add_exp_of(float a, float b) {
  if (is_nan(a) || is_nan(b)) return nan();
  float m = max(a, b);
  return is_infinite(m) ? m : m + log1p_of(exp(-abs(a - b)));
}
