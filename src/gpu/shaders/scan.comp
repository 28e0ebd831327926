// Running sums and products along rows. A workgroup a row, each invocation a part of it.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };

layout(constant_id = 0) const uint kThreads = 64;
layout(constant_id = 1) const bool kProduct = false;

layout(push_constant) uniform Push {
  uint rows, length;
  uint sizes[3], x_strides[3], y_strides[3];  // of the rows
  uint x_at, x_step, y_at, y_step;
};

shared float parts[kThreads];

float combine(float a, float b) { return kProduct ? a * b : a + b; }

void main() {
  const uint row = workgroup(), lane = gl_LocalInvocationID.x;
  uint rest = min(row, rows - 1u);
  uint i2 = rest % sizes[2];
  rest /= sizes[2];
  uint i1 = rest % sizes[1], i0 = rest / sizes[1];
  const uint from = x_at + i0 * x_strides[0] + i1 * x_strides[1] + i2 * x_strides[2];
  const uint to = y_at + i0 * y_strides[0] + i1 * y_strides[1] + i2 * y_strides[2];
  const uint part = (length + kThreads - 1u) / kThreads, first = min(lane * part, length), last = min(first + part, length);
  const float none = kProduct ? 1.0 : 0.0;
  float all = none;
  for (uint i = first; i < last; ++i) all = combine(all, float(x[from + i * x_step]));
  parts[lane] = all;
  barrier();
  for (uint n = 1u; n < kThreads; n *= 2u) {
    float before = lane >= n ? parts[lane - n] : none;
    barrier();
    if (lane >= n) parts[lane] = combine(before, parts[lane]);
    barrier();
  }
  float sum = lane > 0u ? parts[lane - 1u] : none;
  if (row >= rows) return;
  for (uint i = first; i < last; ++i) {
    sum = combine(sum, float(x[from + i * x_step]));
    y[to + i * y_step] = S(sum);
  }
}
