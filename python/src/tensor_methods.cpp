// What is done with results most often, by PyTorch's names; NumPy has the rest, and its functions take tensors
// (numpy.sum(t) calls t.sum(axis=None, dtype=None, out=None)).
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "arrays.h"
#include "values.h"
#include "wick/wick.h"

namespace wick_python {

using wick::DType;
using wick::Tensor;

namespace {

std::vector<int64_t> ints_of(nb::handle object) {
  std::vector<int64_t> out;
  if (!PyTuple_Check(object.ptr()) && !PyList_Check(object.ptr())) return {to_int64(object)};
  for (nb::handle item : nb::borrow<nb::object>(object)) out.push_back(to_int64(item));
  return out;
}

// Sizes or dims that are given one by one, or as one list: reshape(2, 3), reshape((2, 3)).
std::vector<int64_t> ints_of(const nb::args& args, const char* what) {
  if (args.size() == 0) throw nb::type_error((std::string("expected ") + what + ", one by one or as a list").c_str());
  const nb::object first = args[0];
  if (args.size() == 1 && (PyTuple_Check(first.ptr()) || PyList_Check(first.ptr()))) return ints_of(first);
  return ints_of(nb::handle(args));
}

// The dims of a reduction: PyTorch's word for them is dim, NumPy's is axis.
struct Reduced {
  Reduced(nb::handle dim, nb::handle axis, bool keepdim, bool keepdims, nb::handle out) : keep(keepdim || keepdims) {
    if (!dim.is_none() && !axis.is_none()) throw nb::type_error("dim and axis are one thing: give one of them");
    if (!out.is_none()) throw nb::type_error("out is not supported; take numpy.asarray(tensor)");
    const nb::handle given = dim.is_none() ? axis : dim;
    is_all = given.is_none();
    if (!is_all) dims = ints_of(given);
  }
  // Of functions that take one dim.
  std::optional<int64_t> one() const {
    if (is_all) return std::nullopt;
    if (dims.size() != 1) throw nb::type_error("expected one dim");
    return dims[0];
  }
  wick::OptIntList opt() const { return is_all ? wick::OptIntList(std::nullopt) : wick::OptIntList(dims); }

  bool is_all = true, keep;
  std::vector<int64_t> dims;
};

std::optional<DType> dtype_or_none(nb::handle dtype) {
  return dtype.is_none() ? std::nullopt : std::optional<DType>(dtype_of(dtype));
}

#define WICK_REDUCTION_ARGUMENTS                                                                        \
  nb::arg("dim") = nb::none(), nb::arg("keepdim") = false, nb::kw_only(), nb::arg("axis") = nb::none(), \
  nb::arg("out") = nb::none(), nb::arg("keepdims") = false

void bind_reductions(nb::class_<Tensor>& tensor) {
  const auto sum_like = [&](const char* name, auto whole, auto parts) {
    tensor.def(
        name,
        [whole, parts](const Tensor& t, nb::handle dim, bool keepdim, nb::handle axis, nb::handle out, bool keepdims,
                       nb::handle dtype) {
          const Reduced of(dim, axis, keepdim, keepdims, out);
          return of.is_all && !of.keep ? whole(t, dtype_or_none(dtype)) : parts(t, of, dtype_or_none(dtype));
        },
        WICK_REDUCTION_ARGUMENTS, nb::arg("dtype") = nb::none());
  };
  sum_like(
      "sum", [](const Tensor& t, std::optional<DType> dtype) { return wick::sum(t, dtype); },
      [](const Tensor& t, const Reduced& of, std::optional<DType> dtype) {
        return wick::sum(t, of.opt(), of.keep, dtype);
      });
  sum_like(
      "mean", [](const Tensor& t, std::optional<DType> dtype) { return wick::mean(t, dtype); },
      [](const Tensor& t, const Reduced& of, std::optional<DType> dtype) {
        return wick::mean(t, of.opt(), of.keep, dtype);
      });

  const auto arg_like = [&](const char* name, auto find) {
    tensor.def(
        name,
        [find](const Tensor& t, nb::handle dim, bool keepdim, nb::handle axis, nb::handle out, bool keepdims) {
          const Reduced of(dim, axis, keepdim, keepdims, out);
          return find(t, of.one(), of.keep);
        },
        WICK_REDUCTION_ARGUMENTS);
  };
  arg_like("argmax", [](const Tensor& t, std::optional<int64_t> dim, bool keep) { return wick::argmax(t, dim, keep); });
  arg_like("argmin", [](const Tensor& t, std::optional<int64_t> dim, bool keep) { return wick::argmin(t, dim, keep); });

  // max(dim) gives the values and where they are, as PyTorch's does; max(axis=...) the values, as NumPy's.
  const auto max_like = [&](const char* name, auto whole, auto pair, auto values) {
    tensor.def(
        name,
        [=](const Tensor& t, nb::handle dim, bool keepdim, nb::handle axis, nb::handle out, bool keepdims) {
          const Reduced of(dim, axis, keepdim, keepdims, out);
          if (of.is_all && !of.keep) return nb::cast(whole(t));
          return dim.is_none() ? nb::cast(values(t, of.dims, of.keep)) : nb::cast(pair(t, *of.one(), of.keep));
        },
        WICK_REDUCTION_ARGUMENTS);
  };
  max_like(
      "max", [](const Tensor& t) { return wick::max(t); },
      [](const Tensor& t, int64_t dim, bool keep) { return wick::max(t, dim, keep); },
      [](const Tensor& t, const std::vector<int64_t>& dims, bool keep) { return wick::amax(t, dims, keep); });
  max_like(
      "min", [](const Tensor& t) { return wick::min(t); },
      [](const Tensor& t, int64_t dim, bool keep) { return wick::min(t, dim, keep); },
      [](const Tensor& t, const std::vector<int64_t>& dims, bool keep) { return wick::amin(t, dims, keep); });
}
#undef WICK_REDUCTION_ARGUMENTS

void bind_shapes(nb::class_<Tensor>& tensor) {
  tensor
      .def("reshape",
           [](const Tensor& t, const nb::args& shape) { return wick::reshape(t, ints_of(shape, "a shape")); })
      .def("view", [](const Tensor& t, const nb::args& shape) { return wick::view(t, ints_of(shape, "a shape")); })
      .def("permute", [](const Tensor& t, const nb::args& dims) { return wick::permute(t, ints_of(dims, "dims")); })
      .def(
          "transpose", [](const Tensor& t, int64_t a, int64_t b) { return wick::transpose(t, a, b); }, nb::arg("dim0"),
          nb::arg("dim1"))
      .def("t", [](const Tensor& t) { return wick::t(t); })
      .def_prop_ro("T", [](const Tensor& t) { return wick::numpy_T(t); })
      .def(
          "squeeze",
          [](const Tensor& t, nb::handle dim, nb::handle axis) {
            const Reduced of(dim, axis, false, false, nb::none());
            return of.is_all ? wick::squeeze(t) : wick::squeeze(t, of.dims);
          },
          nb::arg("dim") = nb::none(), nb::kw_only(), nb::arg("axis") = nb::none())
      .def(
          "unsqueeze", [](const Tensor& t, int64_t dim) { return wick::unsqueeze(t, dim); }, nb::arg("dim"))
      .def(
          "flatten", [](const Tensor& t, int64_t first, int64_t last) { return wick::flatten(t, first, last); },
          nb::arg("start_dim") = 0, nb::arg("end_dim") = -1);
}

void bind_functions(nb::class_<Tensor>& tensor) {
  tensor
      .def(
          "softmax", [](const Tensor& t, int64_t dim) { return wick::softmax(t, dim); }, nb::arg("dim") = -1)
      .def(
          "log_softmax", [](const Tensor& t, int64_t dim) { return wick::log_softmax(t, dim); }, nb::arg("dim") = -1)
      .def(
          "topk", [](const Tensor& t, int64_t k, int64_t dim) { return wick::topk(t, k, dim); }, nb::arg("k"),
          nb::arg("dim") = -1, "The k largest values and where they are.")
      .def(
          "sort", [](const Tensor& t, int64_t dim, bool down) { return wick::sort(t, dim, down); }, nb::arg("dim") = -1,
          nb::arg("descending") = false, "The values in their order and where they were.")
      .def(
          "argsort", [](const Tensor& t, int64_t dim, bool down) { return wick::argsort(t, dim, down); },
          nb::arg("dim") = -1, nb::arg("descending") = false)
      .def(
          "clamp",
          [](const Tensor& t, nb::handle least, nb::handle most) {
            const auto bound = [](nb::handle number) {
              return number.is_none() ? std::nullopt : std::optional<wick::Scalar>(to_scalar(number));
            };
            return wick::clamp(t, bound(least), bound(most));
          },
          nb::arg("min") = nb::none(), nb::arg("max") = nb::none())
      .def("sigmoid", [](const Tensor& t) { return wick::sigmoid(t); })
      .def("exp", [](const Tensor& t) { return wick::exp(t); })
      .def("log", [](const Tensor& t) { return wick::log(t); })
      .def("sqrt", [](const Tensor& t) { return wick::sqrt(t); })
      .def("abs", [](const Tensor& t) { return wick::abs(t); });
}

// What code for PyTorch says around a result: output.detach().cpu().float().numpy().
void bind_idioms(nb::class_<Tensor>& tensor) {
  for (const char* name : {"detach", "cpu"}) {
    tensor.def(
        name, [](const Tensor& t) { return t; }, "The tensor itself: it has no gradient, and is where it should be.");
  }
  tensor.def("clone", [](const Tensor& t) { return wick::clone(t); })
      .def("numel", [](const Tensor& t) { return t.numel(); })
      .def("dim", [](const Tensor& t) { return t.dim(); })
      .def_prop_ro("device", [](const Tensor&) { return to_python(wick::IValue(wick::Device::parse("cpu"))); })
      .def(
          "astype", [](const Tensor& t, nb::handle dtype) { return wick::to(t, dtype_of(dtype)); }, nb::arg("dtype"));
  constexpr std::pair<const char*, DType> kConversions[] = {{"float", DType::kFloat}, {"double", DType::kDouble},
                                                            {"half", DType::kHalf},   {"long", DType::kLong},
                                                            {"int", DType::kInt},     {"bool", DType::kBool}};
  for (const auto& [name, dtype] : kConversions) {
    tensor.def(name, [dtype = dtype](const Tensor& t) { return wick::to(t, dtype); });
  }
}

int rank_of(DType dtype) {
  return dtype == DType::kBool ? 0 : wick::is_integral(dtype, false) ? 1 : wick::is_floating(dtype) ? 2 : 3;
}

// t += other: into the tensor's own memory, as for PyTorch's and NumPy's.
void bind_assignments(nb::class_<Tensor>& tensor) {
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"__iadd__", "__add__"}, {"__isub__", "__sub__"}, {"__imul__", "__mul__"}, {"__itruediv__", "__truediv__"}};
  for (const auto& [name, operation] : kNames) {
    tensor.def(
        name,
        [operation = operation](nb::handle self, nb::handle other) -> nb::object {
          nb::object made = self.attr(operation)(other);
          if (!nb::isinstance<Tensor>(made)) return made;  // NotImplemented
          const auto &result = nb::cast<const Tensor&>(made), &into = nb::cast<const Tensor&>(self);
          if (result.sizes() != into.sizes()) {
            throw nb::value_error(
                ("the result, " + describe(result) + ", does not fit into " + describe(into)).c_str());
          }
          if (rank_of(result.dtype()) > rank_of(into.dtype())) {
            throw nb::type_error(("a result of " + describe(result) + " cannot be kept in " + describe(into)).c_str());
          }
          wick::copy_(into, wick::to(result, into.dtype()));
          return nb::borrow(self);
        },
        nb::arg("other").none());
  }
}

// One number is formatted and rounded as Python's.
void bind_numbers(nb::class_<Tensor>& tensor) {
  tensor
      .def("__format__",
           [](nb::handle self, const std::string& how) {
             const Tensor& t = nb::cast<const Tensor&>(self);
             if (how.empty()) return nb::object(nb::str(self));
             if (t.numel() != 1) throw nb::type_error("a tensor of one number is formatted; of others take .tolist()");
             const nb::str spec(how.c_str());
             return nb::steal(PyObject_Format(nb::object(self.attr("item")()).ptr(), spec.ptr()));
           })
      .def(
          "__round__",
          [](nb::handle self, nb::handle digits) {
            const nb::object number = self.attr("item")();
            return nb::object(nb::module_::import_("builtins").attr("round")(number, digits));
          },
          nb::arg("ndigits") = nb::none());
}

}  // namespace

void bind_tensor_methods(nb::class_<Tensor>& tensor) {
  bind_reductions(tensor);
  bind_shapes(tensor);
  bind_functions(tensor);
  bind_idioms(tensor);
  bind_assignments(tensor);
  bind_numbers(tensor);
}

}  // namespace wick_python
