// torch::data::Example: what a dataset gives for one index.
#pragma once

#include <torch/types.h>

namespace torch {
namespace data {

namespace example {
using NoTarget = void;
}

template <class Data = at::Tensor, class Target = at::Tensor>
struct Example {
  using DataType = Data;
  using TargetType = Target;
  Example() = default;
  Example(Data data, Target target) : data(std::move(data)), target(std::move(target)) {}
  Data data;
  Target target;
};

// Data alone, which it converts to.
template <class Data>
struct Example<Data, example::NoTarget> {
  using DataType = Data;
  using TargetType = example::NoTarget;
  Example() = default;
  Example(Data data) : data(std::move(data)) {}
  operator Data&() { return data; }
  operator const Data&() const { return data; }
  Data data;
};

using TensorExample = Example<at::Tensor, example::NoTarget>;

}  // namespace data
}  // namespace torch
