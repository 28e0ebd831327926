// wick.Tensor: shape, elements, indices, arithmetic, and what a tensor may be made of.
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <sstream>

#include "arrays.h"
#include "values.h"
#include "wick/wick.h"

namespace wick_python {

using wick::DType;
using wick::IValue;
using wick::Scalar;
using wick::Tensor;

// numpy.generic where NumPy is loaded: its scalars are numbers here, as in PyTorch, although they have buffers.
bool is_numpy_scalar(nb::handle object) {
  static PyTypeObject* array_type = nullptr;  // written under the GIL or, without one, always with the same value
  static PyObject* generic = nullptr;
  if (object.type().ptr() == reinterpret_cast<PyObject*>(array_type)) return false;
  if (!generic) {
    PyObject* numpy = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
    if (!numpy || !nb::hasattr(numpy, "generic") || !nb::hasattr(numpy, "ndarray")) return false;
    array_type = reinterpret_cast<PyTypeObject*>(nb::object(nb::handle(numpy).attr("ndarray")).release().ptr());
    generic = nb::object(nb::handle(numpy).attr("generic")).release().ptr();
  }
  return PyObject_IsInstance(object.ptr(), generic) == 1;
}

Scalar to_scalar(nb::handle object) {
  PyObject* p = object.ptr();
  if (PyBool_Check(p)) return Scalar(p == Py_True);
  if (PyLong_Check(p)) return Scalar(static_cast<int64_t>(nb::cast<int64_t>(object)));
  if (PyFloat_Check(p)) return Scalar(PyFloat_AsDouble(p));
  if (PyComplex_Check(p)) return Scalar(std::complex<double>(PyComplex_RealAsDouble(p), PyComplex_ImagAsDouble(p)));
  if (is_numpy_scalar(object)) return to_scalar(nb::object(object.attr("item")()));
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

wick::Index to_index(nb::handle object) {
  PyObject* p = object.ptr();
  if (p == Py_None) return std::nullopt;
  if (p == Py_Ellipsis) return wick::kEllipsis;
  if (PyBool_Check(p)) return wick::Index(p == Py_True);
  if (PySlice_Check(p)) {
    const auto part = [&](const char* name) -> std::optional<int64_t> {
      nb::object value = object.attr(name);
      if (value.is_none()) return std::nullopt;
      return nb::cast<int64_t>(value);
    };
    return wick::Slice(part("start"), part("stop"), part("step").value_or(1));
  }
  if (PyIndex_Check(p) && !nb::isinstance<Tensor>(object)) {
    nb::object number = nb::steal(PyNumber_Index(p));
    if (!number.is_valid()) throw nb::python_error();
    return nb::cast<int64_t>(number);
  }
  return to_tensor(object);
}

std::vector<wick::Index> to_indices(nb::handle object) {
  std::vector<wick::Index> out;
  if (!PyTuple_Check(object.ptr())) return {to_index(object)};
  for (nb::handle part : nb::borrow<nb::tuple>(object)) out.push_back(to_index(part));
  return out;
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

// a OP b, where b is a number or anything that is a tensor.
template <class F>
nb::object arithmetic(nb::handle other, F&& work) {
  PyObject* p = other.ptr();
  if (PyLong_Check(p) || PyFloat_Check(p) || PyComplex_Check(p) || is_numpy_scalar(other)) {
    return nb::cast(work(to_scalar(other)));
  }
  if (PyUnicode_Check(p) || p == Py_None) return nb::borrow(Py_NotImplemented);
  return nb::cast(work(to_tensor(other)));
}

}  // namespace

std::string describe(const Tensor& tensor) {
  std::string out = std::string(wick::torch_name_of(tensor.dtype())) + " [";
  for (size_t i = 0; i < tensor.sizes().size(); ++i) out += (i ? ", " : "") + std::to_string(tensor.sizes()[i]);
  return out + "]";
}

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
          "to", [](const Tensor& t, nb::handle dtype) { return wick::to(t, dtype_of(dtype)); }, nb::arg("dtype"));
  tensor
      .def(
          "__array__",
          [](nb::handle self, nb::handle dtype, nb::handle copy) {
            nb::object out = as_numpy(self);
            if (!dtype.is_none()) out = out.attr("astype")(dtype, nb::arg("copy") = false);
            return copy.ptr() == Py_True ? nb::object(out.attr("copy")()) : out;
          },
          nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none())
      .def(
          "__dlpack__",
          [](const Tensor& t, nb::handle, std::optional<std::tuple<int, int>> max_version, nb::handle,
             nb::handle copy) {
            const bool versioned = max_version && std::get<0>(*max_version) >= 1;
            return dlpack_of(copy.ptr() == Py_True ? wick::clone(t) : t, versioned);
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
            const Tensor target = t.index(wick::Span<wick::Index>(indices));
            for (const wick::Index& index : indices) {
              if (index.kind() == wick::Index::Kind::kTensor)
                throw nb::type_error("assignment through a tensor of indices is not supported; use numpy.asarray(t)");
            }
            wick::copy_(target, wick::to(to_tensor(value), target.dtype()));
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
      .def("__repr__", &repr_of);

  // Arithmetic, with PyTorch's broadcasting and promotion.
  tensor.def("__neg__", [](const Tensor& t) { return wick::neg(t); })
      .def("__abs__", [](const Tensor& t) { return wick::abs(t); })
      .def("__matmul__", [](const Tensor& a, nb::handle b) { return wick::matmul(a, to_tensor(b)); });
#define WICK_ARITHMETIC(name, expression)                                          \
  tensor.def(name, [](const Tensor& a, nb::handle other) {                         \
    return arithmetic(other, [&](const auto& b) -> Tensor { return expression; }); \
  });
  WICK_ARITHMETIC("__add__", wick::add(a, b))
  WICK_ARITHMETIC("__radd__", wick::add(a, b))
  WICK_ARITHMETIC("__sub__", wick::sub(a, b))
  WICK_ARITHMETIC("__rsub__", wick::rsub(a, b))
  WICK_ARITHMETIC("__mul__", wick::mul(a, b))
  WICK_ARITHMETIC("__rmul__", wick::mul(a, b))
  WICK_ARITHMETIC("__truediv__", wick::div(a, b))
  WICK_ARITHMETIC("__rtruediv__", wick::mul(wick::reciprocal(a), b))
  WICK_ARITHMETIC("__pow__", wick::pow(a, b))
  WICK_ARITHMETIC("__eq__", wick::eq(a, b))
  WICK_ARITHMETIC("__ne__", wick::ne(a, b))
  WICK_ARITHMETIC("__lt__", wick::lt(a, b))
  WICK_ARITHMETIC("__le__", wick::le(a, b))
  WICK_ARITHMETIC("__gt__", wick::gt(a, b))
  WICK_ARITHMETIC("__ge__", wick::ge(a, b))
#undef WICK_ARITHMETIC
  tensor.attr("__hash__") = nb::none();
  tensor.attr("__array_priority__") = 1000;

  // What is done with results most often; NumPy has the rest.
  tensor
      .def(
          "reshape", [](const Tensor& t, const std::vector<int64_t>& shape) { return wick::reshape(t, shape); },
          nb::arg("shape"))
      .def(
          "permute", [](const Tensor& t, const std::vector<int64_t>& dims) { return wick::permute(t, dims); },
          nb::arg("dims"))
      .def(
          "softmax", [](const Tensor& t, int64_t dim) { return wick::softmax(t, dim); }, nb::arg("dim") = -1)
      .def(
          "topk", [](const Tensor& t, int64_t k, int64_t dim) { return wick::topk(t, k, dim); }, nb::arg("k"),
          nb::arg("dim") = -1, "The k largest values and where they are.")
      .def(
          "argmax", [](const Tensor& t, std::optional<int64_t> dim) { return wick::argmax(t, dim); },
          nb::arg("dim") = nb::none())
      .def(
          "sum", [](const Tensor& t, std::optional<int64_t> dim) { return dim ? wick::sum(t, *dim) : wick::sum(t); },
          nb::arg("dim") = nb::none())
      .def(
          "mean", [](const Tensor& t, std::optional<int64_t> dim) { return dim ? wick::mean(t, *dim) : wick::mean(t); },
          nb::arg("dim") = nb::none())
      .def("max", [](const Tensor& t) { return wick::max(t); })
      .def("min", [](const Tensor& t) { return wick::min(t); });

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
