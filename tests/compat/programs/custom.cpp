// Operators and a class of the application's own, called by a model.
#include <torch/custom_class.h>
#include <torch/script.h>

#include "common.h"

torch::Tensor scale(const torch::Tensor& x, double by) { return x * by; }
std::tuple<torch::Tensor, int64_t> split_first(torch::Tensor x, at::IntArrayRef sizes) {
  return std::make_tuple(x.slice(0, 0, sizes[0]), sizes.size());
}
torch::Tensor join(torch::TensorList parts, c10::optional<int64_t> dim) { return torch::cat(parts, dim.value_or(0)); }
torch::Tensor refuse(const torch::Tensor& x) {
  TORCH_CHECK(x.dim() == 2, "refuse wants two dimensions but got ", x.dim());
  return x;
}

struct Counter : torch::CustomClassHolder {
  explicit Counter(int64_t start) : value(start) {}
  int64_t add(int64_t by) { return value += by; }
  std::string describe(const std::string& word) const { return word + std::to_string(value); }
  int64_t value;
};

TORCH_LIBRARY(compat_test, m) {
  m.def("scale(Tensor x, float by=2.) -> Tensor");
  m.def("split_first(Tensor x, int[] sizes) -> (Tensor, int)", &split_first);
  m.def("refuse", refuse);
  m.class_<Counter>("Counter")
      .def(torch::init<int64_t>())
      .def("add", &Counter::add, "", {torch::arg("by") = 1})
      .def("describe", &Counter::describe)
      .def("twice", [](const c10::intrusive_ptr<Counter>& self) { return 2 * self->value; })
      .def_pickle([](const c10::intrusive_ptr<Counter>& self) { return self->value; },
                  [](int64_t state) { return c10::make_intrusive<Counter>(state); });
}
TORCH_LIBRARY_IMPL(compat_test, CPU, m) { m.impl("scale", TORCH_FN(scale)); }
static auto registry = torch::RegisterOperators("compat_test::join(Tensor[] parts, int? dim=None) -> Tensor", &join)
                           .op("compat_test::negate", [](torch::Tensor x) { return -x; });

int main(int, char** argv) {
  auto module = torch::jit::load(std::string(argv[1]) + "/custom.pt");
  auto x = torch::arange(6, torch::kFloat).reshape({3, 2});
  auto result = module.forward({x}).toTuple();
  for (const auto& element : result->elements()) std::cout << element << "\n";
  std::cout << module.run_method("count", 4) << "\n";
  auto counter = module.attr("counter").toCustomClass<Counter>();
  std::cout << counter->value << " " << module.attr("counter").isCustomClass() << "\n";
  std::cout << module.attr("counter").type()->str() << "\n";
  std::cout << module.run_method("with_counter", torch::make_custom_class<Counter>(40)) << "\n";
  try {
    module.run_method("fails", torch::ones({3}));
    std::cout << "no error\n";
  } catch (const std::exception& e) {
    const std::string text = e.what();
    std::cout << (text.find("refuse wants two dimensions but got 1") != text.npos) << "\n";
  }
}
