// The smallest program: loads a model, runs it on zeros and prints a score.
#include <wick/wick.h>

#include <cstdio>

int main() {
  wick::Module module = wick::load("model.ptl");
  wick::Tensor image = wick::Tensor::zeros({1, 3, 224, 224});
  wick::Tensor scores = module.forward({image}).to_tensor();
  std::printf("first of %lld scores: %f\n", static_cast<long long>(scores.numel()), scores.data<float>()[0]);
}
