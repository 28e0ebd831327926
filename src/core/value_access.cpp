// Elements of lists, tuples and dicts, and what conversions from and to C++ types refuse.
#include <ostream>

#include "core/check.h"
#include "core/repr.h"
#include "wick/ivalue.h"

namespace wick {
namespace detail {

void refuse_range(int64_t number) {
  fail_with<ErrorCode::kInvalidArgument>("the number ", number, " does not fit the C++ type asked for");
}
void refuse_range(uint64_t number) {
  fail_with<ErrorCode::kInvalidArgument>("the number ", std::to_string(number),
                                         " does not fit a model's int (64 bits, signed)");
}
void refuse_count(size_t wanted, size_t found) {
  fail_with<ErrorCode::kTypeMismatch>("expected a tuple of ", wanted, " items but got ", found);
}

}  // namespace detail

namespace {

[[noreturn]] void refuse_tag(const IValue& v, const char* wanted) {
  fail_with<ErrorCode::kTypeMismatch>("Expected ", wanted, " but got ", v.tag_name());
}

// The type of all values, or Any where they differ.
TypePtr common_type(const TypePtr& so_far, const IValue& v) {
  TypePtr type = v.type();
  if (!so_far || same_type(*so_far, *type)) return type;
  return types::any();
}

}  // namespace

IValue IValue::list(std::vector<IValue> items) {
  TypePtr type;
  for (const IValue& v : items) type = common_type(type, v);
  return list(type ? type : types::tensor(), std::move(items));
}

IValue IValue::empty_dict(TypePtr key_type, TypePtr value_type) {
  auto out = make_ref<DictImpl>();
  out->key_type = std::move(key_type);
  out->value_type = std::move(value_type);
  return IValue(std::move(out));
}

IValue IValue::dict(std::vector<std::pair<IValue, IValue>> entries) {
  TypePtr key_type, value_type;
  for (const auto& [key, value] : entries) {
    key_type = common_type(key_type, key);
    value_type = common_type(value_type, value);
  }
  IValue out = empty_dict(key_type ? key_type : types::string(), value_type ? value_type : types::tensor());
  for (auto& [key, value] : entries) out.to_dict().set(std::move(key), std::move(value));
  return out;
}

const std::vector<IValue>& IValue::items() const {
  if (is_tuple()) return to_tuple().items;
  if (!is_list()) refuse_tag(*this, "a list or tuple");
  return to_list().items;
}

size_t IValue::size() const {
  if (is_dict()) return to_dict().size();
  if (is_string()) return to_string().size();
  return items().size();
}

namespace {

const IValue& dict_value(const IValue& dict, const IValue& key) {
  const IValue* value = dict.to_dict().find(key);
  WICK_CHECK(value, kNotFound, "the dict has no key ", repr(key));
  return *value;
}

size_t position(int64_t index, size_t size) {
  const auto count = static_cast<int64_t>(size);
  WICK_CHECK(index >= -count && index < count, kIndexOutOfRange, "index ", index, " is out of range for ", size,
             " items");
  return static_cast<size_t>(index < 0 ? index + count : index);
}

}  // namespace

IValue IValue::at(int64_t index) const {
  if (is_dict()) return dict_value(*this, index);
  const std::vector<IValue>& all = items();
  return all[position(index, all.size())];
}

IValue IValue::at(std::string_view key) const {
  if (is_object()) return to_object().attr(key);
  if (is_tuple() && to_tuple().named_type) {
    const std::vector<std::string>& fields = to_tuple().named_type->fields();
    for (size_t i = 0; i < fields.size() && i < size(); ++i) {
      if (fields[i] == key) return items()[i];
    }
    fail_with<ErrorCode::kNotFound>("the named tuple has no field '", key, "'");
  }
  if (!is_dict()) refuse_tag(*this, "a dict, object or named tuple");
  return dict_value(*this, key);
}

bool IValue::contains(const IValue& key) const { return to_dict().find(key) != nullptr; }

void IValue::set(const IValue& key, IValue value) const {
  if (is_dict()) {
    to_dict().set(key, std::move(value));
    return;
  }
  std::vector<IValue>& all = to_list().items;
  all[position(key.to_int(), all.size())] = std::move(value);
}

std::ostream& operator<<(std::ostream& out, const IValue& v) { return out << repr(v); }

std::ostream& operator<<(std::ostream& out, const Tensor& t) {
  if (!t.defined()) return out << "[ Tensor (undefined) ]";
  std::string text;
  append_tensor(text, t);
  return out << text;
}

}  // namespace wick
