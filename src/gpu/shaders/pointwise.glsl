// A chain of pointwise operators. Its instructions are specialization constants, so that a driver compiles straight code.
// Integers and truth values are floats, too: whole numbers below 2^24, 0 and 1. With ALL_OPERATORS also those operators
// that models use seldom; drivers take long to compile them, so that there are fewer instructions then, of one element.
layout(binding = 0) readonly buffer A { S a[]; };
layout(binding = 0) readonly buffer A4 { S4 a4[]; };
layout(binding = 1) readonly buffer B { S b[]; };
layout(binding = 1) readonly buffer B4 { S4 b4[]; };
layout(binding = 2) readonly buffer C { S c[]; };
layout(binding = 2) readonly buffer C4 { S4 c4[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };
layout(binding = 3) writeonly buffer Y4 { S4 y4[]; };

layout(constant_id = 1) const uint kCount = 1;   // instructions
layout(constant_id = 2) const uint kInputs = 1;  // tensors
layout(constant_id = 3) const uint kDims = 4;
layout(constant_id = 4) const bool kVector = false;  // four elements of the last dim at once
// Bit k: input k is repeated along the last dim.
layout(constant_id = 5) const uint kRepeated = 0;
// Instructions: operator, operands (inputs, then results from 3 on) and up to three numbers.
layout(constant_id = 10) const uint I0 = 0;  layout(constant_id = 30) const float P0 = 0.0;  layout(constant_id = 31) const float Q0 = 0.0;  layout(constant_id = 32) const float R0 = 0.0;
layout(constant_id = 11) const uint I1 = 0;  layout(constant_id = 33) const float P1 = 0.0;  layout(constant_id = 34) const float Q1 = 0.0;  layout(constant_id = 35) const float R1 = 0.0;
layout(constant_id = 12) const uint I2 = 0;  layout(constant_id = 36) const float P2 = 0.0;  layout(constant_id = 37) const float Q2 = 0.0;  layout(constant_id = 38) const float R2 = 0.0;
layout(constant_id = 13) const uint I3 = 0;  layout(constant_id = 39) const float P3 = 0.0;  layout(constant_id = 40) const float Q3 = 0.0;  layout(constant_id = 41) const float R3 = 0.0;
layout(constant_id = 14) const uint I4 = 0;  layout(constant_id = 42) const float P4 = 0.0;  layout(constant_id = 43) const float Q4 = 0.0;  layout(constant_id = 44) const float R4 = 0.0;
layout(constant_id = 15) const uint I5 = 0;  layout(constant_id = 45) const float P5 = 0.0;  layout(constant_id = 46) const float Q5 = 0.0;  layout(constant_id = 47) const float R5 = 0.0;
layout(constant_id = 16) const uint I6 = 0;  layout(constant_id = 48) const float P6 = 0.0;  layout(constant_id = 49) const float Q6 = 0.0;  layout(constant_id = 50) const float R6 = 0.0;
layout(constant_id = 17) const uint I7 = 0;  layout(constant_id = 51) const float P7 = 0.0;  layout(constant_id = 52) const float Q7 = 0.0;  layout(constant_id = 53) const float R7 = 0.0;
layout(constant_id = 18) const uint I8 = 0;  layout(constant_id = 54) const float P8 = 0.0;  layout(constant_id = 55) const float Q8 = 0.0;  layout(constant_id = 56) const float R8 = 0.0;
layout(constant_id = 19) const uint I9 = 0;  layout(constant_id = 57) const float P9 = 0.0;  layout(constant_id = 58) const float Q9 = 0.0;  layout(constant_id = 59) const float R9 = 0.0;
layout(constant_id = 20) const uint I10 = 0;  layout(constant_id = 60) const float P10 = 0.0;  layout(constant_id = 61) const float Q10 = 0.0;  layout(constant_id = 62) const float R10 = 0.0;
layout(constant_id = 21) const uint I11 = 0;  layout(constant_id = 63) const float P11 = 0.0;  layout(constant_id = 64) const float Q11 = 0.0;  layout(constant_id = 65) const float R11 = 0.0;

layout(push_constant) uniform Push {
  uint count;     // elements, or fours of them
  uint sizes[4];  // of the result, outermost first
  uint a_strides[4], b_strides[4], c_strides[4], y_strides[4];
  uint a_at, b_at, c_at, y_at;
  uint zero;  // always; but drivers do not know
};

// A number of the program. As a constant drivers would fold it with what stands beside it, as if there were no NaN.
float number(float n) { return uintBitsToFloat(floatBitsToUint(n) ^ zero); }

float apply1(uint op, float a, float b, float c, float p, float q, float r) {
  switch (op) {
    case 0: return a;
    case 1: return a + b;
    case 2: return a - b;
    case 3: return a * b;
    case 4: return a / b;
    case 5: return max_of(a, b);
    case 6: return min_of(a, b);
    case 7: return a + p * b;
    case 8: return a - p * b;
    case 9: return p;
    case 10: return -a;
    case 11: return abs(a);
    case 12: return a * a;
    case 13: return sqrt(a);
    case 14: return 1.0 / sqrt(a);
    case 15: return 1.0 / a;
    case 16: return floor(a);
    case 17: return ceil(a);
    case 18: return trunc(a);
    case 19: return exp(a);
    case 20: return log(a);
    case 21: return sin(a);
    case 22: return cos(a);
    case 23: return tanh_of(a);
    case 24: return sigmoid_of(a);
    case 25: return erf_of(a);
    case 26: return is_nan(a) ? a : a < 0.0 ? 0.0 : a;
    case 27: return silu_of(a);
    case 28: return mish_of(a);
    case 29: return a * hardsigmoid_of(a);
    case 30: return hardsigmoid_of(a);
    case 31: return -softplus_of(-a);
    case 32: return gelu_of(a);
    case 33: return gelu_tanh_of(a);
    case 34: return clamp_of(a, p, q);
    case 35: return is_nan(a) ? a : a < p ? p : a;
    case 36: return is_nan(a) ? a : a > q ? q : a;
    case 37: return a > 0.0 ? a : a * p;
    case 38: return a > 0.0 ? a * q : p * expm1_of(a * r);
    case 39: return a * p > q ? a : softplus_of(a * p) / p;
#ifdef ALL_OPERATORS
    case 40: return roundEven(a);
    case 41: return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : 0.0;
    case 42: return a - trunc(a);
    case 43: return exp2(a);
    case 44: return expm1_of(a);
    case 45: return log2(a);
    case 46: return log(a) * 0.43429448190325182;
    case 47: return log1p_of(a);
    case 48: return sin(a) / cos(a);
    case 49: return asin_of(a);
    case 50: return abs(a) > 1.0 || is_nan(a) ? nan() : 1.5707963267948966 - asin_of(a);
    case 51: return atan_of(a);
    case 52: return sinh_of(a);
    case 53: return exp(abs(a) - 0.69314718055994531) + exp(-abs(a) - 0.69314718055994531);
    case 54: return asinh_of(a);
    case 55: return acosh_of(a);
    case 56: return abs(a) > 1.0 || is_nan(a) ? nan() : atanh_of(a);
    case 57: return 1.0 - erf_of(a);
    case 58: return a == 0.0 ? 1.0 : 0.0;
    case 59: return a == b ? 1.0 : 0.0;
    case 60: return a != b || is_nan(a) || is_nan(b) ? 1.0 : 0.0;
    case 61: return a < b ? 1.0 : 0.0;
    case 62: return a <= b ? 1.0 : 0.0;
    case 63: return a > b ? 1.0 : 0.0;
    case 64: return a >= b ? 1.0 : 0.0;
    case 65: return is_true(a) && is_true(b) ? 1.0 : 0.0;
    case 66: return is_true(a) || is_true(b) ? 1.0 : 0.0;
    case 67: return is_true(a) != is_true(b) ? 1.0 : 0.0;
    case 68: return is_true(a) ? b : c;
    case 69: return is_nan(a) ? 1.0 : 0.0;
    case 70: return is_infinite(a) ? 1.0 : 0.0;
    case 71: return is_nan(a) || is_infinite(a) ? 0.0 : 1.0;
    case 72: return pow_of(a, b);
    case 73: return atan2_of(a, b);
    case 74: return fmod_of(a, b);
    case 75: return remainder_of(a, b);
    case 76: return floor_divide_of(a, b);
    case 77: return trunc_divide_of(a, b);
    case 78: return hypot_of(a, b);
    case 79: return uintBitsToFloat((floatBitsToUint(a) & 0x7fffffffu) | (floatBitsToUint(b) & 0x80000000u));
    case 80: return log_add_exp_of(a, b);
    case 81: return is_nan(b) ? b : a == 0.0 ? 0.0 : a * log(b);
    case 82: return a == 0.0 ? b : a > 0.0 ? 1.0 : 0.0;
    case 83: return is_nan(a) ? b : is_nan(b) ? a : a > b ? a : b;
    case 84: return is_nan(a) ? b : is_nan(b) ? a : a < b ? a : b;
    case 85: return is_nan(a) ? p : is_infinite(a) ? (a > 0.0 ? q : r) : a;
    case 86: return a <= p ? q : a;
    case 87: return a >= -p && a <= p ? 0.0 : a;
    case 88: return a > p ? a - p : a < -p ? a + p : is_nan(a) ? a : 0.0;
    case 89: return a > 0.0 || is_nan(a) ? a : p * expm1_of(a / p);
    case 90: return is_infinite(a) && (a > 0.0) == (p > 0.0) ? 1.0 : 0.0;
    case 91: return is_nan(a) ? 0.0 : float(floatBitsToUint(a) >> 31);
    case 92: return a > 0.0 ? a : a * b;
#endif
  }
  return a;
}
vec4 apply(uint op, vec4 a, vec4 b, vec4 c, float p, float q, float r) {
  p = number(p);
  q = number(q);
  r = number(r);
  vec4 y;
  y.x = apply1(op, a.x, b.x, c.x, p, q, r);
#ifndef ALL_OPERATORS
  if (kVector) {
    y.y = apply1(op, a.y, b.y, c.y, p, q, r);
    y.z = apply1(op, a.z, b.z, c.z, p, q, r);
    y.w = apply1(op, a.w, b.w, c.w, p, q, r);
  }
#endif
  return y;
}

void main() {
  uint i = workgroup() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= count) return;
  uint at_a = a_at, at_b = b_at, at_c = c_at, at_y = y_at;
  const uint last = kDims - 1u;
  [[unroll]] for (uint k = 0u; k < kDims; ++k) {
    uint d = last - k;
    uint extent = kVector && k == 0u ? sizes[d] / 4u : sizes[d];
    uint at = d == 0u ? i : i % extent;
    if (d != 0u) i /= extent;
    if (kVector && k == 0u) at *= 4u;
    at_a += at * a_strides[d];
    if (kInputs > 1u) at_b += at * b_strides[d];
    if (kInputs > 2u) at_c += at * c_strides[d];
    at_y += at * y_strides[d];
  }
  vec4 r[15];
  r[0] = r[1] = r[2] = vec4(0.0);
  if (kVector) {
    if (kInputs > 0u) r[0] = (kRepeated & 1u) != 0u ? vec4(a[at_a]) : vec4(a4[at_a / 4u]);
    if (kInputs > 1u) r[1] = (kRepeated & 2u) != 0u ? vec4(b[at_b]) : vec4(b4[at_b / 4u]);
    if (kInputs > 2u) r[2] = (kRepeated & 4u) != 0u ? vec4(c[at_c]) : vec4(c4[at_c / 4u]);
  } else {
    if (kInputs > 0u) r[0].x = float(a[at_a]);
    if (kInputs > 1u) r[1].x = float(b[at_b]);
    if (kInputs > 2u) r[2].x = float(c[at_c]);
  }
  if (kCount > 0u) r[3] = apply(I0 & 255u, r[(I0 >> 8) & 255u], r[(I0 >> 16) & 255u], r[I0 >> 24], P0, Q0, R0);
  if (kCount > 1u) r[4] = apply(I1 & 255u, r[(I1 >> 8) & 255u], r[(I1 >> 16) & 255u], r[I1 >> 24], P1, Q1, R1);
  if (kCount > 2u) r[5] = apply(I2 & 255u, r[(I2 >> 8) & 255u], r[(I2 >> 16) & 255u], r[I2 >> 24], P2, Q2, R2);
  if (kCount > 3u) r[6] = apply(I3 & 255u, r[(I3 >> 8) & 255u], r[(I3 >> 16) & 255u], r[I3 >> 24], P3, Q3, R3);
  if (kCount > 4u) r[7] = apply(I4 & 255u, r[(I4 >> 8) & 255u], r[(I4 >> 16) & 255u], r[I4 >> 24], P4, Q4, R4);
  if (kCount > 5u) r[8] = apply(I5 & 255u, r[(I5 >> 8) & 255u], r[(I5 >> 16) & 255u], r[I5 >> 24], P5, Q5, R5);
#ifndef ALL_OPERATORS
  if (kCount > 6u) r[9] = apply(I6 & 255u, r[(I6 >> 8) & 255u], r[(I6 >> 16) & 255u], r[I6 >> 24], P6, Q6, R6);
  if (kCount > 7u) r[10] = apply(I7 & 255u, r[(I7 >> 8) & 255u], r[(I7 >> 16) & 255u], r[I7 >> 24], P7, Q7, R7);
  if (kCount > 8u) r[11] = apply(I8 & 255u, r[(I8 >> 8) & 255u], r[(I8 >> 16) & 255u], r[I8 >> 24], P8, Q8, R8);
  if (kCount > 9u) r[12] = apply(I9 & 255u, r[(I9 >> 8) & 255u], r[(I9 >> 16) & 255u], r[I9 >> 24], P9, Q9, R9);
  if (kCount > 10u) r[13] = apply(I10 & 255u, r[(I10 >> 8) & 255u], r[(I10 >> 16) & 255u], r[I10 >> 24], P10, Q10, R10);
  if (kCount > 11u) r[14] = apply(I11 & 255u, r[(I11 >> 8) & 255u], r[(I11 >> 16) & 255u], r[I11 >> 24], P11, Q11, R11);
#endif
  if (kVector) {
    y4[at_y / 4u] = S4(r[kCount + 2u]);
  } else {
    y[at_y] = S(r[kCount + 2u].x);
  }
}
