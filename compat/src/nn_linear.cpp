// torch::nn: dense layers, embeddings, dropout and shapes as modules.
#include <torch/nn/init.h>
#include <torch/nn/modules/linear.h>

#include <cmath>

#include "nn_print.h"

namespace torch {
namespace nn {

using at::Tensor;
using wick_compat::Printed;
namespace F = functional;

void IdentityImpl::pretty_print(std::ostream& stream) const { Printed(stream, "Identity"); }

LinearImpl::LinearImpl(const LinearOptions& o) : options(o) { LinearImpl::reset(); }
void LinearImpl::reset() {
  weight = register_parameter("weight", at::empty({options.out_features(), options.in_features()}));
  bias = options.bias() ? register_parameter("bias", at::empty({options.out_features()}))
                        : register_parameter("bias", {}, false);
  reset_parameters();
}
void LinearImpl::reset_parameters() {
  init::kaiming_uniform_(weight, std::sqrt(5));
  if (!bias.defined()) return;
  const double bound = 1 / std::sqrt(weight.size(1));
  init::uniform_(bias, -bound, bound);
}
void LinearImpl::pretty_print(std::ostream& stream) const {
  Printed(stream, "Linear")
      .field("in_features", options.in_features())
      .field("out_features", options.out_features())
      .field("bias", options.bias());
}
Tensor LinearImpl::forward(const Tensor& input) { return F::linear(input, weight, bias); }

BilinearImpl::BilinearImpl(const BilinearOptions& o) : options(o) { BilinearImpl::reset(); }
void BilinearImpl::reset() {
  weight =
      register_parameter("weight", at::empty({options.out_features(), options.in1_features(), options.in2_features()}));
  bias = options.bias() ? register_parameter("bias", at::empty({options.out_features()}))
                        : register_parameter("bias", {}, false);
  reset_parameters();
}
void BilinearImpl::reset_parameters() {
  const double bound = 1 / std::sqrt(weight.size(1));
  init::uniform_(weight, -bound, bound);
  if (bias.defined()) init::uniform_(bias, -bound, bound);
}
void BilinearImpl::pretty_print(std::ostream& stream) const {
  Printed(stream, "Bilinear")
      .field("in1_features", options.in1_features())
      .field("in2_features", options.in2_features())
      .field("out_features", options.out_features())
      .field("bias", options.bias());
}
Tensor BilinearImpl::forward(const Tensor& a, const Tensor& b) { return F::bilinear(a, b, weight, bias); }

Tensor FlattenImpl::forward(const Tensor& input) { return input.flatten(options.start_dim(), options.end_dim()); }
void FlattenImpl::pretty_print(std::ostream& stream) const {
  Printed(stream, "Flatten").field("start_dim", options.start_dim()).field("end_dim", options.end_dim());
}
Tensor UnflattenImpl::forward(const Tensor& input) { return at::unflatten(input, options.dim(), options.sizes()); }
void UnflattenImpl::pretty_print(std::ostream& stream) const {
  std::string sizes = c10::str(at::IntArrayRef(options.sizes()));
  sizes.front() = '{';
  sizes.back() = '}';
  Printed(stream, "Unflatten").field("dim", options.dim()).field("unflattened_size", sizes);
}
Tensor FoldImpl::forward(const Tensor& input) { return F::fold(input, options); }
void FoldImpl::pretty_print(std::ostream& stream) const {
  Printed(stream, "Fold")
      .field("output_size", options.output_size())
      .field("kernel_size", options.kernel_size())
      .field("dilation", options.dilation())
      .field("padding", options.padding())
      .field("stride", options.stride());
}
Tensor UnfoldImpl::forward(const Tensor& input) { return F::unfold(input, options); }
void UnfoldImpl::pretty_print(std::ostream& stream) const {
  Printed(stream, "Unfold")
      .field("kernel_size", options.kernel_size())
      .field("dilation", options.dilation())
      .field("padding", options.padding())
      .field("stride", options.stride());
}

#define WICK_DROPOUT(Name, function)                                                    \
  Tensor Name##Impl::forward(const Tensor& input) {                                     \
    Tensor written = input;                                                             \
    return options.inplace() ? at::function##_(written, options.p(), is_training())     \
                             : at::function(input, options.p(), is_training());         \
  }                                                                                     \
  void Name##Impl::pretty_print(std::ostream& stream) const {                           \
    Printed(stream, #Name).field("p", options.p()).field("inplace", options.inplace()); \
  }
WICK_DROPOUT(Dropout, dropout)
WICK_DROPOUT(Dropout2d, feature_dropout)
WICK_DROPOUT(Dropout3d, feature_dropout)
WICK_DROPOUT(AlphaDropout, alpha_dropout)
WICK_DROPOUT(FeatureAlphaDropout, feature_alpha_dropout)
#undef WICK_DROPOUT

namespace {
template <class Options>
void check_padding(Options& options) {
  if (!options.padding_idx()) return;
  const int64_t index = *options.padding_idx(), count = options.num_embeddings();
  TORCH_CHECK(index < count && index >= -count, "Padding_idx must be within num_embeddings");
  if (index < 0) options.padding_idx(count + index);
}
template <class Options>
Tensor embedding_weight(const Options& options) {
  const Tensor& given = options._weight();
  if (!given.defined()) return at::empty({options.num_embeddings(), options.embedding_dim()});
  TORCH_CHECK(given.sizes() == at::IntArrayRef({options.num_embeddings(), options.embedding_dim()}),
              "Shape of _weight does not match num_embeddings and embedding_dim");
  return given;
}
template <class Options>
void first_values(const Options& options, Tensor& weight) {
  const at::NoGradGuard no_grad;
  init::normal_(weight);
  if (options.padding_idx()) weight[*options.padding_idx()].fill_(0);
}
}  // namespace

EmbeddingImpl::EmbeddingImpl(const EmbeddingOptions& o) : options(o) { EmbeddingImpl::reset(); }
void EmbeddingImpl::reset() {
  check_padding(options);
  weight = register_parameter("weight", embedding_weight(options));
  if (!options._weight().defined()) reset_parameters();
}
void EmbeddingImpl::reset_parameters() { first_values(options, weight); }
void EmbeddingImpl::pretty_print(std::ostream& stream) const {
  Printed p(stream, "Embedding");
  p.field("num_embeddings", options.num_embeddings()).field("embedding_dim", options.embedding_dim());
  if (options.padding_idx()) p.field("padding_idx", *options.padding_idx());
  if (options.max_norm()) p.field("max_norm", *options.max_norm());
  p.field_if(options.norm_type() != 2, "norm_type", options.norm_type())
      .field_if(options.scale_grad_by_freq(), "scale_grad_by_freq", options.scale_grad_by_freq())
      .field_if(options.sparse(), "sparse", options.sparse());
}
Tensor EmbeddingImpl::forward(const Tensor& indices) {
  F::EmbeddingFuncOptions o;
  o.padding_idx(options.padding_idx()).max_norm(options.max_norm()).norm_type(options.norm_type());
  return F::embedding(indices, weight, o.scale_grad_by_freq(options.scale_grad_by_freq()).sparse(options.sparse()));
}
Embedding Embedding::from_pretrained(const Tensor& embeddings, const EmbeddingFromPretrainedOptions& options) {
  TORCH_CHECK(embeddings.dim() == 2, "Embeddings parameter is expected to be 2-dimensional");
  Embedding out(EmbeddingOptions(embeddings.size(0), embeddings.size(1))
                    ._weight(embeddings)
                    .padding_idx(options.padding_idx())
                    .max_norm(options.max_norm())
                    .norm_type(options.norm_type())
                    .scale_grad_by_freq(options.scale_grad_by_freq())
                    .sparse(options.sparse()));
  out->weight.set_requires_grad(!options.freeze());
  return out;
}

EmbeddingBagImpl::EmbeddingBagImpl(const EmbeddingBagOptions& o) : options(o) { EmbeddingBagImpl::reset(); }
void EmbeddingBagImpl::reset() {
  check_padding(options);
  weight = register_parameter("weight", embedding_weight(options));
  if (!options._weight().defined()) reset_parameters();
}
void EmbeddingBagImpl::reset_parameters() { first_values(options, weight); }
void EmbeddingBagImpl::pretty_print(std::ostream& stream) const {
  Printed p(stream, "EmbeddingBag");
  p.field("num_embeddings", options.num_embeddings()).field("embedding_dim", options.embedding_dim());
  if (options.max_norm()) p.field("max_norm", *options.max_norm());
  p.field_if(options.norm_type() != 2, "norm_type", options.norm_type())
      .field_if(options.scale_grad_by_freq(), "scale_grad_by_freq", options.scale_grad_by_freq())
      .field_if(options.sparse(), "sparse", options.sparse());
  p.field_if(options.mode() != kMean, "mode", options.mode() == kSum ? "kSum" : "kMax");
  p.field_if(options.include_last_offset(), "include_last_offset", options.include_last_offset());
  if (options.padding_idx()) p.field("padding_idx", *options.padding_idx());
}
Tensor EmbeddingBagImpl::forward(const Tensor& input, const Tensor& offsets, const Tensor& per_sample_weights) {
  F::EmbeddingBagFuncOptions o;
  o.offsets(offsets).max_norm(options.max_norm()).norm_type(options.norm_type()).mode(options.mode());
  o.scale_grad_by_freq(options.scale_grad_by_freq()).sparse(options.sparse()).per_sample_weights(per_sample_weights);
  return F::embedding_bag(input, weight,
                          o.include_last_offset(options.include_last_offset()).padding_idx(options.padding_idx()));
}
EmbeddingBag EmbeddingBag::from_pretrained(const Tensor& embeddings, const EmbeddingBagFromPretrainedOptions& options) {
  TORCH_CHECK(embeddings.dim() == 2, "Embeddings parameter is expected to be 2-dimensional");
  EmbeddingBag out(EmbeddingBagOptions(embeddings.size(0), embeddings.size(1))
                       ._weight(embeddings)
                       .max_norm(options.max_norm())
                       .norm_type(options.norm_type())
                       .scale_grad_by_freq(options.scale_grad_by_freq())
                       .mode(options.mode())
                       .sparse(options.sparse())
                       .padding_idx(options.padding_idx()));
  out->weight.set_requires_grad(!options.freeze());
  return out;
}

}  // namespace nn
}  // namespace torch
