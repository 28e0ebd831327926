// Register tiles of the matrix products; included once per target and element type (WICK_GEMM_TYPE).
#if defined(WICK_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_TILE_INL_H
#undef WICK_TILE_INL_H
#else
#define WICK_TILE_INL_H
#endif

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/divide.h"
#include "kernels/doubles-inl.h"
#include "kernels/epilogue-inl.h"
#include "kernels/lanes-inl.h"
#include "kernels/product.h"
#include "kernels/tag-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

using T = WICK_GEMM_TYPE;
using D = TagOf<T>;
using V = hn::Vec<D>;
constexpr int64_t kLanes = HWY_LANES(T);

// A tile is some rows by some vectors. Accumulators, one row of B and a broadcast element must fit the register file
// (32 registers with AVX-512 and NEON, else 16); on NEON compilers load the elements of all rows at once, which takes
// a register each. The pointers to the rows are to stay in general registers, hence 12 at most.
// Doubles, and machines without AVX2, do with fewer sizes of tiles, to save code.
constexpr bool kIsFloat = sizeof(T) <= sizeof(float);  // or half a float
#if HWY_TARGET == HWY_NEON
constexpr int kMaxVectors = kIsFloat ? 4 : 2;
constexpr int kRowsOf[4] = {8, 8, 7, 5};
#elif HWY_TARGET <= HWY_AVX3
constexpr int kMaxVectors = kIsFloat ? 4 : 2;
constexpr int kRowsOf[4] = {10, 10, 8, 6};
#else
constexpr int kMaxVectors = 2;
constexpr int kRowsOf[2] = {8, 6};
#endif
constexpr bool kFewSizes = !kIsFloat || HWY_TARGET == HWY_SSE4;
constexpr int kMostRows = 10;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr bool kHasMasks = HWY_TARGET <= HWY_AVX2;
// Whether there are ways to add up a panel of which only half of the last vector exists (24 and 40 channels are one and
// a half, two and a half) without the other half. Tiles add it as half a vector, which is no shorter but where the
// machine takes a vector of 512 bits in two halves. Strips of many pixels take two steps of k at a time, and eight
// columns: a vector is a[k] * b[k][0], a[k + 1] * b[k + 1][0], a[k] * b[k][1] and so on.
constexpr bool kHasHalves = kIsFloat && HWY_TARGET <= HWY_AVX3;

// Rows of the tiles of a strip. What surrounds the sums of a shallow product is a good part of it, and overlaps better
// with the sums of the next tile when there is less of it at a time.
constexpr int strip_rows(int64_t vectors) {
  if (HWY_TARGET == HWY_NEON) return kRowsOf[vectors - 1];
  return std::min(kRowsOf[vectors - 1], vectors > 2 ? 4 : vectors == 2 ? 6 : 10);
}

// The same of a strip that takes two steps of k at a time, whose sums are two vectors for each but the half one.
constexpr int paired_rows(int64_t vectors) { return vectors == 2 ? 8 : 5; }

// How the sums of a tile become results where it is more than a range: v = alpha * sum + beta * c + biases + add.
struct Finish {
  T alpha = 1, beta = 0;
  const T* row_bias = nullptr;
  Activation activation = Activation::kNone;
  bool add_last = false;
};

struct Tile {
  const T* a[kMostRows];
  T* c[kMostRows];
  const T* add[kMostRows];  // read when has_add
  int rows;                 // real ones; the others repeat the last
  bool has_add;
  int64_t columns;  // that exist; the rest of the vectors is padding
  const Segment* segments;
  int64_t segment_count;
  const T* b;
  int64_t b_step;
  const T* bias;  // whole vectors
  T low, high;
  // What is needed after this panel is fetched while the sums run, so many bytes for each step of k.
  const char* fetch = nullptr;
  int64_t fetch_step = 0;
  const Finish* finish;  // null: sum + bias + add, clamped
  // What is done to C after that, by row; then `low` and `high` are open.
  const Epilogue* after = nullptr;
  bool adds_last = false;  // `add` comes after the epilogue, and has_add is false
};

// Loads and stores the first `count` (1 .. kLanes) elements.
HWY_INLINE V load_part(const T* from, int64_t count) {
  const D d;
  if (count == kLanes) return hn::LoadU(d, from);
  HWY_ALIGN T edge[kLanes] = {};
  std::memcpy(edge, from, static_cast<size_t>(count) * sizeof(T));
  return hn::Load(d, edge);
}
HWY_INLINE void store_part(V v, T* to, int64_t count) {
  const D d;
  if (count == kLanes) return hn::StoreU(v, d, to);
  HWY_ALIGN T edge[kLanes];
  hn::Store(v, d, edge);
  std::memcpy(to, edge, static_cast<size_t>(count) * sizeof(T));
}

#ifdef WICK_HALF_TYPE
void activate_all(Activation activation, T* v, int64_t n) {
  const D d;
  with_activation(activation, [&](auto constant) HWY_ATTR {
    for (int64_t i = 0; i < n; i += kLanes)
      hn::StoreU(activate(d, decltype(constant)::value, hn::LoadU(d, v + i)), d, v + i);
  });
}
#endif
[[maybe_unused]] void activate_all(Activation activation, float* v, int64_t n) {
  Epilogue e;
  e.activation = activation;
  if (activation != Activation::kNone) apply_epilogue(e, v, v, n);
}
[[maybe_unused]] void activate_all(Activation, double*, int64_t) {}

// Writes sums [rows][vectors * kLanes] to C. Kept apart from the tiles, which there are many of.
HWY_NOINLINE WICK_RARELY_RUN void finish_tile(T* sums, int vectors, const Tile& t) {
  const D d;
  const Finish plain{}, &f = t.finish ? *t.finish : plain;
  const V alpha = hn::Set(d, f.alpha), beta = hn::Set(d, f.beta), low = hn::Set(d, t.low), high = hn::Set(d, t.high);
  const auto for_each = [&](auto&& body) HWY_ATTR {
    for (int j = 0; j < vectors; ++j)
      for (int i = 0; i < t.rows; ++i)
        body(i, j * kLanes, std::min(kLanes, t.columns - j * kLanes), sums + (i * vectors + j) * kLanes);
  };
  for_each([&](int i, int64_t at, int64_t here, T* sum) HWY_ATTR {
    V v = hn::Mul(hn::Load(d, sum), alpha);
    if (f.beta != T(0)) v = hn::MulAdd(beta, load_part(t.c[i] + at, here), v);
    v = hn::Add(v, hn::LoadU(d, t.bias + at));
    if (f.row_bias) v = hn::Add(v, hn::Set(d, f.row_bias[i]));
    if (t.has_add && !f.add_last) v = hn::Add(v, load_part(t.add[i] + at, here));
    hn::Store(v, d, sum);
  });
  activate_all(f.activation, sums, t.rows * vectors * kLanes);
  for_each([&](int i, int64_t at, int64_t here, T* sum) HWY_ATTR {
    V v = clamp_to(low, high, hn::Load(d, sum));
    if (t.has_add && f.add_last) v = hn::Add(v, load_part(t.add[i] + at, here));
    store_part(v, t.c[i] + at, here);
  });
}

// The epilogue of rows whose sums are in C: those of a tile, or of a strip of them.
struct TileRows {
  const Tile& t;
  int64_t count() const { return t.rows; }
  int64_t columns() const { return t.columns; }
  bool adds() const { return t.adds_last; }
  T* c(int64_t i) const { return t.c[i]; }
  const T* add(int64_t i) const { return t.add[i]; }
};
struct StripRows {
  T* first;
  const T* first_add;
  int64_t c_step, add_step, rows, width;
  bool adds_last;
  int64_t count() const { return rows; }
  int64_t columns() const { return width; }
  bool adds() const { return adds_last; }
  T* c(int64_t i) const { return first + i * c_step; }
  const T* add(int64_t i) const { return first_add + i * add_step; }
};
template <class Rows>
void finish_rows_of(const Rows& rows, const Epilogue& e) {
  const D d;
  const V low = hn::Set(d, e.low), high = hn::Set(d, e.high);
  const int64_t count = rows.count(), columns = rows.columns();
  const bool adds = rows.adds();
  with_activation(e.activation, [&](auto activation) HWY_ATTR {
    constexpr bool kClamps = decltype(activation)::value == Activation::kNone;
    for (int64_t i = 0; i < count; ++i) {
      T* const c = rows.c(i);
      const auto rest_of = [&](V v, int64_t at, int64_t here) HWY_ATTR {
        if constexpr (kClamps) v = clamp_to(low, high, v);
        return adds ? hn::Add(v, load_part(rows.add(i) + at, here)) : v;
      };
      const auto finished = [&](V v, int64_t at, int64_t here)
                                HWY_ATTR { return rest_of(activate(d, decltype(activation)::value, v), at, here); };
      int64_t at = 0;
      constexpr int64_t kAtOnce = vectors_at_once(decltype(activation)::value);
      for (; kAtOnce > 1 && at + kAtOnce * kLanes <= columns; at += kAtOnce * kLanes) {
        V v[kAtOnce];
        WICK_UNROLL
        for (int64_t j = 0; j < kAtOnce; ++j) v[j] = hn::LoadU(d, c + at + j * kLanes);
        activate_several<decltype(activation)::value>(d, v);
        if (kClamps || adds) {
          WICK_UNROLL
          for (int64_t j = 0; j < kAtOnce; ++j) v[j] = rest_of(v[j], at + j * kLanes, kLanes);
        }
        WICK_UNROLL
        for (int64_t j = 0; j < kAtOnce; ++j) hn::StoreU(v[j], d, c + at + j * kLanes);
      }
      for (; at + kLanes <= columns; at += kLanes) hn::StoreU(finished(hn::LoadU(d, c + at), at, kLanes), d, c + at);
      if (at < columns) store_part(finished(load_part(c + at, columns - at), at, columns - at), c + at, columns - at);
    }
  });
}
HWY_NOINLINE void finish_rows(const Tile& t) {
  if constexpr (kIsFloat) finish_rows_of(TileRows{t}, *t.after);
}
// Whether finish_rows can do it: an activation and a range together are left to the general finish.
[[maybe_unused]] bool by_rows_suits(const Epilogue& e) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  return e.activation == Activation::kNone || (e.low == -kInf && e.high == kInf);
}

// kHalf in what follows: the upper half of the last vector is padding.

// Tiles of so many vectors fetch. Narrow panels come alone, and their many rows take all general registers.
constexpr int kFetchingVectors = kMaxVectors > 2 ? kMaxVectors - 1 : 2;

// What is read of a Tile while its sums run, and when they are stored.
struct TileInput {
  const Segment* segments;
  int64_t segment_count, b_step, fetch_step;
  const T *b, *bias;
  explicit TileInput(const Tile& t)
      : segments(t.segments),
        segment_count(t.segment_count),
        b_step(t.b_step),
        fetch_step(t.fetch_step),
        b(t.b),
        bias(t.bias) {}
};
struct TileStore {
  V low, high;
  int64_t columns;
  bool has_add;
  Activation activation;  // in registers
  explicit TileStore(const Tile& t)
      : low(hn::Set(D(), t.low)),
        high(hn::Set(D(), t.high)),
        columns(t.columns),
        has_add(t.has_add),
        activation(t.after != nullptr && !t.adds_last && is_applied_in_registers(t.after->activation)
                       ? t.after->activation
                       : Activation::kNone) {}
};

#ifdef WICK_HAS_LANES
constexpr bool kHasLanes = true;
#else
constexpr bool kHasLanes = false;
#endif

// Adds to the sums of a tile, whose rows of A are at row(i), its products. Returns what is to be fetched after it.
template <int kRows, int kVectors, bool kHalf, class Row>
HWY_INLINE const char* add_products(const TileInput& t, const Row& row_at, const char* fetch,
                                    V (&sum)[kRows][kVectors]) {
  const D d;
  const hn::Half<D> half;
  constexpr int kWhole = kHalf ? kVectors - 1 : kVectors;
  hn::Vec<hn::Half<D>> half_sum[kRows];
  if constexpr (kHalf) {
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) half_sum[i] = hn::LowerHalf(half, sum[i][kWhole]);
  }
  const T* row[kRows];
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) row[i] = row_at(i);
  const int64_t b_step = t.b_step;
  constexpr bool kFetches = kRows >= 4 && kVectors >= kFetchingVectors;
  for (const Segment *s = t.segments, *end = s + t.segment_count; s != end; ++s) {
    const T* b = t.b + s->b * b_step;
    int64_t k = s->a;
    const int64_t last = k + s->length;
    for (; k < last; ++k) {
      V bv[kVectors];
      WICK_UNROLL
      for (int j = 0; j < kWhole; ++j) bv[j] = hn::LoadU(d, b + j * kLanes);
      [[maybe_unused]] const auto half_bv = hn::LoadU(half, b + (kVectors - 1) * kLanes);
      b += b_step;
      if constexpr (kFetches) {
        __builtin_prefetch(fetch, 0, 2);
        fetch += t.fetch_step;
      }
      WICK_UNROLL
      for (int i = 0; i < kRows; ++i) {
        const V av = hn::Set(d, row[i][k]);
        WICK_UNROLL
        for (int j = 0; j < kWhole; ++j) sum[i][j] = hn::MulAdd(av, bv[j], sum[i][j]);
        if constexpr (kHalf) half_sum[i] = hn::MulAdd(hn::LowerHalf(half, av), half_bv, half_sum[i]);
      }
    }
  }
  if constexpr (kHalf) {
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) sum[i][kWhole] = hn::ZeroExtendVector(d, half_sum[i]);
  }
  return fetch;
}

#ifndef WICK_HALF_TYPE
// The same by pairs of k, where t.b is what pair_up made.
template <int kRows, int kSums, class Row>
HWY_INLINE const char* add_pairs(const TileInput& t, const Row& row_at, const char* fetch, V (&sum)[kRows][kSums]) {
  const D d;
  using Two = std::conditional_t<HWY_HAVE_FLOAT64, double, uint64_t>;
  const hn::Repartition<Two, D> pair;
  const T* row[kRows];
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) row[i] = row_at(i);
  for (const Segment *s = t.segments, *end = s + t.segment_count; s != end; ++s) {
    const T* b = t.b + s->b / 2 * kSums * kLanes;
    for (int64_t k = s->a, last = k + s->length; k < last; k += 2, b += kSums * kLanes) {
      V bv[kSums];
      WICK_UNROLL
      for (int j = 0; j < kSums; ++j) bv[j] = hn::LoadU(d, b + j * kLanes);
      __builtin_prefetch(fetch, 0, 2);
      __builtin_prefetch(fetch + t.fetch_step, 0, 2);
      fetch += 2 * t.fetch_step;
      WICK_UNROLL
      for (int i = 0; i < kRows; ++i) {
        Two two;
        std::memcpy(&two, row[i] + k, sizeof two);
        const V av = hn::BitCast(d, hn::Set(pair, two));
        WICK_UNROLL
        for (int j = 0; j < kSums; ++j) sum[i][j] = hn::MulAdd(av, bv[j], sum[i][j]);
      }
    }
  }
  return fetch;
}
#endif

// A panel of `columns` by pairs of k, as far as there are pairs; `to` holds paired_size elements.
[[maybe_unused]] int64_t paired_size(int64_t columns, int64_t depth) {
  return (2 * ceil_div(columns, kLanes) - 1) * kLanes * (depth / 2);
}
[[maybe_unused]] void pair_up(const T* b, int64_t columns, int64_t depth, T* to) {
#ifndef WICK_HALF_TYPE
  if constexpr (kHasHalves) {
    const D d;
    const hn::RebindToSigned<D> di;
    const int64_t vectors = ceil_div(columns, kLanes), step = vectors * kLanes;
    // 0, 8, 1, 9, ...
    const auto lane = hn::Iota(di, 0);
    const auto zip = hn::IndicesFromVec(
        d, hn::Add(hn::ShiftRight<1>(lane), hn::Mul(hn::And(lane, hn::Set(di, 1)), hn::Set(di, int32_t{kLanes / 2}))));
    for (int64_t k = 0; k + 1 < depth; k += 2, b += 2 * step) {
      for (int64_t j = 0; j < vectors; ++j) {
        const V first = hn::LoadU(d, b + j * kLanes), second = hn::LoadU(d, b + step + j * kLanes);
        hn::StoreU(hn::TableLookupLanes(hn::ConcatLowerLower(d, second, first), zip), d, to);
        to += kLanes;
        if (j + 1 == vectors) continue;
        hn::StoreU(hn::TableLookupLanes(hn::ConcatUpperUpper(d, second, first), zip), d, to);
        to += kLanes;
      }
    }
  }
#endif
}

// Begins the sums with the bias, or with nothing.
template <int kRows, int kVectors>
HWY_INLINE void begin_sums(const T* bias, V (&sum)[kRows][kVectors]) {
  const D d;

  V first[kVectors];
  WICK_UNROLL
  for (int j = 0; j < kVectors; ++j) first[j] = bias != nullptr ? hn::LoadU(d, bias + j * kLanes) : hn::Zero(d);
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) {
    WICK_UNROLL
    for (int j = 0; j < kVectors; ++j) sum[i][j] = first[j];
  }
}

// Writes the sums of a tile without a finish to its rows c(i), with add(i) and the range. kActivates: and the
// activation that is applied in registers; others, and those of deep products, come afterwards to save code.
template <bool kActivates, int kRows, int kVectors, class C, class Add>
HWY_INLINE void store_sums(const TileStore& t, const C& c, const Add& add, V (&sum)[kRows][kVectors]) {
  const D d;
  const int64_t tail = t.columns - (kVectors - 1) * kLanes;
  // What is added comes after the sums, which would otherwise be rounded to its size in every step.
  if (t.has_add) {
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) {
      WICK_UNROLL
      for (int j = 0; j < kVectors - 1; ++j) sum[i][j] = hn::Add(sum[i][j], hn::LoadU(d, add(i) + j * kLanes));
      const T* last = add(i) + (kVectors - 1) * kLanes;
      V v;
      if constexpr (kHasMasks) {
        v = hn::MaskedLoad(hn::FirstN(d, static_cast<size_t>(tail)), d, last);
      } else {
        v = hn::LoadU(d, last);
      }
      sum[i][kVectors - 1] = hn::Add(sum[i][kVectors - 1], v);
    }
  }
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) {
    WICK_UNROLL
    for (int j = 0; j < kVectors; ++j) sum[i][j] = clamp_to(t.low, t.high, sum[i][j]);
  }
  if constexpr (kActivates) {
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) activate_in_registers(d, t.activation, sum[i]);
  }
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) {
    WICK_UNROLL
    for (int j = 0; j < kVectors - 1; ++j) hn::StoreU(sum[i][j], d, c(i) + j * kLanes);
  }
  constexpr int64_t kLast = (kVectors - 1) * kLanes;
  if (tail == kLanes || !kHasMasks) {
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) hn::StoreU(sum[i][kVectors - 1], d, c(i) + kLast);
  } else {
    const auto mask = hn::FirstN(d, static_cast<size_t>(tail));
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) hn::BlendedStore(sum[i][kVectors - 1], mask, d, c(i) + kLast);
  }
}

// Whether a tile of so many vectors has nothing that the registers cannot do.
template <int kVectors>
HWY_INLINE bool is_simple(const Tile& t) {
  return t.finish == nullptr && (kHasMasks || t.columns == kVectors * kLanes);
}

#ifdef WICK_HAS_LANES
// What lanes-inl.h takes: a tile of whole vectors by a panel of B alone (a B that is read in place has longer rows),
// that needs no general finish.
constexpr int64_t kMostLaneSegments = 49;
bool is_plain(const Tile& t) {
  return t.finish == nullptr && t.columns % kLanes == 0 && t.b_step == t.columns && t.segment_count > 0 &&
         t.segment_count <= kMostLaneSegments;
}
struct PlainTile {
  LaneSegment segments[kMostLaneSegments];
  T bounds[2];
  LaneTile<T> of;

  PlainTile(const Tile& t, int64_t vectors)
      : bounds{t.low, t.high},
        of{segments, segments + t.segment_count, reinterpret_cast<const char*>(t.b), t.bias, bounds, nullptr} {
    constexpr auto kSize = static_cast<int64_t>(sizeof(T));
    for (int64_t i = 0; i < t.segment_count; ++i) {
      const Segment& s = t.segments[i];
      segments[i] = {s.a * kSize, (s.a + s.length / kLanes * kLanes) * kSize, (s.a + s.length) * kSize,
                     s.b * vectors * kLanes * kSize};
    }
    of.has_high = t.high < kInfinity;
    of.has_low = of.has_high != 0 || t.low > -kInfinity;
    if (t.after != nullptr && has_activation(Activation::kHardSwish) && t.after->activation == Activation::kHardSwish &&
        !t.adds_last)
      of.swish = kSwish;
  }
  // Whether something of the epilogue is left to do.
  bool is_finished(const Tile& t) const { return t.after == nullptr || of.swish != nullptr; }
  static constexpr T kSwish[4] = {3, 0, 6, static_cast<T>(1.0 / 6)};
};
#endif

template <int kRows, int kVectors, bool kHalf = false>
HWY_NOINLINE void tile(const Tile& t) {
#ifdef WICK_HAS_LANES
  if constexpr (has_lane_tile(kRows, kVectors)) {
    if (is_plain(t)) {
      const PlainTile plain(t, kVectors);
      const char* row[kRows];
      WICK_UNROLL
      for (int i = 0; i < kRows; ++i) row[i] = reinterpret_cast<const char*>(t.a[i]);
      T* const* c = t.c;
      const T* const* add = t.has_add ? t.add : nullptr;
      lane_tile<kRows, kVectors, true>(plain.of, row, c, 0, add, 0);
      if (!plain.is_finished(t)) finish_rows(t);
      return;
    }
  }
#endif
  V sum[kRows][kVectors];
  const bool simple = is_simple<kVectors>(t);
  begin_sums(simple ? t.bias : nullptr, sum);
  add_products<kRows, kVectors, kHalf>(
      TileInput(t), [&](int i) HWY_ATTR { return t.a[i]; }, t.fetch, sum);
  if (simple) {
    store_sums<false>(
        TileStore(t), [&](int i) HWY_ATTR { return t.c[i]; }, [&](int i) HWY_ATTR { return t.add[i]; }, sum);
    if (t.after != nullptr) finish_rows(t);
    return;
  }
  const D d;
  HWY_ALIGN T sums[kRows * kVectors * kLanes];
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) {
    WICK_UNROLL
    for (int j = 0; j < kVectors; ++j) hn::Store(sum[i][j], d, sums + (i * kVectors + j) * kLanes);
  }
  finish_tile(sums, kVectors, t);
  if (t.after != nullptr) finish_rows(t);
}

// Tiles one after the other, of rows that all are so far apart: the first ones' are t.a[0], t.c[0] and t.add[0].
struct Steps {
  int64_t a, c, add;
};

#ifdef WICK_HAS_LANES
// What is left to do with the rows of plain tiles, from c on.
HWY_NOINLINE void finish_strip(const Tile& t, T* c, const T* add, const Steps& step, int64_t rows) {
  finish_rows_of(StripRows{c, add, step.c, step.add, rows, t.columns, t.adds_last}, *t.after);
}

template <int kRows, int kVectors>
HWY_NOINLINE void plain_strip(Tile& tile, const Steps& steps, int64_t tiles) {
  constexpr auto kSize = static_cast<int64_t>(sizeof(T));
  const PlainTile plain(tile, kVectors);
  const int64_t a_step = kRows * steps.a * kSize, c_step = steps.c * kSize, add_step = steps.add * kSize;
  const char* row[kRows];
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) row[i] = reinterpret_cast<const char*>(tile.a[0] + i * steps.a);
  const T* add = tile.has_add ? tile.add[0] : nullptr;
  T* c = tile.c[0];
  for (int64_t left = tiles; left > 0; --left) {
    lane_tile<kRows, kVectors, false>(plain.of, row, c, c_step, add, add_step);
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) row[i] += a_step;
  }
  if (!plain.is_finished(tile)) finish_strip(tile, tile.c[0], tile.add[0], steps, tiles * kRows);
}
#endif

// Simple tiles in the same way. Of a shallow product what surrounds the sums of a tile is a good part, and there is
// less of it here.
// kPairs: of pairs of k; tile.b is then what pair_up made.
template <int kRows, int kVectors, bool kPairs>
HWY_NOINLINE void strip(Tile& tile, const Steps& steps, int64_t tiles) {
  // Copies, which no store can change.
  const Steps step = steps;
  const TileStore store(tile);
  const TileInput input(tile);
  const bool is_finished = tile.after == nullptr || (kIsFloat && store.activation != Activation::kNone);
  const T *a = tile.a[0], *add = tile.add[0];
  T* c = tile.c[0];
  const char* fetch = tile.fetch;
  for (; tiles > 0; --tiles) {
    V sum[kRows][kVectors];
    const auto row = [&](int i) HWY_ATTR { return a + i * step.a; };
    begin_sums(input.bias, sum);
    if constexpr (kPairs) {
      const D d;
      V paired[kRows][2 * kVectors - 1];
      begin_sums(nullptr, paired);
      fetch = add_pairs(input, row, fetch, paired);
      WICK_UNROLL
      for (int i = 0; i < kRows; ++i) {
        WICK_UNROLL
        for (int j = 0; j < kVectors; ++j) {
          const V low = paired[i][2 * j], high = paired[i][2 * j + (j + 1 < kVectors)];
          sum[i][j] = hn::Add(sum[i][j], hn::Add(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low)));
        }
      }
    } else {
      fetch = add_products<kRows, kVectors, false>(input, row, fetch, sum);
    }
    store_sums<kIsFloat>(
        store, [&](int i) HWY_ATTR { return c + i * step.c; }, [&](int i) HWY_ATTR { return add + i * step.add; }, sum);
    if (!is_finished) {
      for (int i = 0; i < kRows; ++i) {
        tile.c[i] = c + i * step.c;
        if (tile.adds_last) tile.add[i] = add + i * step.add;
      }
      finish_rows(tile);
    }
    a += kRows * step.a;
    c += kRows * step.c;
    if (add != nullptr) add += kRows * step.add;
  }
}

using TileFn = void (*)(const Tile&);
// The sizes that exist of a number of vectors; a tile of another size repeats its last row.
struct TileSize {
  int8_t rows;
  TileFn run;
};
template <int kVectors>
TileSize tile_size(int64_t rows) {
  constexpr int kMax = kRowsOf[kVectors - 1];
  if (rows <= 1) return {1, &tile<1, kVectors>};
  if constexpr (!kFewSizes && kAllTiles) {
    if (rows <= 2) return {2, &tile<2, kVectors>};
  }
  if constexpr (kMax > 5 || kAllTiles) {
    if (rows <= 4) return {4, &tile<4, kVectors>};
  }
  if constexpr (!kFewSizes) {
    if constexpr (kMax == 6) {
      if (rows <= 5) return {5, &tile<5, kVectors>};
    } else if constexpr (kMax > 6) {
      if (rows <= 6) return {6, &tile<6, kVectors>};
      if constexpr (kMax == 8 && (kVectors > 1 || kAllTiles))
        if (rows <= 7) return {7, &tile<7, kVectors>};
      if constexpr (kMax > 8)
        if (rows <= 8) return {8, &tile<8, kVectors>};
    }
  }
  return {kMax, &tile<kMax, kVectors>};
}
// `columns` that exist in the last vector.
[[maybe_unused]] bool is_half(int64_t columns) {
  const int64_t tail = columns % kLanes;
  return kHasHalves && tail > 0 && tail <= kLanes / 2;
}
// The sizes that products have most, shallow and deep; null where there is none for so many rows.
[[maybe_unused]] TileSize half_tile_size(int64_t rows, int64_t vectors) {
  if constexpr (kHasHalves) {
    if (vectors == 2) {
      if (rows == 5 || rows == 6) return {6, &tile<6, 2, true>};
      if (rows >= 8) return {10, &tile<10, 2, true>};
    }
    if (vectors == 3) {
      if (rows == 4) return {4, &tile<4, 3, true>};
      if (rows >= 7) return {8, &tile<8, 3, true>};
    }
  }
  return {};
}
// The strip for a panel of `columns`; null where there is none.
struct StripOf {
  void (*run)(Tile&, const Steps&, int64_t);
  int64_t rows;
};
template <int kVectors>
StripOf strip_of() {
  return {&strip<strip_rows(kVectors), kVectors, false>, strip_rows(kVectors)};
}
[[maybe_unused]] StripOf strip_for(int64_t columns) {
  const int64_t vectors = ceil_div(columns, kLanes);
  if (!kHasMasks && columns % kLanes != 0) return {};
  // Of more vectors there are plain strips.
  if constexpr (kHasLanes) return vectors == 1 && kAllTiles ? strip_of<1>() : StripOf{};
  if constexpr (kMaxVectors == 4) {
    if (vectors == 4) return strip_of<kMaxVectors>();
    if (vectors == 3) return strip_of<kMaxVectors - 1>();
  }
  // With NEON a panel of one vector is all there is of a layer with four channels.
  if constexpr (HWY_TARGET == HWY_NEON && !kAllTiles) return vectors == 2 ? strip_of<2>() : StripOf{};
  return vectors == 2 ? strip_of<2>() : strip_of<1>();
}
// The same where tiles are plain, of two sizes that together make most numbers of rows; null where they are not.
struct PlainStrips {
  StripOf more, fewer;
};
#ifdef WICK_HAS_LANES
template <int kVectors>
PlainStrips plain_strips_of() {
  constexpr int kMore = kRowsOf[kVectors - 1], kFewer = kVectors > 2 && kAllTiles ? kMore - 1 : kMore;
  return {{&plain_strip<kMore, kVectors>, kMore}, {&plain_strip<kFewer, kVectors>, kFewer}};
}
PlainStrips plain_strips_for(const Tile& t) {
  if (!is_plain(t)) return {};
  switch (t.columns / kLanes) {
    case 4:
      return plain_strips_of<4>();
    case 3:
      return plain_strips_of<3>();
    case 2:
      return plain_strips_of<2>();
    default:
      return {};
  }
}
#else
[[maybe_unused]] PlainStrips plain_strips_for(const Tile&) { return {}; }
#endif
// The same by pairs of k; of four vectors the half that is saved is too small a part.
template <int kVectors>
StripOf paired_strip_of() {
  return {&strip<paired_rows(kVectors), kVectors, true>, paired_rows(kVectors)};
}
[[maybe_unused]] StripOf paired_strip_for(int64_t columns) {
  if constexpr (kHasHalves) {
    if (!is_half(columns)) return {};
    const int64_t vectors = ceil_div(columns, kLanes);
    if (vectors == 3) return paired_strip_of<3>();
    if (vectors == 2) return paired_strip_of<2>();
  }
  return {};
}
TileSize tile_size(int64_t rows, int64_t vectors) {
  if constexpr (kMaxVectors == 4) {
    if (vectors == 4) return tile_size<kMaxVectors>(rows);
    if (vectors == 3) return tile_size<kMaxVectors - 1>(rows);
  }
  return vectors == 2 ? tile_size<2>(rows) : tile_size<1>(rows);
}

// Completes the rows of a tile and runs it.
[[maybe_unused]] void run_tile(Tile& t, int64_t vectors) {
  const TileSize size = tile_size(t.rows, vectors);
  for (int i = t.rows; i < size.rows; ++i) {
    t.a[i] = t.a[t.rows - 1];
    t.c[i] = t.c[t.rows - 1];
    t.add[i] = t.add[t.rows - 1];
  }
  size.run(t);
}

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
int64_t vectors_of(int64_t n) { return ceil_div(n, kLanes); }
int64_t panels_of(int64_t n) { return ceil_div(vectors_of(n), kMaxVectors); }
// Columns of panel p; all but the last column range are whole vectors.
Range panel_columns(int64_t n, int64_t panels, int64_t p) {
  const Range v = part_of(vectors_of(n), panels, p);
  return {v.first * kLanes, std::min(n, v.last * kLanes)};
}
// Bias of a panel as whole vectors.
void copy_bias(const T* bias, Range n, T* buffer) {
  std::fill(buffer, buffer + kMaxVectors * kLanes, T(0));
  if (bias != nullptr) std::memcpy(buffer, bias + n.first, static_cast<size_t>(n.size()) * sizeof(T));
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
