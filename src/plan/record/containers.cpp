// Recipes for the values of registers after a trace.
#include "plan/record/containers.h"

#include "core/value_walk.h"

namespace wick::plan {
namespace {

constexpr size_t kMaxItems = 200'000;  // of lists among arguments, and of containers that remain
constexpr size_t kMaxDepth = 32;

}  // namespace

bool Containers::count_items(size_t count) {
  items_ += count;
  return items_ <= kMaxItems;
}

void Containers::note_items(const IValue& value, const Place& place, LiveIn& live_in) {
  if (!value.ref_or_null()) return;
  note_foreign(value);
  uint64_t& known = place_of_[value.ref_or_null()];
  if (known != 0) {  // so are its items
    if (holds_others(value)) live_in.same.emplace_back(place.path, places_[known - 1]);
    return;
  }
  places_.push_back(place);
  known = places_.size();
  for (size_t k = 0; k < item_count(value); ++k) {
    Place deeper = place;
    deeper.path.push_back(static_cast<uint32_t>(k));
    note_items(item_at(value, k), deeper, live_in);
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
  if (const Place* place = find_place(v)) {
    out.kind = Recipe::Kind::kLiveIn;
    out.index = place->live_in;
    out.path = place->path;
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
  out.kind = v.is_list() ? Recipe::Kind::kList : v.is_tuple() ? Recipe::Kind::kTuple : Recipe::Kind::kDict;
  out.value = without_items(v);
  const size_t count = item_count(v);
  if (!count_items(v.is_dict() ? count / 2 : count)) return false;
  for (size_t k = 0; k < count; ++k) {
    if (!describe(item_at(v, k), depth + 1, out.items.emplace_back())) return false;
  }
  return true;
}

IValue without_items(const IValue& container) {
  if (container.is_list()) return IValue::list(container.to_list().element_type, {});
  if (container.is_tuple()) {
    auto tuple = make_ref<TupleImpl>();
    tuple->named_type = container.to_tuple().named_type;
    return IValue(std::move(tuple));
  }
  auto dict = make_ref<DictImpl>();
  dict->key_type = container.to_dict().key_type;
  dict->value_type = container.to_dict().value_type;
  return IValue(std::move(dict));
}

}  // namespace wick::plan
