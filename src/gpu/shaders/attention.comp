// Scaled dot-product attention: some queries of one head a workgroup, block by block of keys, with a running softmax.
//
// Sixteen invocations have two queries. Everything lies in fours along the width of a head.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer Q { S4 q4[]; };
layout(binding = 1) readonly buffer K { S4 k4[]; };
layout(binding = 2) readonly buffer V { S4 v4[]; };
layout(binding = 3) writeonly buffer Y { S4 y4[]; };

layout(constant_id = 0) const uint kThreads = 256;
layout(constant_id = 1) const uint kQueries = 32;  // kThreads / 8
layout(constant_id = 2) const uint kKeys = 32;     // of a block, a multiple of 16
layout(constant_id = 3) const uint kFours = 16;    // of a head's width
layout(constant_id = 4) const bool kCausal = false;

// Offsets and strides count fours.
layout(push_constant) uniform Push {
  uint queries, keys, heads;
  uint q_at, q_image, q_head, q_row;
  uint k_at, k_image, k_head, k_row;
  uint v_at, v_image, v_head, v_row;
  uint y_at, y_image, y_head, y_row;
  float scale;
};

const uint kStride = kFours + 1u;  // rows are apart by another bank
const uint kOwnKeys = kKeys / 16u, kOwnFours = (kFours + 15u) / 16u;
const uint kLoads = (kKeys * kFours + kThreads - 1u) / kThreads;
shared vec4 tile_q[kQueries * kFours];
shared vec4 tile_k[kKeys * kStride];
shared vec4 tile_v[kKeys * kFours];
shared vec4 tile_p[kQueries * kKeys / 4u];

#define kLeast uintBitsToFloat(0xff800000u)

void main() {
  const uint lane = gl_LocalInvocationID.x, column = lane % 16u, group = lane / 16u;
  const uint rows[2] = uint[2](group, group + kQueries / 2u);
  const uint image = gl_WorkGroupID.y / heads, head = gl_WorkGroupID.y % heads, query0 = gl_WorkGroupID.x * kQueries;
  const uint from_k = k_at + image * k_image + head * k_head, from_v = v_at + image * v_image + head * v_head;
  for (uint load = lane; load < kQueries * kFours; load += kThreads) {
    const uint m = min(query0 + load / kFours, queries - 1u);
    tile_q[load] = vec4(q4[q_at + image * q_image + head * q_head + m * q_row + load % kFours]) * scale;
  }
  vec4 sums[2][kOwnFours];
  float greatest[2], total[2];
  [[unroll]] for (uint i = 0u; i < 2u; ++i) {
    greatest[i] = kLeast;
    total[i] = 0.0;
    [[unroll]] for (uint d = 0u; d < kOwnFours; ++d) sums[i][d] = vec4(0.0);
  }
  const uint end = kCausal ? min(keys, query0 + kQueries) : keys;
  vec4 next_k[kLoads], next_v[kLoads];
  [[unroll]] for (uint l = 0u; l < kLoads; ++l) {
    const uint load = l * kThreads + lane, key = min(load / kFours, keys - 1u), d = load % kFours;
    next_k[l] = vec4(k4[from_k + key * k_row + d]);
    next_v[l] = vec4(v4[from_v + key * v_row + d]);
  }
  for (uint key0 = 0u; key0 < end; key0 += kKeys) {
    [[unroll]] for (uint l = 0u; l < kLoads; ++l) {
      const uint load = l * kThreads + lane, key = load / kFours;
      if (key < kKeys) {
        tile_k[key * kStride + load % kFours] = next_k[l];
        tile_v[load] = key0 + key < keys ? next_v[l] : vec4(0.0);
      }
    }
    barrier();
    // What the next round needs, while this one is computed.
    [[unroll]] for (uint l = 0u; l < kLoads; ++l) {
      const uint load = l * kThreads + lane, key = min(key0 + kKeys + load / kFours, keys - 1u), d = load % kFours;
      next_k[l] = vec4(k4[from_k + key * k_row + d]);
      next_v[l] = vec4(v4[from_v + key * v_row + d]);
    }
    float scores[2][kOwnKeys];
    [[unroll]] for (uint j = 0u; j < kOwnKeys; ++j) scores[0][j] = scores[1][j] = 0.0;
    [[unroll]] for (uint d = 0u; d < kFours; ++d) {
      const vec4 q0 = tile_q[rows[0] * kFours + d], q1 = tile_q[rows[1] * kFours + d];
      [[unroll]] for (uint j = 0u; j < kOwnKeys; ++j) {
        const vec4 k = tile_k[(column + j * 16u) * kStride + d];
        scores[0][j] += dot(q0, k);
        scores[1][j] += dot(q1, k);
      }
    }
    [[unroll]] for (uint i = 0u; i < 2u; ++i) {
      [[unroll]] for (uint j = 0u; j < kOwnKeys; ++j) {
        const uint c = column + j * 16u, key = key0 + c;
        if (key >= keys || (kCausal && key > query0 + rows[i])) scores[i][j] = kLeast;
        tile_p[(rows[i] * kKeys + c) / 4u][c % 4u] = scores[i][j];
      }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < 2u; ++i) {
      float most = greatest[i];
      [[unroll]] for (uint c = 0u; c < kKeys / 4u; ++c) {
        const vec4 p = tile_p[rows[i] * (kKeys / 4u) + c];
        most = max_of(max_of(most, max_of(p.x, p.y)), max_of(p.z, p.w));
      }
      // Where nothing is above -infinity yet, nothing counts yet.
      const float base = most == kLeast ? 0.0 : most, factor = exp(greatest[i] - base);
      total[i] *= factor;
      [[unroll]] for (uint d = 0u; d < kOwnFours; ++d) sums[i][d] *= factor;
      [[unroll]] for (uint j = 0u; j < kOwnKeys; ++j) scores[i][j] = exp(scores[i][j] - base);
      greatest[i] = most;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < 2u; ++i) {
      [[unroll]] for (uint j = 0u; j < kOwnKeys; ++j) {
        const uint c = column + j * 16u;
        tile_p[(rows[i] * kKeys + c) / 4u][c % 4u] = scores[i][j];
      }
    }
    barrier();
    [[unroll]] for (uint c = 0u; c < kKeys / 4u; ++c) {
      const vec4 p0 = tile_p[rows[0] * (kKeys / 4u) + c], p1 = tile_p[rows[1] * (kKeys / 4u) + c];
      total[0] += p0.x + p0.y + p0.z + p0.w;
      total[1] += p1.x + p1.y + p1.z + p1.w;
      [[unroll]] for (uint d = 0u; d < kOwnFours; ++d) {
        const uint at = column + d * 16u;
        if (at < kFours) {
          [[unroll]] for (uint e = 0u; e < 4u; ++e) {
            const vec4 v = tile_v[(c * 4u + e) * kFours + at];
            sums[0][d] += p0[e] * v;
            sums[1][d] += p1[e] * v;
          }
        }
      }
    }
    barrier();
  }
  [[unroll]] for (uint i = 0u; i < 2u; ++i) {
    const uint m = query0 + rows[i];
    if (m >= queries) continue;
    [[unroll]] for (uint d = 0u; d < kOwnFours; ++d) {
      const uint at = column + d * 16u;
      if (at < kFours) y4[y_at + image * y_image + head * y_head + m * y_row + at] = S4(sums[i][d] / total[i]);
    }
  }
}
