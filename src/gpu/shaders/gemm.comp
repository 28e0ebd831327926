// Convolutions without groups, and dense layers, as a product of pixels and weights, in tiles of shared memory.
//
// Results are rows of `outputs` values, one for each pixel. Weights are [tap][input channel][output channel], the last
// extended to a multiple of four; the bias follows them.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "math.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 0) readonly buffer X4 { S4 x4[]; };
layout(binding = 1) readonly buffer W { S4 w4[]; };
layout(binding = 2) readonly buffer R { S residual[]; };
layout(binding = 2) readonly buffer R4 { S4 residual4[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };
layout(binding = 3) writeonly buffer Y4 { S4 y4[]; };
layout(binding = 3) writeonly buffer P { vec4 partial[]; };

layout(constant_id = 1) const uint kRows = 64;  // pixels of a tile
layout(constant_id = 2) const uint kFours = 16;  // output channels of a tile, in fours
layout(constant_id = 3) const uint kOwn = 4;  // pixels of an invocation, a multiple of 4
layout(constant_id = 4) const uint kDepth = 16;  // input channels of a tile
layout(constant_id = 5) const bool kFlat = false;  // taps and channels as one dim, with any strides
layout(constant_id = 6) const uint kTapsX = 1;
layout(constant_id = 7) const uint kTaps = 1;
layout(constant_id = 8) const uint kActivation = 0;
layout(constant_id = 9) const bool kBias = false;
layout(constant_id = 10) const uint kResidual = 0;  // 1: before the activation, 2: after it
layout(constant_id = 11) const bool kWide = false;  // results and residuals in fours
layout(constant_id = 12) const bool kSplit = false;  // sums of a part of the taps and channels, to be added up later

layout(push_constant) uniform Push {
  uint pixels, outputs, inputs;
  uint in_y, in_x, out_y, out_x;
  uint stride_y, stride_x, pad_y, pad_x, dilation_y, dilation_x;
  uint x_at, x_image, x_channel, x_row, x_pixel;
  uint w_at, bias_at;  // in fours
  uint y_at, y_pixel, r_at, r_pixel;
  float low, high;
  uint steps;  // of one part
};

const uint kColumns = kRows / 4u;             // of the shared tile of pixels, in fours
const uint kThreads = kFours * kRows / kOwn;  // the workgroup
const uint kLoadsX = (kRows * kDepth / 4u + kThreads - 1u) / kThreads;
const uint kLoadsW = (kDepth * kFours + kThreads - 1u) / kThreads;

shared vec4 tile_x[kDepth * kColumns];
shared vec4 tile_w[kDepth * kFours];

struct Pixel {
  uint at;    // of its image
  int y0, x0;  // of its first tap
  bool inside;
};
Pixel pixel_of(uint m) {
  Pixel p;
  p.inside = m < pixels;
  uint in_image = m % (out_y * out_x);
  p.at = x_at + m / (out_y * out_x) * x_image;
  p.y0 = int(in_image / out_x * stride_y) - int(pad_y);
  p.x0 = int(in_image % out_x * stride_x) - int(pad_x);
  return p;
}
bool place(Pixel p, uint tap, out uint at) {
  int iy = p.y0 + int(tap / kTapsX * dilation_y), ix = p.x0 + int(tap % kTapsX * dilation_x);
  at = p.at + uint(iy) * x_row + uint(ix) * x_pixel;
  return p.inside && iy >= 0 && iy < int(in_y) && ix >= 0 && ix < int(in_x);
}

void main() {
  const uint lane = gl_LocalInvocationID.x;
  const uint row0 = gl_WorkGroupID.x * kRows, four0 = gl_WorkGroupID.y * kFours;
  const uint all_fours = (outputs + 3u) / 4u;
  const uint blocks = kFlat ? (inputs * kTaps + kDepth - 1u) / kDepth : (inputs + kDepth - 1u) / kDepth;
  const uint total = kFlat ? blocks : blocks * kTaps;
  const uint first = kSplit ? gl_WorkGroupID.z * steps : 0u;
  const uint end = kSplit ? min(first + steps, total) : total;

  Pixel own[kLoadsX];
  if (!kFlat) {
    [[unroll]] for (uint l = 0u; l < kLoadsX; ++l) own[l] = pixel_of(row0 + (l * kThreads + lane) / (kDepth / 4u));
  }
  vec4 next_x[kLoadsX], next_w[kLoadsW];
  vec4 sums[kOwn];
  [[unroll]] for (uint i = 0u; i < kOwn; ++i) sums[i] = vec4(0.0);
  const uint column = lane % kFours, group = lane / kFours;

  for (uint step = first; step <= end; ++step) {
    // What the next round needs, while this one is computed.
    if (step < end) {
      uint tap = kFlat ? 0u : step / blocks, block = kFlat ? step : step % blocks;
      [[unroll]] for (uint l = 0u; l < kLoadsX; ++l) {
        uint load = l * kThreads + lane;
        uint channel = block * kDepth + load % (kDepth / 4u) * 4u;
        next_x[l] = vec4(0.0);
        if (kFlat) {
          Pixel p = pixel_of(row0 + load / (kDepth / 4u));
          [[unroll]] for (uint e = 0u; e < 4u; ++e) {
            uint k = channel + e, at;
            if (k < inputs * kTaps && place(p, k / inputs, at)) next_x[l][e] = float(x[at + k % inputs * x_channel]);
          }
        } else {
          uint at;
          if (channel < inputs && place(own[l], tap, at)) next_x[l] = vec4(x4[(at + channel) / 4u]);
        }
      }
      [[unroll]] for (uint l = 0u; l < kLoadsW; ++l) {
        uint load = l * kThreads + lane;
        uint in_block = block * kDepth + load / kFours, four = four0 + load % kFours;
        bool inside = load < kDepth * kFours && four < all_fours && in_block < (kFlat ? inputs * kTaps : inputs);
        next_w[l] = inside ? vec4(w4[w_at + (tap * inputs + in_block) * all_fours + four]) : vec4(0.0);
      }
    }
    if (step > first) {
      for (uint k = 0u; k < kDepth; ++k) {
        vec4 w = tile_w[k * kFours + column];
        [[unroll]] for (uint i = 0u; i < kOwn / 4u; ++i) {
          vec4 v = tile_x[k * kColumns + group * (kOwn / 4u) + i];
          sums[i * 4u] += v.x * w;
          sums[i * 4u + 1u] += v.y * w;
          sums[i * 4u + 2u] += v.z * w;
          sums[i * 4u + 3u] += v.w * w;
        }
      }
    }
    barrier();
    if (step < end) {
      [[unroll]] for (uint l = 0u; l < kLoadsX; ++l) {
        uint load = l * kThreads + lane;
        uint m = load / (kDepth / 4u), k = load % (kDepth / 4u) * 4u;
        if (m < kRows) {
          [[unroll]] for (uint e = 0u; e < 4u; ++e) tile_x[(k + e) * kColumns + m / 4u][m % 4u] = next_x[l][e];
        }
      }
      [[unroll]] for (uint l = 0u; l < kLoadsW; ++l) {
        uint load = l * kThreads + lane;
        if (load < kDepth * kFours) tile_w[load] = next_w[l];
      }
    }
    barrier();
  }

  const uint four = four0 + column;
  if (four >= all_fours) return;
  if (kSplit) {
    [[unroll]] for (uint i = 0u; i < kOwn; ++i) {
      uint m = row0 + group * kOwn + i;
      if (m < pixels) partial[y_at / 4u + (gl_WorkGroupID.z * pixels + m) * all_fours + four] = sums[i];
    }
    return;
  }
  const vec4 bias = kBias ? vec4(w4[bias_at + four]) : vec4(0.0);
  const uint width = min(4u, outputs - four * 4u);
  [[unroll]] for (uint i = 0u; i < kOwn; ++i) {
    uint m = row0 + group * kOwn + i;
    if (m >= pixels) continue;
    vec4 added = vec4(0.0);
    if (kResidual != 0u) {
      uint at = r_at + m * r_pixel + four * 4u;
      if (kWide) {
        added = vec4(residual4[at / 4u]);
      } else {
        for (uint e = 0u; e < width; ++e) added[e] = float(residual[at + e]);
      }
    }
    vec4 v = sums[i] + bias;
    if (kResidual == 1u) v += added;
    v = clamp4(activate4(kActivation, v), low, high);
    if (kResidual == 2u) v += added;
    uint at = y_at + m * y_pixel + four * 4u;
    if (kWide) {
      y4[at / 4u] = S4(v);
    } else {
      for (uint e = 0u; e < width; ++e) y[at + e] = S(v[e]);
    }
  }
}
