// One index per element: gather, scatter, take, put.
#include "core/copy.h"
#include "core/shape.h"
#include "ops/dtype_switch.h"
#include "ops/index/combine.h"
#include "ops/index/index.h"
#include "ops/index/index_reduction.h"
#include "ops/pointwise/pointwise.h"
#include "ops/shape/item_copy.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

int64_t rank_of(const Tensor& t) { return std::max<int64_t>(t.dim(), 1); }

void check_scatter_shapes(const Tensor& self, int64_t dim, const Tensor& index, const Tensor* src) {
  if (index.numel() == 0) return;
  WICK_CHECK(rank_of(self) == rank_of(index), kShapeMismatch,
             "Index tensor must have the same number of dimensions as self tensor");
  bool fits = true;
  const Tensor i1 = atleast_1d(index), self1 = atleast_1d(self);
  for (int64_t d = 0; d < rank_of(self); ++d) fits = fits && (d == dim || i1.sizes()[d] <= self1.sizes()[d]);
  if (!src) {
    WICK_CHECK(fits, kShapeMismatch, "Expected index ", index.sizes(), " to be smaller than self ", self.sizes(),
               " apart from dimension ", dim);
    return;
  }
  WICK_CHECK(rank_of(*src) == rank_of(index), kShapeMismatch,
             "Index tensor must have the same number of dimensions as src tensor");
  const Tensor src1 = atleast_1d(*src);
  for (int64_t d = 0; d < rank_of(self); ++d) fits = fits && i1.sizes()[d] <= src1.sizes()[d];
  WICK_CHECK(fits, kShapeMismatch, "Expected index ", index.sizes(), " to be smaller than self ", self.sizes(),
             " apart from dimension ", dim, " and to be smaller size than src ", src->sizes());
}

// Integers of 32 bits are taken as PyTorch 2 takes them.
bool is_place(const Tensor& index) { return index.dtype() == DType::kLong || index.dtype() == DType::kInt; }

void check_scatter_dtypes(const char* op, const Tensor& self, const Tensor& index, const Tensor* src) {
  WICK_CHECK(index.numel() == 0 || is_place(index), kTypeMismatch, op, "(): Expected dtype int64 for index");
  WICK_CHECK(!src || self.dtype() == src->dtype(), kTypeMismatch, op,
             "(): Expected self.dtype to be equal to src.dtype");
}

// src, or the zero-dim value, combined into self at the places of index.
void scatter_into(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, Combine op,
                  const char* name) {
  if (index.numel() == 0) return;
  const Tensor places = atleast_1d(to_dtype(unaliased(index, self), DType::kLong)), from = unaliased(src, self);
  combine_places(atleast_1d(self), dim, places, from.dim() == 0 ? wick::expand(from, places.sizes()) : from,
                 combine_fn(op, self.dtype(), name));
}

Tensor scatter_with(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, Combine op,
                    const char* name, Out out) {
  const Tensor target = begin_write(self, out);
  scatter_into(target, dim, index, src, op, name);
  return finish_write(target, out);
}

Combine scatter_combine(std::string_view reduce) {
  WICK_CHECK(reduce == "add" || reduce == "multiply", kInvalidArgument,
             "reduce argument must be either add or multiply.");
  return reduce == "add" ? Combine::kAdd : Combine::kMul;
}

}  // namespace

Tensor gather(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad) {
  const int64_t d = wrap_dim(dim, self.dim());
  if (index.numel() == 0) return empty_of_kind(self, index.sizes());
  WICK_CHECK(is_place(index), kTypeMismatch, "gather(): Expected dtype int64 for index");
  WICK_CHECK(rank_of(self) == rank_of(index), kShapeMismatch,
             "Index tensor must have the same number of dimensions as input tensor");
  const Tensor source = atleast_1d(self), places = atleast_1d(to_dtype(index, DType::kLong));
  for (int64_t k = 0; k < source.dim(); ++k) {
    WICK_CHECK(k == d || places.sizes()[k] <= source.sizes()[k], kShapeMismatch, "Size does not match at dimension ", k,
               " expected index ", index.sizes(), " to be smaller than self ", self.sizes(), " apart from dimension ",
               d);
  }
  const Tensor out = empty_of_kind(self, places.sizes());
  combine_places(source, d, places, out, combine_fn(Combine::kAssign, self.dtype(), "gather"), true);
  return index.dim() == 0 ? select(out, 0, 0) : out;
}

Tensor scatter_src(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, Out out) {
  const int64_t d = wrap_dim(dim, self.dim());
  check_scatter_dtypes("scatter", self, index, &src);
  check_scatter_shapes(self, d, index, &src);
  return scatter_with(self, d, index, src, Combine::kAssign, "scatter", out);
}

Tensor scatter_value(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, Out out) {
  const int64_t d = wrap_dim(dim, self.dim());
  check_scatter_dtypes("scatter", self, index, nullptr);
  check_scatter_shapes(self, d, index, nullptr);
  return scatter_with(self, d, index, Tensor::scalar(value, self.dtype()), Combine::kAssign, "scatter", out);
}

Tensor scatter_src_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                          std::string_view reduce, Out out) {
  const int64_t d = wrap_dim(dim, self.dim());
  check_scatter_dtypes("scatter", self, index, &src);
  check_scatter_shapes(self, d, index, &src);
  return scatter_with(self, d, index, src, scatter_combine(reduce), "scatter", out);
}

Tensor scatter_value_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
                            std::string_view reduce, Out out) {
  const int64_t d = wrap_dim(dim, self.dim());
  check_scatter_dtypes("scatter", self, index, nullptr);
  check_scatter_shapes(self, d, index, nullptr);
  return scatter_with(self, d, index, Tensor::scalar(value, self.dtype()), scatter_combine(reduce), "scatter", out);
}

Tensor scatter_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, Out out) {
  const int64_t d = wrap_dim(dim, self.dim());
  check_scatter_dtypes("scatter", self, index, &src);
  check_scatter_shapes(self, d, index, &src);
  return scatter_with(self, d, index, src, Combine::kAdd, "scatter_add_", out);
}

Tensor scatter_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce,
                      bool include_self, Out out) {
  const int64_t d = wrap_dim(dim, self.dim());
  const std::optional<IndexReduction> kind = index_reduction(reduce);
  WICK_CHECK(kind, kInvalidArgument, "reduce argument must be either sum, prod, mean, amax or amin.");
  check_scatter_dtypes("scatter", self, index, &src);
  check_scatter_shapes(self, d, index, &src);
  const Tensor written = begin_write(self, out);
  if (index.numel() == 0) return finish_write(written, out);
  const Tensor target = atleast_1d(written), from = unaliased(src, written);
  reduce_at(*kind, target, include_self, "scatter_reduce", [&](const Tensor& into, const Tensor* values, Combine op) {
    scatter_into(into, d, index, values ? *values : from, op, "scatter_reduce");
  });
  return finish_write(written, out);
}

namespace {

// Bytes into t of element `at` (counted in row-major order) of t.
int64_t offset_of(const Tensor& t, int64_t at) {
  int64_t offset = 0;
  for (int64_t d = t.dim() - 1; d >= 0; --d) {
    const int64_t size = t.sizes()[d];
    offset += at % size * t.strides()[d];
    at /= size;
  }
  return offset * static_cast<int64_t>(t.itemsize());
}

}  // namespace

Tensor take(const Tensor& self, const Tensor& index) {
  WICK_CHECK(index.dtype() == DType::kLong, kTypeMismatch, "take(): Expected a long tensor for index, but got ",
             name_of(index.dtype()));
  WICK_CHECK(self.numel() > 0 || index.numel() == 0, kIndexOutOfRange, "take(): tried to take from an empty tensor");
  const Tensor out = empty_of_kind(self, index.sizes());
  const char* base = static_cast<const char*>(self.raw_data());
  const bool dense = self.is_contiguous();
  const int64_t n = self.numel(), item = static_cast<int64_t>(self.itemsize());
  StridedLoop(index.sizes()).add(out).add(index).run([&](char* const* p, const int64_t* s, int64_t count) {
    char* to = p[0];
    const char* places = p[1];
    const int64_t step = s[0], places_step = s[1];
    with_item_type(self.itemsize(), [&]<class T>(T) {
      for (int64_t i = 0; i < count; ++i) {
        int64_t at = load_item<int64_t>(places + i * places_step);
        WICK_CHECK(at >= -n && at < n, kIndexOutOfRange, "out of range: tried to access index ", at, " on a tensor of ",
                   n, " elements.");
        if (at < 0) at += n;
        std::memcpy(to + i * step, base + (dense ? at * item : offset_of(self, at)), sizeof(T));
      }
    });
  });
  return out;
}

Tensor put(const Tensor& self, const Tensor& index, const Tensor& source, bool accumulate, Out out) {
  WICK_CHECK(index.dtype() == DType::kLong, kTypeMismatch, "put_(): Expected a long tensor for index, but got ",
             name_of(index.dtype()));
  WICK_CHECK(self.dtype() == source.dtype(), kTypeMismatch,
             "put_(): self and source expected to have the same dtype, but got self.dtype = ", name_of(self.dtype()),
             " and source.dtype = ", name_of(source.dtype()));
  WICK_CHECK(index.numel() == source.numel(), kIndexOutOfRange,
             "put_(): Expected source and index to have the same number of elements, but got source.numel() = ",
             source.numel(), ", index.numel() = ", index.numel());
  WICK_CHECK(self.numel() > 0 || index.numel() == 0, kIndexOutOfRange,
             "put_(): Tried to put elements into an empty tensor");
  const Tensor written = begin_write(self, out, MemoryFormat::kPreserve);
  const Tensor places = wick::contiguous(unaliased(index, written));
  const Tensor values = wick::contiguous(unaliased(source, written));
  const CombineFn combine = combine_fn(accumulate ? Combine::kAdd : Combine::kAssign, self.dtype(), "put_");
  char* base = static_cast<char*>(written.raw_data());
  const int64_t n = self.numel(), item = static_cast<int64_t>(self.itemsize());
  for (int64_t i = 0, numel = places.numel(); i < numel; ++i) {
    int64_t at = places.data_ptr<int64_t>()[i];
    WICK_CHECK(at >= -n && at < n, kIndexOutOfRange, "out of range: tried to access index ", at, " on a tensor of ", n,
               " elements.");
    if (at < 0) at += n;
    combine(base + offset_of(written, at), 0, static_cast<const char*>(values.raw_data()) + i * item, 0, 1);
  }
  return finish_write(written, out);
}

Tensor take_along_dim(const Tensor& self, const Tensor& indices, std::optional<int64_t> dim) {
  if (!dim) return gather(view(wick::contiguous(self), {-1}), 0, view(wick::contiguous(indices), {-1}), false);
  const int64_t d = wrap_dim(*dim, self.dim());
  WICK_CHECK(self.dim() == indices.dim(), kShapeMismatch,
             "torch.take_along_dim(): input and indices should have the same number of dimensions, but got ",
             self.dim(), " dimensions for input, and ", indices.dim(), " dimensions for indices");
  WICK_CHECK(indices.dtype() == DType::kLong, kTypeMismatch,
             "torch.take_along_dim(): dtype of indices should be Long but got ", name_of(indices.dtype()));
  if (self.dim() == 0) return gather(self, 0, indices, false);
  // Counted from the end where negative, as in PyTorch 2.
  const Tensor wrapped = self.sizes()[d] > 0 ? remainder_scalar(indices, Scalar(self.sizes()[d])) : indices;
  IntVec self_sizes(self.sizes()), index_sizes(indices.sizes());
  self_sizes[d] = indices.sizes()[d];
  const IntVec joint = broadcast_shapes(self_sizes, indices.sizes());
  index_sizes[d] = self.sizes()[d];
  const IntVec joint_self = broadcast_shapes(index_sizes, self.sizes());
  return gather(wick::expand(self, joint_self), d, wick::expand(wrapped, joint), false);
}

}  // namespace wick::ops
