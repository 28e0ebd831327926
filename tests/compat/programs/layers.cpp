// Layers in their less usual uses: without a batch, with output sizes, in place, of wrong classes.
#include <torch/torch.h>

#include "common.h"

namespace F = torch::nn::functional;
using torch::Tensor;

template <class Call>
void fails(const char* what, Call call) {
  try {
    call();
    std::cout << what << ": no error\n";
  } catch (const c10::Error& e) {
    std::cout << what << ": " << e.what_without_backtrace() << "\n";
  }
}

int main() {
  const auto image = torch::linspace(-2, 3, 2 * 3 * 4 * 4).view({2, 3, 4, 4});
  torch::nn::InstanceNorm1d norm1(torch::nn::InstanceNorm1dOptions(3).affine(true));
  torch::nn::InstanceNorm2d norm2(3);
  torch::nn::InstanceNorm3d norm3(torch::nn::InstanceNorm3dOptions(2).track_running_stats(true));
  std::cout << norm1(image[0].flatten(1)) << norm2(image[0]) << norm2(image) << norm3(image) << "\n";
  std::cout << norm3->running_mean << norm3->running_var << "\n";
  fails("2d of 2d", [&] { norm2(image[0][0]); });

  const auto channels = torch::linspace(-1, 1, 2 * 7 * 3 * 2).view({2, 7, 3, 2});
  for (const int64_t size : {1, 2, 3, 4, 5, 9}) {
    torch::nn::CrossMapLRN2d lrn(torch::nn::CrossMapLRN2dOptions(size).alpha(0.5).beta(0.7).k(2));
    std::cout << lrn(channels).flatten() << "\n";
  }

  const auto pooled = F::max_pool2d_with_indices(image, F::MaxPool2dFuncOptions(2));
  const auto& values = std::get<0>(pooled);
  const auto& indices = std::get<1>(pooled);
  std::cout << F::max_unpool2d(values, indices, F::MaxUnpool2dFuncOptions(2)).sizes()
            << F::max_unpool2d(values, indices,
                               F::MaxUnpool2dFuncOptions(2).output_size(std::vector<int64_t>{2, 3, 5, 4}))
                   .sizes()
            << "\n";
  fails("sizes of two dimensions", [&] {
    F::max_unpool2d(values, indices, F::MaxUnpool2dFuncOptions(2).output_size(std::vector<int64_t>{5, 4}));
  });
  fails("sizes far off", [&] {
    F::max_unpool2d(values, indices, F::MaxUnpool2dFuncOptions(2).output_size(std::vector<int64_t>{2, 3, 9, 4}));
  });

  torch::nn::ModuleList list(torch::nn::Linear(2, 3), torch::nn::ReLU());
  std::cout << list->at<torch::nn::LinearImpl>(0).options.out_features() << "\n";
  fails("past the end", [&] { list->at<torch::nn::LinearImpl>(2); });
  torch::OrderedDict<std::string, std::shared_ptr<torch::nn::Module>> named;
  named.insert("fc", torch::nn::Linear(2, 3).ptr());
  torch::nn::ModuleDict dict(named);
  std::cout << dict->at<torch::nn::LinearImpl>("fc").options.in_features() << "\n";

  torch::manual_seed(0);
  torch::nn::TransformerEncoderLayer layer(
      torch::nn::TransformerEncoderLayerOptions(4, 2).dim_feedforward(8).activation(
          [](const Tensor& x) { return torch::leaky_relu(x, 0.3); }));
  layer->eval();
  std::cout << layer(torch::linspace(-1, 1, 24).view({3, 2, 4})) << "\n";

  Tensor ones = torch::ones({2, 3, 2, 2});
  std::cout << F::dropout2d(ones, F::Dropout2dFuncOptions().p(1).training(true).inplace(true)).is_same(ones)
            << ones.sum().item<float>() << "\n";
  ones = torch::ones({8});
  F::alpha_dropout(ones, F::AlphaDropoutFuncOptions().p(0.99).training(true).inplace(true));
  std::cout << (ones.eq(1).sum().item<int64_t>() < 8) << "\n";
  fails("probability", [&] { F::dropout3d(ones, F::Dropout3dFuncOptions().p(1.5)); });
  fails("strides of same",
        [] { torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 1, 3).stride(2).padding(torch::kSame)); });
  torch::nn::Unfold unfold(2);
  std::cout << unfold(image[0].unsqueeze(0)).sizes() << "\n";
}
