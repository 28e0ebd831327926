#include "ops/iterator.h"

#include <complex>
#include <memory>

#include "core/check.h"
#include "core/copy.h"
#include "core/parallel.h"
#include "core/selection.h"
#include "core/shape.h"
#include "core/shapes_only.h"
#include "ops/overlap.h"

namespace wick::ops {
namespace {

// Whether pointwise operators are called at all: a plan may compute them all by itself.
consteval bool is_swift() {
  if (!tells_calls()) return true;
  constexpr std::string_view kOthers[] = {"aten::adaptive_avg_pool2d",
                                          "aten::avg_pool2d",
                                          "aten::cat",
                                          "aten::contiguous",
                                          "aten::embedding",
                                          "aten::expand",
                                          "aten::flatten",
                                          "aten::log_softmax",
                                          "aten::lstm",
                                          "aten::max_pool2d",
                                          "aten::permute",
                                          "aten::reshape",
                                          "aten::select",
                                          "aten::slice",
                                          "aten::softmax",
                                          "aten::squeeze",
                                          "aten::transpose",
                                          "aten::unsqueeze",
                                          "aten::view",
                                          "aten::zeros"};
  for (std::string_view n : selection::kFeatures) {
    if (n.starts_with(kCallPrefix) && !selection::contains(kOthers, n.substr(kCallPrefix.size()))) return true;
  }
  return false;
}
constexpr bool kIsSwift = is_swift();

}  // namespace

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

namespace {

template <class T>
void gather_as(char* dst, const char* src, const IntVec& dims, const IntVec& strides, IntVec& at, int64_t n) {
  const int64_t step = strides[0];
  T* out = reinterpret_cast<T*>(dst);
  while (true) {
    const int64_t row = std::min(n, dims[0] - at[0]);
    if (step == sizeof(T) && row >= 16) {
      std::memcpy(out, src, static_cast<size_t>(row) * sizeof(T));
    } else if (step == 0) {
      T value;
      std::memcpy(&value, src, sizeof(T));
      std::fill_n(out, row, value);
    } else {
      const char* p = src;
      for (int64_t i = 0; i < row; ++i, p += step) std::memcpy(out + i, p, sizeof(T));
    }
    out += row;
    n -= row;
    if (n == 0) return;
    src -= at[0] * step;
    at[0] = 0;
    for (size_t d = 1; d < dims.size(); ++d) {
      src += strides[d];
      if (++at[d] < dims[d]) break;
      src -= dims[d] * strides[d];
      at[d] = 0;
    }
  }
}

template <class T>
void scatter_as(char* dst, const char* src, const IntVec& dims, const IntVec& strides, IntVec& at, int64_t n) {
  const int64_t step = strides[0];
  const T* in = reinterpret_cast<const T*>(src);
  while (true) {
    const int64_t row = std::min(n, dims[0] - at[0]);
    char* p = dst;
    for (int64_t i = 0; i < row; ++i, p += step) std::memcpy(p, in + i, sizeof(T));
    in += row;
    n -= row;
    if (n == 0) return;
    dst -= at[0] * step;
    at[0] = 0;
    for (size_t d = 1; d < dims.size(); ++d) {
      dst += strides[d];
      if (++at[d] < dims[d]) break;
      dst -= dims[d] * strides[d];
      at[d] = 0;
    }
  }
}

struct Bytes16 {
  uint64_t words[2];
};

// Whether operators compute with elements of so many bytes.
template <class Bits>
consteval bool has_items() {
  if (sizeof(Bits) == sizeof(float) || selects_integers()) return true;
  if (sizeof(Bits) == 2) return selects_dtype(DType::kHalf) || selects_dtype(DType::kBFloat16);
  if (sizeof(Bits) == 8) return selects_dtype(DType::kDouble) || selects_dtype(DType::kComplexFloat);
  return sizeof(Bits) == 16 && selects_dtype(DType::kComplexDouble);
}

// Calls f with a value of the unsigned type that is `item` bytes wide: the copies below move bits, not numbers.
template <class F>
void for_item_size(size_t item, F f) {
  const auto call = [&](auto bits) {
    if constexpr (has_items<decltype(bits)>()) {
      f(bits);
    } else {
      fail_with<ErrorCode::kUnsupported>("tensors of ", item, " bytes an element are not in this build",
                                         advice_on_missing());
    }
  };
  switch (item) {
    case 1:
      return call(uint8_t{});
    case 2:
      return call(uint16_t{});
    case 4:
      return call(uint32_t{});
    case 8:
      return call(uint64_t{});
    default:
      return call(Bytes16{});
  }
}

// Copies n elements between a dense buffer and the strided position `at` of a tensor; `at` is used up.
void gather(size_t item, char* dst, const char* src, const IntVec& dims, const IntVec& strides, IntVec& at, int64_t n) {
  for_item_size(item, [&](auto bits) { gather_as<decltype(bits)>(dst, src, dims, strides, at, n); });
}

void scatter(size_t item, char* dst, const char* src, const IntVec& dims, const IntVec& strides, IntVec& at,
             int64_t n) {
  for_item_size(item, [&](auto bits) { scatter_as<decltype(bits)>(dst, src, dims, strides, at, n); });
}

void convert_run(char* dst, DType to, const char* src, DType from, int64_t n) {
  convert_elements(dst, static_cast<int64_t>(itemsize(to)), to, src, static_cast<int64_t>(itemsize(from)), from, n);
}

void store_number(const Scalar& s, DType dtype, char* at) {
  switch (s.kind()) {
    case Scalar::Kind::kBool: {
      const bool v = s.to_bool();
      return convert_run(at, dtype, reinterpret_cast<const char*>(&v), DType::kBool, 1);
    }
    case Scalar::Kind::kInt: {
      const int64_t v = s.to_int();
      return convert_run(at, dtype, reinterpret_cast<const char*>(&v), DType::kLong, 1);
    }
    case Scalar::Kind::kDouble: {
      const double v = s.to_double();
      return convert_run(at, dtype, reinterpret_cast<const char*>(&v), DType::kDouble, 1);
    }
    case Scalar::Kind::kComplex: {
      const std::complex<double> v = s.to_complex();
      return convert_run(at, dtype, reinterpret_cast<const char*>(&v), DType::kComplexDouble, 1);
    }
  }
}

}  // namespace

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
    const int64_t own = d - (rank - op.tensor.dim());
    if (own < 0) return 0;
    const auto k = static_cast<size_t>(own);
    // The stride of an empty tensor or of a single element may be any number: it wraps.
    return op.tensor.sizes()[k] == 1 && shape_[static_cast<size_t>(d)] != 1
               ? 0
               : static_cast<int64_t>(static_cast<uint64_t>(op.tensor.strides()[k]) * op.tensor.itemsize());
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
    const uint64_t item = op.tensor.itemsize();
    for (size_t k = 0; k < order.size(); ++k) {
      const int64_t own = order[k] - (rank - op.tensor.dim());
      if (own >= 0 && op.tensor.sizes()[static_cast<size_t>(own)] != 1) {
        op.strides[k] =
            static_cast<int64_t>(static_cast<uint64_t>(op.tensor.strides()[static_cast<size_t>(own)]) * item);
      }
    }
  }
  dims_.clear();
  for (int64_t d : order) dims_.push_back(shape_[static_cast<size_t>(d)]);
  if (kIsSwift || order.empty()) coalesce();
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
  if constexpr (selects_in_place()) check_overlap();
  if (!set_up_dense()) set_up_strided();
}

void Iterator::run(TileFn fn, const void* ctx, int64_t grain) {
  prepare();
  if (numel_ == 0 || only_shapes()) return;
  if constexpr (!kIsSwift) return run_rows(fn, ctx);
  if (numel_ <= grain) {
    run_range(fn, ctx, 0, numel_);
  } else {
    parallel_for(0, numel_, grain, [&](int64_t begin, int64_t end) { run_range(fn, ctx, begin, end); });
  }
}

// Piece by piece of a row, all elements through buffers.
void Iterator::run_rows(TileFn fn, const void* ctx) const {
  constexpr int64_t kPiece = 64;
  std::complex<double> tiles[kMaxOperands][kPiece], held[kPiece];  // elements of any dtype fit
  const auto convert = [](void* dst, DType to, const void* src, int64_t step, DType from, int64_t n) {
    convert_elements(dst, static_cast<int64_t>(itemsize(to)), to, src, step, from, n);
  };
  IntVec at(dims_.size());
  for (int64_t done = 0; done < numel_;) {
    const int64_t n = std::min(kPiece, dims_[0] - at[0]);
    void* ptrs[kMaxOperands];
    const auto place = [&](const Operand& op) {
      char* p = static_cast<char*>(op.tensor.raw_data());
      for (size_t d = 0; d < dims_.size(); ++d) p += at[d] * op.strides[d];
      return p;
    };
    for (size_t k = 0; k < count_; ++k) {
      const Operand& op = operands_[k];
      ptrs[k] = tiles[k];
      if (op.is_output) continue;
      if (op.is_number) {
        store_number(op.number, op.common, reinterpret_cast<char*>(held));
        convert(ptrs[k], op.tile, held, 0, op.common, n);
      } else {
        convert(held, op.common, place(op), op.strides[0], op.dtype, n);
        convert(ptrs[k], op.tile, held, static_cast<int64_t>(itemsize(op.common)), op.common, n);
      }
    }
    fn(ptrs, n, ctx);
    for (size_t k = 0; k < count_ && operands_[k].is_output; ++k) {
      const Operand& op = operands_[k];
      const DType from = op.rounds ? op.common : op.tile;
      convert(held, from, ptrs[k], static_cast<int64_t>(itemsize(op.tile)), op.tile, n);
      convert_elements(place(op), op.strides[0], op.dtype, held, static_cast<int64_t>(itemsize(from)), from, n);
    }
    done += n;
    at[0] += n;
    for (size_t d = 0; d + 1 < dims_.size() && at[d] == dims_[d]; ++d) {
      at[d] = 0;
      ++at[d + 1];
    }
  }
}

// One operand while a thread walks over its range.
struct Iterator::Lane {
  const Operand* op = nullptr;
  char* base = nullptr;
  size_t item = 0;
  bool constant = false;           // one element, held in `tile`
  bool linear = false;             // dense in iteration order
  bool direct = false;             // linear and of the tile dtype: no buffer needed
  char* tile = nullptr;            // kTile elements of the tile dtype
  char* raw = nullptr;             // kTile elements as in memory, when strided and of another dtype
  const char* repeated = nullptr;  // the element that `tile` is filled with, while walking along its row
};

void Iterator::run_range(TileFn fn, const void* ctx, int64_t begin, int64_t end) const {
  std::array<Lane, kMaxOperands> lanes;
  bool all_linear = true, any_buffer = false;
  size_t bytes = 0;
  const int64_t longest = std::min(kTile, end - begin);
  const auto room = [&](DType t) { return (static_cast<size_t>(longest) * itemsize(t) + 63) / 64 * 64; };
  for (size_t i = 0; i < count_; ++i) {
    const Operand& op = operands_[i];
    Lane& lane = lanes[i];
    lane.op = &op;
    lane.item = itemsize(op.dtype);
    lane.constant = lane.linear = true;
    int64_t step = static_cast<int64_t>(lane.item);
    for (size_t d = 0; d < dims_.size(); ++d) {
      lane.constant = lane.constant && op.strides[d] == 0;
      lane.linear = lane.linear && op.strides[d] == step;
      step *= dims_[d];
    }
    if (!op.is_number) lane.base = static_cast<char*>(op.tensor.raw_data());
    // A lone element of another dtype goes through `common` too (an int64 zero-dim tensor added to int8).
    lane.constant = !op.is_output && (lane.constant || (numel_ == 1 && op.dtype != op.common));
    lane.direct = lane.linear && !lane.constant && op.dtype == op.tile && !op.rounds;
    all_linear = all_linear && (lane.linear || lane.constant);
    if (!lane.direct) {
      any_buffer = true;
      bytes += room(op.tile) + (op.dtype != op.tile || op.rounds ? room(op.dtype) : 0);
    }
  }
  std::unique_ptr<char[]> memory;
  if (any_buffer) {
    memory.reset(new char[bytes + 63]);
    char* next = memory.get() + (64 - reinterpret_cast<uintptr_t>(memory.get()) % 64) % 64;
    for (size_t i = 0; i < count_; ++i) {
      Lane& lane = lanes[i];
      const Operand& op = *lane.op;
      if (lane.direct) continue;
      lane.tile = next;
      next += room(op.tile);
      if (op.dtype != op.tile || op.rounds) {
        lane.raw = next;
        next += room(op.dtype);
      }
      if (!lane.constant) continue;
      char one[16];
      if (op.is_number) {
        store_number(op.number, op.common, one);
      } else {
        convert_run(one, op.common, lane.base, op.dtype, 1);
      }
      convert_elements(lane.tile, static_cast<int64_t>(itemsize(op.tile)), op.tile, one, 0, op.common, longest);
    }
  }

  // Short rows are gathered into whole tiles; long rows are walked one at a time with pointers into them.
  constexpr int64_t kLongRow = 256;
  const bool by_row = !all_linear && dims_[0] >= kLongRow;
  IntVec at(dims_.size());
  if (!all_linear) {
    int64_t rest = begin;
    for (size_t d = 0; d < dims_.size(); ++d) {
      at[d] = rest % dims_[d];
      rest /= dims_[d];
    }
  }
  IntVec scratch;
  void* ptrs[kMaxOperands];
  for (int64_t i = begin; i < end;) {
    int64_t n = any_buffer ? std::min(kTile, end - i) : end - i;
    if (by_row) n = std::min(n, dims_[0] - at[0]);
    const auto place = [&](const Lane& lane) {
      if (lane.linear) return lane.base + i * static_cast<int64_t>(lane.item);
      char* p = lane.base;
      for (size_t d = 0; d < dims_.size(); ++d) p += at[d] * lane.op->strides[d];
      return p;
    };
    const auto dense = [&](const Lane& lane) {
      return lane.linear || (by_row && lane.op->strides[0] == static_cast<int64_t>(lane.item));
    };
    for (size_t k = 0; k < count_; ++k) {
      Lane& lane = lanes[k];
      const Operand& op = *lane.op;
      if (lane.constant) {
        ptrs[k] = lane.tile;
        continue;
      }
      char* p = place(lane);
      const bool straight = dense(lane);
      ptrs[k] = straight && !lane.raw ? p : lane.tile;
      if (op.is_output || ptrs[k] == p) continue;
      if (by_row && op.strides[0] == 0) {
        if (lane.repeated != p) {
          char one[16];
          if (op.rounds) convert_run(one, op.common, p, op.dtype, 1);
          convert_elements(lane.tile, static_cast<int64_t>(itemsize(op.tile)), op.tile, op.rounds ? one : p, 0,
                           op.rounds ? op.common : op.dtype, longest);
          lane.repeated = p;
        }
        continue;
      }
      if (!straight) {
        scratch = at;
        char* dst = lane.raw ? lane.raw : lane.tile;
        gather(lane.item, dst, p, dims_, op.strides, scratch, n);
        p = dst;
      }
      if (lane.raw && op.rounds) {
        convert_run(lane.raw, op.common, p, op.dtype, n);
        convert_run(lane.tile, op.tile, lane.raw, op.common, n);
      } else if (lane.raw) {
        convert_run(lane.tile, op.tile, p, op.dtype, n);
      }
    }
    fn(ptrs, n, ctx);
    for (size_t k = 0; k < count_ && lanes[k].op->is_output; ++k) {
      const Lane& lane = lanes[k];
      if (ptrs[k] != lane.tile) continue;
      char* p = place(lane);
      const bool straight = dense(lane);
      const char* from = lane.tile;
      if (lane.raw) {
        char* to = straight ? p : lane.raw;
        const DType held = lane.op->rounds ? lane.op->common : lane.op->tile;
        if (lane.op->rounds) convert_run(lane.tile, held, from, lane.op->tile, n);  // narrows in place
        convert_run(to, lane.op->dtype, from, held, n);
        from = to;
      }
      if (straight) continue;
      scratch = at;
      scatter(lane.item, p, from, dims_, lane.op->strides, scratch, n);
    }
    i += n;
    if (all_linear) continue;
    at[0] += n;
    for (size_t d = 0; d + 1 < dims_.size() && at[d] >= dims_[d]; ++d) {
      at[d + 1] += at[d] / dims_[d];
      at[d] %= dims_[d];
    }
  }
}

}  // namespace wick::ops
