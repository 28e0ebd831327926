// c10::Storage, the memory of tensors, and c10::Allocator.
#include <ATen/ATen.h>

#include <cstdlib>

#include "bridge.h"
#include "core/tensor_impl.h"

namespace c10 {
using namespace wick_compat;

void* alloc_cpu(size_t nbytes) {
  constexpr size_t kAlignment = 64;
  if (nbytes == 0) return nullptr;
  void* data = nullptr;
  TORCH_CHECK(posix_memalign(&data, kAlignment, nbytes) == 0,
              "DefaultCPUAllocator: can't allocate memory: you tried to allocate ", nbytes, " bytes.");
  return data;
}
void free_cpu(void* data) { std::free(data); }

namespace {
struct CpuAllocator final : Allocator {
  DataPtr allocate(size_t n) const override {
    void* data = alloc_cpu(n);
    return {data, data, &free_cpu, Device(kCPU)};
  }
  DeleterFnPtr raw_deleter() const override { return &free_cpu; }
};
}  // namespace
Allocator* GetCPUAllocator() {
  static CpuAllocator allocator;
  return &allocator;
}
Allocator* GetDefaultCPUAllocator() { return GetCPUAllocator(); }
Allocator* GetAllocator(DeviceType type) {
  TORCH_CHECK(type == kCPU, "Allocator for ", type, " is not set.");
  return GetCPUAllocator();
}

Storage::Storage(use_byte_size_t, size_t size_bytes, DataPtr data_ptr, Allocator*, bool)
    : owner_(at::from_blob(
          data_ptr.get(), {static_cast<int64_t>(size_bytes)}, [data_ptr](void*) {}, at::kByte)) {}
Storage::Storage(use_byte_size_t, size_t size_bytes, Allocator*, bool)
    : owner_(at::empty({static_cast<int64_t>(size_bytes)}, at::kByte)) {}
void* Storage::data() const { return owner_.defined() ? w(owner_).impl()->storage->data() : nullptr; }
size_t Storage::nbytes() const { return owner_.defined() ? w(owner_).impl()->storage->nbytes() : 0; }
size_t Storage::use_count() const { return owner_.defined() ? w(owner_).impl()->storage->use_count() : 0; }

}  // namespace c10

namespace at {
using namespace wick_compat;

namespace detail {
std::vector<int64_t> defaultStrides(IntArrayRef sizes) {
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= std::max<int64_t>(sizes[d], 1);
  }
  return strides;
}
size_t computeStorageNbytes(IntArrayRef sizes, IntArrayRef strides, size_t itemsize, size_t storage_offset) {
  TORCH_CHECK(sizes.size() == strides.size(), "dimensionality of sizes (", sizes.size(),
              ") must match dimensionality of strides (", strides.size(), ")");
  bool overflow = false;
  size_t last = storage_offset;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return 0;
    TORCH_CHECK(sizes[d] > 0 && strides[d] >= 0, "sizes and strides must not be negative");
    size_t span = 0;
    overflow |= __builtin_mul_overflow(static_cast<size_t>(sizes[d] - 1), static_cast<size_t>(strides[d]), &span);
    overflow |= __builtin_add_overflow(last, span, &last);
  }
  size_t bytes = 0;
  overflow |= __builtin_add_overflow(last, size_t{1}, &last) || __builtin_mul_overflow(last, itemsize, &bytes);
  TORCH_CHECK(!overflow, "Storage size calculation overflowed with sizes=", sizes, " and strides=", strides);
  return bytes;
}
size_t computeStorageNbytesContiguous(IntArrayRef sizes, size_t itemsize, size_t storage_offset) {
  return computeStorageNbytes(sizes, defaultStrides(sizes), itemsize, storage_offset);
}
}  // namespace detail

Tensor& Tensor::set_(Storage source) const {
  const int64_t count = static_cast<int64_t>(source.nbytes() / itemsize());
  return set_(source, 0, {count}, {1});
}
Tensor& Tensor::set_(Storage source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride) const {
  TORCH_CHECK(source, "set_: the storage is empty");
  TORCH_CHECK(storage_offset >= 0, "Tensor: invalid storage offset ", storage_offset);
  const std::vector<int64_t> strides = stride.empty() ? detail::defaultStrides(size) : stride.vec();
  const size_t needed = detail::computeStorageNbytes(size, strides, itemsize(), static_cast<size_t>(storage_offset));
  TORCH_CHECK(needed <= source.nbytes(), "Trying to resize storage that is not resizable");
  TORCH_CHECK(!is_quantized() && w(*this).impl()->row_lengths == nullptr, "set_ is not implemented for such a tensor");
  wick::TensorImpl& to = *w(*this).impl();
  to.storage = w(source.owner_).impl()->storage;
  to.sizes = wick::IntVec(wick::IntSpan(size.data(), size.size()));
  to.strides = wick::IntVec(strides);
  to.offset = storage_offset;
  to.numel = 1;
  for (int64_t n : size) to.numel *= n;
  return const_cast<Tensor&>(*this);
}

}  // namespace at
