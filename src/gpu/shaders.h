// The shaders, as SPIR-V that the build embeds, packed (cmake/vulkan.cmake).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#ifdef WICK_SELECTION
#include "gpu_config.h"
#endif

namespace wick::gpu {

// clang-format off
#define WICK_SHADERS(X)                                                                                             \
  X(add_parts) X(arg_reduce) X(attention) X(attention_matrix) X(conv) X(convert) X(copy) X(depthwise) X(gather)      \
  X(gemm) X(gemm_matrix) X(gemv) X(matmul) X(norm) X(pad) X(pointwise) X(pointwise_all) X(pool) X(reduce) X(resize)  \
  X(rnn) X(scan) X(softmax)
// clang-format on

enum class Shader : uint8_t {
#define X(name) k_##name,
  WICK_SHADERS(X)
#undef X
};

constexpr const char* name_of(Shader shader) {
  switch (shader) {
#define X(name)          \
  case Shader::k_##name: \
    return #name;
    WICK_SHADERS(X)
#undef X
  }
  return "";
}
// Selective builds have those that their operators need.
constexpr bool has_shader(Shader shader) {
#ifdef WICK_SELECTION
  return std::find(std::begin(kShaders), std::end(kShaders), std::string_view(name_of(shader))) != std::end(kShaders);
#else
  (void)shader;
  return true;
#endif
}
// Whether its code that stores float16 has cooperative matrices.
inline bool has_matrices(Shader shader) {
  return shader == Shader::k_gemm_matrix || shader == Shader::k_attention_matrix;
}

// Their code, unpacked.
class ShaderLibrary {
 public:
  ShaderLibrary();
  // The code that stores elements as floats, or as float16 and computes in floats.
  std::span<const uint32_t> code_of(Shader shader, bool half) const;

 private:
  std::array<std::vector<uint32_t>, 128> code_;  // by shader, then precision
};

}  // namespace wick::gpu
