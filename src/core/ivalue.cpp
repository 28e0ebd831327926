#include "wick/ivalue.h"

#include "core/check.h"
#include "core/limits.h"

namespace wick {

IValue::IValue(Tag tag, RefCounted* ref) : tag_(tag) {
  WICK_CHECK(ref, kInternal, "null reference in a value");
  payload_.ref = ref;
  ref->retain();
}

IValue::IValue(std::complex<double> v) : IValue(Tag::kComplex, new ComplexImpl) {
  static_cast<ComplexImpl*>(payload_.ref)->value = v;
}
IValue::IValue(const Scalar& v) {
  switch (v.kind()) {
    case Scalar::Kind::kBool:
      *this = IValue(v.to_bool());
      break;
    case Scalar::Kind::kInt:
      *this = IValue(v.to_int());
      break;
    case Scalar::Kind::kDouble:
      *this = IValue(v.to_double());
      break;
    case Scalar::Kind::kComplex:
      *this = IValue(v.to_complex());
      break;
  }
}
IValue::IValue(Tensor v) noexcept {
  if (!v.defined()) return;
  tag_ = Tag::kTensor;
  new (&payload_.tensor) Tensor(std::move(v));
}
IValue::IValue(std::string v) : IValue(Tag::kString, new StringImpl) {
  static_cast<StringImpl*>(payload_.ref)->text = std::move(v);
}

IValue IValue::list(TypePtr element_type, std::vector<IValue> items) {
  auto box = make_ref<ListImpl>();
  box->element_type = std::move(element_type);
  box->items = std::move(items);
  return IValue(std::move(box));
}
IValue IValue::tensor_list(std::vector<Tensor> values) {
  std::vector<IValue> items;
  items.reserve(values.size());
  for (Tensor& t : values) items.emplace_back(std::move(t));
  return list(types::tensor(), std::move(items));
}
IValue IValue::tuple(std::vector<IValue> items) {
  auto box = make_ref<TupleImpl>();
  box->items = std::move(items);
  return IValue(std::move(box));
}

const char* IValue::name_of(Tag tag) noexcept {
  switch (tag) {
    case Tag::kNone:
      return "None";
    case Tag::kBool:
      return "Bool";
    case Tag::kInt:
      return "Int";
    case Tag::kDouble:
      return "Double";
    case Tag::kDevice:
      return "Device";
    case Tag::kUninitialized:
      return "Uninitialized";
    case Tag::kTensor:
      return "Tensor";
    case Tag::kComplex:
      return "ComplexDouble";
    case Tag::kString:
      return "String";
    case Tag::kList:
      return "GenericList";
    case Tag::kTuple:
      return "Tuple";
    case Tag::kDict:
      return "GenericDict";
    case Tag::kObject:
      return "Object";
    case Tag::kEnum:
      return "Enum";
    case Tag::kFuture:
      return "Future";
    case Tag::kGenerator:
      return "Generator";
    case Tag::kCustom:
      return "CustomClass";
  }
  return "?";
}

void IValue::wrong_type(Tag expected) const {
  fail_with<ErrorCode::kTypeMismatch>("Expected ", name_of(expected), " but got ", tag_name());
}

RefCounted& IValue::expect(Tag tag) const {
  if (tag_ != tag) wrong_type(tag);
  return *payload_.ref;
}

Scalar IValue::to_scalar() const {
  switch (tag_) {
    case Tag::kBool:
      return Scalar(payload_.i != 0);
    case Tag::kInt:
      return Scalar(payload_.i);
    case Tag::kDouble:
      return Scalar(payload_.d);
    case Tag::kComplex:
      return Scalar(to_complex());
    default:
      fail_with<ErrorCode::kTypeMismatch>("IValue is not a Scalar: it is a ", tag_name());
  }
}
std::vector<Tensor> IValue::to_tensor_vec() const {
  std::vector<Tensor> out;
  const ListImpl& list = to_list();
  out.reserve(list.items.size());
  for (const IValue& v : list.items) out.push_back(v.to_tensor());
  return out;
}

TypePtr IValue::type_at(size_t depth) const {
  switch (tag_) {
    case Tag::kNone:
      return types::none();
    case Tag::kBool:
      return types::boolean();
    case Tag::kInt:
      return types::integer();
    case Tag::kDouble:
      return types::floating();
    case Tag::kDevice:
      return types::device();
    case Tag::kTensor:
      return types::tensor();
    case Tag::kComplex:
      return types::complex();
    case Tag::kString:
      return types::string();
    case Tag::kList:
      return types::list(to_list().element_type);
    case Tag::kTuple: {
      const TupleImpl& t = to_tuple();
      if (t.named_type) return t.named_type;
      if (depth >= limits::kMaxTypeDepth) return types::any();
      std::vector<TypePtr> elements;
      for (const IValue& v : t.items) elements.push_back(v.type_at(depth + 1));
      return types::tuple(std::move(elements));
    }
    case Tag::kDict:
      return types::dict(to_dict().key_type, to_dict().value_type);
    case Tag::kObject:
      return types::class_type(to_object().cls->name);
    case Tag::kEnum:
      return types::enum_type(to_enum().type_name,
                              depth >= limits::kMaxTypeDepth ? types::any() : to_enum().value.type_at(depth + 1));
    case Tag::kFuture:
      return types::future(types::any());
    case Tag::kGenerator:
      return types::basic(TypeKind::kGenerator);
    case Tag::kCustom:
      return types::class_type(std::string(to_custom().class_name()));
    case Tag::kUninitialized:
      return types::any();
  }
  return types::any();
}

bool IValue::is_same(const IValue& o) const noexcept {
  if (tag_ == Tag::kTensor && o.tag_ == Tag::kTensor) return payload_.tensor.is_same(o.payload_.tensor);
  if (tag_ != o.tag_) return false;
  switch (tag_) {
    case Tag::kNone:
    case Tag::kUninitialized:
      return true;
    case Tag::kBool:
    case Tag::kInt:
      return payload_.i == o.payload_.i;
    case Tag::kDouble:
      return payload_.d == o.payload_.d;
    case Tag::kDevice:
      return payload_.device == o.payload_.device;
    case Tag::kComplex:
      return to_complex() == o.to_complex();
    case Tag::kString:
      return to_string() == o.to_string();
    case Tag::kEnum:
      return payload_.ref == o.payload_.ref ||
             (to_enum().type_name == o.to_enum().type_name && to_enum().value.is_same(o.to_enum().value));
    default:
      return payload_.ref == o.payload_.ref;
  }
}

IValue CustomObject::call(std::string_view method, std::vector<IValue>) {
  fail_with<ErrorCode::kNotFound>("class ", class_name(), " has no method '", method, "'");
}

}  // namespace wick
