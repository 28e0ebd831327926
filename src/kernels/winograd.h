// Winograd's convolution: a 3x3 kernel of stride 1 on output tiles of 2x2 or 4x4 as one small matrix product per
// position of the transformed tile. A dilated layer is one such layer for each phase of rows and columns.
#pragma once

#include "kernels/conv2d.h"

namespace wick::kernels {

// 3x3, stride 1, any padding and dilation.
bool winograd_supports(const ConvShape& shape);
size_t winograd_weights_size(const ConvShape& shape, ConvMethod method);
void winograd_pack_weights(const ConvShape& shape, ConvMethod method, const float* weight, float* dst);

// Tiles of the whole layer, and of the strips it is computed in.
struct WinogradSize {
  int64_t positions, tiles, strip;
};
WinogradSize winograd_size(const ConvShape& shape, ConvMethod method);

// Tiles [first, first + count) of a layer (all images, phases, rows, columns), and where their transforms lie:
// position p of tile t at v + p * v_position + t * v_tile, likewise m.
struct WinogradStrip {
  const Conv2d* conv = nullptr;
  int tile = 4;  // outputs of a tile's side
  int64_t tiles_h = 0, tiles_w = 0;
  int64_t first = 0;
  float* v = nullptr;
  int64_t v_position = 0, v_tile = 0;
  float* m = nullptr;
  int64_t m_position = 0, m_tile = 0;
};
// Tiles [from, to) of the strip: transforms of the input into v; of the sums in m into the result.
void winograd_input(const WinogradStrip& strip, int64_t from, int64_t to);
void winograd_output(const WinogradStrip& strip, int64_t from, int64_t to);

}  // namespace wick::kernels
