// Object detection: candidates by threshold, classes, boxes and non-maximum suppression written with tensor operators.
#include <torch/script.h>

#include "common.h"

using torch::indexing::None;
using torch::indexing::Slice;

torch::Tensor xywh2xyxy(const torch::Tensor& x) {
  auto y = torch::zeros_like(x);
  y.index_put_({Slice(), 0}, x.index({Slice(), 0}) - x.index({Slice(), 2}) / 2);
  y.index_put_({Slice(), 1}, x.index({Slice(), 1}) - x.index({Slice(), 3}) / 2);
  y.index_put_({Slice(), 2}, x.index({Slice(), 0}) + x.index({Slice(), 2}).div(2));
  y.index_put_({Slice(), 3}, x.index({Slice(), 1}) + x.index({Slice(), 3}).div(2));
  return y;
}

torch::Tensor nms(const torch::Tensor& boxes, const torch::Tensor& scores, float threshold) {
  auto x1 = boxes.select(1, 0), y1 = boxes.select(1, 1), x2 = boxes.select(1, 2), y2 = boxes.select(1, 3);
  auto areas = (x2 - x1) * (y2 - y1);
  auto order = std::get<1>(scores.sort(0, /*descending=*/true));
  std::vector<int64_t> keep;
  while (order.numel() > 0) {
    const int64_t i = order[0].item<int64_t>();
    keep.push_back(i);
    if (order.numel() == 1) break;
    order = order.narrow(0, 1, order.size(0) - 1);
    auto xx1 = torch::max(x1[i], x1.index_select(0, order));
    auto yy1 = torch::max(y1[i], y1.index_select(0, order));
    auto xx2 = torch::min(x2[i], x2.index_select(0, order));
    auto yy2 = torch::min(y2[i], y2.index_select(0, order));
    auto overlap = (xx2 - xx1).clamp_min(0) * (yy2 - yy1).clamp(0);
    auto iou = overlap / (areas[i] + areas.index_select(0, order) - overlap);
    order = order.index({iou <= threshold});
  }
  return torch::tensor(keep, torch::kLong);
}

int main(int argc, char** argv) {
  const std::string folder = argv[1];
  auto module = torch::jit::load(folder + "/detector.pt");
  std::vector<uint8_t> bytes = read_file<uint8_t>(folder + "/image.bin");
  auto image = torch::from_blob(bytes.data(), {64, 64, 3}, torch::TensorOptions().dtype(torch::kUInt8))
                   .permute({2, 0, 1})
                   .toType(torch::kFloat)
                   .unsqueeze(0) /
               255.0;
  auto elements = module.forward({image}).toTuple()->elements();
  torch::Tensor prediction = elements[0].toTensor();
  std::cout << prediction.sizes() << " " << elements[1].toTensorVector()[0].sizes() << " " << elements.size() << "\n";

  auto candidates = prediction.select(2, 4) > 0.5;
  auto rows = prediction[0].index({candidates[0]});
  std::cout << rows.size(0) << " of " << prediction.size(1) << "\n";
  rows.index_put_({Slice(), Slice(5, None)},
                  rows.index({Slice(), Slice(5, None)}) * rows.index({Slice(), Slice(4, 5)}));
  auto boxes = xywh2xyxy(rows.index({Slice(), Slice(0, 4)}));
  auto best = rows.slice(1, 5).max(1);
  auto scores = std::get<0>(best), classes = std::get<1>(best);
  auto kept = nms(boxes + classes.unsqueeze(1).to(torch::kFloat) * 4096, scores, 0.45f);
  auto detections =
      torch::cat({boxes, scores.unsqueeze(1), classes.unsqueeze(1).to(boxes.dtype())}, 1).index_select(0, kept);
  std::cout << detections << "\n";
  auto a = detections.accessor<float, 2>();
  for (int64_t i = 0; i < std::min<int64_t>(3, detections.size(0)); ++i) {
    std::cout << "class " << static_cast<int>(a[i][5]) << " at " << a[i][0] << "," << a[i][1] << " score " << a[i][4]
              << "\n";
  }
}
