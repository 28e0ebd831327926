// Converts dense elements between the program's precision and floats.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 0) readonly buffer XWide { float x_wide[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };
layout(binding = 3) writeonly buffer YWide { float y_wide[]; };

layout(constant_id = 1) const bool kWiden = true;

layout(push_constant) uniform Push { uint count, x_at; };

void main() {
  uint i = workgroup() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= count) return;
  if (kWiden) {
    y_wide[i] = float(x[x_at + i]);
  } else {
    y[i] = S(x_wide[x_at + i]);
  }
}
