// Scaled dot-product attention in matrices of subgroups: kM queries of one head a workgroup, whose scores all fit into
// its shared memory. First blocks of keys, then a softmax, then blocks of values; while one block is multiplied, the
// next is on its way.
#version 450
#extension GL_GOOGLE_include_directive : require
#ifdef FP16
#extension GL_NV_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#pragma use_vulkan_memory_model
#endif
#include "common.glsl"
#include "matrix.glsl"

layout(binding = 0) readonly buffer Q { Unit q_units[]; };
layout(binding = 1) readonly buffer K { Unit k_units[]; };
layout(binding = 2) readonly buffer V { Unit v_units[]; };
layout(binding = 3) writeonly buffer Y { Unit y_units[]; };

layout(constant_id = 0) const uint kThreads = 128;
layout(constant_id = 5) const uint kBlock = 64;     // keys of a block, a multiple of kN and kK
layout(constant_id = 6) const uint kWidth = 64;     // of a head, a multiple of kN and kK
layout(constant_id = 7) const uint kAllKeys = 208;  // keys, extended to a multiple of kN and kK
layout(constant_id = 8) const bool kCausal = false;

// Offsets and strides count units.
layout(push_constant) uniform Push {
  uint queries, keys, heads;
  uint q_at, q_image, q_head, q_row;
  uint k_at, k_image, k_head, k_row;
  uint v_at, v_image, v_head, v_row;
  uint y_at, y_image, y_head, y_row;
  float scale;
};

const uint kUnits = kWidth / kUnit, kStride = kUnits + 1u;  // rows are apart by another bank
const uint kUnitsP = kAllKeys / kUnit, kStrideP = kUnitsP + 1u;
const uint kStrideS = (kAllKeys > kWidth ? kAllKeys : kWidth) + 4u;
const uint kLoads = (kBlock * kUnits + kThreads - 1u) / kThreads;
const uint kBlocks = (kAllKeys + kBlock - 1u) / kBlock;
const uint kSubgroups = kThreads / kSubgroup, kLanes = kThreads / kM;  // of a query
const uint kOwn = (kWidth / kN + kSubgroups - 1u) / kSubgroups;

shared Unit tile_q[kM * kStride];
shared Unit tile[kBlock * kStride];
shared Unit weights[kM * kStrideP];
shared float scores[kM * kStrideS];  // then the results
shared float parts[2u * kThreads];

#define kLeast uintBitsToFloat(0xff800000u)

void main() {
  const uint lane = gl_LocalInvocationID.x, subgroup = subgroup_number();
  const uint image = gl_WorkGroupID.y / heads, head = gl_WorkGroupID.y % heads, query0 = gl_WorkGroupID.x * kM;
  const uint from_k = k_at + image * k_image + head * k_head, from_v = v_at + image * v_image + head * v_head;
  for (uint load = lane; load < kM * kUnits; load += kThreads) {
    const uint m = min(query0 + load / kUnits, queries - 1u);
    tile_q[load / kUnits * kStride + load % kUnits] =
        q_units[q_at + image * q_image + head * q_head + m * q_row + load % kUnits];
  }
  Unit next[kLoads];
  [[unroll]] for (uint l = 0u; l < kLoads; ++l) {
    const uint load = l * kThreads + lane, key = min(load / kUnits, keys - 1u);
    next[l] = k_units[from_k + key * k_row + load % kUnits];
  }

  for (uint block = 0u; block < kBlocks; ++block) {
    [[unroll]] for (uint l = 0u; l < kLoads; ++l) {
      const uint load = l * kThreads + lane, key = load / kUnits;
      if (key < kBlock) tile[key * kStride + load % kUnits] = next[l];
    }
    barrier();
    [[unroll]] for (uint l = 0u; l < kLoads; ++l) {
      const uint load = l * kThreads + lane, at = (block + 1u) * kBlock + load / kUnits;
      if (block + 1u < kBlocks) {
        next[l] = k_units[from_k + min(at, keys - 1u) * k_row + load % kUnits];
      } else {
        next[l] = v_units[from_v + min(load / kUnits, keys - 1u) * v_row + load % kUnits];
      }
    }
    for (uint j = subgroup; j < kBlock / kN && block * kBlock + j * kN < kAllKeys; j += kSubgroups) {
      MatrixSum sum;
      CLEAR(sum);
      [[unroll]] for (uint k = 0u; k < kWidth / kK; ++k) {
        MatrixA a;
        LOAD_A(a, tile_q, k * (kK / kUnit), kStride);
        MatrixB b;
        LOAD_B_COLUMNS(b, tile, j * kN * kStride + k * (kK / kUnit), kStride);
        MULTIPLY_ADD_COLUMNS(sum, a, b, tile_q, tile);
      }
      STORE(sum, scores, block * kBlock + j * kN, kStrideS);
    }
    barrier();
  }

  // Some neighboring lanes have a query; each has every kLanes-th unit of its scores.
  const uint row = lane / kLanes, last = kCausal ? min(keys, query0 + row + 1u) : keys;
  float most = kLeast;
  for (uint u = lane % kLanes; u < kUnitsP; u += kLanes) {
    [[unroll]] for (uint e = 0u; e < kUnit; ++e) {
      if (u * kUnit + e < last) most = max_of(most, scores[row * kStrideS + u * kUnit + e] * scale);
    }
  }
  parts[lane] = most;
  barrier();
  for (uint k = 0u; k < kLanes; ++k) most = max_of(most, parts[row * kLanes + k]);
  const float base = most == kLeast ? 0.0 : most;
  float total = 0.0;
  for (uint u = lane % kLanes; u < kUnitsP; u += kLanes) {
    Unit unit = kNoUnit;
    [[unroll]] for (uint part = 0u; part < kUnit / 4u; ++part) {
      vec4 v = vec4(0.0);
      [[unroll]] for (uint e = 0u; e < 4u; ++e) {
        const uint key = u * kUnit + part * 4u + e;
        if (key < last) v[e] = exp(scores[row * kStrideS + key] * scale - base);
      }
      total += v.x + v.y + v.z + v.w;
      set_part(unit, part, v);
    }
    weights[row * kStrideP + u] = unit;
  }
  parts[kThreads + lane] = total;

  MatrixSum sums[kOwn];
  [[unroll]] for (uint i = 0u; i < kOwn; ++i) { CLEAR(sums[i]); }
  for (uint block = 0u; block < kBlocks; ++block) {
    [[unroll]] for (uint l = 0u; l < kLoads; ++l) {
      const uint load = l * kThreads + lane, key = load / kUnits;
      if (key < kBlock) tile[key * kStride + load % kUnits] = block * kBlock + key < keys ? next[l] : kNoUnit;
    }
    barrier();
    [[unroll]] for (uint l = 0u; l < kLoads; ++l) {
      const uint load = l * kThreads + lane, at = (block + 1u) * kBlock + load / kUnits;
      next[l] = v_units[from_v + min(at, keys - 1u) * v_row + load % kUnits];
    }
    for (uint k = 0u; k < kBlock / kK && block * kBlock + k * kK < kAllKeys; ++k) {
      MatrixA a;
      LOAD_A(a, weights, (block * kBlock + k * kK) / kUnit, kStrideP);
      [[unroll]] for (uint i = 0u; i < kOwn; ++i) {
        const uint j = subgroup + i * kSubgroups;
        if (j < kWidth / kN) {
          MatrixB b;
          LOAD_B(b, tile, k * kK * kStride + j * (kN / kUnit), kStride);
          MULTIPLY_ADD(sums[i], a, b, weights, tile);
        }
      }
    }
    barrier();
  }
  [[unroll]] for (uint i = 0u; i < kOwn; ++i) {
    const uint j = subgroup + i * kSubgroups;
    if (j < kWidth / kN) { STORE(sums[i], scores, j * kN, kStrideS); }
  }
  barrier();
  for (uint load = lane; load < kM * kUnits; load += kThreads) {
    const uint r = load / kUnits, m = query0 + r;
    if (m >= queries) continue;
    float all = 0.0;
    for (uint k = 0u; k < kLanes; ++k) all += parts[kThreads + r * kLanes + k];
    Unit result = kNoUnit;
    [[unroll]] for (uint part = 0u; part < kUnit / 4u; ++part) {
      const uint at = r * kStrideS + load % kUnits * kUnit + part * 4u;
      set_part(result, part, vec4(scores[at], scores[at + 1u], scores[at + 2u], scores[at + 3u]) / all);
    }
    y_units[y_at + image * y_image + head * y_head + m * y_row + load % kUnits] = result;
  }
}
