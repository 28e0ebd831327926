// Products of two matrices that are both computed, batch by batch, with any strides.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer A { S a[]; };
layout(binding = 1) readonly buffer B { S b[]; };
layout(binding = 2) readonly buffer C { S c[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };

layout(constant_id = 1) const uint kRows = 32;
layout(constant_id = 2) const uint kFours = 8;
layout(constant_id = 3) const uint kOwn = 4;
layout(constant_id = 4) const uint kDepth = 16;
layout(constant_id = 5) const bool kDepthFirstA = true;  // neighbors along the common dim lie side by side in a
layout(constant_id = 6) const bool kDepthFirstB = false;
// c, of the result's sizes or repeated: 0 there is none, 1 it is added, 2 where it is zero -infinity is added.
layout(constant_id = 7) const uint kSum = 0;

layout(push_constant) uniform Push {
  uint rows, columns, depth, inner;  // batches are outer and inner ones
  uint a_at, a_outer, a_inner, a_row, a_depth;
  uint b_at, b_outer, b_inner, b_depth, b_column;
  uint c_at, c_outer, c_inner, c_row, c_column;
  uint y_at, y_outer, y_inner, y_row, y_column;
  float scale;
};

const uint kColumns = kFours * 4u;
const uint kThreads = kFours * kRows / kOwn;
const uint kLoadsA = (kRows * kDepth + kThreads - 1u) / kThreads;
const uint kLoadsB = (kColumns * kDepth + kThreads - 1u) / kThreads;
shared vec4 tile_a[kDepth * kRows / 4u];
shared vec4 tile_b[kDepth * kFours];

void main() {
  const uint lane = gl_LocalInvocationID.x;
  const uint row0 = gl_WorkGroupID.x * kRows, column0 = gl_WorkGroupID.y * kColumns;
  const uint outer = gl_WorkGroupID.z / inner, in_outer = gl_WorkGroupID.z % inner;
  const uint from_a = a_at + outer * a_outer + in_outer * a_inner, from_b = b_at + outer * b_outer + in_outer * b_inner;
  const uint column = lane % kFours, group = lane / kFours;
  vec4 sums[kOwn];
  [[unroll]] for (uint i = 0u; i < kOwn; ++i) sums[i] = vec4(0.0);
  for (uint k0 = 0u; k0 < depth; k0 += kDepth) {
    [[unroll]] for (uint l = 0u; l < kLoadsA; ++l) {
      uint load = l * kThreads + lane;
      if (load < kRows * kDepth) {
        uint m = kDepthFirstA ? load / kDepth : load % kRows, k = kDepthFirstA ? load % kDepth : load / kRows;
        bool inside = row0 + m < rows && k0 + k < depth;
        tile_a[k * (kRows / 4u) + m / 4u][m % 4u] =
            inside ? float(a[from_a + (row0 + m) * a_row + (k0 + k) * a_depth]) : 0.0;
      }
    }
    [[unroll]] for (uint l = 0u; l < kLoadsB; ++l) {
      uint load = l * kThreads + lane;
      if (load < kColumns * kDepth) {
        uint n = kDepthFirstB ? load / kDepth : load % kColumns, k = kDepthFirstB ? load % kDepth : load / kColumns;
        bool inside = column0 + n < columns && k0 + k < depth;
        tile_b[k * kFours + n / 4u][n % 4u] =
            inside ? float(b[from_b + (k0 + k) * b_depth + (column0 + n) * b_column]) : 0.0;
      }
    }
    barrier();
    for (uint k = 0u; k < kDepth; ++k) {
      vec4 v = tile_b[k * kFours + column];
      [[unroll]] for (uint i = 0u; i < kOwn / 4u; ++i) {
        vec4 u = tile_a[k * (kRows / 4u) + group * (kOwn / 4u) + i];
        sums[i * 4u] += u.x * v;
        sums[i * 4u + 1u] += u.y * v;
        sums[i * 4u + 2u] += u.z * v;
        sums[i * 4u + 3u] += u.w * v;
      }
    }
    barrier();
  }
  [[unroll]] for (uint i = 0u; i < kOwn; ++i) {
    uint m = row0 + group * kOwn + i;
    if (m >= rows) continue;
    for (uint e = 0u; e < 4u; ++e) {
      uint n = column0 + column * 4u + e;
      if (n >= columns) break;
      float v = sums[i][e] * scale;
      if (kSum != 0u) {
        float e = float(c[c_at + outer * c_outer + in_outer * c_inner + m * c_row + n * c_column]);
        v += kSum == 1u ? e : e == 0.0 ? uintBitsToFloat(0xff800000u) : 0.0;
      }
      y[y_at + outer * y_outer + in_outer * y_inner + m * y_row + n * y_column] = S(v);
    }
  }
}
