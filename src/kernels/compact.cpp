// Products of one row with a float matrix that is stored losslessly in 28 bits an element.
#include "kernels/compact.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "kernels/divide.h"
#include "kernels/float_mode.h"
#include "kernels/gemm.h"
#include "kernels/product.h"
#include "kernels/targets.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/compact.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#ifndef WICK_KERNELS_COMPACT_FORM
#define WICK_KERNELS_COMPACT_FORM
namespace wick::kernels {
namespace {

// The form: CompactHead, the list, and panels: PanelHead and k rows of pairs of vectors. A pair is 16 floats by their
// mantissas and signs, three bytes each, the same of 16 more, and 16 bytes with a number for an exponent of both.
constexpr int64_t kColumns = 64, kPairColumns = 32, kPairBytes = 112, kVectorBytes = 48;
constexpr int32_t kExponents = 15;
// Rows that are transposed at a time, and bytes of the source that are given back.
constexpr int64_t kRowsAtOnce = 128;
constexpr size_t kGivenAtOnce = size_t{512} << 10;

struct alignas(64) CompactHead {
  int64_t listed = 0;
};
struct alignas(64) PanelHead {
  int32_t base = 0;             // an exponent is base + its number, 0 is for zero
  int32_t first = 0, last = 0;  // of the list
};
struct Listed {
  int32_t row, column;
  float value;
};

int64_t panels_of(int64_t n) { return ceil_div(n, kColumns); }
int64_t columns_in(int64_t n, int64_t panel) { return std::min(kColumns, n - panel * kColumns); }
int64_t pairs_in(int64_t n, int64_t panel) { return ceil_div(columns_in(n, panel), kPairColumns); }
int64_t list_size(int64_t n, int64_t k) { return n * k / 512 + 64; }
size_t list_bytes(int64_t n, int64_t k) {
  return (static_cast<size_t>(list_size(n, k)) * sizeof(Listed) + 63) / 64 * 64;
}
// All panels but the last are of one size.
size_t panel_bytes(int64_t pairs, int64_t k) {
  return (sizeof(PanelHead) + static_cast<size_t>(pairs * k * kPairBytes) + 63) / 64 * 64;
}
size_t panel_at(int64_t n, int64_t k, int64_t panel) {
  return sizeof(CompactHead) + list_bytes(n, k) + static_cast<size_t>(panel) * panel_bytes(kColumns / kPairColumns, k);
}
const Listed* list_of(const void* form) {
  return reinterpret_cast<const Listed*>(static_cast<const char*>(form) + sizeof(CompactHead));
}

// One number of a panel; those in the list are zero here.
inline float number_at(const PanelHead& head, int64_t pairs, int64_t row, int64_t column) {
  const auto* pair = reinterpret_cast<const uint8_t*>(&head + 1) + (row * pairs + column / kPairColumns) * kPairBytes;
  const int64_t half = column % kPairColumns / 16, i = column % 16;
  const uint8_t* low = pair + half * kVectorBytes + 3 * i;
  const uint32_t number = pair[2 * kVectorBytes + i] >> (4 * half) & 15;
  const uint32_t exponent = number == 0 ? 0 : static_cast<uint32_t>(head.base) + number;
  return std::bit_cast<float>(
      std::rotr(exponent << 24 | uint32_t{low[2]} << 16 | uint32_t{low[1]} << 8 | uint32_t{low[0]}, 1));
}
// The sum of a column, with the list's numbers in their places: what is not finite must not meet the zero that stands
// for one of them.
inline float column_sum(const float* a, int64_t k, const PanelHead& head, int64_t pairs, int64_t column,
                        const Listed* first, const Listed* last) {
  float sum = 0;
  for (int64_t row = 0; row < k; ++row) {
    while (first != last && (first->row < row || (first->row == row && first->column != column))) ++first;
    const bool is_listed = first != last && first->row == row;
    sum += a[row] * (is_listed ? first->value : number_at(head, pairs, row, column));
  }
  return sum;
}

}  // namespace
}  // namespace wick::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86_64 && HWY_TARGET <= HWY_AVX3

// Bytes of `bytes` by their places; the others are zero, or stay as they are. An instruction by name: the target has
// not all that this needs.
HWY_INLINE __m512i place_bytes(__m512i bytes, __m512i places, __mmask64 which) {
  __m512i to;
  __asm__("vpermb %2, %1, %0%{%3%}%{z%}" : "=v"(to) : "v"(places), "v"(bytes), "Yk"(which));
  return to;
}
HWY_INLINE __m512i add_bytes(__m512i to, __m512i bytes, __m512i places, __mmask64 which) {
  __asm__("vpermb %2, %1, %0%{%3%}" : "+v"(to) : "v"(places), "v"(bytes), "Yk"(which));
  return to;
}

constexpr __mmask64 kTopBytes = 0x8888888888888888ULL;

// Where the bytes of words come from: three of a mantissa and a sign, and one of an exponent.
struct Places {
  alignas(64) uint8_t low[64] = {}, top[64] = {};
  constexpr Places() {
    for (uint8_t i = 0; i < 16; ++i) {
      for (uint8_t b = 0; b < 3; ++b) low[4 * i + b] = static_cast<uint8_t>(3 * i + b);
      top[4 * i + 3] = i;
    }
  }
};
constexpr Places kPlaces;

// Decodes pairs of vectors.
struct Decoder {
  __m512i low_places, exponents, more_exponents;
  __m256i table, shifts, nibble;

  explicit Decoder(int32_t base)
      : low_places(_mm512_load_si512(kPlaces.low)),
        exponents(_mm512_load_si512(kPlaces.top)),
        more_exponents(_mm512_add_epi8(exponents, _mm512_set1_epi8(16))),
        shifts(_mm256_set_epi64x(4, 4, 0, 0)),
        nibble(_mm256_set1_epi8(15)) {
    const __m128i numbers = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m128i sums = _mm_add_epi8(numbers, _mm_set1_epi8(static_cast<char>(base)));
    table = _mm256_broadcastsi128_si256(_mm_maskz_mov_epi8(0xfffe, sums));
  }
  // A word is first exponent, mantissa, sign, from the top.
  HWY_INLINE void pair(const uint8_t* at, __m512& first, __m512& second) const {
    const __m128i numbers = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 2 * kVectorBytes));
    const __m256i both = _mm256_and_si256(_mm256_srlv_epi64(_mm256_broadcastsi128_si256(numbers), shifts), nibble);
    const __m512i tops = _mm512_castsi256_si512(_mm256_shuffle_epi8(table, both));
    __m512i a = place_bytes(_mm512_loadu_si512(at), low_places, ~kTopBytes);
    __m512i b = place_bytes(_mm512_loadu_si512(at + kVectorBytes), low_places, ~kTopBytes);
    a = add_bytes(a, tops, exponents, kTopBytes);
    b = add_bytes(b, tops, more_exponents, kTopBytes);
    first = _mm512_castsi512_ps(_mm512_ror_epi32(a, 1));
    second = _mm512_castsi512_ps(_mm512_ror_epi32(b, 1));
  }
};

// Sums of a panel's columns, to kColumns floats.
template <int kPairs>
void panel_sums(const float* a, int64_t k, const PanelHead& head, float* to) {
  const Decoder decode(head.base);
  const auto* at = reinterpret_cast<const uint8_t*>(&head + 1);
  __m512 sums[2 * kPairs];
  for (__m512& s : sums) s = _mm512_setzero_ps();
  // Sums are cut as those of other products.
  for (int64_t i = 0; i < k;) {
    __m512 sum[2 * kPairs];
    WICK_UNROLL
    for (int j = 0; j < 2 * kPairs; ++j) sum[j] = _mm512_setzero_ps();
    for (const int64_t end = std::min(k, i + kMaxDepth); i < end; ++i) {
      const __m512 x = _mm512_set1_ps(a[i]);
      WICK_UNROLL
      for (int j = 0; j < kPairs; ++j, at += kPairBytes) {
        __m512 first, second;
        decode.pair(at, first, second);
        sum[2 * j] = _mm512_fmadd_ps(x, first, sum[2 * j]);
        sum[2 * j + 1] = _mm512_fmadd_ps(x, second, sum[2 * j + 1]);
      }
    }
    WICK_UNROLL
    for (int j = 0; j < 2 * kPairs; ++j) sums[j] = _mm512_add_ps(sums[j], sum[j]);
  }
  for (int j = 0; j < 2 * kPairs; ++j) _mm512_storeu_ps(to + 16 * j, sums[j]);
}

void run_panels(const CompactRow& row, int64_t first, int64_t last) {
  const auto* form = static_cast<const char*>(row.weights);
  for (int64_t p = first; p < last; ++p) {
    const auto& head = *reinterpret_cast<const PanelHead*>(form + panel_at(row.n, row.k, p));
    alignas(64) float sums[kColumns];
    pairs_in(row.n, p) == 2 ? panel_sums<2>(row.a, row.k, head, sums) : panel_sums<1>(row.a, row.k, head, sums);
    const Listed *list = list_of(form) + head.first, *const end = list_of(form) + head.last;
    for (const Listed* l = list; l != end; ++l) sums[l->column] += row.a[l->row] * l->value;
    for (const Listed* l = list; l != end; ++l) {
      if (!std::isfinite(row.a[l->row]))
        sums[l->column] = column_sum(row.a, row.k, head, pairs_in(row.n, p), l->column, list, end);
    }
    const int64_t columns = columns_in(row.n, p);
    if (row.bias != nullptr)
      for (int64_t i = 0; i < columns; ++i) sums[i] += row.bias[p * kColumns + i];
    apply_epilogue(row.epilogue, sums, row.c + p * kColumns, columns);
  }
}

// The greatest exponent of some columns.
int32_t greatest_exponent(const float* b, int64_t b_row, int64_t b_col, int64_t columns, int64_t k) {
  const bool by_column = b_row == 1;
  const int64_t lines = by_column ? columns : k, length = by_column ? k : columns;
  const int64_t line = by_column ? b_col : b_row, step = by_column ? b_row : b_col;
  const __m512i magnitude = _mm512_set1_epi32(0x7fffffff);
  __m512i most = _mm512_setzero_si512();
  uint32_t others = 0;
  for (int64_t i = 0; i < lines; ++i) {
    const float* at = b + i * line;
    int64_t j = 0;
    for (; step == 1 && j + 16 <= length; j += 16)
      most = _mm512_max_epi32(most, _mm512_and_si512(_mm512_loadu_si512(at + j), magnitude));
    for (; j < length; ++j) {
      uint32_t bits;
      std::memcpy(&bits, at + j * step, sizeof(bits));
      others = std::max(others, bits & 0x7fffffff);
    }
  }
  return std::max(_mm512_reduce_max_epi32(most), static_cast<int32_t>(others)) >> 23;
}

// Rows [first, first + rows) of a panel, [rows][width], width a multiple of 16.
bool encode_rows(const float* panel, int64_t first, int64_t rows, int64_t width, int64_t pairs, CompactHead& all,
                 int64_t capacity, Listed* list, PanelHead& head) {
  const __m512i magnitude = _mm512_set1_epi32(0x7fffffff), mantissa = _mm512_set1_epi32(0xffffff);
  alignas(64) uint8_t packed[64] = {};
  for (uint8_t i = 0; i < 48; ++i) packed[i] = static_cast<uint8_t>(i / 3 * 4 + i % 3);
  const __m512i places = _mm512_load_si512(packed), base = _mm512_set1_epi32(head.base);
  auto* to = reinterpret_cast<uint8_t*>(&head + 1) + first * pairs * kPairBytes;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t pair = 0; pair < pairs; ++pair, to += kPairBytes) {
      __m128i numbers[2];
      for (int64_t half = 0; half < 2; ++half) {
        const int64_t column = pair * kPairColumns + half * 16;
        const __m512i bits = column < width ? _mm512_loadu_si512(panel + row * width + column) : _mm512_setzero_si512();
        const __m512i exponent = _mm512_srli_epi32(_mm512_and_si512(bits, magnitude), 23);
        const __mmask16 kept = _mm512_cmpgt_epi32_mask(exponent, base);
        // Denormal numbers count as zero.
        const __mmask16 listed = _mm512_test_epi32_mask(exponent, exponent) & static_cast<__mmask16>(~kept);
        const __m512i words = _mm512_maskz_and_epi32(kept, _mm512_rol_epi32(bits, 1), mantissa);
        constexpr __mmask64 kStored = (1ULL << kVectorBytes) - 1;
        _mm512_mask_storeu_epi8(to + half * kVectorBytes, kStored, place_bytes(words, places, kStored));
        numbers[half] = _mm512_cvtepi32_epi8(_mm512_maskz_sub_epi32(kept, exponent, base));
        for (unsigned left = listed; left != 0; left &= left - 1) {
          if (all.listed == capacity) return false;
          const int64_t at = column + __builtin_ctz(left);
          list[all.listed++] = {static_cast<int32_t>(first + row), static_cast<int32_t>(at), panel[row * width + at]};
        }
      }
      const __m128i both = _mm_or_si128(numbers[0], _mm_slli_epi16(numbers[1], 4));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 2 * kVectorBytes), both);
    }
  return true;
}

bool has_instructions() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ecx >> 1 & 1);
}

#else

void run_panels(const CompactRow&, int64_t, int64_t) {}
int32_t greatest_exponent(const float*, int64_t, int64_t, int64_t, int64_t) { return 0; }
bool encode_rows(const float*, int64_t, int64_t, int64_t, int64_t, CompactHead&, int64_t, Listed*, PanelHead&) {
  return false;
}
bool has_instructions() { return false; }

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(run_panels);
HWY_EXPORT(greatest_exponent);
HWY_EXPORT(encode_rows);
HWY_EXPORT(has_instructions);

bool has_compact_products() { return HWY_DYNAMIC_DISPATCH(has_instructions)(); }

bool suits_compact(const float* b, int64_t b_row, int64_t b_col, int64_t n, int64_t k) {
  // Few places: the pages of a file that are read come to memory.
  constexpr int64_t kSample = 4096, kPlaces = 4, kFew = kSample / 512;
  if (n > INT32_MAX || k > INT32_MAX || list_size(n, k) > INT32_MAX) return false;
  const auto exponent_at = [&](int64_t i) {
    const int64_t at = i / (kSample / kPlaces) * (n * k / kPlaces) + i % (kSample / kPlaces);
    uint32_t bits;
    std::memcpy(&bits, b + at % k * b_row + at / k * b_col, sizeof(bits));
    return static_cast<int64_t>(bits >> 23 & 255);
  };
  int64_t greatest = 0, smaller = 0;
  if (n * k < kSample) return false;
  for (int64_t i = 0; i < kSample; ++i) greatest = std::max(greatest, exponent_at(i));
  for (int64_t i = 0; i < kSample; ++i) {
    const int64_t e = exponent_at(i);
    smaller += e > 0 && e <= greatest - kExponents;
  }
  return greatest < 255 && smaller <= kFew;
}

size_t compact_size(int64_t n, int64_t k) {
  const int64_t last = panels_of(n) - 1;
  return panel_at(n, k, last) + panel_bytes(pairs_in(n, last), k);
}

bool pack_compact(const float* b, int64_t b_row, int64_t b_col, int64_t n, int64_t k, void* dst,
                  void (*done)(const void* begin, size_t bytes)) {
  auto* form = static_cast<char*>(dst);
  auto& head = *new (form) CompactHead;
  auto* list = const_cast<Listed*>(list_of(form));
  const Scratch<float> buffer(static_cast<size_t>(kRowsAtOnce * kColumns));
  int64_t given = 0;  // columns
  for (int64_t p = 0; p < panels_of(n); ++p) {
    const int64_t first = p * kColumns, columns = columns_in(n, p);
    const float* from = b + first * b_col;
    auto& panel = *new (form + panel_at(n, k, p)) PanelHead;
    panel.base = HWY_DYNAMIC_DISPATCH(greatest_exponent)(from, b_row, b_col, columns, k) - kExponents;
    panel.base = std::max(0, panel.base);
    panel.first = static_cast<int32_t>(head.listed);
    for (int64_t row = 0; row < k; row += kRowsAtOnce) {
      const int64_t rows = std::min(kRowsAtOnce, k - row);
      // One panel of the products' own form.
      pack_b<float>(from + row * b_row, b_row, b_col, columns, rows, buffer.data());
      if (!HWY_DYNAMIC_DISPATCH(encode_rows)(buffer.data(), row, rows, round_up(columns, 16), pairs_in(n, p), head,
                                             list_size(n, k), list, panel)) {
        return false;
      }
    }
    panel.last = static_cast<int32_t>(head.listed);
    const auto read = static_cast<size_t>((first + columns - given) * k) * sizeof(float);
    if (done != nullptr && b_row == 1 && b_col == k && read >= kGivenAtOnce) {
      done(b + given * k, read);
      given = first + columns;
    }
  }
  return true;
}

void compact_row(const CompactRow& row, const Workers& workers) {
  const int64_t panels = panels_of(row.n), parts = std::min<int64_t>(panels, workers.count);
  workers.each(parts, [&](int64_t first, int64_t last) {
    const FlushDenormals flush;
    HWY_DYNAMIC_DISPATCH(run_panels)(row, panels * first / parts, panels * last / parts);
  });
}

}  // namespace wick::kernels
#endif
