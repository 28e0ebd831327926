// Tensors made of nothing, of numbers and of each other; joining, splitting, reshaping.
#include <torch/torch.h>

#include "common.h"

int main() {
  torch::manual_seed(0);
  std::cout << torch::zeros({2, 2}) << torch::ones(3) << torch::full({2}, 1.5) << torch::full({1, 2}, 3, torch::kLong)
            << torch::full({2}, true) << "\n";
  std::cout << torch::arange(5) << torch::arange(1., 2., 0.25) << torch::arange(10, 0, -3)
            << torch::arange(2, 5, torch::kFloat) << "\n";
  std::cout << torch::linspace(0, 1, 3) << torch::logspace(0, 2, 3) << torch::eye(2, 3) << torch::eye(2, torch::kInt)
            << "\n";
  std::cout << torch::rand({2}) << torch::randn({2, 2}) << torch::randint(5, {3})
            << torch::randint(3, 9, {2, 2}, torch::kInt) << torch::randperm(5) << torch::rand_like(torch::ones(2))
            << torch::normal(0., 1., {2}) << "\n";
  std::cout << torch::tensor(3) << torch::tensor(2.5) << torch::tensor({1, 2}) << torch::tensor({{1., 2.}, {3., 4.}})
            << torch::tensor({{{1}, {2}}}) << torch::tensor(true) << torch::tensor({1, 2}, torch::kByte)
            << torch::tensor(std::vector<float>{1, 2}) << torch::tensor(std::vector<double>{1, 2}).dtype()
            << torch::tensor(at::ArrayRef<int>({4, 5})) << torch::tensor(c10::complex<float>(1, 2)) << "\n";
  std::cout << torch::scalar_tensor(4) << torch::zeros({}) << torch::empty({0}) << torch::tensor({}) << "\n";
  auto x = torch::arange(12).view({3, 4});
  std::cout << torch::zeros_like(x) << torch::ones_like(x, torch::kFloat).dtype() << torch::full_like(x, 7)[0]
            << torch::empty_like(x).sizes() << x.new_zeros({2}) << x.new_ones({1}, torch::kFloat) << x.new_full({2}, 9)
            << x.new_empty({2}).sizes() << "\n";
  std::cout << torch::cat({x, x}).sizes() << torch::cat({x, x}, 1).sizes() << torch::stack({x, x}, -1).sizes()
            << torch::hstack({x, x}).sizes() << torch::vstack({x, x}).sizes() << torch::concat({x, x}).sizes() << "\n";
  auto parts = x.split(2, 1);
  auto pieces = torch::split(x, 2);
  auto sized = x.split_with_sizes({1, 3}, 1);
  auto rows = x.unbind(0);
  auto chunks = torch::tensor_split(x, 2, 1);
  std::cout << parts.size() << parts[1] << pieces[1].sizes() << sized[1].sizes() << rows.size() << rows[2]
            << chunks[0].sizes() << "\n";
  std::cout << x.reshape({4, 3}).sizes() << x.flatten().sizes() << x.view({2, -1}).sizes()
            << x.unsqueeze(0).squeeze().sizes() << x.expand({2, 3, 4}).sizes() << x.repeat({2, 1}).sizes()
            << x.tile({1, 2}).sizes() << x.t().sizes() << x.transpose(0, 1).sizes() << x.permute({1, 0}).sizes()
            << x.movedim(0, 1).sizes() << x.view_as(x).sizes() << x.expand_as(x).sizes()
            << x.unflatten(1, {2, 2}).sizes() << "\n";
  std::cout << x.roll(1, 1) << x.flip({0, 1}) << x.rot90() << x.tril() << x.triu(1) << x.diag() << torch::diagonal(x, 1)
            << "\n";
  auto grid = torch::meshgrid({torch::arange(2), torch::arange(3)}, "ij");
  std::cout << grid[0] << grid[1] << torch::cartesian_prod({torch::arange(2), torch::arange(2)})
            << torch::combinations(torch::arange(3)) << "\n";
  std::cout << torch::where(x > 5, x, -x) << torch::where(x > 5)[0] << torch::where(x > 5, 1, 0).sum() << "\n";
  std::cout << torch::einsum("ij,kj->ik", {x.to(torch::kFloat), x.to(torch::kFloat)})
            << torch::tensordot(x, x, {0}, {0}).sizes() << torch::outer(torch::arange(2), torch::arange(2))
            << torch::kron(torch::eye(2), torch::ones({1, 2}))
            << torch::bmm(torch::ones({2, 1, 2}), torch::ones({2, 2, 1})) << "\n";
  auto f = x.to(torch::kFloat);
  std::cout << f.sum(0) << f.mean(1, true) << f.sum(at::IntArrayRef({0, 1})) << f.prod(0) << f.std(0) << f.var()
            << f.norm(2, 1) << f.cumsum(1) << f.cumprod(1)[0] << f.logsumexp(1) << f.amax({0, 1}) << f.amin(0)
            << f.median() << std::get<0>(f.median(1)) << std::get<0>(f.kthvalue(2, 1)) << std::get<0>(torch::mode(x, 1))
            << f.quantile(0.5) << std::get<0>(torch::std_mean(f)) << std::get<1>(torch::var_mean(f, 0)) << "\n";
  std::cout << f.exp().log().round() << f.sqrt().floor() << f.rsqrt().isinf() << f.sin().sign() << f.tanh()[0]
            << f.sigmoid()[0] << f.neg().abs()[1] << f.pow(2)[0] << torch::pow(2, f)[0] << f.fmod(3)[1]
            << f.remainder(-4)[1] << torch::atan2(f, f + 1)[0] << f.clamp_max(3) << f.clamp_min(9)[0]
            << f.clamp(2, 4)[1] << f.reciprocal()[2] << f.erf()[0] << f.trunc().frac()[0] << f.lerp(f * 2, 0.5)[0]
            << f.hypot(f)[0] << f.addcmul(f, f, 2)[0] << f.nan_to_num()[0] << "\n";
  std::cout << (f == 3).any() << (f >= 0).all() << f.eq(4)[1] << f.ne(4)[1] << torch::logical_and(f > 1, f < 4)[0]
            << (~(f > 3))[0] << ((f > 1) & (f < 3))[0] << ((f > 1) | (f < 3))[0] << torch::isnan(f).any().item<bool>()
            << torch::isfinite(f).all().item<bool>() << torch::isclose(f, f).all() << f.gt(2).sum().item<int64_t>()
            << f.count_nonzero() << "\n";
  std::cout << f.gather(1, torch::tensor({{0}, {1}, {2}})) << f.scatter(1, torch::tensor({{0}, {1}, {2}}), -1.0)
            << f.index_select(1, torch::tensor({3, 0})) << f.masked_fill(f > 5, 0) << f.take(torch::tensor({0, 11}))
            << torch::index_add(f, 0, torch::tensor({0, 2}), torch::ones({2, 4}))
            << f.index_fill(1, torch::tensor({0}), 5)
            << f.scatter_add(0, torch::zeros({1, 4}, torch::kLong), torch::ones({1, 4}))[0] << "\n";
  std::cout << std::get<0>(f.sort(1, true)) << f.argsort(1, true)[0] << f.argmin() << f.argmax(1)
            << std::get<1>(f.topk(2, 1, false, true)) << torch::searchsorted(torch::arange(5), torch::tensor({2, 9}))
            << torch::bucketize(f, torch::tensor({3., 6.})) << std::get<0>(torch::_unique(torch::tensor({3, 1, 3})))
            << torch::histc(f, 4) << f.msort()[0] << "\n";
  std::cout << torch::cdist(f, f) << torch::dist(f, f + 1)
            << torch::cross(torch::ones({1, 3}), torch::arange(3.).view({1, 3}), 1) << torch::dot(f[0], f[1])
            << torch::mv(f, f[0]) << torch::addmm(torch::ones({3, 3}), f, f.t())
            << torch::baddbmm(torch::ones({1, 3, 3}), f.unsqueeze(0), f.t().unsqueeze(0)).sum() << torch::trace(f)
            << torch::linalg::inv(torch::eye(2) * 2) << torch::linalg_norm(f, 2, at::IntArrayRef({1}))
            << torch::linalg::det(torch::eye(3)) << "\n";
}
