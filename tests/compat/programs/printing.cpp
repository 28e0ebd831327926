// How tensors print.
#include <torch/torch.h>

#include <iomanip>
#include <limits>

#include "common.h"

int main() {
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<torch::Tensor> all = {torch::tensor(1.5),
                                    torch::tensor(3),
                                    torch::tensor(true),
                                    torch::zeros({}),
                                    torch::empty({0}),
                                    torch::empty({2, 0}),
                                    torch::empty({0, 3}, torch::kLong),
                                    torch::tensor({1, 2, 3}),
                                    torch::tensor({1, -20, 300}),
                                    torch::tensor({0.5, 1.25}),
                                    torch::tensor({1., 2., 3.}),
                                    torch::tensor({1e-5, 1.}),
                                    torch::tensor({1e8, 1.}),
                                    torch::tensor({1e10, 1e-10}),
                                    torch::tensor({1e-8}),
                                    torch::tensor({123456.789}),
                                    torch::tensor({1234567.}),
                                    torch::tensor({99999.5, 0.1}),
                                    torch::tensor({inf, 1.f}),
                                    torch::tensor({-inf, NAN, 0.5f}),
                                    torch::tensor({NAN}),
                                    torch::tensor({inf}),
                                    torch::tensor({true, false}),
                                    torch::tensor({1.5, 2.5}, torch::kHalf),
                                    torch::tensor({1.5, 2.5}, torch::kBFloat16),
                                    torch::tensor({1.0 / 3}, torch::kDouble),
                                    torch::tensor({255, 0}, torch::kByte),
                                    torch::tensor({-128}, torch::kChar),
                                    torch::tensor({100000, 2}),
                                    torch::tensor({int64_t(1) << 40, int64_t(-1)}),
                                    torch::arange(6).view({2, 3}),
                                    torch::arange(24.).view({2, 3, 4}),
                                    torch::linspace(-1, 1, 16).view({2, 2, 2, 2}),
                                    torch::arange(30.),
                                    torch::linspace(0, 1000, 40).view({1, 40}),
                                    torch::linspace(0, 1, 90).view({2, 45}),
                                    torch::arange(60).view({2, 30}),
                                    torch::zeros({2, 2}),
                                    torch::ones({1, 1, 1}),
                                    torch::eye(3) * 1e6,
                                    torch::tensor({{0.001, 1000.}}),
                                    torch::full({3}, -0.0),
                                    torch::tensor({0.1, 0.22, 0.333}),
                                    torch::complex(torch::tensor({1.f, 2.f}), torch::tensor({-1.f, 0.5f})),
                                    torch::tensor({1.00001}),
                                    torch::tensor({9.99999}),
                                    torch::tensor({0.00012345}),
                                    torch::tensor({5., 500000.}),
                                    torch::tensor({5., 50000.5})};
  for (const auto& t : all) std::cout << t << "\n--\n";
  std::cout << torch::Tensor() << "\n";
  std::cout << torch::rand({3}).sizes() << torch::IntArrayRef{} << torch::rand({3, 4}).strides() << "\n";
  torch::print(torch::tensor({1.5}));
  std::cout << "\n";
  std::cout << std::setprecision(3) << torch::tensor({1.23456789}) << 1.23456789 << "\n";
  std::cout << std::fixed << std::setprecision(2) << torch::tensor({1.23456789, 1e9}) << 2.0 << "\n";
  std::cout << std::scientific << torch::tensor({2.5}) << 2.5 << "\n";
  std::stringstream s;
  s << torch::ones({2}) << torch::kInt << torch::Device("cpu");
  std::cout << s.str() << std::defaultfloat << std::endl;
  std::cout << std::vector<at::Tensor>{torch::ones({1}), torch::zeros({2})} << "\n"
            << at::TensorList({torch::ones({1})}) << "\n";
  std::cout << c10::optional<at::Tensor>(torch::ones(1)).value() << torch::ones({2}).options() << "\n";
  std::cout << torch::str(torch::ones({1}), " and ", 3) << "\n" << c10::toString(torch::kFloat) << "\n";
}
