// Quantized models and tensors; the engine is chosen as phones do.
#include <ATen/ATen.h>
#include <torch/script.h>
#include <torch/torch.h>

#include "common.h"

int main(int, char** argv) {
  const std::string folder = argv[1];
  const auto engines = at::globalContext().supportedQEngines();
  std::cout << (std::find(engines.begin(), engines.end(), at::QEngine::QNNPACK) != engines.end()) << "\n";
  at::globalContext().setQEngine(at::QEngine::QNNPACK);
  std::cout << toString(at::globalContext().qEngine()) << "\n";
  for (const char* name : {"/quantized.pt", "/dynamic.pt"}) {
    auto module = torch::jit::load(folder + name);
    torch::NoGradGuard guard;
    auto x = name[1] == 'q' ? torch::linspace(-1, 1, 3 * 16 * 16).view({1, 3, 16, 16})
                            : torch::linspace(-2, 2, 24).view({3, 8});
    auto y = module.forward({x}).toTensor();
    std::cout << y.sizes() << " " << y.is_quantized() << "\n" << y.mul(100).round().div(100) << "\n";
  }
  auto x = torch::linspace(-1.f, 2.f, 7);
  auto q = torch::quantize_per_tensor(x, 0.05, 10, torch::kQUInt8);
  std::cout << q << "\n"
            << q.q_scale() << " " << q.q_zero_point() << " " << toString(q.qscheme()) << " " << q.is_quantized()
            << "\n";
  std::cout << q.int_repr() << q.dequantize() << q.dtype() << " " << q.scalar_type() << " " << q.element_size() << "\n";
  auto scales = torch::tensor({0.1, 0.2}, torch::kDouble);
  auto zeros = torch::tensor({0, 0}, torch::kLong);
  auto w = torch::quantize_per_channel(torch::linspace(-3, 3, 6).view({2, 3}), scales, zeros, 0, torch::kQInt8);
  std::cout << w << "\n"
            << w.q_per_channel_scales() << w.q_per_channel_zero_points() << w.q_per_channel_axis() << " "
            << toString(w.qscheme()) << "\n";
  const auto* data = reinterpret_cast<const uint8_t*>(q.data_ptr<c10::quint8>());
  int sum = 0;
  for (int64_t i = 0; i < q.numel(); ++i) sum += data[i];
  std::cout << sum << " " << (int)w.data_ptr<c10::qint8>()[5].val_ << "\n";
  std::cout << q.relu() << torch::max_pool1d(q.view({1, 1, 7}), 3).sizes() << "\n";
  std::cout << q.view({7, 1}).index({torch::indexing::Slice(1, 3)}) << q.clone().equal(q) << "\n";
  auto bytes = torch::tensor({1, 2, 3}, torch::kByte);
  std::cout << at::_make_per_tensor_quantized_tensor(bytes, 0.5, 1) << "\n";
  auto dyn = at::quantize_per_tensor_dynamic(x, torch::kQInt8, false);
  std::cout << dyn.q_zero_point() << "\n";
}
