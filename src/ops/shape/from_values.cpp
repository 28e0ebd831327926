// torch.tensor and torch.as_tensor: tensors from Python numbers and nested lists.
#include "core/copy.h"
#include "core/limits.h"
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "core/value_walk.h"
#include "ops/shape/creation.h"
#include "ops/shape/number_range.h"

namespace wick::ops {

namespace {

// Sizes of a nested list, taken from the first element at each level.
IntVec list_sizes(const IValue& data) {
  IntVec sizes;
  const IValue* at = &data;
  while (at->is_list()) {
    WICK_CHECK(sizes.size() < limits::kMaxTensorDims, kLimitExceeded, "tensor(): the list is nested more than ",
               limits::kMaxTensorDims, " levels");
    const std::vector<IValue>& items = at->to_list().items;
    sizes.push_back(static_cast<int64_t>(items.size()));
    if (items.empty()) break;
    at = &items[0];
  }
  return sizes;
}

// The type of the numbers at the leaves; an empty list tells it by its element type.
DType leaf_dtype(const IValue& data) {
  const IValue* at = &data;
  while (at->is_list()) {
    const ListImpl& list = at->to_list();
    if (list.items.empty()) {
      TypePtr type = list.element_type;
      while (type->is(TypeKind::kList)) type = type->element(0);
      switch (type->kind()) {
        case TypeKind::kInt:
          return DType::kLong;
        case TypeKind::kBool:
          return DType::kBool;
        case TypeKind::kComplex:
          return DType::kComplexDouble;
        case TypeKind::kFloat:
        case TypeKind::kAny:
        case TypeKind::kTensor:
          return DType::kDouble;
        default:
          fail_with<ErrorCode::kTypeMismatch>("Input must be of ints, floats, or bools, got ", type->str());
      }
    }
    at = &list.items[0];
  }
  WICK_CHECK(at->is_number(), kTypeMismatch, "Input must be of ints, floats, or bools, got ", at->type()->str());
  return at->to_scalar().dtype();
}

// Numbers of the list in row-major order.
void collect(const IValue& data, IntSpan sizes, size_t dim, const Tensor& into, int64_t& next, Descent& descent) {
  if (dim == sizes.size()) {
    const Scalar v = data.to_scalar();
    switch (into.dtype()) {
      case DType::kLong:
        into.data_ptr<int64_t>()[next++] = v.to_int();
        break;
      case DType::kBool:
        into.data_ptr<bool>()[next++] = v.to_bool();
        break;
      case DType::kDouble:
        into.data_ptr<double>()[next++] = v.to_double();
        break;
      default:
        into.data_ptr<std::complex<double>>()[next++] = v.to_complex();
        break;
    }
    return;
  }
  const std::vector<IValue>& items = data.to_list().items;
  WICK_CHECK(static_cast<int64_t>(items.size()) == sizes[dim], kShapeMismatch, "Expected sequence of length ",
             sizes[dim], " at dim ", dim, " (got ", items.size(), ")");
  // The elements bound what is visited, where there are any.
  const Descent::Level level(descent, into.numel() == 0 ? items.size() : 0);
  for (const IValue& item : items) collect(item, sizes, dim + 1, into, next, descent);
}

DType default_for(DType leaf) {
  if (leaf == DType::kDouble) return kDefaultDType;
  return leaf == DType::kComplexDouble ? to_complex(kDefaultDType) : leaf;
}

void mark(const Tensor& t, bool requires_grad) {
  WICK_CHECK(!requires_grad || is_floating(t.dtype()) || is_complex(t.dtype()), kTypeMismatch,
             "Only Tensors of floating point and complex dtype can require gradients");
  t.impl()->requires_grad = requires_grad;
}

}  // namespace

Tensor tensor_from_list(const IValue& data, std::optional<DType> dtype, std::optional<Device> device,
                        bool requires_grad) {
  const IntVec sizes = list_sizes(data);
  const DType leaf = leaf_dtype(data);
  const Tensor values = Tensor::empty(sizes, leaf);
  int64_t next = 0;
  Descent descent("made a tensor");
  collect(data, sizes, 0, values, next, descent);
  // PyTorch makes the default kind first: float64 from Python numbers has the precision of float32.
  Tensor out = to_dtype(values, default_for(leaf));
  if (dtype) out = to_dtype(out, *dtype);
  mark(out, requires_grad);
  return out;
}

Tensor tensor_from_number(const Scalar& value, std::optional<DType> dtype, std::optional<Device> device,
                          bool requires_grad) {
  Tensor out = number_tensor(value, default_for(value.dtype()));
  if (dtype) out = to_dtype(out, *dtype);
  mark(out, requires_grad);
  return out;
}

Tensor as_tensor_list(const IValue& data, std::optional<DType> dtype, std::optional<Device> device) {
  return tensor_from_list(data, dtype, device, false);
}
Tensor as_tensor_number(const Scalar& value, std::optional<DType> dtype, std::optional<Device> device) {
  return tensor_from_number(value, dtype, device, false);
}
Tensor as_tensor(const Tensor& data, std::optional<DType> dtype, std::optional<Device> device) {
  return to_prim_dtype(data, dtype, false, false);
}

}  // namespace wick::ops
