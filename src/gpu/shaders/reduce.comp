// Reductions over dims: a workgroup computes kOutputs results, its other lanes share the elements of each.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };

layout(constant_id = 0) const uint kThreads = 64;
layout(constant_id = 1) const uint kKind = 0;  // 0 sum, 1 mean, 2 max, 3 min, 4 product, 5 norm, 6 variance, 7 deviation
layout(constant_id = 2) const uint kOutputs = 1;  // a power of two, as the workgroup is

layout(push_constant) uniform Push {
  uint count, length;
  uint kept[3], kept_strides[3];
  uint reduced[3], reduced_strides[3];
  uint x_at, y_at;
  float correction;
};

shared float parts[kThreads];
const uint kSlices = kThreads / kOutputs;

float combine(float a, float b) {
  if (kKind == 2u) return max_of(a, b);
  if (kKind == 3u) return min_of(a, b);
  if (kKind == 4u) return a * b;
  return a + b;
}
float all_of(float own) {
  const uint lane = gl_LocalInvocationID.x;
  parts[lane] = own;
  barrier();
  for (uint n = kSlices / 2u; n > 0u; n /= 2u) {
    if (lane / kOutputs < n) parts[lane] = combine(parts[lane], parts[lane + n * kOutputs]);
    barrier();
  }
  float all = parts[lane % kOutputs];
  barrier();
  return all;
}
uint place(uint i) {
  uint at = i % reduced[2] * reduced_strides[2];
  i /= reduced[2];
  at += i % reduced[1] * reduced_strides[1];
  return at + i / reduced[1] * reduced_strides[0];
}

void main() {
  const uint o = workgroup() * kOutputs + gl_LocalInvocationID.x % kOutputs, slice = gl_LocalInvocationID.x / kOutputs;
  const bool inside = o < count;
  uint rest = inside ? o : 0u;
  uint from = x_at + rest % kept[2] * kept_strides[2];
  rest /= kept[2];
  from += rest % kept[1] * kept_strides[1] + rest / kept[1] * kept_strides[0];
  float v = kKind == 2u ? uintBitsToFloat(0xff800000u) : kKind == 3u ? uintBitsToFloat(0x7f800000u) : kKind == 4u ? 1.0 : 0.0;
  for (uint i = slice; i < length; i += kSlices) {
    float e = float(x[from + place(i)]);
    v = combine(v, kKind == 5u ? e * e : e);
  }
  v = all_of(v);
  if (kKind == 1u) v /= float(length);
  if (kKind == 5u) v = sqrt(v);
  if (kKind >= 6u) {
    const float mean = v / float(length);
    // Squares of large numbers overflow where their root does not.
    const float down = 1.0 / 18446744073709551616.0;
    float squares = 0.0, far = 0.0;
    for (uint i = slice; i < length; i += kSlices) {
      float e = float(x[from + place(i)]) - mean;
      squares += e * e;
      if (kKind == 7u) far += e * down * (e * down);
    }
    squares = all_of(squares);
    float by = float(length) - correction;
    v = squares / (by > 0.0 ? by : 0.0);
    if (kKind == 7u) {
      far = all_of(far);
      v = floatBitsToUint(v) == 0x7f800000u && by > 0.0 ? sqrt(far / by) / down : sqrt(v);
    }
  }
  if (inside && slice == 0u) y[y_at + o] = S(v);
}
