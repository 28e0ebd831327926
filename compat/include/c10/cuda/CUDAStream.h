// Streams and guards of CUDA, which Wick does not have: they may be named in code that asks is_available() first.
#pragma once

#include <c10/core/Device.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/Optional.h>

namespace c10 {
namespace cuda {

class CUDAStream {
 public:
  explicit CUDAStream(Stream stream) : stream_(stream) {}
  Device device() const { return stream_.device(); }
  DeviceIndex device_index() const { return stream_.device_index(); }
  StreamId id() const { return stream_.id(); }
  void* stream() const { return nullptr; }
  operator void*() const { return nullptr; }
  void synchronize() const {}
  bool query() const { return true; }
  Stream unwrap() const { return stream_; }

 private:
  Stream stream_;
};
[[noreturn]] inline void no_cuda() {
  TORCH_CHECK(false, "PyTorch is not linked with support for cuda devices");
  throw;
}
inline CUDAStream getStreamFromPool(bool = false, DeviceIndex = -1) { no_cuda(); }
inline CUDAStream getCurrentCUDAStream(DeviceIndex = -1) { no_cuda(); }
inline CUDAStream getDefaultCUDAStream(DeviceIndex = -1) { no_cuda(); }
inline void setCurrentCUDAStream(CUDAStream) {}
inline DeviceIndex device_count() { return 0; }
inline DeviceIndex current_device() { no_cuda(); }
inline void set_device(DeviceIndex) { no_cuda(); }

class CUDAGuard {
 public:
  explicit CUDAGuard(DeviceIndex) { no_cuda(); }
  explicit CUDAGuard(Device) { no_cuda(); }
};
class CUDAStreamGuard {
 public:
  explicit CUDAStreamGuard(Stream) { no_cuda(); }
  explicit CUDAStreamGuard(CUDAStream) { no_cuda(); }
};
class OptionalCUDAStreamGuard {
 public:
  OptionalCUDAStreamGuard() = default;
  explicit OptionalCUDAStreamGuard(optional<Stream> s) {
    if (s) no_cuda();
  }
  void reset_stream(Stream) { no_cuda(); }
  optional<Stream> original_stream() const { return nullopt; }
  optional<Stream> current_stream() const { return nullopt; }
  void reset() {}
};
class CUDAMultiStreamGuard {
 public:
  explicit CUDAMultiStreamGuard(ArrayRef<CUDAStream>) { no_cuda(); }
};
class OptionalCUDAGuard {
 public:
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(optional<Device> d) {
    if (d) no_cuda();
  }
  explicit OptionalCUDAGuard(optional<DeviceIndex> d) {
    if (d) no_cuda();
  }
  void set_device(Device) { no_cuda(); }
  void reset_device(Device) { no_cuda(); }
  void set_index(DeviceIndex) { no_cuda(); }
  optional<Device> original_device() const { return nullopt; }
  optional<Device> current_device() const { return nullopt; }
  void reset() {}
};
inline void device_synchronize() { no_cuda(); }
inline DeviceIndex device_count_ensure_non_zero() { no_cuda(); }
namespace CUDACachingAllocator {
inline void emptyCache() {}
}  // namespace CUDACachingAllocator

}  // namespace cuda
}  // namespace c10

namespace at {
namespace cuda {
using namespace c10::cuda;
inline bool is_available() { return false; }
inline int64_t getNumGPUs() { return 0; }
// One that was never recorded: there is nothing to wait for.
class CUDAEvent {
 public:
  CUDAEvent() noexcept = default;
  explicit CUDAEvent(unsigned int) noexcept {}
  bool isCreated() const { return false; }
  c10::optional<c10::Device> device() const { return c10::nullopt; }
  bool query() const { return true; }
  void synchronize() const {}
  void record() { no_cuda(); }
  void record(const CUDAStream&) { no_cuda(); }
  void recordOnce(const CUDAStream&) { no_cuda(); }
  void block(const CUDAStream&) {}
  float elapsed_time(const CUDAEvent&) const { no_cuda(); }
};
}  // namespace cuda
}  // namespace at
