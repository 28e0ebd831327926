// at::TensorArg and the checks of arguments that operators written for ATen make.
#pragma once

#include <ATen/core/TensorBody.h>

namespace at {

// A tensor, and what errors call it.
struct TensorArg {
  const Tensor& tensor;
  const char* name;
  int pos;  // from 1
  TensorArg(const Tensor& t, const char* argument, int position) : tensor(t), name(argument), pos(position) {}
  TensorArg(Tensor&&, const char*, int) = delete;
  const Tensor* operator->() const { return &tensor; }
  const Tensor& operator*() const { return tensor; }
};
struct TensorGeometryArg {
  Tensor tensor;
  const char* name;
  int pos;
  TensorGeometryArg(TensorArg arg) : tensor(arg.tensor), name(arg.name), pos(arg.pos) {}
  TensorGeometryArg(Tensor t, const char* argument, int position)
      : tensor(std::move(t)), name(argument), pos(position) {}
  const Tensor* operator->() const { return &tensor; }
  const Tensor& operator*() const { return tensor; }
};
using CheckedFrom = const char*;

inline std::ostream& operator<<(std::ostream& out, const TensorGeometryArg& t) {
  if (t.pos == 0) return out << '\'' << t.name << '\'';
  return out << "argument #" << t.pos << " '" << t.name << "'";
}

inline void checkDim(CheckedFrom c, const TensorGeometryArg& t, int64_t dim) {
  TORCH_CHECK(t->dim() == dim, "Expected ", dim, "-dimensional tensor, but got ", t->dim(), "-dimensional tensor for ",
              t, " (while checking arguments for ", c, ")");
}
inline void checkDim(CheckedFrom c, const Tensor& tensor, const char* name, int pos, int64_t dim) {
  TORCH_CHECK(tensor.dim() == dim, "Expected ", dim, "-dimensional tensor, but got ", tensor.dim(),
              "-dimensional tensor for argument #", pos, " '", name, "' (while checking arguments for ", c, ")");
}
inline void checkDimRange(CheckedFrom c, const TensorGeometryArg& t, int64_t first, int64_t end) {
  TORCH_CHECK(t->dim() >= first && t->dim() < end, "Expected ", first, " to ", (end - 1), " dimensions, but got ",
              t->dim(), "-dimensional tensor for ", t, " (while checking arguments for ", c, ")");
}
inline void checkContiguous(CheckedFrom c, const TensorGeometryArg& t) {
  TORCH_CHECK(t->is_contiguous(), "Expected contiguous tensor, but got non-contiguous tensor for ", t,
              " (while checking arguments for ", c, ")");
}
inline void checkAllContiguous(CheckedFrom c, ArrayRef<TensorArg> ts) {
  for (const TensorArg& t : ts) {
    if (t->defined()) checkContiguous(c, t);
  }
}
inline void checkSize(CheckedFrom c, const TensorGeometryArg& t, IntArrayRef sizes) {
  checkDim(c, t, static_cast<int64_t>(sizes.size()));
  TORCH_CHECK(t->sizes().equals(sizes), "Expected tensor of size ", sizes, ", but got tensor of size ", t->sizes(),
              " for ", t, " (while checking arguments for ", c, ")");
}
inline void checkSize(CheckedFrom c, const TensorGeometryArg& t, int64_t dim, int64_t size) {
  TORCH_CHECK(t->size(dim) == size, "Expected tensor to have size ", size, " at dimension ", dim, ", but got size ",
              t->size(dim), " for ", t, " (while checking arguments for ", c, ")");
}
inline void checkNumel(CheckedFrom c, const TensorGeometryArg& t, int64_t numel) {
  TORCH_CHECK(t->numel() == numel, "Expected tensor for ", t, " to have ", numel, " elements; but it actually has ",
              t->numel(), " elements", " (while checking arguments for ", c, ")");
}
inline void checkSameNumel(CheckedFrom c, const TensorArg& t1, const TensorArg& t2) {
  TORCH_CHECK(t1->numel() == t2->numel(), "Expected tensor for ", t1, " to have same number of elements as tensor for ",
              t2, "; but ", t1->numel(), " does not equal ", t2->numel(), " (while checking arguments for ", c, ")");
}
inline void checkSameDim(CheckedFrom c, const TensorGeometryArg& t1, const TensorGeometryArg& t2) {
  TORCH_CHECK(t1->dim() == t2->dim(), "Expected tensor for ", t1, " to have the same dimension as tensor for ", t2,
              "; but ", t1->dim(), " does not equal ", t2->dim(), " (while checking arguments for ", c, ")");
}
inline void checkSameSize(CheckedFrom c, const TensorArg& t1, const TensorArg& t2) {
  TORCH_CHECK(t1->sizes().equals(t2->sizes()), "Expected tensor for ", t1, " to have same size as tensor for ", t2,
              "; but ", t1->sizes(), " does not equal ", t2->sizes(), " (while checking arguments for ", c, ")");
}
inline void checkScalarType(CheckedFrom c, const TensorArg& t, ScalarType type) {
  TORCH_CHECK(t->scalar_type() == type, "Expected tensor for ", t, " to have scalar type ", toString(type),
              "; but got ", t->toString(), " instead (while checking arguments for ", c, ")");
}
inline void checkScalarTypes(CheckedFrom c, const TensorArg& t, ArrayRef<ScalarType> types) {
  bool found = false;
  std::string names;
  for (size_t i = 0; i < types.size(); ++i) {
    found = found || types[i] == t->scalar_type();
    names += std::string(i ? ", " : "") + toString(types[i]);
  }
  TORCH_CHECK(found, "Expected tensor for ", t, " to have one of the following scalar types: ", names, "; but got ",
              t->toString(), " instead (while checking arguments for ", c, ")");
}
inline void checkSameType(CheckedFrom c, const TensorArg& t1, const TensorArg& t2) {
  TORCH_CHECK(t1->options().type_equal(t2->options()), "Expected tensor for ", t1,
              " to have the same type as tensor for ", t2, "; but type ", t1->toString(), " does not equal ",
              t2->toString(), " (while checking arguments for ", c, ")");
}
inline void checkAllSameType(CheckedFrom c, ArrayRef<TensorArg> ts) {
  for (const TensorArg& t : ts) {
    if (t->defined() && ts[0]->defined()) checkSameType(c, ts[0], t);
  }
}
inline void checkAllSameSize(CheckedFrom c, ArrayRef<TensorArg> ts) {
  for (const TensorArg& t : ts) {
    if (t->defined() && ts[0]->defined()) checkSameSize(c, ts[0], t);
  }
}
inline void checkDefined(CheckedFrom c, const TensorArg& t) {
  TORCH_CHECK(t->defined(), "Expected tensor for ", t, " to be non-null, but it was undefined ",
              " (while checking arguments for ", c, ")");
}
inline void checkAllDefined(CheckedFrom c, ArrayRef<TensorArg> ts) {
  for (const TensorArg& t : ts) checkDefined(c, t);
}
// All tensors are the CPU's.
inline void checkSameGPU(CheckedFrom c, const TensorArg& t1, const TensorArg& t2) {
  TORCH_CHECK(false, "Tensor for ", t1, " is on CPU, Tensor for ", t2, " is on CPU, but expected them to be on GPU",
              " (while checking arguments for ", c, ")");
}
inline void checkBackend(CheckedFrom c, const Tensor& t, Backend backend) {
  TORCH_CHECK(!t.defined() || t.type().backend() == backend, "Expected tensor to have ", c10::toString(backend),
              " Backend, but got tensor with ", c10::toString(t.type().backend()), " Backend ",
              "(while checking arguments for ", c, ")");
}
inline void checkDeviceType(CheckedFrom c, const Tensor& t, DeviceType type) {
  TORCH_CHECK(!t.defined() || t.device().type() == type, "Expected tensor to have ", type,
              " DeviceType, but got tensor with ", t.device().type(), " DeviceType ", "(while checking arguments for ",
              c, ")");
}
inline void* maybe_data_ptr(const Tensor& t) { return t.defined() ? t.data_ptr() : nullptr; }
inline void* maybe_data_ptr(const TensorArg& t) { return maybe_data_ptr(t.tensor); }

}  // namespace at
