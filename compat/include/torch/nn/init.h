// torch::nn::init: first values of parameters.
#pragma once

#include <torch/enum.h>
#include <torch/types.h>

namespace torch {
namespace nn {
namespace init {

using NonlinearityType = enumtype::Name;
using FanModeType = enumtype::Name;

// Each writes into the tensor and gives it back.
double calculate_gain(NonlinearityType nonlinearity, double param = 0.01);
at::Tensor constant_(at::Tensor tensor, at::Scalar value);
at::Tensor dirac_(at::Tensor tensor);
at::Tensor eye_(at::Tensor matrix);
at::Tensor normal_(at::Tensor tensor, double mean = 0, double std = 1);
at::Tensor ones_(at::Tensor tensor);
at::Tensor orthogonal_(at::Tensor tensor, double gain = 1.0);
at::Tensor sparse_(at::Tensor tensor, double sparsity, double std = 0.01);
at::Tensor uniform_(at::Tensor tensor, double low = 0, double high = 1);
at::Tensor kaiming_normal_(at::Tensor tensor, double a = 0, FanModeType mode = torch::kFanIn,
                           NonlinearityType nonlinearity = torch::kLeakyReLU);
at::Tensor kaiming_uniform_(at::Tensor tensor, double a = 0, FanModeType mode = torch::kFanIn,
                            NonlinearityType nonlinearity = torch::kLeakyReLU);
at::Tensor xavier_normal_(at::Tensor tensor, double gain = 1.0);
at::Tensor xavier_uniform_(at::Tensor tensor, double gain = 1.0);
at::Tensor zeros_(at::Tensor tensor);
std::tuple<int64_t, int64_t> _calculate_fan_in_and_fan_out(const at::Tensor& tensor);

}  // namespace init
}  // namespace nn
}  // namespace torch
