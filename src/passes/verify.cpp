#include "passes/verify.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "core/check.h"
#include "core/copy.h"
#include "passes/program_copy.h"

namespace wick::passes {

namespace {

std::map<std::string, std::vector<IValue>> run(const ir::Program& program, const std::map<std::string, Inputs>& inputs,
                                               uint64_t seed) {
  const std::shared_ptr<ir::Program> copy = copy_program(program, method_names(program));
  Module module(copy);
  module.set_planning(false);
  manual_seed(seed);
  std::map<std::string, std::vector<IValue>> answers;
  for (const auto& [method, lists] : inputs) {
    for (const std::vector<IValue>& arguments : lists) {
      std::vector<IValue> own;
      for (const IValue& argument : arguments) own.push_back(copy_value(argument));
      // A later run may change what this one gave.
      answers[method].push_back(copy_value(module.run_method(method, std::move(own))));
    }
  }
  return answers;
}

// Infinite when one of them is not a finite number and the other is not the same.
double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double d = std::abs(a - b);
  return std::isfinite(d) ? d : std::numeric_limits<double>::infinity();
}

class Comparison {
 public:
  Comparison(std::string pass, double tolerance) : pass_(std::move(pass)), tolerance_(tolerance) {}

  void add(const std::string& where, const IValue& expected, const IValue& found) {
    if (expected.is_tensor() && found.is_tensor()) return add_tensors(where, expected.to_tensor(), found.to_tensor());
    if (expected.is_number() && found.is_number() && expected.tag() == found.tag()) {
      if (expected.is_complex()) {
        const std::complex<double> x = expected.to_complex(), y = found.to_complex();
        note(where, distance(x.real(), y.real()), std::abs(x.real()));
        return note(where, distance(x.imag(), y.imag()), std::abs(x.imag()));
      }
      const double a = expected.is_bool() ? expected.to_bool() : expected.to_double();
      const double b = found.is_bool() ? found.to_bool() : found.to_double();
      return note(where, distance(a, b), std::isfinite(a) ? std::abs(a) : 0);
    }
    require(expected.tag() == found.tag(), where, "is a ", found.tag_name(), ", was a ", expected.tag_name());
    if (expected.is_list()) {
      add_items(where, expected.to_list().items, found.to_list().items);
    } else if (expected.is_tuple()) {
      add_items(where, expected.to_tuple().items, found.to_tuple().items);
    } else if (expected.is_dict()) {
      DictImpl& other = found.to_dict();
      require(expected.to_dict().size() == other.size(), where, "has another number of entries");
      for (const auto& [key, item] : expected.to_dict().entries()) {
        const IValue* value = other.find(key);
        require(value != nullptr || key.is_tensor(), where, "has no entry ", repr(key), " any more");
        if (value) add(cat(where, "[", key.is_string() ? "'" + key.to_string() + "'" : repr(key), "]"), item, *value);
      }
    } else if (expected.is_string()) {
      require(expected.to_string() == found.to_string(), where, "is another text");
    }
  }

  std::vector<OutputDifference> take() { return std::move(out_); }

 private:
  template <class... Parts>
  void require(bool condition, const std::string& where, const Parts&... parts) const {
    if (condition) return;
    fail(ErrorCode::kUnsupported, cat("pass ", pass_, " changed the model's answer: ", where, " ", parts...));
  }

  void add_items(const std::string& where, const std::vector<IValue>& expected, const std::vector<IValue>& found) {
    require(expected.size() == found.size(), where, "has ", found.size(), " items, had ", expected.size());
    for (size_t i = 0; i < expected.size(); ++i) add(cat(where, "[", i, "]"), expected[i], found[i]);
  }

  void add_tensors(const std::string& where, const Tensor& expected, const Tensor& found) {
    require(expected.dtype() == found.dtype(), where, "has another dtype");
    require(std::ranges::equal(expected.sizes(), found.sizes()), where, "has shape ", found.sizes(), ", had ",
            expected.sizes());
    if (expected.numel() == 0) return note(where, 0, 0);
    const bool complex = is_complex(expected.dtype());
    const Tensor a = contiguous(to_dtype(expected, complex ? DType::kComplexDouble : DType::kDouble));
    const Tensor b = contiguous(to_dtype(found, complex ? DType::kComplexDouble : DType::kDouble));
    const auto* x = static_cast<const double*>(a.raw_data());
    const auto* y = static_cast<const double*>(b.raw_data());
    double difference = 0, magnitude = 0;
    for (int64_t i = 0; i < a.numel() * (complex ? 2 : 1); ++i) {
      difference = std::max(difference, distance(x[i], y[i]));
      if (std::isfinite(x[i])) magnitude = std::max(magnitude, std::abs(x[i]));
    }
    note(where, difference, magnitude);
  }

  void note(const std::string& where, double difference, double magnitude) {
    require(difference <= tolerance_ * std::max(1.0, magnitude), where, "differs by ", difference,
            " (largest magnitude ", magnitude, ", tolerance ", tolerance_, ")");
    for (OutputDifference& known : out_) {
      if (known.output != where) continue;
      known.difference = std::max(known.difference, difference);
      known.magnitude = std::max(known.magnitude, magnitude);
      return;
    }
    out_.push_back({where, difference, magnitude});
  }

  std::string pass_;
  double tolerance_;
  std::vector<OutputDifference> out_;
};

}  // namespace

Reference::Reference(const ir::Program& program, std::map<std::string, Inputs> inputs, uint64_t seed)
    : inputs_(std::move(inputs)), seed_(seed) {
  answers_ = run(program, inputs_, seed_);
}

std::vector<OutputDifference> Reference::compare(const ir::Program& program, const std::string& pass,
                                                 double tolerance) const {
  std::map<std::string, std::vector<IValue>> answers;
  try {
    answers = run(program, inputs_, seed_);
  } catch (const Error& error) {
    fail(ErrorCode::kUnsupported,
         cat("after pass ", pass, " the model fails where the original runs: ", error.message()));
  }
  Comparison comparison(pass, tolerance);
  for (const auto& [method, expected] : answers_) {
    for (size_t i = 0; i < expected.size(); ++i) comparison.add(method, expected[i], answers[method][i]);
  }
  return comparison.take();
}

}  // namespace wick::passes
