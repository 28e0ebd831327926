// Takes the place of the program's allocator: of malloc itself, or, under a sanitizer that must keep it, of operator
// new.
#include "allocation/failing_allocator.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WICK_SANITIZED_ALLOCATOR 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WICK_SANITIZED_ALLOCATOR 1
#endif
#endif

namespace wick::test {
namespace {

// Constants when the program starts, which allocates before main.
std::atomic<int64_t> g_made{0}, g_live{0}, g_failed{0};
std::atomic<int64_t> g_first{INT64_MAX}, g_last{INT64_MAX};  // that fail, by number

bool may_have_memory() {
  const int64_t number = g_made.fetch_add(1, std::memory_order_relaxed);
  if (number < g_first.load(std::memory_order_relaxed) || number > g_last.load(std::memory_order_relaxed)) return true;
  g_failed.fetch_add(1, std::memory_order_relaxed);
  errno = ENOMEM;
  return false;
}

void* counted(void* memory) {
  if (memory != nullptr) g_live.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

void freed(const void* memory) {
  if (memory != nullptr) g_live.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace

int64_t allocations_made() { return g_made.load(); }
int64_t allocations_live() { return g_live.load(); }
int64_t allocations_failed() { return g_failed.load(); }

FailedAllocation::FailedAllocation(int64_t index, Failing mode) {
  const int64_t number = g_made.load() + index;
  g_last.store(mode == Failing::kOnce ? number : INT64_MAX);
  g_first.store(number);
}
FailedAllocation::~FailedAllocation() { g_first.store(INT64_MAX); }

}  // namespace wick::test

using wick::test::counted;
using wick::test::freed;
using wick::test::may_have_memory;

#ifndef WICK_SANITIZED_ALLOCATOR

// The C library's own, under the names it gives them for this purpose.
extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void* memory);

void* malloc(size_t bytes) { return may_have_memory() ? counted(__libc_malloc(bytes)) : nullptr; }
void* calloc(size_t count, size_t bytes) { return may_have_memory() ? counted(__libc_calloc(count, bytes)) : nullptr; }
void* realloc(void* memory, size_t bytes) {
  if (!may_have_memory()) return nullptr;
  void* moved = __libc_realloc(memory, bytes);
  if (moved != nullptr && memory == nullptr) counted(moved);
  if (moved == nullptr && bytes == 0) freed(memory);
  return moved;
}
void* memalign(size_t alignment, size_t bytes) {
  return may_have_memory() ? counted(__libc_memalign(alignment, bytes)) : nullptr;
}
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** out, size_t alignment, size_t bytes) {
  *out = memalign(alignment, bytes);
  return *out == nullptr ? ENOMEM : 0;
}
void free(void* memory) {
  freed(memory);
  __libc_free(memory);
}
}

#else

namespace {

void* memory_or_null(size_t bytes, size_t alignment) {
  if (!may_have_memory()) return nullptr;
  const size_t align = std::max(alignment, alignof(std::max_align_t));
  void* out = nullptr;
  return posix_memalign(&out, align, std::max<size_t>(bytes, 1)) == 0 ? counted(out) : nullptr;
}
void* memory(size_t bytes, size_t alignment) {
  void* out = memory_or_null(bytes, alignment);
  if (out == nullptr) throw std::bad_alloc();
  return out;
}
void give_back(void* memory) {
  freed(memory);
  std::free(memory);
}

}  // namespace

using std::align_val_t, std::nothrow_t;
void* operator new(size_t n) { return memory(n, 0); }
void* operator new[](size_t n) { return memory(n, 0); }
void* operator new(size_t n, align_val_t align) { return memory(n, static_cast<size_t>(align)); }
void* operator new[](size_t n, align_val_t align) { return memory(n, static_cast<size_t>(align)); }
void* operator new(size_t n, const nothrow_t&) noexcept { return memory_or_null(n, 0); }
void* operator new[](size_t n, const nothrow_t&) noexcept { return memory_or_null(n, 0); }
void* operator new(size_t n, align_val_t align, const nothrow_t&) noexcept {
  return memory_or_null(n, static_cast<size_t>(align));
}
void* operator new[](size_t n, align_val_t align, const nothrow_t&) noexcept {
  return memory_or_null(n, static_cast<size_t>(align));
}
void operator delete(void* p) noexcept { give_back(p); }
void operator delete[](void* p) noexcept { give_back(p); }
void operator delete(void* p, size_t) noexcept { give_back(p); }
void operator delete[](void* p, size_t) noexcept { give_back(p); }
void operator delete(void* p, align_val_t) noexcept { give_back(p); }
void operator delete[](void* p, align_val_t) noexcept { give_back(p); }
void operator delete(void* p, size_t, align_val_t) noexcept { give_back(p); }
void operator delete[](void* p, size_t, align_val_t) noexcept { give_back(p); }

#endif
