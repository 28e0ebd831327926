// One step in time of a recurrent layer, after its products: gates to the next state. States of all steps lie in one
// memory, h and for an LSTM c beside each other.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "math.glsl"

layout(binding = 0) readonly buffer G { S gates[]; };   // of the input: [batch][gates * hidden]
layout(binding = 1) readonly buffer R { S recurrent[]; };  // of the state before, the same
layout(binding = 2) readonly buffer P { S before[]; };  // the state before
layout(binding = 3) writeonly buffer Y { S after[]; };

layout(constant_id = 1) const uint kKind = 0;  // 0 LSTM, 1 GRU, 2 tanh, 3 relu

layout(push_constant) uniform Push {
  uint count, hidden;
  uint gates_at, gates_row;
  uint before_at, before_row, before_cell;  // of h; where c lies behind it
  uint after_at, after_row, after_cell;
};

void main() {
  uint i = workgroup() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= count) return;
  const uint row = i / hidden, k = i % hidden;
  const uint own = gates_at + row * gates_row + k;
  const uint rows = kKind == 0u ? 4u : kKind == 1u ? 3u : 1u;
  const uint other = row * rows * hidden + k;
  const uint from = before_at + row * before_row + k, to = after_at + row * after_row + k;
  if (kKind == 0u) {
    float g0 = float(gates[own]) + float(recurrent[other]);
    float g1 = float(gates[own + hidden]) + float(recurrent[other + hidden]);
    float g2 = float(gates[own + 2u * hidden]) + float(recurrent[other + 2u * hidden]);
    float g3 = float(gates[own + 3u * hidden]) + float(recurrent[other + 3u * hidden]);
    float c = sigmoid_of(g1) * float(before[from + before_cell]) + sigmoid_of(g0) * tanh_of(g2);
    after[to + after_cell] = S(c);
    after[to] = S(sigmoid_of(g3) * tanh_of(c));
  } else if (kKind == 1u) {
    float r = sigmoid_of(float(gates[own]) + float(recurrent[other]));
    float z = sigmoid_of(float(gates[own + hidden]) + float(recurrent[other + hidden]));
    float n = tanh_of(float(gates[own + 2u * hidden]) + r * float(recurrent[other + 2u * hidden]));
    after[to] = S(n + z * (float(before[from]) - n));
  } else {
    float g = float(gates[own]) + float(recurrent[other]);
    after[to] = S(kKind == 2u ? tanh_of(g) : is_nan(g) || g > 0.0 ? g : 0.0);
  }
}
