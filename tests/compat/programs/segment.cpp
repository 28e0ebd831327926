// Semantic segmentation: a dict from a lite-interpreter model, class of each pixel, counts.
#include <torch/csrc/jit/mobile/import.h>
#include <torch/csrc/jit/mobile/module.h>
#include <torch/script.h>

#include <map>

#include "common.h"

int main(int argc, char** argv) {
  const std::string folder = argv[1];
  c10::InferenceMode guard;
  auto engines = at::globalContext().supportedQEngines();
  if (std::find(engines.begin(), engines.end(), at::QEngine::QNNPACK) != engines.end()) {
    at::globalContext().setQEngine(at::QEngine::QNNPACK);
  }
  torch::jit::mobile::Module module = torch::jit::_load_for_mobile(folder + "/segmenter.ptl");
  std::vector<uint8_t> bytes = read_file<uint8_t>(folder + "/image.bin");
  std::vector<float> planar(bytes.begin(), bytes.end());
  for (float& v : planar) v = (v / 255.f - 0.45f) / 0.225f;
  auto input = torch::from_blob(planar.data(), {1, 3, 64, 64}, at::kFloat);
  auto result = module.forward({input}).toGenericDict();
  at::Tensor out = result.at("out").toTensor();
  std::cout << out.sizes() << " keys " << result.size() << (result.contains("aux") ? " aux" : "") << "\n";
  float* data = out.data_ptr<float>();
  const int plane = 64 * 64;
  std::map<int, int> counts;
  for (int p = 0; p < plane; ++p) {
    int best = 0;
    for (int c = 1; c < 21; ++c) {
      if (data[c * plane + p] > data[best * plane + p]) best = c;
    }
    ++counts[best];
  }
  for (const auto& entry : counts) std::cout << entry.first << ": " << entry.second << "\n";
  at::Tensor map = out.squeeze(0).argmax(0).to(at::kByte);
  std::cout << map.slice(0, 0, 4).slice(1, 0, 8) << "\n";
  std::cout << torch::bincount(map.flatten().to(torch::kInt64), {}, 21) << "\n";
}
