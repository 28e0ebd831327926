// Winograd convolution: weights, tiles and the products between the transforms.
#include "kernels/winograd.h"

#include <algorithm>

#include "kernels/divide.h"
#include "kernels/float_mode.h"
#include "kernels/product.h"

namespace wick::kernels {
namespace {

// Transforms of a strip should stay in the second-level cache; with fewer tiles the weights, read once a strip, would
// be the greater part of the traffic.
constexpr int64_t kStripBytes = 640 << 10;
constexpr int64_t kLeastTiles = 64;
// Rows of the transforms are whole vectors of the widest kind, positions a cache line off a power of two.
constexpr int64_t kAlign = 16;

int side_of(ConvMethod method) { return method == ConvMethod::kWinograd4 ? 4 : 2; }

struct Plan {
  int side;
  WinogradAxis rows, columns;
  int64_t positions, tiles, strip;
  int64_t v_tile, m_tile, v_position, m_position;
  int64_t block;  // tiles of a product's block; 0: its rows are apart

  // `bytes` of an element; block_rows gives the rows of a block for so many tiles.
  template <class F>
  Plan(const ConvShape& s, ConvMethod method, int64_t bytes, const F& block_rows)
      : side(side_of(method)), rows(s.out[1], s.dilation[1], side), columns(s.out[2], s.dilation[2], side) {
    positions = (side + 2) * (side + 2);
    tiles = s.batch * rows.tiles * columns.tiles;
    v_tile = round_up(s.in_channels, kAlign);
    m_tile = round_up(s.out_channels, kAlign);
    const int64_t fitting = kStripBytes / (positions * (v_tile + m_tile) * bytes);
    const int64_t most = std::clamp(fitting, std::min(kLeastTiles, tiles), tiles);
    const int64_t strips = ceil_div(tiles, most);
    strip = ceil_div(tiles, strips);
    block = block_rows(strip);
    const int64_t rows = block > 0 ? round_up(strip, block) : strip;
    v_position = rows * v_tile + kAlign;
    m_position = rows * m_tile + kAlign;
  }
};
template <class T>
Plan plan_of(const ConvShape& s, ConvMethod method) {
  return Plan(s, method, sizeof(T),
              [&](int64_t tiles) { return product_block_rows<T>(tiles, s.out_channels, s.in_channels); });
}
// Sums of float16 that are longer lose more than the transforms do.
template <class T>
constexpr int64_t kPiece = sizeof(T) == 2 ? 64 : kMaxDepth;

}  // namespace

bool winograd_supports(const ConvShape& s) {
  return s.groups == 1 && s.kernel[1] == 3 && s.kernel[2] == 3 && s.stride[1] == 1 && s.stride[2] == 1 && is_conv2d(s);
}

WinogradSize winograd_size(const ConvShape& s, ConvMethod method) {
  const Plan plan(s, method, sizeof(float), [](int64_t) { return 0; });
  return {plan.positions, plan.tiles, plan.strip};
}

template <class T>
size_t winograd_weights_size(const ConvShape& s, ConvMethod method) {
  const int side = side_of(method) + 2;
  return static_cast<size_t>(side * side) * packed_b_size<T>(s.out_channels, s.in_channels);
}
template size_t winograd_weights_size<float>(const ConvShape& s, ConvMethod method);

void winograd_pack_weights(const ConvShape& s, ConvMethod method, const float* weight, const float* scale, float* dst) {
  const int64_t in = s.in_channels, out = s.out_channels;
  const auto position = static_cast<int64_t>(packed_b_size<float>(out, in));
  const int64_t panels = product_panels(out);
  // A panel of filters with its taps as rows; the panels of the transforms are laid out alike.
  Scratch<float> taps;
  for (int64_t p = 0; p < panels; ++p) {
    const PanelColumns panel = product_panel(out, p);
    taps.reserve(static_cast<size_t>(9 * in * panel.width));
    pack_b(weight + panel.first * 9 * in, 1, 9 * in, panel.count, 9 * in, taps.data());
    if (scale != nullptr) {
      // The filters are columns.
      for (int64_t row = 0; row < 9 * in; ++row)
        for (int64_t o = 0; o < panel.count; ++o) taps.data()[row * panel.width + o] *= scale[panel.first + o];
    }
    winograd_weights(side_of(method), false, taps.data(), in, panel.width, dst + panel.first * in, position);
  }
}

template <class T>
size_t winograd_scratch_size(const ConvShape& s, ConvMethod method, int) {
  const Plan plan = plan_of<T>(s, method);
  return static_cast<size_t>(plan.positions * (plan.v_position + plan.m_position));
}

template <class T>
void conv_winograd(const Conv2dOf<T>& conv, T* scratch, const Workers& workers) {
  const ConvShape& s = conv.shape;
  const Plan plan = plan_of<T>(s, conv.method);
  const size_t each = packed_b_size<T>(s.out_channels, s.in_channels);
  const int64_t panels = product_panels<T>(s.out_channels), lanes = product_lanes<T>();
  WinogradStrip<T> strip;
  strip.conv = &conv;
  strip.tile = plan.side;
  strip.rows = plan.rows;
  strip.columns = plan.columns;
  strip.v = scratch;
  strip.v_position = plan.v_position;
  strip.v_tile = plan.v_tile;
  strip.block = plan.block;
  strip.m = scratch + plan.positions * plan.v_position;
  strip.m_position = plan.m_position;
  strip.m_tile = plan.m_tile;
  Segment segments[kRowSegments];
  const int64_t segment_count = row_segments<T>(s.in_channels, segments);
  for (int64_t first = 0; first < plan.tiles; first += plan.strip) {
    const int64_t count = std::min(plan.strip, plan.tiles - first);
    strip.first = first;
    workers.each(count, [&](int64_t from, int64_t to) {
      const FlushDenormals flush;
      winograd_input(strip, from, to);
    });
    workers.each(plan.positions, [&](int64_t from, int64_t to) {
      const FlushDenormals flush;
      for (int64_t p = from; p < to; ++p) {
        if (plan.block > 0) {
          const int64_t rest = count % plan.block;
          T* const v = strip.v + p * strip.v_position;
          // Rows that fill the last block; what they give is not read.
          if (rest != 0) {
            for (int64_t row = rest; row < plan.block; ++row)
              for (int64_t at = 0; at < s.in_channels; at += lanes)
                std::fill_n(v + (count - rest) * strip.v_tile + at * plan.block + row * lanes, lanes, T(0));
          }
          BlockProductOf<T> product;
          product.a = v;
          product.a_block = plan.block * strip.v_tile;
          product.rows = plan.block;
          product.blocks = ceil_div(count, plan.block);
          product.b = conv.weights + static_cast<size_t>(p) * each;
          product.n = s.out_channels;
          product.k = s.in_channels;
          product.piece = kPiece<T>;
          product.c = strip.m + p * strip.m_position;
          product.c_step = strip.m_tile;
          product_blocks(product);
          continue;
        }
        ProductOf<T> product;
        product.pixels = product.width = count;
        product.a = {strip.v + p * strip.v_position, 0, strip.v_tile};
        product.c = {strip.m + p * strip.m_position, 0, strip.m_tile};
        product.segments = segments;
        product.segment_count = segment_count;
        product.b = conv.weights + static_cast<size_t>(p) * each;
        product.n = s.out_channels;
        product.k = s.in_channels;
        product_run(product, 0, count, 0, panels);
      }
    });
    workers.each(count, [&](int64_t from, int64_t to) {
      const FlushDenormals flush;
      winograd_output(strip, from, to);
    });
  }
}

template size_t winograd_scratch_size<float>(const ConvShape& s, ConvMethod method, int workers);
template void conv_winograd<float>(const Conv2d& conv, float* scratch, const Workers& workers);
#ifdef WICK_HALF_KERNELS
template size_t winograd_weights_size<Half>(const ConvShape& s, ConvMethod method);
template size_t winograd_scratch_size<Half>(const ConvShape& s, ConvMethod method, int workers);
template void conv_winograd<Half>(const Conv2dOf<Half>& conv, Half* scratch, const Workers& workers);

bool winograd4_suits_half(const ConvShape& s) {
  return build::kWinograd4 && product_block_rows<Half>(1, s.out_channels, s.in_channels) > 0;
}

void winograd_pack_half(const ConvShape& s, ConvMethod method, const float* weight, const float* scale, Half* dst) {
  const int64_t in = s.in_channels, out = s.out_channels, positions = (side_of(method) + 2) * (side_of(method) + 2);
  const auto position = static_cast<int64_t>(packed_b_size<Half>(out, in));
  Scratch<float> taps, transformed;
  for (int64_t p = 0; p < product_panels<Half>(out); ++p) {
    const PanelColumns panel = product_panel<Half>(out, p);
    const int64_t each = in * panel.width;
    taps.reserve(static_cast<size_t>(9 * each));
    transformed.reserve(static_cast<size_t>(positions * each));
    std::fill_n(taps.data(), 9 * each, 0.0f);
    for (int64_t o = 0; o < panel.count; ++o) {
      const float* filter = weight + (panel.first + o) * 9 * in;
      const float factor = scale ? scale[panel.first + o] : 1.0f;
      // As pack_b lays out what winograd_weights takes: rows are taps of a channel after the other.
      for (int64_t row = 0; row < 9 * in; ++row) taps.data()[row * panel.width + o] = filter[row] * factor;
    }
    winograd_weights(side_of(method), true, taps.data(), in, panel.width, transformed.data(), each);
    for (int64_t i = 0; i < positions; ++i)
      for (int64_t k = 0; k < each; ++k)
        dst[i * position + panel.first * in + k] = static_cast<Half>(transformed.data()[i * each + k]);
  }
}
#endif

}  // namespace wick::kernels
