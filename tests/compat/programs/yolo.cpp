// Post-processing of a detector's raw output: thresholds, boxes from centers, classes, suppression by hand.
#include <torch/script.h>
#include <torch/torch.h>

#include "common.h"

using torch::indexing::Ellipsis;
using torch::indexing::None;
using torch::indexing::Slice;

static torch::Tensor xywh2xyxy(const torch::Tensor& x) {
  auto y = torch::zeros_like(x);
  y.index_put_({Slice(), 0}, x.index({Slice(), 0}) - x.index({Slice(), 2}).div(2));
  y.index_put_({Slice(), 1}, x.index({Slice(), 1}) - x.index({Slice(), 3}).div(2));
  y.index_put_({Slice(), 2}, x.index({Slice(), 0}) + x.index({Slice(), 2}).div(2));
  y.index_put_({Slice(), 3}, x.index({Slice(), 1}) + x.index({Slice(), 3}).div(2));
  return y;
}

static torch::Tensor nms(const torch::Tensor& boxes, const torch::Tensor& scores, float threshold) {
  if (boxes.numel() == 0) return torch::empty({0}, boxes.options().dtype(torch::kLong));
  auto x1 = boxes.select(1, 0).contiguous(), y1 = boxes.select(1, 1).contiguous();
  auto x2 = boxes.select(1, 2).contiguous(), y2 = boxes.select(1, 3).contiguous();
  torch::Tensor areas = (x2 - x1) * (y2 - y1);
  auto order = std::get<1>(scores.sort(/*stable=*/true, /*dim=*/0, /*descending=*/true));
  const auto n = boxes.size(0);
  auto suppressed = torch::zeros({n}, torch::kByte);
  auto keep = torch::zeros({n}, torch::kLong);
  auto* dead = suppressed.data_ptr<uint8_t>();
  auto* kept = keep.data_ptr<int64_t>();
  auto* at = order.data_ptr<int64_t>();
  auto ax1 = x1.accessor<float, 1>(), ay1 = y1.accessor<float, 1>();
  auto ax2 = x2.packed_accessor32<float, 1>();
  auto ay2 = y2.packed_accessor64<float, 1>();
  auto area = areas.data_ptr<float>();
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i) {
    const auto a = at[i];
    if (dead[a]) continue;
    kept[count++] = a;
    for (int64_t j = i + 1; j < n; ++j) {
      const auto b = at[j];
      if (dead[b]) continue;
      const float w = std::max(0.f, std::min(ax2[a], ax2[b]) - std::max(ax1[a], ax1[b]));
      const float h = std::max(0.f, std::min(ay2[a], ay2[b]) - std::max(ay1[a], ay1[b]));
      if (w * h / (area[a] + area[b] - w * h) > threshold) dead[b] = 1;
    }
  }
  return keep.narrow(0, 0, count);
}

int main() {
  torch::NoGradGuard no_grad;
  torch::Tensor raw = (torch::arange(40 * 9, torch::dtype(torch::kFloat)) * 0.37).sin().abs().reshape({1, 40, 9});
  raw.index({Ellipsis, Slice(None, 4)}) *= 100;
  auto prediction = raw[0];
  auto mask = prediction.index({Slice(), 4}) > 0.3;
  auto found = prediction.index({mask});
  std::cout << found.sizes() << "\n";
  found.slice(1, 5, 9).mul_(found.slice(1, 4, 5));
  auto box = xywh2xyxy(found.slice(1, 0, 4));
  torch::Tensor conf, cls;
  std::tie(conf, cls) = found.slice(1, 5).max(1, true);
  auto detections = torch::cat({box, conf, cls.to(torch::kFloat)}, 1).index({conf.view(-1) > 0.25});
  std::cout << detections << "\n";
  auto offsets = detections.index({Slice(), Slice(5, 6)}) * 4096;
  auto keep = nms(detections.slice(1, 0, 4) + offsets, detections.select(1, 4), 0.45f);
  auto result = detections.index_select(0, keep);
  result.index({Slice(), Slice(0, 4)}).clamp_(0, 64);
  std::cout << keep << "\n" << result << "\n";
  for (int64_t i = 0; i < result.size(0); ++i) {
    std::cout << result[i][5].item().toInt() << " " << result[i][4].item<float>() << " "
              << result[i].slice(0, 0, 4).round().to(torch::kInt).sum().item<int>() << "\n";
  }
  auto unique = std::get<0>(at::_unique(result.select(1, 5)));
  std::cout << unique.numel() << " " << (result.size(0) > 0 ? "some" : "none") << "\n";
}
