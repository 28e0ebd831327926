// Dense layers of few rows: a workgroup computes some fours of outputs of one row, its lanes share the inputs.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "math.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 1) readonly buffer W { S4 w4[]; };
layout(binding = 2) readonly buffer R { S residual[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };

layout(constant_id = 1) const uint kFours = 8;  // of outputs
layout(constant_id = 2) const uint kSlices = 16;  // of inputs; a power of two
layout(constant_id = 3) const uint kActivation = 0;
layout(constant_id = 4) const bool kBias = false;
layout(constant_id = 5) const uint kResidual = 0;

layout(push_constant) uniform Push {
  uint outputs, inputs;
  uint x_at, x_row, x_step, w_at, bias_at, y_at, y_row, r_at, r_row;
  float low, high;
};

shared vec4 sums[kFours * kSlices];

void main() {
  const uint lane = gl_LocalInvocationID.x, column = lane % kFours, slice = lane / kFours;
  const uint all_fours = (outputs + 3u) / 4u, four = gl_WorkGroupID.x * kFours + column, row = gl_WorkGroupID.y;
  vec4 sum = vec4(0.0);
  if (four < all_fours) {
    for (uint k = slice; k < inputs; k += kSlices) {
      sum += float(x[x_at + row * x_row + k * x_step]) * vec4(w4[w_at + k * all_fours + four]);
    }
  }
  sums[lane] = sum;
  barrier();
  for (uint half_count = kSlices / 2u; half_count > 0u; half_count /= 2u) {
    if (slice < half_count) sums[lane] += sums[lane + half_count * kFours];
    barrier();
  }
  if (slice != 0u || four >= all_fours) return;
  vec4 v = sums[lane];
  if (kBias) v += vec4(w4[bias_at + four]);
  const uint width = min(4u, outputs - four * 4u);
  vec4 added = vec4(0.0);
  if (kResidual != 0u) {
    for (uint e = 0u; e < width; ++e) added[e] = float(residual[r_at + row * r_row + four * 4u + e]);
  }
  if (kResidual == 1u) v += added;
  v = clamp4(activate4(kActivation, v), low, high);
  if (kResidual == 2u) v += added;
  for (uint e = 0u; e < width; ++e) y[y_at + row * y_row + four * 4u + e] = S(v[e]);
}
