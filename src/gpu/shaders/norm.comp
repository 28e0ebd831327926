// Normalization of rows that lie along two dims (channels of a group, pixels), a workgroup for each: layer, group and
// instance norm. Weight and bias, by channel, are one after the other in one buffer.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 1) readonly buffer W { S w[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };

layout(constant_id = 0) const uint kThreads = 64;
layout(constant_id = 1) const bool kWeight = false;
layout(constant_id = 2) const bool kBias = false;
layout(constant_id = 3) const bool kChannelsFirst = true;  // neighbors in the buffer are channels, else pixels
layout(constant_id = 4) const bool kKeeps = false;  // an invocation keeps its elements, of a row of one pixel
layout(constant_id = 5) const uint kOwn = 1;        // so many

layout(push_constant) uniform Push {
  uint rows, groups, channels, pixels;  // channels of a group
  uint x_at, x_image, x_channel, x_pixel;
  uint y_at, y_image, y_channel, y_pixel;
  uint w_at, bias_at;
  float epsilon;
};

#include "add_up.glsl"

void main() {
  const uint row = workgroup();
  if (row >= rows) return;
  const uint image = row / groups, group = row % groups, length = channels * pixels;
  const uint from = x_at + image * x_image + group * channels * x_channel;
  const uint to = y_at + image * y_image + group * channels * y_channel;
  if (kKeeps) {
    float own[kOwn];
    float all = 0.0, squared = 0.0;
    [[unroll]] for (uint k = 0u; k < kOwn; ++k) {
      const uint c = k * kThreads + gl_LocalInvocationID.x;
      own[k] = c < channels ? float(x[from + c * x_channel]) : 0.0;
      all += own[k];
    }
    const float middle = add_up(all) / float(channels);
    [[unroll]] for (uint k = 0u; k < kOwn; ++k) {
      if (k * kThreads + gl_LocalInvocationID.x < channels) squared += (own[k] - middle) * (own[k] - middle);
    }
    const float scale = 1.0 / sqrt(add_up(squared) / float(channels) + epsilon);
    [[unroll]] for (uint k = 0u; k < kOwn; ++k) {
      const uint c = k * kThreads + gl_LocalInvocationID.x;
      if (c >= channels) continue;
      float v = (own[k] - middle) * scale;
      if (kWeight) v *= float(w[w_at + group * channels + c]);
      if (kBias) v += float(w[bias_at + group * channels + c]);
      y[to + c * y_channel] = S(v);
    }
    return;
  }
  float sum = 0.0;
  for (uint i = gl_LocalInvocationID.x; i < length; i += kThreads) {
    uint c = kChannelsFirst ? i % channels : i / pixels, p = kChannelsFirst ? i / channels : i % pixels;
    sum += float(x[from + c * x_channel + p * x_pixel]);
  }
  const float mean = add_up(sum) / float(length);
  float squares = 0.0;
  for (uint i = gl_LocalInvocationID.x; i < length; i += kThreads) {
    uint c = kChannelsFirst ? i % channels : i / pixels, p = kChannelsFirst ? i / channels : i % pixels;
    float v = float(x[from + c * x_channel + p * x_pixel]) - mean;
    squares += v * v;
  }
  const float factor = 1.0 / sqrt(add_up(squares) / float(length) + epsilon);
  for (uint i = gl_LocalInvocationID.x; i < length; i += kThreads) {
    uint c = kChannelsFirst ? i % channels : i / pixels, p = kChannelsFirst ? i / channels : i % pixels;
    float v = (float(x[from + c * x_channel + p * x_pixel]) - mean) * factor;
    if (kWeight) v *= float(w[w_at + group * channels + c]);
    if (kBias) v += float(w[bias_at + group * channels + c]);
    y[to + c * y_channel + p * y_pixel] = S(v);
  }
}
