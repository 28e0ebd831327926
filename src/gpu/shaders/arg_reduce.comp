// Where the largest or smallest element of a row is, the first of equal ones; NaN counts as both. A workgroup a row.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 3) writeonly buffer Y { float y[]; };

layout(constant_id = 0) const uint kThreads = 64;
layout(constant_id = 1) const bool kLargest = true;

layout(push_constant) uniform Push {
  uint rows, length;
  uint sizes[3], strides[3];  // of the rows
  uint x_at, step;
};

shared float values[kThreads];
shared uint places[kThreads];

// Whether (a, i) stands before (b, j).
bool wins(float a, uint i, float b, uint j) {
  bool nan_a = is_nan(a), nan_b = is_nan(b);
  if (nan_a || nan_b) return nan_a && (!nan_b || i < j);
  if (a == b) return i < j;
  return kLargest ? a > b : a < b;
}

void main() {
  const uint row = workgroup(), lane = gl_LocalInvocationID.x;
  uint rest = min(row, rows - 1u);
  uint from = x_at + rest % sizes[2] * strides[2];
  rest /= sizes[2];
  from += rest % sizes[1] * strides[1] + rest / sizes[1] * strides[0];
  uint best = min(lane, length - 1u);
  float value = float(x[from + best * step]);
  for (uint i = lane + kThreads; i < length; i += kThreads) {
    float e = float(x[from + i * step]);
    if (wins(e, i, value, best)) {
      value = e;
      best = i;
    }
  }
  values[lane] = value;
  places[lane] = best;
  barrier();
  for (uint n = kThreads / 2u; n > 0u; n /= 2u) {
    if (lane < n && wins(values[lane + n], places[lane + n], values[lane], places[lane])) {
      values[lane] = values[lane + n];
      places[lane] = places[lane + n];
    }
    barrier();
  }
  if (lane == 0u && row < rows) y[row] = float(places[0]);
}
