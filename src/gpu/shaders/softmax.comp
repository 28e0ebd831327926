// Softmax or its logarithm along one dim, a workgroup for each row.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };

layout(constant_id = 0) const uint kThreads = 64;
layout(constant_id = 1) const bool kLog = false;
layout(constant_id = 2) const bool kSafe = false;  // rows of nothing but -infinity give zeros

layout(push_constant) uniform Push {
  uint rows, length;
  uint sizes[3], x_strides[3], y_strides[3];  // of the rows
  uint x_at, x_step, y_at, y_step;
};

shared float parts[kThreads];

float reduce(float own, bool is_max) {
  parts[gl_LocalInvocationID.x] = own;
  barrier();
  for (uint n = kThreads / 2u; n > 0u; n /= 2u) {
    if (gl_LocalInvocationID.x < n) {
      float other = parts[gl_LocalInvocationID.x + n], mine = parts[gl_LocalInvocationID.x];
      parts[gl_LocalInvocationID.x] = is_max ? max_of(mine, other) : mine + other;
    }
    barrier();
  }
  float all = parts[0];
  barrier();
  return all;
}

void main() {
  uint row = workgroup();
  if (row >= rows) return;
  uint from = x_at, to = y_at;
  for (uint d = 3u; d-- > 0u;) {
    uint at = row % sizes[d];
    row /= sizes[d];
    from += at * x_strides[d];
    to += at * y_strides[d];
  }
  const uint lane = gl_LocalInvocationID.x;
  float greatest = uintBitsToFloat(0xff800000u);
  for (uint i = lane; i < length; i += kThreads) greatest = max_of(greatest, float(x[from + i * x_step]));
  greatest = reduce(greatest, true);
  float sum = 0.0;
  for (uint i = lane; i < length; i += kThreads) sum += exp(float(x[from + i * x_step]) - greatest);
  sum = reduce(sum, false);
  const bool empty = kSafe && floatBitsToUint(greatest) == 0xff800000u;
  for (uint i = lane; i < length; i += kThreads) {
    float v = float(x[from + i * x_step]) - greatest;
    y[to + i * y_step] = S(empty ? 0.0 : kLog ? v - log(sum) : exp(v) / sum);
  }
}
