// Tensors: storages, creation, layout queries and views.
#include "wick/tensor.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/check.h"
#include "core/copy.h"
#include "core/limits.h"
#include "core/memory.h"
#include "core/shape.h"
#include "core/tensor_impl.h"

namespace wick {
namespace {

constexpr size_t kAlignment = 64;
// With 32-bit addresses: of 16 bytes, the largest there are.
constexpr int64_t kMostElements = PTRDIFF_MAX / 16;

void* allocate(size_t nbytes) {
  WICK_CHECK(nbytes <= PTRDIFF_MAX - kAlignment, kOutOfMemory, "cannot allocate ", nbytes, " bytes");
  // Exactly the bytes asked for, so that a sanitizer sees a step beyond them; but never null, to which loops that do
  // nothing may not add an offset.
  void* p = nullptr;
  WICK_CHECK(posix_memalign(&p, kAlignment, std::max<size_t>(nbytes, 1)) == 0, kOutOfMemory, "cannot allocate ", nbytes,
             " bytes");
  return p;
}

// Bytes that a tensor of these sizes and strides needs from its storage, from element 0 on.
size_t required_bytes(IntSpan sizes, IntSpan strides, int64_t offset, DType dtype) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return 0;
  int64_t last = offset;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t step;
    WICK_CHECK(!__builtin_mul_overflow(sizes[i] - 1, strides[i], &step) && !__builtin_add_overflow(last, step, &last),
               kOutOfMemory, "sizes ", sizes, " with strides ", strides, " overflow");
  }
  int64_t elements, bytes;
  WICK_CHECK(!__builtin_add_overflow(last, 1, &elements) &&
                 !__builtin_mul_overflow(elements, static_cast<int64_t>(itemsize(dtype)), &bytes),
             kOutOfMemory, "sizes ", sizes, " with strides ", strides, " overflow");
  return addressable(static_cast<uint64_t>(bytes));
}

// What counts for the memory limit of a run: a tensor of few elements takes some, too.
uint64_t charged_bytes(size_t nbytes) { return uint64_t{nbytes} + 256; }

Tensor make(Storage storage, IntSpan sizes, IntSpan strides, int64_t offset, DType dtype) {
  Ref<TensorImpl> impl = make_ref<TensorImpl>();
  impl->storage = std::move(storage);
  impl->sizes = sizes;
  impl->strides = strides;
  impl->offset = offset;
  impl->numel = checked_numel(sizes);
  impl->dtype = dtype;
  return Tensor(std::move(impl));
}

void check_rank(IntSpan sizes) {
  WICK_CHECK(sizes.size() <= limits::kMaxTensorDims, kLimitExceeded, "a tensor may have at most ",
             limits::kMaxTensorDims, " dimensions, got ", sizes.size());
}

// Strides of the dims taken from the innermost outwards.
template <size_t N>
bool matches_order(IntSpan sizes, IntSpan strides, const int (&inner_to_outer)[N]) {
  int64_t expected = 1;
  for (int d : inner_to_outer) {
    if (sizes[d] != 1) {
      if (strides[d] != expected) return false;
      expected *= sizes[d];
    }
  }
  return true;
}

// PyTorch's is_channels_last_strides_{2d,3d}: sizes of one decide nothing, but an all-ones tensor is not
// channels-last.
template <size_t N>
bool looks_channels_last(IntSpan sizes, IntSpan strides, const int (&inner_to_outer)[N]) {
  if (sizes.size() != N || strides[1] == 0) return false;
  int64_t least = 0;
  for (int d : inner_to_outer) {
    if (sizes[d] == 0 || strides[d] < least) return false;
    if (d == 0 && least == strides[1]) return false;
    least = strides[d];
    if (sizes[d] > 1) least *= sizes[d];
  }
  return true;
}

constexpr int kOrder2d[] = {1, 3, 2, 0};
constexpr int kOrder3d[] = {1, 4, 3, 2, 0};

}  // namespace

StorageImpl::StorageImpl(size_t nbytes)
    : charge_(charged_bytes(nbytes)), data_(allocate(nbytes)), nbytes_(nbytes), owned_(true) {}

StorageImpl::StorageImpl(void* data, size_t nbytes, std::shared_ptr<void> owner)
    : data_(data), nbytes_(nbytes), owner_(std::move(owner)) {}

StorageImpl::~StorageImpl() {
  if (owned_) std::free(data_);
}

void StorageImpl::resize(size_t nbytes) {
  if (nbytes <= nbytes_) return;  // other tensors may still reach the end
  WICK_CHECK(owned_, kInvalidArgument, "Trying to resize storage that is not resizable");
  charge_.set(charged_bytes(nbytes));
  void* bigger;
  try {
    bigger = allocate(nbytes);
  } catch (...) {
    charge_.set(charged_bytes(nbytes_));
    throw;
  }
  if (nbytes_ > 0) std::memcpy(bigger, data_, nbytes_);
  std::free(data_);
  data_ = bigger;
  nbytes_ = nbytes;
}

int64_t checked_numel(IntSpan sizes) {
  int64_t n = 1;
  bool overflow = false, empty = false;
  for (int64_t s : sizes) {
    WICK_CHECK(s >= 0, kInvalidArgument, "Trying to create tensor with negative dimension ", s, ": ", sizes);
    empty |= s == 0;
    overflow |= __builtin_mul_overflow(n, s, &n);
  }
  // With 32-bit addresses every size, count of elements or bytes of a tensor, and products of some of its sizes, must
  // fit a size_t: operators convert them to one.
  if constexpr (sizeof(size_t) < sizeof(int64_t)) {
    int64_t most = 1;
    for (int64_t s : sizes) {
      WICK_CHECK(!__builtin_mul_overflow(most, std::max<int64_t>(s, 1), &most) && most <= kMostElements, kOutOfMemory,
                 "a tensor of sizes ", sizes, " does not fit 32-bit addresses: at most ", kMostElements,
                 " elements do");
    }
  }
  if (empty) return 0;
  WICK_CHECK(!overflow, kOutOfMemory, "the number of elements of a tensor of sizes ", sizes, " overflows");
  return n;
}

IntVec contiguous_strides(IntSpan sizes, MemoryFormat format) {
  IntVec strides(sizes.size());
  const auto fill_in = [&](auto&& order) {
    int64_t next = 1;
    for (int d : order) {
      strides[d] = next;
      // Overflow is caught by checked_numel; saturate here so that the arithmetic stays defined.
      if (__builtin_mul_overflow(next, std::max<int64_t>(sizes[d], 1), &next)) next = INT64_MAX;
    }
  };
  if (format == MemoryFormat::kChannelsLast) {
    WICK_CHECK(sizes.size() == 4, kInvalidArgument, "required rank 4 tensor to use channels_last format");
    fill_in(kOrder2d);
  } else if (format == MemoryFormat::kChannelsLast3d) {
    WICK_CHECK(sizes.size() == 5, kInvalidArgument, "required rank 5 tensor to use channels_last_3d format");
    fill_in(kOrder3d);
  } else {
    int64_t next = 1;
    for (size_t d = sizes.size(); d-- > 0;) {
      strides[d] = next;
      if (__builtin_mul_overflow(next, std::max<int64_t>(sizes[d], 1), &next)) next = INT64_MAX;
    }
  }
  return strides;
}

Tensor Tensor::empty(IntSpan sizes, DType dtype, MemoryFormat format) {
  check_rank(sizes);
  const int64_t n = checked_numel(sizes);
  int64_t bytes;
  WICK_CHECK(!__builtin_mul_overflow(n, static_cast<int64_t>(wick::itemsize(dtype)), &bytes), kOutOfMemory,
             "the size in bytes of a tensor of sizes ", sizes, " overflows");
  return make(make_ref<StorageImpl>(addressable(static_cast<uint64_t>(bytes))), sizes,
              contiguous_strides(sizes, format), 0, dtype);
}

Tensor Tensor::empty_strided(IntSpan sizes, IntSpan strides, DType dtype) {
  check_rank(sizes);
  checked_numel(sizes);
  WICK_CHECK(sizes.size() == strides.size(), kInvalidArgument, "mismatch in length of strides and shape");
  for (int64_t s : strides) {
    WICK_CHECK(s >= 0, kInvalidArgument, "as_strided: Negative strides are not supported, got strides: ", strides);
  }
  return make(make_ref<StorageImpl>(required_bytes(sizes, strides, 0, dtype)), sizes, strides, 0, dtype);
}

Tensor Tensor::zeros(IntSpan sizes, DType dtype) {
  Tensor t = empty(sizes, dtype);
  if (t.numel() > 0) std::memset(t.raw_data(), 0, t.nbytes());
  return t;
}

Tensor Tensor::scalar(const Scalar& value, DType dtype) {
  Tensor t = empty({}, dtype);
  fill(t, value);
  return t;
}

Tensor Tensor::from_blob(void* data, IntSpan sizes, DType dtype, IntSpan strides, std::shared_ptr<void> owner) {
  check_rank(sizes);
  const int64_t n = checked_numel(sizes);
  const IntVec dense = contiguous_strides(sizes);
  if (strides.empty() && !sizes.empty()) strides = dense;
  WICK_CHECK(sizes.size() == strides.size(), kInvalidArgument, "from_blob: ", sizes.size(), " sizes but ",
             strides.size(), " strides");
  WICK_CHECK(data || n == 0, kInvalidArgument, "from_blob: null data for ", n, " elements");
  for (int64_t s : strides) WICK_CHECK(s >= 0, kInvalidArgument, "from_blob: negative strides are not supported");
  const size_t bytes = required_bytes(sizes, strides, 0, dtype);
  return make(make_ref<StorageImpl>(data, bytes, std::move(owner)), sizes, strides, 0, dtype);
}

Tensor Tensor::from_blob(const void* data, IntSpan sizes, DType dtype, IntSpan strides) {
  return clone(from_blob(const_cast<void*>(data), sizes, dtype, strides));
}

namespace {

[[noreturn, gnu::cold, gnu::noinline]] void refuse_undefined() {
  fail_with<ErrorCode::kInvalidArgument>("the tensor is undefined: nothing was assigned to it");
}

const TensorImpl& defined_impl(const Tensor& t) {
  if (!t.defined()) [[unlikely]]
    refuse_undefined();
  return *t.impl();
}

}  // namespace

DType Tensor::dtype() const { return defined_impl(*this).dtype; }
int64_t Tensor::dim() const { return static_cast<int64_t>(defined_impl(*this).sizes.size()); }
IntSpan Tensor::sizes() const { return defined_impl(*this).sizes; }
IntSpan Tensor::strides() const { return defined_impl(*this).strides; }
int64_t Tensor::numel() const { return defined_impl(*this).numel; }
int64_t Tensor::storage_offset() const { return defined_impl(*this).offset; }
size_t Tensor::itemsize() const { return wick::itemsize(dtype()); }
bool Tensor::requires_grad() const { return defined_impl(*this).requires_grad; }
bool Tensor::is_alias_of(const Tensor& other) const {
  return defined_impl(*this).storage == defined_impl(other).storage;
}
void* Tensor::data_ptr() const { return defined_impl(*this).data(); }

void* Tensor::data_of(DType expected) const {
  const TensorImpl& t = defined_impl(*this);
  WICK_CHECK(t.dtype == expected, kTypeMismatch, "expected scalar type ", name_of(expected), " but found ",
             name_of(t.dtype));
  return t.data();
}

void* Tensor::contiguous_data_of(DType expected) const {
  void* data = data_of(expected);
  WICK_CHECK(is_contiguous(), kInvalidArgument, "data(): the elements of a tensor of sizes ", sizes(), " and strides ",
             strides(), " do not lie one after the other; use contiguous() or accessor()");
  return data;
}

void Tensor::expect_dims(size_t count) const {
  WICK_CHECK(sizes().size() == count, kInvalidArgument, "TensorAccessor expected ", count, " dims but tensor has ",
             sizes().size());
}

Tensor Tensor::contiguous(MemoryFormat format) const {
  defined_impl(*this);
  return wick::contiguous(*this, format);
}

int64_t Tensor::size(int64_t d) const {
  WICK_CHECK(dim() > 0, kIndexOutOfRange, "Dimension specified as ", d, " but tensor has no dimensions");
  return impl()->sizes[wrap_dim(d, dim())];
}
int64_t Tensor::stride(int64_t d) const {
  WICK_CHECK(dim() > 0, kIndexOutOfRange, "Dimension specified as ", d, " but tensor has no dimensions");
  return impl()->strides[wrap_dim(d, dim())];
}

bool Tensor::is_contiguous(MemoryFormat format) const {
  const IntSpan sz = sizes(), st = strides();
  if (format == MemoryFormat::kChannelsLast) {
    return dim() == 4 && matches_order(sz, st, kOrder2d);
  }
  if (format == MemoryFormat::kChannelsLast3d) {
    return dim() == 5 && matches_order(sz, st, kOrder3d);
  }
  if (numel() == 0) return true;
  int64_t expected = 1;
  for (size_t d = sz.size(); d-- > 0;) {
    if (sz[d] == 1) continue;
    if (st[d] != expected) return false;
    expected *= sz[d];
  }
  return true;
}

bool Tensor::is_non_overlapping_and_dense() const {
  if (is_contiguous()) return true;
  const IntSpan sz = sizes(), st = strides();
  IntVec order;
  for (size_t d = 0; d < sz.size(); ++d) {
    if (sz[d] == 1) continue;
    order.push_back(static_cast<int64_t>(d));
    for (size_t i = order.size() - 1; i > 0 && st[order[i]] < st[order[i - 1]]; --i) std::swap(order[i], order[i - 1]);
  }
  int64_t expected = 1;
  for (int64_t d : order) {
    if (st[d] != expected) return false;
    expected *= sz[d];
  }
  return true;
}

MemoryFormat Tensor::suggest_memory_format() const {
  if (looks_channels_last(sizes(), strides(), kOrder2d)) return MemoryFormat::kChannelsLast;
  if (looks_channels_last(sizes(), strides(), kOrder3d)) return MemoryFormat::kChannelsLast3d;
  return MemoryFormat::kContiguous;
}

Scalar Tensor::item() const {
  WICK_CHECK(numel() == 1, kInvalidArgument, "a Tensor with ", numel(), " elements cannot be converted to Scalar");
  const void* p = raw_data();
  const auto read = [p](auto sample) {
    std::memcpy(&sample, p, sizeof sample);
    return sample;
  };
  switch (dtype()) {
    case DType::kByte:
      return static_cast<int64_t>(read(uint8_t{}));
    case DType::kChar:
      return static_cast<int64_t>(read(int8_t{}));
    case DType::kShort:
      return static_cast<int64_t>(read(int16_t{}));
    case DType::kInt:
      return static_cast<int64_t>(read(int32_t{}));
    case DType::kLong:
      return read(int64_t{});
    case DType::kUInt16:
      return static_cast<int64_t>(read(uint16_t{}));
    case DType::kUInt32:
      return static_cast<int64_t>(read(uint32_t{}));
    case DType::kUInt64:
      return read(int64_t{});
    case DType::kHalf:
      return static_cast<double>(static_cast<float>(read(Half{})));
    case DType::kBFloat16:
      return static_cast<double>(static_cast<float>(read(BFloat16{})));
    case DType::kFloat:
      return static_cast<double>(read(float{}));
    case DType::kDouble:
      return read(double{});
    case DType::kBool:
      return read(uint8_t{}) != 0;
    case DType::kComplexFloat:
      return std::complex<double>(read(std::complex<float>{}));
    case DType::kComplexDouble:
      return read(std::complex<double>{});
    case DType::kComplexHalf: {
      Half parts[2];
      std::memcpy(parts, p, sizeof parts);
      return std::complex<double>(static_cast<float>(parts[0]), static_cast<float>(parts[1]));
    }
    default: {
      Tensor real = empty(sizes(), DType::kFloat);
      copy_into(real, *this);
      return real.item();
    }
  }
}

Tensor Tensor::as_strided(IntSpan sizes, IntSpan strides, int64_t offset) const {
  check_rank(sizes);
  WICK_CHECK(sizes.size() == strides.size(), kInvalidArgument, "mismatch in length of strides and shape");
  checked_numel(sizes);
  for (int64_t s : strides) {
    WICK_CHECK(s >= 0, kInvalidArgument,
               "as_strided: Negative strides are not supported at the moment, got strides: ", strides);
  }
  WICK_CHECK(offset >= 0, kInvalidArgument, "Tensor: invalid storage offset ", offset);
  const size_t needed = required_bytes(sizes, strides, offset, dtype());
  WICK_CHECK(needed <= storage()->nbytes(), kInvalidArgument, "setStorage: sizes ", sizes, ", strides ", strides,
             ", storage offset ", offset, ", and itemsize ", itemsize(), " requiring a storage size of ", needed,
             " are out of bounds for storage of size ", storage()->nbytes());
  Tensor view = make(storage(), sizes, strides, offset, dtype());
  view.impl()->quantizer = impl()->quantizer;
  view.impl()->requires_grad = impl()->requires_grad;
  return view;
}

Tensor Tensor::alias() const {
  defined_impl(*this);
  Tensor view = make(storage(), sizes(), strides(), storage_offset(), dtype());
  view.impl()->quantizer = impl()->quantizer;
  view.impl()->requires_grad = impl()->requires_grad;
  return view;
}

const Quantizer& Tensor::quantizer() const {
  defined_impl(*this);
  WICK_CHECK(impl()->quantizer, kInvalidArgument, "expected a quantized tensor, got ", name_of(dtype()));
  return *impl()->quantizer;
}

}  // namespace wick
