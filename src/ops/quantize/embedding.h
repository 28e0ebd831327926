// Embedding tables of eight, four and two bits: objects of the class quantized.EmbeddingPackedParamsBase, and matrices
// of bytes whose rows end with their scale and offset.
#pragma once

#include <functional>

#include "core/cast.h"
#include "ops/boxing.h"

namespace wick::ops {

class EmbeddingPacked final : public CustomObject {
 public:
  static constexpr std::string_view kClass = "__torch__.torch.classes.quantized.EmbeddingPackedParamsBase";
  // A quint8 or quint4x2 matrix with a float scale and zero point for each row.
  explicit EmbeddingPacked(const Tensor& weight);

  std::string_view class_name() const override { return kClass; }
  const void* type_mark() const noexcept override { return &kTypeMark<EmbeddingPacked>; }
  IValue get_state() const override;
  IValue call(std::string_view method, std::vector<IValue> args) override;
  const Tensor& weight() const { return weight_; }
  int64_t bits() const { return weight_.dtype() == DType::kQUInt8 ? 8 : 4; }
  int64_t rows() const { return weight_.size(0); }
  int64_t columns() const { return weight_.size(1); }
  // Adds `factor` times a row to `to`. The row must be one of the table's.
  void add_row(int64_t row, float factor, float* to) const;

 private:
  Tensor weight_;
  std::vector<float> scales_, offsets_;
  int64_t row_bytes_ = 0;  // of four bits
};

Ref<CustomObject> embedding_packed_from_state(IValue state);

IValue quantized_embedding_bag_prepack(const Tensor& weight);
Tensor quantized_embedding_bag_unpack(CustomObject& packed);
Tensor quantized_embedding_byte(CustomObject& packed, const Tensor& indices, bool pruned_weights);
Tensor quantized_embedding_bag_byte(CustomObject& packed, const Tensor& indices, const OptTensor& offsets,
                                    bool scale_grad_by_freq, int64_t mode, bool pruned_weights,
                                    const OptTensor& per_sample_weights, const OptTensor& compressed_indices_mapping,
                                    bool include_last_offset);

Tensor quantized_embedding_4bit(CustomObject& packed, const Tensor& indices, bool pruned_weights);
Tensor quantized_embedding_bag_4bit(CustomObject& packed, const Tensor& indices, const OptTensor& offsets,
                                    bool scale_grad_by_freq, int64_t mode, bool pruned_weights,
                                    const OptTensor& per_sample_weights, const OptTensor& compressed_indices_mapping,
                                    bool include_last_offset);

// Rows of a table that each index names, summed by bags. `add_row(row, factor, to)` adds one to a bag.
struct BagTable {
  int64_t rows, columns;
  std::function<void(int64_t row, float factor, float* to)> add_row;
};
Tensor sum_bags(const BagTable& table, const Tensor& indices, const OptTensor& offsets, bool pruned_weights,
                const OptTensor& per_sample_weights, const OptTensor& compressed_indices_mapping,
                bool include_last_offset, const char* op);

Tensor embedding_bag_byte_prepack(const Tensor& weight);
Tensor embedding_bag_byte_unpack(const Tensor& packed);
Tensor embedding_bag_4bit_prepack(const Tensor& weight, bool optimized_qparams, int64_t nbins, double ratio);
Tensor embedding_bag_4bit_unpack(const Tensor& packed);
Tensor embedding_bag_2bit_prepack(const Tensor& weight, bool optimized_qparams, int64_t nbins, double ratio);
Tensor embedding_bag_2bit_unpack(const Tensor& packed);
Tensor embedding_bag_byte_rows(const Tensor& packed, const Tensor& indices, const OptTensor& offsets,
                               bool scale_grad_by_freq, int64_t mode, bool pruned_weights,
                               const OptTensor& per_sample_weights, const OptTensor& compressed_indices_mapping,
                               bool include_last_offset);
Tensor embedding_bag_4bit_rows(const Tensor& packed, const Tensor& indices, const OptTensor& offsets,
                               bool scale_grad_by_freq, int64_t mode, bool pruned_weights,
                               const OptTensor& per_sample_weights, const OptTensor& compressed_indices_mapping,
                               bool include_last_offset);
Tensor embedding_bag_2bit_rows(const Tensor& packed, const Tensor& indices, const OptTensor& offsets,
                               bool scale_grad_by_freq, int64_t mode, bool pruned_weights,
                               const OptTensor& per_sample_weights, const OptTensor& compressed_indices_mapping,
                               bool include_last_offset);

}  // namespace wick::ops
