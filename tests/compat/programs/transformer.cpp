// A transformer with cached keys and values: a list of tuples goes in and out, inputs are a dict; greedy and beam
// search.
#include <torch/script.h>

#include <queue>
#include <unordered_map>

#include "common.h"

using torch::jit::IValue;

struct Beam {
  std::vector<int64_t> tokens;
  double score;
  IValue cache;
  bool operator<(const Beam& o) const { return score < o.score; }
};

int main(int, char** argv) {
  torch::jit::Module gpt = torch::jit::load(std::string(argv[1]) + "/decoder.pt");
  gpt.eval();
  torch::NoGradGuard no_grad;
  const std::vector<int64_t> prompt = {1, 5, 7};
  auto run = [&](const std::vector<int64_t>& ids, const IValue& cache) {
    c10::Dict<std::string, at::Tensor> inputs;
    auto t = torch::from_blob(const_cast<int64_t*>(ids.data()), {1, (int64_t)ids.size()}, torch::kInt64).clone();
    inputs.insert("input_ids", t);
    inputs.insert("attention_mask", torch::ones_like(t));
    std::vector<IValue> args;
    args.push_back(inputs);
    args.push_back(cache);
    auto out = gpt.forward(args).toGenericDict();
    return std::make_pair(out.at("logits").toTensor(), out.at("past_key_values"));
  };
  IValue cache;  // None at first
  std::vector<int64_t> ids = prompt;
  auto step = run(ids, cache);
  for (int i = 0; i < 8; ++i) {
    int64_t next = step.first.select(1, -1).argmax(-1).item<int64_t>();
    ids.push_back(next);
    step = run({next}, step.second);
  }
  for (auto id : ids) std::cout << id << " ";
  auto layers = step.second.toList();
  std::cout << "\n" << layers.size() << " layers\n";
  for (size_t i = 0; i < layers.size(); ++i) {
    IValue layer = layers.get(i);
    auto kv = layer.toTuple();
    std::cout << i << " " << kv->elements()[0].toTensor().sizes() << " " << kv->elements()[1].toTensor().norm() << "\n";
  }
  // Beams.
  std::vector<Beam> beams;
  auto first = run(prompt, IValue());
  auto log_probs = torch::log_softmax(first.first.select(1, -1), -1).squeeze(0);
  auto best = log_probs.topk(3);
  for (int k = 0; k < 3; ++k) {
    beams.push_back({prompt, std::get<0>(best)[k].item<double>(), first.second});
    beams.back().tokens.push_back(std::get<1>(best)[k].item<int64_t>());
  }
  for (int length = 0; length < 4; ++length) {
    std::priority_queue<Beam> candidates;
    for (const Beam& beam : beams) {
      auto result = run({beam.tokens.back()}, beam.cache);
      torch::Tensor scores = result.first[0][-1].log_softmax(0);
      auto top = torch::topk(scores, 3, 0, true, true);
      auto values = std::get<0>(top).accessor<float, 1>();
      auto indices = std::get<1>(top).accessor<int64_t, 1>();
      for (int k = 0; k < 3; ++k) {
        Beam b{beam.tokens, beam.score + values[k], result.second};
        b.tokens.push_back(indices[k]);
        candidates.push(std::move(b));
      }
    }
    beams.clear();
    for (int k = 0; k < 3; ++k) {
      beams.push_back(candidates.top());
      candidates.pop();
    }
  }
  for (const Beam& b : beams) {
    for (auto t : b.tokens) std::cout << t << " ";
    std::cout << b.score << "\n";
  }
  // A batch with padding and mask, made of ragged vectors.
  std::vector<std::vector<int64_t>> sentences = {{1, 2, 3, 4}, {5, 6}, {7}};
  std::vector<at::Tensor> rows, masks;
  for (const auto& s : sentences) {
    auto row = torch::tensor(s);
    rows.push_back(at::constant_pad_nd(row, {0, 4 - row.size(0)}, 0));
    masks.push_back(torch::cat({torch::ones(s.size(), torch::kLong), torch::zeros(4 - s.size(), torch::kLong)}));
  }
  std::unordered_map<std::string, torch::Tensor> batch;
  batch["input_ids"] = torch::stack(rows);
  batch["attention_mask"] = torch::stack(masks);
  std::cout << batch["input_ids"] << batch["attention_mask"] << "\n";
  auto dict = c10::impl::GenericDict(c10::StringType::get(), c10::TensorType::get());
  for (const auto& kv : batch) dict.insert(kv.first, kv.second);
  auto out = gpt({dict, c10::nullopt}).toGenericDict();
  for (auto it = out.begin(); it != out.end(); ++it)
    std::cout << it->key().toStringRef() << " " << it->value().tagKind() << "\n";
  std::cout << out.at("logits").toTensor().sizes() << out.at("logits").toTensor().mean(at::IntArrayRef({0, 2})) << "\n";
}
