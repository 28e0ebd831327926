// Per-target code of product.h; included once per target and element type (WICK_GEMM_TYPE).
#if defined(WICK_PRODUCT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_PRODUCT_INL_H
#undef WICK_PRODUCT_INL_H
#else
#define WICK_PRODUCT_INL_H
#endif

#include "kernels/bounds.h"
#include "kernels/prefetch.h"
#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

// Bytes of pixels and results that stay in the second-level cache while the panels pass over them.
constexpr int64_t kPixelBytes = 256 << 10;
constexpr int64_t kFewPixels = 48;
constexpr auto kBytes = static_cast<int64_t>(sizeof(T));  // of an element
// A B that is larger than the second-level cache comes from further away each time the pixels change: then more of them
// stay, and their results need not.
constexpr int64_t kLargeB = 1 << 20;
constexpr int64_t kManyPixelBytes = (HWY_TARGET <= HWY_AVX3 ? 480 : 320) << 10;
constexpr int64_t kMorePixels = 64;
// Depth of products whose tiles run in strips: a panel of B stays in the first-level cache.
constexpr int64_t kStripDepth = 128;
// Pixels and depth that are worth pairing the rows of a panel, and the floats there is buffer for.
constexpr int64_t kLeastPaired = 64;
constexpr int64_t kLeastPairedDepth = 16;
constexpr int64_t kMostPaired = 10 << 10;

// Walks a grid.
template <class P>
struct Cursor {
  P* at;
  int64_t column, width, step, wrap;  // wrap: from the end of a line to the next

  Cursor(const Grid<P>& g, int64_t offset, int64_t first, int64_t line_width)
      : at(g.base + offset + first / line_width * g.line + first % line_width * g.step),
        column(first % line_width),
        width(line_width),
        step(g.step),
        wrap(g.line - line_width * g.step) {}
  // The next pixels, and all further ones repeat the last.
  WICK_INLINE_IF_LARGE void next(int count, int filled, P** to) {
    if (column + count < width) {
      for (int i = 0; i < count; ++i) to[i] = at + i * step;
      at += count * step;
      column += count;
    } else {
      for (int i = 0; i < count; ++i) {
        to[i] = at;
        at += step;
        if (++column == width) {
          column = 0;
          at += wrap;
        }
      }
    }
    for (int i = count; i < filled; ++i) to[i] = to[count - 1];
  }
  // The next pixel, and past so many of its line.
  P* pass(int64_t count) {
    P* const first = at;
    at += count * step;
    column += count;
    if (column == width) {
      column = 0;
      at += wrap;
    }
    return first;
  }
};

int64_t lanes() { return kLanes; }
int64_t panel_count(int64_t n) { return panels_of(n); }
PanelColumns panel_at(int64_t n, int64_t p) {
  const Range columns = panel_columns(n, panels_of(n), p);
  return {columns.first, columns.size(), vectors_of(columns.size()) * kLanes};
}

// The tile for a panel of `columns`.
TileSize tile_for(int64_t rows, int64_t vectors, int64_t columns) {
  const TileSize half = is_half(columns) ? half_tile_size(rows, vectors) : TileSize{};
  return half.run != nullptr ? half : tile_size(rows, vectors);
}

// The segments from `s` on that make a depth of at most kMaxDepthOf<T>, at least one; returns their end.
const Segment* group_end(const Segment* s, const Segment* end) {
  int64_t depth = 0;
  for (const Segment* first = s; s != end && (s == first || depth + s->length <= kMaxDepthOf<T>); ++s)
    depth += s->length;
  return s;
}

// What the tiles of strips fetch while their sums run where weights of later steps are to be fetched as well: first
// what of B comes next, a line in each step of k, then those.
class Fetches {
 public:
  Fetches(const Tile& t, int64_t depth)
      : prefetcher_(kPrefetches && !kHasLanes && vectors_of(t.columns) >= kFetchingVectors ? t_prefetcher : nullptr),
        next_(t.fetch),
        left_(t.b_step * depth * static_cast<int64_t>(sizeof(T))) {}

  // For the next tiles. Returns how many of `tiles` it is meant for, at least one.
  int64_t set(Tile& t, int64_t depth, int64_t tiles) {
    if (prefetcher_ == nullptr || depth == 0) return tiles;
    if (prefetcher_->left() == 0) {
      if (has_set_) t.fetch_step = 0;
      return tiles;
    }
    has_set_ = true;
    const int64_t each = kLineBytes * depth;
    const bool is_next = left_ > 0;
    tiles = std::min(tiles, ceil_div(is_next ? left_ : prefetcher_->left(), each));
    t.fetch = is_next ? next_ : prefetcher_->at();
    t.fetch_step = kLineBytes;
    if (is_next) {
      next_ += tiles * each;
      left_ -= tiles * each;
    } else {
      prefetcher_->advance(tiles * each);
    }
    return tiles;
  }

 private:
  Prefetcher* const prefetcher_;
  const char* next_;
  int64_t left_;  // bytes from next_ on
  bool has_set_ = false;
};

// Pixels of a block by one panel, in strips as long as the lines; a tile that lies on two of them is on its own.
void run_strips(Tile& t, const StripOf& strip, const T* strip_b, const Steps& steps, int64_t depth, int64_t pixels,
                Cursor<const T>& a, Cursor<T>& c, Cursor<const T>* add) {
  const int64_t vectors = vectors_of(t.columns), rows = strip.rows;
  const T* const tile_b = t.b;
  t.fetch_step = std::min<int64_t>(64, t.b_step * static_cast<int64_t>(sizeof(T)) / ceil_div(pixels, rows));
  Fetches fetches(t, depth);
  for (int64_t here; pixels > 0; pixels -= here) {
    int64_t tiles = std::min(pixels, a.width - a.column) / rows;
    if (tiles > 0) tiles = fetches.set(t, depth, tiles);
    here = tiles > 0 ? tiles * rows : std::min(rows, pixels);
    t.rows = static_cast<int>(std::min(rows, here));
    if (tiles > 0) {
      t.a[0] = a.pass(here);
      t.c[0] = c.pass(here);
      t.add[0] = add != nullptr ? add->pass(here) : nullptr;
      t.b = strip_b;
      strip.run(t, steps, tiles);
    } else {
      t.b = tile_b;
      const TileSize size = tile_for(t.rows, vectors, t.columns);
      a.next(t.rows, size.rows, t.a);
      c.next(t.rows, size.rows, t.c);
      if (add != nullptr) add->next(t.rows, size.rows, t.add);
      size.run(t);
    }
    t.fetch += t.fetch_step * depth * std::max<int64_t>(1, tiles);
  }
}

// The same in strips of plain tiles.
void run_plain(Tile& t, const PlainStrips& strips, const Steps& steps, int64_t pixels, Cursor<const T>& a, Cursor<T>& c,
               Cursor<const T>* add) {
  const int64_t vectors = vectors_of(t.columns), most = strips.more.rows, least = strips.fewer.rows;
  const auto run = [&](const StripOf& strip, int64_t tiles) {
    if (tiles == 0) return;
    t.a[0] = a.pass(tiles * strip.rows);
    t.c[0] = c.pass(tiles * strip.rows);
    if (add != nullptr) t.add[0] = add->pass(tiles * strip.rows);
    strip.run(t, steps, tiles);
    pixels -= tiles * strip.rows;
  };
  while (pixels > 0) {
    const int64_t line = std::min(pixels, a.width - a.column), tiles = ceil_div(line, most);
    // So many of the larger ones and the others of the smaller make the line, if not fewer than none.
    const int64_t larger = line - tiles * least;
    const bool fits = least < most && larger >= 0;
    run(strips.more, fits ? larger : line / most);
    run(strips.fewer, fits ? tiles - larger : 0);
    if (fits || line % most == 0) continue;
    t.rows = static_cast<int>(std::min(pixels, most));
    const TileSize size = tile_size(t.rows, vectors);
    a.next(t.rows, size.rows, t.a);
    c.next(t.rows, size.rows, t.c);
    if (add != nullptr) add->next(t.rows, size.rows, t.add);
    size.run(t);
    pixels -= t.rows;
  }
}

// The same by pairs of k; false where a panel or its pixels do not suit.
bool run_paired(Tile& t, const Steps& steps, int64_t b_rows, int64_t depth, int64_t pixels, Cursor<const T>& a,
                Cursor<T>& c, Cursor<const T>* add) {
  const StripOf strip = paired_strip_for(t.columns);
  if (strip.run == nullptr || pixels < kLeastPaired || depth < kLeastPairedDepth ||
      paired_size(t.columns, b_rows) > kMostPaired) {
    return false;
  }
  for (const Segment *s = t.segments, *end = s + t.segment_count; s != end; ++s)
    if (s->b % 2 != 0 || s->length % 2 != 0) return false;
  HWY_ALIGN T paired[kMostPaired];
  pair_up(t.b, t.columns, b_rows, paired);
  run_strips(t, strip, paired, steps, depth, pixels, a, c, add);
  return true;
}

// Pixels of a block by one panel. The segments run in groups of at most kMaxDepthOf<T>; between groups the sums are in
// C (those of float16 come to run_wide where there are several). `next` is what of B comes after the panel; null: what
// lies behind it.
void run_block(const ProductOf<T>& p, Range pixels, Range n, const T* next = nullptr) {
  check_bounds();
  const int64_t vectors = vectors_of(n.size());
  const int64_t tiles = ceil_div(pixels.size(), kRowsOf[vectors - 1]);
  constexpr float kInf = std::numeric_limits<float>::infinity();
  HWY_ALIGN T bias[kMaxVectors * kLanes];
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
    s = group_end(s, end);
    int64_t depth = 0;
    for (const Segment* i = group; i != s; ++i) depth += i->length;
    t.segments = group;
    t.segment_count = s - group;
    const bool last = s == end && !p.continued;
    // A residual that comes last and sums of earlier groups need the general finish.
    const bool by_rows = last && needs_finish && (first || !is_last_add) && by_rows_suits(p.epilogue);
    t.low = last && !by_rows ? p.epilogue.low : -kInf;
    t.high = last && !by_rows ? p.epilogue.high : kInf;
    t.after = by_rows ? &p.epilogue : nullptr;
    t.finish = last && needs_finish && !by_rows ? &finish : nullptr;
    // Sums of earlier groups: through the residual's place, or the finish's when that is taken.
    finish.beta = first ? 0.0f : 1.0f;
    const bool adds_residual = p.add.base != nullptr && (is_last_add ? last : first);
    const bool adds_sums = !first && t.finish == nullptr;
    t.adds_last = by_rows && is_last_add;
    t.has_add = (adds_residual && !t.adds_last) || adds_sums;
    const bool has_pointers = adds_residual || adds_sums;
    Cursor<const T> a(p.a, 0, pixels.first, p.width);
    Cursor<T> c(p.c, n.first, pixels.first, p.width);
    const Grid<const T> sums{p.c.base, p.c.line, p.c.step};
    Cursor<const T> add(adds_sums ? sums : p.add, has_pointers ? n.first : 0, pixels.first, p.width);
    // The next group of rows of B lies behind this one, and the next panel behind the last.
    if (s != group) t.fetch = reinterpret_cast<const char*>(next ? next : t.b + (s[-1].b + s[-1].length) * t.b_step);
    t.fetch_step = std::min<int64_t>(64, t.b_step * static_cast<int64_t>(sizeof(T)) / tiles);
    const bool is_whole = group == p.segments && s == end && !p.continues && !p.continued;
    const Steps steps{p.a.step, p.c.step, adds_sums ? p.c.step : p.add.step};
    Cursor<const T>* const added = has_pointers ? &add : nullptr;
    const PlainStrips plain = plain_strips_for(t);
    if (plain.more.run != nullptr) {
      run_plain(t, plain, steps, pixels.size(), a, c, added);
      if (first) std::fill(bias, bias + kMaxVectors * kLanes, T(0));
      first = false;
      continue;
    }
    if (is_whole && t.finish == nullptr) {
      if (kHasHalves && run_paired(t, steps, p.k, depth, pixels.size(), a, c, added)) return;
      const StripOf strip = depth <= kStripDepth ? strip_for(n.size()) : StripOf{};
      if (strip.run != nullptr) return run_strips(t, strip, t.b, steps, depth, pixels.size(), a, c, added);
    }
    // Tiles are of one size and then of one less.
    for (int64_t i = 0; i < tiles;) {
      t.rows = static_cast<int>(part_of(pixels.size(), tiles, i).size());
      const TileSize size = tile_for(t.rows, vectors, n.size());
      const int64_t end = i < pixels.size() % tiles ? pixels.size() % tiles : tiles;
      for (; i < end; ++i) {
        a.next(t.rows, size.rows, t.a);
        c.next(t.rows, size.rows, t.c);
        if (has_pointers) add.next(t.rows, size.rows, t.add);
        size.run(t);
        t.fetch += t.fetch_step * depth;
      }
    }
    if (first) std::fill(bias, bias + kMaxVectors * kLanes, T(0));
    first = false;
  } while (s != end);
}

#ifdef WICK_HALF_TYPE
// Pieces of segments one after the other, in groups of a depth of at most kMaxDepthOf<T>.
class Groups {
 public:
  explicit Groups(const ProductOf<T>& p) : at_(p.segments), end_(p.segments + p.segment_count) {}
  bool empty() const { return at_ == end_; }
  // Into `to`; returns how many.
  int64_t next() {
    int64_t count = 0;
    for (int64_t left = kMaxDepthOf<T>; at_ != end_ && count < kMost;) {
      const int64_t rest = at_->length - done_;
      // Cuts lie where whole vectors end.
      const int64_t length = rest <= left ? rest : left / kLanes * kLanes;
      if (length == 0 && rest > 0) break;
      to[count++] = {at_->a + done_, at_->b + done_, length};
      left -= length;
      done_ += length;
      if (length < rest) break;
      ++at_;
      done_ = 0;
    }
    return count;
  }
  static constexpr int64_t kMost = 64;
  Segment to[kMost];

 private:
  const Segment *at_, *const end_;
  int64_t done_ = 0;  // of *at_
};

// The results of pixels whose sums are floats, rows of `width`, to C.
void finish_wide(const ProductOf<T>& p, Range pixels, Range n, const float* sums, int64_t width) {
  const hn::ScalableTag<float> wide;
  using Wide = hn::Vec<decltype(wide)>;
  constexpr int64_t kUpper = kLanes / 2;
  const Epilogue& e = p.epilogue;
  const auto low = hn::Set(wide, e.low), high = hn::Set(wide, e.high);
  const bool adds = p.add.base != nullptr;
  with_activation(e.activation, [&](auto activation) HWY_ATTR {
    const auto bounded = [&](Wide v) HWY_ATTR {
      return clamp_to(low, high, activate_numbers(wide, decltype(activation)::value, v));
    };
    const auto with = [&](Wide v, Wide added) HWY_ATTR {
      return e.residual_last ? hn::Add(bounded(v), added) : bounded(hn::Add(v, added));
    };
    Cursor<T> c(p.c, n.first, pixels.first, p.width);
    Cursor<const T> add(p.add, adds ? n.first : 0, pixels.first, p.width);
    for (int64_t i = 0; i < pixels.size(); ++i, sums += width) {
      T* to;
      const T* added = nullptr;
      c.next(1, 1, &to);
      if (adds) add.next(1, 1, &added);
      for (int64_t at = 0; at < n.size(); at += kLanes) {
        const int64_t count = std::min(kLanes, n.size() - at);
        const Wide lower = hn::Load(wide, sums + at), upper = hn::Load(wide, sums + at + kUpper);
        if (added == nullptr) {
          store_part(hn::Narrow(bounded(lower), bounded(upper)), to + at, count);
        } else {
          const V x = load_part(added + at, count);
          store_part(hn::Narrow(with(lower, hn::WidenLower(x)), with(upper, hn::WidenUpper(x))), to + at, count);
        }
      }
    }
  });
}

// Pixels of a block by one panel, of a depth beyond kMaxDepthOf<T>: the sums of its groups are added up in floats.
void run_wide(const ProductOf<T>& p, Range block, Range n) {
  // Pixels that a piece of B serves from the first-level cache.
  constexpr int64_t kPixels = 64;
  const hn::ScalableTag<float> wide;
  const int64_t vectors = vectors_of(n.size()), width = vectors * kLanes;
  HWY_ALIGN float sums[kPixels * kMaxVectors * kLanes], bias[kMaxVectors * kLanes];
  HWY_ALIGN T part[kMostRows * kMaxVectors * kLanes], none[kMaxVectors * kLanes] = {};
  HWY_ALIGN T narrow_bias[kMaxVectors * kLanes];
  copy_bias(p.bias, n, narrow_bias);
  std::copy(narrow_bias, narrow_bias + width, bias);
  Tile t;
  t.b = p.b + n.first * p.k;
  t.b_step = t.columns = width;
  t.bias = none;
  t.has_add = false;
  t.low = -std::numeric_limits<float>::infinity();
  t.high = std::numeric_limits<float>::infinity();
  t.finish = nullptr;
  for (int i = 0; i < kMostRows; ++i) t.c[i] = part + i * width;
  for (int64_t first = block.first; first < block.last; first += kPixels) {
    check_bounds();
    const int64_t count = std::min(kPixels, block.last - first);
    const int64_t tiles = ceil_div(count, kRowsOf[vectors - 1]);
    for (int64_t i = 0; i < count; ++i) std::copy(bias, bias + width, sums + i * width);
    for (Groups groups(p); !groups.empty();) {
      t.segments = groups.to;
      t.segment_count = groups.next();
      // The next rows of B lie behind these.
      const Segment& end = groups.to[t.segment_count - 1];
      t.fetch = reinterpret_cast<const char*>(t.b + (end.b + end.length) * t.b_step);
      t.fetch_step = std::min<int64_t>(64, t.b_step * kBytes / tiles);
      Cursor<const T> a(p.a, 0, first, p.width);
      float* sum = sums;
      for (int64_t i = 0; i < tiles; ++i) {
        t.rows = static_cast<int>(part_of(count, tiles, i).size());
        const TileSize size = tile_size(t.rows, vectors);
        a.next(t.rows, size.rows, t.a);
        size.run(t);
        t.fetch += t.fetch_step * kMaxDepthOf<T>;
        const int64_t results = t.rows * width;
        for (int64_t k = 0; k < results; k += kLanes, sum += kLanes) {
          const V v = hn::Load(D(), part + k);
          float* const upper = sum + kLanes / 2;
          hn::Store(hn::Add(hn::Load(wide, sum), hn::WidenLower(v)), wide, sum);
          hn::Store(hn::Add(hn::Load(wide, upper), hn::WidenUpper(v)), wide, upper);
        }
      }
    }
    finish_wide(p, {first, first + count}, n, sums, width);
  }
}
bool is_deep(const ProductOf<T>& p) {
  int64_t depth = 0;
  for (const Segment* s = p.segments; s != p.segments + p.segment_count; ++s) depth += s->length;
  return depth > kMaxDepthOf<T>;
}
#else
bool is_deep(const ProductOf<T>&) { return false; }
void run_wide(const ProductOf<T>&, Range, Range) {}
#endif

// One pixel by panels of one width, all of them full. B passes once, as fast as it comes from the caches: nothing
// stands between one panel and the next.
template <int kVectors>
void row_panels(const ProductOf<T>& p, const T* a, const T* b, const T* bias, T* c, int64_t panels) {
  const D d;
  const bool clamps = p.epilogue.activation == Activation::kNone;
  const V low = hn::Set(d, p.epilogue.low), high = hn::Set(d, p.epilogue.high);
  constexpr int64_t kWidth = kVectors * kLanes;
  for (; panels > 0; --panels, b += kWidth * p.k, c += kWidth, bias += bias == nullptr ? 0 : kWidth) {
    V sum[kVectors], sums[kVectors];
    WICK_UNROLL
    for (int j = 0; j < kVectors; ++j) {
      sum[j] = bias == nullptr ? hn::Zero(d) : hn::LoadU(d, bias + j * kLanes);
      sums[j] = hn::Zero(d);
    }
    const Segment *s = p.segments, *const end = s + p.segment_count;
    do {
      int64_t depth = 0;
      for (; s != end && (depth == 0 || depth + s->length <= kMaxDepthOf<T>); depth += s->length, ++s) {
        const T* row = b + s->b * kWidth;
        for (int64_t k = s->a, last = k + s->length; k < last; ++k, row += kWidth) {
          const V av = hn::Set(d, a[k]);
          WICK_UNROLL
          for (int j = 0; j < kVectors; ++j) sum[j] = hn::MulAdd(av, hn::LoadU(d, row + j * kLanes), sum[j]);
        }
      }
      WICK_UNROLL
      for (int j = 0; j < kVectors; ++j) {
        sums[j] = hn::Add(sum[j], sums[j]);
        sum[j] = hn::Zero(d);
      }
    } while (s != end);
    WICK_UNROLL
    for (int j = 0; j < kVectors; ++j) {
      hn::StoreU(clamps ? clamp_to(low, high, sums[j]) : sums[j], d, c + j * kLanes);
    }
  }
}

void run_row(const ProductOf<T>& p, int64_t pixel, Range panels) {
  const int64_t all = panels_of(p.n), base = vectors_of(p.n) / all, extra = vectors_of(p.n) % all;
  const T* const a = Cursor<const T>(p.a, 0, pixel, p.width).at;
  T* const c = Cursor<T>(p.c, 0, pixel, p.width).at;
  const int64_t full = panels.last == all && p.n % kLanes != 0 ? all - 1 : panels.last;
  for (int64_t panel = panels.first; panel < full;) {
    const int64_t end = panel < extra ? std::min(full, extra) : full;
    const int64_t at = panel_columns(p.n, all, panel).first;
    const auto run = [&](auto vectors) HWY_ATTR {
      row_panels<decltype(vectors)::value>(p, a, p.b + at * p.k, p.bias == nullptr ? nullptr : p.bias + at, c + at,
                                           end - panel);
    };
    const int64_t vectors = base + (panel < extra);
    if constexpr (kMaxVectors > 2) {
      if (vectors == kMaxVectors) run(std::integral_constant<int, kMaxVectors>());
      if (vectors == 3) run(std::integral_constant<int, 3>());
    }
    if (vectors == 2) run(std::integral_constant<int, 2>());
    if (vectors == 1) run(std::integral_constant<int, 1>());
    panel = end;
  }
  if (p.epilogue.activation != Activation::kNone && panels.first < full) {
    const int64_t from = panel_columns(p.n, all, panels.first).first;
    Tile t;
    t.rows = 1;
    t.c[0] = c + from;
    t.columns = panel_columns(p.n, all, full - 1).last - from;
    t.after = &p.epilogue;
    finish_rows(t);
  }
  if (full < panels.last) run_block(p, {pixel, pixel + 1}, panel_columns(p.n, all, full));
}

// A deep product with a B that no cache keeps: piece by piece of the depth, so that many pixels stay in the cache while
// the panels pass over them, and B comes from further away as seldom as can be.
void run_deep(const ProductOf<T>& p, Range pixels, Range panels) {
  const int64_t all = panels_of(p.n);
  const int64_t blocks = ceil_div(pixels.size(), std::max(kMorePixels, kManyPixelBytes / (kMaxDepthOf<T> * kBytes)));
  const auto at = [&](int64_t panel, const Segment* s) {
    const Range columns = panel_columns(p.n, all, panel);
    return p.b + columns.first * p.k + s->b * vectors_of(columns.size()) * kLanes;
  };
  const Segment* const end = p.segments + p.segment_count;
  for (int64_t i = 0; i < blocks; ++i) {
    const Range part = part_of(pixels.size(), blocks, i), block{pixels.first + part.first, pixels.first + part.last};
    ProductOf<T> piece = p;
    for (const Segment *s = p.segments, *after; s != end; s = after) {
      after = group_end(s, end);
      piece.segments = s;
      piece.segment_count = after - s;
      piece.continues = p.continues || s != p.segments;
      piece.continued = p.continued || after != end;
      for (int64_t panel = panels.first; panel < panels.last; ++panel) {
        const bool is_last = panel + 1 == panels.last;
        const Segment* following = !is_last ? s : after != end ? after : p.segments;
        run_block(piece, block, panel_columns(p.n, all, panel), at(is_last ? panels.first : panel + 1, following));
      }
    }
  }
}

// Whether each line of a grid begins where the one before ends.
template <class P>
bool is_one_line(const Grid<P>& g, int64_t width) {
  return g.line == width * g.step;
}

void run_product(const ProductOf<T>& given, int64_t first_pixel, int64_t last_pixel, int64_t first_panel,
                 int64_t last_panel) {
  ProductOf<T> p = given;
  const int64_t panels = panels_of(p.n), pixels = last_pixel - first_pixel;
  if (pixels <= 0) return;
  if (is_one_line(p.a, p.width) && is_one_line(p.c, p.width) && (p.add.base == nullptr || is_one_line(p.add, p.width)))
    p.width = p.pixels;
  const bool is_wide = is_deep(p);
  if (pixels == 1 && !is_wide && p.add.base == nullptr && !p.continues && !p.continued && by_rows_suits(p.epilogue))
    return run_row(p, first_pixel, {first_panel, last_panel});
  if (!is_wide && p.n * p.k * kBytes >= kLargeB && p.k > kMaxDepthOf<T> && last_panel - first_panel > 1)
    return run_deep(p, {first_pixel, last_pixel}, {first_panel, last_panel});
  const int64_t fitting = p.n * p.k * kBytes < kLargeB
                              ? std::max(kFewPixels, kPixelBytes / ((p.n + p.k) * kBytes))
                              : std::max(kMorePixels, kManyPixelBytes / ((p.k + kMaxVectors * kLanes) * kBytes));
  const int64_t blocks = last_panel - first_panel > 1 ? ceil_div(pixels, fitting) : 1;
  for (int64_t i = 0; i < blocks; ++i) {
    const Range block = part_of(pixels, blocks, i);
    for (int64_t panel = first_panel; panel < last_panel; ++panel) {
      const Range part{first_pixel + block.first, first_pixel + block.last}, n = panel_columns(p.n, panels, panel);
      is_wide ? run_wide(p, part, n) : run_block(p, part, n);
    }
  }
}

#if defined(WICK_HAS_LANES) && !defined(WICK_SELECTION)
int64_t block_rows(int64_t rows, int64_t n, int64_t k) {
  // Panels of three and of four vectors are all there are.
  const int64_t vectors = n / kLanes;
  if (n % kLanes != 0 || k % kLanes != 0 || vectors < 3 || vectors == 5 || k == 0) return 0;
  // Instructions of a turn of the loop: a block of five has fewer for each row, but may be filled less.
  const int64_t five = ceil_div(rows, 5) * (5 * 4 * kLanes + kLanes + 4);
  return five < ceil_div(rows, 4) * (4 * 4 * kLanes + kLanes + 3) ? 5 : 4;
}
template <int kRows, int kVectors>
void run_panel_of_blocks(const BlockProductOf<T>& p, Range n) {
  static constexpr T kZeros[4 * kLanes] = {};
  const T* const b = p.b + n.first * p.k;
  for (int64_t i = 0; i < p.blocks; ++i) {
    const T* const a = p.a + i * p.a_block;
    T* const c = p.c + i * kRows * p.c_step + n.first;
    for (int64_t k = 0; k < p.k; k += p.piece) {
      lane_block<kRows, kVectors>(a + k * kRows, a + std::min(p.k, k + p.piece) * kRows, b + k * kVectors * kLanes,
                                  kZeros, c, p.c_step * kBytes, k > 0);
    }
  }
}
void run_blocks(const BlockProductOf<T>& p) {
  const int64_t panels = panels_of(p.n);
  for (int64_t panel = 0; panel < panels; ++panel) {
    const Range n = panel_columns(p.n, panels, panel);
    const bool is_four = n.size() == 4 * kLanes;
    if (p.rows == 5) {
      is_four ? run_panel_of_blocks<5, 4>(p, n) : run_panel_of_blocks<5, 3>(p, n);
    } else {
      is_four ? run_panel_of_blocks<4, 4>(p, n) : run_panel_of_blocks<4, 3>(p, n);
    }
  }
}
#else
[[maybe_unused]] int64_t block_rows(int64_t, int64_t, int64_t) { return 0; }
[[maybe_unused]] void run_blocks(const BlockProductOf<T>&) {}
#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
