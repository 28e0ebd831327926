// How kernels use threads and scratch memory.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "kernels/cpu.h"

namespace wick::kernels {

// Threads a kernel may use. `run` calls the body over disjoint ranges that cover [0, tasks), and looks at the bounds of
// the work between them, if there are any; so it does for one thread.
struct Workers {
  using Body = RangeBody;
  int count = 1;
  void (*run)(int64_t tasks, const Body& body) = nullptr;  // null: on the calling thread

  void each(int64_t tasks, const Body& body) const {
    if (tasks <= 0) return;
    if (run == nullptr || tasks == 1) {
      body(0, tasks);
    } else {
      run(tasks, body);
    }
  }
};

// Uninitialized memory aligned to a cache line (64 bytes). Throws std::bad_alloc.
template <class T>
class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(size_t count) { allocate(count); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch(Scratch&& other) noexcept : data_(other.data_), size_(other.size_) {
    other.data_ = nullptr;
    other.size_ = 0;
  }
  Scratch& operator=(Scratch&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Scratch() { free(); }

  // Buffer for `count` elements, and up to an eighth more: users that need about the same do not leave holes behind in
  // the heap as it grows. What was there is lost.
  void reserve(size_t count) {
    if (count <= size_) return;
    free();
    data_ = nullptr;
    size_ = 0;
    const size_t step = std::bit_floor(count) / 8;
    allocate(step == 0 ? count : (count + step - 1) / step * step);
  }
  T* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kAlign = 64;
  void allocate(size_t count) {
    if (count == 0) return;
    if (count > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
    data_ = static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(kAlign)));
    size_ = count;
  }
  void free() {
    if (data_ != nullptr) ::operator delete(data_, std::align_val_t(kAlign));
  }
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace wick::kernels
