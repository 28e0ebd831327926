// c10::DataPtr and the allocator of the CPU's memory.
#pragma once

#include <cstddef>
#include <memory>

#include <c10/core/Device.h>

namespace c10 {

using DeleterFnPtr = void (*)(void*);

// A pointer, and what is called with its context when the last copy is gone.
class DataPtr {
 public:
  DataPtr() = default;
  explicit DataPtr(void* data) : data_(data) {}
  DataPtr(void* data, Device device) : data_(data), device_(device) {}
  DataPtr(void* data, void* context, DeleterFnPtr deleter, Device device) : data_(data), device_(device) {
    if (deleter) context_ = std::shared_ptr<void>(context, deleter);
  }
  void* get() const { return data_; }
  void* mutable_get() { return data_; }
  void* operator->() const { return data_; }
  operator bool() const { return data_ != nullptr || context_; }
  void* get_context() const { return context_.get(); }
  Device device() const { return device_; }
  void clear() { *this = DataPtr(); }

 private:
  void* data_ = nullptr;
  std::shared_ptr<void> context_;
  Device device_ = Device(kCPU);
};
inline bool operator==(const DataPtr& p, std::nullptr_t) { return !p; }
inline bool operator==(std::nullptr_t, const DataPtr& p) { return !p; }
inline bool operator!=(const DataPtr& p, std::nullptr_t) { return p; }
inline bool operator!=(std::nullptr_t, const DataPtr& p) { return p; }

// 64-byte aligned memory. alloc_cpu() throws c10::Error when there is none.
void* alloc_cpu(size_t nbytes);
void free_cpu(void* data);

struct Allocator {
  virtual ~Allocator() = default;
  virtual DataPtr allocate(size_t n) const = 0;
  virtual DeleterFnPtr raw_deleter() const { return nullptr; }
  void* raw_allocate(size_t n) { return alloc_cpu(n); }
  void raw_deallocate(void* data) { free_cpu(data); }
};
// The one there is. What Wick's own tensors take is not asked of it.
Allocator* GetCPUAllocator();
Allocator* GetDefaultCPUAllocator();
Allocator* GetAllocator(DeviceType type);  // throws for devices other than the CPU

}  // namespace c10

namespace at {
using c10::Allocator;
using c10::DataPtr;
}  // namespace at
