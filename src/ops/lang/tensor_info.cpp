// Queries of a tensor's metadata: sizes, strides, flags.
#include "ops/lang/tensor_info.h"

#include "core/check.h"
#include "core/copy.h"
#include "core/lengths.h"
#include "core/limits.h"
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "ops/lang/number.h"

namespace wick::ops::lang {

IntVec sizes_of(const Tensor& t) { return t.sizes(); }
int64_t size_of_dim(const Tensor& t, int64_t dim) { return t.size(dim); }
IntVec strides_of(const Tensor& t) { return t.strides(); }
int64_t stride_of_dim(const Tensor& t, int64_t dim) { return t.stride(dim); }

int64_t length_of_tensor(const Tensor& t) {
  WICK_CHECK(t.dim() > 0, kInvalidArgument, "len() of a 0-d tensor");
  return t.sizes()[0];
}

namespace {
[[noreturn]] void refuse_strided(const char* op) {
  fail_with<ErrorCode::kUnsupported>("Could not run '", op,
                                     "' with arguments from the 'CPU' backend: it is for sparse tensors");
}
}  // namespace

// PyTorch 2 answers these for tensors that are not sparse, too.
int64_t sparse_dim(const Tensor&) { return 0; }
int64_t dense_dim(const Tensor& t) { return t.dim(); }
bool is_coalesced(const Tensor&) { refuse_strided("aten::is_coalesced"); }
Tensor coalesce(const Tensor&) { refuse_strided("aten::is_coalesced"); }

bool is_contiguous_as(const Tensor& t, MemoryFormat format) { return t.is_contiguous(format); }

bool is_strides_like(const Tensor& t, MemoryFormat format) {
  return format != MemoryFormat::kContiguous && t.suggest_memory_format() == format;
}

Scalar first_element(const Tensor& t) {
  WICK_CHECK(t.numel() > 0, kInvalidArgument, "a Tensor with 0 elements cannot be converted to Scalar");
  return t.as_strided({}, {}, t.storage_offset()).item();
}

Tensor without_grad(const Tensor& t) {
  Tensor out = t.alias();
  out.impl()->requires_grad = false;
  return out;
}

Tensor set_requires_grad(const Tensor& t, bool value) {
  WICK_CHECK(!value || is_floating(t.dtype()) || is_complex(t.dtype()), kTypeMismatch,
             "Only Tensors of floating point and complex dtype can require gradients");
  t.impl()->requires_grad = value;
  return t;
}

DType result_type_of_tensors(const Tensor& a, const Tensor& b) { return ResultType().add(a).add(b).get(); }
DType result_type_of_tensor_scalar(const Tensor& a, const Scalar& b) { return ResultType().add(a).add(b).get(); }
DType result_type_of_scalar_tensor(const Scalar& a, const Tensor& b) { return ResultType().add(a).add(b).get(); }
DType result_type_of_scalars(const Scalar& a, const Scalar& b) { return ResultType().add(a).add(b).get(); }

void assert_metadata(const Tensor& t, const std::optional<IntVec>& sizes, const std::optional<IntVec>& strides,
                     std::optional<DType> dtype, std::optional<Device>, const IValue&) {
  WICK_CHECK(!sizes || *sizes == t.sizes(), kShapeMismatch, "Tensor sizes mismatch! Expected: ", sizes->span(),
             ", Got: ", t.sizes());
  WICK_CHECK(!strides || *strides == t.strides(), kShapeMismatch,
             "Tensor strides mismatch! Expected: ", strides->span(), ", Got: ", t.strides());
  WICK_CHECK(!dtype || *dtype == t.dtype(), kTypeMismatch, "Tensor dtype mismatch! Expected: ", name_of(*dtype),
             ", Got: ", name_of(t.dtype()));
}

void assert_true(const Tensor& t) {
  WICK_CHECK(bool_of_tensor(t), kModelException, "Expected Tensor with single nonzero value, but got zero");
}

void assert_true_or(const Tensor& t, std::string_view message) {
  WICK_CHECK(bool_of_tensor(t), kModelException, message);
}

bool is_set_to(const Tensor& a, const Tensor& b) {
  return a.storage() == b.storage() && a.storage_offset() == b.storage_offset() && a.sizes() == b.sizes() &&
         a.strides() == b.strides();
}

IntVec ints_of_tensor(const Tensor& t) {
  WICK_CHECK(t.dtype() == DType::kInt, kTypeMismatch, "expected scalar type Int but found ", name_of(t.dtype()));
  WICK_CHECK(static_cast<uint64_t>(t.numel()) <= limits::kMaxListLength, kLimitExceeded, "a tensor of ", t.numel(),
             " elements is too large for a list");
  check_list_length(static_cast<uint64_t>(t.numel()));
  const Tensor dense = contiguous(t);
  const int32_t* values = dense.data_ptr<int32_t>();
  IntVec out(static_cast<size_t>(t.numel()));
  std::copy(values, values + t.numel(), out.begin());
  return out;
}

Tensor tensor_of_ints(IntSpan values) {
  Tensor out = Tensor::empty({static_cast<int64_t>(values.size())}, DType::kInt);
  int32_t* to = out.data_ptr<int32_t>();
  for (size_t i = 0; i < values.size(); ++i) to[i] = static_cast<int32_t>(values[i]);
  return out;
}

}  // namespace wick::ops::lang
