// wick.Module and its methods: loading, running, attributes.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>

#include "errors.h"
#include "running.h"
#include "values.h"
#include "wick/module.h"

namespace wick_python {

using wick::IValue;
using wick::Module;

namespace {

std::chrono::milliseconds milliseconds(double seconds) {
  if (!(seconds > 0) || seconds > 1e12) throw nb::value_error("a timeout is a number of seconds above 0");
  return std::chrono::milliseconds(std::max<int64_t>(1, static_cast<int64_t>(seconds * 1000)));
}

wick::RunOptions run_options(std::optional<double> timeout, uint64_t max_memory, int64_t max_operations,
                             int max_threads, const std::optional<wick::Cancellation>& cancellation) {
  wick::RunOptions options;
  if (timeout) options.timeout = milliseconds(*timeout);
  options.max_memory = max_memory;
  options.max_operations = max_operations;
  options.max_threads = max_threads;
  options.cancellation = cancellation;
  return options;
}

wick::MethodInfo info_of(const Module& module, const std::string& name) { return module.get_method(name).info(); }

// Arguments by position and by name, in the method's order; what is left out in between takes its default.
std::vector<IValue> bind_arguments(const wick::MethodInfo& method, std::vector<IValue> args, const nb::kwargs& named) {
  std::map<std::string, IValue> values;
  // Converting may run the code of others, which may change the dict: its items as they are now.
  const nb::object items = nb::steal(PyDict_Items(named.ptr()));
  if (!items.is_valid()) throw nb::python_error();
  for (nb::handle item : items) {
    if (!PyUnicode_Check(nb::object(item[0]).ptr())) throw nb::type_error("keywords must be strings");
    values.emplace(nb::cast<std::string>(nb::object(item[0])), to_value(nb::object(item[1])));
  }
  for (const auto& [name, value] : values) {
    const auto found = std::ranges::find(method.arguments, name, &wick::MethodArgument::name);
    if (found != method.arguments.end()) continue;
    std::string names;
    for (const wick::MethodArgument& argument : method.arguments) names += (names.empty() ? "" : ", ") + argument.name;
    throw nb::type_error((method.name + "() takes no argument '" + name + "'" +
                          (names.empty() ? "; it takes none" : "; it takes " + names))
                             .c_str());
  }
  for (size_t i = args.size(); i < method.arguments.size() && !values.empty(); ++i) {
    const wick::MethodArgument& argument = method.arguments[i];
    if (const auto found = values.find(argument.name); found != values.end()) {
      args.push_back(std::move(found->second));
      values.erase(found);
    } else if (argument.has_default) {
      args.push_back(argument.default_value);
    } else {
      throw nb::type_error((method.name + "() needs the argument '" + argument.name + "'").c_str());
    }
  }
  if (!values.empty()) {
    throw nb::type_error((method.name + "() got the argument '" + values.begin()->first + "' twice").c_str());
  }
  return args;
}

std::vector<IValue> arguments_of(const Module& module, const char* method, const nb::args& args,
                                 const nb::kwargs& named) {
  std::vector<IValue> values;
  values.reserve(args.size());
  for (nb::handle arg : args) values.push_back(to_value(arg));
  if (named.size() > 0) return bind_arguments(info_of(module, method), std::move(values), named);
  return values;
}

struct BoundMethod {
  Module module;
  std::string name;
  bool with_hooks = false;  // the module itself as a callable

  IValue run(std::vector<IValue> args, const wick::RunOptions* options) const {
    return run_released([&] { return with_hooks ? module(std::move(args)) : module.run_method(name, std::move(args)); },
                        options);
  }
};

nb::object run_with_options(const BoundMethod& method, nb::handle args, nb::handle kwargs,
                            std::optional<double> timeout, uint64_t max_memory, int64_t max_operations, int max_threads,
                            const std::optional<wick::Cancellation>& cancellation) {
  const wick::RunOptions options = run_options(timeout, max_memory, max_operations, max_threads, cancellation);
  std::vector<IValue> values = to_values(args);
  if (!kwargs.is_none() && nb::len(kwargs) > 0) {
    const nb::object named = nb::handle(reinterpret_cast<PyObject*>(&PyDict_Type))(kwargs);  // of any mapping
    values = bind_arguments(info_of(method.module, method.name), std::move(values), nb::borrow<nb::kwargs>(named));
  }
  return to_python(method.run(std::move(values), &options));
}

// Whether both are one loaded model; what is stored beside it is there once.
bool is_same(const Module& a, const Module& b) { return &a.extra_files() == &b.extra_files(); }

// inspect.Signature, which editors and help() show.
nb::object signature_of(const Module& module, const std::string& name) {
  if (!module.has_method(name)) throw nb::attribute_error(("the model has no method '" + name + "'").c_str());
  nb::list arguments;
  const wick::MethodInfo method = info_of(module, name);
  for (const wick::MethodArgument& argument : method.arguments) {
    const nb::object value = argument.has_default ? to_python(argument.default_value) : nb::object(nb::none());
    arguments.append(nb::make_tuple(argument.name, argument.type, argument.has_default, value));
  }
  return nb::module_::import_("wick._api").attr("_signature_of")(arguments, method.return_type);
}

// With the name and the object, of which Python finds names that are nearly it.
[[noreturn]] void raise_no_attribute(nb::handle object, const std::string& name, const std::string& message) {
  const nb::object error =
      nb::handle(PyExc_AttributeError)(message.c_str(), nb::arg("name") = name.c_str(), nb::arg("obj") = object);
  PyErr_SetObject(PyExc_AttributeError, error.ptr());
  throw nb::python_error();
}

std::string signature(const wick::MethodInfo& method) {
  std::string out = method.name + "(";
  for (size_t i = 0; i < method.arguments.size(); ++i) {
    const wick::MethodArgument& argument = method.arguments[i];
    out += (i ? ", " : "") + argument.name + ": " + argument.type;
    if (argument.has_default) out += " = " + wick::repr(argument.default_value);
  }
  return out + ")" + (method.return_type.empty() ? "" : " -> " + method.return_type);
}

nb::object tensors_of(const std::vector<std::pair<std::string, wick::Tensor>>& named) {
  nb::dict out;
  for (const auto& [name, tensor] : named) out[nb::str(name.c_str())] = nb::cast(tensor);
  return out;
}

nb::object inputs_of(const Module& module, const std::string& method) {
  const auto inputs = run_released([&] { return module.bundled_inputs(method); });
  nb::list out;
  for (const std::vector<IValue>& one : inputs) out.append(to_python(IValue::tuple(one)));
  return out;
}

// Whether instances of the type have the attribute by it, and not by __getattr__.
bool is_member(nb::handle type, const std::string& name) {
  for (nb::handle base : nb::object(type.attr("__mro__"))) {
    if (PySequence_Contains(nb::object(base.attr("__dict__")).ptr(), nb::str(name.c_str()).ptr()) == 1) return true;
  }
  return false;
}

Module load_any(nb::handle source, const wick::LoadOptions& options) {
  PyObject* p = source.ptr();
  if (PyUnicode_Check(p) || nb::hasattr(source, "__fspath__")) {
    const std::string name = path_of(source);
    return with_file(name, FileUse::kRead, [&] { return run_released([&] { return wick::load(name, options); }); });
  }
  nb::object bytes = nb::borrow(source);
  if (nb::hasattr(source, "read")) bytes = source.attr("read")();
  if (!PyObject_CheckBuffer(bytes.ptr())) {
    throw nb::type_error("a model is loaded from a path, from bytes, or from a file opened with 'rb'");
  }
  Py_buffer view;
  if (PyObject_GetBuffer(bytes.ptr(), &view, PyBUF_SIMPLE) != 0) throw nb::python_error();
  struct Release {
    Py_buffer* view;
    ~Release() { PyBuffer_Release(view); }
  } release{&view};
  const std::span<const uint8_t> data(static_cast<const uint8_t*>(view.buf), static_cast<size_t>(view.len));
  return run_released([&] { return wick::load(data, options); });
}

void bind_method(nb::module_& m) {
  nb::class_<BoundMethod> method(m, "Method", "A method of a model: call it.");
  refuse_construction(method, "a model has its methods: model.forward, model.get_method('forward')");
  method
      .def("__call__",
           [](const BoundMethod& self, nb::args args, nb::kwargs kwargs) {
             return to_python(self.run(arguments_of(self.module, self.name.c_str(), args, kwargs), nullptr));
           })
      .def("run", &run_with_options, nb::arg("args") = nb::tuple(), nb::arg("kwargs") = nb::none(), nb::kw_only(),
           nb::arg("timeout") = nb::none(), nb::arg("max_memory") = 0, nb::arg("max_operations") = 0,
           nb::arg("max_threads") = 0, nb::arg("cancellation") = nb::none(),
           "Calls it within bounds: seconds, bytes, operators, threads.")
      .def_ro("name", &BoundMethod::name)
      .def_prop_ro("signature", [](const BoundMethod& self) { return signature(info_of(self.module, self.name)); })
      .def_prop_ro("arguments",
                   [](const BoundMethod& self) {
                     nb::list out;
                     for (const wick::MethodArgument& a : info_of(self.module, self.name).arguments) {
                       nb::dict one;
                       one["name"] = nb::str(a.name.c_str());
                       one["type"] = nb::str(a.type.c_str());
                       if (a.has_default) one["default"] = to_python(a.default_value);
                       out.append(one);
                     }
                     return out;
                   })
      .def_prop_ro("returns", [](const BoundMethod& self) { return info_of(self.module, self.name).return_type; })
      .def_prop_ro("bundled_inputs", [](const BoundMethod& self) { return inputs_of(self.module, self.name); })
      .def("__getattr__",
           [](nb::handle self, const std::string& name) -> nb::object {
             const auto& method = nb::cast<const BoundMethod&>(self);
             if (name == "__name__") return nb::str(method.name.c_str());  // no property: classes have their own
             raise_no_attribute(self, name, "a method of a model has no attribute '" + name + "'");
           })
      .def_prop_ro("__self__", [](const BoundMethod& self) { return self.module; })
      .def_prop_ro("__signature__", [](const BoundMethod& self) { return signature_of(self.module, self.name); })
      .def(
          "__eq__",
          [](const BoundMethod& self, nb::handle other) -> nb::object {
            if (!nb::isinstance<BoundMethod>(other)) return nb::borrow(Py_NotImplemented);
            const auto& method = nb::cast<const BoundMethod&>(other);
            return nb::bool_(self.name == method.name && is_same(self.module, method.module));
          },
          nb::arg("other").none())
      .def("__hash__", [](const BoundMethod& self) { return std::hash<std::string>{}(self.name) >> 1; })
      .def("__reduce__",
           [](const BoundMethod& self) {
             return nb::make_tuple(nb::module_::import_("wick._api").attr("_restore_method"),
                                   nb::make_tuple(nb::cast(self.module), self.name));
           })
      .def("__repr__",
           [](const BoundMethod& self) { return "<wick.Method " + signature(info_of(self.module, self.name)) + ">"; });
}

}  // namespace

void bind_module(nb::module_& m) {
  nb::class_<wick::Cancellation>(m, "Cancellation", "Stops loads and runs that were given it, from any thread.")
      .def(nb::init<>())
      .def("cancel", [](const wick::Cancellation& c) { c.cancel(); })
      .def_prop_ro("cancelled", [](const wick::Cancellation& c) { return c.is_cancelled(); });
  bind_method(m);
  nb::class_<Module> module(
      m, "Module", nb::is_weak_referenceable(),
      "A loaded model. Call it, or its methods; threads may do so at the same time.\n\n"
      "copy.copy() shares the model; pickle and copy.deepcopy() take it as its file, without what "
      "set_planning() and the like were told.");
  refuse_construction(module, "wick.load(path) makes a module");
  module
      .def("__call__",
           [](const Module& self, nb::args args, nb::kwargs kwargs) {
             std::vector<IValue> values = arguments_of(self, "forward", args, kwargs);
             return to_python(run_released([&] { return self(std::move(values)); }));
           })
      .def(
          "run",
          [](const Module& self, nb::handle args, nb::handle kwargs, std::optional<std::string> method,
             std::optional<double> timeout, uint64_t max_memory, int64_t max_operations, int max_threads,
             const std::optional<wick::Cancellation>& cancellation) {
            const BoundMethod bound{self, method.value_or("forward"), !method.has_value()};
            return run_with_options(bound, args, kwargs, timeout, max_memory, max_operations, max_threads,
                                    cancellation);
          },
          nb::arg("args") = nb::tuple(), nb::arg("kwargs") = nb::none(), nb::kw_only(), nb::arg("method") = nb::none(),
          nb::arg("timeout") = nb::none(), nb::arg("max_memory") = 0, nb::arg("max_operations") = 0,
          nb::arg("max_threads") = 0, nb::arg("cancellation") = nb::none(),
          "Calls the model, or a method of it, within bounds: seconds, bytes, operators, threads.")
      .def("__getattr__",
           [](const Module& self, const std::string& name) -> nb::object {
             if (self.has_method(name)) return nb::cast(BoundMethod{self, name});
             try {
               return to_python(self.attr(name));
             } catch (const wick::Error& e) {
               if (e.code() != wick::ErrorCode::kNotFound) throw;
               raise_no_attribute(nb::cast(self), name, "the model has no method or attribute '" + name + "'");
             }
           })
      .def_prop_ro("__signature__", [](const Module& self) { return signature_of(self, "forward"); })
      .def("__dir__",
           [](nb::handle self) { return nb::object(nb::module_::import_("wick._api").attr("_names_of")(self)); })
      .def(
          "__setattr__",
          [](nb::handle_t<Module> self, const std::string& name, nb::handle value) {
            if (is_member(self.type(), name)) {
              throw nb::attribute_error(
                  ("'" + name + "' is a member of wick.Module; set_attribute() sets a model's attribute of that name")
                      .c_str());
            }
            const IValue converted = to_value(value);
            try {
              nb::cast<Module&>(self).setattr(name, converted);
            } catch (const wick::Error& e) {
              if (e.code() != wick::ErrorCode::kNotFound) throw;
              throw nb::attribute_error(("the model has no attribute '" + name + "' to set").c_str());
            }
          },
          nb::arg("name"), nb::arg("value").none())
      .def("__copy__", [](const Module& self) { return self; })
      .def("__reduce__",
           [](nb::handle self) {
             nb::module_ api = nb::module_::import_("wick._api");
             return nb::make_tuple(api.attr("_restore_module"), nb::make_tuple(api.attr("_bytes_of")(self)));
           })
      .def(
          "get_method",
          [](const Module& self, const std::string& name) {
            self.get_method(name);  // throws what says which there are
            return BoundMethod{self, name};
          },
          nb::arg("name"))
      .def(
          "get_attribute", [](const Module& self, const std::string& path) { return to_python(self.attr(path)); },
          nb::arg("path"), "An attribute; dots reach into submodules: 'layer1.0.weight'.")
      .def(
          "set_attribute",
          [](Module& self, const std::string& path, nb::handle value) { self.setattr(path, to_value(value)); },
          nb::arg("path"), nb::arg("value").none())
      .def_prop_ro("methods",
                   [](const Module& self) {
                     nb::dict out;
                     for (const wick::MethodInfo& method : self.methods())
                       out[nb::str(method.name.c_str())] = nb::cast(BoundMethod{self, method.name});
                     return out;
                   })
      .def_prop_ro(
          "parameters", [](const Module& self) { return tensors_of(self.named_parameters()); },
          "Parameters by path. They are the model's own: writing to one changes the model, but runs that are planned "
          "already may not see it. set_attribute() tells them; so does set_planning(False), then True.")
      .def_prop_ro(
          "buffers", [](const Module& self) { return tensors_of(self.named_buffers()); },
          "Tensors that are no parameters, by path; the model's own, as parameters are.")
      .def_prop_ro("extra_files",
                   [](const Module& self) {
                     nb::dict out;
                     for (const auto& [name, bytes] : self.extra_files())
                       out[nb::str(name.c_str())] = nb::bytes(bytes.data(), bytes.size());
                     return out;
                   })
      .def_prop_ro("bundled_inputs", [](const Module& self) { return inputs_of(self, "forward"); })
      .def_prop_ro("operators", [](const Module& self) { return self.operators(); })
      .def("eval",
           [](nb::handle_t<Module> self) {
             nb::cast<Module&>(self).eval();
             return nb::borrow(self);
           })
      .def(
          "train",
          [](nb::handle_t<Module> self, bool on) {
            nb::cast<Module&>(self).train(on);
            return nb::borrow(self);
          },
          nb::arg("mode") = true)
      .def(
          "set_planning", [](Module& self, bool on) { self.set_planning(on); }, nb::arg("on"))
      .def(
          "set_exact", [](Module& self, bool on) { self.set_exact(on); }, nb::arg("on"))
      .def(
          "set_precision",
          [](Module& self, const std::string& name) {
            if (name != "auto" && name != "float32" && name != "float16") {
              throw nb::value_error("set_precision: 'auto', 'float32' or 'float16' was expected");
            }
            self.set_precision(name == "auto"      ? wick::Precision::kAuto
                               : name == "float16" ? wick::Precision::kFloat16
                                                   : wick::Precision::kFloat32);
          },
          nb::arg("precision"), "What layers compute in where the processor can: 'auto', 'float32' or 'float16'.")
      .def(
          "set_backend",
          [](Module& self, const std::string& backend, const std::string& precision, int device) {
            if (backend != "cpu" && backend != "gpu" && backend != "auto") {
              throw nb::value_error("set_backend: 'cpu', 'gpu' or 'auto' was expected");
            }
            if (precision != "float32" && precision != "float16") {
              throw nb::value_error("set_backend: the precision is 'float32' or 'float16'");
            }
            wick::BackendOptions options;
            if (precision == "float16") options.precision = wick::GpuPrecision::kFloat16;
            options.device = device;
            run_released([&] {
              self.set_backend(backend == "cpu"   ? wick::Backend::kCpu
                               : backend == "gpu" ? wick::Backend::kGpu
                                                  : wick::Backend::kAuto,
                               options);
              return 0;
            });
          },
          nb::arg("backend"), nb::kw_only(), nb::arg("precision") = "float32", nb::arg("device") = -1,
          "Where runs compute from the next one on: 'cpu', 'gpu' or 'auto', whichever is measured to be faster. "
          "`precision`: how a GPU keeps numbers, 'float32' or 'float16'; `device`: of gpu_devices(), -1: the fastest.")
      .def(
          "set_max_threads", [](Module& self, int n) { self.set_max_threads(n); }, nb::arg("count"))
      .def("__repr__",
           [](const Module& self) {
             std::string out = "<wick.Module";
             for (const wick::MethodInfo& method : self.methods()) out += "\n  " + signature(method);
             constexpr size_t kShown = 8;
             const auto parameters = self.named_parameters();
             for (size_t i = 0; i < std::min(kShown, parameters.size()); ++i)
               out += "\n  " + parameters[i].first + ": " + describe(parameters[i].second);
             if (parameters.size() > kShown)
               out += "\n  ... and " + std::to_string(parameters.size() - kShown) + " more parameters";
             return out + ">";
           })
      .def("_repr_html_",
           [](nb::handle self) { return nb::object(nb::module_::import_("wick._display").attr("module_html")(self)); })
      .def("_signatures", [](const Module& self) {
        std::vector<std::string> out;
        for (const wick::MethodInfo& method : self.methods()) out.push_back(signature(method));
        return out;
      });

  m.def(
      "load",
      [](nb::handle source, bool allow_missing_operators, bool copy, std::optional<double> timeout, uint64_t max_memory,
         uint64_t max_plan_memory, const std::optional<wick::Cancellation>& cancellation) {
        wick::LoadOptions options;
        options.allow_missing_operators = allow_missing_operators;
        options.copy = copy;
        if (timeout) options.timeout = milliseconds(*timeout);
        options.max_memory = max_memory;
        options.max_plan_memory = max_plan_memory;
        options.cancellation = cancellation;
        return load_any(source, options);
      },
      nb::arg("source").none(), nb::kw_only(), nb::arg("allow_missing_operators") = false, nb::arg("copy") = false,
      nb::arg("timeout") = nb::none(), nb::arg("max_memory") = 0, nb::arg("max_plan_memory") = 0,
      nb::arg("cancellation") = nb::none(),
      "Loads a .ptl or .pt file from a path, bytes or an open file. A file at a path is mapped, unless `copy`.");
  nb::class_<wick::GpuDevice>(m, "GpuDevice", "A GPU that Vulkan finds.")
      .def_ro("name", &wick::GpuDevice::name)
      .def_ro("kind", &wick::GpuDevice::kind, "'discrete', 'integrated', 'virtual', 'processor' or 'other'.")
      .def_ro("driver", &wick::GpuDevice::driver)
      .def_ro("memory", &wick::GpuDevice::memory, "Bytes of its own.")
      .def_ro("has_float16", &wick::GpuDevice::has_float16)
      .def("__repr__", [](const wick::GpuDevice& d) {
        return "<wick.GpuDevice " + d.name + ", " + d.kind + ", " + d.driver + (d.has_float16 ? ", float16>" : ">");
      });
  m.def(
      "gpu_devices", [] { return run_released([] { return wick::gpu_devices(); }); },
      "The GPUs that models can run on (Module.set_backend). UnsupportedError, which says what to install, without "
      "Vulkan.");
  m.def("is_gpu_available", &wick::is_gpu_available, "Whether Module.set_backend('gpu') works.");
  m.def(
      "set_num_threads",
      [](int count) {
        if (count < 0) throw nb::value_error("set_num_threads: a number of threads, or 0 for the performance cores");
        wick::set_num_threads(count);
      },
      nb::arg("count"));
  m.def("num_threads", &wick::num_threads);
  m.def(
      "manual_seed",
      [](nb::handle seed) {  // of 64 bits, with a sign or without, as PyTorch takes it
        const nb::object number = nb::steal(PyNumber_Index(seed.ptr()));
        if (!number.is_valid()) throw nb::python_error();
        const nb::object bits = nb::steal(PyNumber_And(number.ptr(), nb::int_(UINT64_MAX).ptr()));
        if (!bits.is_valid()) throw nb::python_error();
        wick::manual_seed(nb::cast<uint64_t>(bits));
      },
      nb::arg("seed"));
  m.def(
      "load_tensors",
      [](nb::handle path) {
        const std::string name = path_of(path);
        return to_python(
            with_file(name, FileUse::kRead, [&] { return run_released([&] { return wick::load_tensors(name); }); }));
      },
      nb::arg("path"), "What torch.save wrote: tensors, tuples, lists, dicts, strings, numbers.");
}

}  // namespace wick_python
