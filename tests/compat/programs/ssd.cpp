// Anchors, decoding, landmarks and batched suppression; OCR decoding; policies with sampling.
#include <torch/script.h>
#include <torch/torch.h>

#include <map>

#include "common.h"

using torch::indexing::Slice;

torch::Tensor priors(int64_t size) {
  std::vector<float> anchors;
  const int steps[] = {8, 16};
  const std::vector<std::vector<int>> min_sizes = {{16, 32}, {64}};
  for (size_t k = 0; k < 2; k++) {
    int f = std::ceil(static_cast<float>(size) / steps[k]);
    for (int i = 0; i < f; i++)
      for (int j = 0; j < f; j++)
        for (int m : min_sizes[k]) {
          anchors.push_back((j + 0.5f) * steps[k] / size);
          anchors.push_back((i + 0.5f) * steps[k] / size);
          anchors.push_back(1.f * m / size);
          anchors.push_back(1.f * m / size);
        }
  }
  return torch::from_blob(anchors.data(), {static_cast<long>(anchors.size() / 4), 4}).clone();
}
at::Tensor decode(const at::Tensor& loc, const at::Tensor& p, const std::vector<float>& variances) {
  auto boxes = torch::cat({p.slice(1, 0, 2) + loc.slice(1, 0, 2) * variances[0] * p.slice(1, 2),
                           p.slice(1, 2) * torch::exp(loc.slice(1, 2) * variances[1])},
                          1);
  boxes.slice(1, 0, 2) -= boxes.slice(1, 2) / 2;
  boxes.slice(1, 2) += boxes.slice(1, 0, 2);
  return boxes;
}

int main() {
  torch::manual_seed(3);
  auto p = priors(64);
  std::cout << p.sizes() << p.slice(0, 0, 3) << "\n";
  auto loc = torch::randn({p.size(0), 4}), conf = torch::softmax(torch::randn({p.size(0), 2}), -1);
  auto boxes = decode(loc, p, {0.1f, 0.2f}) * torch::tensor({64, 64, 64, 64});
  auto scores = conf.select(1, 1);
  auto order = scores.argsort(-1, true);
  auto index = torch::nonzero(scores > 0.7).squeeze(1);
  boxes = boxes.index_select(0, index);
  scores = scores.index({index});
  std::cout << index.numel() << " " << boxes.slice(0, 0, 3) << scores.slice(0, 0, 3) << order.slice(0, 0, 3) << "\n";
  // meshgrid anchors
  auto shifts_x = torch::arange(0, 4, torch::kFloat32) * 8, shifts_y = torch::arange(0, 2, torch::kFloat32) * 8;
  auto grid = torch::meshgrid({shifts_y, shifts_x});
  auto shifts = torch::stack({grid[1].reshape(-1), grid[0].reshape(-1), grid[1].reshape(-1), grid[0].reshape(-1)}, 1);
  auto base = torch::tensor({{-8.f, -8.f, 8.f, 8.f}});
  auto anchors = (shifts.view({-1, 1, 4}) + base.view({1, -1, 4})).reshape({-1, 4});
  std::cout << anchors << "\n";
  std::map<int, std::vector<at::Tensor>> by_class;
  auto labels = torch::randint(0, 3, {boxes.size(0)}, torch::kInt64);
  for (int64_t i = 0; i < boxes.size(0); ++i) by_class[labels[i].item<int>()].push_back(boxes[i]);
  for (auto& e : by_class) std::cout << e.first << ":" << torch::stack(e.second).sizes() << " ";
  std::cout << "\n";
  // OCR.
  const std::string alphabet = "-0123456789abc";
  auto preds = torch::randn({20, 2, static_cast<int64_t>(alphabet.size())});
  auto best = preds.argmax(2).transpose(1, 0).contiguous();
  auto acc = best.accessor<long, 2>();
  for (int b = 0; b < acc.size(0); ++b) {
    std::string text;
    for (int t = 0; t < acc.size(1); ++t)
      if (acc[b][t] != 0 && !(t > 0 && acc[b][t] == acc[b][t - 1])) text += alphabet[acc[b][t]];
    std::cout << text << " " << std::get<0>(preds.select(1, b).softmax(1).max(1)).prod().log().item<float>() << "\n";
  }
  // Policies.
  auto logits = torch::tensor({{0.1f, 2.f, -1.f}});
  auto action = torch::multinomial(logits.softmax(1), 1);
  auto log_prob = logits.log_softmax(1).gather(1, action);
  auto entropy = -(logits.softmax(1) * logits.log_softmax(1)).sum(-1);
  std::cout << action << log_prob << entropy << "\n";
  auto mu = torch::zeros({1, 2}), sigma = torch::ones({1, 2}) * 0.5;
  auto sample = at::normal(mu, sigma);
  std::cout << sample << torch::bernoulli(torch::full({4}, 0.5)) << torch::poisson(torch::ones({2})).sizes()
            << sample.uniform_(-1, 1) << sample.normal_(0, 1).sizes() << torch::randn({2}).clamp(-1, 1).tanh() << "\n";
  auto q = torch::tensor({{1.f, 5.f}, {7.f, 2.f}});
  std::cout << (torch::rand({1}).item<float>() < 0.1 ? 0 : q.argmax(1)[0].item<int>())
            << q.gather(1, torch::tensor({{0}, {1}})).squeeze(-1) << std::get<0>(q.max(1)).detach().mul(0.99f) << "\n";
}
