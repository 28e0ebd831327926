// Operators that reorder or repeat elements: flip, roll, repeat, pixel_shuffle.
#include "ops/shape/rearrange.h"

#include <functional>

#include "core/copy.h"
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "ops/index/index.h"
#include "ops/shape/channels.h"
#include "ops/shape/item_copy.h"
#include "ops/shape/join.h"
#include "ops/shape/view.h"

namespace wick::ops {

Tensor flip(const Tensor& self, IntSpan dims) {
  check_no_channels(self, "flip");
  const IntVec wrapped = wrap_dims(dims, self.dim());
  Tensor out = wick::empty_like(self);
  if (self.numel() == 0 || self.dim() == 0) {
    copy_into(out, self);
    return out;
  }
  // Walks the source backwards along the flipped dims: a start at its last element and a negative stride.
  const int64_t size = static_cast<int64_t>(self.itemsize());
  IntVec dst_strides(self.dim()), src_strides(self.dim());
  const char* src = static_cast<const char*>(self.raw_data());
  for (int64_t d = 0; d < self.dim(); ++d) {
    dst_strides[d] = out.strides()[d] * size;
    src_strides[d] = self.strides()[d] * size;
  }
  for (int64_t d : wrapped) {
    src += (self.sizes()[d] - 1) * src_strides[d];
    src_strides[d] = -src_strides[d];
  }
  copy_items(static_cast<char*>(out.raw_data()), dst_strides, src, src_strides, self.sizes(), self.itemsize());
  return out;
}

Tensor fliplr(const Tensor& self) {
  WICK_CHECK(self.dim() >= 2, kShapeMismatch, "Input must be >= 2-d.");
  return flip(self, {1});
}

Tensor flipud(const Tensor& self) {
  WICK_CHECK(self.dim() >= 1, kShapeMismatch, "Input must be >= 1-d.");
  return flip(self, {0});
}

Tensor rot90(const Tensor& self, int64_t k, IntSpan dims) {
  WICK_CHECK(dims.size() == 2, kInvalidArgument, "expected total rotation dims == 2, but got dims = ", dims.size());
  WICK_CHECK(self.dim() >= 2, kInvalidArgument, "expected total dims >= 2, but got total dims = ", self.dim());
  WICK_CHECK(dims[0] != dims[1] && std::abs(dims[0] - dims[1]) != self.dim(), kInvalidArgument,
             "expected rotation dims to be different, but got dim0 = ", dims[0], " and dim1 = ", dims[1]);
  for (int i = 0; i < 2; ++i) {
    WICK_CHECK(dims[i] < self.dim() && dims[i] >= -self.dim(), kIndexOutOfRange, "Rotation dim", i,
               " out of range, dim", i, " = ", dims[i]);
  }
  switch (((k % 4) + 4) % 4) {
    case 1:
      return transpose(flip(self, {dims[1]}), dims[0], dims[1]);
    case 2:
      return flip(self, dims);
    case 3:
      return transpose(flip(self, {dims[0]}), dims[0], dims[1]);
    default:
      return wick::clone(self, MemoryFormat::kContiguous);
  }
}

namespace {

// Copies `from` to `to`, rolled by the shifts from the i-th on: two parts for each dimension.
void copy_rolled(const Tensor& to, const Tensor& from, IntSpan shifts, IntSpan dims, size_t i) {
  if (i == dims.size()) return copy_into(to, from);
  const int64_t d = wrap_dim(dims[i], from.dim()), size = from.sizes()[d];
  const int64_t start = ((size - shifts[i] % size) % size + size) % size;
  copy_rolled(narrow(to, d, 0, size - start), narrow(from, d, start, size - start), shifts, dims, i + 1);
  if (start > 0) copy_rolled(narrow(to, d, size - start, start), narrow(from, d, 0, start), shifts, dims, i + 1);
}

Tensor rolled(const Tensor& self, IntSpan shifts, IntSpan dims) {
  check_no_channels(self, "roll");
  for (int64_t d : dims) wrap_dim(d, self.dim());
  if (self.numel() == 0) return wick::clone(self, MemoryFormat::kPreserve);
  // A dimension that is rolled again is rolled from where it is.
  for (size_t i = 1; i < dims.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (wrap_dim(dims[i], self.dim()) == wrap_dim(dims[k], self.dim())) {
        return rolled(rolled(self, shifts.subspan(0, i), dims.subspan(0, i)), shifts.subspan(i), dims.subspan(i));
      }
    }
  }
  // PyTorch joins two parts; one without elements has no format.
  MemoryFormat format = self.suggest_memory_format();
  for (size_t i = 0; i < dims.size(); ++i) {
    if (shifts[i] % self.sizes()[wrap_dim(dims[i], self.dim())] == 0) format = MemoryFormat::kContiguous;
  }
  Tensor out = Tensor::empty(self.sizes(), self.dtype(), format);
  out.impl()->quantizer = self.impl()->quantizer;
  copy_rolled(out, self, shifts, dims, 0);
  return out;
}

}  // namespace

Tensor roll(const Tensor& self, IntSpan shifts, IntSpan dims) {
  WICK_CHECK(!shifts.empty(), kInvalidArgument, "`shifts` required");
  if (dims.empty() && shifts.size() == 1) {
    return view(rolled(view(wick::contiguous(self), {-1}), shifts, {0}), self.sizes());
  }
  WICK_CHECK(shifts.size() == dims.size(), kInvalidArgument,
             "shifts and dimensions must align. shifts: ", shifts.size(), ", dims:", dims.size());
  WICK_CHECK(self.dim() > 0, kIndexOutOfRange, "Dimension specified as ", dims[0], " but tensor has no dimensions");
  return rolled(self, shifts, dims);
}

Tensor repeat(const Tensor& self, IntSpan repeats) {
  const int64_t rank = static_cast<int64_t>(repeats.size());
  WICK_CHECK(rank >= self.dim(), kInvalidArgument,
             "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
  const int64_t lead = rank - self.dim();
  IntVec sizes(rank), blocks, from;
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t own = d < lead ? 1 : self.sizes()[d - lead];
    WICK_CHECK(!__builtin_mul_overflow(own, repeats[d], &sizes[d]), kOutOfMemory, "repeat: the size overflows");
    blocks.push_back(repeats[d]);
    blocks.push_back(own);
    from.push_back(1);
    from.push_back(own);
  }
  for (int64_t d = 0; d < rank; ++d) {
    WICK_CHECK(repeats[d] >= 0, kInvalidArgument, "Trying to create tensor with negative dimension ",
               std::min<int64_t>(sizes[d], -1), ": ", sizes);
  }
  Tensor out = empty_of_kind(self, sizes);
  if (out.numel() > 0) copy_into(view(out, blocks), wick::expand(reshape(self, from), blocks));
  return out;
}

Tensor tile(const Tensor& self, IntSpan dims) {
  IntVec repeats(std::max<size_t>(dims.size(), self.dim()), 1);
  std::copy(dims.begin(), dims.end(), repeats.end() - dims.size());
  return repeat(self, repeats);
}

Tensor repeat_interleave(const Tensor& repeats, std::optional<int64_t> output_size) {
  WICK_CHECK(repeats.dim() == 1, kShapeMismatch, "repeat_interleave only accept 1D vector as repeat");
  check_dtype(repeats.dtype() == DType::kLong || repeats.dtype() == DType::kInt, "repeat_interleave_cpu",
              repeats.dtype());
  const Tensor counts = wick::contiguous(to_dtype(repeats, DType::kLong));
  const int64_t* n = counts.data_ptr<int64_t>();
  int64_t total = 0;
  for (int64_t i = 0, count = counts.numel(); i < count; ++i) {
    WICK_CHECK(n[i] >= 0, kInvalidArgument, "repeats can not be negative");
    WICK_CHECK(!__builtin_add_overflow(total, n[i], &total), kOutOfMemory, "repeat_interleave: the size overflows");
  }
  WICK_CHECK(!output_size || *output_size == total || counts.numel() == 0, kInvalidArgument, "allocated size ",
             *output_size, " does not match the required size ", total);
  Tensor out = Tensor::empty({total}, DType::kLong);
  int64_t* to = out.data_ptr<int64_t>();
  for (int64_t i = 0, count = counts.numel(); i < count; ++i) to = std::fill_n(to, n[i], i);
  return to_dtype(out, repeats.dtype());
}

Tensor repeat_interleave_self_tensor(const Tensor& self, const Tensor& repeats, std::optional<int64_t> dim,
                                     std::optional<int64_t> output_size) {
  const Tensor input = dim ? self : flatten(self, 0, -1);
  const int64_t d = wrap_dim(dim.value_or(0), input.dim());
  const int64_t size = input.dim() == 0 ? 1 : input.sizes()[d];
  Tensor counts = repeats;
  if (repeats.dim() == 0 || (repeats.dim() == 1 && repeats.numel() == 1)) {
    counts = wick::expand(reshape(repeats, {1}), {size});
  } else if (repeats.dim() == 1) {
    WICK_CHECK(repeats.numel() == size, kShapeMismatch, "repeats must have the same size as input along dim");
  } else {
    fail_with<ErrorCode::kShapeMismatch>("repeats must be 0-dim or 1-dim tensor");
  }
  return index_select(input, d, repeat_interleave(counts, output_size));
}

Tensor repeat_interleave_self_int(const Tensor& self, int64_t repeats, std::optional<int64_t> dim,
                                  std::optional<int64_t> output_size) {
  const int64_t size = dim && self.dim() > 0 ? self.sizes()[wrap_dim(*dim, self.dim())] : self.numel();
  int64_t total = 0;
  if (repeats < 0 || self.dim() == 0 || self.is_quantized() || self.numel() == 0 ||
      __builtin_mul_overflow(size, repeats, &total) || output_size.value_or(total) != total) {
    return repeat_interleave_self_tensor(self, Tensor::scalar(repeats, DType::kLong), dim, output_size);
  }
  const Tensor input = dim ? self : flatten(self, 0, -1);
  const int64_t d = wrap_dim(dim.value_or(0), input.dim());
  IntVec sizes(input.sizes()), spread(input.sizes());
  sizes[d] = total;
  spread.insert(static_cast<size_t>(d) + 1, repeats);
  Tensor out = Tensor::empty(sizes, input.dtype());
  if (out.numel() > 0) copy_into(view(out, spread), wick::expand(unsqueeze(input, d + 1), spread));
  return out;
}

Tensor pixel_shuffle(const Tensor& self, int64_t upscale_factor) {
  WICK_CHECK(self.dim() >= 3, kShapeMismatch,
             "pixel_shuffle expects input to have at least 3 dimensions, but got input with ", self.dim(),
             " dimension(s)");
  WICK_CHECK(upscale_factor > 0, kInvalidArgument, "pixel_shuffle expects a positive upscale_factor, but got ",
             upscale_factor);
  const int64_t r = upscale_factor, c = self.size(-3), h = self.size(-2), w = self.size(-1);
  WICK_CHECK(r < (int64_t{1} << 31) && c % (r * r) == 0, kShapeMismatch,
             "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
             "but input.size(-3)=",
             c, " is not divisible by ", r < (int64_t{1} << 31) ? r * r : r);
  const int64_t lead = self.dim() - 3;
  IntVec split(self.sizes().subspan(0, lead)), final_shape(self.sizes().subspan(0, lead)), order(lead);
  for (int64_t d = 0; d < lead; ++d) order[d] = d;
  for (int64_t s : {c / (r * r), r, r, h, w}) split.push_back(s);
  for (int64_t d : {0, 3, 1, 4, 2}) order.push_back(lead + d);
  for (int64_t s : {c / (r * r), h * r, w * r}) final_shape.push_back(s);
  return with_format_of(self, reshape(permute(reshape(self, split), order), final_shape));
}

Tensor pixel_unshuffle(const Tensor& self, int64_t downscale_factor) {
  WICK_CHECK(self.dim() >= 3, kShapeMismatch,
             "pixel_unshuffle expects input to have at least 3 dimensions, but got input with ", self.dim(),
             " dimension(s)");
  WICK_CHECK(downscale_factor > 0, kInvalidArgument, "pixel_unshuffle expects a positive downscale_factor, but got ",
             downscale_factor);
  const int64_t r = downscale_factor, c = self.size(-3), h = self.size(-2), w = self.size(-1);
  WICK_CHECK(h % r == 0, kShapeMismatch,
             "pixel_unshuffle expects height to be divisible by downscale_factor, but input.size(-2)=", h,
             " is not divisible by ", r);
  WICK_CHECK(w % r == 0, kShapeMismatch,
             "pixel_unshuffle expects width to be divisible by downscale_factor, but input.size(-1)=", w,
             " is not divisible by ", r);
  if (self.numel() == 0) return clone(self);  // of its own sizes, as PyTorch has it
  const int64_t lead = self.dim() - 3;
  IntVec split(self.sizes().subspan(0, lead)), final_shape(self.sizes().subspan(0, lead)), order(lead);
  for (int64_t d = 0; d < lead; ++d) order[d] = d;
  for (int64_t s : {c, h / r, r, w / r, r}) split.push_back(s);
  for (int64_t d : {0, 2, 4, 1, 3}) order.push_back(lead + d);
  // Factors of sizes that exist, unless a size is zero and the factor arbitrary.
  int64_t channels = 0;
  WICK_CHECK(!__builtin_mul_overflow(c, r, &channels) && !__builtin_mul_overflow(channels, r, &channels), kOutOfMemory,
             "pixel_unshuffle: the number of channels overflows");
  for (int64_t s : {channels, h / r, w / r}) final_shape.push_back(s);
  return with_format_of(self, reshape(permute(reshape(self, split), order), final_shape));
}

Tensor channel_shuffle(const Tensor& self, int64_t groups) {
  WICK_CHECK(self.dim() > 2, kShapeMismatch, "channel_shuffle expects input with > 2 dims, but got input with sizes ",
             self.sizes());
  const int64_t c = self.sizes()[1];
  WICK_CHECK(groups > 0, kInvalidArgument,
             "Number of groups to divide channels in must be positive. Value of groups:", groups);
  WICK_CHECK(c % groups == 0, kInvalidArgument, "Number of channels must be divisible by groups. Got ", c,
             " channels and ", groups, " groups.");
  IntVec split{self.sizes()[0], groups, c / groups};
  for (int64_t d = 2; d < self.dim(); ++d) split.push_back(self.sizes()[d]);
  const Tensor shuffled = transpose(reshape(self, split), 1, 2);
  return with_format_of(self, reshape(shuffled, self.sizes()));
}

Tensor block_diag(const TensorList& tensors) {
  if (tensors.empty()) return Tensor::empty({1, 0});
  int64_t rows = 0, cols = 0;
  DType dtype = tensors[0].dtype();
  TensorList blocks;
  for (size_t i = 0; i < tensors.size(); ++i) {
    WICK_CHECK(tensors[i].dim() <= 2, kShapeMismatch,
               "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input ", i, " has ", tensors[i].dim(),
               " dimensions");
    dtype = promote_types(dtype, tensors[i].dtype());
    blocks.push_back(atleast_2d(tensors[i]));
    WICK_CHECK(!__builtin_add_overflow(rows, blocks[i].size(0), &rows) &&
                   !__builtin_add_overflow(cols, blocks[i].size(1), &cols),
               kOutOfMemory, "block_diag: the size overflows");
  }
  Tensor out = Tensor::zeros({rows, cols}, dtype);
  int64_t r = 0, c = 0;
  for (const Tensor& block : blocks) {
    copy_into(narrow(narrow(out, 0, r, block.size(0)), 1, c, block.size(1)), block);
    r += block.size(0);
    c += block.size(1);
  }
  return out;
}

namespace {

Tensor with_part(const Tensor& self, const Tensor& src, const std::function<Tensor(const Tensor&)>& part) {
  Tensor out = wick::clone(self);
  const Tensor place = part(out);
  WICK_CHECK(place.sizes() == src.sizes(), kShapeMismatch,
             "expected src to have a size equal to the slice of self. src size = ", src.sizes(),
             ", slice size = ", place.sizes());
  copy_into(place, src);
  return out;
}

}  // namespace

Tensor select_scatter(const Tensor& self, const Tensor& src, int64_t dim, int64_t index) {
  return with_part(self, src, [&](const Tensor& t) { return select(t, dim, index); });
}
Tensor slice_scatter(const Tensor& self, const Tensor& src, int64_t dim, std::optional<int64_t> start,
                     std::optional<int64_t> end, int64_t step) {
  return with_part(self, src, [&](const Tensor& t) { return slice(t, dim, start, end, step); });
}
Tensor diagonal_scatter(const Tensor& self, const Tensor& src, int64_t offset, int64_t dim1, int64_t dim2) {
  return with_part(self, src, [&](const Tensor& t) { return diagonal(t, offset, dim1, dim2); });
}
Tensor as_strided_scatter(const Tensor& self, const Tensor& src, IntSpan size, IntSpan stride,
                          std::optional<int64_t> storage_offset) {
  return with_part(self, src, [&](const Tensor& t) { return as_strided(t, size, stride, storage_offset); });
}

}  // namespace wick::ops
