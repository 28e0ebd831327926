// Products with weights of eight and four bits, widened in registers.
#include "kernels/weight_only.h"

#include <algorithm>
#include <cmath>

#include "kernels/bounds.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/weight_only.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// ---- eight bits: products of contiguous rows, summed across the lanes at the end ----

// Results of kRows rows and kColumns rows of weights; kSums sums of each, so that additions do not wait for each other.
template <int kRows, int kColumns, int kSums>
HWY_INLINE void int8_tile(const Int8WeightProduct& p, int64_t row, int64_t column) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> d32;
  const hn::Rebind<int8_t, decltype(d)> d8;
  using V = hn::Vec<decltype(d)>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const float* const x = p.x + row * p.k;
  const int8_t* const w = p.weights + column * p.k;
  V sums[kRows][kColumns * kSums];
  WICK_UNROLL
  for (int r = 0; r < kRows; ++r) {
    WICK_UNROLL
    for (int j = 0; j < kColumns * kSums; ++j) sums[r][j] = hn::Zero(d);
  }
  const auto step = [&](int64_t c, int set) HWY_ATTR {
    V weights[kColumns];
    WICK_UNROLL
    for (int j = 0; j < kColumns; ++j) {
      weights[j] = hn::ConvertTo(d, hn::PromoteTo(d32, hn::LoadU(d8, w + j * p.k + c)));
    }
    WICK_UNROLL
    for (int r = 0; r < kRows; ++r) {
      const V a = hn::LoadU(d, x + r * p.k + c);
      WICK_UNROLL
      for (int j = 0; j < kColumns; ++j) {
        V& sum = sums[r][set * kColumns + j];
        sum = hn::MulAdd(a, weights[j], sum);
      }
    }
  };
  int64_t c = 0;
  for (; c + kSums * lanes <= p.k; c += kSums * lanes) {
    WICK_UNROLL
    for (int set = 0; set < kSums; ++set) step(c + set * lanes, set);
  }
  for (; c + lanes <= p.k; c += lanes) step(c, 0);
  for (int r = 0; r < kRows; ++r) {
    for (int j = 0; j < kColumns; ++j) {
      V all = sums[r][j];
      for (int set = 1; set < kSums; ++set) all = hn::Add(all, sums[r][set * kColumns + j]);
      float sum = hn::GetLane(hn::SumOfLanes(d, all));
      for (int64_t i = c; i < p.k; ++i) sum += x[r * p.k + i] * static_cast<float>(w[j * p.k + i]);
      p.y[(row + r) * p.n + column + j] = sum * p.scales[column + j];
    }
  }
}

template <int kColumns>
void int8_columns(const Int8WeightProduct& p, int64_t column) {
  constexpr int kTileRows = 4;
  int64_t row = 0;
  for (; row + kTileRows <= p.rows; row += kTileRows) int8_tile<kTileRows, kColumns, 1>(p, row, column);
  for (; row < p.rows; ++row) int8_tile<1, kColumns, 2>(p, row, column);
}

void int8_product(const Int8WeightProduct& p, int64_t first, int64_t last) {
  constexpr int kTileColumns = 3;
  int64_t column = first;
  for (; column + kTileColumns <= last; column += kTileColumns) int8_columns<kTileColumns>(p, column);
  for (; column < last; ++column) int8_columns<1>(p, column);
}

// ---- four bits: a vector of rows of the weights in each of the low and the high bits ----

// Bits at the top of an integer are 2^28 times what they are: the scale takes that back, and is exact.
constexpr float kOfTopBits = 1.0f / (1 << 28);

// The columns of the result that bytes [byte, byte + lanes) of each column of a block hold, for kRows rows; kSums sums
// of each, so that additions do not wait for each other. kHalves: the high bits are of the block's other half.
template <class D, bool kHalves, int kRows, int kSums>
HWY_INLINE void int4_tile(const Int4WeightProduct& p, D d, int64_t row, int64_t start, int64_t half, int64_t byte) {
  const hn::RebindToSigned<D> d32;
  const hn::Rebind<int8_t, D> d8;
  using V = hn::Vec<D>;
  const float* const x = p.x + row * p.k;
  const auto* w = reinterpret_cast<const int8_t*>(p.weights) + start * (p.k / 2) + byte;
  V sums[kRows * kSums][2];
  WICK_UNROLL
  for (int i = 0; i < kRows * kSums; ++i) sums[i][0] = sums[i][1] = hn::Zero(d);
  const auto flip = hn::Set(d8, static_cast<int8_t>(0x88));
  for (int64_t begin = 0; begin < p.k; begin += p.group) {
    const float* const params = p.scales_and_zeros + (begin / p.group * p.n + start) * 2;
    V scale[2], zero[2];
    if constexpr (kHalves) {
      hn::LoadInterleaved2(d, params + 2 * byte, scale[0], zero[0]);
      hn::LoadInterleaved2(d, params + 2 * (byte + half), scale[1], zero[1]);
    } else {
      hn::LoadInterleaved4(d, params + 4 * byte, scale[0], zero[0], scale[1], zero[1]);
    }
    scale[0] = hn::Mul(scale[0], hn::Set(d, kOfTopBits));
    for (int64_t c = begin; c < begin + p.group; c += kSums) {
      WICK_UNROLL
      for (int set = 0; set < kSums; ++set, w += half) {
        // Four bits b with the highest one flipped are b - 8 in two's complement.
        const auto both = hn::PromoteTo(d32, hn::Xor(hn::LoadU(d8, w), flip));
        const V low = hn::ConvertTo(d, hn::ShiftLeft<28>(both));
        const V high = hn::ConvertTo(d, hn::ShiftRight<4>(both));
        const V weights[2] = {hn::MulAdd(low, scale[0], zero[0]), hn::MulAdd(high, scale[1], zero[1])};
        WICK_UNROLL
        for (int r = 0; r < kRows; ++r) {
          const V a = hn::Set(d, x[r * p.k + c + set]);
          V(&sum)[2] = sums[set * kRows + r];
          sum[0] = hn::MulAdd(a, weights[0], sum[0]);
          sum[1] = hn::MulAdd(a, weights[1], sum[1]);
        }
      }
    }
  }
  WICK_UNROLL
  for (int r = 0; r < kRows; ++r) {
    V low = sums[r][0], high = sums[r][1];
    WICK_UNROLL
    for (int set = 1; set < kSums; ++set) {
      low = hn::Add(low, sums[set * kRows + r][0]);
      high = hn::Add(high, sums[set * kRows + r][1]);
    }
    float* const y = p.y + (row + r) * p.n + start;
    if constexpr (kHalves) {
      hn::StoreU(low, d, y + byte);
      hn::StoreU(high, d, y + half + byte);
    } else {
      hn::StoreInterleaved2(low, high, d, y + 2 * byte);
    }
  }
}

#if HWY_ARCH_ARM_A64
// The 32 columns of the result of one row that 16 bytes of a full block hold, in half the instructions: all the bytes
// of a vector are widened together, and a group is scaled when its sum is known. Where that is no number the result
// depends on the order; false then, and nothing is written.
HWY_INLINE bool int4_row(const Int4WeightProduct& p, int64_t row, int64_t start, int64_t byte) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> d32;
  const hn::ScalableTag<int16_t> d16;
  const hn::ScalableTag<int8_t> d8;
  const hn::Half<decltype(d8)> half8;
  const hn::Half<decltype(d16)> half16;
  using V = hn::Vec<decltype(d)>;
  constexpr int64_t kHalf = kInt4Block / 2;
  constexpr int kVectors = 4;  // of floats that the bytes' low bits are, and their high ones
  const float* const x = p.x + row * p.k;
  const auto* w = reinterpret_cast<const int8_t*>(p.weights) + start * (p.k / 2) + byte;
  const auto column = [](int i) { return i / kVectors * kHalf + i % kVectors * 4; };
  V sums[2 * kVectors];
  WICK_UNROLL
  for (int i = 0; i < 2 * kVectors; ++i) sums[i] = hn::Zero(d);
  const auto flip = hn::Set(d8, static_cast<int8_t>(0x88)), high_bits = hn::Set(d8, static_cast<int8_t>(0xf0));
  float all = 0;
  for (int64_t begin = 0; begin < p.k; begin += p.group) {
    V parts[2 * kVectors];
    WICK_UNROLL
    for (int i = 0; i < 2 * kVectors; ++i) parts[i] = hn::Zero(d);
    float sum = 0;
    for (int64_t c = begin; c < begin + p.group; ++c, w += kHalf) {
      const auto bytes = hn::Xor(hn::LoadU(d8, w), flip);
      const V a = hn::Set(d, x[c]);
      sum += x[c];
      const auto add = [&](auto top, int at) HWY_ATTR {
        const auto first = hn::PromoteTo(d16, hn::LowerHalf(half8, top));
        const auto second = hn::PromoteTo(d16, hn::UpperHalf(half8, top));
        const auto add_vector = [&](auto four, V& part) HWY_ATTR {
          part = hn::MulAdd(a, hn::ConvertTo(d, hn::PromoteTo(d32, four)), part);
        };
        add_vector(hn::LowerHalf(half16, first), parts[at]);
        add_vector(hn::UpperHalf(half16, first), parts[at + 1]);
        add_vector(hn::LowerHalf(half16, second), parts[at + 2]);
        add_vector(hn::UpperHalf(half16, second), parts[at + 3]);
      };
      add(hn::ShiftLeft<4>(bytes), 0);
      add(hn::And(bytes, high_bits), kVectors);
    }
    const float* const params = p.scales_and_zeros + (begin / p.group * p.n + start + byte) * 2;
    WICK_UNROLL
    for (int i = 0; i < 2 * kVectors; ++i) {
      V scale, zero;
      hn::LoadInterleaved2(d, params + column(i) * 2, scale, zero);
      // The bits are at the top of a byte: 16 times what they are.
      sums[i] = hn::MulAdd(parts[i], hn::Mul(scale, hn::Set(d, 1.0f / 16)), sums[i]);
      sums[i] = hn::MulAdd(hn::Set(d, sum), zero, sums[i]);
    }
    all += sum;
  }
  if (!std::isfinite(all)) return false;
  float* const y = p.y + row * p.n + start + byte;
  WICK_UNROLL
  for (int i = 0; i < 2 * kVectors; ++i) hn::StoreU(sums[i], d, y + column(i));
  return true;
}

// The rows from `row` on of a full block.
void int4_rows(const Int4WeightProduct& p, int64_t row, int64_t start) {
  const hn::ScalableTag<float> d;
  constexpr int64_t kHalf = kInt4Block / 2, kBytes = 16;
  for (; row < p.rows; ++row) {
    for (int64_t byte = 0; byte < kHalf; byte += kBytes) {
      if (int4_row(p, row, start, byte)) continue;
      for (int64_t at = byte; at < byte + kBytes; at += static_cast<int64_t>(hn::Lanes(d))) {
        int4_tile<decltype(d), true, 1, 4>(p, d, row, start, kHalf, at);
      }
    }
  }
}
#endif

template <bool kHalves, class D>
HWY_INLINE void int4_block(const Int4WeightProduct& p, D d, int64_t start, int64_t half) {
  constexpr int kTileRows = 4;
#if HWY_ARCH_ARM_A64
  constexpr bool kRowsAlone = !kHalves;
  if constexpr (kHalves) int4_rows(p, p.rows - p.rows % kTileRows, start);
#else
  constexpr bool kRowsAlone = true;
#endif
  for (int64_t byte = 0; byte < half; byte += static_cast<int64_t>(hn::Lanes(d))) {
    int64_t row = 0;
    for (; row + kTileRows <= p.rows; row += kTileRows)
      int4_tile<D, kHalves, kTileRows, 1>(p, d, row, start, half, byte);
    for (; kRowsAlone && row < p.rows; ++row) int4_tile<D, kHalves, 1, 4>(p, d, row, start, half, byte);
  }
}

void int4_product(const Int4WeightProduct& p, int64_t first, int64_t last) {
  for (int64_t block = first; block < last; ++block) {
    check_bounds();
    const int64_t start = block * kInt4Block, size = std::min(kInt4Block, p.n - start);
    if (size == kInt4Block) {
      int4_block<true>(p, hn::ScalableTag<float>(), start, kInt4Block / 2);
    } else {
      int4_block<false>(p, hn::CappedTag<float, 8>(), start, size / 2);
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(int8_product);
HWY_EXPORT(int4_product);

void int8_weight_product(const Int8WeightProduct& p, int64_t first, int64_t last) {
  HWY_DYNAMIC_DISPATCH(int8_product)(p, first, last);
}
void int4_weight_product(const Int4WeightProduct& p, int64_t first, int64_t last) {
  HWY_DYNAMIC_DISPATCH(int4_product)(p, first, last);
}

}  // namespace wick::kernels
#endif
