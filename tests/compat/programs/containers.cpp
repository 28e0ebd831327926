// Values in and out of models: dicts, lists, tuples, optionals; tensors saved and loaded.
#include <torch/script.h>
#include <torch/torch.h>

#include <sstream>

#include "common.h"

int main() {
  c10::Dict<std::string, torch::Tensor> dict;
  dict.insert("ids", torch::tensor({1, 2, 3}, torch::kLong));
  dict.insert_or_assign("mask", torch::ones({1, 3}, torch::kInt64));
  std::cout << dict.size() << " " << dict.contains("ids") << " " << dict.at("ids").sum().item<int64_t>() << "\n";
  for (const auto& entry : dict) std::cout << entry.key() << " " << entry.value().sizes() << "\n";
  torch::IValue value(dict);
  auto generic = value.toGenericDict();
  for (auto& item : generic) std::cout << item.key().toStringRef() << " " << item.value().toTensor().dim() << "\n";
  std::cout << generic.at("mask").toTensor().numel() << " " << value.isGenericDict() << "\n";

  c10::List<torch::Tensor> list({torch::zeros({1}), torch::ones({2})});
  list.push_back(torch::full({3}, 2.f));
  torch::IValue listed(list);
  for (const at::Tensor& t : listed.toTensorVector()) std::cout << t.numel() << " ";
  std::cout << listed.toListRef().size() << " " << listed.isTensorList() << "\n";
  auto typed = c10::impl::GenericList(c10::StringType::get());
  typed.push_back("word");
  std::cout << typed.get(0).toStringRef() << " " << torch::IValue(typed) << "\n";

  auto tuple =
      c10::ivalue::Tuple::create({torch::IValue(1), torch::IValue("two"), torch::IValue(3.5), torch::IValue()});
  for (const auto& e : tuple->elements()) std::cout << e.tagKind() << " " << e << "; ";
  std::cout << tuple->elements()[1].toStringRef() << " " << tuple->elements().size() << "\n";
  std::vector<torch::jit::IValue> inputs;
  inputs.emplace_back(torch::rand({1}));
  inputs.push_back(std::make_tuple(torch::ones({1}), int64_t(4)));
  inputs.push_back(std::vector<int64_t>{4, 5});
  inputs.push_back(c10::nullopt);
  std::cout << inputs[1].toTuple()->elements()[1].toInt() << " " << inputs[2].toIntVector()[1] << " "
            << inputs[3].isNone() << " " << inputs[2].toIntList().size() << "\n";
  c10::optional<torch::Tensor> maybe = torch::zeros({2});
  if (maybe.has_value()) std::cout << maybe->sizes() << " " << maybe.value().numel() << "\n";
  maybe = c10::nullopt;
  std::cout << (maybe ? "some" : "none") << " " << c10::optional<int64_t>(3).value_or(4) << "\n";

  std::stringstream stream;
  torch::save(torch::arange(4).reshape({2, 2}), stream);
  torch::Tensor loaded;
  torch::load(loaded, stream);
  std::cout << loaded << "\n";
  torch::save(std::vector<torch::Tensor>{torch::ones({2}), torch::zeros({1, 2})}, "tensors.pt");
  std::vector<torch::Tensor> several;
  torch::load(several, "tensors.pt");
  std::cout << several.size() << " " << several[1].sizes() << "\n";
  auto pickled = torch::pickle_save(torch::IValue(dict));
  std::cout << torch::pickle_load(pickled).toGenericDict().size() << "\n";

  auto t = torch::tensor({{1.5f, -2.f}, {0.25f, 4.f}});
  torch::Tensor values, indices;
  std::tie(values, indices) = t.topk(1, 1);
  std::cout << values << indices << "\n" << t.argmax(1) << t.max() << std::get<0>(t.min(0)) << "\n";
  std::cout << t.t().mm(t) << torch::matmul(t, t[0]) << t.pow(2).sum(at::IntArrayRef({0, 1})) << t.norm() << "\n";
  std::cout << (t.sizes() == torch::IntArrayRef({2, 2})) << " " << t.sizes().vec().size() << " " << t.scalar_type()
            << " " << t.toString() << " " << t.device() << " " << t.element_size() << " " << t.layout() << "\n";
  t[0][1] = 9;
  t[1] += 1;
  t.index_put_({t < 1}, 0.f);
  std::cout << t << t.masked_select(t > 1) << torch::nonzero(t) << t.to(torch::kHalf).dtype() << "\n";
  float sum = 0;
  auto a = t.accessor<float, 2>();
  for (int i = 0; i < a.size(0); ++i)
    for (int j = 0; j < a.size(1); ++j) sum += a[i][j];
  std::cout << sum << " " << t.sum().item<float>() << " " << torch::median(t).item<float>() << "\n";
  std::cout << torch::einsum("ij,jk->ik", {t, t}) << torch::cumsum(t, 0) << torch::one_hot(torch::tensor({0, 2}), 3)
            << "\n";
  try {
    torch::zeros({2, 3}).view({4});
  } catch (const std::exception& e) {
    std::cout << std::string(e.what()).substr(0, 46) << "\n";
  }
  try {
    torch::zeros({2, 3}).matmul(torch::zeros({2, 3}));
  } catch (const c10::Error& e) {
    std::cout << e.what_without_backtrace() << "\n";
  }
}
