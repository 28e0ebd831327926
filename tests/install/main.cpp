// Loads a model, runs it on its bundled input, saves and reads back the result.
#include <wick/save.h>
#include <wick/wick.h>

#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  try {
    const wick::Module module = wick::load(argv[1]);
    const wick::Method forward = module.get_method("forward");
    const wick::IValue result = forward(module.bundled_inputs()[0]);
    wick::save_tensors(result, argv[2]);
    const wick::Tensor saved = wick::load_tensors(argv[2]).to_tensor();
    std::printf("%s, %lld numbers\n", wick::name_of(saved.dtype()), static_cast<long long>(saved.numel()));
    return std::memcmp(saved.data_ptr<const float>(), result.to_tensor().data_ptr<const float>(), saved.nbytes()) != 0;
  } catch (const wick::Error& e) {
    std::fprintf(stderr, "%s: %s\n", wick::to_string(e.code()), e.what());
    return 1;
  }
}
