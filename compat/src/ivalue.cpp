// c10::IValue, List and Dict over Wick's values.
#include <cstring>
#include <iostream>
#include <mutex>

#include "bridge.h"
#include "core/tensor_impl.h"
#include "custom_object.h"
#include "module_state.h"
#include "wick/ivalue.h"

namespace c10 {
using wick_compat::a;
using wick_compat::w;
namespace {

wick::TypePtr wick_ptr(const TypePtr& t) { return wick::TypePtr(reinterpret_cast<const wick::Type*>(t.get())); }
TypePtr type_ptr(const wick::TypePtr& t) { return TypePtr::borrowed(reinterpret_cast<const Type*>(t.get())); }
wick::ListImpl& list_of(void* p) { return *static_cast<wick::ListImpl*>(static_cast<wick::RefCounted*>(p)); }
wick::DictImpl& dict_of(void* p) { return *static_cast<wick::DictImpl*>(static_cast<wick::RefCounted*>(p)); }
template <class T>
void* given_away(wick::Ref<T> ref) {
  return static_cast<wick::RefCounted*>(ref.detach());
}

}  // namespace

namespace detail {

void* new_list(const TypePtr& element) {
  auto list = wick::make_ref<wick::ListImpl>();
  list->element_type = wick_ptr(element);
  return given_away(std::move(list));
}
IValue* list_items(void* list) { return reinterpret_cast<IValue*>(list_of(list).items.data()); }
size_t list_size(void* list) { return list_of(list).items.size(); }
void list_insert(void* list, size_t at, IValue v) {
  auto& items = list_of(list).items;
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), std::move(w(v)));
}
void list_erase(void* list, size_t from, size_t to) {
  auto& items = list_of(list).items;
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(from), items.begin() + static_cast<std::ptrdiff_t>(to));
}
void list_reserve(void* list, size_t n) { list_of(list).items.reserve(n); }
void* list_copy(void* list) {
  auto copy = wick::make_ref<wick::ListImpl>();
  copy->element_type = list_of(list).element_type;
  copy->items = list_of(list).items;
  return given_away(std::move(copy));
}
TypePtr list_element_type(void* list) { return type_ptr(list_of(list).element_type); }

static_assert(sizeof(DictEntry) == sizeof(std::pair<wick::IValue, wick::IValue>));
void* new_dict(const TypePtr& key, const TypePtr& value) {
  auto dict = wick::make_ref<wick::DictImpl>();
  dict->key_type = wick_ptr(key);
  dict->value_type = wick_ptr(value);
  return given_away(std::move(dict));
}
DictEntry* dict_entries(void* dict) {
  return reinterpret_cast<DictEntry*>(
      const_cast<std::pair<wick::IValue, wick::IValue>*>(dict_of(dict).entries().data()));
}
size_t dict_size(void* dict) { return dict_of(dict).size(); }
DictEntry* dict_find(void* dict, const IValue& key) {
  wick::IValue* value = dict_of(dict).find(w(key));
  return value ? reinterpret_cast<DictEntry*>(reinterpret_cast<IValue*>(value) - 1) : nullptr;
}
void dict_set(void* dict, IValue key, IValue value) { dict_of(dict).set(std::move(w(key)), std::move(w(value))); }
bool dict_erase(void* dict, const IValue& key) { return dict_of(dict).erase(w(key)); }
void dict_clear(void* dict) { dict_of(dict).clear(); }
void* dict_copy(void* dict) {
  auto copy = wick::make_ref<wick::DictImpl>();
  copy->key_type = dict_of(dict).key_type;
  copy->value_type = dict_of(dict).value_type;
  for (const auto& entry : dict_of(dict).entries()) copy->set(entry.first, entry.second);
  return given_away(std::move(copy));
}
TypePtr dict_key_type(void* dict) { return type_ptr(dict_of(dict).key_type); }
TypePtr dict_value_type(void* dict) { return type_ptr(dict_of(dict).value_type); }
bool dict_equal(void* x, void* y) {
  return wick::equal(wick::IValue(wick::Ref<wick::DictImpl>(&dict_of(x))),
                     wick::IValue(wick::Ref<wick::DictImpl>(&dict_of(y))));
}

}  // namespace detail

IValue::IValue(const at::Scalar& v) : IValue() {
  if (v.isBoolean()) {
    *this = IValue(v.toBool());
  } else if (v.isIntegral(false)) {
    *this = IValue(v.toLong());
  } else if (v.isFloatingPoint()) {
    *this = IValue(v.toDouble());
  } else {
    *this = IValue(v.toComplexDouble());
  }
}
IValue::IValue(std::string v) : IValue(a(wick::IValue(std::move(v)))) {}
IValue IValue::make_complex(double re, double im) { return a(wick::IValue(std::complex<double>(re, im))); }

IValue IValue::make_custom(intrusive_ptr<torch::CustomClassHolder> v, const void* mark) {
  if (!v) return IValue();
  return a(wick::IValue(wick::Ref<wick::CustomObject>(wick::make_ref<wick_compat::HeldObject>(std::move(v), mark))));
}
torch::CustomClassHolder* IValue::custom(const void* mark) const {
  expect(Tag::Capsule);
  auto* held = dynamic_cast<wick_compat::HeldObject*>(&w(*this).to_custom());
  TORCH_CHECK(held && (held->mark == nullptr || held->mark == mark), "Tried to convert an IValue of type ",
              std::string(w(*this).to_custom().class_name()), " to a custom class of another type");
  return held->object.get();
}
intrusive_ptr<torch::CustomClassHolder> IValue::toCapsule() const {
  expect(Tag::Capsule);
  auto* held = dynamic_cast<wick_compat::HeldObject*>(&w(*this).to_custom());
  TORCH_CHECK(held, "The value is an object of Wick's own");
  return held->object;
}

std::string IValue::tagKind() const { return w(*this).tag_name(); }
void IValue::wrong_tag(Tag expected) const {
  const std::string name = taking(expected, nullptr).tagKind();
  TORCH_CHECK(false, "Expected ", name, " but got ", tagKind());
}
void IValue::wrong_kind(const char* expected) const {
  TORCH_CHECK(false, "Expected ", expected, " but got ", tagKind());
}
bool IValue::isListOf(TypeKind kind) const { return isList() && detail::list_element_type(ref())->kind() == kind; }
bool IValue::isOptionalTensorList() const {
  if (!isList()) return false;
  const TypePtr element = detail::list_element_type(ref());
  return element->kind() == TypeKind::OptionalType && element->containedType(0)->kind() == TypeKind::TensorType;
}
bool IValue::isModule() const { return isObject() && w(*this).to_object().cls->is_module; }

c10::complex<double> IValue::toComplexDouble() const {
  expect(Tag::ComplexDouble);
  return c10::complex<double>(w(*this).to_complex());
}
at::Scalar IValue::toScalar() const {
  if (isDouble()) return toDouble();
  if (isInt()) return toInt();
  if (isBool()) return toBool();
  if (isComplexDouble()) return toComplexDouble();
  throw std::runtime_error("IValue is not a Scalar");
}
Device IValue::toDevice() const {
  expect(Tag::Device);
  return a(w(*this).to_device());
}

bool operator==(const IValue& x, const IValue& y) {
  if (x.isTensor() && y.isTensor()) {
    const at::Tensor equal = x.toTensor().eq(y.toTensor());
    return equal.is_nonzero();
  }
  // An int is no float here, unlike in TorchScript.
  if (x.tag() != y.tag()) return false;
  try {
    return wick::equal(w(x), w(y));
  } catch (...) {
    wick_compat::rethrow();
  }
}
IValue IValue::equals(const IValue& o) const {
  if (isTensor() && o.isTensor()) return toTensor().eq(o.toTensor());
  return *this == o;
}
bool IValue::is(const IValue& o) const { return w(*this).is_same(w(o)); }
bool IValue::isAliasOf(const IValue& o) const {
  if (tag_ != o.tag_ || !isPtrType()) return false;
  if (isTensor()) return toTensor().is_alias_of(o.toTensor());
  return ref() == o.ref();
}
IValue IValue::hash() const {
  switch (tag_) {
    case Tag::Bool:
    case Tag::Int:
    case Tag::Double:
    case Tag::None:
    case Tag::Device:
      return static_cast<int64_t>(std::hash<int64_t>()(payload_.i));
    case Tag::String:
      return static_cast<int64_t>(std::hash<std::string>()(toStringRef()));
    case Tag::ComplexDouble:
      return static_cast<int64_t>(std::hash<c10::complex<double>>()(toComplexDouble()));
    case Tag::Tensor:
      return static_cast<int64_t>(reinterpret_cast<intptr_t>(payload_.ref));
    case Tag::Tuple: {
      size_t h = 7;
      for (const IValue& v : toTupleRef().elements()) h = h * 31 + hash(v);
      return static_cast<int64_t>(h);
    }
    default:
      throw std::runtime_error("unhashable type: '" + type()->repr_str() + "'");
  }
}
size_t IValue::alias_hash() const {
  const void* const shared = isTensor() ? w(toTensor()).storage().get() : ref();
  return isPtrType() ? std::hash<const void*>()(shared) : 0;
}
void IValue::getSubValues(HashAliasedIValues& out) const {
  TORCH_CHECK(!isFuture() && !isGenerator() && !isCapsule(), "Cannot get the values in a ", tagKind());
  visit([&](const IValue& v) {
    const bool holds = v.isTensor() || v.isTuple() || v.isList() || v.isGenericDict() || v.isObject();
    return !holds || !out.insert(v).second;
  });
}
bool IValue::overlaps(const IValue& o) const {
  HashAliasedIValues own, others;
  getSubValues(own);
  o.getSubValues(others);
  for (const IValue& v : own) {
    if (others.count(v)) return true;
  }
  return false;
}
IValue IValue::deepcopy() const {
  HashAliasedIValueMap memo;
  return deepcopy(memo);
}
IValue IValue::deepcopy(HashAliasedIValueMap& memo) const {
  if (!isPtrType()) return *this;
  const auto known = memo.find(*this);
  if (known != memo.end()) return known->second;
  const IValue copy = copied(memo);
  if (copy.ref() != ref()) memo.emplace(*this, copy);
  return copy;
}
IValue IValue::copied(HashAliasedIValueMap& memo) const {
  switch (tag_) {
    case Tag::Tensor:
      return toTensor().clone();
    case Tag::Tuple: {
      std::vector<IValue> items;
      for (const IValue& v : toTupleRef().elements()) items.push_back(v.deepcopy(memo));
      const auto& from = w(*this).to_tuple();
      if (!from.named_type) return ivalue::Tuple::create(std::move(items));
      const TypePtr named = type_ptr(from.named_type);
      return ivalue::Tuple::createNamed(std::move(items), named->expect<TupleType>());
    }
    case Tag::GenericList: {
      List<IValue> out(detail::list_element_type(ref()));
      for (const IValue& v : toListRef()) out.push_back(v.deepcopy(memo));
      return out;
    }
    case Tag::GenericDict: {
      const Dict<IValue, IValue> from = toGenericDict();
      Dict<IValue, IValue> out(from.keyType(), from.valueType());
      for (const auto& entry : from) out.insert(entry.key().deepcopy(memo), entry.value().deepcopy(memo));
      return out;
    }
    case Tag::Object: {
      TORCH_CHECK(!isModule(), "Can't deepcopy a module as a value; use Module::deepcopy()");
      const wick::ObjectImpl& from = w(*this).to_object();
      auto object = wick::make_ref<wick::ObjectImpl>();
      object->cls = from.cls;
      IValue out = a(wick::IValue(object));
      memo.emplace(*this, out);  // it may refer to itself
      for (size_t i = 0; i < from.slot_count(); ++i) object->set(i, w(a(from.get(i)).deepcopy(memo)));
      return out;
    }
    case Tag::Future:
    case Tag::Capsule:
      TORCH_CHECK(false, "Can't deepcopy IValue with tag: ", tagKind());
    default:
      return *this;
  }
}
void IValue::visit(const std::function<bool(const IValue&)>& visitor) const {
  if (visitor(*this)) return;
  if (isTuple()) {
    for (const IValue& v : toTupleRef().elements()) v.visit(visitor);
  } else if (isList()) {
    for (const IValue& v : toListRef()) v.visit(visitor);
  } else if (isGenericDict()) {
    for (const auto& entry : toGenericDict()) {
      entry.key().visit(visitor);
      entry.value().visit(visitor);
    }
  } else if (isObject()) {
    for (const IValue& v : toObjectRef().slots()) v.visit(visitor);
  }
}
void IValue::dump() const { std::cout << *this << "\n"; }
namespace {
// As a literal of TorchScript's source.
std::ostream& write_quoted(std::ostream& out, const std::string& text) {
  static constexpr char kEscaped[] = "\\\"'\a\b\f\n\r\t\v", kLetters[] = "\\\"'abfnrtv";
  out << '"';
  for (const char c : text) {
    const char* const escaped = c ? std::strchr(kEscaped, c) : nullptr;
    if (escaped) {
      out << '\\' << kLetters[escaped - kEscaped];
    } else if (c >= 0x20 && c < 0x7f) {
      out << c;
    } else {
      char octal[5];
      std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned char>(c));
      out << octal;
    }
  }
  return out << '"';
}
}  // namespace
std::ostream& IValue::repr(std::ostream& out, std::function<bool(std::ostream&, const IValue&)> formatter) const {
  if (formatter && formatter(out, *this)) return out;
  if (isString()) return write_quoted(out, toStringRef());
  const bool is_container = isList() || isTuple() || isGenericDict();
  if (!formatter || !is_container) return out << wick::repr(w(*this));
  // Formatters write what containers hold, too.
  const char* before = "";
  const auto item = [&](const IValue& v) -> std::ostream& {
    out << before;
    before = ", ";
    return v.repr(out, formatter);
  };
  if (isGenericDict()) {
    out << "{";
    for (const auto& entry : toGenericDict()) {
      item(entry.key()) << ": ";
      entry.value().repr(out, formatter);
    }
    return out << "}";
  }
  out << (isList() ? "[" : "(");
  const ArrayRef<IValue> items = isList() ? toListRef() : ArrayRef<IValue>(toTupleRef().elements());
  for (const IValue& v : items) item(v);
  return out << (isList() ? "]" : items.size() == 1 ? ",)" : ")");
}

namespace {

std::ostream& write_double(std::ostream& out, double d) {
  char text[64];
  if (d == static_cast<double>(static_cast<int64_t>(d)) && std::abs(d) < 1e10) {
    return out << static_cast<int64_t>(d) << ".";
  }
  std::snprintf(text, sizeof text, "%.17g", d);
  return out << text;
}

template <class List>
std::ostream& write_list(std::ostream& out, const List& items, const char* open, const char* close) {
  out << open;
  bool first = true;
  for (const IValue& v : items) {
    out << (first ? "" : ", ") << v;
    first = false;
  }
  return out << close;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const IValue& v) {
  switch (v.tag()) {
    case IValue::Tag::Double:
      return write_double(out, v.toDouble());
    case IValue::Tag::Tensor:
      return out << v.toTensor();
    case IValue::Tag::String:
      return out << v.toStringRef();
    case IValue::Tag::GenericList:
      return write_list(out, v.toListRef(), "[", "]");
    case IValue::Tag::Tuple: {
      const auto& items = v.toTupleRef().elements();
      return write_list(out, items, "(", items.size() == 1 ? ",)" : ")");
    }
    case IValue::Tag::GenericDict: {
      out << "{";
      bool first = true;
      for (const auto& entry : v.toGenericDict()) {
        out << (first ? "" : ", ") << entry.key() << ": " << entry.value();
        first = false;
      }
      return out << "}";
    }
    case IValue::Tag::Object:
      return out << "<" << v.toObjectRef().name() << " object at " << v.ref() << ">";
    case IValue::Tag::Future:
      return out << "Future";
    case IValue::Tag::Uninitialized:
      return out << "Uninitialized";
    case IValue::Tag::Capsule:
      return out << "Capsule";
    default:
      return out << wick::repr(w(v));
  }
}

namespace ivalue {
namespace {

template <class T>
T& value_of(const wick_compat::Value& v) {
  return *static_cast<T*>(reinterpret_cast<wick::RefCounted*>(const_cast<wick_compat::Value*>(&v)));
}
template <class Handle, class T>
intrusive_ptr<Handle> handle(wick::Ref<T> ref) {
  return intrusive_ptr<Handle>::reclaim(static_cast<Handle*>(given_away(std::move(ref))));
}

}  // namespace

intrusive_ptr<ConstantString> ConstantString::create(std::string v) { return IValue(std::move(v)).toString(); }
const std::string& ConstantString::string() const { return value_of<wick::StringImpl>(*this).text; }

intrusive_ptr<Tuple> Tuple::createNamed(std::vector<IValue> elements, const TupleTypePtr& type) {
  TORCH_CHECK(type && type->containedTypeSize() == elements.size(),
              "The type has not as many fields as there are elements");
  intrusive_ptr<Tuple> tuple = create(std::move(elements));
  if (!type->type_name().empty()) value_of<wick::TupleImpl>(*tuple).named_type = wick_ptr(type);
  return tuple;
}
intrusive_ptr<Tuple> Tuple::create(std::vector<IValue> elements) {
  auto tuple = wick::make_ref<wick::TupleImpl>();
  for (IValue& v : elements) tuple->items.push_back(std::move(w(v)));
  return handle<Tuple>(std::move(tuple));
}
// Two std::vector whose elements have the same layout: one is read as the other.
const TupleElements& Tuple::elements() const& {
  static_assert(sizeof(TupleElements) == sizeof(std::vector<wick::IValue>));
  return reinterpret_cast<const TupleElements&>(value_of<wick::TupleImpl>(*this).items);
}
void Tuple::setElements(std::vector<IValue>&& elements) {
  auto& items = value_of<wick::TupleImpl>(*this).items;
  items.clear();
  for (IValue& v : elements) items.push_back(std::move(w(v)));
}
void Tuple::setElement(size_t i, IValue v) { value_of<wick::TupleImpl>(*this).items.at(i) = std::move(w(v)); }
TypePtr Tuple::type() const { return IValue::sharing(IValue::Tag::Tuple, this).type(); }

namespace {
// The owner's plans see what the application writes into a value that it is given.
const wick::IValue& given(const wick::ObjectImpl& object, const wick::IValue& value) {
  if (const auto owner = wick_compat::owner_of(object)) owner->given->give(value);
  return value;
}
}  // namespace

IValue Object::getAttr(const std::string& name) const {
  try {
    const auto& object = value_of<wick::ObjectImpl>(*this);
    return a(given(object, object.attr(name)));
  } catch (...) {
    wick_compat::rethrow();
  }
}
void Object::setAttr(const std::string& name, IValue v) {
  auto& object = value_of<wick::ObjectImpl>(*this);
  const int64_t slot = object.cls->slot_of(name);
  TORCH_CHECK(slot >= 0, object.cls->name, " does not have a field with name '", name, "'");
  setSlot(static_cast<size_t>(slot), std::move(v));
}
IValue Object::getSlot(size_t i) const {
  const auto& object = value_of<wick::ObjectImpl>(*this);
  return a(given(object, object.get(i)));
}
void Object::setSlot(size_t i, IValue v) {
  auto& object = value_of<wick::ObjectImpl>(*this);
  object.set(i, std::move(w(v)));
  if (const auto owner = wick_compat::owner_of(object)) owner->forget_plans();
}
std::vector<IValue> Object::slots() const {
  const auto& object = value_of<wick::ObjectImpl>(*this);
  std::vector<IValue> out;
  for (size_t i = 0; i < object.slot_count(); ++i) out.push_back(getSlot(i));
  return out;
}
std::string Object::name() const { return value_of<wick::ObjectImpl>(*this).cls->name; }
bool Object::hasAttr(const std::string& name) const {
  return value_of<wick::ObjectImpl>(*this).cls->slot_of(name) >= 0;
}
TypePtr Object::type() const { return IValue::sharing(IValue::Tag::Object, this).type(); }

std::string EnumHolder::qualifiedClassName() const { return value_of<wick::EnumImpl>(*this).type_name; }
std::string EnumHolder::unqualifiedClassName() const {
  const std::string name = qualifiedClassName();
  return name.substr(name.rfind('.') + 1);
}
const std::string& EnumHolder::name() const { return value_of<wick::EnumImpl>(*this).name; }
const IValue& EnumHolder::value() const {
  return a(static_cast<const wick::IValue&>(value_of<wick::EnumImpl>(*this).value));
}

intrusive_ptr<Future> Future::make_value(TypePtr, std::vector<Device>) {
  return handle<Future>(wick::make_ref<wick::FutureImpl>());
}
void Future::wait() { (void)exception_ptr(); }
IValue Future::value_or_throw() {
  try {
    return a(value_of<wick::FutureImpl>(*this).wait());
  } catch (...) {
    wick_compat::rethrow();
  }
}
const IValue Future::constValue() const { return const_cast<Future*>(this)->value_or_throw(); }
bool Future::completed() const { return value_of<wick::FutureImpl>(*this).done(); }
bool Future::hasError() const { return completed() && exception_ptr() != nullptr; }
std::exception_ptr Future::exception_ptr() const {
  try {
    value_of<wick::FutureImpl>(*this).wait();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}
std::string Future::tryRetrieveErrorMessage() const {
  try {
    if (const std::exception_ptr e = exception_ptr()) std::rethrow_exception(e);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "Unknown Exception Type";
  }
  TORCH_CHECK(false, "No error");
}
void Future::markCompleted(IValue v) {
  TORCH_CHECK(
      !completed(),
      "Attempting to mark a completed Future as complete again. Note that a Future can only be marked completed once.");
  value_of<wick::FutureImpl>(*this).complete(std::move(w(v)));
}
void Future::setError(std::exception_ptr error) { value_of<wick::FutureImpl>(*this).fail(std::move(error)); }
void Future::add_callback(std::function<void(Future&)> f) {
  auto self = intrusive_ptr<Future>::reclaim_copy(this);
  value_of<wick::FutureImpl>(*this).then([self, f = std::move(f)] { f(*self); });
}

}  // namespace ivalue

namespace {
struct Collected {
  std::mutex mutex;  // of the two
  size_t left;
  bool done = false;
};
using FutureList = List<intrusive_ptr<ivalue::Future>>;
}  // namespace
intrusive_ptr<ivalue::Future> collectAll(FutureList futures) {
  auto all = make_intrusive<ivalue::Future>(ListType::create(AnyType::get()));
  if (futures.empty()) {
    all->markCompleted(IValue(futures));
    return all;
  }
  auto state = std::make_shared<Collected>();
  state->left = futures.size();
  for (const auto& future : futures.vec()) {
    future->addCallback([all, futures, state](ivalue::Future& one) {
      bool ends = false;
      {
        const std::lock_guard<std::mutex> lock(state->mutex);
        --state->left;
        ends = !state->done && (one.hasError() || state->left == 0);
        state->done = state->done || ends;
      }
      if (!ends) return;
      if (one.hasError()) {
        all->setError(one.exception_ptr());
      } else {
        all->markCompleted(IValue(futures));
      }
    });
  }
  return all;
}
intrusive_ptr<ivalue::Future> collectAny(FutureList futures) {
  auto any = make_intrusive<ivalue::Future>(AnyType::get());
  if (futures.empty()) {
    any->markCompleted(IValue(futures));
    return any;
  }
  auto state = std::make_shared<Collected>();
  for (const auto& future : futures.vec()) {
    future->addCallback([any, state](ivalue::Future& one) {
      {
        const std::lock_guard<std::mutex> lock(state->mutex);
        if (state->done) return;
        state->done = true;
      }
      if (one.hasError()) {
        any->setError(one.exception_ptr());
      } else {
        any->markCompleted(one.value());
      }
    });
  }
  return any;
}

}  // namespace c10
