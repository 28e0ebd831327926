// Per-target code of gemm.h; included once per target and element type (WICK_GEMM_TYPE).
#if defined(WICK_GEMM_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_GEMM_INL_H
#undef WICK_GEMM_INL_H
#else
#define WICK_GEMM_INL_H
#endif

#include "kernels/bounds.h"
#include "kernels/gemm.h"
#include "kernels/pack-inl.h"
#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

// A block of B that is packed for one product (depth x panel width) should stay in the first two cache levels.
constexpr int64_t kBlockDepth = 384;
// Up to this many rows B is read in place instead of packed.
constexpr int64_t kFewRows = 12;
// Up to this many rows of A against a B with contiguous columns, dot products beat packing.
constexpr int64_t kDotRows = 4;

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
    check_bounds();
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
Rows fetch_rows(const Gemm<T>& g, Range m, Range k, T* buffer) {
  if (g.a_source != nullptr) {
    g.a_source->pack(m.first, m.size(), k.first, k.size(), buffer);
    return {buffer, k.size()};
  }
  const T* a = g.a + m.first * g.a_row + k.first * g.a_col;
  if (g.a_col == 1) return {a, g.a_row};
  for (int64_t j = 0; j < k.size(); ++j)
    for (int64_t i = 0; i < m.size(); ++i) buffer[i * k.size() + j] = a[i * g.a_row + j * g.a_col];
  return {buffer, k.size()};
}

// Where the rows `k` of B's columns `n` are: packed into `room`, unless they can be read as they lie.
Rows fetch_panel(const Gemm<T>& g, Range n, Range k, T* room) {
  const int64_t width = vectors_of(n.size()) * kLanes;
  if (g.b_packed != nullptr) return {g.b_packed + n.first * g.k + k.first * width, width};
  if (g.b_source != nullptr) {
    g.b_source->pack(k.first, k.size(), n.first, n.size(), width, room);
    return {room, width};
  }
  const T* const b = g.b + k.first * g.b_row + n.first * g.b_col;
  if (g.b_col == 1 && g.m <= kFewRows && n.size() == width) return {b, g.b_row};
  pack_block(b, g.b_row, g.b_col, k.size(), n.size(), width, room);
  return {room, width};
}

void run_panel(const Gemm<T>& g, Range n, Range rows_here, T* b_room, T* a_room) {
  const int64_t vectors = vectors_of(n.size());
  const int64_t blocks = std::max<int64_t>(1, ceil_div(g.k, kBlockDepth));
  const int64_t tiles = ceil_div(rows_here.size(), kRowsOf[vectors - 1]);
  HWY_ALIGN T bias[kMaxVectors * kLanes], no_bias[kMaxVectors * kLanes] = {};
  copy_bias(g.column_bias, n, bias);
  constexpr T kInf = std::numeric_limits<T>::infinity();
  for (int64_t block = 0; block < blocks; ++block) {
    const Range k = part_of(g.k, blocks, block);
    const bool first = block == 0, last = block == blocks - 1;
    const Segment segment{0, 0, k.size()};
    Tile t;
    t.segments = &segment;
    t.segment_count = 1;
    t.columns = n.size();
    const Rows panel = fetch_panel(g, n, k, b_room);
    t.b = panel.data;
    t.b_step = panel.row;
    t.bias = last ? bias : no_bias;
    t.low = last && g.clamp ? g.low : -kInf;
    t.high = last && g.clamp ? g.high : kInf;
    Finish finish;
    finish.alpha = g.alpha;
    finish.beta = first ? g.beta : T(1);
    // The sums so far are added as a residual would be, unless something else is to be done.
    const bool plain = g.alpha == T(1) && (finish.beta == T(0) || finish.beta == T(1)) && !(last && g.row_bias);
    t.finish = plain ? nullptr : &finish;
    t.has_add = plain && finish.beta == T(1);
    constexpr int64_t kTilesBetween = 16;
    for (int64_t i = 0; i < tiles; ++i) {
      if (i % kTilesBetween == 0) check_bounds();
      const Range part = part_of(rows_here.size(), tiles, i);
      const Range m{rows_here.first + part.first, rows_here.first + part.last};
      const Rows rows = fetch_rows(g, m, k, a_room);
      t.rows = static_cast<int>(m.size());
      for (int r = 0; r < t.rows; ++r) {
        t.a[r] = rows.data + r * rows.row;
        t.c[r] = g.c + (m.first + r) * g.c_row + n.first;
        t.add[r] = t.c[r];
      }
      finish.row_bias = last && g.row_bias ? g.row_bias + m.first : nullptr;
      run_tile(t, vectors);
    }
  }
}

// Rows of a part, when the rows are cut among threads.
constexpr int64_t kLeastRows = 6;

int64_t tasks(const Gemm<T>& g, int workers) {
  if (g.m <= 0 || g.n <= 0) return 0;
  if (uses_dots(g)) return ceil_div(g.n, kDotTask);
  const int64_t panels = panels_of(g.n);
  if (workers <= 1) return panels;
  // Too few panels for the threads: cut the rows as well. Each part packs the panel again.
  const int64_t wanted = ceil_div(2 * workers, panels);
  return panels * std::clamp<int64_t>(wanted, 1, ceil_div(g.m, kLeastRows));
}

void run(const Gemm<T>& g, int64_t all_tasks, int64_t first, int64_t last) {
  if (uses_dots(g)) return run_dots(g, first, last);
  const int64_t panels = panels_of(g.n);
  const int64_t row_parts = all_tasks / panels;
  const int64_t depth = std::min(g.k, kBlockDepth);
  const Scratch<T> b_room(g.b_packed ? 0 : static_cast<size_t>(depth * kMaxVectors * kLanes));
  const Scratch<T> a_room(g.a_col == 1 && !g.a_source ? 0 : static_cast<size_t>(depth * kMostRows));
  for (int64_t task = first; task < last; ++task) {
    run_panel(g, panel_columns(g.n, panels, task / row_parts), part_of(g.m, row_parts, task % row_parts), b_room.data(),
              a_room.data());
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
