// The embedded shaders: an archive (tar, gzip) of files named after them.
#include "gpu/shaders.h"

#include <zlib.h>

#include <cstring>
#include <string>

#include "core/check.h"

namespace wick::gpu {

extern const uint8_t k_shaders[];
extern const size_t k_shaders_size;

namespace {

constexpr size_t kTarBlock = 512, kTarSizeAt = 124, kTarSizeDigits = 11;

std::vector<uint8_t> unpacked() {
  uint32_t size = 0;  // the last word of the format
  std::memcpy(&size, k_shaders + k_shaders_size - 4, 4);
  std::vector<uint8_t> out(size);
  z_stream stream{};
  stream.next_in = const_cast<Bytef*>(k_shaders);
  stream.avail_in = static_cast<uInt>(k_shaders_size);
  stream.next_out = out.data();
  stream.avail_out = size;
  constexpr int kGzip = 31;
  int result = inflateInit2(&stream, kGzip);
  if (result == Z_OK) {
    result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
  }
  WICK_CHECK(result == Z_STREAM_END && stream.avail_out == 0, kInternal, "the embedded shaders can't be unpacked");
  return out;
}

}  // namespace

ShaderLibrary::ShaderLibrary() {
  constexpr Shader kAll[] = {
#define X(name) Shader::k_##name,
      WICK_SHADERS(X)
#undef X
  };
  const std::vector<uint8_t> archive = unpacked();
  for (size_t at = 0; at + kTarBlock <= archive.size() && archive[at] != 0;) {
    const char* header = reinterpret_cast<const char*>(archive.data() + at);
    const std::string name(header, strnlen(header, 100));
    const size_t size = std::stoul(std::string(header + kTarSizeAt, kTarSizeDigits), nullptr, 8);
    at += kTarBlock;
    WICK_CHECK(size <= archive.size() - at, kInternal, "the embedded shaders are cut off");
    for (const Shader shader : kAll) {
      for (const bool half : {false, true}) {
        if (name != cat(name_of(shader), half ? ".fp16" : ".fp32")) continue;
        std::vector<uint32_t>& code = code_[static_cast<size_t>(shader) * 2 + half];
        code.resize(size / 4);
        std::memcpy(code.data(), archive.data() + at, code.size() * 4);
      }
    }
    at += (size + kTarBlock - 1) / kTarBlock * kTarBlock;
  }
}

std::span<const uint32_t> ShaderLibrary::code_of(Shader shader, bool half) const {
  const std::vector<uint32_t>& code = code_[static_cast<size_t>(shader) * 2 + half];
  WICK_CHECK(!code.empty(), kInternal, "there is no shader ", name_of(shader));
  return code;
}

}  // namespace wick::gpu
