// Pointwise operators' walk over elements: tiles of them are gathered and converted, given to the kernel and stored.
#include <complex>
#include <memory>

#include "core/check.h"
#include "core/copy.h"
#include "core/selection.h"
#include "ops/iterator.h"

namespace wick::ops {
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

// Whether operators of the build compute with elements of so many bytes.
template <class Bits>
consteval bool has_items() {
  if (sizeof(Bits) == sizeof(float) || build::kIntegers) return true;
  if (sizeof(Bits) == 2) return selects_dtype(DType::kHalf) || selects_dtype(DType::kBFloat16);
  if (sizeof(Bits) == 8) return selects_dtype(DType::kDouble) || selects_dtype(DType::kComplexFloat);
  return sizeof(Bits) == 16 && selects_dtype(DType::kComplexDouble);
}

// Calls f with a value of the unsigned type that is `item` bytes wide: the copies below move bits, not numbers.
template <class F>
void for_item_size(size_t item, F f) {
  const auto call = [&](auto bits) {
    if constexpr (has_items<decltype(bits)>()) return f(bits);
    fail_with<ErrorCode::kUnsupported>("tensors of ", item, " bytes an element are not in this build",
                                       advice_on_missing());
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

  bool needs_raw() const { return op->dtype != op->tile || op->rounds; }
  // Fills the tile with one element of dtype `from`.
  void fill(const char* element, DType from, int64_t n) const {
    convert_elements(tile, static_cast<int64_t>(itemsize(op->tile)), op->tile, element, 0, from, n);
  }
};

// One thread's walk over a range of elements.
class Iterator::Walk {
 public:
  Walk(const Iterator& it, int64_t begin, int64_t end)
      : it_(it), i_(begin), end_(end), longest_(std::min(kTile, end - begin)), at_(it.dims_.size()) {
    for (size_t k = 0; k < it.count_; ++k) describe(it.operands_[k], lanes_[k]);
    if (buffer_bytes_ > 0) place_buffers();
    // Short rows are gathered into whole tiles; long rows are walked one at a time with pointers into them.
    constexpr int64_t kLongRow = 256;
    by_row_ = !all_linear_ && it.dims_[0] >= kLongRow;
    if (all_linear_) return;
    int64_t rest = begin;
    for (size_t d = 0; d < it.dims_.size(); ++d) {
      at_[d] = rest % it.dims_[d];
      rest /= it.dims_[d];
    }
  }

  void run(TileFn fn, const void* ctx) {
    void* ptrs[kMaxOperands];
    while (i_ < end_) {
      int64_t n = buffer_bytes_ > 0 ? std::min(kTile, end_ - i_) : end_ - i_;
      if (by_row_) n = std::min(n, it_.dims_[0] - at_[0]);
      for (size_t k = 0; k < it_.count_; ++k) ptrs[k] = load(lanes_[k], n);
      fn(ptrs, n, ctx);
      for (size_t k = 0; k < it_.count_ && lanes_[k].op->is_output; ++k) {
        if (ptrs[k] == lanes_[k].tile) store(lanes_[k], n);
      }
      advance(n);
    }
  }

 private:
  size_t buffer_size(DType t) const { return (static_cast<size_t>(longest_) * itemsize(t) + 63) / 64 * 64; }

  void describe(const Operand& op, Lane& lane) {
    lane.op = &op;
    lane.item = itemsize(op.dtype);
    lane.constant = lane.linear = true;
    int64_t step = static_cast<int64_t>(lane.item);
    for (size_t d = 0; d < it_.dims_.size(); ++d) {
      lane.constant = lane.constant && op.strides[d] == 0;
      lane.linear = lane.linear && op.strides[d] == step;
      step *= it_.dims_[d];
    }
    if (!op.is_number) lane.base = static_cast<char*>(op.tensor.raw_data());
    // A lone element of another dtype goes through `common` too (an int64 zero-dim tensor added to int8).
    lane.constant = !op.is_output && (lane.constant || (it_.numel_ == 1 && op.dtype != op.common));
    lane.direct = lane.linear && !lane.constant && op.dtype == op.tile && !op.rounds;
    all_linear_ = all_linear_ && (lane.linear || lane.constant);
    if (!lane.direct) buffer_bytes_ += buffer_size(op.tile) + (lane.needs_raw() ? buffer_size(op.dtype) : 0);
  }

  void place_buffers() {
    buffers_.reset(new char[buffer_bytes_ + 63]);
    char* next = buffers_.get() + (64 - reinterpret_cast<uintptr_t>(buffers_.get()) % 64) % 64;
    for (size_t k = 0; k < it_.count_; ++k) {
      Lane& lane = lanes_[k];
      if (lane.direct) continue;
      lane.tile = next;
      next += buffer_size(lane.op->tile);
      if (lane.needs_raw()) {
        lane.raw = next;
        next += buffer_size(lane.op->dtype);
      }
      if (lane.constant) fill_constant(lane);
    }
  }

  void fill_constant(const Lane& lane) const {
    const Operand& op = *lane.op;
    char one[16];
    if (op.is_number) {
      store_number(op.number, op.common, one);
    } else {
      convert_run(one, op.common, lane.base, op.dtype, 1);
    }
    lane.fill(one, op.common, longest_);
  }

  // The element at the walk's position.
  char* position(const Lane& lane) const {
    if (lane.linear) return lane.base + i_ * static_cast<int64_t>(lane.item);
    char* p = lane.base;
    for (size_t d = 0; d < it_.dims_.size(); ++d) p += at_[d] * lane.op->strides[d];
    return p;
  }
  // Whether the elements of the next tile are adjacent in memory.
  bool is_dense(const Lane& lane) const {
    return lane.linear || (by_row_ && lane.op->strides[0] == static_cast<int64_t>(lane.item));
  }

  // Where the kernel finds the operand's next n elements: in memory, or in the tile, which is filled for inputs.
  void* load(Lane& lane, int64_t n) {
    const Operand& op = *lane.op;
    if (lane.constant) return lane.tile;
    char* p = position(lane);
    const bool dense = is_dense(lane);
    if (dense && !lane.raw) return p;
    if (op.is_output) return lane.tile;
    if (by_row_ && op.strides[0] == 0) {
      if (lane.repeated != p) repeat(lane, p);
      return lane.tile;
    }
    if (!dense) {
      scratch_ = at_;
      char* dst = lane.raw ? lane.raw : lane.tile;
      gather(lane.item, dst, p, it_.dims_, op.strides, scratch_, n);
      p = dst;
    }
    if (lane.raw && op.rounds) {
      convert_run(lane.raw, op.common, p, op.dtype, n);
      convert_run(lane.tile, op.tile, lane.raw, op.common, n);
    } else if (lane.raw) {
      convert_run(lane.tile, op.tile, p, op.dtype, n);
    }
    return lane.tile;
  }

  // Fills the tile with the one element of a row.
  void repeat(Lane& lane, const char* p) const {
    const Operand& op = *lane.op;
    char one[16];
    if (op.rounds) convert_run(one, op.common, p, op.dtype, 1);
    lane.fill(op.rounds ? one : p, op.rounds ? op.common : op.dtype, longest_);
    lane.repeated = p;
  }

  // Writes the n results in the tile to memory.
  void store(const Lane& lane, int64_t n) {
    const Operand& op = *lane.op;
    char* p = position(lane);
    const bool dense = is_dense(lane);
    const char* from = lane.tile;
    if (lane.raw) {
      char* to = dense ? p : lane.raw;
      const DType held = op.rounds ? op.common : op.tile;
      if (op.rounds) convert_run(lane.tile, held, from, op.tile, n);  // narrows in place
      convert_run(to, op.dtype, from, held, n);
      from = to;
    }
    if (dense) return;
    scratch_ = at_;
    scatter(lane.item, p, from, it_.dims_, op.strides, scratch_, n);
  }

  void advance(int64_t n) {
    i_ += n;
    if (all_linear_) return;
    const IntVec& dims = it_.dims_;
    at_[0] += n;
    for (size_t d = 0; d + 1 < dims.size() && at_[d] >= dims[d]; ++d) {
      at_[d + 1] += at_[d] / dims[d];
      at_[d] %= dims[d];
    }
  }

  const Iterator& it_;
  int64_t i_;
  const int64_t end_, longest_;  // longest_: elements a tile holds at most
  std::array<Lane, kMaxOperands> lanes_;
  bool all_linear_ = true, by_row_ = false;
  size_t buffer_bytes_ = 0;
  std::unique_ptr<char[]> buffers_;
  IntVec at_, scratch_;  // the position by dims, where not all operands are linear
};

void Iterator::run_range(TileFn fn, const void* ctx, int64_t begin, int64_t end) const {
  Walk(*this, begin, end).run(fn, ctx);
}

}  // namespace wick::ops
