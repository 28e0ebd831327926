// Look-ups in embedding tables.
#pragma once

#include <tuple>

#include "ops/boxing.h"

namespace wick::ops {

Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx, bool scale_grad_by_freq,
                 bool sparse);
// Scales the rows of self named by indices down to max_norm, in place. Returns self.
Tensor embedding_renorm(const Tensor& self, const Tensor& indices, double max_norm, double norm_type);
Tensor no_grad_embedding_renorm(const Tensor& weight, const Tensor& input, double max_norm, double norm_type);
Tensor one_hot(const Tensor& self, int64_t num_classes);

// Results: output, bag of each index, bag sizes, maximal indices.
using EmbeddingBagResult = std::tuple<Tensor, Tensor, Tensor, Tensor>;
EmbeddingBagResult embedding_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                                 bool scale_grad_by_freq, int64_t mode, bool sparse,
                                 const OptTensor& per_sample_weights, bool include_last_offset);
EmbeddingBagResult embedding_bag_padding_idx(const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                                             bool scale_grad_by_freq, int64_t mode, bool sparse,
                                             const OptTensor& per_sample_weights, bool include_last_offset,
                                             std::optional<int64_t> padding_idx);
// aten::_embedding_bag: padding_idx -1 means none.
EmbeddingBagResult embedding_bag_forward(const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                                         bool scale_grad_by_freq, int64_t mode, bool sparse,
                                         const OptTensor& per_sample_weights, bool include_last_offset,
                                         int64_t padding_idx);

}  // namespace wick::ops
