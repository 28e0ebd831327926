// The operator list of dicts.
#include "ops/families.h"
#include "ops/lang/dict.h"

namespace wick {

namespace {

using namespace ops::lang;
using namespace traits;

template <const TypePtr& (*KeyType)()>
IValue dict_from(const ListImpl& items) {
  return dict_from_items(items, KeyType());
}

}  // namespace

// The operators of dictionaries with one type of key, as PyTorch names them.
#define DICT_OPS(key, key_type)                                                                                       \
  OP("aten::__getitem__.Dict_" key "(Dict(" key ", t) self, " key " key) -> t(*)", dict_get_item, deterministic),     \
      OP("aten::_set_item." key "(Dict(" key ", t)(a!) l, " key "(b -> *) idx, t(c -> *) v) -> ()", dict_set_item,    \
         deterministic),                                                                                              \
      OP("aten::Delete.Dict_" key "(Dict(" key ", t)(a!) self, " key " key) -> ()", dict_delete, deterministic),      \
      OP("aten::get." key "(Dict(" key ", t) self, " key " key) -> t(*)?", dict_get, deterministic),                  \
      OP("aten::get.default_" key "(Dict(" key ", t) self, " key " key, t default_value) -> t(*)", dict_get_default,  \
         deterministic),                                                                                              \
      OP("aten::setdefault." key "(Dict(" key ", t)(a!) self, " key "(b -> *) key, t(c -> *) default_value) -> t(*)", \
         dict_set_default, deterministic),                                                                            \
      OP("aten::pop.Dict_" key "(Dict(" key ", t)(a!) self, " key " key) -> t(*)", dict_pop, deterministic),          \
      OP("aten::pop.Dict_default_" key "(Dict(" key ", t)(a!) self, " key " key, t default_value) -> t(*)",           \
         dict_pop_default, deterministic),                                                                            \
      OP("aten::popitem." key "(Dict(" key ", t)(a!) self) -> ((" key ", t))", dict_pop_item, deterministic),         \
      OP("aten::clear." key "(Dict(" key ", t)(a!) self) -> ()", dict_clear, deterministic),                          \
      OP("aten::update." key "(Dict(" key ", t)(a!) self, Dict(" key ", t)(a!) to_add) -> ()", dict_update,           \
         deterministic),                                                                                              \
      OP("aten::__contains__." key "(Dict(" key ", t) dict, " key " key) -> bool", dict_contains, deterministic),     \
      OP("aten::len.Dict_" key "(Dict(" key ", t) self) -> int", dict_length, shape_query),                           \
      OP("aten::keys." key "(Dict(" key ", t) self) -> " key "[](*)", dict_keys, deterministic),                      \
      OP("aten::values." key "(Dict(" key ", t) self) -> t[](*)", dict_values, deterministic),                        \
      OP("aten::items." key "(Dict(" key ", t) self) -> ((" key ", t)[])", dict_items, deterministic),                \
      OP("aten::copy.Dict_" key "(Dict(" key ", t)(a) self) -> Dict(" key ", t)", dict_copy, deterministic),          \
      OP("aten::dict.Dict_" key "(Dict(" key ", t)(a) self) -> Dict(" key ", t)", dict_copy, deterministic),          \
      OP("aten::dict." key "((" key ", tVal)[] inputs) -> Dict(" key ", tVal)", dict_from<types::key_type>,           \
         deterministic)

namespace {

constexpr OpEntry kEntries[] = {
    OP("aten::dict() -> Dict(str, Tensor)", dict_new, deterministic),
    DICT_OPS("str", string),
    DICT_OPS("int", integer),
    DICT_OPS("bool", boolean),
    DICT_OPS("float", floating),
    DICT_OPS("complex", complex),
    DICT_OPS("Tensor", tensor),
};

}  // namespace

WICK_OP_FAMILY(kDictOps, kEntries)

}  // namespace wick
