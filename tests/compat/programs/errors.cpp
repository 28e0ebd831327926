// Errors: their classes and their first lines.
#include <torch/csrc/jit/mobile/import.h>
#include <torch/script.h>

#include "common.h"

// The first line, of which a path may be left out.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

template <class F>
void attempt(const char* what, F f) {
  try {
    f();
    std::cout << what << ": no error\n";
  } catch (const c10::Error& e) {
    std::cout << what << ": c10::Error " << first_line(e.what_without_backtrace()) << "\n";
  } catch (const std::runtime_error& e) {
    const std::string text = e.what();
    std::cout << what << ": runtime_error " << first_line(text) << " "
              << (text.find("RuntimeError: ") != std::string::npos) << "\n";
  } catch (const std::exception& e) {
    std::cout << what << ": exception " << first_line(e.what()) << "\n";
  }
}

int main(int argc, char** argv) {
  const std::string folder = argv[1];
  torch::Tensor x = torch::ones({2, 3});
  attempt("view", [&] { x.view({4}); });
  attempt("matmul", [&] { torch::matmul(x, x); });
  attempt("cat", [&] { torch::cat({x, torch::ones({2, 2})}, 0); });
  attempt("select", [&] { x.select(0, 5); });
  attempt("size", [&] { x.size(4); });
  attempt("index", [&] { x.index({0, 0, 0}); });
  attempt("item", [&] { x.item(); });
  attempt("data_ptr", [&] { x.data_ptr<double>(); });
  attempt("accessor", [&] { x.accessor<float, 3>(); });
  attempt("to cuda", [&] { x.to(torch::kCUDA); });
  attempt("check", [&] { TORCH_CHECK(x.dim() == 3, "expected ", 3, " dims, got ", x.dim()); });
  attempt("toTensor", [&] { c10::IValue(3).toTensor(); });
  attempt("toTuple", [&] { c10::IValue(x).toTuple(); });
  attempt("at", [&] { c10::Dict<std::string, int64_t>().at("k"); });
  attempt("device", [&] { torch::Device("nothing"); });
  auto module = torch::jit::load(folder + "/fails.pt");
  attempt("operator", [&] { module.forward({x, 0}); });
  attempt("ok", [&] { module.forward({x, 2}); });
  attempt("missing argument", [&] { module.forward({x}); });
  attempt("wrong type", [&] { module.forward({x, "text"}); });
  attempt("no method", [&] { module.get_method("absent"); });
  attempt("no attribute", [&] { module.attr("absent"); });
  auto lite = torch::jit::_load_for_mobile(folder + "/fails.ptl");
  attempt("lite ok", [&] { lite.forward({x, 2}); });
  attempt("lite method", [&] { lite.get_method("absent"); });
  std::cout << (lite.find_method("forward") ? "found" : "absent") << "\n";
}
