// (C++17) Storages and their memory, pickles, futures of many, sizes that broadcast, what extensions of PyTorch use.
#include <ATen/ExpandUtils.h>
#include <ATen/InferSize.h>
#include <ATen/OpMathType.h>
#include <ATen/WrapDimUtils.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/SmallVector.h>
#include <c10/util/complex.h>
#include <c10/util/string_view.h>
#include <torch/csrc/jit/serialization/pickle.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <iostream>
#include <optional>
#include <thread>

template <class F>
void report(const char* what, F&& f) {
  try {
    f();
    std::cout << what << ": nothing thrown\n";
  } catch (const c10::Error& e) {
    std::cout << what << ": " << e.what_without_backtrace() << "\n";
  }
}

void storages() {
  auto x = torch::arange(12, torch::kFloat).view({3, 4});
  auto storage = x[1].storage();
  std::cout << storage.nbytes() << " " << (storage.data() == x.data_ptr()) << " "
            << at::detail::computeStorageNbytes({2, 2}, {4, 1}, 4, 3) << " "
            << at::detail::computeStorageNbytesContiguous({2, 3}, 8) << " " << at::detail::defaultStrides({2, 3, 4})
            << "\n";

  auto y = torch::empty({0});
  y.set_(storage, 5, {2, 3}, {1, 2});
  y[0][0] = 100;
  std::cout << y << x << y.is_alias_of(x) << "\n";
  y.set_(storage);
  std::cout << y.sizes() << y.storage_offset() << "\n";

  static std::vector<int64_t> memory = {1, 2, 3, 4, 5, 6};
  {
    c10::DataPtr pointer(
        memory.data(), &memory, [](void*) { std::cout << "let go\n"; }, at::kCPU);
    c10::Storage own(c10::Storage::use_byte_size_t(), memory.size() * 8, std::move(pointer), nullptr, false);
    auto t = at::empty({0}, at::kLong).set_(own, 1, {2, 2}, {2, 1});
    own = c10::Storage();
    t.mul_(10);
    std::cout << t << memory << "\n";
    // LibTorch grows a storage that can be resized; this one cannot.
    report("too small", [&] { t.set_(t.storage(), 0, {100}, {1}); });
    report("before the first", [&] { t.set_(t.storage(), -1, {1}, {1}); });
  }
  std::cout << "after\n";

  c10::Allocator* allocator = c10::GetAllocator(at::kCPU);
  c10::DataPtr bytes = allocator->allocate(100);
  std::cout << (reinterpret_cast<uintptr_t>(bytes.get()) % 64) << bytes.device() << (bytes != nullptr) << "\n";
  void* raw = c10::GetCPUAllocator()->raw_allocate(16);
  allocator->raw_deallocate(raw);
}

void pickles() {
  c10::impl::GenericDict dict(c10::StringType::get(), c10::AnyType::get());
  dict.insert("ints", std::vector<int64_t>{1, 2, 300000000000});
  dict.insert("nested", c10::ivalue::Tuple::create({1.5, "text", true, c10::IValue()}));
  dict.insert("strings", std::vector<std::string>{"a", "b", "a"});
  const std::vector<char> bytes = torch::jit::pickle(dict);
  std::cout << (bytes.size() > 40) << static_cast<int>(static_cast<unsigned char>(bytes[0])) << bytes.back() << "\n";
  std::cout << torch::jit::unpickle(bytes.data(), bytes.size()) << "\n";

  std::vector<torch::Tensor> table;
  auto t = torch::arange(6).view({2, 3});
  const auto value = c10::ivalue::Tuple::create({t, torch::ones({2}), 7});
  std::string text;
  torch::jit::pickle([&](const char* data, size_t size) { text.append(data, size); }, value, &table);
  size_t at = 0;
  const auto back = torch::jit::unpickle(
      [&](char* out, size_t size) {
        const size_t count = std::min(size, text.size() - at);
        text.copy(out, count, at);
        at += count;
        return count;
      },
      nullptr, table);
  std::cout << table.size() << back << "\n";
}

void futures() {
  using Future = c10::intrusive_ptr<c10::ivalue::Future>;
  const auto make = [] { return c10::make_intrusive<c10::ivalue::Future>(c10::IntType::get()); };
  c10::List<Future> all(c10::FutureType::create(c10::IntType::get()));
  for (int i = 0; i < 3; ++i) all.push_back(make());
  auto collected = c10::collectAll(all);
  auto any = c10::collectAny(all);
  std::thread worker([&] {
    for (int i = 2; i >= 0; --i) all.get(i)->markCompleted(i * 10);
  });
  worker.join();
  collected->wait();
  for (const c10::IValue& one : collected->value().toListRef()) std::cout << one.toFuture()->value() << " ";
  std::cout << any->value() << "\n";

  c10::List<Future> failing(c10::FutureType::create(c10::IntType::get()));
  failing.push_back(make());
  failing.push_back(make());
  auto failed = c10::collectAll(failing);
  failing.get(0)->setError(std::make_exception_ptr(std::runtime_error("the first failed")));
  failing.get(1)->markCompleted(1);
  failed->wait();
  std::cout << failed->hasError() << failed->tryRetrieveErrorMessage() << "\n";
  std::cout << c10::collectAll(c10::List<Future>(c10::FutureType::create(c10::IntType::get())))->completed() << "\n";
}

// The optional that operators of an application take: with PyTorch 2 it is the standard's.
using Maybe = std::conditional_t<std::is_constructible_v<c10::IValue, std::optional<int64_t>>, std::optional<int64_t>,
                                 c10::optional<int64_t>>;
int64_t or_nine(const at::Tensor& t, Maybe size) { return t.numel() + (size ? *size : 9); }
TORCH_LIBRARY(memory, m) { m.def("or_nine", or_nine); }

void extensions() {
  auto op = c10::Dispatcher::singleton().findSchemaOrThrow("memory::or_nine", "");
  std::cout << op.schema() << "\n";
  for (const c10::IValue& size : {c10::IValue(), c10::IValue(4)}) {
    torch::jit::Stack stack{torch::ones({2}), size};
    op.callBoxed(&stack);
    std::cout << stack[0] << " ";
  }
  std::cout << sizeof(at::opmath_type<at::Half>) << sizeof(at::opmath_type<double>)
            << sizeof(at::scalar_value_type<c10::complex<double>>::type) << c10::is_complex<float>::value << "\n";

  const auto a = torch::arange(3).view({3, 1}), b = torch::arange(2);
  auto both = at::expand_outplace(a, b);
  std::cout << *std::get<0>(both) << *std::get<1>(both) << "\n";
  std::cout << at::infer_size({2, 1, 3}, {4, 1}) << at::infer_size({-1, 2}, 6)
            << at::is_expandable_to(torch::IntArrayRef({1, 3}), torch::IntArrayRef({2, 3}))
            << at::is_expandable_to(torch::IntArrayRef({2}), torch::IntArrayRef({3}))
            << at::sum_to(torch::ones({2, 3}), torch::IntArrayRef({3})) << at::maybe_wrap_dim(-1, 3) << "\n";
  report("sizes", [] { at::infer_size({2, 3}, {2, 4}); });
  try {
    at::infer_size({-1, 4}, 6);
  } catch (const std::runtime_error& e) {
    std::cout << e.what() << "\n";
  }
  report("wrap", [] { at::maybe_wrap_dim(5, 3); });

  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(at::kHalf, at::kBFloat16, at::kBool, torch::kBool, "all",
                                         [] { std::cout << sizeof(scalar_t); });
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(at::kHalf, at::kBFloat16, torch::kBFloat16, "floating",
                                              [] { std::cout << sizeof(scalar_t); });
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(at::kHalf, torch::kComplexDouble, "and",
                                        [] { std::cout << sizeof(scalar_t) << "\n"; });
  report("dispatch", [] { AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, torch::kInt, "mine", [] {}); });

  const c10::string_view view("hello world");
  std::cout << view.find_first_of("ol") << view.find_last_of("ol") << view.find_first_not_of("hel")
            << view.find_last_not_of("dl") << view.rfind("o") << "\n";
  c10::SmallVector<int, 2> small;
  small.append({1, 2, 3});
  std::cout << small.pop_back_val() << small.size() << " " << c10::OptionalType::ofTensor()->str() << "\n";

  struct Handler : c10::WarningHandler {
    void process(const c10::SourceLocation&, const std::string& text, bool) override { std::cout << text << "\n"; }
  } handler;
  {
    c10::Warning::WarningHandlerGuard guard(&handler);
    TORCH_WARN("size ", 3);
    for (const bool on : {false, true}) {
      c10::Warning::WarnAlways always(on);
      for (int i = 0; i < 2; ++i) TORCH_WARN_ONCE("once, or always: ", on);
    }
    std::cout << c10::Warning::get_warnAlways() << c10::FutureType::create(c10::BoolType::get())->str() << "\n";
  }
  std::cout << at::Device("cpu:1") << torch::TensorOptions() << true << std::noboolalpha << "\n";
  report("interpolate", [] {
    torch::nn::functional::interpolate(torch::ones({1, 1, 2, 2}),
                                       torch::nn::functional::InterpolateFuncOptions().mode(torch::kNearest));
  });
}

int main() {
  storages();
  pickles();
  futures();
  extensions();
}
