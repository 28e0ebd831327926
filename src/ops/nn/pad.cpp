// Padding: constant, reflection, replication, circular.
#include "ops/nn/pad.h"

#include <cmath>
#include <cstring>

#include "core/budget.h"
#include "core/tensor_impl.h"
#include "ops/nn/common.h"
#include "ops/shape/channels.h"
#include "wick/memory_charge.h"

namespace wick::ops {

namespace {

// The part of t that starts at first[d] and has sizes[d] elements in each dim.
Tensor window(const Tensor& t, const IntVec& first, const IntVec& sizes) {
  int64_t offset = t.storage_offset();
  for (size_t d = 0; d < sizes.size(); ++d) offset += first[d] * t.strides()[d];
  return t.as_strided(sizes, t.strides(), offset);
}

// An uninitialized tensor of the same dtype and quantizer.
Tensor empty_as(const Tensor& t, IntSpan sizes, MemoryFormat format) {
  check_no_channels(t, "pad");
  Tensor out = Tensor::empty(sizes, t.dtype(), format);
  out.impl()->quantizer = t.impl()->quantizer;
  return out;
}

// A quantized tensor is filled with the quantized value.
void fill_padding(const Tensor& out, const Scalar& value) {
  if (out.is_quantized()) {
    copy_into(out, expand(Tensor::scalar(value, DType::kFloat), out.sizes()));
  } else {
    fill(out, value);
  }
}

// out[...] = in[maps[0][i0], maps[1][i1], ...] over the last maps.size() dims; both contiguous.
void gather_padded(const Tensor& in, const Tensor& out, const std::vector<std::vector<int64_t>>& maps) {
  const size_t padded = maps.size();
  const size_t lead = static_cast<size_t>(in.dim()) - padded;
  const int64_t slices = product(in.sizes(), 0, lead);
  const int64_t in_slice = product(in.sizes(), lead, static_cast<size_t>(in.dim()));
  const int64_t width = in.size(-1);
  const int64_t out_width = out.size(-1);
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < padded; ++d) rows *= static_cast<int64_t>(maps[d].size());
  const std::vector<int64_t>& columns = maps.back();
  for_element_size(in.itemsize(), [&](auto element) {
    using T = decltype(element);
    const T* src = static_cast<const T*>(in.raw_data());
    T* dst = static_cast<T*>(out.raw_data());
    parallel_for(0, slices * rows, grain_for(out_width), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        int64_t row = i % rows;
        int64_t source_row = 0;
        int64_t scale = 1;
        for (size_t d = padded - 1; d-- > 0;) {
          const int64_t extent = static_cast<int64_t>(maps[d].size());
          source_row += maps[d][static_cast<size_t>(row % extent)] * scale;
          row /= extent;
          scale *= in.sizes()[lead + d];
        }
        const T* from = src + (i / rows) * in_slice + source_row * width;
        T* to = dst + i * out_width;
        for (int64_t j = 0; j < out_width; ++j) to[j] = from[columns[static_cast<size_t>(j)]];
      }
    });
  });
}

int64_t reflected(int64_t i, int64_t size) {
  if (i < 0) i = -i;
  return i >= size ? 2 * (size - 1) - i : i;
}

const char* batch_text(size_t spatial) {
  return spatial == 1 ? "2D or 3D (batch mode)" : spatial == 2 ? "3D or 4D (batch mode)" : "4D or 5D (batch mode)";
}

Tensor pad_edges(const Tensor& self, IntSpan padding, size_t spatial, bool reflect) {
  WICK_CHECK(padding.size() == 2 * spatial, kInvalidArgument, "padding size is expected to be ", 2 * spatial,
             ", but got: ", padding.size());
  const int64_t rank = self.dim();
  const int64_t unbatched = static_cast<int64_t>(spatial) + 1;
  bool valid = rank == unbatched || rank == unbatched + 1;
  for (int64_t d = rank == unbatched ? 0 : 1; valid && d < rank; ++d) valid = self.size(d) != 0;
  WICK_CHECK(valid, kShapeMismatch, "Expected ", batch_text(spatial),
             " tensor with possibly 0 batch size and other non-zero dimensions for input, but got: ", self.sizes());
  IntVec shape(self.sizes());
  std::vector<std::vector<int64_t>> maps(spatial);
  for (size_t k = 0; k < spatial; ++k) {
    const size_t dim = static_cast<size_t>(rank) - 1 - k;
    const int64_t size = self.sizes()[dim];
    const int64_t before = padding[2 * k];
    const int64_t after = padding[2 * k + 1];
    if (reflect && (before >= size || after >= size)) {
      const std::string found =
          spatial == 2 ? cat(rank) : cat(self.sizes());  // the two-dimensional form names the rank
      fail_with<ErrorCode::kInvalidArgument>(
          "Argument #", 4 + 2 * k,
          ": Padding size should be less than the corresponding input dimension, but got: "
          "padding (",
          before, ", ", after, ") at dimension ", dim, " of input ", found);
    }
    // Bounds keep the sum below from overflowing and each index inside the input.
    WICK_CHECK(before > -(int64_t{1} << 40) && after > -(int64_t{1} << 40) && before < (int64_t{1} << 40) &&
                   after < (int64_t{1} << 40) && size + before + after >= 1,
               kShapeMismatch, "input ", self.sizes(), " is too small for padding (", before, ", ", after,
               ") at dimension ", dim);
    shape[dim] = size + before + after;
  }
  Tensor out = empty_as(self, shape, MemoryFormat::kContiguous);
  if (out.numel() == 0) return out;  // one dim of it may be longer than all memory
  for (size_t k = 0; k < spatial; ++k) {
    const size_t dim = static_cast<size_t>(rank) - 1 - k;
    const int64_t size = self.sizes()[dim];
    std::vector<int64_t>& map = maps[spatial - 1 - k];
    const MemoryCharge room(static_cast<uint64_t>(shape[dim]) * sizeof(int64_t));
    map.resize(static_cast<size_t>(shape[dim]));
    for (int64_t i = 0; i < shape[dim]; ++i) {
      check_budget_at(i);
      const int64_t source = i - padding[2 * k];
      map[static_cast<size_t>(i)] = reflect ? reflected(source, size) : std::clamp<int64_t>(source, 0, size - 1);
    }
  }
  gather_padded(contiguous(self), out, maps);
  return out;
}

}  // namespace

Tensor constant_pad_nd(const Tensor& self, IntSpan pad, const Scalar& value) {
  WICK_CHECK(pad.size() % 2 == 0, kInvalidArgument, "Length of pad must be even but instead it equals ", pad.size());
  const size_t rank = static_cast<size_t>(self.dim());
  const size_t padded = pad.size() / 2;
  WICK_CHECK(padded <= rank, kInvalidArgument,
             "Length of pad should be no more than twice the number of dimensions of the input. Pad length is ",
             pad.size(), "while the input has ", rank, "dimensions.");
  IntVec shape(self.sizes()), from(rank), to(rank), kept(self.sizes());
  for (size_t k = 0; k < padded; ++k) {
    const size_t dim = rank - 1 - k;
    const int64_t before = pad[2 * k];
    const int64_t after = pad[2 * k + 1];
    int64_t size = 0;
    WICK_CHECK(!__builtin_add_overflow(self.sizes()[dim], before, &size) && !__builtin_add_overflow(size, after, &size),
               kInvalidArgument, "padding is too large");
    WICK_CHECK(size >= 0, kInvalidArgument, "The input size ", self.sizes()[dim], ", plus negative padding ", before,
               " and ", after, " resulted in a negative output size, which is invalid. Check dimension ", dim,
               " of your input.");
    shape[dim] = size;
    from[dim] = std::max<int64_t>(0, -before);
    to[dim] = std::max<int64_t>(0, before);
    kept[dim] = self.sizes()[dim] - from[dim] - std::max<int64_t>(0, -after);
    WICK_CHECK(kept[dim] >= 0, kInvalidArgument, "start (0) + length (", kept[dim], ") exceeds dimension size (",
               self.sizes()[dim] - from[dim], ").");
  }
  Tensor out = empty_as(self, shape, self.suggest_memory_format());
  if (!(kept == shape)) fill_padding(out, value);
  if (checked_numel(kept) > 0) copy_into(window(out, to, kept), window(self, from, kept));
  return out;
}

Tensor pad_circular(const Tensor& self, IntSpan pad) {
  const size_t rank = static_cast<size_t>(self.dim());
  const size_t spatial = pad.size() / 2;
  // Without a batch only since PyTorch 2.
  const bool fits = spatial + 2 == rank || (spatial > 0 && spatial + 1 == rank);
  WICK_CHECK(pad.size() % 2 == 0 && fits, kInvalidArgument, "Invalid padding size, expected ",
             rank >= 2 ? 2 * (rank - 2) : 0, " but got ", pad.size());
  IntVec shape(self.sizes());
  std::vector<std::vector<int64_t>> maps(spatial);
  for (size_t k = 0; k < spatial; ++k) {
    const size_t dim = rank - 1 - k;
    const int64_t size = self.sizes()[dim];
    const int64_t before = pad[2 * k];
    const int64_t after = pad[2 * k + 1];
    WICK_CHECK(before <= size && after <= size, kInvalidArgument,
               "Padding value causes wrapping around more than once.");
    const int64_t remains =
        before >= -size && after >= -size ? size + std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0) : -1;
    WICK_CHECK(remains >= (before > 0 || after > 0 ? 1 : 0), kInvalidArgument,
               "Negative padding value is resulting in an empty dimension");
    shape[dim] = size + before + after;
  }
  Tensor out = empty_as(self, shape, MemoryFormat::kContiguous);
  if (out.numel() == 0) return out;  // one dim of it may be longer than all memory
  for (size_t k = 0; k < spatial; ++k) {
    const size_t dim = rank - 1 - k;
    const int64_t size = self.sizes()[dim];
    const int64_t before = pad[2 * k];
    const int64_t after = pad[2 * k + 1];
    std::vector<int64_t>& map = maps[spatial - 1 - k];
    const MemoryCharge room(static_cast<uint64_t>(shape[dim]) * sizeof(int64_t));
    map.resize(static_cast<size_t>(shape[dim]));
    for (int64_t i = 0; i < shape[dim]; ++i) {
      check_budget_at(i);
      // Negative padding crops first; what remains wraps around.
      const int64_t kept = size - std::max<int64_t>(-before, 0) - std::max<int64_t>(-after, 0);
      const int64_t source = i - std::max<int64_t>(before, 0);
      map[static_cast<size_t>(i)] = std::max<int64_t>(-before, 0) + ((source % kept) + kept) % kept;
    }
  }
  if (spatial == 0) return clone(self, MemoryFormat::kContiguous);
  gather_padded(contiguous(self), out, maps);
  return out;
}

Tensor pad_enum(const Tensor& self, IntSpan pad, int64_t mode, std::optional<double> value) {
  enum { kReflect, kReplicate, kCircular, kConstant };
  static constexpr const char* kNames[] = {"reflect", "replicate", "circular", "constant"};
  const int64_t rank = self.dim();
  WICK_CHECK(pad.size() % 2 == 0, kInvalidArgument, "Padding length must be divisible by 2");
  WICK_CHECK(static_cast<int64_t>(pad.size()) <= rank * 2, kInvalidArgument, "Padding length too large");
  WICK_CHECK(mode >= kReflect && mode <= kConstant, kInvalidArgument, "Unrecognised padding mode ", mode);
  if (mode == kConstant) return constant_pad_nd(self, pad, value.value_or(0.0));
  WICK_CHECK(!value || *value == 0, kInvalidArgument, "Padding mode \"", kNames[mode],
             "\" doesn't take in value argument");
  const size_t spatial = pad.size() / 2;
  if (spatial >= 1 && spatial <= 3 &&
      (rank == static_cast<int64_t>(spatial) + 1 || rank == static_cast<int64_t>(spatial) + 2)) {
    if (mode != kCircular) return pad_edges(self, pad, spatial, mode == kReflect);
    return pad_circular(self, pad);
  }
  fail_with<ErrorCode::kUnsupported>("Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now");
}

Tensor pad(const Tensor& self, IntSpan pad, std::string_view mode, std::optional<double> value) {
  const int64_t code = mode == "reflect"     ? 0
                       : mode == "replicate" ? 1
                       : mode == "circular"  ? 2
                       : mode == "constant"  ? 3
                                             : -1;
  WICK_CHECK(code >= 0, kInvalidArgument, "Unrecognised padding mode ", mode);
  return pad_enum(self, pad, code, value);
}

Tensor reflection_pad1d(const Tensor& self, IntSpan padding) { return pad_edges(self, padding, 1, true); }
Tensor reflection_pad2d(const Tensor& self, IntSpan padding) { return pad_edges(self, padding, 2, true); }
Tensor reflection_pad3d(const Tensor& self, IntSpan padding) { return pad_edges(self, padding, 3, true); }
Tensor replication_pad1d(const Tensor& self, IntSpan padding) { return pad_edges(self, padding, 1, false); }
Tensor replication_pad2d(const Tensor& self, IntSpan padding) { return pad_edges(self, padding, 2, false); }
Tensor replication_pad3d(const Tensor& self, IntSpan padding) { return pad_edges(self, padding, 3, false); }

}  // namespace wick::ops
