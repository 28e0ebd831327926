// Operators on dictionaries. Keys: str, int, bool, float, complex or Tensor, compared as DictImpl does.
#pragma once

#include "ops/boxing.h"

namespace wick::ops::lang {

IValue dict_get_item(DictImpl& dict, const IValue& key);  // throws "KeyError: key"
void dict_set_item(DictImpl& dict, const IValue& key, const IValue& value);
void dict_delete(DictImpl& dict, const IValue& key);
IValue dict_get(DictImpl& dict, const IValue& key);  // None when absent
IValue dict_get_default(DictImpl& dict, const IValue& key, const IValue& fallback);
IValue dict_set_default(DictImpl& dict, const IValue& key, const IValue& fallback);
IValue dict_pop(DictImpl& dict, const IValue& key);
IValue dict_pop_default(DictImpl& dict, const IValue& key, const IValue& fallback);
IValue dict_pop_item(DictImpl& dict);  // the oldest entry, as TorchScript does
void dict_clear(DictImpl& dict);
void dict_update(DictImpl& dict, DictImpl& other);
bool dict_contains(DictImpl& dict, const IValue& key);
int64_t dict_length(DictImpl& dict);
IValue dict_keys(DictImpl& dict);
IValue dict_values(DictImpl& dict);
IValue dict_items(DictImpl& dict);
IValue dict_copy(DictImpl& dict);
IValue dict_new();  // Dict[str, Tensor]
// From a list of (key, value) tuples.
IValue dict_from_items(const ListImpl& items, TypePtr key_type);

}  // namespace wick::ops::lang
