// Pointwise operators' operands: broadcast shape, outputs, strides and the order of dims. The walk over their elements
// is in iterator_walk.cpp.
#include "ops/iterator.h"

#include "config/build.h"
#include "core/check.h"
#include "core/copy.h"
#include "core/parallel.h"
#include "core/shape.h"
#include "core/shapes_only.h"
#include "core/tensor_impl.h"
#include "ops/overlap.h"

namespace wick::ops {
DType compute_dtype(DType t) {
  switch (t) {
    case DType::kFloat:
    case DType::kHalf:
    case DType::kBFloat16:
      return DType::kFloat;
    case DType::kDouble:
    case DType::kBool:
    case DType::kComplexFloat:
    case DType::kComplexDouble:
      return t;
    case DType::kComplexHalf:
      return DType::kComplexFloat;
    default:
      WICK_CHECK(is_integral(t, false), kUnsupported, "pointwise operators do not take tensors of type '", name_of(t),
                 "'");
      return DType::kLong;
  }
}

Iterator::Operand& Iterator::add() {
  WICK_CHECK(count_ < kMaxOperands, kInternal, "too many operands of a pointwise operator");
  return operands_[count_++];
}

Iterator& Iterator::output(Out out, DType dtype, DType common) {
  Operand& op = add();
  op.is_output = true;
  op.dtype = dtype;
  op.common = common;
  op.tile = tile_of(common);
  if (out) {
    op.tensor = *out.tensor;
    op.dtype = op.tensor.dtype();
    WICK_CHECK(!is_quantized(op.dtype), kUnsupported, "pointwise operators do not take tensors of type '",
               name_of(op.dtype), "'");
    WICK_CHECK(can_cast(dtype, op.dtype), kTypeMismatch, "result type ", name_of(dtype),
               " can't be cast to the desired output type ", name_of(op.dtype));
    op.rounds = dtype == common && op.dtype != common && op.tile != common;
  }
  return *this;
}

Iterator& Iterator::input(const Tensor& t, DType common) {
  WICK_CHECK(t.defined(), kInvalidArgument, "expected a tensor but got an undefined one");
  WICK_CHECK(!t.is_quantized(), kUnsupported, "pointwise operators do not take tensors of type '", name_of(t.dtype()),
             "'");
  Operand& op = add();
  op.tensor = t;
  op.dtype = t.dtype();
  op.common = common;
  op.tile = tile_of(common);
  // Integers that a 16-bit float may not hold take its values first.
  op.rounds = (common == DType::kHalf || common == DType::kBFloat16) && is_integral(t.dtype(), false) &&
              itemsize(t.dtype()) > 1;
  return *this;
}

Iterator& Iterator::input(const Scalar& s, DType common) {
  Operand& op = add();
  op.number = s;
  op.is_number = true;
  op.common = common;
  op.tile = tile_of(common);
  return *this;
}

Iterator& Iterator::parameter(const Scalar& s, DType common) {
  input(s, common);
  operands_[count_ - 1].is_parameter = true;
  return *this;
}

Iterator& Iterator::see_as(DType common, DType seen) {
  narrowed_ = true;
  common_seen_ = common;
  seen_ = seen;
  return *this;
}

Iterator& Iterator::shape_of(IntSpan sizes) {
  shape_ = sizes;
  fixed_shape_ = true;
  return *this;
}

void Iterator::find_shape() {
  bool any = fixed_shape_, zero_dim = false, dimensioned = false;
  for (size_t i = 0; i < count_; ++i) {
    const Operand& op = operands_[i];
    if (op.is_number && !op.is_parameter) zero_dim = true;
    if (op.is_output || op.is_number) continue;
    const IntSpan sizes = op.tensor.sizes();
    (sizes.empty() ? zero_dim : dimensioned) = true;
    if (!any) {
      shape_ = sizes;
      any = true;
    } else if (sizes != shape_.span()) {
      same_shape_ = false;
      shape_ = broadcast_shapes(shape_, sizes);
    }
  }
  if (zero_dim && dimensioned) same_shape_ = false;
  numel_ = checked_numel(shape_);

  for (size_t i = 0; i < count_ && operands_[i].is_output; ++i) {
    Operand& out = operands_[i];
    if (!out.tensor.defined() || out.tensor.sizes() == shape_.span()) continue;
    bool also_input = false;
    for (size_t k = i + 1; k < count_; ++k) {
      also_input |= !operands_[k].is_output && !operands_[k].is_number && operands_[k].tensor.is_same(out.tensor);
    }
    WICK_CHECK(!also_input, kShapeMismatch, "output with shape ", out.tensor.sizes(),
               " doesn't match the broadcast shape ", shape_.span());
    out.resize = true;
  }
}

void Iterator::check_overlap() {
  for (size_t i = 0; i < count_ && operands_[i].is_output; ++i) {
    const Operand& out = operands_[i];
    if (!out.shaped()) continue;
    check_no_internal_overlap(out.tensor);
    for (size_t k = 0; k < count_; ++k) {
      Operand& in = operands_[k];
      if (in.is_output || in.is_number) continue;
      check_no_partial_overlap(out.tensor, in.tensor);
      if (overlap_of(out.tensor, in.tensor) == Overlap::kUnknown) in.tensor = clone(in.tensor);
    }
  }
  // An output that will be resized may move or reuse its storage under a view of it.
  for (size_t i = 0; i < count_ && operands_[i].resize; ++i) {
    for (size_t k = 0; k < count_; ++k) {
      Operand& in = operands_[k];
      if (in.is_output || in.is_number || in.tensor.storage().get() != operands_[i].tensor.storage().get()) continue;
      in.tensor = clone(in.tensor);
    }
  }
}

void Iterator::place_output(Operand& op, IntSpan strides, MemoryFormat format) {
  if (op.resize) {
    resize(op.tensor, shape_, format);
    if (!strides.empty()) op.tensor.impl()->strides = strides;
    op.resize = false;
  } else if (!op.tensor.defined()) {
    op.tensor =
        strides.empty() ? Tensor::empty(shape_, op.dtype, format) : Tensor::empty_strided(shape_, strides, op.dtype);
  }
}

// Every operand has the same shape and the same dense layout: one run over the memory.
bool Iterator::set_up_dense() {
  if (!same_shape_) return false;
  bool contiguous = true, channels_last = shape_.size() == 4, dense = true;
  const Tensor* first = nullptr;
  bool same_strides = true;
  for (size_t i = 0; i < count_; ++i) {
    const Operand& op = operands_[i];
    if (!op.shaped()) continue;
    contiguous = contiguous && op.tensor.is_contiguous();
    channels_last = channels_last && op.tensor.is_contiguous(MemoryFormat::kChannelsLast);
    if (contiguous || channels_last) continue;
    dense = dense && op.tensor.is_non_overlapping_and_dense();
  }
  if (!contiguous && !channels_last) {
    if (!dense) return false;
    for (size_t i = 0; i < count_; ++i) {
      const Operand& op = operands_[i];
      if (!op.shaped()) continue;
      if (!op.tensor.is_non_overlapping_and_dense()) return false;
      if (!first) first = &op.tensor;
      same_strides = same_strides && op.tensor.strides() == first->strides();
    }
    if (!same_strides) return false;
  }
  const IntVec strides = first ? IntVec(first->strides()) : IntVec();
  const MemoryFormat format = contiguous || first ? MemoryFormat::kContiguous : MemoryFormat::kChannelsLast;
  for (size_t i = 0; i < count_; ++i) {
    Operand& op = operands_[i];
    if (op.is_output) place_output(op, strides, format);
    op.strides.assign(1, op.is_number ? 0 : static_cast<int64_t>(itemsize(op.dtype)));
  }
  dims_.assign(1, numel_);
  return true;
}

// The dims from fastest to slowest, by the operands' strides; ties and broadcast dims resolved as PyTorch does.
IntVec Iterator::dim_order() const {
  const auto rank = static_cast<int64_t>(shape_.size());
  IntVec order;
  for (int64_t d = rank - 1; d >= 0; --d) order.push_back(d);
  const auto stride_of = [&](const Operand& op, int64_t d) -> int64_t {
    const TensorImpl& t = *op.tensor.impl();
    const int64_t own = d - (rank - static_cast<int64_t>(t.sizes.size()));
    if (own < 0) return 0;
    const auto k = static_cast<size_t>(own);
    // The stride of an empty tensor or of a single element may be any number: it wraps.
    return t.sizes[k] == 1 && shape_[static_cast<size_t>(d)] != 1
               ? 0
               : static_cast<int64_t>(static_cast<uint64_t>(t.strides[k]) * itemsize(t.dtype));
  };
  // > 0: dim a must come after dim b; < 0: before; 0: the operands do not tell.
  const auto compare = [&](int64_t a, int64_t b) {
    for (size_t i = 0; i < count_; ++i) {
      const Operand& op = operands_[i];
      if (!op.shaped()) continue;
      const int64_t sa = stride_of(op, a), sb = stride_of(op, b);
      if (sa == 0 || sb == 0) continue;
      if (sa != sb) return sa < sb ? -1 : 1;
      if (shape_[static_cast<size_t>(a)] > shape_[static_cast<size_t>(b)]) return 1;
    }
    return 0;
  };
  for (int64_t i = 1; i < rank; ++i) {
    int64_t at = i;
    for (int64_t k = i - 1; k >= 0; --k) {
      const int c = compare(order[static_cast<size_t>(k)], order[static_cast<size_t>(at)]);
      if (c > 0) {
        std::swap(order[static_cast<size_t>(k)], order[static_cast<size_t>(at)]);
        at = k;
      } else if (c < 0) {
        break;
      }
    }
  }
  return order;
}

void Iterator::place_outputs(IntSpan order) {
  bool plain = true;
  for (size_t i = 0; i < order.size(); ++i) plain &= order[i] == static_cast<int64_t>(order.size() - 1 - i);
  IntVec strides;
  if (!plain) {
    strides.assign(order.size(), 0);
    int64_t step = 1;
    for (int64_t d : order) {
      strides[static_cast<size_t>(d)] = step;
      step *= shape_[static_cast<size_t>(d)];
    }
  }
  for (size_t i = 0; i < count_ && operands_[i].is_output; ++i) {
    place_output(operands_[i], strides, MemoryFormat::kContiguous);
  }
}

void Iterator::set_up_strided() {
  const IntVec order = dim_order();
  place_outputs(order);
  const auto rank = static_cast<int64_t>(shape_.size());
  for (size_t i = 0; i < count_; ++i) {
    Operand& op = operands_[i];
    op.strides.assign(order.size(), 0);
    if (op.is_number) continue;
    const TensorImpl& t = *op.tensor.impl();
    const uint64_t item = itemsize(t.dtype);
    for (size_t k = 0; k < order.size(); ++k) {
      const int64_t own = order[k] - (rank - static_cast<int64_t>(t.sizes.size()));
      if (own >= 0 && t.sizes[static_cast<size_t>(own)] != 1) {
        op.strides[k] = static_cast<int64_t>(static_cast<uint64_t>(t.strides[static_cast<size_t>(own)]) * item);
      }
    }
  }
  dims_.clear();
  for (int64_t d : order) dims_.push_back(shape_[static_cast<size_t>(d)]);
  coalesce();
}

void Iterator::coalesce() {
  // The extents of an empty tensor may be such that their product overflows.
  if (std::find(dims_.begin(), dims_.end(), 0) != dims_.end()) return;
  size_t kept = 0;
  for (size_t d = 0; d < dims_.size(); ++d) {
    if (dims_[d] == 1) continue;
    bool merge = kept > 0;
    for (size_t i = 0; merge && i < count_; ++i) {
      const IntVec& s = operands_[i].strides;
      merge = s[d] == s[kept - 1] * dims_[kept - 1];
    }
    if (merge) {
      dims_[kept - 1] *= dims_[d];
      continue;
    }
    dims_[kept] = dims_[d];
    for (size_t i = 0; i < count_; ++i) operands_[i].strides[kept] = operands_[i].strides[d];
    ++kept;
  }
  if (kept == 0) {
    dims_.assign(1, 1);
    for (size_t i = 0; i < count_; ++i) {
      operands_[i].strides.assign(1, operands_[i].is_number ? 0 : static_cast<int64_t>(itemsize(operands_[i].dtype)));
    }
    return;
  }
  dims_.resize(kept);
  for (size_t i = 0; i < count_; ++i) operands_[i].strides.resize(kept);
}

void Iterator::prepare() {
  if (prepared_) return;
  prepared_ = true;
  find_shape();
  if constexpr (build::kInPlace) check_overlap();
  if (!set_up_dense()) set_up_strided();
}

void Iterator::run(TileFn fn, const void* ctx, int64_t grain) {
  prepare();
  if (numel_ == 0 || only_shapes()) return;
  if (numel_ <= grain) {
    run_range(fn, ctx, 0, numel_);
  } else {
    parallel_for(0, numel_, grain, [&](int64_t begin, int64_t end) { run_range(fn, ctx, begin, end); });
  }
}

}  // namespace wick::ops
