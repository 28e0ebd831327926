// classify MODEL: the public API in one small program. Runs the model on the caller's own memory (no copy), by keyword
// arguments where it takes any, on its bundled input, and says what went wrong when something does.
#include <wick/wick.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

void print_best(const wick::Tensor& scores) {
  const float* first = scores.data<float>();
  const float* best = std::max_element(first, first + scores.numel());
  std::printf("best of %lld: number %lld with %f\n", static_cast<long long>(scores.numel()),
              static_cast<long long>(best - first), *best);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: classify MODEL\n");
    return 2;
  }
  try {
    wick::set_num_threads(2);
    const wick::Module module = wick::load(argv[1]);
    for (const wick::MethodInfo& method : module.methods()) {
      std::printf("method %s takes %zu arguments\n", method.name.c_str(), method.arguments.size());
    }
    for (const auto& [name, bytes] : module.extra_files()) std::printf("extra file %s\n", name.c_str());

    std::vector<float> pixels(1 * 3 * 64 * 64, 0.5f);
    const wick::Tensor image = wick::Tensor::from_blob(pixels.data(), {1, 3, 64, 64});
    print_best(module.forward({image}).to_tensor());
    print_best(module.run_method("forward", {}, {{"image", image}}).to_tensor());
    if (!module.bundled_inputs().empty()) print_best(module.run_on_bundled_input(0).to_tensor());
    module.run_method("no_such_method", {});
  } catch (const wick::Error& e) {
    std::printf("error %s: %s\n", wick::to_string(e.code()), e.what());
    return e.code() == wick::ErrorCode::kNotFound ? 0 : 1;
  }
}
