// Operators called by name: by their signature, on a stack, and kernels that work on a stack.
#include <torch/script.h>
#include <iostream>

torch::Tensor scaled(torch::Tensor a, double by, c10::optional<int64_t> plus) { return a * by + plus.value_or(0); }
void on_stack(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const int64_t n = torch::jit::pop(*stack).toInt();
  const at::Tensor x = torch::jit::pop(*stack).toTensor();
  torch::jit::push(*stack, x + n, op.schema().name());
}
TORCH_LIBRARY(dispatcher_test, m) {
  m.def("scaled", scaled);
  m.def("on_stack(Tensor x, int n) -> (Tensor, str)", torch::CppFunction::makeFromBoxedFunction<&on_stack>());
}

int main() {
  auto& all = c10::Dispatcher::singleton();
  const auto own = all.findSchemaOrThrow("dispatcher_test::scaled", "")
                       .typed<at::Tensor(at::Tensor, double, c10::optional<int64_t>)>();
  std::cout << own.call(torch::ones({2}), 3., 1) << "\n";
  const auto add = all.findSchemaOrThrow("aten::add", "Tensor")
                       .typed<at::Tensor(const at::Tensor&, const at::Tensor&, const at::Scalar&)>();
  std::cout << add.call(torch::ones({2}), torch::ones({2}), 2) << "\n";
  at::Tensor written = torch::ones({2});
  const auto add_ = all.findSchemaOrThrow("aten::add_", "Tensor")
                        .typed<at::Tensor&(at::Tensor&, const at::Tensor&, const at::Scalar&)>();
  std::cout << add_.call(written, written, 1).is_same(written) << written << "\n";
  torch::jit::Stack stack;
  torch::jit::push(stack, torch::ones({2}), 4);
  all.findSchemaOrThrow("dispatcher_test::on_stack", "").callBoxed(&stack);
  std::cout << stack.size() << stack[0].toTensor() << stack[1].toStringRef() << "\n";
  try {
    all.findSchemaOrThrow("no::operator", "");
  } catch (const c10::Error& e) {
    std::cout << e.what_without_backtrace() << "\n";
  }
}
