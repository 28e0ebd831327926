// wick.Tensor: shape, elements, indices, arithmetic, and what a tensor may be made of.
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <sstream>

#include "arrays.h"
#include "values.h"
#include "wick/wick.h"

namespace wick_python {

using wick::DType;
using wick::IValue;
using wick::Scalar;
using wick::Tensor;

namespace {

// numpy.ndarray and numpy.generic where NumPy is loaded.
struct NumpyTypes {
  // Written under the GIL or, without one, always with the same values.
  PyObject* array = nullptr;
  PyObject* generic = nullptr;
};

const NumpyTypes& numpy_types() {
  static NumpyTypes types;
  if (types.generic) return types;
  PyObject* numpy = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
  if (!numpy || !nb::hasattr(numpy, "generic") || !nb::hasattr(numpy, "ndarray")) return types;
  types.array = nb::object(nb::handle(numpy).attr("ndarray")).release().ptr();
  types.generic = nb::object(nb::handle(numpy).attr("generic")).release().ptr();
  return types;
}

bool is_of(nb::handle object, PyObject* type) { return type && PyObject_IsInstance(object.ptr(), type) == 1; }

// Of what has the attribute `dtype` of NumPy.
std::string dtype_name(nb::handle object) { return nb::cast<std::string>(nb::str(nb::object(object.attr("dtype")))); }

// A number of NumPy as one of Python. What is no number there (datetime64, str_, void) is none here either; ml_dtypes
// calls its floating-point types void.
Scalar numpy_number(nb::handle object) {
  PyObject* p = object.ptr();
  const std::string kind = nb::cast<std::string>(nb::object(object.attr("dtype").attr("kind")));
  if (kind == "b") return Scalar(PyObject_IsTrue(p) == 1);
  if (kind == "i" || kind == "u") return Scalar(to_int64(object));
  if (kind == "f" || (kind == "V" && wick::dtype_from_torch_name(dtype_name(object)))) {
    const nb::object number = nb::steal(PyNumber_Float(p));
    if (!number.is_valid()) throw nb::python_error();
    return Scalar(PyFloat_AsDouble(number.ptr()));
  }
  if (kind == "c") {
    const nb::object number = nb::handle(reinterpret_cast<PyObject*>(&PyComplex_Type))(object);
    return Scalar(std::complex<double>(PyComplex_RealAsDouble(number.ptr()), PyComplex_ImagAsDouble(number.ptr())));
  }
  throw nb::type_error(("a model takes no numpy." + dtype_name(object) + "; convert it to a number first").c_str());
}

}  // namespace

bool is_numpy_array(nb::handle object) { return is_of(object, numpy_types().array); }

// Scalars of NumPy are numbers here, as in PyTorch, although they have buffers.
bool is_numpy_scalar(nb::handle object) {
  const NumpyTypes& types = numpy_types();
  return object.type().ptr() != types.array && is_of(object, types.generic);
}

Scalar to_scalar(nb::handle object) {
  PyObject* p = object.ptr();
  if (PyBool_Check(p)) return Scalar(p == Py_True);
  if (PyLong_Check(p)) return Scalar(to_int64(object));
  if (PyFloat_Check(p)) return Scalar(PyFloat_AsDouble(p));
  if (PyComplex_Check(p)) return Scalar(std::complex<double>(PyComplex_RealAsDouble(p), PyComplex_ImagAsDouble(p)));
  if (is_numpy_scalar(object)) return numpy_number(object);
  throw nb::type_error("expected a number");
}

namespace {

nb::object tuple_of(wick::IntSpan ints) {
  nb::object out = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(ints.size())));
  for (size_t i = 0; i < ints.size(); ++i)
    PyTuple_SetItem(out.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLongLong(ints[i]));
  return out;
}

// Nested lists of numbers, as torch.tensor reads them.
void flatten(nb::handle object, size_t depth, std::vector<int64_t>& sizes, std::vector<Scalar>& out) {
  if (!PyList_Check(object.ptr()) && !PyTuple_Check(object.ptr())) {
    if (depth != sizes.size()) throw nb::value_error("lists of a tensor must all be equally deep");
    out.push_back(to_scalar(object));
    return;
  }
  if (depth >= 64) throw nb::value_error("lists are nested too deeply for a tensor");
  const auto size = static_cast<int64_t>(nb::len(object));
  if (depth == sizes.size()) {
    if (!out.empty()) throw nb::value_error("lists of a tensor must all be equally deep");
    sizes.push_back(size);
  } else if (sizes[depth] != size) {
    throw nb::value_error("lists of a tensor must all be equally long");
  }
  for (nb::handle item : nb::borrow<nb::object>(object)) flatten(item, depth + 1, sizes, out);
}

Tensor tensor_of_lists(nb::handle object) {
  std::vector<int64_t> sizes;
  std::vector<Scalar> numbers;
  flatten(object, 0, sizes, numbers);
  auto kind = numbers.empty() ? Scalar::Kind::kDouble : Scalar::Kind::kBool;
  for (const Scalar& number : numbers) kind = std::max(kind, number.kind());
  const DType dtype = kind == Scalar::Kind::kBool     ? DType::kBool
                      : kind == Scalar::Kind::kInt    ? DType::kLong
                      : kind == Scalar::Kind::kDouble ? DType::kFloat
                                                      : DType::kComplexFloat;
  Tensor out = Tensor::empty(sizes, dtype);
  // Another thread may have changed the lists meanwhile.
  if (static_cast<size_t>(out.numel()) != numbers.size()) {
    throw nb::value_error("lists of a tensor must all be equally long");
  }
  void* data = out.data_ptr();
  for (size_t i = 0; i < numbers.size(); ++i) {
    switch (dtype) {
      case DType::kBool:
        static_cast<bool*>(data)[i] = numbers[i].to_bool();
        break;
      case DType::kLong:
        static_cast<int64_t*>(data)[i] = numbers[i].to_int();
        break;
      case DType::kFloat:
        static_cast<float*>(data)[i] = static_cast<float>(numbers[i].to_double());
        break;
      default:
        static_cast<std::complex<float>*>(data)[i] = std::complex<float>(numbers[i].to_complex());
    }
  }
  return out;
}

nb::object scalar_to_python(const Scalar& s) { return to_python(IValue(s)); }

nb::object to_list(const Tensor& t) {
  if (t.is_quantized()) return to_list(wick::dequantize(t));
  if (t.dim() == 0) return scalar_to_python(t.item());
  nb::list out;
  for (int64_t i = 0; i < t.size(0); ++i) out.append(to_list(t[i]));
  return out;
}

// Whether the object has the memory of an array. Those of NumPy have __index__ too, and most of them refuse it.
bool is_array(nb::handle object) {
  return nb::isinstance<Tensor>(object) || PyObject_CheckBuffer(object.ptr()) || nb::hasattr(object, "__dlpack__") ||
         nb::hasattr(object, "__array__") || nb::hasattr(object, "__array_interface__");
}

wick::Index to_index(nb::handle object) {
  PyObject* p = object.ptr();
  if (p == Py_None) return std::nullopt;
  if (p == Py_Ellipsis) return wick::kEllipsis;
  if (PyBool_Check(p)) return wick::Index(p == Py_True);
  if (PySlice_Check(p)) {
    const auto part = [&](const char* name) -> std::optional<int64_t> {
      nb::object value = object.attr(name);
      if (value.is_none()) return std::nullopt;
      const Py_ssize_t number = PyNumber_AsSsize_t(value.ptr(), nullptr);  // the nearest there is, as slices of lists
      if (number == -1 && PyErr_Occurred()) throw nb::python_error();
      return number;
    };
    constexpr int64_t kMaxStep = int64_t{1} << 62;  // no tensor has as many elements, and sums do not overflow
    return wick::Slice(part("start"), part("stop"), std::min(part("step").value_or(1), kMaxStep));
  }
  if (is_numpy_scalar(object)) {
    const Scalar number = to_scalar(object);
    if (number.kind() == Scalar::Kind::kBool) return wick::Index(number.to_bool());
    if (number.kind() != Scalar::Kind::kInt) throw nb::type_error("a number that is an index is an integer");
    return number.to_int();
  }
  if (PyIndex_Check(p) && !is_array(object)) return to_int64(object);
  const Tensor at = to_tensor(object);
  const DType dtype = at.dtype();
  const bool is_list = PyList_Check(p) || PyTuple_Check(p);
  if (dtype == DType::kChar || dtype == DType::kShort || dtype == DType::kInt || dtype == DType::kUInt16 ||
      dtype == DType::kUInt32 || (is_list && at.numel() == 0)) {
    return wick::to(at, DType::kLong);
  }
  return at;
}

std::vector<wick::Index> to_indices(nb::handle object) {
  std::vector<wick::Index> out;
  if (!PyTuple_Check(object.ptr())) return {to_index(object)};
  for (nb::handle part : nb::borrow<nb::tuple>(object)) out.push_back(to_index(part));
  return out;
}

// t[indices] = values, for any number of indices of which one is a tensor.
void put(const Tensor& t, const std::vector<wick::Index>& at, const Tensor& values) {
  switch (at.size()) {
    case 1:
      t.index_put_({at[0]}, values);
      return;
    case 2:
      t.index_put_({at[0], at[1]}, values);
      return;
    case 3:
      t.index_put_({at[0], at[1], at[2]}, values);
      return;
    case 4:
      t.index_put_({at[0], at[1], at[2], at[3]}, values);
      return;
    default:
      throw nb::type_error("assignment through more than four indices, tensors among them; use numpy.asarray(t)");
  }
}

nb::object as_numpy(nb::handle self) {
  const Tensor& t = nb::cast<const Tensor&>(self);
  nb::module_ numpy = nb::module_::import_("numpy");
  if (t.is_quantized()) return as_numpy(nb::cast(wick::dequantize(t)));
  if (t.dtype() == DType::kBFloat16) return as_numpy(nb::cast(wick::to(t, DType::kFloat)));
  return numpy.attr("asarray")(nb::steal(PyMemoryView_FromObject(self.ptr())));
}

std::string repr_of(const Tensor& t) {
  constexpr int64_t kShown = 1000;
  std::string out = "wick.Tensor(" + describe(t);
  if (t.numel() == 0) return out + ")";
  if (t.numel() > kShown) {
    std::ostringstream first;
    const Tensor flat = wick::reshape(t.is_quantized() ? wick::dequantize(t) : t, {-1});
    for (int64_t i = 0; i < 6; ++i) first << (i ? ", " : "") << wick::repr(IValue(flat[i].item()));
    return out + ": " + first.str() + ", ...)";
  }
  std::string values = wick::repr(IValue(t));
  const size_t note = values.rfind("\n[ ");
  return out + ",\n" + (note == std::string::npos ? values : values.substr(0, note)) + ")";
}

// a OP b, where b is a number or anything that is a tensor; of others NotImplemented, so that Python asks b.
template <class F>
nb::object arithmetic(nb::handle other, F&& work) {
  PyObject* p = other.ptr();
  const bool is_text = PyUnicode_Check(p);
  if (!is_text && (PyLong_Check(p) || PyFloat_Check(p) || PyComplex_Check(p) || is_numpy_scalar(other))) {
    return nb::cast(work(to_scalar(other)));
  }
  if (is_text || !(PyList_Check(p) || PyTuple_Check(p) || is_array(other))) return nb::borrow(Py_NotImplemented);
  return nb::cast(work(to_tensor(other)));
}

// The same for == and !=, where an array of what a tensor cannot hold is not equal, and no error.
template <class F>
nb::object comparison(nb::handle other, F&& work) {
  try {
    return arithmetic(other, work);
  } catch (const nb::builtin_exception& e) {
    if (e.type() != nb::exception_type::type_error) throw;
    return nb::borrow(Py_NotImplemented);
  }
}

// A number as a tensor that `like` is computed with: of its dtype, where that holds numbers of the kind.
Tensor beside(const Tensor& like, const Scalar& number) {
  const DType dtype = like.dtype();
  const auto kind = wick::is_complex(dtype)           ? Scalar::Kind::kComplex
                    : wick::is_floating(dtype)        ? Scalar::Kind::kDouble
                    : wick::is_integral(dtype, false) ? Scalar::Kind::kInt
                                                      : Scalar::Kind::kBool;
  if (number.kind() <= kind) return Tensor::scalar(number, dtype);
  return Tensor::scalar(number, number.kind() == Scalar::Kind::kInt      ? DType::kLong
                                : number.kind() == Scalar::Kind::kDouble ? DType::kFloat
                                                                         : DType::kComplexFloat);
}
const Tensor& beside(const Tensor&, const Tensor& tensor) { return tensor; }

// Arrays of NumPy whose dtypes the buffer protocol has no names for. Those of ml_dtypes (bfloat16, float8_e4m3fn, ...)
// are taken by a view of their bits.
Tensor tensor_of_named_dtype(nb::handle array, bool force_copy) {
  const std::string name = dtype_name(array);
  const std::optional<DType> dtype = wick::dtype_from_torch_name(name);
  if (!dtype || wick::itemsize(*dtype) > 2) {
    throw nb::type_error(
        ("an array of dtype " + name + " is no tensor; convert it first, e.g. array.astype('float32')").c_str());
  }
  const nb::object bits = array.attr("view")(wick::itemsize(*dtype) == 2 ? "uint16" : "uint8");
  return tensor_of_buffer(bits.ptr(), force_copy, dtype).value();
}

}  // namespace

std::string describe(const Tensor& tensor) {
  std::string out = std::string(wick::torch_name_of(tensor.dtype())) + " [";
  for (size_t i = 0; i < tensor.sizes().size(); ++i) out += (i ? ", " : "") + std::to_string(tensor.sizes()[i]);
  return out + "]";
}

// NumPy's short names, which its users write.
constexpr std::pair<const char*, const char*> kNumpyCodes[] = {
    {"?", "bool"},     {"b1", "bool"},   {"i1", "int8"},   {"i2", "int16"},  {"i4", "int32"},     {"i8", "int64"},
    {"u1", "uint8"},   {"u2", "uint16"}, {"u4", "uint32"}, {"u8", "uint64"}, {"f2", "float16"},   {"f4", "float32"},
    {"f8", "float64"}, {"f", "float32"}, {"d", "float64"}, {"e", "float16"}, {"c8", "complex64"}, {"c16", "complex128"},
};

DType dtype_of(nb::handle object) {
  std::string name;
  if (PyUnicode_Check(object.ptr())) {
    name = nb::cast<std::string>(object);
  } else if (object.ptr() == reinterpret_cast<PyObject*>(&PyFloat_Type)) {
    name = "float32";
  } else if (object.ptr() == reinterpret_cast<PyObject*>(&PyLong_Type)) {
    name = "int64";
  } else if (object.ptr() == reinterpret_cast<PyObject*>(&PyBool_Type)) {
    name = "bool";
  } else if (nb::hasattr(object, "__name__")) {
    name = nb::cast<std::string>(nb::object(object.attr("__name__")));  // numpy.float32
  } else {
    name = nb::cast<std::string>(nb::str(object));  // torch.float32, numpy.dtype('float32')
  }
  for (const auto& [code, full] : kNumpyCodes) {
    if (name == code) name = full;
  }
  const std::optional<DType> dtype = wick::dtype_from_torch_name(name);
  if (!dtype) throw nb::type_error(("unknown dtype '" + name + "'; e.g. 'float32', 'int64', 'uint8'").c_str());
  return *dtype;
}

Tensor to_tensor(nb::handle object, bool force_copy) {
  PyObject* p = object.ptr();
  if (nb::isinstance<Tensor>(object)) {
    const Tensor& t = nb::cast<const Tensor&>(object);
    return force_copy ? wick::clone(t) : t;
  }
  if (is_numpy_scalar(object)) {
    const Scalar number = to_scalar(object);
    return Tensor::scalar(number, dtype_of(nb::object(object.attr("dtype"))));
  }
  if (std::optional<Tensor> made = tensor_of_buffer(p, force_copy)) return *made;
  if (is_numpy_array(object)) return tensor_of_named_dtype(object, force_copy);
  if (std::optional<Tensor> made = tensor_of_dlpack(object, force_copy)) return *made;
  if (nb::hasattr(object, "__array__") || nb::hasattr(object, "__array_interface__")) {
    nb::object array = nb::module_::import_("numpy").attr("asarray")(object);
    if (std::optional<Tensor> made = tensor_of_buffer(array.ptr(), force_copy)) return *made;
  }
  if (PyList_Check(p) || PyTuple_Check(p)) return tensor_of_lists(object);
  if (PyBool_Check(p) || PyLong_Check(p) || PyFloat_Check(p) || PyComplex_Check(p)) return tensor_of_lists(object);
  throw nb::type_error(("a model takes no " +
                        nb::cast<std::string>(nb::str(nb::object(object.type().attr("__name__")))) +
                        ": expected None, a number, a string, an array (NumPy, DLPack or buffer), or lists, tuples and "
                        "dicts of these")
                           .c_str());
}

void bind_tensor(nb::module_& m) {
  nb::class_<Tensor> tensor(
      m, "Tensor", nb::type_slots(tensor_slots), nb::is_weak_referenceable(),
      "An array of a model. Shares its memory with NumPy (numpy.asarray), PyTorch (torch.from_dlpack) and JAX.");
  refuse_construction(tensor,
                      "wick.tensor(data) makes a tensor, wick.asarray(array) one that shares the array's memory");
  tensor.def_prop_ro("shape", [](const Tensor& t) { return tuple_of(t.sizes()); })
      .def_prop_ro(
          "strides", [](const Tensor& t) { return tuple_of(t.strides()); }, "In elements.")
      .def_prop_ro("dtype", [](const Tensor& t) { return wick::torch_name_of(t.dtype()); })
      .def_prop_ro("ndim", [](const Tensor& t) { return t.dim(); })
      .def_prop_ro("size", [](const Tensor& t) { return t.numel(); })
      .def_prop_ro("itemsize", [](const Tensor& t) { return t.itemsize(); })
      .def_prop_ro("nbytes", [](const Tensor& t) { return t.nbytes(); })
      .def_prop_ro("is_quantized", [](const Tensor& t) { return t.is_quantized(); })
      .def_prop_ro("requires_grad", [](const Tensor& t) { return t.requires_grad(); })
      .def(
          "data_ptr", [](const Tensor& t) { return reinterpret_cast<uintptr_t>(t.data_ptr()); },
          "The address of the first element.")
      .def("is_contiguous", [](const Tensor& t) { return t.is_contiguous(); })
      .def("contiguous", [](const Tensor& t) { return t.contiguous(); })
      .def("copy", [](const Tensor& t) { return wick::clone(t); })
      .def("dequantize", [](const Tensor& t) { return wick::dequantize(t); })
      .def(
          "numpy", [](nb::handle self) { return as_numpy(self); },
          "As a NumPy array that shares the memory (bfloat16 and quantized tensors: a float32 copy).")
      .def("tolist", [](const Tensor& t) { return to_list(t); })
      .def("item", [](const Tensor& t) { return scalar_to_python(t.item()); })
      .def(
          "to",
          [](const Tensor& t, nb::handle dtype) {
            const bool is_here = PyUnicode_Check(dtype.ptr()) && nb::cast<std::string>(dtype) == "cpu";
            return is_here ? t : wick::to(t, dtype_of(dtype));
          },
          nb::arg("dtype"),
          "In another dtype: 'float32', numpy.float32, torch.float32. \"cpu\", where it is, is taken too.");
  tensor
      .def(
          "__array__",
          [](nb::handle self, nb::handle dtype, nb::handle copy) {
            const Tensor& t = nb::cast<const Tensor&>(self);
            nb::object out = as_numpy(self);
            bool is_copied = t.is_quantized() || t.dtype() == DType::kBFloat16;
            if (!dtype.is_none()) {
              nb::object typed = out.attr("astype")(dtype, nb::arg("copy") = false);
              is_copied = is_copied || !typed.is(out);
              out = std::move(typed);
            }
            if (copy.ptr() == Py_False && is_copied) {
              throw nb::value_error((describe(t) + " cannot be an array of this dtype without a copy").c_str());
            }
            return copy.ptr() == Py_True && !is_copied ? nb::object(out.attr("copy")()) : out;
          },
          nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none())
      .def(
          "__dlpack__",
          [](const Tensor& t, nb::handle, std::optional<std::tuple<int, int>> max_version, nb::handle device,
             nb::handle copy) {
            if (!device.is_none()) {
              const nb::tuple wanted(nb::borrow(device));
              if (wanted.size() != 2 || to_int64(wanted[0]) != 1 || to_int64(wanted[1]) != 0) {
                throw nb::buffer_error("the tensor is in the processor's memory, device (1, 0), and goes to no other");
              }
            }
            const bool versioned = max_version && std::get<0>(*max_version) >= 1;
            const bool is_copied = copy.ptr() == Py_True;
            return dlpack_of(is_copied ? wick::clone(t) : t, versioned, is_copied);
          },
          nb::kw_only(), nb::arg("stream") = nb::none(), nb::arg("max_version") = nb::none(),
          nb::arg("dl_device") = nb::none(), nb::arg("copy") = nb::none())
      .def("__dlpack_device__", [](const Tensor&) { return std::make_tuple(1, 0); })
      .def("__len__",
           [](const Tensor& t) {
             if (t.dim() == 0) throw nb::type_error("a tensor without dims has no length");
             return t.size(0);
           })
      .def(
          "__getitem__",
          [](const Tensor& t, nb::handle at) {
            const std::vector<wick::Index> indices = to_indices(at);
            return t.index(wick::Span<wick::Index>(indices));
          },
          nb::arg("index").none())
      .def(
          "__setitem__",
          [](const Tensor& t, nb::handle at, nb::handle value) {
            const std::vector<wick::Index> indices = to_indices(at);
            const Tensor values = wick::to(to_tensor(value), t.dtype());
            for (const wick::Index& index : indices) {
              if (index.kind() == wick::Index::Kind::kTensor) return put(t, indices, values);
            }
            wick::copy_(t.index(wick::Span<wick::Index>(indices)), values);
          },
          nb::arg("index").none(), nb::arg("value"))
      .def("__iter__",
           [](const Tensor& t) {
             nb::list items;
             if (t.dim() == 0) throw nb::type_error("a tensor without dims has no items");
             for (int64_t i = 0; i < t.size(0); ++i) items.append(nb::cast(t[i]));
             return nb::iter(items);
           })
      .def("__float__", [](const Tensor& t) { return t.item().to_double(); })
      .def("__int__", [](const Tensor& t) { return t.item().to_int(); })
      .def("__index__",
           [](const Tensor& t) {
             if (!wick::is_integral(t.dtype(), true)) throw nb::type_error("only a tensor of one integer is an index");
             return t.item().to_int();
           })
      .def("__bool__", [](const Tensor& t) { return t.item().to_bool(); })
      .def("__repr__", &repr_of)
      .def("__copy__", [](const Tensor& t) { return t; })
      .def(
          "__deepcopy__", [](const Tensor& t, nb::handle) { return wick::clone(t); }, nb::arg("memo").none())
      .def("__reduce__", [](const Tensor& t) {
        if (t.is_quantized()) {
          throw nb::type_error("a quantized tensor cannot be pickled; take .dequantize(), or wick.save_tensors()");
        }
        const Tensor rows = t.contiguous();
        return nb::make_tuple(nb::module_::import_("wick._api").attr("_restore_tensor"),
                              nb::make_tuple(nb::bytes(rows.numel() > 0 ? rows.data_ptr() : "", rows.nbytes()),
                                             tuple_of(t.sizes()), wick::torch_name_of(t.dtype())));
      });

  // Arithmetic, with PyTorch's broadcasting and promotion.
  tensor.def("__neg__", [](const Tensor& t) { return wick::neg(t); })
      .def("__abs__", [](const Tensor& t) { return wick::abs(t); })
      .def("__invert__", [](const Tensor& t) { return wick::bitwise_not(t); });
#define WICK_BINARY(kind, name, expression)                                      \
  tensor.def(                                                                    \
      name,                                                                      \
      [](const Tensor& a, nb::handle other) {                                    \
        return kind(other, [&](const auto& b) -> Tensor { return expression; }); \
      },                                                                         \
      nb::arg("other").none());
#define WICK_ARITHMETIC(name, expression) WICK_BINARY(arithmetic, name, expression)
  WICK_ARITHMETIC("__add__", wick::add(a, b))
  WICK_ARITHMETIC("__radd__", wick::add(a, b))
  WICK_ARITHMETIC("__sub__", wick::sub(a, b))
  WICK_ARITHMETIC("__rsub__", wick::rsub(a, b))
  WICK_ARITHMETIC("__mul__", wick::mul(a, b))
  WICK_ARITHMETIC("__rmul__", wick::mul(a, b))
  WICK_ARITHMETIC("__truediv__", wick::div(a, b))
  WICK_ARITHMETIC("__rtruediv__", wick::mul(wick::reciprocal(a), b))
  WICK_ARITHMETIC("__floordiv__", wick::floor_divide(a, b))
  WICK_ARITHMETIC("__rfloordiv__", wick::floor_divide(beside(a, b), a))
  WICK_ARITHMETIC("__mod__", wick::remainder(a, b))
  WICK_ARITHMETIC("__rmod__", wick::remainder(b, a))
  WICK_ARITHMETIC("__pow__", wick::pow(a, b))
  WICK_ARITHMETIC("__rpow__", wick::pow(b, a))
  WICK_ARITHMETIC("__and__", wick::bitwise_and(a, b))
  WICK_ARITHMETIC("__rand__", wick::bitwise_and(a, b))
  WICK_ARITHMETIC("__or__", wick::bitwise_or(a, b))
  WICK_ARITHMETIC("__ror__", wick::bitwise_or(a, b))
  WICK_ARITHMETIC("__xor__", wick::bitwise_xor(a, b))
  WICK_ARITHMETIC("__rxor__", wick::bitwise_xor(a, b))
  WICK_ARITHMETIC("__matmul__", wick::matmul(a, beside(a, b)))
  WICK_ARITHMETIC("__rmatmul__", wick::matmul(beside(a, b), a))
  WICK_BINARY(comparison, "__eq__", wick::eq(a, b))
  WICK_BINARY(comparison, "__ne__", wick::ne(a, b))
  WICK_ARITHMETIC("__lt__", wick::lt(a, b))
  WICK_ARITHMETIC("__le__", wick::le(a, b))
  WICK_ARITHMETIC("__gt__", wick::gt(a, b))
  WICK_ARITHMETIC("__ge__", wick::ge(a, b))
#undef WICK_ARITHMETIC
#undef WICK_BINARY
  tensor.attr("__hash__") = nb::none();
  tensor.attr("__array_priority__") = 1000;

  bind_tensor_methods(tensor);

  m.def("tensor_of_bytes", [](const nb::bytes& data, const std::vector<int64_t>& shape, const std::string& dtype) {
    const Tensor out = Tensor::empty(shape, dtype_of(nb::str(dtype.c_str())));
    if (out.nbytes() != data.size()) throw nb::value_error("the bytes of a tensor and its shape do not fit");
    if (data.size() > 0) std::memcpy(out.data_ptr(), data.c_str(), data.size());
    return out;
  });
  m.def(
      "tensor",
      [](nb::handle data, nb::handle dtype) {
        const Tensor made = to_tensor(data, true);
        return dtype.is_none() ? made : wick::to(made, dtype_of(dtype));
      },
      nb::arg("data"), nb::arg("dtype") = nb::none(),
      "A new tensor: a copy of an array, of numbers or of nested lists of numbers.");
  m.def(
      "asarray",
      [](nb::handle data, nb::handle dtype) {
        const Tensor made = to_tensor(data);
        return dtype.is_none() ? made : wick::to(made, dtype_of(dtype));
      },
      nb::arg("data"), nb::arg("dtype") = nb::none(),
      "The data as a tensor, in place where its memory allows: an array that may be written to.");
}

}  // namespace wick_python
