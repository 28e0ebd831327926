// Prints values, tensors with statistics, and the largest scores with their labels.
#include "print.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "core/check.h"
#include "core/value_walk.h"

namespace wick::tools {

namespace {

constexpr size_t kMaxItems = 32;
constexpr int64_t kShownValues = 8;

std::string number(double v, bool integral) {
  char text[40];
  if (integral) {
    std::snprintf(text, sizeof text, "%.0f", v);
  } else {
    std::snprintf(text, sizeof text, "%.5g", v);
  }
  return text;
}

void print_tensor(const Tensor& tensor, const std::string& label) {
  std::printf("%s: %s", label.c_str(), describe(tensor).c_str());
  if (tensor.numel() == 0 || is_complex(tensor.dtype())) {
    std::printf("\n");
    return;
  }
  const std::vector<double> values = to_doubles(tensor);
  const bool integral = is_integral(tensor.dtype(), true);
  if (values.size() > kShownValues) {
    double low = INFINITY, high = -INFINITY, sum = 0, squares = 0;
    size_t finite = 0;
    for (double v : values) {
      if (!std::isfinite(v)) continue;
      low = std::min(low, v);
      high = std::max(high, v);
      sum += v;
      squares += v * v;
      ++finite;
    }
    if (finite > 0) {
      const double mean = sum / static_cast<double>(finite);
      const double spread = std::sqrt(std::max(0.0, squares / static_cast<double>(finite) - mean * mean));
      std::printf("  min %s  max %s  mean %.5g  std %.5g", number(low, integral).c_str(),
                  number(high, integral).c_str(), mean, spread);
    }
    if (finite < values.size()) std::printf("  %zu not finite", values.size() - finite);
  }
  std::printf("\n  ");
  for (size_t i = 0; i < std::min<size_t>(values.size(), kShownValues); ++i) {
    std::printf("%s%s", i ? ", " : "", number(values[i], integral).c_str());
  }
  std::printf("%s\n", values.size() > kShownValues ? ", ..." : "");
}

bool holds_tensor(const std::vector<IValue>& items) {
  return std::any_of(items.begin(), items.end(),
                     [](const IValue& v) { return v.is_tensor() || v.is_list() || v.is_tuple() || v.is_dict(); });
}

// Prints the parts of a value, line by line; what nests deeply, or is too much, as "...".
class Lines {
 public:
  void print(const IValue& value, const std::string& label) {
    if (value.is_tensor()) {
      print_tensor(value.to_tensor(), label);
    } else if (value.is_tuple() && holds_tensor(value.to_tuple().items)) {
      print_items(value.to_tuple().items, label, "tuple");
    } else if (value.is_list() && holds_tensor(value.to_list().items)) {
      print_items(value.to_list().items, label, "list");
    } else if (value.is_dict()) {
      if (!enter(label, "dict", value.to_dict().size())) return;
      for (const auto& [key, item] : value.to_dict().entries()) print(item, cat(label, "[", repr(key), "]"));
      --depth_;
    } else {
      std::printf("%s: %s\n", label.c_str(), repr(value).c_str());
    }
  }

 private:
  bool enter(const std::string& label, const char* kind, size_t size) {
    constexpr size_t kMaxDepth = 16, kMaxParts = 4096;
    if (depth_ > 0) parts_ += size;
    const bool shows = depth_ < kMaxDepth && parts_ <= kMaxParts;
    std::printf("%s: %s of %zu%s\n", label.c_str(), kind, size, shows ? "" : ": ...");
    depth_ += shows ? 1 : 0;
    return shows;
  }

  void print_items(const std::vector<IValue>& items, const std::string& label, const char* kind) {
    if (!enter(label, kind, items.size())) return;
    for (size_t i = 0; i < std::min(items.size(), kMaxItems); ++i) print(items[i], cat(label, "[", i, "]"));
    if (items.size() > kMaxItems) std::printf("%s: ... and %zu more\n", label.c_str(), items.size() - kMaxItems);
    --depth_;
  }

  size_t depth_ = 0;
  size_t parts_ = 0;  // of containers in containers
};

Tensor first_tensor(const IValue& value) {
  Tensor found;
  walk_value(value, [&found](const IValue& v) {
    if (v.is_tensor()) found = v.to_tensor();
    return v.is_tensor() ? Walk::kStop : v.is_object() ? Walk::kSkip : Walk::kEnter;
  });
  return found;
}

}  // namespace

void print_value(const IValue& value, const std::string& label) { Lines().print(value, label); }

std::vector<Score> top_scores(const IValue& value, int64_t k, const std::vector<std::string>& labels) {
  const Tensor scores = first_tensor(value);
  if (!scores.defined() || scores.dim() == 0 || scores.numel() == 0 || is_complex(scores.dtype())) {
    throw Error(ErrorCode::kInvalidArgument,
                "--top needs a result with a tensor of scores; run without --top to see it");
  }
  const std::vector<double> values = to_doubles(scores);
  const size_t classes = static_cast<size_t>(scores.size(-1));
  const size_t shown = std::min<size_t>(static_cast<size_t>(k), classes);
  std::vector<Score> out;
  for (size_t row = 0; row * classes < values.size(); ++row) {
    const double* line = values.data() + row * classes;
    std::vector<size_t> order(classes);
    std::iota(order.begin(), order.end(), size_t{0});
    std::partial_sort(order.begin(), order.begin() + static_cast<int64_t>(shown), order.end(),
                      [&](size_t a, size_t b) { return line[a] != line[b] ? line[a] > line[b] : a < b; });
    double sum = 0;
    for (size_t i = 0; i < classes; ++i) sum += std::exp(line[i] - line[order[0]]);
    for (size_t rank = 0; rank < shown; ++rank) {
      const size_t at = order[rank];
      out.push_back({row, at, line[at], std::exp(line[at] - line[order[0]]) / sum,
                     at < labels.size() ? labels[at] : cat("class ", at)});
    }
  }
  return out;
}

void print_top(const IValue& value, int64_t k, const std::vector<std::string>& labels) {
  const std::vector<Score> scores = top_scores(value, k, labels);
  size_t rank = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    const Score& s = scores[i];
    const bool is_first = i == 0 || scores[i - 1].row != s.row;
    rank = is_first ? 1 : rank + 1;
    if (is_first && scores.back().row > 0) std::printf("row %zu\n", s.row);
    std::printf("%3zu. %-24s score %9.4f  softmax %6.2f%%\n", rank, s.label.c_str(), s.score, 100 * s.probability);
  }
}

namespace {

constexpr int64_t kJsonValues = 1000;

void append_tensor(Json& json, const Tensor& tensor, Descent& descent) {
  const bool shows = !is_complex(tensor.dtype()) && tensor.numel() <= kJsonValues;
  // A tensor that is held often is written as often.
  const Descent::Level level(descent, shows ? static_cast<size_t>(tensor.numel()) : 0);
  json.begin_object().key("dtype").string(torch_name_of(tensor.dtype())).key("shape").begin_array();
  for (int64_t size : tensor.sizes()) json.number(static_cast<long>(size));
  json.end_array();
  if (shows) {
    json.key("values").begin_array();
    for (double v : to_doubles(tensor)) json.number(v);
    json.end_array();
  }
  json.end_object();
}

void append_at(Json& json, const IValue& value, Descent& descent) {
  if (value.is_tensor()) {
    append_tensor(json, value.to_tensor(), descent);
  } else if (value.is_list() || value.is_tuple()) {
    const Descent::Level level(descent, item_count(value));
    json.begin_array();
    for (size_t i = 0; i < item_count(value); ++i) append_at(json, item_at(value, i), descent);
    json.end_array();
  } else if (value.is_dict()) {
    const Descent::Level level(descent, item_count(value));
    json.begin_object();
    for (const auto& [key, item] : value.to_dict().entries()) {
      json.key(key.is_string() ? key.to_string() : repr(key));
      append_at(json, item, descent);
    }
    json.end_object();
  } else if (value.is_bool()) {
    json.boolean(value.to_bool());
  } else if (value.is_int()) {
    json.number(static_cast<long>(value.to_int()));
  } else if (value.is_double()) {
    json.number(value.to_double());
  } else if (value.is_string()) {
    const Descent::Level level(descent, value.to_string().size());
    json.string(value.to_string());
  } else {
    json.string(value.is_none() ? "None" : repr(value));
  }
}

}  // namespace

void append_value(Json& json, const IValue& value) {
  Descent descent("written as JSON");
  append_at(json, value, descent);
}

}  // namespace wick::tools
