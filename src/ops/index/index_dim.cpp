// Operators with one index per slice of a dimension: index_select, index_add, index_copy, index_fill, index_reduce.
#include "core/copy.h"
#include "core/shape.h"
#include "ops/index/combine.h"
#include "ops/index/index.h"
#include "ops/index/index_reduction.h"
#include "ops/shape/item_copy.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

// The index as a contiguous 1-D long tensor with every element in [0, size).
Tensor checked_index(const Tensor& index, int64_t size, const char* message) {
  const Tensor dense = wick::contiguous(atleast_1d(to_dtype(index, DType::kLong)));
  const int64_t* p = dense.data_ptr<int64_t>();
  for (int64_t i = 0, count = dense.numel(); i < count; ++i) {
    WICK_CHECK(p[i] >= 0 && p[i] < size, kIndexOutOfRange, message);
  }
  return dense;
}

void check_index_dtype(const Tensor& index, const char* message) {
  WICK_CHECK(index.dtype() == DType::kLong || index.dtype() == DType::kInt, kTypeMismatch, message);
}

// The checks index_add, index_copy and index_reduce share. All tensors are at least 1-D.
void check_slices(const char* op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  WICK_CHECK(index.dim() <= 1, kIndexOutOfRange, op, "(): Index is supposed to be a vector, but got dim: ", index.dim(),
             " with type: ", name_of(index.dtype()), " and size: ", index.sizes());
  WICK_CHECK(self.dtype() == source.dtype(), kTypeMismatch, op, "(): self (", name_of(self.dtype()), ") and source (",
             name_of(source.dtype()), ") must have the same scalar type");
  const int64_t slices = source.dim() == 0 ? 1 : dim < source.dim() ? source.sizes()[dim] : -1;
  WICK_CHECK(index.numel() == slices, kShapeMismatch, op, "(): Number of indices (", index.numel(),
             ") should be equal to source.size(dim): (", slices, "), for dim: ", dim);
  IntVec self_sizes(atleast_1d(self).sizes()), source_sizes(atleast_1d(source).sizes());
  const bool same_rank = self_sizes.size() == source_sizes.size();
  if (same_rank) self_sizes[dim] = source_sizes[dim];
  WICK_CHECK(same_rank && self_sizes == source_sizes, kShapeMismatch,
             "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = ",
             self.sizes(), " source.shape = ", source.sizes());
}

}  // namespace

Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index) {
  const int64_t d = wrap_dim(dim, self.dim());
  WICK_CHECK(index.dim() <= 1, kIndexOutOfRange, "index_select(): Index is supposed to be a vector");
  check_index_dtype(index, "index_select(): Expected dtype int32 or int64 for index");
  WICK_CHECK(self.dim() > 0 || index.numel() == 1, kIndexOutOfRange,
             "index_select(): Index to scalar can have only 1 value, got ", index.numel(), " value(s)");
  const Tensor source = atleast_1d(self);
  const Tensor at = checked_index(index, source.sizes()[d], "index out of range in self");
  IntVec sizes(source.sizes());
  sizes[d] = at.numel();
  const Tensor out = empty_of_kind(self, sizes);
  combine_lines(source, d, at, out, combine_fn(Combine::kAssign, self.dtype(), "index_select"), true);
  return self.dim() == 0 ? select(out, 0, 0) : out;
}

Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha,
                 Out out) {
  const int64_t d = wrap_dim(dim, self.dim());
  check_index_dtype(index, "index_add(): Expected dtype int32/int64 for index");
  check_slices("index_add_", self, d, index, source);
  Tensor scaled = source;
  const bool is_one = alpha.is_complex() ? alpha.to_complex() == 1.0 : alpha.to_double() == 1;
  if (!is_one) {
    scaled = wick::clone(source);
    Tensor factor = Tensor::scalar(alpha, source.dtype());
    CombineFn mul = combine_fn(Combine::kMul, source.dtype(), "index_add");
    mul(static_cast<char*>(scaled.raw_data()), static_cast<int64_t>(scaled.itemsize()),
        static_cast<const char*>(factor.raw_data()), 0, scaled.numel());
  }
  const Tensor written = begin_write(self, out), target = atleast_1d(written);
  combine_lines(target, d, checked_index(unaliased(index, written), target.sizes()[d], "index out of range in self"),
                atleast_1d(unaliased(scaled, written)), combine_fn(Combine::kAdd, self.dtype(), "index_add"));
  return finish_write(written, out);
}

Tensor index_copy(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, Out out) {
  const int64_t d = wrap_dim(dim, self.dim());
  WICK_CHECK(index.dim() < 2, kIndexOutOfRange, "index_copy_(): Index should have dimension 1 or 0 (got ", index.dim(),
             ")");
  WICK_CHECK(source.dim() != 0 || index.numel() == 1, kIndexOutOfRange,
             "index_copy_(): When source is scalar, index should have one element (got ", index.numel(), ")");
  WICK_CHECK(source.dim() == self.dim() || source.dim() == 0 || self.dim() == 0, kIndexOutOfRange,
             "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source "
             "dimensionality (",
             source.dim(), "), destination dimensionality (", self.dim(), ")");
  WICK_CHECK(index.dtype() == DType::kLong, kIndexOutOfRange,
             "index_copy_(): Expected a long tensor for index, but got ", name_of(index.dtype()));
  WICK_CHECK(self.dtype() == source.dtype(), kTypeMismatch,
             "index_copy_(): self and source expected to have the same dtype, but got (self) ", name_of(self.dtype()),
             " and (source) ", name_of(source.dtype()));
  const auto rest = [&](const Tensor& t) {
    IntVec sizes(t.sizes());
    if (!sizes.empty()) sizes.erase(d);
    return sizes;
  };
  const auto text = [](const IntVec& sizes) {
    std::string out;
    for (int64_t s : sizes) out += cat(out.empty() ? "" : " ", s);
    return out;
  };
  WICK_CHECK(rest(self) == rest(source), kShapeMismatch,
             "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: ",
             text(rest(self)), " at dimension ", d, " and source slice shape: ", text(rest(source)),
             " at dimension 0.");
  const int64_t slices = source.dim() == 0 ? 1 : source.sizes()[d];
  WICK_CHECK(source.dim() == 0 || index.numel() == slices, kIndexOutOfRange, "index_copy_(): Number of indices (",
             index.numel(), ") should be equal to source.size(dim) (", slices, ")");
  const Tensor written = begin_write(self, out), target = atleast_1d(written);
  const int64_t size = target.sizes()[d];
  const Tensor at = wick::contiguous(atleast_1d(unaliased(index, written)));
  for (int64_t i = 0, count = at.numel(); i < count; ++i) {
    const int64_t v = at.data_ptr<int64_t>()[i];
    WICK_CHECK(v >= 0 && v < size, kIndexOutOfRange, "index_copy_(): index ", v, " is out of bounds for dimension ", d,
               " with size ", size);
  }
  combine_lines(target, d, at, atleast_1d(unaliased(source, written)),
                combine_fn(Combine::kAssign, self.dtype(), "index_copy"));
  return finish_write(written, out);
}

Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, Out out) {
  WICK_CHECK(index.dtype() == DType::kLong, kIndexOutOfRange, "index_fill_(): Expected dtype int64 for index.");
  WICK_CHECK(is_complex(self.dtype()) || !value.is_complex(), kTypeMismatch,
             "index_fill_(): Converting complex Scalar to non-complex type is not supported");
  const int64_t d = wrap_dim(dim, self.dim());
  WICK_CHECK(index.dim() <= 1, kIndexOutOfRange, "Index has to be a vector/scalar");
  // Elements that share memory may all get the number.
  const bool inplace = out && out.tensor->is_same(self);
  const Tensor written = inplace ? self : begin_write(self, out, MemoryFormat::kPreserve), target = atleast_1d(written);
  const int64_t size = target.sizes()[d];
  const Tensor at = wick::clone(atleast_1d(index), MemoryFormat::kContiguous);
  for (int64_t i = 0, count = at.numel(); i < count; ++i) {
    int64_t& v = at.data_ptr<int64_t>()[i];
    WICK_CHECK(v >= -size && v < size, kIndexOutOfRange, "index ", v, " is out of bounds for dimension ", d,
               " with size ", size);
    if (v < 0) v += size;
  }
  IntVec sizes(target.sizes());
  sizes[d] = at.numel();
  const Tensor number = wick::expand(Tensor::scalar(value, self.dtype()), sizes);
  combine_lines(target, d, at, number, combine_fn(Combine::kAssign, self.dtype(), "index_fill"));
  return finish_write(written, out);
}

Tensor index_fill_tensor(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& value, Out out) {
  WICK_CHECK(value.dim() == 0, kShapeMismatch,
             "index_fill_ only supports a 0-dimensional value tensor, but got tensor with ", value.dim(),
             " dimension(s).");
  return index_fill(self, dim, index, value.item(), out);
}

Tensor index_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                    bool include_self, Out out) {
  const int64_t d = wrap_dim(dim, self.dim());
  const std::optional<IndexReduction> kind = index_reduction(reduce);
  WICK_CHECK(kind && *kind != IndexReduction::kSum, kInvalidArgument,
             "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got ", reduce, ".");
  check_index_dtype(index, "index_reduce(): Expected dtype int32/int64 for index");
  check_slices("index_reduce_", self, d, index, source);
  const Tensor written = begin_write(self, out), target = atleast_1d(written);
  const Tensor slices = atleast_1d(unaliased(source, written));
  const Tensor at = checked_index(unaliased(index, written), target.sizes()[d], "index out of range in self");
  reduce_at(*kind, target, include_self, "index_reduce", [&](const Tensor& into, const Tensor* values, Combine op) {
    const Tensor from = values ? (values->dim() == 0 ? wick::expand(*values, slices.sizes()) : *values) : slices;
    combine_lines(into, d, at, from, combine_fn(op, into.dtype(), "index_reduce"));
  });
  return finish_write(written, out);
}

}  // namespace wick::ops
