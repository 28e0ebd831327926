// Per-target code of product.h; included once per target after gemm-inl.h for float.
#if defined(WICK_PRODUCT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_PRODUCT_INL_H
#undef WICK_PRODUCT_INL_H
#else
#define WICK_PRODUCT_INL_H
#endif

#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

// Bytes of pixels that stay in the second-level cache while the panels pass over them.
constexpr int64_t kPixelBytes = 256 << 10;

// Walks a grid pixel by pixel.
template <class P>
struct Cursor {
  P* at;
  int64_t column, width, step, wrap;  // wrap: from the end of a line to the next

  Cursor(const Grid<P>& g, int64_t first, int64_t line_width)
      : at(g.base + first / line_width * g.line + first % line_width * g.step),
        column(first % line_width),
        width(line_width),
        step(g.step),
        wrap(g.line - line_width * g.step) {}
  P* next() {
    P* here = at;
    at += step;
    if (++column == width) {
      column = 0;
      at += wrap;
    }
    return here;
  }
};

int64_t lanes() { return kLanes; }
int64_t panel_count(int64_t n) { return panels_of(n); }

// Pixels of a block by one panel. The segments run in groups of at most kMaxDepth; between groups the sums are in C.
void run_block(const Product& p, Range pixels, Range n) {
  const int64_t vectors = vectors_of(n.size());
  const int64_t tiles = ceil_div(pixels.size(), kRowsOf[vectors - 1]);
  constexpr float kInf = std::numeric_limits<float>::infinity();
  HWY_ALIGN float bias[kMaxVectors * kLanes];
  copy_bias(p.continues ? nullptr : p.bias, n, bias);
  Tile t;
  t.b = p.b + n.first * p.k;
  t.b_step = vectors * kLanes;
  t.bias = bias;
  t.columns = n.size();
  Finish finish;
  finish.activation = p.epilogue.activation;
  finish.add_last = p.epilogue.residual_last;
  const bool is_last_add = p.add.base != nullptr && p.epilogue.residual_last;
  const bool needs_finish = p.epilogue.activation != Activation::kNone || is_last_add;
  const Segment *s = p.segments, *const end = s + p.segment_count;
  bool first = !p.continues;
  do {
    const Segment* group = s;
    for (int64_t depth = 0; s != end && (s == group || depth + s->length <= kMaxDepth); ++s) depth += s->length;
    t.segments = group;
    t.segment_count = s - group;
    const bool last = s == end && !p.continued;
    t.low = last ? p.epilogue.low : -kInf;
    t.high = last ? p.epilogue.high : kInf;
    t.finish = last && needs_finish ? &finish : nullptr;
    // Sums of earlier groups: through the residual's place, or the finish's when that is taken.
    finish.beta = first ? 0.0f : 1.0f;
    const bool adds_residual = p.add.base != nullptr && (is_last_add ? last : first);
    const bool adds_sums = !first && t.finish == nullptr;
    t.has_add = adds_residual || adds_sums;
    Cursor<const float> a(p.a, pixels.first, p.width), add(p.add, pixels.first, p.width);
    Cursor<float> c(p.c, pixels.first, p.width);
    for (int64_t i = 0; i < tiles; ++i) {
      t.rows = static_cast<int>(part_of(pixels.size(), tiles, i).size());
      for (int r = 0; r < t.rows; ++r) {
        t.a[r] = a.next();
        t.c[r] = c.next() + n.first;
        t.add[r] = adds_sums ? t.c[r] : adds_residual ? add.next() + n.first : nullptr;
      }
      run_tile(t, vectors);
    }
    if (first) std::fill(bias, bias + kMaxVectors * kLanes, 0.0f);
    first = false;
  } while (s != end);
}

void run_product(const Product& p, int64_t first_pixel, int64_t last_pixel, int64_t first_panel, int64_t last_panel) {
  const int64_t panels = panels_of(p.n), pixels = last_pixel - first_pixel;
  if (pixels <= 0) return;
  const int64_t fitting = std::max<int64_t>(48, kPixelBytes / (std::max<int64_t>(1, p.k) * 4));
  const int64_t blocks = last_panel - first_panel > 1 ? ceil_div(pixels, fitting) : 1;
  for (int64_t i = 0; i < blocks; ++i) {
    const Range block = part_of(pixels, blocks, i);
    for (int64_t panel = first_panel; panel < last_panel; ++panel)
      run_block(p, {first_pixel + block.first, first_pixel + block.last}, panel_columns(p.n, panels, panel));
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
