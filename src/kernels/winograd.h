// Winograd's convolution: a 3x3 kernel of stride 1 on output tiles of 2x2 or 4x4 as one small matrix product per
// position of the transformed tile. A dilated layer is one such layer for each phase of rows and columns.
#pragma once

#include "config/build.h"
#include "kernels/conv2d.h"

namespace wick::kernels {

inline constexpr bool kHasWinograd = build::kWinograd2 || build::kWinograd4;

// 3x3, stride 1, any padding and dilation.
bool winograd_supports(const ConvShape& shape);
template <class T = float>
size_t winograd_weights_size(const ConvShape& shape, ConvMethod method);
void winograd_pack_weights(const ConvShape& shape, ConvMethod method, const float* weight, const float* scale,
                           float* dst);
// Whether tiles of 4x4 keep to float16's accuracy on this machine: their sums have to be short.
bool winograd4_suits_half(const ConvShape& shape);
// The same in float16.
void winograd_pack_half(const ConvShape& shape, ConvMethod method, const float* weight, const float* scale, Half* dst);

// Tiles of the whole layer, and of the strips it is computed in.
struct WinogradSize {
  int64_t positions, tiles, strip;
};
WinogradSize winograd_size(const ConvShape& shape, ConvMethod method);

// The tiles of one dimension. The output positions of a phase are `dilation` apart; there are phases of two lengths,
// the longer ones first, and each has as many tiles as it needs.
struct WinogradAxis {
  int64_t tiles = 0;
  int64_t step = 0;                         // from a tile to the next of a phase, in output positions
  int64_t long_tiles = 0, short_tiles = 0;  // of a phase
  int64_t long_phases = 0;

  WinogradAxis() = default;
  WinogradAxis(int64_t out, int64_t dilation, int side)
      : step(dilation < out ? side * dilation : 0),
        long_tiles((out / dilation + side) / side),
        short_tiles((out / dilation + side - 1) / side),
        long_phases(out % dilation) {
    tiles = long_phases * long_tiles + (dilation - long_phases) * short_tiles;
  }
  // First output position of a tile.
  int64_t start(int64_t tile) const {
    const int64_t in_long = long_phases * long_tiles;
    if (tile < in_long) return tile / long_tiles + tile % long_tiles * step;
    tile -= in_long;
    return long_phases + tile / short_tiles + tile % short_tiles * step;
  }
};

// Tiles [first, first + count) of a layer (all images, rows, columns), and where their transforms lie:
// position p of tile t at v + p * v_position + t * v_tile, likewise m. With `block`, v has so many tiles together as
// product_blocks takes them.
template <class T>
struct WinogradStrip {
  const Conv2dOf<T>* conv = nullptr;
  int tile = 4;  // outputs of a tile's side
  WinogradAxis rows, columns;
  int64_t first = 0;
  T* v = nullptr;
  int64_t v_position = 0, v_tile = 0, block = 0;
  T* m = nullptr;
  int64_t m_position = 0, m_tile = 0;
};
// Filters of one panel, taps[9 * in][width], to dst[in][width] at each position of the transformed tile.
// `near`: for the points that float16 takes (winograd_transform-inl.h).
void winograd_weights(int tile, bool near, const float* taps, int64_t in, int64_t width, float* dst, int64_t position);
// Tiles [from, to) of the strip: transforms of the input into v; of the sums in m into the result.
template <class T>
void winograd_input(const WinogradStrip<T>& strip, int64_t from, int64_t to);
template <class T>
void winograd_output(const WinogradStrip<T>& strip, int64_t from, int64_t to);

}  // namespace wick::kernels
