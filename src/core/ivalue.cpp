// IValue: construction, tags and checked access.
#include "wick/ivalue.h"

#include "core/check.h"
#include "core/limits.h"
#include "core/value_type.h"

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

namespace {

struct TagRow {
  const char* name;
  TypeKind kind;  // of values that have one type
};
// By tag.
constexpr TagRow kTags[] = {
    {"None", TypeKind::kNone},       {"Bool", TypeKind::kBool},
    {"Int", TypeKind::kInt},         {"Double", TypeKind::kFloat},
    {"Device", TypeKind::kDevice},   {"Uninitialized", TypeKind::kAny},
    {"Tensor", TypeKind::kTensor},   {"ComplexDouble", TypeKind::kComplex},
    {"String", TypeKind::kString},   {"GenericList", TypeKind::kAny},
    {"Tuple", TypeKind::kAny},       {"GenericDict", TypeKind::kAny},
    {"Object", TypeKind::kAny},      {"Enum", TypeKind::kAny},
    {"Future", TypeKind::kAny},      {"Generator", TypeKind::kGenerator},
    {"CustomClass", TypeKind::kAny},
};
static_assert(std::size(kTags) == static_cast<size_t>(IValue::Tag::kCustom) + 1);

}  // namespace

const char* IValue::name_of(Tag tag) noexcept { return kTags[static_cast<size_t>(tag)].name; }

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

namespace {

// `left`: how many more types the type may have; a tuple that holds the same tuples again has them at every place.
TypePtr type_within(const IValue& value, size_t depth, size_t& left) {
  if (left == 0 || depth > limits::kMaxTypeDepth) return types::any();
  --left;
  TypeParts parts;
  switch (value.tag()) {
    case IValue::Tag::kList:
      parts.kind = TypeKind::kList;
      parts.elements.push_back(TypePtr(value.to_list().element_type));
      break;
    case IValue::Tag::kTuple: {
      const TupleImpl& t = value.to_tuple();
      if (t.named_type) return t.named_type;
      if (depth >= limits::kMaxTypeDepth || t.items.size() > left) return types::basic(TypeKind::kAnyTuple);
      parts.kind = TypeKind::kTuple;
      for (const IValue& v : t.items) parts.elements.push_back(type_within(v, depth + 1, left));
      break;
    }
    case IValue::Tag::kDict:
      parts.kind = TypeKind::kDict;
      parts.elements.push_back(TypePtr(value.to_dict().key_type));
      parts.elements.push_back(TypePtr(value.to_dict().value_type));
      break;
    case IValue::Tag::kObject:
      parts.kind = TypeKind::kClass;
      parts.name = value.to_object().cls->name;
      break;
    case IValue::Tag::kEnum:
      parts.kind = TypeKind::kEnum;
      parts.name = value.to_enum().type_name;
      parts.elements.push_back(type_within(value.to_enum().value, depth + 1, left));
      break;
    case IValue::Tag::kFuture:
      parts.kind = TypeKind::kFuture;
      parts.elements.push_back(TypePtr(types::any()));
      break;
    case IValue::Tag::kCustom:
      parts.kind = TypeKind::kClass;
      parts.name = value.to_custom().class_name();
      break;
    default:
      return types::basic(kTags[static_cast<size_t>(value.tag())].kind);
  }
  return types::make(std::move(parts));
}

}  // namespace

TypePtr type_of(const IValue& value, size_t most) { return type_within(value, 0, most); }

TypePtr IValue::type_at(size_t depth) const {
  size_t left = limits::kMaxValueTypes;
  return type_within(*this, depth, left);
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
