// Tracking and recognition: embeddings, distances, a Kalman filter, matching, points.
#include <torch/torch.h>

#include "common.h"

using namespace torch::indexing;

struct Kalman {
  Kalman() {
    F = torch::eye(4);
    F.index_put_({0, 2}, 1.f);
    F.index_put_({1, 3}, 1.f);
    H = torch::eye(2, 4);
    Q = torch::eye(4) * 0.01;
    R = torch::eye(2) * 0.1;
    P = torch::eye(4) * 10;
    x = torch::zeros({4, 1});
  }
  void predict() {
    x = F.mm(x);
    P = F.mm(P).mm(F.t()) + Q;
  }
  void update(const torch::Tensor& z) {
    auto y = z.view({2, 1}) - H.mm(x);
    auto S = H.mm(P).mm(H.t()) + R;
    auto K = P.mm(H.t()).mm(torch::inverse(S));
    x = x + K.mm(y);
    P = (torch::eye(4) - K.mm(H)).mm(P);
  }
  torch::Tensor F, H, Q, R, P, x;
};

torch::Tensor box_iou(const torch::Tensor& a, const torch::Tensor& b) {
  auto area = [](const torch::Tensor& t) {
    return (t.index({Slice(), 2}) - t.index({Slice(), 0})) * (t.index({Slice(), 3}) - t.index({Slice(), 1}));
  };
  auto lt = torch::max(a.index({Slice(), None, Slice(None, 2)}), b.index({Slice(), Slice(None, 2)}));
  auto rb = torch::min(a.index({Slice(), None, Slice(2, None)}), b.index({Slice(), Slice(2, None)}));
  auto wh = (rb - lt).clamp_min(0);
  auto inter = wh.select(-1, 0) * wh.select(-1, 1);
  return inter / (area(a).index({Slice(), None}) + area(b) - inter);
}

int main() {
  torch::manual_seed(21);
  auto gallery = torch::nn::functional::normalize(torch::randn({5, 16}));
  auto query = torch::nn::functional::normalize(gallery.index({torch::tensor({3, 1})}) + 0.1 * torch::randn({2, 16}));
  auto similarity = query.mm(gallery.t());
  std::cout << similarity << std::get<1>(similarity.max(1)) << torch::cosine_similarity(query[0].unsqueeze(0), gallery)
            << "\n";
  std::cout << torch::cdist(query, gallery).argmin(1) << torch::pairwise_distance(query[0], gallery[3])
            << torch::norm(query, 2, 1) << (query - gallery[0]).norm(2, {1}, true) << "\n";
  Kalman filter;
  for (int t = 0; t < 5; ++t) {
    filter.predict();
    filter.update(torch::tensor({1.0f * t, 2.0f * t}));
  }
  std::cout << filter.x << filter.P.diag() << "\n";
  auto tracks = torch::tensor({{0.f, 0.f, 10.f, 10.f}, {20.f, 20.f, 30.f, 30.f}, {5.f, 5.f, 15.f, 15.f}});
  auto detections = torch::tensor({{21.f, 19.f, 31.f, 29.f}, {1.f, 1.f, 11.f, 11.f}});
  auto iou = box_iou(tracks, detections);
  std::cout << iou << "\n";
  auto cost = 1 - iou;
  while (true) {
    auto flat = cost.argmin().item<int64_t>();
    int64_t r = flat / cost.size(1), c = flat % cost.size(1);
    if (cost[r][c].item<float>() > 0.7) break;
    std::cout << r << "->" << c << " ";
    cost[r].fill_(1e5);
    cost.index_put_({Slice(), c}, 1e5);
  }
  std::cout << "\n";
  auto points = torch::rand({30, 3});
  auto dist = torch::cdist(points, points);
  dist.fill_diagonal_(1e9);
  auto nearest = dist.topk(4, 1, /*largest=*/false);
  std::cout << std::get<1>(nearest).slice(0, 0, 3) << std::get<0>(nearest).mean() << "\n";
  auto voxels = (points * 2).floor().to(torch::kLong);
  auto keys = voxels.select(1, 0) * 4 + voxels.select(1, 1) * 2 + voxels.select(1, 2);
  torch::Tensor unique, inverse, counts;
  std::tie(unique, inverse, counts) = at::_unique2(keys, true, true, true);
  auto sums = torch::zeros({unique.size(0), 3}).index_add_(0, inverse, points);
  std::cout << unique << counts << sums / counts.unsqueeze(1) << "\n";
  auto centroid = points.mean(0);
  auto centered = points - centroid;
  auto svd = torch::linalg::svd(centered.t().mm(centered), true, c10::nullopt);
  std::cout << std::get<1>(svd) << "\n";
  auto eig = torch::linalg::eigvalsh(centered.t().mm(centered), "L");
  std::cout << eig << torch::linalg::solve(torch::eye(3) * 2, torch::ones({3}), true) << "\n";
  auto L = torch::linalg::cholesky(torch::eye(2) * 4);
  std::cout << L << torch::linalg_matrix_norm(L) << "\n";
}
