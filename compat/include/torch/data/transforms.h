// torch::data::transforms: functions of the examples, or of the batches, of a dataset.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <torch/data/example.h>

namespace torch {
namespace data {
namespace transforms {

template <class InputBatch, class OutputBatch>
class BatchTransform {
 public:
  using InputBatchType = InputBatch;
  using OutputBatchType = OutputBatch;
  virtual ~BatchTransform() = default;
  virtual OutputBatch apply_batch(InputBatch input_batch) = 0;
};

// Of one example at a time.
template <class Input, class Output>
class Transform : public BatchTransform<std::vector<Input>, std::vector<Output>> {
 public:
  using InputType = Input;
  using OutputType = Output;
  virtual Output apply(Input input) = 0;
  std::vector<Output> apply_batch(std::vector<Input> input_batch) override {
    std::vector<Output> out;
    out.reserve(input_batch.size());
    for (Input& input : input_batch) out.push_back(apply(std::move(input)));
    return out;
  }
};

// From many examples to what a batch is.
template <class T, class BatchType = std::vector<T>>
using Collation = BatchTransform<BatchType, T>;

template <class InputBatch, class OutputBatch = InputBatch>
class BatchLambda : public BatchTransform<InputBatch, OutputBatch> {
 public:
  using typename BatchTransform<InputBatch, OutputBatch>::InputBatchType;
  using typename BatchTransform<InputBatch, OutputBatch>::OutputBatchType;
  using FunctionType = std::function<OutputBatchType(InputBatchType)>;
  explicit BatchLambda(FunctionType function) : function_(std::move(function)) {}
  OutputBatchType apply_batch(InputBatchType input_batch) override { return function_(std::move(input_batch)); }

 private:
  FunctionType function_;
};
template <class T, class BatchType = std::vector<T>>
using Collate = BatchLambda<BatchType, T>;

template <class Input, class Output = Input>
class Lambda : public Transform<Input, Output> {
 public:
  using FunctionType = std::function<Output(Input)>;
  explicit Lambda(FunctionType function) : function_(std::move(function)) {}
  Output apply(Input input) override { return function_(std::move(input)); }

 private:
  FunctionType function_;
};

// Of an example's tensor; its target stays.
template <class Target = at::Tensor>
class TensorTransform : public Transform<Example<at::Tensor, Target>, Example<at::Tensor, Target>> {
 public:
  using E = Example<at::Tensor, Target>;
  virtual at::Tensor operator()(at::Tensor input) = 0;
  E apply(E input) override {
    input.data = (*this)(std::move(input.data));
    return input;
  }
};
template <class Target = at::Tensor>
class TensorLambda : public TensorTransform<Target> {
 public:
  using FunctionType = std::function<at::Tensor(at::Tensor)>;
  explicit TensorLambda(FunctionType function) : function_(std::move(function)) {}
  at::Tensor operator()(at::Tensor input) override { return function_(std::move(input)); }

 private:
  FunctionType function_;
};

// (input - mean) / stddev, one of each per channel or one for all.
template <class Target = at::Tensor>
struct Normalize : TensorTransform<Target> {
  Normalize(at::ArrayRef<double> mean, at::ArrayRef<double> stddev)
      : mean(per_channel(mean)), stddev(per_channel(stddev)) {}
  at::Tensor operator()(at::Tensor input) override { return input.sub(mean).div(stddev); }
  at::Tensor mean, stddev;

 private:
  static at::Tensor per_channel(at::ArrayRef<double> values) {
    return torch::tensor(values, at::kFloat).unsqueeze(1).unsqueeze(2);
  }
};

// One example of stacked tensors.
template <class T = Example<>>
struct Stack;
template <>
struct Stack<Example<>> : Collation<Example<>> {
  Example<> apply_batch(std::vector<Example<>> examples) override {
    std::vector<at::Tensor> data, targets;
    for (Example<>& e : examples) {
      data.push_back(std::move(e.data));
      targets.push_back(std::move(e.target));
    }
    return {at::stack(data), at::stack(targets)};
  }
};
template <>
struct Stack<TensorExample> : Collation<Example<at::Tensor, example::NoTarget>> {
  TensorExample apply_batch(std::vector<TensorExample> examples) override {
    std::vector<at::Tensor> data;
    for (TensorExample& e : examples) data.push_back(std::move(e.data));
    return at::stack(data);
  }
};

}  // namespace transforms
}  // namespace data
}  // namespace torch
