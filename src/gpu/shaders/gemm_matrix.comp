// Convolutions without groups, and dense layers, as a product of pixels and weights in matrices of subgroups.
//
// As gemm.comp, but taps and input channels are one dim: weights are [tap and input channel][output channel], the bias
// follows them; output channels are whole units, and so are input channels where kFlat is not set. Tiles take turns in
// shared memory: while one is multiplied, the next kAhead are on their way.
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
#include "math.glsl"
#include "matrix.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 0) readonly buffer XU { Unit x_units[]; };
layout(binding = 1) readonly buffer W { Unit w_units[]; };
layout(binding = 2) readonly buffer R { S residual[]; };
layout(binding = 2) readonly buffer RU { Unit residual_units[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };
layout(binding = 3) writeonly buffer YU { Unit y_units[]; };
layout(binding = 3) writeonly buffer P { vec4 partial[]; };

layout(constant_id = 0) const uint kThreads = 128;
layout(constant_id = 5) const uint kRows = 64;     // pixels of a tile
layout(constant_id = 6) const uint kColumns = 64;  // output channels of a tile
layout(constant_id = 7) const uint kDepth = 64;    // input channels of a tile
layout(constant_id = 8) const uint kAcross = 2;    // subgroups along the output channels; kDown of them along pixels
layout(constant_id = 9) const uint kDown = 2;
layout(constant_id = 10) const uint kTiles = 2;  // in shared memory
layout(constant_id = 11) const bool kFlat = false;  // x has any strides
layout(constant_id = 12) const uint kTapsX = 1;
layout(constant_id = 13) const uint kTaps = 1;
layout(constant_id = 14) const uint kActivation = 0;
layout(constant_id = 15) const bool kBias = false;
layout(constant_id = 16) const uint kResidual = 0;  // 1: before the activation, 2: after it
layout(constant_id = 17) const bool kWide = false;  // results and residuals in units
layout(constant_id = 18) const bool kSplit = false;  // sums of a part of the taps and channels, to be added up later
layout(constant_id = 19) const uint kAhead = 1;
layout(constant_id = 20) const uint kInputs = 1;  // where kFlat is set

layout(push_constant) uniform Push {
  uint pixels, outputs, inputs;
  uint in_y, in_x, out_y, out_x;
  uint stride_y, stride_x, pad_y, pad_x, dilation_y, dilation_x;
  uint x_at, x_image, x_channel, x_row, x_pixel;
  uint w_at, bias_at;  // in units
  uint y_at, y_pixel, r_at, r_pixel;
  float low, high;
  uint steps;  // of one part
};

const uint kUnitsA = kDepth / kUnit, kStrideA = kUnitsA + 1u;    // rows are apart by another bank
const uint kUnitsB = kColumns / kUnit, kStrideB = kUnitsB + 1u;
const uint kLoadsA = (kRows * kUnitsA + kThreads - 1u) / kThreads;
const uint kLoadsB = (kDepth * kUnitsB + kThreads - 1u) / kThreads;
const uint kTileA = kRows * kStrideA, kTileB = kDepth * kStrideB;
// Of one subgroup.
const uint kOwnRows = kRows / kDown, kOwnColumns = kColumns / kAcross;
const uint kDownM = kOwnRows / kM, kAcrossN = kOwnColumns / kN;
const uint kStride = kOwnColumns + 4u, kStage = kM * kStride;

shared Unit tile_a[kTiles * kTileA];
shared Unit tile_b[kTiles * kTileB];
shared float stage[kAcross * kDown * kStage];

struct Pixel {
  uint at;     // of its image
  int y0, x0;  // of its first tap
  bool inside;
};
Pixel pixel_of(uint m) {
  Pixel p;
  p.inside = m < pixels;
  const uint in_image = m % (out_y * out_x);
  p.at = x_at + m / (out_y * out_x) * x_image;
  p.y0 = int(in_image / out_x * stride_y) - int(pad_y);
  p.x0 = int(in_image % out_x * stride_x) - int(pad_x);
  return p;
}
bool place(Pixel p, uint tap, out uint at) {
  const int iy = p.y0 + int(tap / kTapsX * dilation_y), ix = p.x0 + int(tap % kTapsX * dilation_x);
  at = p.at + uint(iy) * x_row + uint(ix) * x_pixel;
  // Negative ones are large as unsigned.
  return p.inside && uint(iy) < in_y && uint(ix) < in_x;
}
vec4 gathered(Pixel p, uint k) {
  vec4 v = vec4(0.0);
  [[unroll]] for (uint e = 0u; e < 4u; ++e) {
    uint at;
    if (k + e < kInputs * kTaps && place(p, (k + e) / kInputs, at)) v[e] = float(x[at + (k + e) % kInputs * x_channel]);
  }
  return v;
}

vec4 finished(vec4 v, uint m, uint column, uint part, Unit bias, Unit added_unit) {
  if (kBias) v += part_of(bias, part);
  vec4 added = vec4(0.0);
  if (kResidual != 0u) {
    if (kWide) {
      added = part_of(added_unit, part);
    } else {
      [[unroll]] for (uint e = 0u; e < 4u; ++e) added[e] = float(residual[r_at + m * r_pixel + column + e]);
    }
  }
  if (kResidual == 1u) v += added;
  v = clamp4(activate4(kActivation, v), low, high);
  if (kResidual == 2u) v += added;
  return v;
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
  const uint row0 = gl_WorkGroupID.x * kRows, column0 = gl_WorkGroupID.y * kColumns;
  const uint depth = inputs * kTaps, row_units = outputs / kUnit;
  const uint total = (depth + kDepth - 1u) / kDepth;
  const uint first = kSplit ? gl_WorkGroupID.z * steps : 0u;
  const uint end = kSplit ? min(first + steps, total) : total;

  Pixel own[kLoadsA];
  [[unroll]] for (uint l = 0u; l < kLoadsA; ++l) own[l] = pixel_of(row0 + (l * kThreads + lane) / kUnitsA);
  // Invocations are a multiple of kUnitsA: each always loads the same units of rows.
  uint k_a = first * kDepth + lane % kUnitsA * kUnit;
  uint tap = 0u, channel = k_a;
  if (kTaps > 1u) {
    tap = k_a / inputs;
    channel = k_a % inputs;
  }
  uint k_b = first * kDepth;

  Unit next_a[kAhead * kLoadsA], next_b[kAhead * kLoadsB];
  uint valid_a[kAhead], valid_b[kAhead];  // a bit for each load
  MatrixSum sums[kDownM * kAcrossN];
  [[unroll]] for (uint i = 0u; i < kDownM * kAcrossN; ++i) { CLEAR(sums[i]); }
  const uint subgroup = subgroup_number(), down = subgroup / kAcross, across = subgroup % kAcross;

  // Round `n` stores and multiplies tile n - kAhead and loads tile n.
  const uint count = end - first;
  for (uint round = 0u; round < count + kAhead; round += kAhead) {
    [[unroll]] for (uint ahead = 0u; ahead < kAhead; ++ahead) {
      const uint n = round + ahead;
      const bool stores = n >= kAhead && n < count + kAhead;
      if (stores) {
        const uint to_a = n % kTiles * kTileA, to_b = n % kTiles * kTileB;
        [[unroll]] for (uint l = 0u; l < kLoadsA; ++l) {
          const uint load = l * kThreads + lane, m = load / kUnitsA;
          const Unit unit = (valid_a[ahead] >> l & 1u) != 0u ? next_a[ahead * kLoadsA + l] : kNoUnit;
          if (m < kRows) tile_a[to_a + m * kStrideA + load % kUnitsA] = unit;
        }
        [[unroll]] for (uint l = 0u; l < kLoadsB; ++l) {
          const uint load = l * kThreads + lane, k = load / kUnitsB;
          const Unit unit = (valid_b[ahead] >> l & 1u) != 0u ? next_b[ahead * kLoadsB + l] : kNoUnit;
          if (k < kDepth) tile_b[to_b + k * kStrideB + load % kUnitsB] = unit;
        }
        barrier();
      }
      if (n < count) {
        // Nothing waits for what is loaded before it is stored.
        valid_a[ahead] = kFlat ? ~0u : 0u;
        [[unroll]] for (uint l = 0u; l < kLoadsA; ++l) {
          if (kFlat) {
            Unit unit = kNoUnit;
            [[unroll]] for (uint part = 0u; part < kUnit / 4u; ++part) {
              set_part(unit, part, gathered(own[l], k_a + part * 4u));
            }
            next_a[ahead * kLoadsA + l] = unit;
          } else {
            uint at;
            const bool inside = place(own[l], tap, at) && k_a < depth;
            valid_a[ahead] |= uint(inside) << l;
            next_a[ahead * kLoadsA + l] = x_units[(inside ? at + channel : x_at) / kUnit];
          }
        }
        valid_b[ahead] = 0u;
        [[unroll]] for (uint l = 0u; l < kLoadsB; ++l) {
          const uint load = l * kThreads + lane, k = k_b + load / kUnitsB, column = column0 / kUnit + load % kUnitsB;
          const bool inside = k < depth && column < row_units;
          valid_b[ahead] |= uint(inside) << l;
          next_b[ahead * kLoadsB + l] = w_units[w_at + (inside ? k * row_units + column : 0u)];
        }
        k_a += kDepth;
        k_b += kDepth;
        channel += kDepth;
        if (kTaps > 1u) {
          while (channel >= inputs) {
            channel -= inputs;
            ++tap;
          }
        }
      }
      if (stores) {
        const uint from_a = n % kTiles * kTileA + down * kOwnRows * kStrideA;
        const uint from_b = n % kTiles * kTileB + across * (kOwnColumns / kUnit);
        [[unroll]] for (uint k = 0u; k < kDepth / kK; ++k) {
          MatrixA a[kDownM];
          [[unroll]] for (uint i = 0u; i < kDownM; ++i) {
            LOAD_A(a[i], tile_a, from_a + i * kM * kStrideA + k * (kK / kUnit), kStrideA);
          }
          [[unroll]] for (uint j = 0u; j < kAcrossN; ++j) {
            MatrixB b;
            LOAD_B(b, tile_b, from_b + k * kK * kStrideB + j * (kN / kUnit), kStrideB);
            [[unroll]] for (uint i = 0u; i < kDownM; ++i) {
              MULTIPLY_ADD(sums[i * kAcrossN + j], a[i], b, tile_a, tile_b);
            }
          }
        }
        if (kTiles == 1u) barrier();
      }
    }
  }
  barrier();

  const uint own_stage = subgroup * kStage, own_column = column0 + across * kOwnColumns;
  const uint units = kOwnColumns / kUnit;
  [[unroll]] for (uint i = 0u; i < kDownM; ++i) {
    [[unroll]] for (uint j = 0u; j < kAcrossN; ++j) {
      STORE(sums[i * kAcrossN + j], stage, own_stage + j * kN, kStride);
    }
    barrier();
    for (uint load = subgroup_lane(); load < kM * units; load += kSubgroup) {
      const uint r = load / units, m = row0 + down * kOwnRows + i * kM + r;
      const uint column = own_column + load % units * kUnit;
      if (m >= pixels || column >= outputs) continue;
      const uint from = own_stage + r * kStride + load % units * kUnit;
      Unit bias = kNoUnit, added = kNoUnit, result = kNoUnit;
      if (kBias && !kSplit) bias = w_units[bias_at + column / kUnit];
      if (kResidual != 0u && kWide) added = residual_units[(r_at + m * r_pixel + column) / kUnit];
      [[unroll]] for (uint part = 0u; part < kUnit / 4u; ++part) {
        const uint at = from + part * 4u;
        vec4 v = vec4(stage[at], stage[at + 1u], stage[at + 2u], stage[at + 3u]);
        if (kSplit) {
          partial[y_at / 4u + ((gl_WorkGroupID.z * pixels + m) * outputs + column) / 4u + part] = v;
          continue;
        }
        v = finished(v, m, column + part * 4u, part, bias, added);
        if (kWide) {
          set_part(result, part, v);
        } else {
          [[unroll]] for (uint e = 0u; e < 4u; ++e) y[y_at + m * y_pixel + column + part * 4u + e] = S(v[e]);
        }
      }
      if (kWide && !kSplit) y_units[(y_at + m * y_pixel + column) / kUnit] = result;
    }
    barrier();
  }
}
