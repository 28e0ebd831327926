// Saving and loading: tensors, vectors, pickles, values that Python saved, archives.
#include <torch/script.h>
#include <torch/torch.h>

#include <fstream>
#include <sstream>

#include "common.h"

std::vector<char> get_the_bytes(const std::string& filename) {
  std::ifstream input(filename, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(input)), (std::istreambuf_iterator<char>()));
  input.close();
  return bytes;
}

int main(int, char** argv) {
  const std::string folder = argv[1];
  auto t = torch::arange(6).view({2, 3}).to(torch::kFloat);
  torch::save(t, "one.pt");
  torch::Tensor loaded;
  torch::load(loaded, "one.pt");
  std::cout << loaded << "\n";
  torch::save({t, t * 2}, "two.pt");
  std::vector<torch::Tensor> two;
  torch::load(two, "two.pt");
  std::cout << two.size() << two[1] << "\n";
  std::ostringstream out;
  torch::save(t.to(torch::kLong), out);
  std::istringstream in(out.str());
  torch::Tensor longs;
  torch::load(longs, in);
  std::cout << longs << "\n";
  torch::load(loaded, "one.pt", torch::kCPU);
  for (auto type : {torch::kByte, torch::kHalf, torch::kBool, torch::kDouble}) {
    std::stringstream s;
    torch::save(t.to(type), s);
    torch::Tensor back;
    torch::load(back, s);
    std::cout << back.dtype() << back.equal(t.to(type)) << " ";
  }
  std::cout << "\n";
  torch::IValue x = torch::pickle_load(get_the_bytes(folder + "/values.pt"));
  for (const auto& e : x.toGenericDict()) std::cout << e.key().toStringRef() << " " << e.value().tagKind() << "\n";
  auto bytes = torch::pickle_save(torch::IValue(std::make_tuple(t, std::string("name"), std::vector<int64_t>{1, 2})));
  std::ofstream file("value.pt", std::ios::out | std::ios::binary);
  file.write(bytes.data(), bytes.size());
  file.close();
  auto tuple = torch::pickle_load(get_the_bytes("value.pt")).toTuple();
  std::cout << tuple->elements()[0].toTensor().equal(t) << tuple->elements()[1] << tuple->elements()[2] << "\n";
  c10::Dict<std::string, at::Tensor> weights;
  weights.insert("w", t);
  std::cout << torch::pickle_load(torch::pickle_save(weights)).toGenericDict().at("w").toTensor().sum() << "\n";
  auto raw = torch::jit::pickle_save(torch::IValue(3));
  std::cout << torch::jit::pickle_load(raw) << "\n";
  torch::serialize::OutputArchive archive;
  archive.write("weight", t);
  archive.write("bias", torch::ones({2}), /*is_buffer=*/true);
  archive.write("count", torch::IValue(7));
  archive.save_to("archive.pt");
  torch::serialize::InputArchive input;
  input.load_from("archive.pt");
  torch::Tensor weight, bias;
  input.read("weight", weight);
  input.read("bias", bias, true);
  torch::IValue count;
  input.read("count", count);
  std::cout << weight.equal(t) << bias << count << input.try_read("none", weight) << "\n";
  for (const auto& key : input.keys()) std::cout << key << " ";
  std::cout << "\n";
  // State saved by Python as a scripted container of tensors.
  torch::jit::script::Module container = torch::jit::load(folder + "/container.pt");
  std::cout << container.attr("weight").toTensor() << container.attr("name").toStringRef()
            << container.attr("anchors").toTensor().sizes() << container.attr("table").toGenericDict().at("k") << "\n";
  try {
    torch::load(loaded, "nothing.pt");
  } catch (const c10::Error& e) {
    std::cout << std::string(e.what_without_backtrace()).substr(0, 16) << "\n";
  }
}
