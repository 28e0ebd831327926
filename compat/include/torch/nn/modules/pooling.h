// torch::nn: pooling.
#pragma once

#include <torch/nn/functional/pooling.h>
#include <torch/nn/modules/common.h>

namespace torch {
namespace nn {

#define WICK_WITH_INDICES(Name, Options)                                              \
  class Name##Impl : public detail::OptionsModule<Name##Impl, Options> {              \
   public:                                                                            \
    using OptionsModule = detail::OptionsModule<Name##Impl, Options>;                 \
    using OptionsModule::OptionsModule;                                               \
    at::Tensor forward(const at::Tensor& input);                                      \
    std::tuple<at::Tensor, at::Tensor> forward_with_indices(const at::Tensor& input); \
    void pretty_print(std::ostream& stream) const override;                           \
  };                                                                                  \
  TORCH_MODULE(Name)
#define WICK_POOL(D)                                                                                      \
  WICK_MODULE(AvgPool##D##d, AvgPool##D##dOptions);                                                       \
  WICK_WITH_INDICES(MaxPool##D##d, MaxPool##D##dOptions);                                                 \
  WICK_MODULE(AdaptiveAvgPool##D##d, AdaptiveAvgPool##D##dOptions);                                       \
  WICK_WITH_INDICES(AdaptiveMaxPool##D##d, AdaptiveMaxPool##D##dOptions);                                 \
  class MaxUnpool##D##dImpl : public detail::OptionsModule<MaxUnpool##D##dImpl, MaxUnpool##D##dOptions> { \
   public:                                                                                                \
    using OptionsModule = detail::OptionsModule<MaxUnpool##D##dImpl, MaxUnpool##D##dOptions>;             \
    using OptionsModule::OptionsModule;                                                                   \
    at::Tensor forward(const at::Tensor& input, const at::Tensor& indices,                                \
                       const c10::optional<std::vector<int64_t>>& output_size = c10::nullopt);            \
    void pretty_print(std::ostream& stream) const override;                                               \
                                                                                                          \
   protected:                                                                                             \
    FORWARD_HAS_DEFAULT_ARGS({2, AnyValue(c10::optional<std::vector<int64_t>>())})                        \
  };                                                                                                      \
  TORCH_MODULE(MaxUnpool##D##d);
WICK_POOL(1)
WICK_POOL(2)
WICK_POOL(3)
#undef WICK_POOL
#undef WICK_WITH_INDICES

#define WICK_LP_POOL(D)                                                                          \
  class LPPool##D##dImpl : public detail::OptionsModule<LPPool##D##dImpl, LPPool##D##dOptions> { \
   public:                                                                                       \
    using OptionsModule = detail::OptionsModule<LPPool##D##dImpl, LPPool##D##dOptions>;          \
    using OptionsModule::OptionsModule;                                                          \
    LPPool##D##dImpl(double norm_type, ExpandingArray<D> kernel)                                 \
        : OptionsModule(LPPool##D##dOptions(norm_type, kernel)) {}                               \
    at::Tensor forward(const at::Tensor& input);                                                 \
    void pretty_print(std::ostream& stream) const override;                                      \
  };                                                                                             \
  TORCH_MODULE(LPPool##D##d);
WICK_LP_POOL(1)
WICK_LP_POOL(2)
#undef WICK_LP_POOL

}  // namespace nn
}  // namespace torch
