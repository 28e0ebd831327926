// Row tiles: fuses expand, depthwise and project so that their intermediate rows stay in cache.
#include "kernels/conv_chain.h"

#include <cstring>

#include "config/build.h"
#include "kernels/conv_rows.h"
#include "kernels/divide.h"

namespace wick::kernels {
namespace {

constexpr int64_t kSecondLevelBytes = 1 << 20;
// Of expanded rows and what the depthwise layer makes of them.
constexpr int64_t kBandBytes = 384 << 10;

constexpr int64_t kLineChannels = 16;
// An image whose pixels do not begin at cache lines is read faster from a tile, where they do, if it is as large as
// this.
constexpr int64_t kLeastUneven = 192 << 10;

int64_t reach_of(const ConvShape& s) { return (s.kernel[1] - 1) * s.dilation[1] + 1; }

// Rows and strides of a worker's tile. Pixels begin at cache lines; rows of expanded pixels are a cache line longer, so
// that they do not fall on the same cache sets.
struct RowTile {
  int64_t rows;  // of output in a strip
  int64_t hidden_pixel, hidden_row, hidden_rows, middle_pixel, middle_row;
  int64_t hidden_size, buffer, size;  // elements; buffer: where that of the first layer begins

  explicit RowTile(const ConvChain& chain) {
    const ConvShape& s = chain.depthwise.shape;
    hidden_pixel = round_up(s.in_channels, kLineChannels);
    middle_pixel = round_up(s.out_channels, kLineChannels);
    hidden_row = chain.has_expand ? s.in[2] * hidden_pixel + 16 : 0;
    middle_row = chain.has_project ? s.out[2] * middle_pixel : 0;
    const int64_t reach = reach_of(s);
    const int64_t fitting = (kBandBytes / 4 - (reach - s.stride[1]) * hidden_row) /
                            std::max<int64_t>(1, s.stride[1] * hidden_row + middle_row);
    rows = std::clamp<int64_t>(fitting, 1, s.out[1]);
    hidden_rows = (rows - 1) * s.stride[1] + reach;
    hidden_size = round_up(hidden_rows * hidden_row, 16);
    buffer = round_up(hidden_size + rows * middle_row, 16) + 16;
    size = buffer;
    if (chain.has_expand) size += static_cast<int64_t>(conv_rows_scratch_size(chain.expand.shape, chain.expand.method));
  }
};

struct Strips {
  const ConvChain& chain;
  const RowTile& tile;
  float* hidden;
  float* sums;  // of the image

  float* middle() const { return hidden + tile.hidden_size; }

  // Output rows [first, last) of one image. Expanded rows that the next strip needs as well are kept.
  void run(int64_t image, int64_t first, int64_t last) {
    const ConvShape& s = chain.depthwise.shape;
    const int64_t reach = reach_of(s);
    int64_t held_first = 0, held_last = 0;  // rows of the expanded image in the tile, the first at its start
    const int64_t strips = (last - first + tile.rows - 1) / tile.rows;
    for (int64_t i = 0; i < strips; ++i) {
      const int64_t from = first + (last - first) * i / strips, to = first + (last - first) * (i + 1) / strips;
      if (!chain.has_expand) {
        depthwise(rows_of(image_of(chain.depthwise, image), from, to));
        project(image, from, to);
        continue;
      }
      const int64_t start = from * s.stride[1] - s.pad[1];
      const int64_t need_first = std::clamp<int64_t>(start, 0, s.in[1]);
      const int64_t need_last = std::clamp<int64_t>(start + (to - from - 1) * s.stride[1] + reach, need_first, s.in[1]);
      const int64_t kept = std::max<int64_t>(0, held_last - need_first);
      if (kept > 0)
        std::memmove(hidden, hidden + (need_first - held_first) * tile.hidden_row,
                     static_cast<size_t>(kept * tile.hidden_row) * sizeof(float));
      expand(image, need_first + kept, need_last, kept);
      held_first = need_first;
      held_last = need_last;
      depthwise(image, from, to, need_first, need_last);
      if (chain.has_project) project(image, from, to);
    }
  }

  void expand(int64_t image, int64_t first, int64_t last, int64_t at) {
    Conv2d part = image_of(chain.expand, image);
    part.y = {hidden + (at - first) * tile.hidden_row, 0, tile.hidden_row, tile.hidden_pixel};
    conv_rows(part, first, last, hidden + tile.buffer);
  }
  void depthwise(int64_t image, int64_t from, int64_t to, int64_t held_first, int64_t held_last) {
    Conv2d part = image_of(chain.depthwise, image);
    ConvShape& s = part.shape;
    s.pad[1] = held_first - (from * s.stride[1] - s.pad[1]);
    s.in[1] = held_last - held_first;
    s.out[1] = to - from;
    part.x = {hidden, 0, tile.hidden_row, tile.hidden_pixel};
    part.y.data += from * part.y.row;
    depthwise(part);
  }
  void depthwise(Conv2d part) {
    if (chain.has_project) part.y = {middle(), 0, tile.middle_row, tile.middle_pixel};
    part.sums = sums;
    conv_depthwise(part, Workers{});
  }
  void project(int64_t image, int64_t from, int64_t to) {
    Conv2d part = image_of(chain.project, image);
    part.x = {middle() - from * tile.middle_row, 0, tile.middle_row, tile.middle_pixel};
    conv_direct(rows_of(part, from, to), Workers{});
  }
};

}  // namespace

bool chain_pays(const ConvShape& first) {
  const int64_t bytes = first.out_pixels() * first.out_channels * 4;
  return bytes > (first.out_channels % kLineChannels == 0 ? kSecondLevelBytes / 2 : kLeastUneven);
}

size_t chain_scratch_size(const ConvChain& chain, int workers) {
  return static_cast<size_t>(RowTile(chain).size) * static_cast<size_t>(std::max(1, workers));
}

void run_chain(const ConvChain& chain, float* scratch, const Workers& workers) {
  const RowTile tile(chain);
  const ConvShape& s = chain.depthwise.shape;
  share_rows(s.batch, s.out[1], workers, [&](int64_t worker, int64_t image, int64_t first, int64_t last) {
    float* sums = chain.depthwise.sums;
    if (sums != nullptr) sums += worker * static_cast<int64_t>(conv_sums_size(s, 1)) + image * s.out_channels;
    Strips{chain, tile, scratch + worker * tile.size, sums}.run(image, first, last);
  });
}

}  // namespace wick::kernels
