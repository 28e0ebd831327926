// Attention kernel: softmax(scale * Q K^T + mask) V in blocks of queries.
#include "kernels/attention.h"

#include <algorithm>
#include <limits>

#include "kernels/divide.h"
#include "kernels/gemm.h"
#include "kernels/norm.h"
#include "kernels/product.h"

namespace wick::kernels {
namespace {

constexpr int64_t kQueries = 48;  // of a block: whole tiles of every kind
constexpr int64_t kLine = 16;     // floats of a line of a cache
constexpr int64_t kKeys = 512;    // scores of a block stay in the second-level cache

// A worker's memory.
struct ScratchLayout {
  int64_t block_keys, blocks, queries;
  int64_t k_block, v_block;  // packed elements of a block of keys
  int64_t scores, size;

  explicit ScratchLayout(const Attention& a) {
    blocks = ceil_div(a.keys, kKeys);
    block_keys = ceil_div(a.keys, blocks);
    queries = std::min(a.queries, kQueries);
    k_block = round_up(static_cast<int64_t>(packed_b_size<float>(block_keys, a.depth)), kLine);
    v_block = round_up(static_cast<int64_t>(packed_b_size<float>(a.value_depth, block_keys)), kLine);
    scores = queries * round_up(block_keys, kLine);
    size = blocks * (k_block + v_block) + scores;
  }
};

struct Head {
  const Attention& a;
  const ScratchLayout& layout;
  const float *q, *k, *v, *mask;
  float* out;
  float* packed_k;
  float* packed_v;
  float* scores;

  Head(const Attention& attention, const ScratchLayout& r, int64_t index, float* scratch) : a(attention), layout(r) {
    const int64_t b = index / a.heads, h = index % a.heads;
    q = a.q.data + b * a.q.batch + h * a.q.head;
    k = a.k.data + b * a.k.batch + h / a.shared * a.k.head;
    v = a.v.data + b * a.v.batch + h / a.shared * a.v.head;
    out = a.out.data + b * a.out.batch + h * a.out.head;
    mask = a.mask.data ? a.mask.data + b * a.mask.batch + h * a.mask.head : nullptr;
    packed_k = scratch;
    packed_v = packed_k + layout.blocks * layout.k_block;
    scores = packed_v + layout.blocks * layout.v_block;
  }

  void pack() const {
    for (int64_t i = 0; i < layout.blocks; ++i) {
      const int64_t first = i * layout.block_keys, count = std::min(layout.block_keys, a.keys - first);
      pack_b(k + first * a.k.row, 1, a.k.row, count, a.depth, packed_k + i * layout.k_block);
      pack_b(v + first * a.v.row, a.v.row, 1, a.value_depth, count, packed_v + i * layout.v_block);
    }
  }

  // Queries [from, to), at most a block of them.
  void run(int64_t from, int64_t to) const {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    const int64_t rows = to - from, row = round_up(layout.block_keys, kLine);
    float peak[kQueries], sum[kQueries], shrink[kQueries];
    std::fill(peak, peak + rows, -kInf);
    std::fill(sum, sum + rows, 0.0f);
    Segment depth_segments[kRowSegments], key_segments[kRowSegments];
    const int64_t depth_count = row_segments(a.depth, depth_segments);
    for (int64_t i = 0; i < layout.blocks; ++i) {
      const int64_t first = i * layout.block_keys, count = std::min(layout.block_keys, a.keys - first);
      if (i > 0 && a.causal && first >= to) break;
      Product p;
      p.pixels = p.width = rows;
      p.a = {q + from * a.q.row, 0, a.q.row};
      p.c = {scores, 0, row};
      p.segments = depth_segments;
      p.segment_count = depth_count;
      p.b = packed_k + i * layout.k_block;
      p.n = count;
      p.k = a.depth;
      product_run(p, 0, rows, 0, product_panels(count));
      int64_t seen[kQueries];
      for (int64_t r = 0; a.causal && r < rows; ++r) {
        seen[r] = std::clamp<int64_t>(from + r + 1 - first, 0, count);
        std::fill(scores + r * row + seen[r], scores + r * row + count, 0.0f);
      }
      SoftmaxPiece piece{scores, row, rows, count};
      piece.seen = a.causal ? seen : nullptr;
      piece.mask = mask ? mask + from * a.mask.row + first : nullptr;
      piece.mask_row = a.mask.row;
      piece.scale = a.scale;
      piece.peak = peak;
      piece.sum = sum;
      softmax_pieces(piece, shrink);
      for (int64_t r = 0; i > 0 && r < rows; ++r)
        if (shrink[r] != 1.0f) scale_row(out + (from + r) * a.out.row, shrink[r], a.value_depth);
      p.a = {scores, 0, row};
      p.c = {out + from * a.out.row, 0, a.out.row};
      p.segments = key_segments;
      p.segment_count = row_segments(count, key_segments);
      p.b = packed_v + i * layout.v_block;
      p.n = a.value_depth;
      p.k = count;
      p.continues = i > 0;
      product_run(p, 0, rows, 0, product_panels(a.value_depth));
    }
    for (int64_t r = 0; r < rows; ++r) {
      // Without a key there is no mean: 0 times infinity is NaN.
      const float factor = sum[r] == 0 && a.zero_if_blind ? 0.0f : 1.0f / sum[r];
      scale_row(out + (from + r) * a.out.row, factor, a.value_depth);
    }
  }
};

}  // namespace

size_t attention_scratch_size(const Attention& a, int workers) {
  return static_cast<size_t>(ScratchLayout(a).size) * static_cast<size_t>(std::max(1, workers));
}

void attention(const Attention& a, float* scratch, const Workers& workers) {
  const ScratchLayout layout(a);
  const int64_t blocks = ceil_div(a.queries, kQueries), units = a.batch * a.heads * blocks;
  const int64_t parts = std::min<int64_t>(units, std::max(1, workers.count));
  workers.each(parts, [&](int64_t first, int64_t last) {
    int64_t packed = -1;
    for (int64_t u = units * first / parts; u < units * last / parts; ++u) {
      const int64_t head = u / blocks, block = u % blocks;
      const Head h(a, layout, head, scratch + first * layout.size);
      if (head != packed) h.pack();
      packed = head;
      h.run(a.queries * block / blocks, a.queries * (block + 1) / blocks);
    }
  });
}

}  // namespace wick::kernels
