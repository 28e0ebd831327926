// Reads and writes the values that the parity suite and its runner exchange.
#include "parity/wire.h"

#include <cstring>

#include "core/check.h"
#include "core/operator.h"
#include "core/schema.h"
#include "core/tensor_impl.h"
#include "ops/random/generator.h"

namespace wick::parity {

namespace {

TypePtr element_of(const TypePtr& type, TypeKind kind, size_t i) {
  if (type->is(TypeKind::kOptional)) return element_of(type->element(0), kind, i);
  return type->is(kind) && i < type->elements().size() ? type->element(i) : types::any();
}

// Element type of a list whose schema leaves it open ("t[]"): what all the items have in common.
TypePtr common_type(const std::vector<IValue>& items, const TypePtr& wanted) {
  const bool open = wanted->is(TypeKind::kAny) || wanted->is(TypeKind::kVar);
  if (!open) return wanted;
  if (items.empty()) return types::any();
  TypePtr type = items[0].type();
  for (const IValue& item : items) {
    if (!same_type(*item.type(), *type)) return types::any();
  }
  return type;
}

}  // namespace

IValue WireReader::read_special(const std::string& tag, const std::vector<IValue>& items) {
  if (tag == "#complex") return std::complex<double>(items.at(1).to_double(), items.at(2).to_double());
  if (tag == "#device") return Device::parse(items.at(1).to_string());
  if (tag == "#generator") return make_ref<GeneratorImpl>(static_cast<uint64_t>(items.at(1).to_int()));
  if (tag == "#generator") {
    return Ref<GeneratorImpl>(make_ref<GeneratorImpl>(static_cast<uint64_t>(items.at(1).to_int())));
  }
  if (tag == "#list") {
    std::vector<IValue> values;
    for (const IValue& item : items.at(2).to_list().items) values.push_back(read(item));
    return IValue::list(parse_type(items.at(1).to_string()), std::move(values));
  }
  if (tag == "#call") {
    std::vector<IValue> args;
    for (const IValue& item : items.at(2).to_list().items) args.push_back(read(item));
    return call_operator(items.at(1).to_string(), std::move(args)).at(0);
  }
  fail(ErrorCode::kInternal, cat("unknown tag in the batch: ", tag));
}

Tensor WireReader::own(const Tensor& tensor) {
  Tensor& copy = tensors_[tensor.impl()];
  if (copy.defined()) return copy;
  Storage& storage = storages_[tensor.storage().get()];
  if (!storage) {
    storage = make_ref<StorageImpl>(tensor.storage()->nbytes());
    if (storage->nbytes() > 0) std::memcpy(storage->data(), tensor.storage()->data(), storage->nbytes());
  }
  copy = tensor.alias();
  copy.impl()->storage = storage;
  return copy;
}

IValue WireReader::read(const IValue& encoded, const TypePtr& type) {
  if (encoded.is_tensor()) return own(encoded.to_tensor());
  if (encoded.is_list()) {
    const TypePtr element = element_of(type, TypeKind::kList, 0);
    std::vector<IValue> items;
    for (const IValue& item : encoded.to_list().items) items.push_back(read(item, element));
    TypePtr common = common_type(items, element);
    return IValue::list(std::move(common), std::move(items));
  }
  if (encoded.is_tuple()) {
    const std::vector<IValue>& items = encoded.to_tuple().items;
    if (!items.empty() && items[0].is_string() && items[0].to_string().starts_with('#')) {
      return read_special(items[0].to_string(), items);
    }
    std::vector<IValue> out;
    for (size_t i = 0; i < items.size(); ++i) {
      out.push_back(read(items[i], element_of(type, TypeKind::kTuple, i)));
    }
    return IValue::tuple(std::move(out));
  }
  if (encoded.is_dict()) {
    auto dict = make_ref<DictImpl>();
    std::vector<IValue> keys, values;
    for (const auto& [key, value] : encoded.to_dict().entries()) {
      keys.push_back(read(key, element_of(type, TypeKind::kDict, 0)));
      values.push_back(read(value, element_of(type, TypeKind::kDict, 1)));
    }
    dict->key_type = common_type(keys, element_of(type, TypeKind::kDict, 0));
    dict->value_type = common_type(values, element_of(type, TypeKind::kDict, 1));
    for (size_t i = 0; i < keys.size(); ++i) dict->set(keys[i], values[i]);
    return dict;
  }
  return encoded;
}

IValue to_wire(const IValue& value) {
  switch (value.tag()) {
    case IValue::Tag::kTensor: {
      const DType dtype = value.to_tensor().dtype();  // torch.load of PyTorch 1.13 has no storage for some
      const bool known = dtype != DType::kComplexHalf && dtype <= DType::kQUInt2x4;
      return known ? value : IValue::tuple({"#opaque", name_of(dtype)});
    }
    case IValue::Tag::kComplex:
      return IValue::tuple({"#complex", value.to_complex().real(), value.to_complex().imag()});
    case IValue::Tag::kDevice:
      return IValue::tuple({"#device", value.to_device().str()});
    case IValue::Tag::kList: {
      std::vector<IValue> items;
      for (const IValue& item : value.to_list().items) items.push_back(to_wire(item));
      return IValue::list(types::any(), std::move(items));
    }
    case IValue::Tag::kTuple: {
      std::vector<IValue> items;
      for (const IValue& item : value.to_tuple().items) items.push_back(to_wire(item));
      return IValue::tuple(std::move(items));
    }
    case IValue::Tag::kDict: {
      auto dict = make_ref<DictImpl>();
      dict->key_type = dict->value_type = types::any();
      for (const auto& [key, item] : value.to_dict().entries()) dict->set(to_wire(key), to_wire(item));
      return dict;
    }
    case IValue::Tag::kEnum:
      return IValue::tuple({"#enum", value.to_enum().type_name, to_wire(value.to_enum().value)});
    case IValue::Tag::kFuture:
      return IValue::tuple({"#future", to_wire(value.to_future().wait())});
    case IValue::Tag::kObject:
      return IValue::tuple({"#opaque", value.to_object().cls->name});
    case IValue::Tag::kCustom:
      return IValue::tuple({"#opaque", value.to_custom().class_name()});
    case IValue::Tag::kGenerator:
    case IValue::Tag::kUninitialized:
      return IValue::tuple({"#opaque", value.tag_name()});
    default:
      return value;
  }
}

void collect_tensors(const IValue& value, std::vector<Tensor>& out) {
  if (value.is_tensor()) {
    out.push_back(value.to_tensor());
  } else if (value.is_list()) {
    for (const IValue& item : value.to_list().items) collect_tensors(item, out);
  } else if (value.is_tuple()) {
    for (const IValue& item : value.to_tuple().items) collect_tensors(item, out);
  } else if (value.is_dict()) {
    for (const auto& entry : value.to_dict().entries()) collect_tensors(entry.second, out);
  }
}

}  // namespace wick::parity
