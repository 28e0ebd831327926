// Operators on dicts.
#include "ops/lang/dict.h"

#include "core/check.h"

namespace wick::ops::lang {

namespace {

// Containers are no keys: hashing them could not be bounded.
const IValue& checked_key(const IValue& key) {
  WICK_CHECK(key.is_string() || key.is_number() || key.is_tensor(), kTypeMismatch, "unhashable type: '", key.tag_name(),
             "'");
  return key;
}

IValue& require(DictImpl& dict, const IValue& key) {
  IValue* value = dict.find(checked_key(key));
  WICK_CHECK(value, kNotFound, "KeyError: ", repr(key));
  return *value;
}

Ref<DictImpl> make_dict(TypePtr key_type, TypePtr value_type) {
  auto dict = make_ref<DictImpl>();
  dict->key_type = std::move(key_type);
  dict->value_type = std::move(value_type);
  return dict;
}

}  // namespace

IValue dict_get_item(DictImpl& dict, const IValue& key) { return require(dict, key); }

void dict_set_item(DictImpl& dict, const IValue& key, const IValue& value) { dict.set(checked_key(key), value); }

void dict_delete(DictImpl& dict, const IValue& key) {
  require(dict, key);
  dict.erase(key);
}

IValue dict_get(DictImpl& dict, const IValue& key) { return dict_get_default(dict, key, IValue()); }

IValue dict_get_default(DictImpl& dict, const IValue& key, const IValue& fallback) {
  const IValue* value = dict.find(checked_key(key));
  return value ? *value : fallback;
}

IValue dict_set_default(DictImpl& dict, const IValue& key, const IValue& fallback) {
  if (const IValue* value = dict.find(checked_key(key))) return *value;
  dict.set(key, fallback);
  return fallback;
}

IValue dict_pop(DictImpl& dict, const IValue& key) {
  IValue value = require(dict, key);
  dict.erase(key);
  return value;
}

IValue dict_pop_default(DictImpl& dict, const IValue& key, const IValue& fallback) {
  return dict.find(checked_key(key)) ? dict_pop(dict, key) : fallback;
}

IValue dict_pop_item(DictImpl& dict) {
  WICK_CHECK(!dict.entries().empty(), kInvalidArgument, "popitem(): dictionary is empty");
  const auto [key, value] = dict.entries().front();
  dict.erase(key);
  return IValue::tuple({key, value});
}

void dict_clear(DictImpl& dict) { dict.clear(); }

void dict_update(DictImpl& dict, DictImpl& other) {
  const auto entries = other.entries();  // a copy: `other` may be `dict` itself
  for (const auto& [key, value] : entries) dict.set(key, value);
}

bool dict_contains(DictImpl& dict, const IValue& key) { return dict.find(checked_key(key)) != nullptr; }
int64_t dict_length(DictImpl& dict) { return static_cast<int64_t>(dict.size()); }

IValue dict_keys(DictImpl& dict) {
  std::vector<IValue> keys;
  for (const auto& [key, value] : dict.entries()) keys.push_back(key);
  return IValue::list(dict.key_type, std::move(keys));
}

IValue dict_values(DictImpl& dict) {
  std::vector<IValue> values;
  for (const auto& [key, value] : dict.entries()) values.push_back(value);
  return IValue::list(dict.value_type, std::move(values));
}

IValue dict_items(DictImpl& dict) {
  std::vector<IValue> items;
  for (const auto& [key, value] : dict.entries()) items.push_back(IValue::tuple({key, value}));
  return IValue::list(types::tuple({dict.key_type, dict.value_type}), std::move(items));
}

IValue dict_copy(DictImpl& dict) {
  auto copy = make_dict(dict.key_type, dict.value_type);
  for (const auto& [key, value] : dict.entries()) copy->set(key, value);
  return IValue(std::move(copy));
}

IValue dict_new() { return IValue(make_dict(types::string(), types::tensor())); }

IValue dict_from_items(const ListImpl& items, TypePtr key_type) {
  const Type& element = *items.element_type;
  const bool typed = element.is(TypeKind::kTuple) && element.elements().size() == 2;
  auto dict = make_dict(std::move(key_type), typed ? element.element(1) : types::any());
  for (const IValue& item : items.items) {
    const std::vector<IValue>& pair = item.to_tuple().items;
    WICK_CHECK(pair.size() == 2, kTypeMismatch, "dict() needs pairs of key and value, got a tuple of ", pair.size());
    dict->set(checked_key(pair[0]), pair[1]);
  }
  return IValue(std::move(dict));
}

}  // namespace wick::ops::lang
