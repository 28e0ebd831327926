// Walks over values: each part once without recursion, or each place with bounds.
#include "core/value_walk.h"

#include <utility>
#include <vector>

#include "core/check.h"
#include "core/limits.h"
#include "core/stack.h"
#include "core/word_map.h"

namespace wick {
namespace {

// A container that is being walked through; it is kept alive meanwhile.
struct Open {
  IValue container;
  size_t next = 0;
};

// Whether there is an item or attribute `at`, and which.
bool part_at(const IValue& holder, size_t at, IValue& part) {
  const bool object = holder.is_object();
  if (at >= (object ? holder.to_object().slot_count() : item_count(holder))) return false;
  part = object ? holder.to_object().get(at) : item_at(holder, at);
  return true;
}

}  // namespace

size_t item_count(const IValue& value) {
  return value.is_dict()    ? 2 * value.to_dict().entries().size()
         : value.is_list()  ? value.to_list().items.size()
         : value.is_tuple() ? value.to_tuple().items.size()
                            : 0;
}

const IValue& item_at(const IValue& container, size_t at) {
  if (container.is_dict()) {
    const auto& [key, item] = container.to_dict().entries()[at / 2];
    return at % 2 ? item : key;
  }
  return (container.is_list() ? container.to_list().items : container.to_tuple().items)[at];
}

bool walk_value(const IValue& value, const Callback<Walk(const IValue&)>& visit) {
  std::vector<Open> open;
  WordMap seen{};
  IValue item = value;
  while (true) {
    const bool inner = holds_others(item);
    uint64_t none = 0;
    uint64_t& known = inner ? seen[item.ref_or_null()] : none;
    if (known == 0) {
      known = 1;
      const Walk next = visit(item);
      if (next == Walk::kStop) return false;
      if (next == Walk::kEnter && inner) open.push_back({std::move(item)});
    }
    while (!open.empty() && !part_at(open.back().container, open.back().next, item)) open.pop_back();
    if (open.empty()) return true;
    ++open.back().next;
  }
}

void walk_objects(const IValue& root, const Callback<void(ObjectImpl&)>& visit) {
  walk_value(root, [&visit](const IValue& v) {
    if (!v.is_object()) return Walk::kSkip;
    visit(v.to_object());
    return Walk::kEnter;
  });
}

namespace {

struct AttributeWalk {
  const Callback<void(const Attribute&)>& visit;
  Descent descent{"searched for tensors"};
  WordMap seen{};

  void enter(const ObjectImpl& object, const std::string& prefix) {
    if (std::exchange(seen[&object], 1) != 0) return;
    const std::vector<std::string>& names = object.cls->attributes;
    const Descent::Level level(descent, 0);
    for (size_t i = 0; i < names.size() && i < object.slot_count(); ++i) {
      const IValue value = object.get(i);
      const std::string path = prefix + names[i];
      visit({object, names[i], path, value});
      if (value.is_object()) enter(value.to_object(), path + ".");
    }
  }
};

}  // namespace

void walk_attributes(const ObjectImpl& root, const Callback<void(const Attribute&)>& visit) {
  AttributeWalk{visit}.enter(root, "");
}

void Descent::enter(size_t items) {
  if (depth_ > 0) parts_ += items;
  WICK_CHECK(depth_ < limits::kMaxValueDepth, kLimitExceeded, "a value nested deeper than ", limits::kMaxValueDepth,
             " containers cannot be ", purpose_);
  WICK_CHECK(parts_ <= limits::kMaxValueParts, kLimitExceeded, "a value of more than ", limits::kMaxValueParts,
             " nested parts, each counted wherever it is held, cannot be ", purpose_);
  check_stack("containers");
  ++depth_;
}

}  // namespace wick
