// Element types of pickled containers: declared by a type tag, or inferred.
#include "archive/pickle_type_tag.h"

#include <algorithm>
#include <vector>

#include "core/limits.h"
#include "core/stack.h"
#include "core/word_map.h"

namespace wick {
namespace {

bool leaf_fits(const IValue& value, TypeKind kind) {
  switch (kind) {
    case TypeKind::kTensor:
      return value.is_tensor() || value.is_none();
    case TypeKind::kInt:
      return value.is_int();
    case TypeKind::kFloat:
      return value.is_double();
    case TypeKind::kBool:
      return value.is_bool();
    case TypeKind::kComplex:
      return value.is_complex();
    case TypeKind::kNumber:
      return value.is_number();
    case TypeKind::kString:
      return value.is_string();
    case TypeKind::kDevice:
      return value.is_device();
    case TypeKind::kNone:
      return value.is_none();
    case TypeKind::kAnyList:
      return value.is_list();
    case TypeKind::kAnyTuple:
      return value.is_tuple();
    default:
      return true;
  }
}

// Values of the kinds that have one type whatever they hold.
TypePtr basic_type(const IValue& value) {
  switch (value.tag()) {
    case IValue::Tag::kTensor:
      return types::tensor();
    case IValue::Tag::kInt:
      return types::integer();
    case IValue::Tag::kDouble:
      return types::floating();
    case IValue::Tag::kBool:
      return types::boolean();
    case IValue::Tag::kComplex:
      return types::complex();
    case IValue::Tag::kString:
      return types::string();
    case IValue::Tag::kDevice:
      return types::device();
    default:
      return nullptr;
  }
}

class Inference {
 public:
  // The type of the value, with how deep its containers nest; null when it has none of its own (None, tuples).
  struct Inferred {
    TypePtr type;
    size_t depth = 0;
  };

  Inferred visit(const IValue& value) {
    if (!value.is_tuple() && !value.is_list() && !value.is_dict()) return {basic_type(value)};
    check_stack("values");
    uint64_t& place = seen_[value.ref_or_null()];
    if (place != 0) return inferred_[place - 1];
    inferred_.emplace_back();
    place = inferred_.size();
    const size_t at = inferred_.size() - 1;
    Inferred result;
    if (value.is_tuple()) {
      for (const IValue& item : value.to_tuple().items) visit(item);
    } else if (value.is_list()) {
      ListImpl& list = value.to_list();
      Inferred common;
      for (const IValue& item : list.items) merge(common, visit(item));
      if (common.type && list.element_type->is(TypeKind::kAny)) list.element_type = common.type;
      result = {types::list(list.element_type), common.depth + 1};
    } else {
      DictImpl& dict = value.to_dict();
      Inferred keys, values;
      for (const auto& [key, item] : dict.entries()) {
        merge(keys, visit(key));
        merge(values, visit(item));
      }
      if (keys.type && dict.key_type->is(TypeKind::kAny)) dict.key_type = keys.type;
      if (values.type && dict.value_type->is(TypeKind::kAny)) dict.value_type = values.type;
      result = {types::dict(dict.key_type, dict.value_type), std::max(keys.depth, values.depth) + 1};
    }
    if (result.depth > limits::kMaxTypeDepth) result = {types::any()};
    inferred_[at] = result;
    return result;
  }

 private:
  // Folds the types of elements: null before the first, any() when two differ.
  static void merge(Inferred& common, const Inferred& item) {
    if (item.type && !common.type) {
      common = item;
    } else if (!item.type || (common.type != item.type && !same_type(*common.type, *item.type))) {
      common = {types::any()};
    }
  }

  WordMap seen_;  // one more than the place in inferred_
  std::vector<Inferred> inferred_;
};

}  // namespace

void apply_type_tag(const IValue& value, const TypePtr& type, PickleContext& context) {
  context.charge_work(1);
  const auto misfit = [&] { context.bad("a ", value.tag_name(), " is tagged as ", *type); };
  switch (type->kind()) {
    case TypeKind::kList: {
      if (!value.is_list()) misfit();
      ListImpl& list = value.to_list();
      const TypePtr& element = type->element(0);
      if (list.element_type == element) return;
      list.element_type = element;
      for (const IValue& item : list.items) apply_type_tag(item, element, context);
      return;
    }
    case TypeKind::kDict: {
      if (!value.is_dict()) misfit();
      DictImpl& dict = value.to_dict();
      const TypePtr& keys = type->element(0);
      const TypePtr& values = type->element(1);
      if (dict.key_type == keys && dict.value_type == values) return;
      dict.key_type = keys;
      dict.value_type = values;
      for (const auto& [key, item] : dict.entries()) {
        apply_type_tag(key, keys, context);
        apply_type_tag(item, values, context);
      }
      return;
    }
    case TypeKind::kTuple: {
      if (!value.is_tuple() || value.to_tuple().items.size() != type->elements().size()) misfit();
      TupleImpl& tuple = value.to_tuple();
      if (!type->name().empty()) tuple.named_type = type;
      for (size_t i = 0; i < tuple.items.size(); ++i) apply_type_tag(tuple.items[i], type->element(i), context);
      return;
    }
    case TypeKind::kOptional:
      if (!value.is_none()) apply_type_tag(value, type->element(0), context);
      return;
    default:
      if (!leaf_fits(value, type->kind())) misfit();
  }
}

void infer_container_types(const IValue& value) { Inference().visit(value); }

}  // namespace wick
