// View operators.
#include "ops/shape/view.h"

#include <algorithm>

#include "core/copy.h"
#include "core/limits.h"
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "ops/shape/channels.h"

namespace wick::ops {

Tensor make_view(const Tensor& t, IntVec sizes, IntVec strides, int64_t offset) {
  Tensor v = t.alias();
  TensorImpl& impl = *v.impl();
  WICK_CHECK(sizes.size() <= limits::kMaxTensorDims, kLimitExceeded, "a tensor may have at most ",
             limits::kMaxTensorDims, " dimensions, got ", sizes.size());
  const int64_t before = impl.numel;
  impl.numel = checked_numel(sizes);
  if (shares_bytes(t) && (impl.numel != before || offset != impl.offset)) refuse_channels(t, "a view of a part");
  impl.sizes = std::move(sizes);
  impl.strides = std::move(strides);
  impl.offset = std::max<int64_t>(offset, 0);  // an empty view's offset may have wrapped
  impl.requires_grad = false;
  return v;
}

IntVec infer_shape(IntSpan shape, int64_t numel) {
  IntVec out(shape);
  int64_t product = 1;
  std::optional<size_t> inferred;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == -1) {
      WICK_CHECK(!inferred, kInvalidArgument, "only one dimension can be inferred");
      inferred = i;
    } else {
      WICK_CHECK(shape[i] >= 0, kInvalidArgument, "invalid shape dimension ", shape[i]);
      WICK_CHECK(!__builtin_mul_overflow(product, shape[i], &product), kShapeMismatch, "shape '", shape,
                 "' is invalid for input of size ", numel);
    }
  }
  const bool fits = numel == product || (inferred && product > 0 && numel % product == 0);
  WICK_CHECK(fits, kShapeMismatch, "shape '", shape, "' is invalid for input of size ", numel);
  if (inferred) {
    WICK_CHECK(product != 0, kShapeMismatch, "cannot reshape tensor of 0 elements into shape ", shape,
               " because the unspecified dimension size -1 can be any value and is ambiguous");
    out[*inferred] = numel / product;
  }
  return out;
}

std::optional<IntVec> view_strides(IntSpan sizes, IntSpan strides, IntSpan shape) {
  if (sizes.empty()) return IntVec(shape.size(), 1);
  int64_t numel = 1;
  for (int64_t s : sizes) numel = s == 0 || numel == 0 ? 0 : wrapping_mul(numel, s);
  if (numel == 0 && sizes == shape) return IntVec(strides);
  IntVec out(shape.size());
  if (numel == 0) {
    int64_t stride = 1;
    for (size_t d = shape.size(); d-- > 0;) {
      out[d] = stride;
      stride = wrapping_mul(stride, std::max<int64_t>(shape[d], 1));
    }
    return out;
  }
  // Walks both shapes from the back; a block of old dims that lie evenly in memory takes new dims of the same
  // number of elements.
  int64_t view_d = static_cast<int64_t>(shape.size()) - 1;
  int64_t base_stride = strides.back();
  int64_t block = 1, viewed = 1;
  for (int64_t d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    block *= sizes[d];
    if (d == 0 || (sizes[d - 1] != 1 && strides[d - 1] != block * base_stride)) {
      while (view_d >= 0 && (viewed < block || shape[view_d] == 1)) {
        out[view_d] = viewed * base_stride;
        viewed *= shape[view_d];
        --view_d;
      }
      if (viewed != block) return std::nullopt;
      if (d > 0) {
        base_stride = strides[d - 1];
        block = viewed = 1;
      }
    }
  }
  if (view_d != -1) return std::nullopt;
  return out;
}

Tensor view(const Tensor& self, IntSpan size) {
  IntVec shape = infer_shape(size, self.numel());
  std::optional<IntVec> strides = view_strides(self.sizes(), self.strides(), shape);
  WICK_CHECK(strides, kInvalidArgument,
             "view size is not compatible with input tensor's size and stride (at least one dimension spans across "
             "two contiguous subspaces). Use .reshape(...) instead.");
  return make_view(self, std::move(shape), std::move(*strides), self.storage_offset());
}

Tensor view_as(const Tensor& self, const Tensor& other) { return view(self, other.sizes()); }

Tensor reshape(const Tensor& self, IntSpan size) {
  IntVec shape = infer_shape(size, self.numel());
  if (auto strides = view_strides(self.sizes(), self.strides(), shape)) {
    return make_view(self, std::move(shape), std::move(*strides), self.storage_offset());
  }
  return view(wick::clone(self, MemoryFormat::kContiguous), shape);
}

Tensor reshape_as(const Tensor& self, const Tensor& other) { return reshape(self, other.sizes()); }

Tensor reshape_alias(const Tensor& self, IntSpan size, IntSpan stride) {
  return self.as_strided(size, stride, self.storage_offset());
}

Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim) {
  const int64_t start = wrap_dim(start_dim, self.dim()), end = wrap_dim(end_dim, self.dim());
  WICK_CHECK(start <= end, kInvalidArgument, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (self.dim() == 0) return reshape(self, {1});
  if (start == end) return self;
  IntVec shape(self.sizes().subspan(0, start));
  int64_t merged = 1;
  for (int64_t d = start; d <= end; ++d) merged = wrapping_mul(merged, self.sizes()[d]);
  shape.push_back(merged);
  for (int64_t d = end + 1; d < self.dim(); ++d) shape.push_back(self.sizes()[d]);
  return reshape(self, shape);
}

Tensor ravel(const Tensor& self) { return reshape(wick::contiguous(self), {-1}); }

Tensor unflatten(const Tensor& self, int64_t dim, IntSpan sizes) {
  dim = wrap_dim(dim, self.dim());
  WICK_CHECK(!sizes.empty(), kInvalidArgument, "unflatten: sizes must be non-empty");
  WICK_CHECK(self.dim() > 0, kIndexOutOfRange, "Dimension out of range (expected to be in range of [-1, 0], but got ",
             dim, ")");
  IntVec inner(sizes);
  const int64_t size = self.sizes()[dim];
  int64_t product = 1;
  std::optional<size_t> inferred;
  for (size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] == -1 && !inferred) {
      inferred = i;
    } else {
      WICK_CHECK(inner[i] >= 0, kInvalidArgument, "invalid shape dimension ", inner[i]);
      WICK_CHECK(!__builtin_mul_overflow(product, inner[i], &product), kShapeMismatch, "unflatten: sizes overflow");
    }
  }
  const bool fits = inferred ? product > 0 && size % product == 0 : product == size;
  WICK_CHECK(fits, kShapeMismatch, "unflatten: Provided sizes ", sizes, " don't multiply up to the size of dim ", dim,
             " (", size, ") in the input tensor");
  if (inferred) inner[*inferred] = size / product;
  IntVec shape(self.sizes().subspan(0, dim));
  for (int64_t s : inner) shape.push_back(s);
  for (int64_t d = dim + 1; d < self.dim(); ++d) shape.push_back(self.sizes()[d]);
  return view(self, shape);
}

namespace {

// Without the dims of size one among those that `asked` says yes to.
template <class Asked>
Tensor squeezed(const Tensor& self, const Asked& asked) {
  IntVec sizes, strides;
  const bool channels = has_channels(self);
  int64_t axis = channels ? self.quantizer().axis : -1, before = 0;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (self.sizes()[d] == 1 && asked(d)) {
      WICK_CHECK(d != axis, kUnsupported,
                 "Squeeze is only possible on non-axis dimension for Per-Channel Quantized Tensors.");
      if (d < axis) ++before;
      continue;
    }
    sizes.push_back(self.sizes()[d]);
    strides.push_back(self.strides()[d]);
  }
  Tensor view = make_view(self, std::move(sizes), std::move(strides), self.storage_offset());
  if (channels) move_axis(view, self, axis - before);
  return view;
}

}  // namespace

Tensor squeeze(const Tensor& self) {
  return squeezed(self, [](int64_t) { return true; });
}

Tensor squeeze_dim(const Tensor& self, int64_t dim) {
  dim = wrap_dim(dim, self.dim());
  return squeezed(self, [&](int64_t d) { return d == dim; });
}

Tensor squeeze_dims(const Tensor& self, IntSpan dims) {
  std::vector<bool> drop(static_cast<size_t>(std::max<int64_t>(self.dim(), 1)));
  for (int64_t given : dims) {
    const int64_t dim = wrap_dim(given, self.dim());
    WICK_CHECK(!drop[dim], kInvalidArgument, "dim ", dim, " appears multiple times in the list of dims");
    drop[dim] = true;
  }
  return squeezed(self, [&](int64_t d) { return drop[d]; });
}

Tensor unsqueeze(const Tensor& self, int64_t dim) {
  dim = wrap_dim(dim, self.dim() + 1);
  IntVec sizes(self.sizes()), strides(self.strides());
  const int64_t stride = dim < self.dim() ? wrapping_mul(sizes[dim], strides[dim]) : 1;
  sizes.insert(dim, 1);
  strides.insert(dim, stride);
  Tensor view = make_view(self, std::move(sizes), std::move(strides), self.storage_offset());
  if (has_channels(self)) move_axis(view, self, self.quantizer().axis + (self.quantizer().axis >= dim));
  return view;
}

Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  dim0 = wrap_dim(dim0, self.dim());
  dim1 = wrap_dim(dim1, self.dim());
  IntVec sizes(self.sizes()), strides(self.strides());
  if (dim0 != dim1) {
    check_no_channels(self, "transpose");
    std::swap(sizes[dim0], sizes[dim1]);
    std::swap(strides[dim0], strides[dim1]);
  }
  return make_view(self, std::move(sizes), std::move(strides), self.storage_offset());
}

Tensor t(const Tensor& self) {
  WICK_CHECK(self.dim() <= 2, kShapeMismatch, "t() expects a tensor with <= 2 dimensions, but self is ", self.dim(),
             "D");
  return transpose(self, 0, self.dim() < 2 ? 0 : 1);
}

Tensor permute(const Tensor& self, IntSpan dims) {
  WICK_CHECK(static_cast<int64_t>(dims.size()) == self.dim(), kInvalidArgument,
             "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
             "ordering of dimensions i.e. input.dim() = ",
             self.dim(), " is not equal to len(dims) = ", dims.size());
  check_no_channels(self, "permute");
  IntVec sizes(dims.size()), strides(dims.size());
  std::vector<bool> seen(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t d = wrap_dim(dims[i], self.dim());
    WICK_CHECK(!seen[d], kInvalidArgument, "permute(): duplicate dims are not allowed.");
    seen[d] = true;
    sizes[i] = self.sizes()[d];
    strides[i] = self.strides()[d];
  }
  return make_view(self, std::move(sizes), std::move(strides), self.storage_offset());
}

Tensor movedim_list(const Tensor& self, IntSpan source, IntSpan destination) {
  WICK_CHECK(source.size() == destination.size(), kInvalidArgument,
             "movedim: Invalid source or destination dims: source (", source,
             " dims) should contain the same number of dims as destination (", destination, " dims)");
  const int64_t rank = self.dim();
  IntVec from(source), to(destination);
  for (int64_t& d : from) d = wrap_dim(d, rank);
  for (int64_t& d : to) d = wrap_dim(d, rank);
  const auto unique = [](IntVec v) {
    std::sort(v.begin(), v.end());
    return std::adjacent_find(v.begin(), v.end()) == v.end();
  };
  WICK_CHECK(unique(from), kInvalidArgument, "movedim: repeated dim in `source` (", source, ")");
  WICK_CHECK(unique(to), kInvalidArgument, "movedim: repeated dim in `destination` (", destination, ")");
  if (rank == 0) return self.alias();
  IntVec order(rank, -1);
  std::vector<bool> used(rank);
  for (size_t i = 0; i < from.size(); ++i) {
    order[to[i]] = from[i];
    used[from[i]] = true;
  }
  int64_t next = 0;
  for (int64_t& d : order) {
    if (d != -1) continue;
    while (used[next]) ++next;
    d = next++;
  }
  return permute(self, order);
}

Tensor movedim(const Tensor& self, int64_t source, int64_t destination) {
  return movedim_list(self, {source}, {destination});
}

Tensor numpy_T(const Tensor& self) {
  IntVec order(self.dim());
  for (int64_t d = 0; d < self.dim(); ++d) order[d] = self.dim() - 1 - d;
  return permute(self, order);
}

Tensor matrix_transpose(const Tensor& self) {
  WICK_CHECK(self.dim() >= 2 || self.dim() == 0, kShapeMismatch,
             "tensor.mT is only supported on matrices or batches of matrices. Got ", self.dim(), "-D tensor.");
  return self.dim() == 0 ? self.alias() : transpose(self, -2, -1);
}

namespace {
Tensor conj_transpose(const Tensor& self) { return conj(self.dim() == 0 ? self : transpose(self, -2, -1)); }
}  // namespace

Tensor matrix_conj_transpose(const Tensor& self) {
  WICK_CHECK(self.dim() >= 2 || self.dim() == 0, kShapeMismatch,
             "tensor.mH is only supported on matrices or batches of matrices. Got ", self.dim(), "-D tensor.");
  return conj_transpose(self);
}

Tensor matrix_H(const Tensor& self) {
  WICK_CHECK(self.dim() == 2 || self.dim() == 0, kShapeMismatch,
             "tensor.H is only supported on matrices (2-D tensors). Got ", self.dim(), "-D tensor.",
             self.dim() > 2 ? " For batches of matrices, consider using tensor.mH" : "");
  return conj_transpose(self);
}

Tensor adjoint(const Tensor& self) {
  WICK_CHECK(self.dim() >= 2 || self.dim() == 0, kShapeMismatch,
             "tensor.adjoint() is only supported on matrices or batches of matrices. Got ", self.dim(), "-D tensor.");
  return conj_transpose(self);
}

Tensor expand_view(const Tensor& self, IntSpan size, bool) {
  check_no_channels(self, "expand");
  return wick::expand(self, size);
}
Tensor expand_as(const Tensor& self, const Tensor& other) { return expand_view(self, other.sizes(), false); }
Tensor broadcast_to(const Tensor& self, IntSpan size) { return expand_view(self, size, false); }

TensorList broadcast_tensors(const TensorList& tensors) {
  IntVec shape;
  for (const Tensor& t : tensors) shape = broadcast_shapes(shape, t.sizes());
  TensorList out;
  for (const Tensor& t : tensors) out.push_back(expand_view(t, shape, false));
  return out;
}

TensorList meshgrid(const TensorList& tensors) {
  WICK_CHECK(!tensors.empty(), kInvalidArgument, "meshgrid expects a non-empty TensorList");
  IntVec shape;
  for (const Tensor& t : tensors) {
    WICK_CHECK(t.dim() <= 1, kShapeMismatch,
               "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: ", t.dim(), "D");
    WICK_CHECK(t.dtype() == tensors[0].dtype(), kTypeMismatch,
               "torch.meshgrid expects all tensors to have the same dtype");
    shape.push_back(t.numel());
  }
  TensorList out;
  for (size_t i = 0; i < tensors.size(); ++i) {
    IntVec own(tensors.size(), 1);
    own[i] = tensors[i].numel();
    out.push_back(wick::expand(view(tensors[i], own), shape));
  }
  return out;
}

TensorList meshgrid_indexing(const TensorList& tensors, std::string_view indexing) {
  WICK_CHECK(!tensors.empty(), kInvalidArgument, "meshgrid expects a non-empty TensorList");
  WICK_CHECK(indexing == "ij" || indexing == "xy", kInvalidArgument,
             "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: ", indexing);
  if (indexing == "ij" || tensors.size() < 2) return meshgrid(tensors);
  TensorList swapped = tensors;
  std::swap(swapped[0], swapped[1]);
  TensorList grids = meshgrid(swapped);
  std::swap(grids[0], grids[1]);
  return grids;
}

Tensor atleast_1d(const Tensor& self) { return self.dim() == 0 ? reshape(self, {1}) : self; }
Tensor atleast_2d(const Tensor& self) {
  if (self.dim() == 0) return reshape(self, {1, 1});
  return self.dim() == 1 ? unsqueeze(self, 0) : self;
}
Tensor atleast_3d(const Tensor& self) {
  if (self.dim() == 0) return reshape(self, {1, 1, 1});
  if (self.dim() == 1) return unsqueeze(unsqueeze(self, 0), -1);
  return self.dim() == 2 ? unsqueeze(self, -1) : self;
}

namespace {
TensorList for_each_tensor(const TensorList& tensors, Tensor (*fn)(const Tensor&)) {
  TensorList out;
  for (const Tensor& t : tensors) out.push_back(fn(t));
  return out;
}
}  // namespace

TensorList atleast_1d_list(const TensorList& tensors) { return for_each_tensor(tensors, atleast_1d); }
TensorList atleast_2d_list(const TensorList& tensors) { return for_each_tensor(tensors, atleast_2d); }
TensorList atleast_3d_list(const TensorList& tensors) { return for_each_tensor(tensors, atleast_3d); }

}  // namespace wick::ops
