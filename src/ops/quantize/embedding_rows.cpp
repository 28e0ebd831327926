// Embedding tables as matrices of bytes: each row holds its values, several to a byte, then its scale and its lowest
// value, in single precision behind eight-bit values and in half precision behind narrower ones.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/limits.h"
#include "ops/nn/common.h"
#include "ops/quantize/embedding.h"
#include "ops/quantize/range_search.h"

namespace wick::ops {

namespace {

struct RowTail {
  float scale, offset;
};

// Bytes of the parameters behind a row.
int64_t tail_bytes(int bits) { return bits == 8 ? 2 * sizeof(float) : 2 * sizeof(Half); }

RowTail params_of(const uint8_t* tail, int bits) {
  if (bits == 8) {
    float v[2];
    std::memcpy(v, tail, sizeof(v));
    return {v[0], v[1]};
  }
  Half v[2];
  std::memcpy(v, tail, sizeof(v));
  return {v[0], v[1]};
}

int value_at(const uint8_t* row, int64_t j, int bits) {
  const int per_byte = 8 / bits;
  return row[j / per_byte] >> (j % per_byte * bits) & ((1 << bits) - 1);
}

// [rows][values]
struct Shape {
  int64_t rows, columns, row_bytes;
};

Shape packed_shape(const Tensor& packed, int bits, const char* op) {
  WICK_CHECK(packed.dtype() == DType::kByte && packed.dim() >= 1, kTypeMismatch, op, " takes a matrix of bytes, got ",
             name_of(packed.dtype()));
  const int64_t row = packed.size(-1), values = row - tail_bytes(bits);
  WICK_CHECK(values >= 0, kShapeMismatch, op, ": rows should have at least ", tail_bytes(bits), " bytes, got ", row);
  return {row == 0 ? 0 : packed.numel() / row, values * (8 / bits), row};
}

// A value that is no number counts as zero.
int to_level(float value, float most) { return value > 0 ? static_cast<int>(std::min(value, most)) : 0; }

RowTail quantize_row_8(const float* x, int64_t n, uint8_t* to) {
  const auto [low, high] = std::minmax_element(x, x + n);
  const float min = n > 0 ? *low : 0, range = n > 0 ? *high - *low : 0;
  constexpr float kEpsilon = 1e-8f;
  const float inverse = 255.0f / (range + kEpsilon);
  for (int64_t j = 0; j < n; ++j) {
    to[j] = static_cast<uint8_t>(to_level(std::nearbyint((x[j] - min) * inverse), 255.0f));
  }
  return {range / 255.0f, min};
}

// Where the range of a row's values is looked for.
struct RangeSearch {
  int64_t bins;
  double ratio;
};

RowTail quantize_row(const float* x, int64_t n, int bits, const std::optional<RangeSearch>& search, uint8_t* to) {
  ValueRange values{0, 0};
  if (n > 0) values = search ? least_loss_range(x, n, search->bins, search->ratio, bits) : range_of_values(x, n);
  const float most = static_cast<float>((1 << bits) - 1);
  const float min = Half(values.low), range = values.high - min;
  float scale = Half(range == 0 ? 1.0f : range / most);
  if (scale == 0) scale = 1;
  float inverse = 1.0f / scale;
  if (std::isinf(inverse)) scale = inverse = 1;
  const int per_byte = 8 / bits;
  std::fill_n(to, n / per_byte, uint8_t{0});
  for (int64_t j = 0; j < n; ++j) {
    const int level = to_level(std::nearbyint((x[j] - min) * inverse), most);
    to[j / per_byte] = static_cast<uint8_t>(to[j / per_byte] | level << (j % per_byte * bits));
  }
  return {scale, min};
}

Tensor prepack(const Tensor& weight, int bits, const char* op, const std::optional<RangeSearch>& search = {}) {
  WICK_CHECK(weight.dtype() == DType::kFloat || weight.dtype() == DType::kHalf, kTypeMismatch, "'", op,
             "' only support float32 or float16.");
  WICK_CHECK(weight.dim() >= 1, kShapeMismatch, op, " takes a matrix");
  const int64_t columns = weight.size(-1), per_byte = 8 / bits;
  WICK_CHECK(columns % per_byte == 0, kShapeMismatch, op, " only works for the number of columns a multiple of ",
             per_byte);
  const Tensor x = contiguous(to_dtype(weight, DType::kFloat));
  IntVec sizes = weight.sizes();
  sizes.back() = columns / per_byte + tail_bytes(bits);
  Tensor out = Tensor::empty(sizes, DType::kByte);
  const int64_t rows = out.numel() / sizes.back();
  for (int64_t r = 0; r < rows; ++r) {
    const float* from = x.data_ptr<float>() + r * columns;
    uint8_t* to = out.data_ptr<uint8_t>() + r * sizes.back();
    if (bits == 8) {
      const RowTail p = quantize_row_8(from, columns, to);
      const float tail[2] = {p.scale, p.offset};
      std::memcpy(to + columns, tail, sizeof(tail));
    } else {
      const RowTail p = quantize_row(from, columns, bits, search, to);
      const Half tail[2] = {Half(p.scale), Half(p.offset)};
      std::memcpy(to + columns / per_byte, tail, sizeof(tail));
    }
  }
  return out;
}

Tensor unpack(const Tensor& packed, int bits, const char* op) {
  const Shape s = packed_shape(packed, bits, op);
  const Tensor x = contiguous(packed);
  IntVec sizes = packed.sizes();
  sizes.back() = s.columns;
  Tensor out = Tensor::empty(sizes, DType::kFloat);
  for (int64_t r = 0; r < s.rows; ++r) {
    const uint8_t* row = x.data_ptr<uint8_t>() + r * s.row_bytes;
    const RowTail p = params_of(row + s.row_bytes - tail_bytes(bits), bits);
    float* to = out.data_ptr<float>() + r * s.columns;
    for (int64_t j = 0; j < s.columns; ++j) to[j] = static_cast<float>(value_at(row, j, bits)) * p.scale + p.offset;
  }
  return out;
}

Tensor bags(const Tensor& packed, int bits, const Tensor& indices, const OptTensor& offsets, bool pruned_weights,
            const OptTensor& per_sample_weights, const OptTensor& compressed_indices_mapping, bool include_last_offset,
            const char* op) {
  WICK_CHECK(packed.dim() == 2, kShapeMismatch, op, " takes a matrix of bytes, got sizes ", packed.sizes());
  const Shape s = packed_shape(packed, bits, op);
  const Tensor x = contiguous(packed);
  const BagTable table{s.rows, s.columns, [&](int64_t r, float factor, float* to) {
                         const uint8_t* row = x.data_ptr<uint8_t>() + r * s.row_bytes;
                         const RowTail p = params_of(row + s.row_bytes - tail_bytes(bits), bits);
                         const float scale = factor * p.scale, offset = factor * p.offset;
                         for (int64_t j = 0; j < s.columns; ++j) {
                           to[j] = std::fma(scale, static_cast<float>(value_at(row, j, bits)), to[j] + offset);
                         }
                       }};
  return sum_bags(table, indices, offsets, pruned_weights, per_sample_weights, compressed_indices_mapping,
                  include_last_offset, op);
}

std::optional<RangeSearch> search_for(bool optimized_qparams, int64_t nbins, double ratio) {
  if (!optimized_qparams) return std::nullopt;
  WICK_CHECK(nbins <= limits::kMaxSearchBins, kLimitExceeded, "nbins is ", nbins, ", at most ", limits::kMaxSearchBins,
             " are searched");
  return RangeSearch{nbins, ratio};
}

}  // namespace

Tensor embedding_bag_byte_prepack(const Tensor& weight) { return prepack(weight, 8, "embedding_bag_byte_prepack"); }
Tensor embedding_bag_byte_unpack(const Tensor& packed) { return unpack(packed, 8, "embedding_bag_byte_unpack"); }
Tensor embedding_bag_4bit_prepack(const Tensor& weight, bool optimized_qparams, int64_t nbins, double ratio) {
  return prepack(weight, 4, "embedding_bag_4bit_prepack", search_for(optimized_qparams, nbins, ratio));
}
Tensor embedding_bag_4bit_unpack(const Tensor& packed) { return unpack(packed, 4, "embedding_bag_4bit_unpack"); }
Tensor embedding_bag_2bit_prepack(const Tensor& weight, bool optimized_qparams, int64_t nbins, double ratio) {
  return prepack(weight, 2, "embedding_bag_2bit_prepack", search_for(optimized_qparams, nbins, ratio));
}
Tensor embedding_bag_2bit_unpack(const Tensor& packed) { return unpack(packed, 2, "embedding_bag_2bit_unpack"); }

Tensor embedding_bag_byte_rows(const Tensor& packed, const Tensor& indices, const OptTensor& offsets, bool, int64_t,
                               bool pruned_weights, const OptTensor& per_sample_weights,
                               const OptTensor& compressed_indices_mapping, bool include_last_offset) {
  return bags(packed, 8, indices, offsets, pruned_weights, per_sample_weights, compressed_indices_mapping,
              include_last_offset, "embedding_bag_byte");
}
Tensor embedding_bag_4bit_rows(const Tensor& packed, const Tensor& indices, const OptTensor& offsets, bool, int64_t,
                               bool pruned_weights, const OptTensor& per_sample_weights,
                               const OptTensor& compressed_indices_mapping, bool include_last_offset) {
  return bags(packed, 4, indices, offsets, pruned_weights, per_sample_weights, compressed_indices_mapping,
              include_last_offset, "embedding_bag_4bit");
}
Tensor embedding_bag_2bit_rows(const Tensor& packed, const Tensor& indices, const OptTensor& offsets, bool, int64_t,
                               bool pruned_weights, const OptTensor& per_sample_weights,
                               const OptTensor& compressed_indices_mapping, bool include_last_offset) {
  return bags(packed, 2, indices, offsets, pruned_weights, per_sample_weights, compressed_indices_mapping,
              include_last_offset, "embedding_bag_2bit");
}

}  // namespace wick::ops
