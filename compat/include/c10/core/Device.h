// Devices, layouts, memory formats, quantization schemes and engines, backends and streams.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

#include <c10/util/ArrayRef.h>

namespace c10 {

enum class DeviceType : int8_t {
  CPU = 0,
  CUDA = 1,
  MKLDNN = 2,
  OPENGL = 3,
  OPENCL = 4,
  IDEEP = 5,
  HIP = 6,
  FPGA = 7,
  ORT = 8,
  XLA = 9,
  Vulkan = 10,
  Metal = 11,
  XPU = 12,
  MPS = 13,
  Meta = 14,
  HPU = 15,
  VE = 16,
  Lazy = 17,
  IPU = 18,
  PrivateUse1 = 19,
  COMPILE_TIME_MAX_DEVICE_TYPES = 20,
};
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;
constexpr DeviceType kHIP = DeviceType::HIP;
constexpr DeviceType kFPGA = DeviceType::FPGA;
constexpr DeviceType kORT = DeviceType::ORT;
constexpr DeviceType kXLA = DeviceType::XLA;
constexpr DeviceType kMPS = DeviceType::MPS;
constexpr DeviceType kMeta = DeviceType::Meta;
constexpr DeviceType kVulkan = DeviceType::Vulkan;
constexpr DeviceType kMetal = DeviceType::Metal;
constexpr DeviceType kXPU = DeviceType::XPU;
constexpr DeviceType kHPU = DeviceType::HPU;
constexpr DeviceType kVE = DeviceType::VE;
constexpr DeviceType kLazy = DeviceType::Lazy;
constexpr DeviceType kIPU = DeviceType::IPU;
constexpr DeviceType kPrivateUse1 = DeviceType::PrivateUse1;
std::string DeviceTypeName(DeviceType type, bool lower_case = false);
inline std::ostream& operator<<(std::ostream& out, DeviceType type) { return out << DeviceTypeName(type, true); }

using DeviceIndex = int8_t;

struct Device final {
  using Type = DeviceType;
  Device() = default;
  Device(DeviceType type, DeviceIndex index = -1);
  Device(DeviceType type, int64_t index) : Device(type, static_cast<DeviceIndex>(index)) {}
  Device(DeviceType type, int index) : Device(type, static_cast<DeviceIndex>(index)) {}
  Device(const std::string& text);  // "cpu", "cuda:0"
  Device(const char* text) : Device(std::string(text)) {}

  bool operator==(const Device& o) const noexcept { return type_ == o.type_ && index_ == o.index_; }
  bool operator!=(const Device& o) const noexcept { return !(*this == o); }
  void set_index(DeviceIndex index) { index_ = index; }
  DeviceType type() const noexcept { return type_; }
  DeviceIndex index() const noexcept { return index_; }
  bool has_index() const noexcept { return index_ != -1; }
  bool is_cuda() const noexcept { return type_ == DeviceType::CUDA; }
  bool is_cpu() const noexcept { return type_ == DeviceType::CPU; }
  bool is_mps() const noexcept { return type_ == DeviceType::MPS; }
  bool is_hip() const noexcept { return type_ == DeviceType::HIP; }
  bool is_xpu() const noexcept { return type_ == DeviceType::XPU; }
  bool is_meta() const noexcept { return type_ == DeviceType::Meta; }
  bool is_vulkan() const noexcept { return type_ == DeviceType::Vulkan; }
  bool is_metal() const noexcept { return type_ == DeviceType::Metal; }
  bool supports_as_strided() const noexcept { return true; }
  std::string str() const;

 private:
  DeviceType type_ = DeviceType::CPU;
  DeviceIndex index_ = -1;
};
inline std::ostream& operator<<(std::ostream& out, const Device& d) { return out << d.str(); }

enum class Layout : int8_t { Strided, Sparse, SparseCsr, Mkldnn, SparseCsc, SparseBsr, SparseBsc, NumOptions };
constexpr Layout kStrided = Layout::Strided;
constexpr Layout kSparse = Layout::Sparse;
constexpr Layout kSparseCsr = Layout::SparseCsr;
constexpr Layout kMkldnn = Layout::Mkldnn;
inline std::ostream& operator<<(std::ostream& out, Layout l) {
  static const char* const kNames[] = {"Strided",   "Sparse",    "SparseCsr", "Mkldnn",
                                       "SparseCsc", "SparseBsr", "SparseBsc"};
  return out << kNames[static_cast<int>(l)];
}

enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d, NumOptions };
inline std::ostream& operator<<(std::ostream& out, MemoryFormat f) {
  static const char* const kNames[] = {"Contiguous", "Preserve", "ChannelsLast", "ChannelsLast3d"};
  return out << kNames[static_cast<int>(f)];
}
inline std::vector<int64_t> get_channels_last_strides_2d(IntArrayRef s) {
  TORCH_CHECK(s.size() == 3 || s.size() == 4, "ChannelsLast2d doesn't support size ", s.size());
  if (s.size() == 3) return {1, s[2] * s[0], s[0]};
  return {s[1] * s[2] * s[3], 1, s[3] * s[1], s[1]};
}
inline std::vector<int64_t> get_channels_last_strides_3d(IntArrayRef s) {
  TORCH_CHECK(s.size() == 4 || s.size() == 5, "ChannelsLast3d doesn't support size ", s.size());
  if (s.size() == 4) return {1, s[2] * s[3] * s[0], s[3] * s[0], s[0]};
  return {s[1] * s[2] * s[3] * s[4], 1, s[3] * s[4] * s[1], s[4] * s[1], s[1]};
}

enum class QScheme : uint8_t {
  PER_TENSOR_AFFINE = 0,
  PER_CHANNEL_AFFINE = 1,
  PER_TENSOR_SYMMETRIC = 2,
  PER_CHANNEL_SYMMETRIC = 3,
  PER_CHANNEL_AFFINE_FLOAT_QPARAMS = 4,
  COMPILE_TIME_NUM_QSCHEMES = 5,
};
constexpr QScheme kPerTensorAffine = QScheme::PER_TENSOR_AFFINE;
constexpr QScheme kPerChannelAffine = QScheme::PER_CHANNEL_AFFINE;
constexpr QScheme kPerTensorSymmetric = QScheme::PER_TENSOR_SYMMETRIC;
constexpr QScheme kPerChannelSymmetric = QScheme::PER_CHANNEL_SYMMETRIC;
constexpr QScheme kPerChannelAffineFloatQParams = QScheme::PER_CHANNEL_AFFINE_FLOAT_QPARAMS;
inline std::string toString(QScheme q) {
  static const char* const kNames[] = {"per_tensor_affine", "per_channel_affine", "per_tensor_symmetric",
                                       "per_channel_symmetric", "per_channel_affine_float_qparams"};
  return kNames[static_cast<int>(q)];
}

enum class QEngine : uint8_t { NoQEngine = 0, FBGEMM = 1, QNNPACK = 2, ONEDNN = 3, X86 = 4 };
constexpr QEngine kNoQEngine = QEngine::NoQEngine;
constexpr QEngine kFBGEMM = QEngine::FBGEMM;
constexpr QEngine kQNNPACK = QEngine::QNNPACK;
constexpr QEngine kONEDNN = QEngine::ONEDNN;
constexpr QEngine kX86 = QEngine::X86;
inline std::string toString(QEngine e) {
  static const char* const kNames[] = {"NoQEngine", "FBGEMM", "QNNPACK", "ONEDNN", "X86"};
  return static_cast<int>(e) < 5 ? kNames[static_cast<int>(e)] : "Unrecognized Quantized Engine";
}

enum class Backend {
  CPU,
  CUDA,
  HIP,
  VE,
  FPGA,
  IPU,
  XPU,
  SparseCPU,
  SparseCUDA,
  SparseCsrCPU,
  SparseCsrCUDA,
  SparseHIP,
  SparseVE,
  SparseXPU,
  ORT,
  XLA,
  Vulkan,
  Metal,
  Meta,
  QuantizedCPU,
  QuantizedCUDA,
  QuantizedXPU,
  Undefined,
  MkldnnCPU,
  MPS,
  HPU,
  Lazy,
  PrivateUse1,
  NumOptions
};
inline const char* toString(Backend b) {
  return b == Backend::CPU            ? "CPU"
         : b == Backend::QuantizedCPU ? "QuantizedCPU"
         : b == Backend::SparseCPU    ? "SparseCPU"
         : b == Backend::CUDA         ? "CUDA"
                                      : "UNKNOWN_BACKEND";
}

inline std::ostream& operator<<(std::ostream& out, Backend b) { return out << toString(b); }

using StreamId = int64_t;
// A queue of a device; the CPU has one.
class Stream final {
 public:
  enum Unsafe { UNSAFE };
  enum Default { DEFAULT };
  explicit Stream(Unsafe, Device device, StreamId id) : device_(device), id_(id) {}
  explicit Stream(Default, Device device) : device_(device) {}
  bool operator==(const Stream& o) const noexcept { return device_ == o.device_ && id_ == o.id_; }
  bool operator!=(const Stream& o) const noexcept { return !(*this == o); }
  Device device() const noexcept { return device_; }
  DeviceType device_type() const noexcept { return device_.type(); }
  DeviceIndex device_index() const noexcept { return device_.index(); }
  StreamId id() const noexcept { return id_; }
  bool query() const { return true; }
  void synchronize() const {}

 private:
  Device device_;
  StreamId id_ = 0;
};
inline std::ostream& operator<<(std::ostream& out, const Stream& s) {
  return out << "stream " << s.id() << " on device " << s.device();
}

// Sets the current device while it lives. Wick runs on the CPU alone, so there is nothing to switch.
class DeviceGuard {
 public:
  explicit DeviceGuard(Device) {}
};
class OptionalDeviceGuard {
 public:
  OptionalDeviceGuard() = default;
  explicit OptionalDeviceGuard(optional<Device>) {}
};
class StreamGuard {
 public:
  explicit StreamGuard(Stream) {}
};

}  // namespace c10

namespace std {
template <>
struct hash<c10::DeviceType> {
  size_t operator()(c10::DeviceType t) const { return static_cast<size_t>(t); }
};
template <>
struct hash<c10::Device> {
  size_t operator()(c10::Device d) const {
    return static_cast<size_t>(d.type()) << 8 | static_cast<uint8_t>(d.index());
  }
};
}  // namespace std
