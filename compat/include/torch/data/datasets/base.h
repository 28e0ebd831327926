// torch::data::datasets: examples by index, streams, and what is made of other datasets.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <torch/data/example.h>
#include <torch/serialize.h>

namespace torch {
namespace data {
namespace datasets {

template <class Source, class Transform>
class MapDataset;
template <class Source, class Transform>
MapDataset<Source, Transform> map(Source dataset, Transform transform);

namespace detail {
template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<c10::optional<T>> : std::true_type {};
template <bool optional, class T>
using optional_if_t = typename std::conditional<optional, c10::optional<T>, T>::type;
}  // namespace detail

// Gives a batch for a request: indices, a size, or what else its sampler makes. One whose batches are optional has a
// state, and ends by itself.
template <class Self, class Batch, class BatchRequest = at::ArrayRef<size_t>>
class BatchDataset {
 public:
  using SelfType = Self;
  using BatchType = Batch;
  using BatchRequestType = BatchRequest;
  static constexpr bool is_stateful = detail::is_optional<Batch>::value;
  virtual ~BatchDataset() = default;
  virtual Batch get_batch(BatchRequest request) = 0;
  virtual c10::optional<size_t> size() const = 0;
  // This dataset with a transform of its batches.
  template <class Transform>
  MapDataset<Self, Transform> map(Transform transform) & {
    return datasets::map(static_cast<Self&>(*this), std::move(transform));
  }
  template <class Transform>
  MapDataset<Self, Transform> map(Transform transform) && {
    return datasets::map(std::move(static_cast<Self&>(*this)), std::move(transform));
  }
};

// Gives one example for an index.
template <class Self, class SingleExample = Example<>>
class Dataset : public BatchDataset<Self, std::vector<SingleExample>> {
 public:
  using ExampleType = SingleExample;
  virtual ExampleType get(size_t index) = 0;
  std::vector<ExampleType> get_batch(at::ArrayRef<size_t> indices) override {
    std::vector<ExampleType> batch;
    batch.reserve(indices.size());
    for (size_t i : indices) batch.push_back(get(i));
    return batch;
  }
};

// Is asked for a number of examples.
template <class Self, class Batch>
using StreamDataset = BatchDataset<Self, Batch, size_t>;

template <class Self, class Batch = std::vector<Example<>>, class BatchRequest = size_t>
class StatefulDataset : public BatchDataset<Self, c10::optional<Batch>, BatchRequest> {
 public:
  virtual void reset() = 0;
  virtual void save(serialize::OutputArchive& archive) const = 0;
  virtual void load(serialize::InputArchive& archive) = 0;
};
template <class Self, class... Rest>
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const StatefulDataset<Self, Rest...>& dataset) {
  dataset.save(archive);
  return archive;
}
template <class Self, class... Rest>
serialize::InputArchive& operator>>(serialize::InputArchive& archive, StatefulDataset<Self, Rest...>& dataset) {
  dataset.load(archive);
  return archive;
}

template <class Source, class AppliedTransform>
class MapDataset
    : public BatchDataset<MapDataset<Source, AppliedTransform>,
                          detail::optional_if_t<Source::is_stateful, typename AppliedTransform::OutputBatchType>,
                          typename Source::BatchRequestType> {
 public:
  using DatasetType = Source;
  using TransformType = AppliedTransform;
  using BatchRequestType = typename Source::BatchRequestType;
  using OutputBatchType = detail::optional_if_t<Source::is_stateful, typename AppliedTransform::OutputBatchType>;
  MapDataset(Source dataset, AppliedTransform transform)
      : dataset_(std::move(dataset)), transform_(std::move(transform)) {}
  OutputBatchType get_batch(BatchRequestType request) override {
    return transformed(dataset_.get_batch(std::move(request)));
  }
  c10::optional<size_t> size() const noexcept override { return dataset_.size(); }
  void reset() { dataset_.reset(); }  // of datasets with a state
  const Source& dataset() noexcept { return dataset_; }
  const AppliedTransform& transform() noexcept { return transform_; }

 private:
  template <class Batch>
  OutputBatchType transformed(Batch batch) {
    return transform_.apply_batch(std::move(batch));
  }
  template <class Batch>
  OutputBatchType transformed(c10::optional<Batch> batch) {
    if (!batch) return c10::nullopt;
    return transform_.apply_batch(std::move(*batch));
  }
  Source dataset_;
  AppliedTransform transform_;
};
template <class Source, class Transform>
MapDataset<Source, Transform> map(Source dataset, Transform transform) {
  static_assert(
      std::is_same<typename std::conditional<Source::is_stateful, c10::optional<typename Transform::InputBatchType>,
                                             typename Transform::InputBatchType>::type,
                   typename Source::BatchType>::value,
      "the batches of the dataset are not what the transform takes");
  return {std::move(dataset), std::move(transform)};
}

// The rows of a tensor.
struct TensorDataset : Dataset<TensorDataset, TensorExample> {
  explicit TensorDataset(const std::vector<at::Tensor>& tensors) : tensor(at::stack(tensors)) {}
  explicit TensorDataset(at::Tensor tensor) : tensor(std::move(tensor)) {}
  TensorExample get(size_t index) override { return tensor[static_cast<int64_t>(index)]; }
  c10::optional<size_t> size() const override { return static_cast<size_t>(tensor.size(0)); }
  at::Tensor tensor;
};

// One dataset that all workers of a loader use.
template <class Underlying>
class SharedBatchDataset : public BatchDataset<SharedBatchDataset<Underlying>, typename Underlying::BatchType,
                                               typename Underlying::BatchRequestType> {
 public:
  using BatchType = typename Underlying::BatchType;
  using BatchRequestType = typename Underlying::BatchRequestType;
  SharedBatchDataset(std::shared_ptr<Underlying> dataset) : dataset_(std::move(dataset)) {}
  BatchType get_batch(BatchRequestType request) override { return dataset_->get_batch(std::move(request)); }
  c10::optional<size_t> size() const override { return dataset_->size(); }
  Underlying& operator*() { return *dataset_; }
  const Underlying& operator*() const { return *dataset_; }
  Underlying* operator->() { return dataset_.get(); }
  const Underlying* operator->() const { return dataset_.get(); }
  void reset() { dataset_->reset(); }

 private:
  std::shared_ptr<Underlying> dataset_;
};
template <class Underlying, class... Args>
SharedBatchDataset<Underlying> make_shared_dataset(Args&&... args) {
  return std::make_shared<Underlying>(std::forward<Args>(args)...);
}

}  // namespace datasets
}  // namespace data
}  // namespace torch
