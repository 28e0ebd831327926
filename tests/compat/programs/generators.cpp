// Generators: numbers drawn from those of the program, seeds, states.
#include <torch/torch.h>

#include "common.h"

int main() {
  torch::Generator g = at::make_generator<at::CPUGeneratorImpl>(42);
  std::cout << g.current_seed() << " " << g.defined() << " " << g.device() << "\n";
  std::cout << torch::rand({5}, g) << "\n" << torch::randn({3}, g) << "\n" << torch::randn({20}, g) << "\n";
  std::cout << torch::randint(10, {4}, g) << "\n" << torch::randint(-5, 5, {4}, g) << "\n";
  std::cout << torch::randperm(6, g) << "\n";
  std::cout << torch::normal(1.0, 2.0, {3}, g) << "\n";
  std::cout << torch::empty({4}).uniform_(0, 2, g) << torch::empty({4}).bernoulli_(0.5, g) << "\n";
  std::cout << torch::multinomial(torch::tensor({0.1, 0.7, 0.2}), 4, true, g) << "\n";

  // The default one goes on by itself.
  torch::manual_seed(7);
  const auto first = torch::rand({3});
  torch::manual_seed(7);
  (void)torch::rand({3}, g);
  std::cout << torch::equal(first, torch::rand({3})) << " " << at::detail::getDefaultCPUGenerator().current_seed()
            << "\n";

  auto other = at::detail::createCPUGenerator(3);
  (void)torch::rand({100}, other);
  (void)torch::randn({1}, other, torch::kDouble);
  const torch::Tensor state = other.get_state();
  std::cout << state.sizes() << state.dtype() << " " << state.to(torch::kLong).sum().item<int64_t>() << "\n";
  const auto next = torch::rand({700}, other);
  other.set_state(state);
  std::cout << torch::equal(next, torch::rand({700}, other)) << "\n";
  torch::Generator fresh = at::detail::createCPUGenerator(3);
  std::cout << fresh.get_state().to(torch::kLong).sum().item<int64_t>() << "\n";
  fresh.set_state(state);
  std::cout << torch::randn({2}, fresh, torch::kDouble) << "\n";
  torch::Generator copy = fresh.clone();
  std::cout << torch::equal(torch::rand({4}, fresh), torch::rand({4}, copy)) << (copy == fresh) << (g == g) << "\n";
  copy.set_current_seed(11);
  std::cout << copy.current_seed() << torch::rand({2}, copy) << "\n";
  const uint64_t seed = copy.seed();
  std::cout << (seed == copy.current_seed()) << "\n";
  {
    std::lock_guard<std::mutex> lock(g.mutex());
    g.set_current_seed(1);
  }
  std::cout << torch::rand({2}, g) << "\n";
}
