// torch::data: datasets, samplers, transforms and loaders, with workers and without.
#include <torch/torch.h>

#include <atomic>
#include <fstream>
#include <iostream>
#include <numeric>
#include <set>

#include "common.h"

using namespace torch::data;

// Squares and their parities.
class Squares : public datasets::Dataset<Squares> {
 public:
  explicit Squares(size_t count) : count_(count) {}
  Example<> get(size_t index) override {
    const auto i = static_cast<int64_t>(index);
    return {torch::full({2}, i * i).to(torch::kFloat), torch::tensor(i % 2)};
  }
  torch::optional<size_t> size() const override { return count_; }

 private:
  size_t count_;
};

class Endless : public datasets::Dataset<Endless> {
 public:
  Example<> get(size_t) override { return {}; }
  torch::optional<size_t> size() const override { return torch::nullopt; }
};

// Sentences of an application's own type.
struct Sentence {
  std::string text;
  std::vector<int64_t> tokens;
};
class Sentences : public datasets::Dataset<Sentences, Sentence> {
 public:
  Sentence get(size_t index) override {
    if (index == 3) throw std::runtime_error("sentence 3 cannot be read");
    return {"sentence " + std::to_string(index), std::vector<int64_t>(index + 1, static_cast<int64_t>(index))};
  }
  torch::optional<size_t> size() const override { return 3 + more; }
  size_t more = 0;
};

// A stream that ends by itself.
class Countdown : public datasets::StatefulDataset<Countdown, std::vector<int>> {
 public:
  torch::optional<std::vector<int>> get_batch(size_t size) override {
    if (left_ == 0) return torch::nullopt;
    std::vector<int> out;
    for (; out.size() < size && left_ > 0; --left_) out.push_back(left_);
    return out;
  }
  torch::optional<size_t> size() const override { return torch::nullopt; }
  void reset() override { left_ = 7; }
  void save(torch::serialize::OutputArchive& archive) const override { archive.write("left", torch::tensor(left_)); }
  void load(torch::serialize::InputArchive& archive) override {
    torch::Tensor left;
    archive.read("left", left);
    left_ = left.item<int>();
  }

 private:
  int left_ = 0;
};

class Audio : public datasets::StreamDataset<Audio, std::vector<TensorExample>> {
 public:
  std::vector<TensorExample> get_batch(size_t size) override {
    std::vector<TensorExample> out;
    for (size_t i = 0; i < size; ++i) out.push_back(torch::arange(3) + next_++);
    return out;
  }
  torch::optional<size_t> size() const override { return torch::nullopt; }

 private:
  int next_ = 0;
};

template <class F>
void report(const char* what, F&& f) {
  try {
    f();
  } catch (const std::exception& e) {
    const std::string text = e.what();
    std::cout << what << ": " << text.substr(0, text.find('\n')) << "\n";
  }
}

// Ten thousand, which LibTorch asks for.
void write_digits(const std::string& folder) {
  std::ofstream images(folder + "t10k-images-idx3-ubyte", std::ios::binary);
  const unsigned char head[16] = {0, 0, 8, 3, 0, 0, 0x27, 0x10, 0, 0, 0, 28, 0, 0, 0, 28};
  images.write(reinterpret_cast<const char*>(head), sizeof head);
  std::string bytes(10000 * 28 * 28, 0);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251);
  images.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::ofstream labels(folder + "t10k-labels-idx1-ubyte", std::ios::binary);
  const unsigned char of_labels[8] = {0, 0, 8, 1, 0, 0, 0x27, 0x10};
  labels.write(reinterpret_cast<const char*>(of_labels), sizeof of_labels);
  for (int i = 0; i < 10000; ++i) labels.put(static_cast<char>(i % 10));
}

int main() {
  auto squares = Squares(7).map(transforms::Normalize<>(1.0, 2.0)).map(transforms::Stack<>());
  std::cout << squares.size().value() << " " << decltype(squares)::is_stateful << "\n";
  auto loader = make_data_loader<samplers::SequentialSampler>(std::move(squares), DataLoaderOptions(3));
  for (Example<>& batch : *loader) {
    std::cout << batch.data.sizes() << " " << batch.data.sum().item<float>() << " " << batch.target << "\n";
  }
  for (const bool drop : {false, true}) {
    auto again = make_data_loader(Squares(7).map(transforms::Stack<>()), samplers::SequentialSampler(7),
                                  DataLoaderOptions().batch_size(2).workers(3).drop_last(drop));
    for (auto it = again->begin(); it != again->end(); ++it) {
      std::cout << it->target.sizes() << (*it).data[0][0].item<float>() << " ";
    }
    std::cout << again->options().max_jobs << " " << again->options().workers << "\n";
    again->join();
  }

  torch::manual_seed(3);
  auto random = make_data_loader(Squares(6).map(transforms::Stack<>()), 4);
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (auto& batch : *random) std::cout << batch.data.select(1, 0) << "\n";
  }
  // In any order: all of them.
  auto loose = make_data_loader(Squares(20), DataLoaderOptions(3).workers(2).enforce_ordering(false).max_jobs(5));
  std::multiset<float> seen;
  for (auto& batch : *loose) {
    for (auto& example : batch) seen.insert(example.data[0].item<float>());
  }
  std::cout << seen.size() << " " << *seen.rbegin() << " " << std::accumulate(seen.begin(), seen.end(), 0.f) << "\n";

  auto lengths = Sentences().map(
      transforms::Lambda<Sentence, int64_t>([](Sentence s) { return static_cast<int64_t>(s.tokens.size() * 10); }));
  std::cout << lengths.get_batch({0, 2}) << "\n";
  auto padded =
      Sentences().map(transforms::Collate<torch::Tensor, std::vector<Sentence>>([](std::vector<Sentence> all) {
        auto out = torch::full({static_cast<int64_t>(all.size()), 4}, -1);
        for (size_t i = 0; i < all.size(); ++i) {
          for (size_t k = 0; k < all[i].tokens.size(); ++k) out[i][k] = all[i].tokens[k];
        }
        return out;
      }));
  auto of_padded = make_data_loader<samplers::SequentialSampler>(std::move(padded), 2);
  for (auto& batch : *of_padded) std::cout << batch << "\n";

  Sentences failing;
  failing.more = 1;
  for (const size_t workers : {0, 2}) {
    report("failing", [&] {
      auto l = make_data_loader<samplers::SequentialSampler>(failing, DataLoaderOptions(2).workers(workers));
      for (auto& batch : *l) std::cout << batch.size() << " " << batch[0].text << "\n";
    });
  }
  try {
    auto l = make_data_loader<samplers::SequentialSampler>(failing, DataLoaderOptions(4).workers(1));
    l->begin() == l->end();
  } catch (const WorkerException& e) {
    try {
      std::rethrow_exception(e.original_exception);
    } catch (const std::runtime_error& original) {
      std::cout << "original: " << original.what() << "\n";
    }
  }

  auto countdown = make_data_loader(Countdown(), 3);
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (auto& batch : *countdown) std::cout << batch << "\n";
  }
  auto shared = datasets::make_shared_dataset<Countdown>();
  auto counted = make_data_loader(shared, DataLoaderOptions(2).workers(2));
  size_t count = 0;
  for (auto& batch : *counted) count += batch.size();
  std::cout << count << " " << shared->size().has_value() << "\n";

  auto stream = make_data_loader(Audio().map(transforms::Stack<TensorExample>()), samplers::StreamSampler(5), 2);
  for (auto& batch : *stream) std::cout << batch.data << "\n";

  datasets::TensorDataset rows(torch::arange(6).view({3, 2}));
  std::cout << rows.size().value() << rows.get(1).data << datasets::TensorDataset({torch::ones(2)}).tensor << "\n";
  auto doubled = rows.map(transforms::TensorLambda<void>([](torch::Tensor t) { return t * 2; }));
  std::cout << doubled.get_batch({2})[0].data << doubled.dataset().tensor.sizes() << "\n";

  samplers::SequentialSampler sequential(10);
  sequential.next(4);
  std::stringstream file;
  torch::save(sequential, file);
  samplers::SequentialSampler resumed(10);
  torch::load(resumed, file);
  std::cout << resumed.index() << " " << resumed.next(3).value() << " " << resumed.next(9).value() << " "
            << resumed.next(1).has_value() << "\n";
  resumed.reset(2);
  std::cout << resumed.next(9).value() << "\n";
  torch::manual_seed(5);
  samplers::RandomSampler drawn(9);
  drawn.next(2);
  std::stringstream second;
  torch::save(drawn, second);
  samplers::RandomSampler same(1);
  torch::load(same, second);
  std::cout << drawn.index() << same.index() << " " << (drawn.next(7).value() == same.next(7).value()) << "\n";

  report("two iterators", [] {
    auto l = make_data_loader(Squares(9), DataLoaderOptions(2).workers(1));
    auto first = l->begin();
    auto another = l->begin();
  });
  report("past the end", [] {
    auto l = make_data_loader(Squares(1), 1);
    auto it = l->begin();
    ++it;
    ++it;
  });
  report("dereferenced", [] {
    auto l = make_data_loader(Squares(0), 1);
    *l->begin();
  });
  report("the end", [] { *make_data_loader(Squares(2), 1)->end(); });
  report("not sized", [] { make_data_loader<samplers::SequentialSampler>(Endless(), 2); });

  const std::string folder = "./";
  write_digits(folder);
  datasets::MNIST digits(folder, datasets::MNIST::Mode::kTest);
  std::cout << digits.size().value() << digits.is_train() << digits.images().sizes() << digits.get(7).data[0][3] << "\n"
            << digits.targets().slice(0, 9995) << " " << digits.get(1).data.sum() << "\n";
  report("no folder", [] { datasets::MNIST("./nowhere"); });
}
