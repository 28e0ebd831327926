#include "ops/families.h"
#include "ops/lang/dict.h"

namespace wick {

namespace {

using namespace ops::lang;

template <const TypePtr& (*KeyType)()>
IValue dict_from(const ListImpl& items) {
  return dict_from_items(items, KeyType());
}

}  // namespace

// The operators of dictionaries with one type of key, as PyTorch names them.
#define DICT_OPS(key, key_type)                                                                                       \
  OP("aten::__getitem__.Dict_" key "(Dict(" key ", t) self, " key " key) -> t(*)", dict_get_item),                    \
      OP("aten::_set_item." key "(Dict(" key ", t)(a!) l, " key "(b -> *) idx, t(c -> *) v) -> ()", dict_set_item),   \
      OP("aten::Delete.Dict_" key "(Dict(" key ", t)(a!) self, " key " key) -> ()", dict_delete),                     \
      OP("aten::get." key "(Dict(" key ", t) self, " key " key) -> t(*)?", dict_get),                                 \
      OP("aten::get.default_" key "(Dict(" key ", t) self, " key " key, t default_value) -> t(*)", dict_get_default), \
      OP("aten::setdefault." key "(Dict(" key ", t)(a!) self, " key "(b -> *) key, t(c -> *) default_value) -> t(*)", \
         dict_set_default),                                                                                           \
      OP("aten::pop.Dict_" key "(Dict(" key ", t)(a!) self, " key " key) -> t(*)", dict_pop),                         \
      OP("aten::pop.Dict_default_" key "(Dict(" key ", t)(a!) self, " key " key, t default_value) -> t(*)",           \
         dict_pop_default),                                                                                           \
      OP("aten::popitem." key "(Dict(" key ", t)(a!) self) -> ((" key ", t))", dict_pop_item),                        \
      OP("aten::clear." key "(Dict(" key ", t)(a!) self) -> ()", dict_clear),                                         \
      OP("aten::update." key "(Dict(" key ", t)(a!) self, Dict(" key ", t)(a!) to_add) -> ()", dict_update),          \
      OP("aten::__contains__." key "(Dict(" key ", t) dict, " key " key) -> bool", dict_contains),                    \
      OP("aten::len.Dict_" key "(Dict(" key ", t) self) -> int", dict_length),                                        \
      OP("aten::keys." key "(Dict(" key ", t) self) -> " key "[](*)", dict_keys),                                     \
      OP("aten::values." key "(Dict(" key ", t) self) -> t[](*)", dict_values),                                       \
      OP("aten::items." key "(Dict(" key ", t) self) -> ((" key ", t)[])", dict_items),                               \
      OP("aten::copy.Dict_" key "(Dict(" key ", t)(a) self) -> Dict(" key ", t)", dict_copy),                         \
      OP("aten::dict.Dict_" key "(Dict(" key ", t)(a) self) -> Dict(" key ", t)", dict_copy),                         \
      OP("aten::dict." key "((" key ", tVal)[] inputs) -> Dict(" key ", tVal)", dict_from<types::key_type>)

namespace {

constexpr OpEntry kEntries[] = {
    OP("aten::dict() -> Dict(str, Tensor)", dict_new),
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
