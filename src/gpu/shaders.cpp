// The table of embedded shaders.
#include "gpu/shaders.h"

namespace wick::gpu {

#define X(name)                             \
  extern const uint32_t k_##name##_fp32[];  \
  extern const size_t k_##name##_fp32_size; \
  extern const uint32_t k_##name##_fp16[];  \
  extern const size_t k_##name##_fp16_size;
WICK_SHADERS(X)
#undef X

const char* name_of(Shader shader) {
  switch (shader) {
#define X(name)          \
  case Shader::k_##name: \
    return #name;
    WICK_SHADERS(X)
#undef X
  }
  return "";
}

std::span<const uint32_t> code_of(Shader shader, bool half) {
  switch (shader) {
#define X(name)                                                                    \
  case Shader::k_##name:                                                           \
    return half ? std::span<const uint32_t>(k_##name##_fp16, k_##name##_fp16_size) \
                : std::span<const uint32_t>(k_##name##_fp32, k_##name##_fp32_size);
    WICK_SHADERS(X)
#undef X
  }
  return {};
}

}  // namespace wick::gpu
