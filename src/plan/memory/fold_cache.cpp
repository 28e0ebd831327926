// The keys of what is computed of constants, and their lookup by hash.
#include "plan/memory/fold_cache.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/tensor_impl.h"

namespace wick::plan {
namespace {

constexpr size_t kMaxDepth = 8;  // of lists that are told by words

uint64_t hash_of(const Fold& fold) {
  uint64_t hash = fold.words.size();
  for (uint64_t word : fold.words) hash = scatter(hash ^ word);
  return hash;
}

// Of folds whose words are equal: they have as many others.
bool same_others(const Fold& a, const Fold& b) {
  for (size_t k = 0; k < a.others.size(); ++k) {
    if (!a.others[k].is_same(b.others[k])) return false;
  }
  return true;
}

}  // namespace

void Fold::add_source(const Tensor& t, bool widened) {
  words.push_back(reinterpret_cast<uintptr_t>(t.impl()) + (widened ? 1 : 0));
  sources.push_back(t);
}

bool Fold::add_static(const IValue& v, size_t depth) {
  words.push_back(static_cast<uint64_t>(v.tag()));
  switch (v.tag()) {
    case IValue::Tag::kNone:
      return true;
    case IValue::Tag::kBool:
      words.push_back(v.to_bool() ? 1 : 0);
      return true;
    case IValue::Tag::kInt:
      words.push_back(static_cast<uint64_t>(v.to_int()));
      return true;
    case IValue::Tag::kDouble:
      words.push_back(std::bit_cast<uint64_t>(v.to_double()));
      return true;
    case IValue::Tag::kString:
      words.push_back(hash_of_text(v.to_string()));
      [[fallthrough]];
    case IValue::Tag::kDevice:
    case IValue::Tag::kComplex:
      others.push_back(v);
      return true;
    case IValue::Tag::kList: {
      const std::vector<IValue>& items = v.to_list().items;
      words.push_back(items.size());
      return depth < kMaxDepth &&
             std::all_of(items.begin(), items.end(), [&](const IValue& item) { return add_static(item, depth + 1); });
    }
    default:  // what may change, or be another one in the next trace
      return false;
  }
}

void Fold::add_result(const Tensor& t) {
  const Storage& storage = t.storage();
  const bool is_view =
      std::any_of(sources.begin(), sources.end(), [&](const Tensor& s) { return s.storage() == storage; });
  if (!is_view) bytes += storage->nbytes();
  results.push_back(t.alias());
}

std::shared_ptr<const Fold> FoldCache::share(Fold fold) {
  for (uint64_t at = first_.get(hash_of(fold)); at != 0; at = entries_[at - 1].next) {
    const Fold& known = *entries_[at - 1].fold;
    if (known.words == fold.words && same_others(known, fold)) return entries_[at - 1].fold;
  }
  auto shared = std::make_shared<const Fold>(std::move(fold));
  add(shared);
  return shared;
}

void FoldCache::add(std::shared_ptr<const Fold> fold) {
  bytes_ += fold->bytes;
  uint64_t& first = first_[hash_of(*fold)];
  entries_.push_back({std::move(fold), first});
  first = entries_.size();
}

void FoldCache::drop_unused() {
  first_ = WordMap();
  bytes_ = 0;
  for (Entry& entry : std::exchange(entries_, {})) {
    if (entry.fold.use_count() > 1) add(std::move(entry.fold));
  }
}

}  // namespace wick::plan
