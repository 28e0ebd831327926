// Fuses a convolution with the pooling of its result, in row tiles.
#include "kernels/conv_pool.h"

#include <cstring>

#include "kernels/conv_rows.h"
#include "kernels/divide.h"
#include "kernels/float_mode.h"

namespace wick::kernels {
namespace {

// Of rows that the convolution has made.
constexpr int64_t kBandBytes = 384 << 10;

struct Rows {
  int64_t first, last;
};

// Rows of the convolution's image that rows [first, last) of the result are made of.
Rows rows_under(const PoolDim& dim, int64_t first, int64_t last) {
  const Window& end = dim.windows[last - 1];
  return {dim.windows[first].first, end.first + (end.count - 1) * dim.step + 1};
}

// A worker's memory.
struct RowTile {
  int64_t row, rows, buffer, size;  // elements of a row, rows of the result, where the convolution's own buffer begins

  explicit RowTile(const ConvPool& layers) {
    const PoolDim& dim = layers.pool.dim[1];
    row = layers.conv.shape.out[2] * layers.conv.shape.out_channels;
    rows = 1;
    int64_t most = 0;
    const auto reach = [&](int64_t count) {
      int64_t longest = 0;
      for (int64_t at = 0; at + count <= dim.out; ++at) {
        const Rows under = rows_under(dim, at, at + count);
        longest = std::max(longest, under.last - under.first);
      }
      return longest;
    };
    for (most = reach(1); rows < dim.out; ++rows) {
      const int64_t more = reach(rows + 1);
      if (more * row * 4 > kBandBytes) break;
      most = more;
    }
    buffer = round_up(most * row, 16);
    size = buffer + static_cast<int64_t>(conv_rows_scratch_size(layers.conv.shape, layers.conv.method));
  }
};

// Rows [first, last) of the result of one image. What the next strip needs as well is kept.
void run_rows(const ConvPool& layers, const RowTile& tile, int64_t image, int64_t first, int64_t last, float* y,
              float* buffer) {
  const PoolDim& dim = layers.pool.dim[1];
  Rows held{0, 0};
  for (int64_t from = first; from < last; from += tile.rows) {
    const int64_t to = std::min(last, from + tile.rows);
    const Rows under = rows_under(dim, from, to);
    const int64_t kept = std::clamp<int64_t>(held.last - under.first, 0, under.last - under.first);
    if (kept > 0)
      std::memmove(buffer, buffer + (under.first - held.first) * tile.row,
                   static_cast<size_t>(kept * tile.row) * sizeof(float));
    Conv2d conv = image_of(layers.conv, image);
    conv.y = {buffer - under.first * tile.row, 0, tile.row, conv.shape.out_channels};
    conv_rows(conv, under.first + kept, under.last, buffer + tile.buffer);
    held = under;
    Pool part = layers.pool;
    part.batch = 1;
    part.dim[1].windows += from;
    part.dim[1].out = to - from;
    const float* const x = buffer - under.first * tile.row;
    float* const out = y + (image * dim.out + from) * part.dim[2].out * part.y_pixel();
    if (layers.is_max) {
      max_pool<float>(part, x, out, nullptr, Workers{});
    } else {
      avg_pool<float>(part, x, out, layers.divisor, Workers{});
    }
  }
}

}  // namespace

size_t conv_pool_scratch_size(const ConvPool& layers, int workers) {
  return static_cast<size_t>(RowTile(layers).size) * static_cast<size_t>(std::max(1, workers));
}

void run_conv_pool(const ConvPool& layers, float* y, float* scratch, const Workers& workers) {
  const RowTile tile(layers);
  share_rows(layers.pool.batch, layers.pool.dim[1].out, workers,
             [&](int64_t worker, int64_t image, int64_t first, int64_t last) {
               const FlushDenormals flush;
               run_rows(layers, tile, image, first, last, y, scratch + worker * tile.size);
             });
}

}  // namespace wick::kernels
