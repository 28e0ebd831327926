// Python objects as values of a model, and back: numbers, strings, containers, named tuples.
#include "values.h"

#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>

#include <complex>
#include <map>
#include <mutex>
#include <optional>

#include "running.h"

namespace wick_python {

using wick::IValue;

namespace {

// Lists may hold themselves.
constexpr int kMaxDepth = 200;
thread_local int t_depth = 0;
struct Level {
  Level() {
    if (++t_depth > kMaxDepth) {
      --t_depth;
      throw nb::value_error("containers are nested more than 200 deep, or hold themselves");
    }
  }
  ~Level() { --t_depth; }
};

std::string to_text(nb::handle object) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (!text) throw nb::python_error();
  return {text, static_cast<size_t>(size)};
}

std::vector<IValue> items_of(nb::handle sequence) {
  std::vector<IValue> out;
  const size_t size = nb::len(sequence);
  out.reserve(size);
  for (nb::handle item : nb::borrow<nb::object>(sequence)) out.push_back(to_value(item));
  return out;
}

IValue to_tuple(nb::handle object) {
  std::vector<IValue> items = items_of(object);
  if (PyTuple_CheckExact(object.ptr()) || !nb::hasattr(object, "_fields")) return IValue::tuple(std::move(items));
  std::vector<std::string> fields;
  for (nb::handle name : nb::object(object.attr("_fields"))) fields.push_back(to_text(name));
  std::vector<wick::TypePtr> types;
  for (const IValue& item : items) types.push_back(item.type());
  auto out = wick::make_ref<wick::TupleImpl>();
  out->items = std::move(items);
  out->named_type = wick::types::named_tuple(to_text(nb::object(object.type().attr("__name__"))), std::move(fields),
                                             std::move(types));
  return IValue(out);
}

IValue to_dict(nb::handle object) {
  std::vector<std::pair<IValue, IValue>> entries;
  // Converting may run the code of others, which may change the dict: its items as they are now.
  const nb::object items = nb::steal(PyMapping_Items(object.ptr()));
  if (!items.is_valid()) throw nb::python_error();
  for (nb::handle item : items) entries.emplace_back(to_value(item[0]), to_value(item[1]));
  return IValue::dict(std::move(entries));
}

// collections.namedtuple classes by name and fields. Made once; never freed, as classes of modules are not.
nb::object named_tuple_class(const wick::Type& type) {
  static std::mutex mutex;
  static auto& classes = *new std::map<std::string, PyObject*>;
  std::string key = type.name();
  nb::list fields;
  for (const std::string& field : type.fields()) {
    key += "\n" + field;
    fields.append(nb::str(field.c_str()));
  }
  {
    const std::lock_guard lock(mutex);
    if (const auto found = classes.find(key); found != classes.end()) return nb::borrow(found->second);
  }
  const std::string name = type.name().substr(type.name().rfind('.') + 1);
  nb::object made =
      nb::module_::import_("collections")
          .attr("namedtuple")(nb::str(name.c_str()), fields, nb::arg("rename") = true, nb::arg("module") = "wick");
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = classes.emplace(key, made.ptr());
  if (is_new) made.inc_ref();
  return nb::borrow(place->second);
}

nb::object tuple_to_python(const wick::TupleImpl& tuple) {
  const auto size = static_cast<Py_ssize_t>(tuple.items.size());
  nb::object out = nb::steal(PyTuple_New(size));
  if (!out.is_valid()) throw nb::python_error();
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (PyTuple_SetItem(out.ptr(), i, to_python(tuple.items[static_cast<size_t>(i)]).release().ptr()) != 0)
      throw nb::python_error();
  }
  if (!tuple.named_type || tuple.named_type->fields().size() != tuple.items.size()) return out;
  return named_tuple_class(*tuple.named_type).attr("_make")(out);
}

// wick.Device, a str that is a device to models.
nb::object device_class() { return nb::module_::import_("wick._device").attr("Device"); }

// Whether the object is PyTorch's of the name: torch.device, torch.dtype, ...
bool is_of_torch(nb::handle object, const char* name) {
  const nb::handle type = object.type();
  return nb::object(type.attr("__name__")).equal(nb::str(name)) &&
         nb::object(type.attr("__module__")).equal(nb::str("torch"));
}

// Of PyTorch's objects that are no arrays; nothing for others. A dtype is a number in a model.
std::optional<IValue> value_of_torch(nb::handle object) {
  const auto text = [&] { return to_text(nb::object(nb::str(object))); };
  if (is_of_torch(object, "device")) return IValue(wick::Device::parse(text()));
  if (is_of_torch(object, "dtype")) return IValue(static_cast<int64_t>(dtype_of(object)));
  return std::nullopt;
}

bool is_instance_of(nb::handle object, const char* name) {
  const nb::object type = nb::module_::import_("collections.abc").attr(name);
  const int answer = PyObject_IsInstance(object.ptr(), type.ptr());
  if (answer < 0) throw nb::python_error();
  return answer == 1;
}

// Sequences and mappings that are not Python's own: range, deque, MappingProxyType, UserDict. Arrays of other libraries
// are sequences, too, and are none here.
std::optional<IValue> value_of_container(nb::handle object) {
  if (PyObject_CheckBuffer(object.ptr()) || nb::hasattr(object, "__dlpack__") || nb::hasattr(object, "__array__")) {
    return std::nullopt;
  }
  const Level level;
  if (is_instance_of(object, "Mapping")) return to_dict(object);
  if (is_instance_of(object, "Sequence")) return IValue::list(items_of(nb::list(nb::borrow(object))));
  return std::nullopt;
}

}  // namespace

int64_t to_int64(nb::handle object) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow) {
    PyErr_SetString(PyExc_OverflowError, "an int of a model has 64 bits: the number is too large");
    throw nb::python_error();
  }
  if (number == -1 && PyErr_Occurred()) throw nb::python_error();
  return number;
}

IValue to_value(nb::handle object) {
  PyObject* p = object.ptr();
  if (nb::isinstance<wick::Tensor>(object)) return IValue(nb::cast<const wick::Tensor&>(object));
  if (p == Py_None) return IValue();
  if (PyBool_Check(p)) return IValue(p == Py_True);
  if (PyLong_CheckExact(p)) return IValue(to_int64(object));
  if (PyFloat_Check(p)) return IValue(PyFloat_AsDouble(p));
  if (PyUnicode_CheckExact(p)) return IValue(to_text(object));
  if (PyUnicode_Check(p)) {
    const int is_device = PyObject_IsInstance(p, device_class().ptr());
    if (is_device < 0) throw nb::python_error();
    return is_device ? IValue(wick::Device::parse(to_text(object))) : IValue(to_text(object));
  }
  if (PyTuple_Check(p) || PyList_Check(p) || PyDict_Check(p)) {
    const Level level;
    return PyTuple_Check(p) ? to_tuple(object) : PyList_Check(p) ? IValue::list(items_of(object)) : to_dict(object);
  }
  if (nb::isinstance<Value>(object)) return nb::cast<const Value&>(object).value;
  if (PyLong_Check(p)) return IValue(to_int64(object));
  if (PyComplex_Check(p)) return IValue(std::complex<double>(PyComplex_RealAsDouble(p), PyComplex_ImagAsDouble(p)));
  if (is_numpy_scalar(object)) return IValue(to_scalar(object));
  if (!PyObject_CheckBuffer(p)) {
    if (std::optional<IValue> value = value_of_torch(object)) return *value;
    if (std::optional<IValue> value = value_of_container(object)) return *value;
  }
  return IValue(to_tensor(object));
}

nb::object to_python(const IValue& value) {
  switch (value.tag()) {
    case IValue::Tag::kNone:
    case IValue::Tag::kUninitialized:
      return nb::none();
    case IValue::Tag::kBool:
      return nb::bool_(value.to_bool());
    case IValue::Tag::kInt:
      return nb::int_(value.to_int());
    case IValue::Tag::kDouble:
      return nb::float_(value.to_double());
    case IValue::Tag::kComplex:
      return nb::cast(value.to_complex());
    case IValue::Tag::kString: {
      const std::string& text = value.to_string();
      nb::object out = nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
      if (!out.is_valid()) throw nb::python_error();
      return out;
    }
    case IValue::Tag::kTensor:
      return nb::cast(value.to_tensor());
    case IValue::Tag::kDevice:
      return device_class()(nb::str(value.to_device().str().c_str()));
    case IValue::Tag::kTuple: {
      const Level level;
      return tuple_to_python(value.to_tuple());
    }
    case IValue::Tag::kList: {
      const Level level;
      nb::list out;
      for (const IValue& item : value.to_list().items) out.append(to_python(item));
      return out;
    }
    case IValue::Tag::kDict: {
      const Level level;
      nb::dict out;
      for (const auto& [key, item] : value.to_dict().entries()) out[to_python(key)] = to_python(item);
      return out;
    }
    case IValue::Tag::kFuture:
      return to_python(run_released([&] { return value.to_future().wait(); }));
    default:
      return nb::cast(Value{value});
  }
}

std::vector<IValue> to_values(nb::handle sequence) { return items_of(nb::tuple(nb::borrow<nb::object>(sequence))); }

std::vector<std::vector<IValue>> to_inputs(nb::handle inputs) {
  std::vector<std::vector<IValue>> out;
  for (nb::handle one : nb::object(nb::borrow<nb::object>(inputs))) {
    if (PyTuple_Check(one.ptr()) || PyList_Check(one.ptr())) {
      out.push_back(to_values(one));
    } else {
      out.push_back({to_value(one)});
    }
  }
  return out;
}

namespace {

// Members of an object come first, whatever they are called; then what every value says of itself.
nb::object member_of(const Value& v, const std::string& name) {
  if (v.value.is_object() && v.value.to_object().cls->slot_of(name) >= 0) {
    return to_python(v.value.to_object().attr(name));
  }
  if (name == "type") return nb::str(v.value.type()->str().c_str());
  if (v.value.is_enum() && name == "name") return nb::str(v.value.to_enum().name.c_str());
  if (v.value.is_enum() && name == "value") return to_python(v.value.to_enum().value);
  throw nb::attribute_error((v.value.type()->str() + " has no attribute '" + name + "'").c_str());
}

bool is_equal(const Value& a, const Value& b) {
  if (!a.value.is_enum() || !b.value.is_enum()) return a.value.is_same(b.value);
  const wick::EnumImpl &x = a.value.to_enum(), &y = b.value.to_enum();
  return x.type_name == y.type_name && to_python(x.value).equal(to_python(y.value));
}

}  // namespace

void bind_values(nb::module_& m) {
  nb::class_<Value>(m, "Value",
                    "A value that Python has no type for: an object of a model's class, an enum, a generator.\n\n"
                    "Attributes are those of the model's object; besides, `type` says its type, and an enum has `name` "
                    "and `value`. Enums are equal where type and value are, others where they are the same object.")
      .def("__repr__",
           [](const Value& v) {
             std::string text = wick::repr(v.value);
             if (text.size() > 200) text = text.substr(0, 200) + "...";
             return "<wick.Value " + v.value.type()->str() + ": " + text + ">";
           })
      .def(
          "__eq__",
          [](const Value& v, nb::handle other) -> nb::object {
            if (!nb::isinstance<Value>(other)) return nb::borrow(Py_NotImplemented);
            return nb::bool_(is_equal(v, nb::cast<const Value&>(other)));
          },
          nb::arg("other").none())
      .def("__hash__",
           [](const Value& v) -> Py_hash_t {
             if (!v.value.is_enum()) return static_cast<Py_hash_t>(std::hash<void*>{}(v.value.ref_or_null()) >> 1);
             const nb::object key =
                 nb::make_tuple(nb::str(v.value.to_enum().type_name.c_str()), to_python(v.value.to_enum().value));
             return nb::hash(key);
           })
      .def("__dir__",
           [](const Value& v) {
             nb::list out;
             if (v.value.is_object()) {
               for (const std::string& name : v.value.to_object().cls->attributes) out.append(nb::str(name.c_str()));
             }
             out.append(nb::str("type"));
             if (v.value.is_enum()) {
               out.append(nb::str("name"));
               out.append(nb::str("value"));
             }
             return out;
           })
      .def("__getattr__", &member_of);
  m.def("device_name", [](const std::string& text) { return wick::Device::parse(text).str(); });
}

}  // namespace wick_python
