// The buffer protocol: NumPy arrays, bytes, memoryviews and array.array as tensors, and tensors as buffers.
#include <cstring>
#include <memory>
#include <string>

#include "arrays.h"

namespace wick_python {

using wick::DType;
using wick::Tensor;

namespace {

// The dtype of a format of Python's struct module, of native byte order; nothing for others.
std::optional<DType> dtype_of_format(const char* format, Py_ssize_t size) {
  if (!format) return DType::kByte;
  if (*format == '@' || *format == '=' || *format == '<') ++format;  // all our machines are little-endian
  if (std::strcmp(format, "Zf") == 0) return DType::kComplexFloat;
  if (std::strcmp(format, "Zd") == 0) return DType::kComplexDouble;
  if (format[0] == '\0' || format[1] != '\0') return std::nullopt;
  switch (*format) {
    case '?':
      return DType::kBool;
    case 'e':
      return DType::kHalf;
    case 'f':
      return DType::kFloat;
    case 'd':
      return DType::kDouble;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
      return size == 1 ? DType::kChar : size == 2 ? DType::kShort : size == 4 ? DType::kInt : DType::kLong;
    case 'c':
    case 'B':
      return DType::kByte;
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
      return size == 2 ? DType::kUInt16 : size == 4 ? DType::kUInt32 : DType::kUInt64;
    default:
      return std::nullopt;
  }
}

const char* format_of(DType dtype) {
  switch (dtype) {
    case DType::kByte:
      return "B";
    case DType::kChar:
      return "b";
    case DType::kShort:
      return "h";
    case DType::kInt:
      return "i";
    case DType::kLong:
      return "q";
    case DType::kHalf:
      return "e";
    case DType::kFloat:
      return "f";
    case DType::kDouble:
      return "d";
    case DType::kComplexFloat:
      return "Zf";
    case DType::kComplexDouble:
      return "Zd";
    case DType::kBool:
      return "?";
    case DType::kUInt16:
      return "H";
    case DType::kUInt32:
      return "I";
    case DType::kUInt64:
      return "Q";
    default:
      return nullptr;
  }
}

// Holds the exporting object until the last tensor that uses its memory is gone, on whichever thread that is.
struct HeldBuffer {
  Py_buffer view{};
  bool held = false;
  HeldBuffer() = default;
  HeldBuffer(const HeldBuffer&) = delete;
  HeldBuffer& operator=(const HeldBuffer&) = delete;
  ~HeldBuffer() {
    if (!held || !nb::is_alive()) return;  // after the interpreter's end nothing is left to be given back to
    nb::gil_scoped_acquire gil;
    PyBuffer_Release(&view);
  }
};

bool can_be_used(const Py_buffer& view) {
  if (view.readonly || view.suboffsets || reinterpret_cast<uintptr_t>(view.buf) % view.itemsize != 0) return false;
  for (int i = 0; i < view.ndim; ++i) {
    if (view.shape[i] == 0) return false;  // no memory to share
    if (view.strides && (view.strides[i] < 0 || view.strides[i] % view.itemsize != 0)) return false;
  }
  return true;
}

}  // namespace

std::optional<Tensor> tensor_of_buffer(PyObject* object, bool force_copy, std::optional<DType> as) {
  if (!PyObject_CheckBuffer(object)) return std::nullopt;
  auto held = std::make_shared<HeldBuffer>();
  Py_buffer& view = held->view;
  if (PyObject_GetBuffer(object, &view, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();  // an array of a type that has no format: DLPack may have one
    return std::nullopt;
  }
  held->held = true;
  const std::optional<DType> dtype = as ? as : dtype_of_format(view.format, view.itemsize);
  if (!dtype || static_cast<size_t>(view.itemsize) != wick::itemsize(*dtype)) {
    throw nb::type_error((std::string("an array of format '") + (view.format ? view.format : "") +
                          "' is no tensor; convert it first, e.g. array.astype('float32')")
                             .c_str());
  }
  wick::IntVec sizes(static_cast<size_t>(view.ndim)), strides(static_cast<size_t>(view.ndim));
  for (size_t i = 0; i < sizes.size(); ++i) {
    sizes[i] = view.shape[i];
    strides[i] = view.strides ? view.strides[i] / view.itemsize : 0;
  }
  if (!force_copy && can_be_used(view)) {
    return Tensor::from_blob(view.buf, sizes, *dtype, view.strides ? wick::IntSpan(strides) : wick::IntSpan(),
                             std::move(held));
  }
  Tensor out = Tensor::empty(sizes, *dtype);
  if (static_cast<size_t>(view.len) != out.nbytes()) {
    throw nb::buffer_error("the buffer is damaged: its length is not that of its shape");
  }
  if (out.numel() > 0 && PyBuffer_ToContiguous(out.data_ptr(), &view, view.len, 'C') != 0) throw nb::python_error();
  return out;
}

namespace {

// What a view of a tensor points to: its extents in Python's type, and the tensor, whose shape may change meanwhile.
struct ViewState {
  Tensor tensor;
  std::unique_ptr<Py_ssize_t[]> extents;
};

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  try {
    const Tensor& tensor = nb::cast<const Tensor&>(nb::handle(self));
    const char* format = format_of(tensor.dtype());
    if (!format) {
      PyErr_Format(PyExc_BufferError, "a tensor of dtype %s is no buffer; convert it with .to('float32')%s",
                   wick::torch_name_of(tensor.dtype()), tensor.is_quantized() ? " or .dequantize()" : "");
      return -1;
    }
    if (!(flags & PyBUF_FORMAT)) format = nullptr;
    const bool contiguous = tensor.is_contiguous();
    const bool wants_rows = (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS || !(flags & PyBUF_STRIDES);
    const bool wants_columns = (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS;
    if ((wants_rows && !contiguous) || (wants_columns && tensor.dim() > 1)) {
      PyErr_SetString(PyExc_BufferError, "the tensor is not contiguous; take .contiguous() first");
      return -1;
    }
    const auto dims = static_cast<size_t>(tensor.dim());
    auto state = std::make_unique<ViewState>(ViewState{tensor, std::make_unique<Py_ssize_t[]>(2 * dims + 1)});
    const auto item = static_cast<Py_ssize_t>(tensor.itemsize());
    for (size_t i = 0; i < dims; ++i) {
      state->extents[i] = tensor.sizes()[i];
      state->extents[dims + i] = tensor.strides()[i] * item;
    }
    static char nothing = 0;
    view->buf = tensor.numel() > 0 ? tensor.data_ptr() : &nothing;
    view->len = static_cast<Py_ssize_t>(tensor.nbytes());
    view->itemsize = item;
    view->readonly = 0;
    view->ndim = static_cast<int>(dims);
    view->format = const_cast<char*>(format);
    view->shape = flags & PyBUF_ND ? state->extents.get() : nullptr;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? state->extents.get() + dims : nullptr;
    view->suboffsets = nullptr;
    view->internal = state.release();
    view->obj = self;
    Py_INCREF(self);
    return 0;
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_BufferError, e.what());
    return -1;
  }
}

void release_buffer(PyObject*, Py_buffer* view) { delete static_cast<ViewState*>(view->internal); }

}  // namespace

PyType_Slot tensor_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                              {Py_bf_releasebuffer, reinterpret_cast<void*>(release_buffer)},
                              {0, nullptr}};

}  // namespace wick_python
