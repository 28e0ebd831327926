// at::Context: what the library can do and how it is set up.
#pragma once

#include <ATen/core/Generator.h>
#include <c10/core/Device.h>

namespace at {

enum class Float32MatmulPrecision { HIGHEST, HIGH, MEDIUM };
class Context {
 public:
  const std::vector<c10::QEngine>& supportedQEngines() const;
  c10::QEngine qEngine() const;
  void setQEngine(c10::QEngine e);
  static bool hasCUDA() { return false; }
  static bool hasCuDNN() { return false; }
  static bool hasCUDART() { return false; }
  static bool hasHIP() { return false; }
  static bool hasXLA() { return false; }
  static bool hasMPS() { return false; }
  static bool hasMKL() { return false; }
  static bool hasMKLDNN() { return false; }
  static bool hasLAPACK() { return true; }
  static bool hasOpenMP() { return false; }
  static bool isXNNPACKAvailable() { return true; }
  // Settings of libraries that Wick does not use; remembered by none.
  bool userEnabledCuDNN() const { return false; }
  void setUserEnabledCuDNN(bool) {}
  bool userEnabledMkldnn() const { return false; }
  void setUserEnabledMkldnn(bool) {}
  bool benchmarkCuDNN() const { return false; }
  void setBenchmarkCuDNN(bool) {}
  bool deterministicCuDNN() const { return false; }
  void setDeterministicCuDNN(bool) {}
  bool allowTF32CuDNN() const { return false; }
  void setAllowTF32CuDNN(bool) {}
  bool allowTF32CuBLAS() const { return false; }
  void setAllowTF32CuBLAS(bool) {}
  bool deterministicAlgorithms() const { return true; }
  void setDeterministicAlgorithms(bool, bool = false) {}
  bool setFlushDenormal(bool) { return false; }
  bool releaseWeightsWhenPrepacking() const { return false; }
  void setReleaseWeightsWhenPrepacking(bool) {}
  void lazyInitCUDA() { TORCH_CHECK(false, "Cannot initialize CUDA without ATen_cuda library."); }
  // Products are computed with all the bits of float, which every value allows.
  Float32MatmulPrecision float32MatmulPrecision() const { return precision_; }
  void setFloat32MatmulPrecision(Float32MatmulPrecision p) { precision_ = p; }
  void setFloat32MatmulPrecision(const std::string& s) {
    TORCH_CHECK(s == "highest" || s == "high" || s == "medium", s, " is not one of 'highest', 'high', or 'medium'");
    precision_ = s == "highest" ? Float32MatmulPrecision::HIGHEST
                 : s == "high"  ? Float32MatmulPrecision::HIGH
                                : Float32MatmulPrecision::MEDIUM;
  }
  const Generator& defaultGenerator(c10::Device) { return detail::getDefaultCPUGenerator(); }
  c10::Device getDeviceFromPtr(void*, c10::DeviceType t) { return c10::Device(t); }

 private:
  Float32MatmulPrecision precision_ = Float32MatmulPrecision::HIGHEST;
};
Context& globalContext();
inline void init() {}
inline bool hasCUDA() { return false; }
inline bool hasHIP() { return false; }
inline bool hasXLA() { return false; }
inline bool hasMPS() { return false; }
inline bool hasIPU() { return false; }
inline bool hasORT() { return false; }
inline bool hasMKL() { return false; }
inline bool hasOpenMP() { return false; }
// Mixed precision on demand of the program: nothing is converted, so that it is never on.
namespace autocast {
inline bool is_enabled() { return false; }
inline void set_enabled(bool) {}
inline bool is_cpu_enabled() { return false; }
inline void set_cpu_enabled(bool) {}
inline void clear_cache() {}
inline int increment_nesting() { return 1; }
inline int decrement_nesting() { return 0; }
inline bool is_autocast_cache_enabled() { return false; }
inline void set_autocast_cache_enabled(bool) {}
}  // namespace autocast
inline bool hasLAPACK() { return true; }
inline bool hasMAGMA() { return false; }
inline bool hasMKLDNN() { return false; }
inline bool is_vulkan_available() { return false; }
inline size_t getNumGPUs() { return 0; }

}  // namespace at
