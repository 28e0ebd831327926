// Runs a model from a stranger: in a process of its own that can only compute, within bounds.
//
//   sandbox MODEL [METHOD]    runs METHOD (forward) on the model's first bundled input, prints the result
#include <wick/wick.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include "jail.h"

namespace {

std::vector<uint8_t> bytes_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw wick::Error(wick::ErrorCode::kNotFound, std::string("cannot open ") + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string run(const std::vector<uint8_t>& model, const char* method) {
  wick::LoadOptions loading;
  loading.timeout = std::chrono::seconds(5);
  loading.max_memory = 512u << 20;
  const wick::Module module = wick::load(model, loading);
  wick::RunOptions running;
  running.timeout = std::chrono::seconds(5);
  running.max_memory = 512u << 20;
  running.max_forks = 0;
  // Bundled inputs are made by code of the model: within bounds as well.
  const std::vector<wick::IValue> none;
  const bool is_forward = std::string_view(method) == "forward" && module.has_method("get_all_bundled_inputs");
  const std::string getter =
      is_forward ? "get_all_bundled_inputs" : "get_all_bundled_inputs_for_" + std::string(method);
  const wick::IValue inputs = module.run_method(getter, none, {}, running);
  const std::vector<wick::IValue>& all = inputs.to_list().items;
  if (all.empty()) throw wick::Error(wick::ErrorCode::kNotFound, "the model has no bundled inputs");
  return wick::repr(module.run_method(method, all[0].to_tuple().items, {}, running));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: sandbox MODEL [METHOD]\n");
    return 2;
  }
  std::vector<uint8_t> model;
  const sandbox::Outcome outcome = sandbox::run_jailed(
      {},
      [&] {
        wick::set_num_threads(1);  // the jail has no new threads
        // Whatever looks at the machine once, the bounds of the stack among it, does so before files are out of reach.
        wick::repr(wick::IValue::tuple({wick::IValue::tuple({})}));
        model = bytes_of(argv[1]);
      },
      [&] { return run(model, argc > 2 ? argv[2] : "forward"); });
  if (!outcome.failure.empty()) {
    std::fprintf(stderr, "sandbox: %s\n", outcome.failure.c_str());
    return 1;
  }
  std::printf("%s\n", outcome.answer.c_str());
  return 0;
}
