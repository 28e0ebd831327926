// Loads a model and runs it; suppresses boxes with torchvision's operator.
#include <torch/script.h>
#include <torchvision/ops/nms.h>
#include <torchvision/vision.h>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto boxes = torch::tensor({{0.f, 0.f, 2.f, 2.f}, {0.f, 0.f, 2.f, 1.9f}, {5.f, 5.f, 6.f, 6.f}});
  const auto kept = vision::ops::nms(boxes, torch::tensor({0.5f, 0.9f, 0.1f}), 0.5);
  if (!torch::equal(kept, torch::tensor({1, 2}))) return 1;
  torch::jit::script::Module module = torch::jit::load(argv[1]);
  module.eval();
  std::cout << module.get_method("forward").name() << std::endl;
}
