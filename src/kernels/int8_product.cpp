// Tiles of pixels by output channels, summed in registers.
#include <algorithm>

#include "kernels/bounds.h"
#include "kernels/divide.h"
#include "kernels/int8.h"
#include "kernels/selected.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/int8_product.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/int8-inl.h"
#include "kernels/int8_lanes-inl.h"

#if HWY_ONCE
#if HWY_ARCH_X86
#include <cpuid.h>
#elif HWY_ARCH_ARM_A64 && defined(__linux__)
#include <sys/auxv.h>
#elif HWY_ARCH_ARM_A64 && defined(__APPLE__)
#include <sys/sysctl.h>
#endif
#endif

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<int32_t>;
using V = hn::Vec<D>;
using DF = hn::ScalableTag<float>;
constexpr int64_t kLanes = HWY_LANES(int32_t);

// Sums, a vector of words and the weights it meets are to stay in registers, the pointers to rows in general ones.
#if HWY_TARGET == HWY_NEON
constexpr int kMaxVectors = 4;
constexpr int rows_of(Int8Form, int vectors) { return vectors <= 2 ? 8 : vectors == 3 ? 6 : 5; }
#elif HWY_TARGET <= HWY_AVX3
constexpr int kMaxVectors = 4;
constexpr int rows_of(Int8Form, int vectors) { return vectors <= 2 ? 10 : vectors == 3 ? 8 : 6; }
#else
constexpr int kMaxVectors = 2;
constexpr int rows_of(Int8Form form, int vectors) { return vectors == 1 ? 8 : form == Int8Form::kQuads ? 6 : 5; }
#endif
constexpr int kMostRows = 10;

struct Tile {
  const uint8_t* a[kMostRows];
  uint8_t* bytes[kMostRows];  // or floats
  int rows;                   // real ones; the others repeat the last
  int64_t columns;            // that exist; the rest of the vectors is padding
  int64_t first;              // packed column of the first
  const int32_t* b;
  const Int8Product* p;
};

HWY_INLINE void store_floats(hn::Vec<DF> v, float* to, int64_t columns) {
  const DF df;
  if (columns >= kLanes) return hn::StoreU(v, df, to);
  HWY_ALIGN float edge[kLanes];
  hn::Store(v, df, edge);
  std::memcpy(to, edge, static_cast<size_t>(columns) * sizeof(float));
}

// Writes sums [rows][vectors * kLanes] as floats.
HWY_NOINLINE void finish_floats(const int32_t* sums, int vectors, const Tile& t) {
  const D d;
  const DF df;
  const Int8Result& r = t.p->result;
  for (int j = 0; j < vectors; ++j) {
    const int64_t at = j * kLanes, here = std::min(kLanes, t.columns - at);
    const auto scale = hn::LoadU(df, r.scale + t.first + at), bias = hn::LoadU(df, r.bias + t.first + at);
    for (int i = 0; i < t.rows; ++i) {
      const V sum = hn::Load(d, sums + (i * vectors + j) * kLanes);
      auto y = hn::Add(hn::Mul(hn::ConvertTo(df, sum), scale), bias);
      if (r.relu) y = hn::IfThenZeroElse(hn::Lt(y, hn::Zero(df)), y);
      store_floats(y, reinterpret_cast<float*>(t.bytes[i]) + at, here);
    }
  }
}

// The first kCount bytes of a vector.
template <int64_t kCount, class V8>
HWY_INLINE void store_first(V8 v, uint8_t* to) {
  const hn::DFromV<V8> d;
  if constexpr (kCount == hn::MaxLanes(d)) {
    hn::StoreU(v, d, to);
  } else if constexpr (kCount * 2 > hn::MaxLanes(d)) {
    constexpr int64_t kHalf = hn::MaxLanes(d) / 2;
    hn::StoreU(hn::LowerHalf(v), hn::Half<decltype(d)>(), to);
    store_first<kCount - kHalf>(hn::UpperHalf(hn::Half<decltype(d)>(), v), to + kHalf);
  } else {
    store_first<kCount>(hn::LowerHalf(v), to);
  }
}

#if HWY_ARCH_ARM_A64
template <int kRows, int kVectors>
HWY_INLINE void finish_bytes(V (&sum)[kRows][kVectors], const Tile& t) {
  const DF df;
  const hn::Repartition<uint8_t, D> d8;
  const Narrowing narrowing(t.p->result);
  const float* const scales = t.p->result.scale + t.first;
  hn::Vec<DF> scale[kVectors];
  WICK_UNROLL
  for (int j = 0; j < kVectors; ++j) scale[j] = hn::LoadU(df, scales + j * kLanes);
  const auto bytes_of = [&](int i) HWY_ATTR {
    V q[4];
    WICK_UNROLL
    for (int j = 0; j < 4; ++j)
      q[j] = j < kVectors ? scaled(sum[i][j % kVectors], scale[j % kVectors]) : q[j % kVectors];
    return hn::Vec<decltype(d8)>(narrowing.bytes(q[0], q[1], q[2], q[3]));
  };
  const int64_t columns = t.columns;
  if (columns == kVectors * kLanes) {
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) store_first<kVectors * kLanes>(bytes_of(i), t.bytes[i]);
    return;
  }
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) {
    HWY_ALIGN uint8_t edge[4 * kLanes];
    hn::Store(bytes_of(i), d8, edge);
    std::memcpy(t.bytes[i], edge, static_cast<size_t>(columns));
  }
}
#else
template <int kRows, int kVectors>
HWY_INLINE void finish_bytes(V (&sum)[kRows][kVectors], const Tile& t) {
  const D d;
  const DF df;
  const hn::Repartition<uint8_t, D> d8;
  const Int8Result& r = t.p->result;
  constexpr bool kInOrder = kVectors == 4 || kLanes == 4;
  const auto pieces = pieces_in_order<kVectors, true>(d);
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) {
    const float* scale = r.scale + t.first;
    V q[4];
    WICK_UNROLL
    for (int j = 0; j < 4; ++j) {
      q[j] = j < kVectors ? scaled(sum[i][j % kVectors], hn::LoadU(df, scale + j * kLanes)) : q[j % kVectors];
    }
    auto bytes = narrowed(q[0], q[1], q[2], q[3], r);
    if constexpr (!kInOrder) bytes = hn::BitCast(d8, hn::TableLookupLanes(hn::BitCast(d, bytes), pieces));
    if (t.columns == kVectors * kLanes) {
      store_first<kVectors * kLanes>(bytes, t.bytes[i]);
    } else if constexpr (kWide) {
      hn::BlendedStore(bytes, hn::FirstN(d8, static_cast<size_t>(t.columns)), d8, t.bytes[i]);
    } else {
      HWY_ALIGN uint8_t edge[4 * kLanes];
      hn::Store(bytes, d8, edge);
      std::memcpy(t.bytes[i], edge, static_cast<size_t>(t.columns));
    }
  }
}

#endif

#if HWY_ARCH_ARM_A64
constexpr bool kHasLanes = true;
template <Int8Form kForm, int kLane, int kRows, int kVectors>
HWY_INLINE void add_lane(const V (&a)[kRows], const int32_t* b, V (&sum)[kRows][kVectors]) {
  V bv[kVectors];
  WICK_UNROLL
  for (int j = 0; j < kVectors; ++j) bv[j] = hn::Load(D(), b + j * kLanes);
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) {
    WICK_UNROLL
    for (int j = 0; j < kVectors; ++j) sum[i][j] = multiply_lane<kForm, kLane>(sum[i][j], a[i], bv[j]);
  }
  // The next loads come after this, or compilers gather them and run out of registers.
  __asm__ volatile("" ::: "memory");
}
// One word of each row.
template <Int8Form kForm, int kRows, int kVectors>
HWY_INLINE void add_word(const uint8_t* const (&row)[kRows], int64_t k, const int32_t* b, V (&sum)[kRows][kVectors]) {
  V a[kRows];
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) {
    int32_t word;
    std::memcpy(&word, row[i] + k, sizeof(word));
    a[i] = centered<kForm>(V(vsetq_lane_s32(word, vdupq_n_s32(0), 0)));
  }
  add_lane<kForm, 0>(a, b, sum);
}
// Four words of each row at a time, from `k` on as far as they are below `last`: one load of a row serves four steps.
template <Int8Form kForm, int kRows, int kVectors>
HWY_INLINE void add_fours(const uint8_t* const (&row)[kRows], int64_t& k, int64_t last, const int32_t*& b,
                          V (&sum)[kRows][kVectors]) {
  constexpr int64_t kStep = kVectors * kLanes;
  const int32_t* const end = b + (last - k) / (4 * kInt8Word) * 4 * kStep;
  for (; b != end; b += 4 * kStep, k += 4 * kInt8Word) {
    // One offset for all rows, and not a pointer for each that moves.
    __asm__("" : "+r"(k));
    V a[kRows];
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) a[i] = centered<kForm>(V(vreinterpretq_s32_u8(vld1q_u8(row[i] + k))));
    add_lane<kForm, 0>(a, b, sum);
    add_lane<kForm, 1>(a, b + kStep, sum);
    add_lane<kForm, 2>(a, b + 2 * kStep, sum);
    add_lane<kForm, 3>(a, b + 3 * kStep, sum);
  }
}
#else
constexpr bool kHasLanes = false;
#endif

template <Int8Form kForm, int kRows, int kVectors>
HWY_NOINLINE void tile(const Tile& t) {
  const D d;
  constexpr int kStep = vectors_per_word(kForm);
  V sum[kRows][kVectors];
  WICK_UNROLL
  for (int j = 0; j < kVectors; ++j) {
    const V start = hn::LoadU(d, t.p->result.start + t.first + j * kLanes);
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) sum[i][j] = start;
  }
  const uint8_t* row[kRows];
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) row[i] = t.a[i];
  const int32_t* b = t.b;
  for (const Int8Segment *s = t.p->segments, *end = s + t.p->segment_count; s != end; ++s) {
    int64_t k = s->a;
    const int64_t last = k + s->words * kInt8Word;
    if constexpr (kHasLanes && kForm != Int8Form::kPairs) add_fours<kForm>(row, k, last, b, sum);
    for (; k < last; k += kInt8Word) {
      if constexpr (kHasLanes && kForm != Int8Form::kPairs) {
        add_word<kForm>(row, k, b, sum);
        b += kVectors * kLanes;
        continue;
      }
      V bv[kVectors * kStep];
      if constexpr (kForm != Int8Form::kPairs) {
        WICK_UNROLL
        for (int j = 0; j < kVectors; ++j) bv[j] = hn::Load(d, b + j * kLanes);
      }
      WICK_UNROLL
      for (int i = 0; i < kRows; ++i) {
        int32_t word;
        std::memcpy(&word, row[i] + k, sizeof(word));
        const V a = hn::Set(d, word);
        if constexpr (kForm != Int8Form::kPairs) {
          WICK_UNROLL
          for (int j = 0; j < kVectors; ++j) sum[i][j] = multiply_quads<kForm>(sum[i][j], a, bv[j]);
        } else {
          const Words<kForm, D> words(a);
          WICK_UNROLL
          for (int j = 0; j < kVectors; ++j) sum[i][j] = words.add_products(sum[i][j], b + j * kStep * kLanes);
        }
      }
      b += kVectors * kStep * kLanes;
    }
  }
  if (!build::kInt8Floats || t.p->floats.base == nullptr) return finish_bytes(sum, t);
  HWY_ALIGN int32_t sums[kRows * kVectors * kLanes];
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) {
    WICK_UNROLL
    for (int j = 0; j < kVectors; ++j) hn::Store(sum[i][j], d, sums + (i * kVectors + j) * kLanes);
  }
  finish_floats(sums, kVectors, t);
}

using TileFn = void (*)(const Tile&);
// The sizes that exist of a number of vectors; a tile of another size repeats its last row.
struct TileSize {
  int8_t rows;
  TileFn run;
};
template <Int8Form kForm, int kVectors>
TileSize size_for(int64_t rows) {
  constexpr int kMax = rows_of(kForm, kVectors);
  if (rows <= 1) return {1, &tile<kForm, 1, kVectors>};
  if (rows <= 2) return {2, &tile<kForm, 2, kVectors>};
  if (rows <= 4) return {4, &tile<kForm, 4, kVectors>};
  return {kMax, &tile<kForm, kMax, kVectors>};
}
template <Int8Form kForm>
TileSize size_for(int64_t rows, int64_t vectors) {
  if constexpr (kMaxVectors == 4) {
    if (vectors == 4) return size_for<kForm, kMaxVectors>(rows);
    if (vectors == 3) return size_for<kForm, kMaxVectors - 1>(rows);
  }
  return vectors == 2 ? size_for<kForm, 2>(rows) : size_for<kForm, 1>(rows);
}
TileSize size_for(Int8Form form, int64_t rows, int64_t vectors) {
  if constexpr (kHasQuads) {
    if (form == Int8Form::kQuads) return size_for<Int8Form::kQuads>(rows, vectors);
  }
  if constexpr (kHasMixedQuads) {
    if (form == Int8Form::kMixedQuads) return size_for<Int8Form::kMixedQuads>(rows, vectors);
  }
  return size_for<Int8Form::kPairs>(rows, vectors);
}

int64_t vectors_of(int64_t n) { return ceil_div(n, kLanes); }
int64_t panels_of(int64_t n) { return ceil_div(vectors_of(n), kMaxVectors); }
struct Range {
  int64_t first, last;
  int64_t size() const { return last - first; }
};
// Vectors of panel p; panels differ by one vector at most.
Range panel_vectors(int64_t n, int64_t p) {
  const int64_t vectors = vectors_of(n), panels = panels_of(n), base = vectors / panels, extra = vectors % panels;
  const int64_t first = p * base + std::min(p, extra);
  return {first, first + base + (p < extra ? 1 : 0)};
}

template <class F>
void each_column(int64_t n, Int8Order order, F&& f) {
  for (int64_t p = 0; p < panels_of(n); ++p) {
    const Range v = panel_vectors(n, p);
    for (int64_t c = 0; c < v.size() * kLanes; ++c) {
      f(v, v.first * kLanes + c, order == Int8Order::kNarrowing ? narrowing_place(c, v.size(), kLanes) : c);
    }
  }
}

size_t weights_size(int64_t n, int64_t words, Int8Form form) {
  return static_cast<size_t>(vectors_of(n) * kLanes * words * vectors_per_word(form)) * sizeof(int32_t);
}

int64_t columns(int64_t n) { return vectors_of(n) * kLanes; }

WICK_RARELY_RUN void pack_weights(const int16_t* w, int64_t n, int64_t words, Int8Form form, Int8Order order,
                                  void* dst) {
  const int64_t step = vectors_per_word(form);
  each_column(n, order, [&](Range v, int64_t column, int64_t place) {
    int32_t* panel = static_cast<int32_t*>(dst) + v.first * kLanes * words * step;
    constexpr int16_t kNone[4] = {};
    for (int64_t k = 0; k < words; ++k) {
      int32_t* vector = panel + (k * v.size() + place / kLanes) * step * kLanes;
      put_word(column < n ? w + (column * words + k) * kInt8Word : kNone, form, kLanes, place % kLanes, vector);
    }
  });
}

template <class T>
void pack_values(const T* values, int64_t n, Int8Order order, T* dst) {
  each_column(n, order, [&](Range v, int64_t column, int64_t place) {
    dst[v.first * kLanes + place] = column < n ? values[column] : T(0);
  });
}
WICK_RARELY_RUN void pack_floats(const float* values, int64_t n, Int8Order order, float* dst) {
  pack_values(values, n, order, dst);
}
WICK_RARELY_RUN void pack_ints(const int32_t* values, int64_t n, Int8Order order, int32_t* dst) {
  pack_values(values, n, order, dst);
}

#ifdef WICK_HAS_INT8_LANES
// Pixels by panels of four full vectors, whose results are bytes, in tiles of five rows and of four, which together
// make nearly every line. What a line leaves takes the tiles of any size.
class Lanes {
 public:
  explicit Lanes(const Int8Product& p) : p_(p), zero_(static_cast<int16_t>(p.result.zero)) {
    const Int8Result& r = p.result;
    bounds_[0] = static_cast<uint8_t>(r.high);
    bounds_[1] = static_cast<uint8_t>(r.low);
    bounds_[2] = r.flip;
    suits_ = p.form != Int8Form::kPairs && p.floats.base == nullptr && p.segment_count <= kMostSegments;
    int64_t count = 0;
    for (int64_t i = 0; suits_ && i < p.segment_count; ++i) {
      const int64_t from = p.segments[i].a, words = p.segments[i].words;
      if (words > 0) segments_[count++] = {from, from + words / 4 * 4 * kInt8Word, from + words * kInt8Word};
    }
    suits_ = suits_ && count > 0;
    tile_.segments = segments_;
    tile_.segments_end = segments_ + count;
    tile_.zero = &zero_;
    tile_.bounds = r.low == 0 && r.high == 255 && r.flip == 0 ? nullptr : bounds_;
  }
  bool suit(const Tile& t, int64_t vectors) const { return suits_ && vectors == 4 && t.columns == 4 * kLanes; }
  // For the panel of t, of `pixels` in a line; gives how many of them it did.
  int64_t run(const Tile& t, const uint8_t* a, uint8_t* y, int64_t pixels) {
    tile_.b = t.b;
    tile_.start = p_.result.start + t.first;
    tile_.scale = p_.result.scale + t.first;
    const int64_t tiles = ceil_div(pixels, 5), larger = pixels - 4 * tiles;
    const int64_t fives = larger >= 0 ? larger : pixels / 5, fours = larger >= 0 ? tiles - larger : 0;
    if (fives > 0) strip<5>(a, y, fives);
    if (fours > 0) strip<4>(a + 5 * fives * p_.a.step, y + 5 * fives * p_.bytes.step, fours);
    return 5 * fives + 4 * fours;
  }

 private:
  template <int kRows>
  void strip(const uint8_t* a, uint8_t* y, int64_t tiles) const {
    if (p_.form == Int8Form::kQuads) {
      return lane_strip<Int8Form::kQuads, kRows>(tile_, a, p_.a.step, y, p_.bytes.step, tiles);
    }
    if constexpr (kHasMixedQuads)
      lane_strip<Int8Form::kMixedQuads, kRows>(tile_, a, p_.a.step, y, p_.bytes.step, tiles);
  }

  static constexpr int64_t kMostSegments = 49;
  const Int8Product& p_;
  const int16_t zero_;
  uint8_t bounds_[3];
  bool suits_;
  Int8LaneSegment segments_[kMostSegments];
  Int8LaneTile tile_{};
};
#endif

// Pixels [first, last) by all panels, or all pixels by some panels.
void run(const Int8Product& p, Range pixels, Range panels) {
  const int64_t step = vectors_per_word(p.form);
  const bool floats = p.floats.base != nullptr;
  const int64_t item = floats ? sizeof(float) : 1;
  uint8_t* result = floats ? reinterpret_cast<uint8_t*>(p.floats.base) : p.bytes.base;
  const int64_t c_line = (floats ? p.floats.line : p.bytes.line) * item;
  const int64_t c_step = (floats ? p.floats.step : p.bytes.step) * item;
  // Lines that follow each other in both images are one.
  const bool is_line = p.a.line == p.width * p.a.step && c_line == p.width * c_step;
  const int64_t width = is_line ? std::max<int64_t>(1, p.pixels) : p.width;
  [[maybe_unused]] const int64_t a_step = p.a.step;
  // Weights that stay in the first cache meet a few pixels at a time, so that these stay there too.
  constexpr size_t kSmall = 16 * 1024;
  constexpr int64_t kFew = 120;
  const int64_t block = weights_size(p.n, p.words, p.form) <= kSmall ? kFew : pixels.size();
#ifdef WICK_HAS_INT8_LANES
  Lanes lanes(p);
#endif
  for (int64_t from = pixels.first; from < pixels.last; from += block) {
    const int64_t to = std::min(pixels.last, from + block);
    for (int64_t panel = panels.first; panel < panels.last; ++panel) {
      check_bounds();
      const Range v = panel_vectors(p.n, panel);
      Tile t;
      t.p = &p;
      t.first = v.first * kLanes;
      t.columns = std::min(p.n, v.last * kLanes) - t.first;
      t.b = static_cast<const int32_t*>(p.weights) + t.first * p.words * step;
      const int64_t line = from / width;
      int64_t at = from % width;
      const uint8_t* a = p.a.base + line * p.a.line + at * p.a.step;
      uint8_t* c = result + line * c_line + at * c_step + t.first * item;
      for (int64_t m = from; m < to;) {
#ifdef WICK_HAS_INT8_LANES
        if (lanes.suit(t, v.size())) {
          const int64_t done = lanes.run(t, a, c, std::min(to - m, width - at));
          m += done;
          at += done;
          a += done * p.a.step;
          c += done * c_step;
          if (at == width) {
            at = 0;
            a += p.a.line - width * p.a.step;
            c += c_line - width * c_step;
          }
          if (m == to) break;
          if (at == 0 && done > 0) continue;
        }
#endif
        const TileSize size = size_for(p.form, to - m, v.size());
        t.rows = static_cast<int>(std::min<int64_t>(size.rows, to - m));
        if (kHasLanes && t.rows == size.rows && at + t.rows < width) {
          for (int i = 0; i < t.rows; ++i, a += a_step, c += c_step) {
            t.a[i] = a;
            t.bytes[i] = c;
          }
          at += t.rows;
          size.run(t);
          m += t.rows;
          continue;
        }
        for (int i = 0; i < size.rows; ++i) {
          if (i >= t.rows) {
            t.a[i] = t.a[i - 1];
            t.bytes[i] = t.bytes[i - 1];
            continue;
          }
          t.a[i] = a;
          t.bytes[i] = c;
          a += p.a.step;
          c += c_step;
          if (++at == width) {
            at = 0;
            a += p.a.line - width * p.a.step;
            c += c_line - width * c_step;
          }
        }
        size.run(t);
        m += t.rows;
      }
    }
  }
}

void run_part(const Int8Product& p, int64_t part, int64_t parts) {
  const int64_t panels = panels_of(p.n);
  const auto cut = [&](int64_t n) { return Range{n * part / parts, n * (part + 1) / parts}; };
  if (p.pixels >= panels * kMostRows) {
    run(p, cut(p.pixels), {0, panels});
  } else {
    run(p, {0, p.pixels}, cut(panels));
  }
}

int target() { return HWY_ARCH_ARM_A64 || !kHasQuads ? 0 : kWide ? 2 : 1; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(weights_size);
HWY_EXPORT(columns);
HWY_EXPORT(pack_weights);
HWY_EXPORT(pack_floats);
HWY_EXPORT(pack_ints);
HWY_EXPORT(run_part);
HWY_EXPORT(target);

bool has_int8_form(Int8Form form) {
  if (form == Int8Form::kPairs) return true;
#if HWY_ARCH_X86
  if (form == Int8Form::kMixedQuads) return false;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  switch (HWY_DYNAMIC_DISPATCH(target)()) {
    case 2:
      return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ecx >> 11 & 1);
    case 1:
      return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) && (eax >> 4 & 1);
    default:
      return false;
  }
#elif HWY_ARCH_ARM_A64 && defined(__linux__)
  constexpr unsigned long kDotProduct = 1 << 20, kMatrices = 1 << 13;  // HWCAP_ASIMDDP, HWCAP2_I8MM
#ifdef WICK_WITHOUT_I8MM
  if (form == Int8Form::kMixedQuads) return false;
#endif
  return form == Int8Form::kQuads ? (getauxval(AT_HWCAP) & kDotProduct) != 0 : (getauxval(AT_HWCAP2) & kMatrices) != 0;
#elif HWY_ARCH_ARM_A64 && defined(__APPLE__)
#ifdef WICK_WITHOUT_I8MM
  if (form == Int8Form::kMixedQuads) return false;
#endif
  // Named so since macOS 12 and iOS 15; a system that does not know the name has no form to offer.
  const char* name = form == Int8Form::kQuads ? "hw.optional.arm.FEAT_DotProd" : "hw.optional.arm.FEAT_I8MM";
  int has = 0;
  size_t size = sizeof has;
  return sysctlbyname(name, &has, &size, nullptr, 0) == 0 && has != 0;
#elif HWY_ARCH_ARM_A64 && defined(__ARM_FEATURE_MATMUL_INT8)
  return true;
#elif HWY_ARCH_ARM_A64 && defined(__ARM_FEATURE_DOTPROD)
  return form == Int8Form::kQuads;
#else
  return false;
#endif
}

Int8Form best_int8_form() {
  for (const Int8Form form : {Int8Form::kMixedQuads, Int8Form::kQuads}) {
    if (has_int8_form(form)) return form;
  }
  return Int8Form::kPairs;
}

int32_t int8_input_offset(Int8Form form) { return HWY_ARCH_ARM_A64 && form == Int8Form::kQuads ? 128 : 0; }

size_t int8_weights_size(int64_t n, int64_t words, Int8Form form) {
  return HWY_DYNAMIC_DISPATCH(weights_size)(n, words, form);
}
int64_t int8_columns(int64_t n) { return HWY_DYNAMIC_DISPATCH(columns)(n); }
void pack_int8_weights(const int16_t* w, int64_t n, int64_t words, Int8Form form, Int8Order order, void* dst) {
  HWY_DYNAMIC_DISPATCH(pack_weights)(w, n, words, form, order, dst);
}
void pack_int8_columns(const float* values, int64_t n, Int8Order order, float* dst) {
  HWY_DYNAMIC_DISPATCH(pack_floats)(values, n, order, dst);
}
void pack_int8_columns(const int32_t* values, int64_t n, Int8Order order, int32_t* dst) {
  HWY_DYNAMIC_DISPATCH(pack_ints)(values, n, order, dst);
}

void int8_product(const Int8Product& p, const Workers& workers) {
  if (p.pixels == 0 || p.n == 0) return;
  const int64_t parts = workers.count;
  workers.each(parts, [&](int64_t first, int64_t last) {
    for (int64_t part = first; part < last; ++part) HWY_DYNAMIC_DISPATCH(run_part)(p, part, parts);
  });
}

}  // namespace wick::kernels
#endif
