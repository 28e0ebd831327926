// Adds up the parts of a product that was split along its inputs, and finishes the results.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "math.glsl"

layout(binding = 0) readonly buffer P { vec4 partial[]; };
layout(binding = 1) readonly buffer W { S4 w4[]; };
layout(binding = 2) readonly buffer R { S residual[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };

layout(constant_id = 1) const uint kActivation = 0;
layout(constant_id = 2) const bool kBias = false;
layout(constant_id = 3) const uint kResidual = 0;  // 1: before the activation, 2: after it

layout(push_constant) uniform Push {
  uint pixels, outputs, parts, p_at, bias_at, y_at, y_pixel, r_at, r_pixel;
  float low, high;
};

void main() {
  const uint all_fours = (outputs + 3u) / 4u;
  const uint i = workgroup() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= pixels * all_fours) return;
  const uint m = i / all_fours, four = i % all_fours;
  vec4 v = vec4(0.0);
  for (uint part = 0u; part < parts; ++part) v += partial[p_at / 4u + part * pixels * all_fours + i];
  if (kBias) v += vec4(w4[bias_at + four]);
  const uint width = min(4u, outputs - four * 4u);
  vec4 added = vec4(0.0);
  if (kResidual != 0u) {
    for (uint e = 0u; e < width; ++e) added[e] = float(residual[r_at + m * r_pixel + four * 4u + e]);
  }
  if (kResidual == 1u) v += added;
  v = clamp4(activate4(kActivation, v), low, high);
  if (kResidual == 2u) v += added;
  for (uint e = 0u; e < width; ++e) y[y_at + m * y_pixel + four * 4u + e] = S(v[e]);
}
