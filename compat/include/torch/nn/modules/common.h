// What the classes of torch::nn share: modules that are options and a function, and how they are printed.
#pragma once

#include <ostream>

#include <torch/expanding_array.h>
#include <torch/nn/cloneable.h>
#include <torch/nn/modules/container/any.h>

namespace torch {
namespace nn {
namespace detail {

// A module that has options and no tensors.
template <class Derived, class Options>
class OptionsModule : public Cloneable<Derived> {
 public:
  template <class O = Options, class = typename std::enable_if<std::is_default_constructible<O>::value>::type>
  OptionsModule() : options() {}
  explicit OptionsModule(const Options& o) : options(o) {}
  void reset() override {}
  Options options;
};
struct NoOptions {};

}  // namespace detail
}  // namespace nn
}  // namespace torch

// A class Name##Impl of options and a function of one tensor, and its holder.
#define WICK_MODULE(Name, Options)                                       \
  class Name##Impl : public detail::OptionsModule<Name##Impl, Options> { \
   public:                                                               \
    using OptionsModule = detail::OptionsModule<Name##Impl, Options>;    \
    using OptionsModule::OptionsModule;                                  \
    at::Tensor forward(const at::Tensor& input);                         \
    void pretty_print(std::ostream& stream) const override;              \
  };                                                                     \
  TORCH_MODULE(Name)
#define WICK_PLAIN_MODULE(Name) WICK_MODULE(Name, detail::NoOptions)
