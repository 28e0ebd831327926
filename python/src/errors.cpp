// wick::Error as Python exceptions: the classes are those of wick/_errors.py, found by the error's code.
#include "errors.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "values.h"
#include "wick/error_place.h"

namespace wick_python {

namespace {

nb::object text(const std::string& s) {
  return nb::steal(PyUnicode_DecodeUTF8(s.data(), static_cast<Py_ssize_t>(s.size()), "replace"));
}

// What an argument of a type is made with, where a caller gave one of another.
std::string hint_of(const wick::Error& error, const wick::ErrorPlace& place) {
  if (!place.advice.empty()) return place.advice;
  if (error.code() != wick::ErrorCode::kInvalidArgument) return {};
  const auto between = [&](std::string_view begin) {
    const size_t at = place.summary.find(begin);
    if (at == std::string::npos) return std::string();
    const size_t from = at + begin.size();
    return place.summary.substr(from, place.summary.find('\'', from) - from);
  };
  const std::string wanted = between("Expected a value of type '"), found = between("but instead found type '");
  const auto is_number = [](const std::string& type) { return type == "int" || type == "float" || type == "bool"; };
  if (wanted == "Tensor" && (is_number(found) || found.starts_with("List[")))
    return "wick.tensor(...) makes a tensor of it";
  if (is_number(wanted) && found == "Tensor") return "tensor.item() gives its number";
  if (wanted.starts_with("List[") && found == "Tensor")
    return "tensor.tolist() gives its numbers, list(tensor) its rows";
  if (wanted == "Device" && found == "str") return "wick.Device(...) makes a device of it";
  return {};
}

nb::object exception_of(const wick::Error& error, const char* class_name) {
  const wick::ErrorPlace place = wick::place_of(error);
  nb::module_ errors = nb::module_::import_("wick._errors");
  const nb::str code(wick::to_string(error.code()));
  nb::object cls = class_name ? nb::object(errors.attr(class_name))
                              : nb::object(nb::handle(errors.attr("CLASSES")).attr("get")(code, errors.attr("Error")));
  const std::string hint = hint_of(error, place);
  nb::object out = cls(text(hint.empty() ? error.message() : error.message() + "\n" + hint));
  out.attr("code") = code;
  out.attr("summary") = text(place.summary);
  out.attr("context") = text(place.context);
  out.attr("operator") = place.operator_name.empty() ? nb::object(nb::none()) : text(place.operator_name);
  out.attr("file") = place.file.empty() ? nb::object(nb::none()) : text(place.file);
  out.attr("line") = place.line == 0 ? nb::object(nb::none()) : nb::object(nb::int_(place.line));
  return out;
}

void set_python_error(const PythonError& error) {
  nb::python_error& inner = *error.inner;
  // KeyboardInterrupt and SystemExit go through as they are.
  if (!inner.matches(PyExc_Exception)) {
    inner.restore();
    return;
  }
  nb::object raised = exception_of(error, nullptr);
  PyException_SetCause(raised.ptr(), nb::borrow(inner.value()).release().ptr());
  PyErr_SetObject(raised.type().ptr(), raised.ptr());
}

}  // namespace

namespace {

// Why the system refuses the file, asked again; 0 where it does not.
int refusal(const std::string& path, FileUse use) {
  struct stat info {};
  const bool is_there = stat(path.c_str(), &info) == 0;
  if (is_there && S_ISDIR(info.st_mode)) return EISDIR;
  if (use == FileUse::kRead) return !is_there ? errno : access(path.c_str(), R_OK) == 0 ? 0 : errno;
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  if (stat(folder.c_str(), &info) != 0) return errno;
  if (!S_ISDIR(info.st_mode)) return ENOTDIR;
  return access(folder.c_str(), W_OK) == 0 ? 0 : errno;
}

}  // namespace

std::string path_of(nb::handle object) {
  PyObject* encoded = nullptr;
  if (!PyUnicode_FSConverter(object.ptr(), &encoded)) throw nb::python_error();
  const nb::bytes bytes = nb::steal<nb::bytes>(encoded);
  return {bytes.c_str(), bytes.size()};
}

void raise_file_error(const wick::Error& error, const std::string& path, FileUse use) {
  if (error.code() != wick::ErrorCode::kNotFound && error.code() != wick::ErrorCode::kIo) return;
  const int number = refusal(path, use);
  const bool is_missing = error.code() == wick::ErrorCode::kNotFound;
  if (is_missing && number != ENOENT && number != ENOTDIR) return;  // of something in the file
  nb::object raised = exception_of(error, is_missing ? "MissingFileError" : "FileError");
  if (number != 0) {
    raised.attr("errno") = number;
    raised.attr("strerror") = text(std::strerror(number));
  }
  raised.attr("filename") =
      nb::steal(PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size())));
  PyErr_SetObject(raised.type().ptr(), raised.ptr());
  throw nb::python_error();
}

std::string PythonError::summary_of(nb::python_error& error) {
  std::string out = nb::cast<std::string>(nb::str(nb::object(error.type().attr("__name__"))));
  const std::string said = nb::cast<std::string>(nb::str(error.value()));
  return "a Python operator raised " + out + (said.empty() ? "" : ": " + said);
}

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const PythonError& e) {
      set_python_error(e);
    } catch (const wick::Error& e) {
      nb::object raised = exception_of(e, nullptr);
      PyErr_SetObject(raised.type().ptr(), raised.ptr());
    }
  });
}

}  // namespace wick_python
