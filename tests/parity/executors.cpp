// Runs a model by the interpreter and by plans, twice each, and compares results, errors and strides.
#include "parity/executors.h"

#include <cmath>
#include <optional>

#include "core/check.h"
#include "core/copy.h"

namespace wick::parity {
namespace {

// Sums in another order, and other convolution algorithms, may differ by this much of the largest element.
constexpr double kTolerance = 1e-4, kTolerance16 = 2e-2;

// Empty when equal; else what differs.
std::string difference(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype()) return cat("dtype ", name_of(a.dtype()), " and ", name_of(b.dtype()));
  if (!(a.sizes() == b.sizes())) return "sizes";
  for (int64_t d = 0; d < a.dim(); ++d) {
    if (a.size(d) > 1 && a.stride(d) != b.stride(d)) return "strides";
  }
  if (is_quantized(a.dtype()) || is_complex(a.dtype()) || a.numel() == 0) return {};
  const Tensor x = Tensor::empty(a.sizes(), DType::kDouble), y = Tensor::empty(a.sizes(), DType::kDouble);
  copy_into(x, a);
  copy_into(y, b);
  double largest = 0, worst = 0;
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double p = x.data_ptr<double>()[i], q = y.data_ptr<double>()[i];
    if (std::isnan(p) != std::isnan(q) || std::isinf(p) != std::isinf(q) || (std::isinf(p) && p != q)) {
      return cat("element ", i, ": ", p, " and ", q);
    }
    if (!std::isfinite(p)) continue;
    largest = std::max(largest, std::abs(p));
    worst = std::max(worst, std::abs(p - q));
  }
  const bool is_16_bit = a.dtype() == DType::kHalf || a.dtype() == DType::kBFloat16;
  const double allowed = is_floating(a.dtype()) ? (is_16_bit ? kTolerance16 : kTolerance) * largest : 0;
  return worst > allowed ? cat("by ", worst, " of ", largest) : std::string();
}

constexpr int kMostDepth = 100;
constexpr size_t kMostParts = 20000;

std::string difference(const IValue& a, const IValue& b, size_t& parts, int depth) {
  if (++parts > kMostParts || depth > kMostDepth) return {};
  if (a.tag() != b.tag()) return cat(a.tag_name(), " and ", b.tag_name());
  const auto items = [&](const std::vector<IValue>& p, const std::vector<IValue>& q) -> std::string {
    if (p.size() != q.size()) return "length";
    for (size_t i = 0; i < p.size(); ++i) {
      const std::string d = difference(p[i], q[i], parts, depth + 1);
      if (!d.empty()) return cat("[", i, "] ", d);
    }
    return {};
  };
  if (a.is_tensor()) return difference(a.to_tensor(), b.to_tensor());
  if (a.is_list()) return items(a.to_list().items, b.to_list().items);
  if (a.is_tuple()) return items(a.to_tuple().items, b.to_tuple().items);
  if (a.is_dict()) {
    std::vector<IValue> p, q;
    for (const auto& [key, value] : a.to_dict().entries()) p.insert(p.end(), {key, value});
    for (const auto& [key, value] : b.to_dict().entries()) q.insert(q.end(), {key, value});
    return items(p, q);
  }
  if (a.is_double()) {
    const double p = a.to_double(), q = b.to_double();
    const bool same = (std::isnan(p) && std::isnan(q)) || std::abs(p - q) <= kTolerance * std::abs(p) || p == q;
    return same ? std::string() : cat(p, " and ", q);
  }
  if (a.is_object() || a.is_custom() || a.is_future() || a.is_generator()) return {};
  return equal(a, b) ? std::string() : cat(repr(a), " and ", repr(b));
}

struct Outcome {
  IValue value;
  std::optional<Error> error;
};

Outcome run(const Module& module, const std::string& method, std::vector<IValue> args, uint64_t seed) {
  manual_seed(seed);
  try {
    return {method.empty() ? module(std::move(args)) : module.run_method(method, std::move(args)), std::nullopt};
  } catch (const Error& e) {
    return {IValue(), e};
  }
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

using IsBeyond = std::function<bool(const Error&)>;

void expect_same(const Outcome& plain, const Outcome& planned, const IsBeyond& is_beyond, const char* which) {
  for (const Outcome* outcome : {&plain, &planned}) {
    if (is_beyond && outcome->error && is_beyond(*outcome->error)) throw *outcome->error;
  }
  std::string d;
  if (plain.error.has_value() != planned.error.has_value()) {
    d = cat("only one executor throws: ", (plain.error ? plain.error : planned.error)->message());
  } else if (plain.error) {
    if (first_line(plain.error->message()) != first_line(planned.error->message())) {
      d = cat("'", plain.error->message(), "' and '", planned.error->message(), "'");
    }
  } else {
    d = parity::difference(plain.value, planned.value);
  }
  WICK_CHECK(d.empty(), kInternal, "the interpreter and the plan differ in the ", which, " run: ", d);
}

}  // namespace

std::string difference(const IValue& a, const IValue& b) {
  size_t parts = 0;
  return difference(a, b, parts, 0);
}

IValue run_both(const std::function<Module()>& load_module, const std::string& method,
                const std::function<std::vector<IValue>()>& make_args, uint64_t seed, const IsBeyond& is_beyond) {
  Module plain = load_module();
  plain.set_planning(false);
  const Module planned = load_module();
  const Outcome first = run(plain, method, make_args(), seed);
  expect_same(first, run(planned, method, make_args(), seed), is_beyond, "first");
  // A stateful model returns something else the second time, by either executor. Its outputs may alias that state, so
  // the module that returned the first one is not run again.
  Module again = load_module();
  again.set_planning(false);
  run(again, method, make_args(), seed);
  expect_same(run(again, method, make_args(), seed), run(planned, method, make_args(), seed), is_beyond, "second");
  if (first.error) throw *first.error;
  return first.value;
}

}  // namespace wick::parity
