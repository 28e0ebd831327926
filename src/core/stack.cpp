// The bounds of the current thread's stack, asked of the system once a thread.
#include "core/stack.h"

#include <cstdint>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <intrin.h>
#include <windows.h>
#elif defined(__APPLE__) || defined(__linux__)
#include <pthread.h>
#endif

#include "core/check.h"

namespace wick {
namespace {

// Addresses of one thread's stack, which grows downward; size 0: not asked yet.
struct Stack {
  uintptr_t low = 0;
  uintptr_t size = 0;
};
constinit thread_local Stack t_stack;

Stack ask_system() noexcept {
#if defined(_WIN32)
  ULONG_PTR low, high;
  GetCurrentThreadStackLimits(&low, &high);
  return {low, high - low};
#elif defined(__APPLE__)
  const pthread_t self = pthread_self();
  const size_t size = pthread_get_stacksize_np(self);
  return {reinterpret_cast<uintptr_t>(pthread_get_stackaddr_np(self)) - size, size};
#elif defined(__linux__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void* low = nullptr;
    size_t size = 0;
    const bool known = pthread_attr_getstack(&attributes, &low, &size) == 0;
    pthread_attr_destroy(&attributes);
    if (known && size > 0) return {reinterpret_cast<uintptr_t>(low), size};
  }
#endif
  return {UINTPTR_MAX, 1};  // no address lies in it
}

uintptr_t here() noexcept {
#if defined(_MSC_VER)
  return reinterpret_cast<uintptr_t>(_AddressOfReturnAddress());
#else
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
#endif
}

}  // namespace

void check_stack(const char* what, size_t reserve) {
  Stack& stack = t_stack;
  if (stack.size == 0) stack = ask_system();
  const uintptr_t left = here() - stack.low;  // wraps around outside of the stack
  WICK_CHECK(left >= reserve || left >= stack.size, kLimitExceeded, what,
             " are nested too deeply for the stack of this thread, which has ", stack.size,
             " bytes; run the model on a thread with a larger one");
}

}  // namespace wick
