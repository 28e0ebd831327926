// Names that applications use beside tensors and modules; writes into a model's tensors.
#include <ATen/TensorUtils.h>
#include <ATen/core/stack.h>
#include <c10/util/MaybeOwned.h>
#include <c10/util/accumulate.h>
#include <torch/csrc/jit/mobile/import.h>
#include <torch/csrc/jit/serialization/export.h>
#include <torch/custom_class.h>
#include <torch/script.h>
#include <torch/torch.h>

#include "common.h"

struct Counter : torch::CustomClassHolder {
  int64_t count = 0;
  int64_t next() { return ++count; }
};
static auto counter = torch::class_<Counter>("names", "Counter").def(torch::init<>()).def("next", &Counter::next);

struct Doubled : torch::autograd::Function<Doubled> {
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, const torch::Tensor& x, int64_t times) {
    ctx->save_for_backward({x});
    ctx->saved_data["times"] = times;
    return x * times;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    return {grads[0] * ctx->saved_data["times"].toInt(), torch::Tensor()};
  }
};

template <class Call>
void fails(Call call) {
  try {
    call();
    std::cout << "no error\n";
  } catch (const c10::Error& e) {
    std::cout << e.what_without_backtrace() << "\n";
  }
}

int main(int argc, char** argv) {
  const std::string folder = argv[1];
  // Standard headers that come along.
  std::deque<int> deque{1, 2};
  std::unordered_set<std::string> words{"a"};
  std::list<int> list(3, 1);
  std::stack<int> stack_of;
  std::queue<int> queue;
  std::condition_variable condition;
  std::ostringstream text;
  text << std::setprecision(3) << 1.23456 << std::accumulate(list.begin(), list.end(), 0) << std::setw(4) << INT_MAX;
  std::printf("%s %" PRId64 "\n", text.str().c_str(), static_cast<int64_t>(deque.size()));
  assert(words.size() == 1 && stack_of.empty() && queue.empty());

  torch::jit::Stack stack;
  torch::jit::pack(stack, std::make_tuple(torch::ones({1}), int64_t{2}, 3.5));
  torch::jit::pack(stack, torch::zeros({2}));
  std::cout << stack.size() << stack[1] << stack[2] << "\n";

  const auto x = torch::arange(6, torch::kFloat).view({2, 3});
  const at::TensorArg arg(x, "x", 1);
  at::checkDim("f", arg, 2);
  fails([&] { at::checkDim("f", arg, 3); });
  fails([&] { at::checkSize("f", arg, {2, 4}); });
  fails([&] { at::checkSize("f", arg, 1, 4); });
  fails([&] { at::checkScalarType("f", arg, at::kLong); });
  const auto t = x.t();
  const at::TensorArg transposed(t, "t", 2);
  fails([&] { at::checkContiguous("f", transposed); });
  fails([&] { at::checkSameSize("f", arg, transposed); });

  CHECK(x.dim() == 2) << "unseen";
  CHECK_EQ(x.size(0), 2);
  CHECK_LT(1, 2) << "unseen";
  RECORD_FUNCTION("names", std::vector<c10::IValue>());
  std::cout << Doubled::apply(x, 2) << "\n";
  std::cout << torch::getCustomClass("__torch__.torch.classes.names.Counter")->name()->qualifiedName()
            << (torch::getCustomClass("__torch__.none") == nullptr) << "\n";
  const auto borrowed = c10::MaybeOwned<at::Tensor>::borrowed(x);
  const auto owned = c10::MaybeOwned<at::Tensor>::owned(x + 1);
  std::cout << borrowed->is_same(x) << owned->sum().item<float>() << c10::multiply_integers(x.sizes()) << "\n";
  torch::jit::getNumProfiledRuns() = 1;

  at::set_num_threads(4);
  std::vector<int64_t> squares(100000);
  std::atomic<bool> numbered{true};
  at::parallel_for(0, 100000, 100, [&](int64_t begin, int64_t end) {
    if (at::get_thread_num() < 0 || at::get_thread_num() >= at::get_num_threads()) numbered = false;
    for (int64_t i = begin; i < end; ++i) squares[static_cast<size_t>(i)] = i * i;
  });
  std::cout << std::accumulate(squares.begin(), squares.end(), int64_t{0}) << numbered << at::get_thread_num() << "\n";
  std::cout << at::parallel_reduce(
                   0, 1000, 10, int64_t{0},
                   [](int64_t begin, int64_t end, int64_t sum) {
                     for (; begin < end; ++begin) sum += begin;
                     return sum;
                   },
                   std::plus<int64_t>())
            << "\n";
  try {
    at::parallel_for(0, 1000, 10, [](int64_t, int64_t end) { TORCH_CHECK(end < 500, "past the half"); });
  } catch (const c10::Error& e) {
    std::cout << e.what_without_backtrace() << "\n";
  }

  // Writes are seen by the next run, whichever way the tensor was come by.
  const torch::NoGradGuard no_grad;
  auto module = torch::jit::load(folder + "/parts.pt");
  const auto input = torch::linspace(-1, 1, 12).view({2, 6});
  const auto sum = [&] { return module.forward({input}).toTensor().sum().item<float>(); };
  for (int i = 0; i < 3; ++i) std::cout << sum() << " ";
  module.attr("scale").toTensor().mul_(3);
  std::cout << sum() << " " << sum() << " ";
  module._ivalue()->getAttr("scale").toTensor().mul_(0.5);
  std::cout << sum() << " " << sum() << " ";
  size_t count = 0;
  for (int i = 0; i < 3; ++i) {
    for (const auto& p : module.parameters()) count += static_cast<size_t>(p.numel());
    std::cout << sum() << " ";
  }
  for (auto p : module.parameters()) p.mul_(2);
  std::cout << sum() << " " << sum() << " ";
  for (const auto& a : module.named_attributes()) {
    if (a.name == "scale") a.value.toTensor().add_(1);
  }
  std::cout << sum() << " ";
  module._ivalue()->setAttr("scale", torch::tensor({2.f}));
  std::cout << sum() << " " << count << "\n";
  auto mobile = torch::jit::_load_for_mobile(folder + "/classifier.ptl");
  const auto image = torch::linspace(0, 1, 3 * 32 * 32).view({1, 3, 32, 32});
  const auto scores = [&] { return mobile.forward({image}).toTensor().abs().sum().item<float>(); };
  for (int i = 0; i < 3; ++i) std::cout << scores() << " ";
  for (auto& p : mobile.named_parameters()) {
    if (p.first == "classifier.bias") torch::Tensor(p.second).add_(1);
  }
  std::cout << scores() << " ";
  for (torch::Tensor p : mobile.parameters()) p.mul_(2);
  std::cout << scores() << " " << scores() << "\n";

  auto names = torch::jit::export_opnames(module);
  std::cout << std::is_sorted(names.begin(), names.end()) << !names.empty() << "\n";
  int modules = 0;
  module.apply([&](torch::jit::Module&) { ++modules; });
  std::cout << modules << "\n";
}
