// torch::nn: dense layers, embeddings, dropout, shapes.
#pragma once

#include <torch/nn/functional/linear.h>
#include <torch/nn/modules/common.h>

namespace torch {
namespace nn {

struct LinearOptions {
  LinearOptions(int64_t in_features, int64_t out_features) : in_features_(in_features), out_features_(out_features) {}
  TORCH_ARG(int64_t, in_features);
  TORCH_ARG(int64_t, out_features);
  TORCH_ARG(bool, bias) = true;
};
struct BilinearOptions {
  BilinearOptions(int64_t in1, int64_t in2, int64_t out) : in1_features_(in1), in2_features_(in2), out_features_(out) {}
  TORCH_ARG(int64_t, in1_features);
  TORCH_ARG(int64_t, in2_features);
  TORCH_ARG(int64_t, out_features);
  TORCH_ARG(bool, bias) = true;
};
struct FlattenOptions {
  TORCH_ARG(int64_t, start_dim) = 1;
  TORCH_ARG(int64_t, end_dim) = -1;
};
struct UnflattenOptions {
  UnflattenOptions(int64_t dim, std::vector<int64_t> sizes) : dim_(dim), sizes_(std::move(sizes)) {}
  TORCH_ARG(int64_t, dim);
  TORCH_ARG(std::vector<int64_t>, sizes);
};
struct EmbeddingOptions {
  EmbeddingOptions(int64_t num, int64_t dim) : num_embeddings_(num), embedding_dim_(dim) {}
  TORCH_ARG(int64_t, num_embeddings);
  TORCH_ARG(int64_t, embedding_dim);
  TORCH_ARG(c10::optional<int64_t>, padding_idx) = c10::nullopt;
  TORCH_ARG(c10::optional<double>, max_norm) = c10::nullopt;
  TORCH_ARG(double, norm_type) = 2.;
  TORCH_ARG(bool, scale_grad_by_freq) = false;
  TORCH_ARG(bool, sparse) = false;
  TORCH_ARG(at::Tensor, _weight) = {};
};
struct EmbeddingFromPretrainedOptions {
  TORCH_ARG(bool, freeze) = true;
  TORCH_ARG(c10::optional<int64_t>, padding_idx) = c10::nullopt;
  TORCH_ARG(c10::optional<double>, max_norm) = c10::nullopt;
  TORCH_ARG(double, norm_type) = 2.;
  TORCH_ARG(bool, scale_grad_by_freq) = false;
  TORCH_ARG(bool, sparse) = false;
};
struct EmbeddingBagOptions {
  EmbeddingBagOptions(int64_t num, int64_t dim) : num_embeddings_(num), embedding_dim_(dim) {}
  TORCH_ARG(int64_t, num_embeddings);
  TORCH_ARG(int64_t, embedding_dim);
  TORCH_ARG(c10::optional<double>, max_norm) = c10::nullopt;
  TORCH_ARG(double, norm_type) = 2.;
  TORCH_ARG(bool, scale_grad_by_freq) = false;
  TORCH_ARG(enumtype::Name, mode) = torch::kMean;
  TORCH_ARG(bool, sparse) = false;
  TORCH_ARG(at::Tensor, _weight) = {};
  TORCH_ARG(bool, include_last_offset) = false;
  TORCH_ARG(c10::optional<int64_t>, padding_idx) = c10::nullopt;
};
struct EmbeddingBagFromPretrainedOptions {
  TORCH_ARG(bool, freeze) = true;
  TORCH_ARG(c10::optional<double>, max_norm) = c10::nullopt;
  TORCH_ARG(double, norm_type) = 2.;
  TORCH_ARG(bool, scale_grad_by_freq) = false;
  TORCH_ARG(enumtype::Name, mode) = torch::kMean;
  TORCH_ARG(bool, sparse) = false;
  TORCH_ARG(bool, include_last_offset) = false;
  TORCH_ARG(c10::optional<int64_t>, padding_idx) = c10::nullopt;
};
struct DropoutOptions {
  DropoutOptions(double p = 0.5) : p_(p) {}
  TORCH_ARG(double, p);
  TORCH_ARG(bool, inplace) = false;
};
using Dropout2dOptions = DropoutOptions;
using Dropout3dOptions = DropoutOptions;
using AlphaDropoutOptions = DropoutOptions;
using FeatureAlphaDropoutOptions = DropoutOptions;

class IdentityImpl : public Cloneable<IdentityImpl> {
 public:
  IdentityImpl() = default;
  template <class... Args>  // taken and left aside, as PyTorch does
  explicit IdentityImpl(Args&&...) {}
  void reset() override {}
  at::Tensor forward(const at::Tensor& input) { return input; }
  void pretty_print(std::ostream& stream) const override;
};
TORCH_MODULE(Identity);

class LinearImpl : public Cloneable<LinearImpl> {
 public:
  LinearImpl(int64_t in_features, int64_t out_features) : LinearImpl(LinearOptions(in_features, out_features)) {}
  explicit LinearImpl(const LinearOptions& o);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  at::Tensor forward(const at::Tensor& input);
  LinearOptions options;
  at::Tensor weight;
  at::Tensor bias;
};
TORCH_MODULE(Linear);

class BilinearImpl : public Cloneable<BilinearImpl> {
 public:
  BilinearImpl(int64_t in1, int64_t in2, int64_t out) : BilinearImpl(BilinearOptions(in1, in2, out)) {}
  explicit BilinearImpl(const BilinearOptions& o);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  at::Tensor forward(const at::Tensor& input1, const at::Tensor& input2);
  BilinearOptions options;
  at::Tensor weight;
  at::Tensor bias;
};
TORCH_MODULE(Bilinear);

WICK_MODULE(Flatten, FlattenOptions);
WICK_MODULE(Unflatten, UnflattenOptions);
WICK_MODULE(Fold, FoldOptions);
WICK_MODULE(Unfold, UnfoldOptions);
WICK_MODULE(Dropout, DropoutOptions);
WICK_MODULE(Dropout2d, DropoutOptions);
WICK_MODULE(Dropout3d, DropoutOptions);
WICK_MODULE(AlphaDropout, DropoutOptions);
WICK_MODULE(FeatureAlphaDropout, DropoutOptions);

class EmbeddingImpl : public Cloneable<EmbeddingImpl> {
 public:
  EmbeddingImpl(int64_t num, int64_t dim) : EmbeddingImpl(EmbeddingOptions(num, dim)) {}
  explicit EmbeddingImpl(const EmbeddingOptions& o);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  at::Tensor forward(const at::Tensor& indices);
  EmbeddingOptions options;
  at::Tensor weight;
};
class Embedding : public ModuleHolder<EmbeddingImpl> {
 public:
  using ModuleHolder<EmbeddingImpl>::ModuleHolder;
  using Impl = EmbeddingImpl;
  static Embedding from_pretrained(const at::Tensor& embeddings, const EmbeddingFromPretrainedOptions& options = {});
};

class EmbeddingBagImpl : public Cloneable<EmbeddingBagImpl> {
 public:
  EmbeddingBagImpl(int64_t num, int64_t dim) : EmbeddingBagImpl(EmbeddingBagOptions(num, dim)) {}
  explicit EmbeddingBagImpl(const EmbeddingBagOptions& o);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  at::Tensor forward(const at::Tensor& input, const at::Tensor& offsets = {},
                     const at::Tensor& per_sample_weights = {});
  EmbeddingBagOptions options;
  at::Tensor weight;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(at::Tensor())}, {2, AnyValue(at::Tensor())})
};
class EmbeddingBag : public ModuleHolder<EmbeddingBagImpl> {
 public:
  using ModuleHolder<EmbeddingBagImpl>::ModuleHolder;
  using Impl = EmbeddingBagImpl;
  static EmbeddingBag from_pretrained(const at::Tensor& embeddings,
                                      const EmbeddingBagFromPretrainedOptions& options = {});
};

}  // namespace nn
}  // namespace torch
