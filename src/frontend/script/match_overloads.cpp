// Overloads of an operator in PyTorch's order of registration.
#include "frontend/script/match_overloads.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/once.h"

namespace wick::script {

namespace {

std::string_view base_name(std::string_view full_name) {
  const size_t colon = full_name.find("::");
  return full_name.substr(0, full_name.find('.', colon == std::string_view::npos ? 0 : colon));
}

// Place of an overload in a list such as "Tensor Scalar -"; after the end when it is not in it.
size_t place_in(std::string_view order, std::string_view overload) {
  if (overload.empty()) overload = "-";
  size_t place = 0;
  while (!order.empty()) {
    const size_t end = order.find(' ');
    if (order.substr(0, end) == overload) return place;
    ++place;
    if (end == std::string_view::npos) break;
    order.remove_prefix(end + 1);
  }
  return place + 1;
}

class Overloads {
 public:
  Overloads() {
    for (std::string_view schema : all_operator_schemas()) {
      const std::string_view full = schema_full_name(schema);
      entries_[base_name(full)].names.push_back(full);
    }
  }

  const std::vector<const Operator*>& find(std::string_view name) {
    static const std::vector<const Operator*>* const none = new std::vector<const Operator*>;
    const auto it = entries_.find(name);
    if (it == entries_.end()) return *none;
    Entry& entry = it->second;
    entry.once.call([&] { fill(name, entry); });
    return entry.operators;
  }

 private:
  struct Entry {
    std::vector<std::string_view> names;
    std::vector<const Operator*> operators;
    Once once;
  };

  static void fill(std::string_view name, Entry& entry) {
    entry.operators.clear();  // of a call that failed
    for (std::string_view full : entry.names) entry.operators.push_back(find_operator(full));
    const std::string_view order = overload_order(name);
    auto rank = [&](const Operator* op) {
      const size_t place = order.empty() ? 0 : place_in(order, op->schema.overload);
      return std::pair(op->schema.out_count() > 0, place);
    };
    std::stable_sort(entry.operators.begin(), entry.operators.end(),
                     [&](const Operator* a, const Operator* b) { return rank(a) < rank(b); });
  }

  std::unordered_map<std::string_view, Entry> entries_;
};

}  // namespace

std::vector<const Operator*> overloads_of(std::string_view name) {
  static Overloads* const instance = new Overloads;  // never destroyed: operators outlive static destruction
  std::vector<const Operator*> out = instance->find(name);
  if (const CustomOperators* custom = custom_operators.load(std::memory_order_acquire)) custom->find_all(name, out);
  return out;
}

}  // namespace wick::script
