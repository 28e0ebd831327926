// torch::data::datasets::MNIST: the handwritten digits, in the files that they are published as.
#pragma once

#include <string>

#include <torch/data/datasets/base.h>

namespace torch {
namespace data {
namespace datasets {

class MNIST : public Dataset<MNIST> {
 public:
  enum class Mode { kTrain, kTest };
  // Reads train-images-idx3-ubyte and its fellows of the folder. Throws c10::Error for what is no such file.
  explicit MNIST(const std::string& root, Mode mode = Mode::kTrain);
  Example<> get(size_t index) override;
  c10::optional<size_t> size() const override;
  bool is_train() const noexcept { return train_; }
  const at::Tensor& images() const { return images_; }    // float [N, 1, 28, 28], from 0 to 1
  const at::Tensor& targets() const { return targets_; }  // int64 [N]

 private:
  bool train_;
  at::Tensor images_, targets_;
};

}  // namespace datasets
}  // namespace data
}  // namespace torch
