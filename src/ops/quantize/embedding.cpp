// Embedding tables of 8, 4 and 2 bits.
#include "ops/quantize/embedding.h"

#include <cmath>

#include "core/tensor_impl.h"
#include "ops/nn/common.h"

namespace wick::ops {

namespace {

constexpr int64_t kVersion = 1;

const EmbeddingPacked& embedding_packed(const CustomObject& object) {
  const auto* packed = cast_to<const EmbeddingPacked>(&object);
  WICK_CHECK(packed, kTypeMismatch, "Tried to convert an IValue of type ", object.class_name(),
             " to custom class type ", EmbeddingPacked::kClass);
  return *packed;
}

std::vector<int64_t> index_values(const Tensor& t, const char* what) {
  WICK_CHECK(t.dtype() == DType::kInt || t.dtype() == DType::kLong, kTypeMismatch, "Expect 32 or 64 bit ", what,
             ", but found ", name_of(t.dtype()), " instead.");
  return param_values<int64_t>(t, t.numel(), 0);
}

void check_row(int64_t row, int64_t rows) {
  WICK_CHECK(row >= 0 && row < rows, kIndexOutOfRange, "Invalid indices data");
}

Tensor rows_of(const EmbeddingPacked& table, const Tensor& indices) {
  const std::vector<int64_t> rows = index_values(indices, "indices");
  IntVec sizes = indices.sizes();
  sizes.push_back(table.columns());
  Tensor out = Tensor::zeros(sizes, DType::kFloat);
  float* to = out.data_ptr<float>();
  for (const int64_t row : rows) {
    check_row(row, table.rows());
    table.add_row(row, 1, to);
    to += table.columns();
  }
  return out;
}

// As operators of one width take it.
const EmbeddingPacked& table_of(const CustomObject& packed, int64_t bits) {
  const EmbeddingPacked& table = embedding_packed(packed);
  WICK_CHECK(table.bits() == bits, kTypeMismatch, "the embedding table has ", table.bits(), " bits, not ", bits);
  return table;
}

BagTable bag_table(const EmbeddingPacked& table) {
  return {table.rows(), table.columns(),
          [&table](int64_t row, float factor, float* to) { table.add_row(row, factor, to); }};
}

}  // namespace

EmbeddingPacked::EmbeddingPacked(const Tensor& weight) {
  WICK_CHECK(weight.dim() == 2, kShapeMismatch, "quantized::embedding_bag_prepack weight tensor rank should be 2");
  WICK_CHECK(weight.dtype() == DType::kQUInt8 || weight.dtype() == DType::kQUInt4x2, kUnsupported,
             "qembedding_bag_prepack currently only supports quint8 and quint4x2 weights, got ",
             name_of(weight.dtype()));
  // Two columns share a byte: rows begin at whole ones.
  WICK_CHECK(weight.dtype() == DType::kQUInt8 || weight.is_contiguous(), kUnsupported,
             "a quint4x2 embedding table should be contiguous");
  const Quantizer& q = weight.quantizer();
  WICK_CHECK(q.scheme == QScheme::kPerChannelAffineFloatQParams && q.axis == 0 && q.scales.defined() &&
                 q.zero_points.defined() && q.scales.numel() == weight.size(0) &&
                 q.zero_points.numel() == weight.size(0),
             kInvalidArgument, "Expect embedding_bag weights to be quantized using kPerChannelAffineFloatQParams");
  weight_ = weight.dtype() == DType::kQUInt8 ? contiguous(weight) : weight;
  scales_ = param_values<float>(q.scales, weight.size(0), 1);
  const std::vector<float> zeros = param_values<float>(q.zero_points, weight.size(0), 0);
  for (size_t i = 0; i < zeros.size(); ++i) offsets_.push_back(zeros[i] * scales_[i] * -1.0f);
  if (bits() == 4) {
    row_bytes_ = (columns() + 1) / 2;
    const auto needed = static_cast<size_t>(checked_numel({rows(), row_bytes_}));
    WICK_CHECK(needed <= weight_.storage()->nbytes() -
                             std::min(weight_.storage()->nbytes(), static_cast<size_t>(weight_.storage_offset())),
               kShapeMismatch, "the quint4x2 embedding table of sizes ", weight.sizes(), " needs ", needed, " bytes");
    // Kept in half precision beside the rows.
    for (float& v : scales_) v = Half(v);
    for (float& v : offsets_) v = Half(v);
  }
}

IValue EmbeddingPacked::get_state() const {
  return IValue::tuple({kVersion, IValue::tensor_list({weight_}), IValue::double_list(std::vector<double>()),
                        IValue::int_list(IntVec{bits()})});
}

IValue EmbeddingPacked::call(std::string_view method, std::vector<IValue> args) {
  if (method == "bit_rate") return bits();
  if (method == "version") return kVersion;
  if (method == "__getstate__") return get_state();
  return CustomObject::call(method, std::move(args));
}

void EmbeddingPacked::add_row(int64_t row, float factor, float* to) const {
  const float scale = factor * scales_[static_cast<size_t>(row)], offset = factor * offsets_[static_cast<size_t>(row)];
  const auto* table = static_cast<const uint8_t*>(weight_.raw_data());
  if (bits() == 8) {
    const uint8_t* from = table + row * columns();
    for (int64_t j = 0; j < columns(); ++j) to[j] = std::fma(scale, static_cast<float>(from[j]), to[j] + offset);
    return;
  }
  const uint8_t* from = table + row * row_bytes_;
  for (int64_t j = 0; j < columns(); ++j) {
    const int value = from[j / 2] >> (j % 2 * 4) & 15;
    to[j] = std::fma(scale, static_cast<float>(value), to[j] + offset);
  }
}

Ref<CustomObject> embedding_packed_from_state(IValue state) {
  const bool ok = state.is_tuple() && state.to_tuple().items.size() == 4 && state.to_tuple().items[1].is_list() &&
                  state.to_tuple().items[1].to_list().items.size() == 1 &&
                  state.to_tuple().items[1].to_list().items[0].is_tensor();
  WICK_CHECK(ok, kCorruptFile, "the stored state of ", EmbeddingPacked::kClass, " is not as the class writes it");
  return make_ref<EmbeddingPacked>(state.to_tuple().items[1].to_list().items[0].to_tensor());
}

IValue quantized_embedding_bag_prepack(const Tensor& weight) {
  return IValue(Ref<CustomObject>(make_ref<EmbeddingPacked>(weight)));
}

Tensor quantized_embedding_bag_unpack(CustomObject& packed) { return embedding_packed(packed).weight(); }

Tensor quantized_embedding_byte(CustomObject& packed, const Tensor& indices, bool) {
  return rows_of(table_of(packed, 8), indices);
}
Tensor quantized_embedding_4bit(CustomObject& packed, const Tensor& indices, bool) {
  return rows_of(table_of(packed, 4), indices);
}

Tensor quantized_embedding_bag_byte(CustomObject& packed, const Tensor& indices, const OptTensor& offsets, bool,
                                    int64_t, bool pruned_weights, const OptTensor& per_sample_weights,
                                    const OptTensor& compressed_indices_mapping, bool include_last_offset) {
  return sum_bags(bag_table(table_of(packed, 8)), indices, offsets, pruned_weights, per_sample_weights,
                  compressed_indices_mapping, include_last_offset, "embedding_bag_byte");
}
Tensor quantized_embedding_bag_4bit(CustomObject& packed, const Tensor& indices, const OptTensor& offsets, bool,
                                    int64_t, bool pruned_weights, const OptTensor& per_sample_weights,
                                    const OptTensor& compressed_indices_mapping, bool include_last_offset) {
  return sum_bags(bag_table(table_of(packed, 4)), indices, offsets, pruned_weights, per_sample_weights,
                  compressed_indices_mapping, include_last_offset, "embedding_bag_4bit");
}

Tensor sum_bags(const BagTable& table, const Tensor& indices, const OptTensor& offsets, bool pruned_weights,
                const OptTensor& per_sample_weights, const OptTensor& compressed_indices_mapping,
                bool include_last_offset, const char* op) {
  WICK_CHECK(indices.dim() == 1 || indices.dim() == 2, kShapeMismatch,
             "qembedding/qembedding_bag operator supports 1 or 2d indices, got ", indices.dim());
  const std::vector<int64_t> rows = index_values(indices, "indices");
  const auto count = static_cast<int64_t>(rows.size());
  std::vector<int64_t> starts;
  if (indices.dim() == 2) {
    WICK_CHECK(!has(offsets), kInvalidArgument, op, ": if input is 2D, then offsets has to be None");
    for (int64_t i = 0; i <= indices.size(0); ++i) starts.push_back(i * indices.size(1));
  } else {
    WICK_CHECK(has(offsets), kInvalidArgument, op, " expects offsets to be set for 1D indices.");
    starts = index_values(*offsets, "offsets");
    if (!include_last_offset) starts.push_back(count);
    WICK_CHECK(starts.size() >= 1 && starts[0] == 0, kInvalidArgument, op, ": offsets start at 0");
  }
  const bool weighted = has(per_sample_weights);
  if (weighted) {
    WICK_CHECK(per_sample_weights->dtype() == DType::kFloat && per_sample_weights->numel() == count, kShapeMismatch,
               "per_sample_weights must be floats, one for each index");
  }
  const std::vector<float> weights = param_values<float>(per_sample_weights, weighted ? count : 0, 1);
  std::vector<int64_t> mapping;
  const bool mapped = pruned_weights && has(compressed_indices_mapping) && compressed_indices_mapping->numel() > 1;
  if (mapped) mapping = index_values(*compressed_indices_mapping, "compressed indices");
  const auto bags = static_cast<int64_t>(starts.size()) - 1;
  Tensor out = Tensor::zeros({bags, table.columns}, DType::kFloat);
  for (int64_t bag = 0; bag < bags; ++bag) {
    const int64_t begin = starts[static_cast<size_t>(bag)], end = starts[static_cast<size_t>(bag) + 1];
    WICK_CHECK(begin >= 0 && begin <= end && end <= count, kIndexOutOfRange,
               "Expect the lengths data to be less than indices size");
    for (int64_t i = begin; i < end; ++i) {
      int64_t row = rows[static_cast<size_t>(i)];
      if (mapped) {
        WICK_CHECK(row >= 0 && row < static_cast<int64_t>(mapping.size()), kIndexOutOfRange,
                   "Invalid indices data for Sparse Op.");
        row = mapping[static_cast<size_t>(row)];
        if (row == -1) continue;
      }
      check_row(row, table.rows);
      table.add_row(row, weighted ? weights[static_cast<size_t>(i)] : 1.0f,
                    out.data_ptr<float>() + bag * table.columns);
    }
  }
  return out;
}

}  // namespace wick::ops
