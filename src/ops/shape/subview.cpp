// Views of a part: select, slice, narrow, diagonal, unfold and the split family.
#include "core/limits.h"
#include "core/shape.h"
#include "ops/shape/channels.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {
// An expanded dimension can be of any size; a list of views of it cannot.
void check_parts(int64_t n, const char* op) {
  WICK_CHECK(n <= limits::kMaxViews, kLimitExceeded, op, ": ", n, " parts are more than ", limits::kMaxViews);
}
}  // namespace

Tensor select(const Tensor& self, int64_t dim, int64_t index) {
  WICK_CHECK(self.dim() > 0, kIndexOutOfRange, "select() cannot be applied to a 0-dim tensor.");
  dim = wrap_dim(dim, self.dim());
  const int64_t size = self.sizes()[dim];
  WICK_CHECK(index >= -size && index < size, kIndexOutOfRange, "select(): index ", index,
             " out of range for tensor of size ", self.sizes(), " at dimension ", dim);
  if (index < 0) index += size;
  IntVec sizes(self.sizes()), strides(self.strides());
  const int64_t offset = wrapping_add(self.storage_offset(), wrapping_mul(index, strides[dim]));
  sizes.erase(dim);
  strides.erase(dim);
  Tensor view = make_view(self, std::move(sizes), std::move(strides), offset);
  if (has_channels(self)) select_channel(view, self, dim, index);
  return view;
}

Tensor slice(const Tensor& self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  WICK_CHECK(self.dim() > 0, kIndexOutOfRange, "slice() cannot be applied to a 0-dim tensor.");
  dim = wrap_dim(dim, self.dim());
  WICK_CHECK(step > 0, kInvalidArgument, "slice step must be positive");
  const int64_t size = self.sizes()[dim];
  int64_t first = start.value_or(0), last = end.value_or(size);
  if (first < 0) first = first < -size ? 0 : first + size;
  if (last < 0) last = last < -size ? 0 : last + size;
  first = std::min(first, size);
  last = std::clamp(last, first, size);
  IntVec sizes(self.sizes()), strides(self.strides());
  const int64_t offset = wrapping_add(self.storage_offset(), wrapping_mul(first, strides[dim]));
  const int64_t count = last - first;
  sizes[dim] = count == 0 ? 0 : (count - 1) / step + 1;
  // A stride that cannot be used (at most one element is left) may not fit.
  int64_t stride = strides[dim];
  strides[dim] = __builtin_mul_overflow(strides[dim], step, &stride) ? strides[dim] : stride;
  Tensor view = make_view(self, std::move(sizes), std::move(strides), offset);
  if (has_channels(self)) slice_channels(view, self, dim, first, view.sizes()[dim], step);
  return view;
}

Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  WICK_CHECK(self.dim() > 0, kIndexOutOfRange, "narrow() cannot be applied to a 0-dim tensor.");
  const int64_t d = wrap_dim(dim, self.dim());
  const int64_t size = self.sizes()[d];
  if (start != size) start = wrap_dim(start, size);
  WICK_CHECK(length >= 0 && length <= size - start, kIndexOutOfRange, "start (", start, ") + length (", length,
             ") exceeds dimension size (", size, ").");
  return slice(self, d, start, start + length, 1);
}

Tensor narrow_tensor(const Tensor& self, int64_t dim, const Tensor& start, int64_t length) {
  WICK_CHECK(start.dim() == 0 && is_integral(start.dtype(), false), kInvalidArgument,
             "start must be an 0-dim integral Tensor.");
  return narrow(self, dim, start.item().to_int(), length);
}

Tensor as_strided(const Tensor& self, IntSpan size, IntSpan stride, std::optional<int64_t> storage_offset) {
  check_no_channels(self, "as_strided");
  return self.as_strided(size, stride, storage_offset.value_or(self.storage_offset()));
}

Tensor diagonal(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  check_no_channels(self, "diagonal");
  const int64_t rank = self.dim();
  const int64_t d1 = wrap_dim(dim1, rank), d2 = wrap_dim(dim2, rank);
  WICK_CHECK(d1 != d2, kInvalidArgument, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  const int64_t rows = self.sizes()[d1], cols = self.sizes()[d2];
  int64_t length = 0, first = self.storage_offset();
  if (offset >= 0) {
    length = offset >= cols ? 0 : std::min(rows, cols - offset);
    if (length > 0) first = wrapping_add(first, wrapping_mul(offset, self.strides()[d2]));
  } else {
    length = offset <= -rows ? 0 : std::min(rows + offset, cols);
    if (length > 0) first = wrapping_add(first, wrapping_mul(-offset, self.strides()[d1]));
  }
  IntVec sizes, strides;
  for (int64_t d = 0; d < rank; ++d) {
    if (d == d1 || d == d2) continue;
    sizes.push_back(self.sizes()[d]);
    strides.push_back(self.strides()[d]);
  }
  sizes.push_back(length);
  strides.push_back(wrapping_add(self.strides()[d1], self.strides()[d2]));
  return make_view(self, std::move(sizes), std::move(strides), first);
}

Tensor unfold(const Tensor& self, int64_t dimension, int64_t size, int64_t step) {
  const int64_t d = wrap_dim(dimension, self.dim());
  const int64_t max_size = self.dim() == 0 ? 1 : self.sizes()[d];
  WICK_CHECK(size >= 0, kInvalidArgument, "size is ", size, " but must be >= 0");
  WICK_CHECK(size <= max_size, kInvalidArgument, "maximum size for tensor at dimension ", d, " is ", max_size,
             " but size is ", size);
  WICK_CHECK(step > 0, kInvalidArgument, "step is ", step, " but must be > 0");
  check_no_channels(self, "unfold");
  IntVec sizes(self.sizes()), strides(self.strides());
  if (self.dim() == 0) {
    sizes.push_back(size);
    strides.push_back(1);
  } else {
    const int64_t windows = (max_size - size) / step + 1;
    const int64_t stride = strides[d];
    sizes[d] = windows;
    if (__builtin_mul_overflow(stride, step, &strides[d])) strides[d] = stride;
    sizes.push_back(size);
    strides.push_back(stride);
  }
  return make_view(self, std::move(sizes), std::move(strides), self.storage_offset());
}

TensorList split_with_sizes(const Tensor& self, IntSpan sizes, int64_t dim) {
  WICK_CHECK(self.dim() != 0, kShapeMismatch, "split expects at least a 1-dimensional tensor");
  dim = wrap_dim(dim, self.dim());
  const int64_t size = self.sizes()[dim];
  int64_t sum = 0;
  for (int64_t s : sizes) {
    WICK_CHECK(s >= 0, kInvalidArgument,
               "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=", sizes);
    WICK_CHECK(!__builtin_add_overflow(sum, s, &sum), kInvalidArgument, "split_with_sizes: split_sizes overflow");
  }
  WICK_CHECK(sum == size, kShapeMismatch, "split_with_sizes expects split_sizes to sum exactly to ", size,
             " (input tensor's size at dimension ", dim, "), but got split_sizes=", sizes);
  TensorList out;
  out.reserve(sizes.size());
  int64_t start = 0;
  for (int64_t s : sizes) {
    out.push_back(narrow(self, dim, start, s));
    start += s;
  }
  return out;
}

TensorList split(const Tensor& self, int64_t split_size, int64_t dim) {
  WICK_CHECK(self.dim() != 0, kShapeMismatch, "split expects at least a 1-dimensional tensor");
  WICK_CHECK(split_size >= 0, kInvalidArgument,
             "split expects split_size be non-negative, but got split_size=", split_size);
  dim = wrap_dim(dim, self.dim());
  const int64_t size = self.sizes()[dim];
  WICK_CHECK(split_size > 0 || size == 0, kInvalidArgument,
             "split_size can only be 0 if dimension size is 0, "
             "but got dimension size of ",
             size);
  const int64_t parts = split_size == 0 || size == 0 ? 1 : (size - 1) / split_size + 1;
  check_parts(parts, "split");
  TensorList out;
  out.reserve(parts);
  for (int64_t i = 0; i < parts; ++i) {
    const int64_t start = i * split_size;
    out.push_back(narrow(self, dim, start, std::min(split_size, size - start)));
  }
  return out;
}

TensorList chunk(const Tensor& self, int64_t chunks, int64_t dim) {
  WICK_CHECK(self.dim() > 0, kShapeMismatch, "chunk expects at least a 1-dimensional tensor");
  WICK_CHECK(chunks > 0, kInvalidArgument, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  const int64_t size = self.size(dim);
  const int64_t split_size = size == 0 ? 0 : (size - 1) / chunks + 1;
  if (split_size == 0) {
    check_parts(chunks, "chunk");
    return TensorList(static_cast<size_t>(chunks), narrow(self, dim, 0, 0));
  }
  return split(self, split_size, dim);
}

TensorList tensor_split_sections(const Tensor& self, int64_t sections, int64_t dim) {
  WICK_CHECK(self.dim() > 0, kShapeMismatch,
             "tensor_split expected at least a 1-dimensional tensor, but got a tensor "
             "with ",
             self.dim(), " dims");
  dim = wrap_dim(dim, self.dim());
  WICK_CHECK(sections > 0, kInvalidArgument, "number of sections must be larger than 0, got ", sections);
  check_parts(sections, "tensor_split");
  const int64_t size = self.sizes()[dim];
  const int64_t least = size / sections, with_one_more = size % sections;
  TensorList out;
  int64_t start = 0;
  for (int64_t i = 0; i < sections; ++i) {
    const int64_t length = least + (i < with_one_more);
    out.push_back(narrow(self, dim, start, length));
    start += length;
  }
  return out;
}

TensorList tensor_split_indices(const Tensor& self, IntSpan indices, int64_t dim) {
  WICK_CHECK(self.dim() > 0, kShapeMismatch,
             "tensor_split expected at least a 1-dimensional tensor, but got a tensor "
             "with ",
             self.dim(), " dims");
  dim = wrap_dim(dim, self.dim());
  TensorList out;
  int64_t start = 0;
  for (int64_t end : indices) {
    out.push_back(slice(self, dim, start, end, 1));
    start = end;
  }
  out.push_back(slice(self, dim, start, self.sizes()[dim], 1));
  return out;
}

TensorList tensor_split_tensor(const Tensor& self, const Tensor& indices_or_sections, int64_t dim) {
  WICK_CHECK(self.dim() > 0, kShapeMismatch,
             "tensor_split expected at least a 1-dimensional tensor, but got a tensor "
             "with ",
             self.dim(), " dims");
  const Tensor& arg = indices_or_sections;
  WICK_CHECK(arg.dtype() == DType::kLong, kTypeMismatch,
             "tensor_split expected tensor_indices_or_sections to have dtype of long, but got ", name_of(arg.dtype()));
  WICK_CHECK(arg.dim() <= 1, kShapeMismatch,
             "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but "
             "got a tensor with ",
             arg.dim(), " dims");
  if (arg.dim() == 0) return tensor_split_sections(self, arg.item().to_int(), dim);
  IntVec indices(arg.numel());
  const int64_t* data = arg.data_ptr<int64_t>();
  for (int64_t i = 0, count = arg.numel(); i < count; ++i) indices[i] = data[i * arg.strides()[0]];
  return tensor_split_indices(self, indices, dim);
}

namespace {

struct SplitRule {
  const char* name;
  int64_t least_rank;
  int64_t dim;
};
constexpr SplitRule kHSplit{"hsplit", 1, 1}, kVSplit{"vsplit", 2, 0}, kDSplit{"dsplit", 3, 2};

int64_t split_dim(const Tensor& self, const SplitRule& rule) {
  WICK_CHECK(self.dim() >= rule.least_rank, kShapeMismatch, "torch.", rule.name, " requires a tensor with at least ",
             rule.least_rank, " dimension, but got a tensor with ", self.dim(), " dimensions!");
  return self.dim() == 1 ? 0 : rule.dim;
}

TensorList split_sections(const Tensor& self, int64_t sections, const SplitRule& rule) {
  const int64_t dim = split_dim(self, rule);
  const int64_t size = self.sizes()[dim];
  WICK_CHECK(sections != 0 && size % sections == 0, kInvalidArgument, "torch.", rule.name,
             " attempted to split along dimension ", dim, ", but the size of the dimension ", size,
             " is not divisible by the split_size ", sections, "!");
  return tensor_split_sections(self, sections, dim);
}

}  // namespace

TensorList hsplit_int(const Tensor& self, int64_t sections) { return split_sections(self, sections, kHSplit); }
TensorList vsplit_int(const Tensor& self, int64_t sections) { return split_sections(self, sections, kVSplit); }
TensorList dsplit_int(const Tensor& self, int64_t sections) { return split_sections(self, sections, kDSplit); }
TensorList hsplit_array(const Tensor& self, IntSpan indices) {
  return tensor_split_indices(self, indices, split_dim(self, kHSplit));
}
TensorList vsplit_array(const Tensor& self, IntSpan indices) {
  return tensor_split_indices(self, indices, split_dim(self, kVSplit));
}
TensorList dsplit_array(const Tensor& self, IntSpan indices) {
  return tensor_split_indices(self, indices, split_dim(self, kDSplit));
}

TensorList unbind(const Tensor& self, int64_t dim) {
  dim = wrap_dim(dim, self.dim());
  WICK_CHECK(self.dim() > 0, kIndexOutOfRange, "Dimension specified as ", dim, " but tensor has no dimensions");
  TensorList out;
  const int64_t n = self.sizes()[dim];
  check_parts(n, "unbind");
  out.reserve(n);
  for (int64_t i = 0; i < n; ++i) out.push_back(select(self, dim, i));
  return out;
}

}  // namespace wick::ops
