// Text generation with a recurrent model: state as a tuple, temperature, top-k, top-p, repetition penalty, greedy
// search.
#include <torch/script.h>
#include <torch/torch.h>

#include "common.h"

using namespace torch::indexing;

torch::Tensor top_k_top_p(torch::Tensor logits, int64_t top_k, double top_p, float filter = -1e10) {
  top_k = std::min(top_k, logits.size(-1));
  if (top_k > 0) {
    auto values = std::get<0>(torch::topk(logits, top_k));
    logits.masked_fill_(logits < values.index({Ellipsis, -1, None}), filter);
  }
  if (top_p > 0.0) {
    torch::Tensor sorted_logits, sorted_indices;
    std::tie(sorted_logits, sorted_indices) = torch::sort(logits, -1, /*descending=*/true);
    auto cumulative = torch::cumsum(torch::softmax(sorted_logits, -1), -1);
    auto remove = cumulative > top_p;
    remove.index_put_({Ellipsis, Slice(1, None)}, remove.index({Ellipsis, Slice(None, -1)}).clone());
    remove.index_put_({Ellipsis, 0}, 0);
    auto mask = remove.scatter(-1, sorted_indices, remove);
    logits.masked_fill_(mask, filter);
  }
  return logits;
}

int main(int, char** argv) {
  auto model = torch::jit::load(std::string(argv[1]) + "/generator.pt");
  torch::InferenceMode guard(true);
  torch::manual_seed(11);
  std::vector<int64_t> prompt{3, 14, 15, 9, 2, 6};
  auto tokens = torch::tensor(prompt, torch::dtype(torch::kInt64)).unsqueeze(0);
  auto zero = torch::zeros({2, 1, 24}, torch::TensorOptions(torch::kFloat32));
  torch::jit::IValue state = c10::ivalue::Tuple::create({zero, zero.clone()});
  std::vector<int64_t> generated(prompt);
  for (int step = 0; step < 12; ++step) {
    auto result = model.forward({tokens, state}).toTuple();
    auto logits = result->elements()[0].toTensor().index({0, -1});
    state = result->elements()[1];
    auto& seen = generated;
    for (auto token : seen) {
      float v = logits[token].item<float>();
      logits[token] = v < 0 ? v * 1.2f : v / 1.2f;
    }
    logits = top_k_top_p(logits / 0.8, 10, 0.9);
    auto probs = torch::softmax(logits, -1);
    auto next = step < 6 ? torch::multinomial(probs, 1) : probs.argmax(-1, true);
    tokens = next.unsqueeze(0);
    generated.push_back(next.item<int64_t>());
  }
  for (auto t : generated) std::cout << t << ' ';
  std::cout << '\n' << state.toTuple()->elements().at(0).toTensor().sizes() << '\n';
  std::cout << state.toTupleRef().elements()[1].toTensor().abs().mean().item<float>() << '\n';
  // The same step with kwargs.
  auto again = model.forward({tokens}, {{"state", state}});
  std::cout << again.toTuple()->elements()[0].toTensor().log_softmax(-1).max().item<double>() << "\n";
  auto start = model.get_method("start")({int64_t(3)});
  std::cout << start.toTuple()->elements().size() << " " << start.type()->str() << "\n";
  auto hc = start.to<std::tuple<torch::Tensor, torch::Tensor>>();
  std::cout << std::get<0>(hc).sizes() << std::get<1>(hc).dtype() << "\n";
}
