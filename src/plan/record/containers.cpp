// Recipes for the values of registers after a trace.
#include "plan/record/containers.h"

namespace wick::plan {
namespace {

constexpr size_t kMaxItems = 200'000;  // of lists among arguments, and of containers that remain
constexpr size_t kMaxDepth = 32;

}  // namespace

bool Containers::count_items(size_t count) {
  items_ += count;
  return items_ <= kMaxItems;
}

void Containers::note_items(const IValue& value, uint32_t live_in, const std::vector<uint32_t>& path) {
  if (!value.ref_or_null()) return;
  note_foreign(value);
  uint64_t& position = position_of_[value.ref_or_null()];
  if (position != 0) return;  // so are its items
  positions_.push_back({live_in, path});
  position = positions_.size();
  const auto enter = [&](const IValue& item, size_t at) {
    std::vector<uint32_t> deeper = path;
    deeper.push_back(static_cast<uint32_t>(at));
    note_items(item, live_in, deeper);
  };
  if (value.is_list()) {
    for (size_t k = 0; k < value.to_list().items.size(); ++k) enter(value.to_list().items[k], k);
  } else if (value.is_tuple()) {
    for (size_t k = 0; k < value.to_tuple().items.size(); ++k) enter(value.to_tuple().items[k], k);
  } else if (value.is_dict()) {
    const auto& entries = value.to_dict().entries();
    for (size_t k = 0; k < entries.size(); ++k) {
      enter(entries[k].first, 2 * k);
      enter(entries[k].second, 2 * k + 1);
    }
  }
}

bool Containers::describe(const IValue& v, size_t depth, Recipe& out) {
  if (depth > kMaxDepth || v.is_future()) return false;
  if (v.is_tensor()) {
    const TensorId id = tensors_.id_of(v.to_tensor());
    if (tensors_.is_constant(id)) {
      out.value = v;
      return true;
    }
    out.kind = Recipe::Kind::kTensor;
    out.tensor = id;
    return true;
  }
  const uint64_t* known = v.ref_or_null() ? position_of_.find(v.ref_or_null()) : nullptr;
  if (known) {
    const Position& position = positions_[*known - 1];
    out.kind = Recipe::Kind::kLiveIn;
    out.index = position.live_in;
    out.path = position.path;
    return true;
  }
  if (v.is_list() || v.is_tuple() || v.is_dict()) return describe_container(v, depth, out);
  out.value = v;
  return true;
}

bool Containers::describe_container(const IValue& v, size_t depth, Recipe& out) {
  uint64_t& made = made_[v.ref_or_null()];
  if (made != 0) {
    out.kind = Recipe::Kind::kSame;
    out.index = static_cast<uint32_t>(made - 1);
    return true;
  }
  made = ++made_count_;
  const auto add = [&](const IValue& item) { return describe(item, depth + 1, out.items.emplace_back()); };
  const auto add_all = [&](const std::vector<IValue>& items) {
    if (!count_items(items.size())) return false;
    for (const IValue& item : items) {
      if (!add(item)) return false;
    }
    return true;
  };
  if (v.is_list()) {
    out.kind = Recipe::Kind::kList;
    out.value = IValue::list(v.to_list().element_type, {});
    return add_all(v.to_list().items);
  }
  if (v.is_tuple()) {
    out.kind = Recipe::Kind::kTuple;
    auto tuple = make_ref<TupleImpl>();
    tuple->named_type = v.to_tuple().named_type;
    out.value = IValue(std::move(tuple));
    return add_all(v.to_tuple().items);
  }
  out.kind = Recipe::Kind::kDict;
  auto dict = make_ref<DictImpl>();
  dict->key_type = v.to_dict().key_type;
  dict->value_type = v.to_dict().value_type;
  out.value = IValue(std::move(dict));
  if (!count_items(v.to_dict().size())) return false;
  for (const auto& [key, item] : v.to_dict().entries()) {
    if (!add(key) || !add(item)) return false;
  }
  return true;
}

}  // namespace wick::plan
