// The largest and the mean difference of two values, output by output.
#include "wick/compare.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/check.h"
#include "core/copy.h"
#include "core/value_walk.h"
#include "inspect/elements.h"

namespace wick {

namespace {

using inspect::describe, inspect::to_doubles;

void measure(const std::vector<double>& a, const std::vector<double>& b, Difference& out) {
  double sum = 0, largest_value = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    for (double v : {a[i], b[i]}) {
      if (std::isfinite(v)) largest_value = std::max(largest_value, std::abs(v));
    }
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    const double d = std::abs(a[i] - b[i]);
    const double distance = std::isnan(d) ? INFINITY : d;
    out.largest = std::max(out.largest, distance);
    sum += distance;
  }
  out.mean = a.empty() ? 0 : sum / static_cast<double>(a.size());
  if (out.largest > 0) out.relative = largest_value > 0 ? out.largest / largest_value : INFINITY;
}

// Real and imaginary parts as elements of their own.
std::vector<double> elements(const Tensor& tensor) {
  if (!is_complex(tensor.dtype())) return to_doubles(tensor);
  const Tensor dense = contiguous(to_dtype(tensor, DType::kComplexDouble));
  const auto* first = static_cast<const double*>(dense.raw_data());
  return {first, first + 2 * dense.numel()};
}

class Comparison {
 public:
  std::vector<Difference> run(const IValue& a, const IValue& b, const std::string& label) {
    compare(a, b, label);
    return std::move(out_);
  }

 private:
  Difference& add(const std::string& label, std::string what, std::string problem = {}) {
    Difference& out = out_.emplace_back();
    out.label = label;
    out.what = std::move(what);
    out.comparable = std::move(problem);
    return out;
  }

  void compare(const IValue& a, const IValue& b, const std::string& label) {
    if (a.is_tensor() && b.is_tensor()) return tensors(a.to_tensor(), b.to_tensor(), label);
    if (a.is_tuple() && b.is_tuple()) return items(a.to_tuple().items, b.to_tuple().items, label);
    if (a.is_list() && b.is_list()) return items(a.to_list().items, b.to_list().items, label);
    if (a.is_dict() && b.is_dict()) return dicts(a, b, label);
    const bool numbers = (a.is_bool() || a.is_int() || a.is_double()) && (b.is_bool() || b.is_int() || b.is_double());
    if (numbers && a.tag() == b.tag()) {
      const auto number = [](const IValue& v) { return v.is_bool() ? (v.to_bool() ? 1.0 : 0.0) : v.to_double(); };
      return measure({number(a)}, {number(b)}, add(label, a.tag_name()));
    }
    const bool alike = a.tag() == b.tag();
    const bool same = alike && (a.is_none() || repr(a) == repr(b));
    add(label, alike ? a.tag_name() : "",
        same    ? ""
        : alike ? cat(repr(a), " and ", repr(b))
                : cat(a.tag_name(), " and ", b.tag_name()));
  }

  void tensors(const Tensor& a, const Tensor& b, const std::string& label) {
    if (a.dtype() != b.dtype() || a.sizes() != b.sizes()) {
      add(label, "", describe(a) + " and " + describe(b));
    } else {
      measure(elements(a), elements(b), add(label, describe(a)));
    }
  }

  void items(const std::vector<IValue>& a, const std::vector<IValue>& b, const std::string& label) {
    if (a.size() != b.size()) {
      add(label, "", cat(a.size(), " and ", b.size(), " items"));
      return;
    }
    const Descent::Level level(descent_, a.size());
    for (size_t i = 0; i < a.size(); ++i) compare(a[i], b[i], cat(label, "[", i, "]"));
  }

  void dicts(const IValue& a, const IValue& b, const std::string& label) {
    if (a.to_dict().size() != b.to_dict().size()) {
      add(label, "", cat(a.to_dict().size(), " and ", b.to_dict().size(), " entries"));
      return;
    }
    const Descent::Level level(descent_, a.to_dict().size());
    for (const auto& [key, value] : a.to_dict().entries()) {
      const std::string name = cat(label, "[", repr(key), "]");
      if (const IValue* other = b.to_dict().find(key)) {
        compare(value, *other, name);
      } else {
        add(name, "", "only in the first");
      }
    }
  }

  std::vector<Difference> out_;
  Descent descent_{"compared"};
};

}  // namespace

std::vector<Difference> compare_values(const IValue& a, const IValue& b, const std::string& label) {
  return Comparison().run(a, b, label);
}

namespace {

// Containers that are held several times, or by themselves, are so in the copy.
class ValueCopy {
 public:
  IValue run(const IValue& value) {
    if (value.is_tensor()) return IValue(clone(value.to_tensor()));
    if (!value.is_tuple() && !value.is_list() && !value.is_dict()) return value;
    if (const auto it = copies_.find(value.ref_or_null()); it != copies_.end()) return it->second;
    const Descent::Level level(descent_, 0);
    if (value.is_list()) {
      IValue out = copies_[value.ref_or_null()] = IValue::list(value.to_list().element_type, {});
      for (const IValue& item : value.to_list().items) out.to_list().items.push_back(run(item));
      return out;
    }
    if (value.is_dict()) {
      auto out = make_ref<DictImpl>();
      out->key_type = value.to_dict().key_type;
      out->value_type = value.to_dict().value_type;
      copies_[value.ref_or_null()] = IValue(out);
      for (const auto& [key, item] : value.to_dict().entries()) out->set(key, run(item));
      return IValue(out);
    }
    auto out = make_ref<TupleImpl>();
    out->named_type = value.to_tuple().named_type;
    copies_[value.ref_or_null()] = IValue(out);
    for (const IValue& item : value.to_tuple().items) out->items.push_back(run(item));
    return IValue(out);
  }

 private:
  std::unordered_map<const RefCounted*, IValue> copies_;
  Descent descent_{"copied"};
};

}  // namespace

IValue deep_copy(const IValue& value) { return ValueCopy().run(value); }

}  // namespace wick
