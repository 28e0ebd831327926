// The C API's values.
#include "c_api/handles.h"
#include "core/schema.h"

namespace wick::c_api {

std::vector<IValue> values_of(const wick_value* const* values, size_t count) {
  WICK_CHECK(values || count == 0, kInvalidArgument, "argument 'values' is NULL");
  std::vector<IValue> out;
  for (size_t i = 0; i < count; ++i) {
    WICK_CHECK(values[i], kInvalidArgument, "value ", i, " is NULL");
    out.push_back(values[i]->value);
  }
  return out;
}

}  // namespace wick::c_api

namespace {

using wick::IValue;
using wick::TypePtr;
using wick::c_api::give;
using wick::c_api::guard;
using wick::c_api::needed;
using wick::c_api::new_string;
using wick::c_api::span_of;
using wick::c_api::values_of;

const IValue& value_of(const wick_value* v, const char* name = "value") { return needed(v, name).value; }

TypePtr type_of(const char* text, const TypePtr& fallback) { return text ? wick::parse_type(text) : fallback; }

wick_status give_text(char** out, wick_error** error, const auto& make) noexcept {
  if (out) *out = nullptr;
  return guard(error, [&] { needed(out, "out") = new_string(make()); });
}

// Indexed by IValue::Tag.
constexpr wick_kind kKinds[] = {
    WICK_KIND_NONE,   WICK_KIND_BOOL,    WICK_KIND_INT,    WICK_KIND_DOUBLE,    WICK_KIND_DEVICE, WICK_KIND_NONE,
    WICK_KIND_TENSOR, WICK_KIND_COMPLEX, WICK_KIND_STRING, WICK_KIND_LIST,      WICK_KIND_TUPLE,  WICK_KIND_DICT,
    WICK_KIND_OBJECT, WICK_KIND_ENUM,    WICK_KIND_FUTURE, WICK_KIND_GENERATOR, WICK_KIND_CUSTOM,
};
static_assert(std::size(kKinds) == static_cast<size_t>(IValue::Tag::kCustom) + 1);

// A value may be put into a list or dict of its type only: a model trusts what its containers hold.
void check_fits(const IValue& value, const wick::Type& type, const char* what) {
  WICK_CHECK(wick::is_subtype(*value.type(), type), kTypeMismatch, "a ", what, " of type ", *value.type(),
             " where there are ones of type ", type);
}

}  // namespace

extern "C" {

wick_status wick_value_none(wick_value** out, wick_error** error) {
  return give(out, error, [] { return IValue(); });
}
wick_status wick_value_bool(bool value, wick_value** out, wick_error** error) {
  return give(out, error, [&] { return IValue(value); });
}
wick_status wick_value_int(int64_t value, wick_value** out, wick_error** error) {
  return give(out, error, [&] { return IValue(value); });
}
wick_status wick_value_double(double value, wick_value** out, wick_error** error) {
  return give(out, error, [&] { return IValue(value); });
}
wick_status wick_value_complex(double real, double imaginary, wick_value** out, wick_error** error) {
  return give(out, error, [&] { return IValue(std::complex<double>(real, imaginary)); });
}
wick_status wick_value_string(const char* text, size_t length, wick_value** out, wick_error** error) {
  return give(out, error, [&] {
    const wick::Span<char> bytes = span_of(text, length, "text");
    return IValue(std::string(bytes.begin(), bytes.end()));
  });
}
wick_status wick_value_tensor(const wick_tensor* tensor, wick_value** out, wick_error** error) {
  return give(out, error, [&] { return IValue(needed(tensor, "tensor").tensor); });
}
wick_status wick_value_device(const char* name, wick_value** out, wick_error** error) {
  return give(out, error, [&] { return IValue(wick::Device::parse(&needed(name, "name"))); });
}
wick_status wick_value_int_list(const int64_t* values, size_t count, wick_value** out, wick_error** error) {
  return give(out, error, [&] { return IValue::int_list(span_of(values, count, "values")); });
}
wick_status wick_value_double_list(const double* values, size_t count, wick_value** out, wick_error** error) {
  return give(out, error, [&] { return IValue::double_list(span_of(values, count, "values")); });
}
wick_status wick_value_list(const char* element_type, const wick_value* const* values, size_t count, wick_value** out,
                            wick_error** error) {
  return give(out, error, [&] {
    std::vector<IValue> items = values_of(values, count);
    if (!element_type) return IValue::list(std::move(items));
    TypePtr type = type_of(element_type, nullptr);
    for (const IValue& item : items) check_fits(item, *type, "item");
    return IValue::list(std::move(type), std::move(items));
  });
}
wick_status wick_value_tuple(const wick_value* const* values, size_t count, wick_value** out, wick_error** error) {
  return give(out, error, [&] { return IValue::tuple(values_of(values, count)); });
}
wick_status wick_value_dict(const char* key_type, const char* value_type, wick_value** out, wick_error** error) {
  return give(out, error, [&] {
    return IValue::empty_dict(type_of(key_type, wick::types::string()), type_of(value_type, wick::types::tensor()));
  });
}
wick_value* wick_value_retain(const wick_value* value) {
  return value ? new (std::nothrow) wick_value{value->value} : nullptr;
}
void wick_value_release(wick_value* value) { delete value; }

wick_kind wick_value_kind(const wick_value* value) {
  return value ? kKinds[static_cast<size_t>(value->value.tag())] : -1;
}
wick_status wick_value_type(const wick_value* value, char** out, wick_error** error) {
  return give_text(out, error, [&] { return value_of(value).type()->str(); });
}
wick_status wick_value_repr(const wick_value* value, char** out, wick_error** error) {
  return give_text(out, error, [&] { return wick::repr(value_of(value)); });
}

wick_status wick_value_get_bool(const wick_value* value, bool* out, wick_error** error) {
  return guard(error, [&] { needed(out, "out") = value_of(value).to_bool(); });
}
wick_status wick_value_get_int(const wick_value* value, int64_t* out, wick_error** error) {
  return guard(error, [&] { needed(out, "out") = value_of(value).to_int(); });
}
wick_status wick_value_get_double(const wick_value* value, double* out, wick_error** error) {
  return guard(error, [&] { needed(out, "out") = value_of(value).to_double(); });
}
wick_status wick_value_get_complex(const wick_value* value, double* real, double* imaginary, wick_error** error) {
  return guard(error, [&] {
    const std::complex<double> number = value_of(value).to_complex();
    needed(real, "real") = number.real();
    needed(imaginary, "imaginary") = number.imag();
  });
}
wick_status wick_value_get_string(const wick_value* value, const char** out, size_t* length, wick_error** error) {
  return guard(error, [&] {
    const std::string& text = value_of(value).to_string();
    needed(out, "out") = text.c_str();
    if (length) *length = text.size();
  });
}
wick_status wick_value_get_tensor(const wick_value* value, wick_tensor** out, wick_error** error) {
  return give(out, error, [&] { return value_of(value).to_tensor(); });
}
wick_status wick_value_get_device(const wick_value* value, char** out, wick_error** error) {
  return give_text(out, error, [&] { return value_of(value).to_device().str(); });
}
wick_status wick_value_get_inner(const wick_value* value, wick_value** out, wick_error** error) {
  return give(out, error, [&] {
    const IValue& v = value_of(value);
    return v.is_future() ? v.to_future().wait() : v.to_enum().value;
  });
}

wick_status wick_value_size(const wick_value* value, size_t* out, wick_error** error) {
  return guard(error, [&] { needed(out, "out") = value_of(value).size(); });
}
wick_status wick_value_item(const wick_value* value, size_t index, wick_value** out, wick_error** error) {
  return give(out, error, [&] {
    const std::vector<IValue>& items = value_of(value).items();
    WICK_CHECK(index < items.size(), kIndexOutOfRange, "index ", index, " is out of range for ", items.size(),
               " items");
    return items[index];
  });
}
wick_status wick_value_append(wick_value* list, const wick_value* item, wick_error** error) {
  return guard(error, [&] {
    wick::ListImpl& to = value_of(list, "list").to_list();
    const IValue& added = value_of(item, "item");
    check_fits(added, *to.element_type, "item");
    to.items.push_back(added);
  });
}
wick_status wick_value_entry(const wick_value* dict, size_t index, wick_value** key, wick_value** value,
                             wick_error** error) {
  if (key) *key = nullptr;
  if (value) *value = nullptr;
  return guard(error, [&] {
    const auto& entries = value_of(dict, "dict").to_dict().entries();
    WICK_CHECK(index < entries.size(), kIndexOutOfRange, "index ", index, " is out of range for ", entries.size(),
               " entries");
    auto own_key = key ? std::make_unique<wick_value>(wick_value{entries[index].first}) : nullptr;
    if (value) *value = new wick_value{entries[index].second};
    if (key) *key = own_key.release();
  });
}
wick_status wick_value_find(const wick_value* dict, const wick_value* key, wick_value** out, wick_error** error) {
  return give(out, error, [&] {
    const IValue* found = value_of(dict, "dict").to_dict().find(value_of(key, "key"));
    WICK_CHECK(found, kNotFound, "the dict has no key ", wick::repr(value_of(key, "key")));
    return *found;
  });
}
wick_status wick_value_set(wick_value* dict, const wick_value* key, const wick_value* value, wick_error** error) {
  return guard(error, [&] {
    wick::DictImpl& to = value_of(dict, "dict").to_dict();
    check_fits(value_of(key, "key"), *to.key_type, "key");
    check_fits(value_of(value), *to.value_type, "value");
    to.set(key->value, value->value);
  });
}
wick_status wick_value_field(const wick_value* value, const char* name, wick_value** out, wick_error** error) {
  return give(out, error, [&] { return value_of(value).at(std::string_view(&needed(name, "name"))); });
}

}  // extern "C"
