// Allocators of mobile applications. Wick plans the memory of a model itself: they may be made and guarded with, and
// change nothing.
#pragma once

namespace c10 {

class CPUCachingAllocator {
 public:
  virtual ~CPUCachingAllocator() = default;
};
inline CPUCachingAllocator* GetDefaultCPUCachingAllocator() {
  static CPUCachingAllocator standard;
  return &standard;
}
inline bool ThreadLocalCachingAllocatorEnabled() { return false; }
inline CPUCachingAllocator* GetThreadLocalCachingAllocator() { return nullptr; }
class WithCPUCachingAllocatorGuard {
 public:
  explicit WithCPUCachingAllocatorGuard(CPUCachingAllocator*) {}
  ~WithCPUCachingAllocatorGuard() {}
};

}  // namespace c10
