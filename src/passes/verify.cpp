// Compares the outputs of a changed program with the original's.
#include "passes/verify.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "api/module_access.h"
#include "core/check.h"
#include "core/copy.h"
#include "core/stopped.h"
#include "core/value_walk.h"
#include "passes/program_copy.h"

namespace wick::passes {

namespace {

std::map<std::string, std::vector<IValue>> run(const ir::Program& program, const std::map<std::string, Inputs>& inputs,
                                               uint64_t seed) {
  const std::shared_ptr<ir::Program> copy = copy_program(program, method_names(program));
  Module module = make_module(copy);
  module.set_planning(false);
  manual_seed(seed);
  std::map<std::string, std::vector<IValue>> answers;
  for (const auto& [method, lists] : inputs) {
    for (const std::vector<IValue>& arguments : lists) {
      std::vector<IValue> own;
      own.reserve(arguments.size());
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
  explicit Comparison(double tolerance) : tolerance_(tolerance) {}

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
    if (expected.tag() != found.tag()) return differ(where, "is a ", found.tag_name(), ", was a ", expected.tag_name());
    if (expected.is_list()) {
      add_items(where, expected.to_list().items, found.to_list().items);
    } else if (expected.is_tuple()) {
      add_items(where, expected.to_tuple().items, found.to_tuple().items);
    } else if (expected.is_dict()) {
      DictImpl& other = found.to_dict();
      if (expected.to_dict().size() != other.size()) return differ(where, "has another number of entries");
      const Descent::Level level(descent_, other.size());
      for (const auto& [key, item] : expected.to_dict().entries()) {
        const IValue* value = other.find(key);
        if (!value && !key.is_tensor()) differ(where, "has no entry ", repr(key), " any more");
        if (value) add(cat(where, "[", key.is_string() ? "'" + key.to_string() + "'" : repr(key), "]"), item, *value);
      }
    } else if (expected.is_string()) {
      if (expected.to_string() != found.to_string()) differ(where, "is another text");
    }
  }

  std::vector<OutputDifference> take() { return std::move(out_); }
  // What is wrong with outputs, by their names.
  const std::map<std::string, std::string>& problems() const { return problems_; }

 private:
  template <class... Parts>
  void differ(const std::string& where, const Parts&... parts) {
    problems_.emplace(where, cat(parts...));
    record(where, std::numeric_limits<double>::infinity(), 0);
  }

  void add_items(const std::string& where, const std::vector<IValue>& expected, const std::vector<IValue>& found) {
    if (expected.size() != found.size()) return differ(where, "has ", found.size(), " items, had ", expected.size());
    const Descent::Level level(descent_, expected.size());
    for (size_t i = 0; i < expected.size(); ++i) add(cat(where, "[", i, "]"), expected[i], found[i]);
  }

  void add_tensors(const std::string& where, const Tensor& expected, const Tensor& found) {
    if (expected.dtype() != found.dtype()) return differ(where, "has another dtype");
    if (!std::ranges::equal(expected.sizes(), found.sizes())) {
      return differ(where, "has shape ", found.sizes(), ", had ", expected.sizes());
    }
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
    if (!(difference <= tolerance_ * std::max(1.0, magnitude))) {
      problems_.emplace(
          where, cat("differs by ", difference, " (largest magnitude ", magnitude, ", tolerance ", tolerance_, ")"));
    }
    record(where, difference, magnitude);
  }

  void record(const std::string& where, double difference, double magnitude) {
    for (OutputDifference& known : out_) {
      if (known.output != where) continue;
      known.difference = std::max(known.difference, difference);
      known.magnitude = std::max(known.magnitude, magnitude);
      return;
    }
    out_.push_back({where, difference, magnitude});
  }

  double tolerance_;
  Descent descent_{"compared"};
  std::vector<OutputDifference> out_;
  std::map<std::string, std::string> problems_;
};

using Answers = std::map<std::string, std::vector<IValue>>;

Comparison compared(const Answers& expected, const Answers& found, double tolerance) {
  Comparison comparison(tolerance);
  for (const auto& [method, answers] : expected) {
    for (size_t i = 0; i < answers.size(); ++i) comparison.add(method, answers[i], found.at(method)[i]);
  }
  return comparison;
}

// A failure shows only when one of the runs happens to tip the balance.
constexpr int kNoisyRuns = 8;
// A thousand times the noise: not by it alone.
constexpr double kJump = 1e-3;

}  // namespace

Reference::Reference(const ir::Program& program, std::map<std::string, Inputs> inputs, const OptimizeOptions& options)
    : program_(program),
      inputs_(std::move(inputs)),
      tolerance_(options.tolerance),
      strict_(options.strict),
      seed_(options.seed) {
  answers_ = run(program, inputs_, seed_);
}

bool Reference::is_stable(const std::string& output) {
  const auto has_changed = [&] {
    // A list that had other items than before says nothing of any of them.
    return std::any_of(unstable_.begin(), unstable_.end(), [&](const std::string& changed) {
      return output.starts_with(changed) && (output.size() == changed.size() || output[changed.size()] == '[');
    });
  };
  for (; noisy_runs_ < kNoisyRuns && !has_changed(); ++noisy_runs_) {
    const std::shared_ptr<ir::Program> copy = copy_program(program_, method_names(program_));
    add_noise(*copy, noisy_runs_);
    std::map<std::string, Inputs> inputs = inputs_;
    for (auto& [method, lists] : inputs) {
      for (std::vector<IValue>& arguments : lists) {
        for (IValue& argument : arguments) argument = with_noise(argument, noisy_runs_);
      }
    }
    try {
      const double jump = std::max(tolerance_, kJump);
      const Comparison comparison = compared(answers_, run(*copy, inputs, seed_), jump);
      for (const auto& [where, problem] : comparison.problems()) unstable_.insert(where);
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      // A model that fails for numbers next to its inputs tells nothing.
    }
  }
  return !has_changed();
}

std::vector<OutputDifference> Reference::compare(const ir::Program& program, const std::string& pass) {
  Answers answers;
  try {
    answers = run(program, inputs_, seed_);
  } catch (const Error& error) {
    rethrow_if_stopped(error);
    fail_with<ErrorCode::kUnsupported>("after pass ", pass,
                                       " the model fails where the original runs: ", error.message());
  }
  Comparison comparison = compared(answers_, answers, tolerance_);
  std::vector<OutputDifference> out = comparison.take();
  for (const auto& [where, problem] : comparison.problems()) {
    WICK_CHECK(!strict_ && !is_stable(where), kUnsupported, "pass ", pass, " changed the model's output: ", where, " ",
               problem);
    for (OutputDifference& difference : out) {
      if (difference.output == where) difference.is_stable = false;
    }
  }
  return out;
}

}  // namespace wick::passes
