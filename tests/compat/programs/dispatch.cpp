// Kernels of the application's own over dtypes; threads; parallel_for; futures of models.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <atomic>
#include <future>
#include <thread>

#include "common.h"

template <typename scalar_t>
void scale_kernel(at::Tensor& out, const at::Tensor& in, scalar_t by) {
  const scalar_t* src = in.data_ptr<scalar_t>();
  scalar_t* dst = out.data_ptr<scalar_t>();
  at::parallel_for(0, in.numel(), 4, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) dst[i] = src[i] * by;
  });
}
at::Tensor scale(const at::Tensor& input, double by) {
  auto in = input.contiguous();
  auto out = at::empty_like(in);
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "scale",
                             [&] { scale_kernel<scalar_t>(out, in, static_cast<scalar_t>(by)); });
  return out;
}
std::string names(const at::Tensor& t) {
  std::string name;
  AT_DISPATCH_ALL_TYPES(t.scalar_type(), "names", [&] {
    name = std::to_string(sizeof(scalar_t)) + (std::is_integral<scalar_t>::value ? "i" : "f");
  });
  return name;
}

int main(int, char** argv) {
  std::cout << scale(torch::arange(5.), 2) << scale(torch::arange(3., torch::kDouble), 0.5) << "\n";
  std::cout << names(torch::ones(1)) << names(torch::ones(1, torch::kByte)) << names(torch::ones(1, torch::kLong))
            << "\n";
  try {
    scale(torch::ones({1}, torch::kInt), 2);
  } catch (const c10::Error& e) {
    std::cout << e.what_without_backtrace() << "\n";
  }
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(at::kHalf, "half", [&] { std::cout << sizeof(scalar_t) << "\n"; });
  AT_DISPATCH_INTEGRAL_TYPES(at::kShort, "int", [&] { std::cout << sizeof(scalar_t) << "\n"; });
  AT_DISPATCH_ALL_TYPES_AND(at::kBool, at::kBool, "bool", [&] { std::cout << sizeof(scalar_t) << "\n"; });
  AT_DISPATCH_ALL_TYPES_AND2(at::kHalf, at::kBFloat16, at::kBFloat16, "two",
                             [&] { std::cout << sizeof(scalar_t) << "\n"; });
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(at::kComplexFloat, "complex", [&] { std::cout << sizeof(scalar_t) << "\n"; });
  AT_DISPATCH_INDEX_TYPES(at::kInt, "index", [&] { std::cout << sizeof(index_t) << "\n"; });
  at::set_num_threads(2);
  std::cout << at::get_num_threads() << torch::get_num_threads() << at::in_parallel_region() << "\n";
  std::atomic<int64_t> sum{0};
  at::parallel_for(0, 1000, 10, [&](int64_t begin, int64_t end) {
    for (auto i = begin; i < end; ++i) sum += i;
  });
  std::cout << sum << " " << at::divup(7, 2) << "\n";
  auto total = at::parallel_reduce(
      0, 100, 10, int64_t(0),
      [](int64_t b, int64_t e, int64_t v) {
        for (; b < e; ++b) v += b;
        return v;
      },
      std::plus<int64_t>());
  std::cout << total << "\n";
  auto module = torch::jit::load(std::string(argv[1]) + "/classifier.pt");
  auto image = torch::linspace(0, 1, 3 * 32 * 32).view({1, 3, 32, 32});
  auto expected = module.forward({image}).toTensor();
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      torch::NoGradGuard guard;
      for (int i = 0; i < 5; ++i) good += torch::allclose(module.forward({image}).toTensor(), expected);
    });
  for (auto& t : threads) t.join();
  auto later = std::async(std::launch::async, [&] { return module.forward({image}).toTensor().sum().item<float>(); });
  std::cout << good << " " << (std::abs(later.get() - expected.sum().item<float>()) < 1e-3) << "\n";
  auto future = module.get_method("forward").run_async({image});
  future->wait();
  std::cout << torch::allclose(future->value().toTensor(), expected) << "\n";
  try {
    at::parallel_for(0, 4, 1, [](int64_t b, int64_t) { TORCH_CHECK(b < 0, "from inside"); });
  } catch (const std::exception& e) {
    std::cout << std::string(e.what()).substr(0, 11) << "\n";
  }
  std::cout << c10::irange(3).begin().operator*() << "";
  for (const auto i : c10::irange(2, 5)) std::cout << i;
  std::cout << "\n";
}
