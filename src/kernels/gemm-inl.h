// Per-target code of gemm.h; included once per target and element type (WICK_GEMM_TYPE).
#if defined(WICK_GEMM_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_GEMM_INL_H
#undef WICK_GEMM_INL_H
#else
#define WICK_GEMM_INL_H
#endif

#include <algorithm>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using T = WICK_GEMM_TYPE;
using D = hn::ScalableTag<T>;
using V = hn::Vec<D>;
constexpr int64_t kLanes = HWY_LANES(T);

// Register tile: kMaxRows rows by up to kMaxVectors vectors. Accumulators, one row of B and a broadcast element
// must fit the register file (32 registers with AVX-512 and NEON, else 16); on NEON compilers load the elements of
// all rows at once, which takes a register each.
#if HWY_TARGET == HWY_NEON
constexpr int kMaxRows = 5;
constexpr int kMaxVectors = 4;
#elif HWY_TARGET <= HWY_AVX3
constexpr int kMaxRows = 6;
constexpr int kMaxVectors = 4;
#else
constexpr int kMaxRows = 6;
constexpr int kMaxVectors = 2;
#endif

// A packed block of B (depth x panel width) should stay in the first two cache levels.
constexpr int64_t kMaxDepth = 384;
// Up to this many rows B is read in place instead of packed.
constexpr int64_t kFewRows = 2 * kMaxRows;
// Up to this many rows of A against a B with contiguous columns, dot products beat packing.
constexpr int64_t kDotRows = 4;

struct Range {
  int64_t first, last;
  int64_t size() const { return last - first; }
};
// Part i of [0, n) cut into `parts` whose sizes differ by at most one.
Range part_of(int64_t n, int64_t parts, int64_t i) {
  const int64_t base = n / parts, extra = n % parts;
  const int64_t first = i * base + std::min(i, extra);
  return {first, first + base + (i < extra ? 1 : 0)};
}
int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0); }

int64_t vectors_of(int64_t n) { return ceil_div(n, kLanes); }
int64_t panels_of(int64_t n) { return ceil_div(vectors_of(n), kMaxVectors); }
// Columns of panel p; all but the last column range are whole vectors.
Range panel_columns(int64_t n, int64_t panels, int64_t p) {
  const Range v = part_of(vectors_of(n), panels, p);
  return {v.first * kLanes, std::min(n, v.last * kLanes)};
}

// What happens to the sums of a tile.
struct Store {
  T* c;
  int64_t c_row;
  int rows, vectors;  // of the tile
  int64_t columns;    // of the tile that exist; the rest is padding
  T alpha, beta;
  const T* row_bias;
  const T* column_bias;
  bool clamp;
  T low, high;

  bool is_plain() const { return alpha == T(1) && beta == T(0) && !row_bias && !column_bias && !clamp; }
};

// Writes sums [rows][vectors * kLanes] to C. Kept apart from the tiles, which there are many of.
HWY_NOINLINE void finish(const T* sums, const Store& s) {
  const D d;
  const V alpha = hn::Set(d, s.alpha), beta = hn::Set(d, s.beta), low = hn::Set(d, s.low), high = hn::Set(d, s.high);
  HWY_ALIGN T edge[kLanes] = {};
  for (int j = 0; j < s.vectors; ++j) {
    const int64_t here = std::min<int64_t>(kLanes, s.columns - j * kLanes);
    const size_t bytes = static_cast<size_t>(here) * sizeof(T);
    const bool whole = here == kLanes;
    // The last vector of a row may reach beyond the matrix: it goes through `edge`.
    const auto load = [&](const T* from) HWY_ATTR {
      if (whole) return hn::LoadU(d, from);
      std::memcpy(edge, from, bytes);
      return hn::Load(d, edge);
    };
    const V column_bias = s.column_bias ? load(s.column_bias + j * kLanes) : hn::Zero(d);
    T* c = s.c + j * kLanes;
    for (int i = 0; i < s.rows; ++i, c += s.c_row) {
      V v = hn::Mul(hn::Load(d, sums + (i * s.vectors + j) * kLanes), alpha);
      if (s.beta != T(0)) v = hn::MulAdd(beta, load(c), v);
      v = hn::Add(v, column_bias);
      if (s.row_bias) v = hn::Add(v, hn::Set(d, s.row_bias[i]));
      if (s.clamp) v = hn::Min(hn::Max(v, low), high);
      if (whole) {
        hn::StoreU(v, d, c);
      } else {
        hn::Store(v, d, edge);
        std::memcpy(c, edge, bytes);
      }
    }
  }
}

// C tile (kRows x kVectors vectors) from `depth` steps of k. Row i of A starts at a + i * a_row; step j of B at
// b + j * b_step.
template <int kRows, int kVectors>
HWY_NOINLINE void tile(int64_t depth, const T* a, int64_t a_row, const T* b, int64_t b_step, const Store& s) {
  const D d;
  V sum[kRows][kVectors];
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) {
    WICK_UNROLL
    for (int j = 0; j < kVectors; ++j) sum[i][j] = hn::Zero(d);
  }
  const T* row[kRows];
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) row[i] = a + i * a_row;
  for (int64_t k = 0; k < depth; ++k) {
    V bv[kVectors];
    WICK_UNROLL
    for (int j = 0; j < kVectors; ++j) bv[j] = hn::LoadU(d, b + j * kLanes);
    b += b_step;
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) {
      const V av = hn::Set(d, row[i][k]);
      WICK_UNROLL
      for (int j = 0; j < kVectors; ++j) sum[i][j] = hn::MulAdd(av, bv[j], sum[i][j]);
    }
  }
  if (s.columns == kVectors * kLanes && s.is_plain()) {
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) {
      WICK_UNROLL
      for (int j = 0; j < kVectors; ++j) hn::StoreU(sum[i][j], d, s.c + i * s.c_row + j * kLanes);
    }
    return;
  }
  HWY_ALIGN T sums[kRows * kVectors * kLanes];
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) {
    WICK_UNROLL
    for (int j = 0; j < kVectors; ++j) hn::Store(sum[i][j], d, sums + (i * kVectors + j) * kLanes);
  }
  finish(sums, s);
}

using TileFn = void (*)(int64_t, const T*, int64_t, const T*, int64_t, const Store&);
template <int kRows>
TileFn tile_for(int64_t vectors) {
  if constexpr (kMaxVectors == 4) {
    constexpr TileFn fns[] = {&tile<kRows, 1>, &tile<kRows, 2>, &tile<kRows, 3>, &tile<kRows, 4>};
    return fns[vectors - 1];
  } else {
    constexpr TileFn fns[] = {&tile<kRows, 1>, &tile<kRows, 2>};
    return fns[vectors - 1];
  }
}
TileFn tile_for(int64_t rows, int64_t vectors) {
  switch (rows) {
    case 1:
      return tile_for<1>(vectors);
    case 2:
      return tile_for<2>(vectors);
    case 3:
      return tile_for<3>(vectors);
    case 4:
      return tile_for<4>(vectors);
    case 5:
      return tile_for<5>(vectors);
    default:
      return tile_for<kMaxRows>(vectors);
  }
}

// Transposes a block of 16 bytes' width: dst[k * width + n] = src[n * src_row + k].
[[maybe_unused]] HWY_INLINE void transpose_block(const float* src, int64_t src_row, float* dst, int64_t width) {
  const hn::FixedTag<float, 4> d;
  const hn::FixedTag<double, 2> d2;
  const auto r0 = hn::LoadU(d, src), r1 = hn::LoadU(d, src + src_row);
  const auto r2 = hn::LoadU(d, src + 2 * src_row), r3 = hn::LoadU(d, src + 3 * src_row);
  const auto lo01 = hn::BitCast(d2, hn::InterleaveLower(d, r0, r1));
  const auto hi01 = hn::BitCast(d2, hn::InterleaveUpper(d, r0, r1));
  const auto lo23 = hn::BitCast(d2, hn::InterleaveLower(d, r2, r3));
  const auto hi23 = hn::BitCast(d2, hn::InterleaveUpper(d, r2, r3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d2, lo01, lo23)), d, dst);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d2, lo01, lo23)), d, dst + width);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d2, hi01, hi23)), d, dst + 2 * width);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d2, hi01, hi23)), d, dst + 3 * width);
}
[[maybe_unused]] HWY_INLINE void transpose_block(const double* src, int64_t src_row, double* dst, int64_t width) {
  for (int n = 0; n < 2; ++n)
    for (int k = 0; k < 2; ++k) dst[k * width + n] = src[n * src_row + k];
}

// dst[k * width + n] = b[k * b_row + n * b_col], zero for n in [nc, width).
void pack_block(const T* b, int64_t b_row, int64_t b_col, int64_t kc, int64_t nc, int64_t width, T* dst) {
  constexpr int64_t kBlock = 16 / sizeof(T);
  if (b_col == 1) {
    for (int64_t k = 0; k < kc; ++k) {
      std::memcpy(dst + k * width, b + k * b_row, static_cast<size_t>(nc) * sizeof(T));
      std::fill(dst + k * width + nc, dst + (k + 1) * width, T(0));
    }
    return;
  }
  int64_t n = 0;
  if (b_row == 1) {
    for (; n + kBlock <= nc; n += kBlock) {
      int64_t k = 0;
      for (; k + kBlock <= kc; k += kBlock) transpose_block(b + n * b_col + k, b_col, dst + k * width + n, width);
      for (; k < kc; ++k)
        for (int64_t i = n; i < n + kBlock; ++i) dst[k * width + i] = b[i * b_col + k];
    }
  }
  for (; n < nc; ++n)
    for (int64_t k = 0; k < kc; ++k) dst[k * width + n] = b[k * b_row + n * b_col];
  for (; n < width; ++n)
    for (int64_t k = 0; k < kc; ++k) dst[k * width + n] = T(0);
}

// Four dot products of x with rows w, w + w_row, ...: the sums of each, added to out[0..3].
template <int kRows>
HWY_INLINE void dots(const T* x, const T* w, int64_t w_row, int64_t k, T* out) {
  const D d;
  V s0[kRows], s1[kRows];
  for (int i = 0; i < kRows; ++i) s0[i] = s1[i] = hn::Zero(d);
  int64_t j = 0;
  for (; j + 2 * kLanes <= k; j += 2 * kLanes) {
    const V x0 = hn::LoadU(d, x + j), x1 = hn::LoadU(d, x + j + kLanes);
    for (int i = 0; i < kRows; ++i) {
      s0[i] = hn::MulAdd(x0, hn::LoadU(d, w + i * w_row + j), s0[i]);
      s1[i] = hn::MulAdd(x1, hn::LoadU(d, w + i * w_row + j + kLanes), s1[i]);
    }
  }
  for (int i = 0; i < kRows; ++i) out[i] = hn::GetLane(hn::SumOfLanes(d, hn::Add(s0[i], s1[i])));
  for (; j < k; ++j)
    for (int i = 0; i < kRows; ++i) out[i] += x[j] * w[i * w_row + j];
}

T finish_scalar(T sum, T old, const Gemm<T>& g, int64_t m, int64_t n) {
  sum *= g.alpha;
  if (g.beta != T(0)) sum += g.beta * old;
  if (g.row_bias) sum += g.row_bias[m];
  if (g.column_bias) sum += g.column_bias[n];
  if (g.clamp) sum = std::min(std::max(sum, g.low), g.high);
  return sum;
}

bool uses_dots(const Gemm<T>& g) {
  return g.m <= kDotRows && g.b_source == nullptr && g.b_packed == nullptr && g.a_source == nullptr && g.a_col == 1 &&
         g.b_row == 1 && g.b_col != 1;
}

constexpr int64_t kDotColumns = 4;
constexpr int64_t kDotTask = 64;  // columns of a task

void run_dots(const Gemm<T>& g, int64_t first, int64_t last) {
  for (int64_t n = first * kDotTask, end = std::min(g.n, last * kDotTask); n < end;) {
    const int64_t count = std::min(kDotColumns, end - n);
    for (int64_t m = 0; m < g.m; ++m) {
      T sums[kDotColumns];
      const T* x = g.a + m * g.a_row;
      const T* w = g.b + n * g.b_col;
      if (count == kDotColumns) {
        dots<kDotColumns>(x, w, g.b_col, g.k, sums);
      } else {
        for (int64_t i = 0; i < count; ++i) dots<1>(x, w + i * g.b_col, g.b_col, g.k, sums + i);
      }
      T* c = g.c + m * g.c_row + n;
      for (int64_t i = 0; i < count; ++i) c[i] = finish_scalar(sums[i], c[i], g, m, n + i);
    }
    n += count;
  }
}

// Rows of A as the tiles want them: k contiguous.
struct Rows {
  const T* data;
  int64_t row;
};
Rows fetch_rows(const Gemm<T>& g, Range m, Range k, T* room) {
  if (g.a_source != nullptr) {
    g.a_source->pack(m.first, m.size(), k.first, k.size(), room);
    return {room, k.size()};
  }
  const T* a = g.a + m.first * g.a_row + k.first * g.a_col;
  if (g.a_col == 1) return {a, g.a_row};
  for (int64_t j = 0; j < k.size(); ++j)
    for (int64_t i = 0; i < m.size(); ++i) room[i * k.size() + j] = a[i * g.a_row + j * g.a_col];
  return {room, k.size()};
}

void run_panel(const Gemm<T>& g, Range n, Range tiles, int64_t all_tiles, T* b_room, T* a_room) {
  const int64_t width = vectors_of(n.size()) * kLanes;
  const int64_t blocks = std::max<int64_t>(1, ceil_div(g.k, kMaxDepth));
  const bool in_place =
      g.b_packed == nullptr && g.b_source == nullptr && g.b_col == 1 && g.m <= kFewRows && n.size() == width;
  for (int64_t block = 0; block < blocks; ++block) {
    const Range k = part_of(g.k, blocks, block);
    const T* b = b_room;
    int64_t b_step = width;
    if (g.b_packed != nullptr) {
      b = g.b_packed + n.first * g.k + k.first * width;
    } else if (in_place) {
      b = g.b + k.first * g.b_row + n.first;
      b_step = g.b_row;
    } else if (g.b_source != nullptr) {
      g.b_source->pack(k.first, k.size(), n.first, n.size(), width, b_room);
    } else {
      pack_block(g.b + k.first * g.b_row + n.first * g.b_col, g.b_row, g.b_col, k.size(), n.size(), width, b_room);
    }
    const bool first = block == 0, last = block == blocks - 1;
    for (int64_t t = tiles.first; t < tiles.last; ++t) {
      const Range m = part_of(g.m, all_tiles, t);
      const Rows rows = fetch_rows(g, m, k, a_room);
      Store s{};
      s.c = g.c + m.first * g.c_row + n.first;
      s.c_row = g.c_row;
      s.rows = static_cast<int>(m.size());
      s.vectors = static_cast<int>(width / kLanes);
      s.columns = n.size();
      s.alpha = g.alpha;
      s.beta = first ? g.beta : T(1);
      s.row_bias = last && g.row_bias ? g.row_bias + m.first : nullptr;
      s.column_bias = last && g.column_bias ? g.column_bias + n.first : nullptr;
      s.clamp = last && g.clamp;
      s.low = g.low;
      s.high = g.high;
      tile_for(m.size(), width / kLanes)(k.size(), rows.data, rows.row, b, b_step, s);
    }
  }
}

int64_t tasks(const Gemm<T>& g, int workers) {
  if (g.m <= 0 || g.n <= 0) return 0;
  if (uses_dots(g)) return ceil_div(g.n, kDotTask);
  const int64_t panels = panels_of(g.n);
  if (workers <= 1) return panels;
  // Too few panels for the threads: cut the rows as well. Each part packs the panel again.
  const int64_t row_tiles = ceil_div(g.m, kMaxRows);
  const int64_t wanted = ceil_div(2 * workers, panels);
  return panels * std::clamp<int64_t>(wanted, 1, row_tiles);
}

void run(const Gemm<T>& g, int64_t all_tasks, int64_t first, int64_t last) {
  if (uses_dots(g)) return run_dots(g, first, last);
  const int64_t panels = panels_of(g.n);
  const int64_t row_parts = all_tasks / panels;
  const int64_t all_tiles = ceil_div(g.m, kMaxRows);
  const int64_t depth = std::min(g.k, kMaxDepth);
  const Scratch<T> b_room(g.b_packed ? 0 : static_cast<size_t>(depth * kMaxVectors * kLanes));
  const Scratch<T> a_room(g.a_col == 1 && !g.a_source ? 0 : static_cast<size_t>(depth * kMaxRows));
  for (int64_t task = first; task < last; ++task) {
    run_panel(g, panel_columns(g.n, panels, task / row_parts), part_of(all_tiles, row_parts, task % row_parts),
              all_tiles, b_room.data(), a_room.data());
  }
}

size_t packed_size(int64_t n, int64_t k) { return static_cast<size_t>(vectors_of(n) * kLanes * k); }

void pack_all(const T* b, int64_t b_row, int64_t b_col, int64_t n, int64_t k, T* dst) {
  const int64_t panels = panels_of(n);
  for (int64_t p = 0; p < panels; ++p) {
    const Range columns = panel_columns(n, panels, p);
    const int64_t width = vectors_of(columns.size()) * kLanes;
    pack_block(b + columns.first * b_col, b_row, b_col, k, columns.size(), width, dst + columns.first * k);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
