// Layout of the zip structures that containers use, and little-endian access to bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace wick::zip {

static_assert(std::endian::native == std::endian::little, "files are little-endian and are read in place");

inline constexpr uint32_t kLocalSignature = 0x04034b50;
inline constexpr uint32_t kDescriptorSignature = 0x08074b50;
inline constexpr uint32_t kCentralSignature = 0x02014b50;
inline constexpr uint32_t kEnd64Signature = 0x06064b50;
inline constexpr uint32_t kLocator64Signature = 0x07064b50;
inline constexpr uint32_t kEndSignature = 0x06054b50;

inline constexpr size_t kLocalSize = 30;
inline constexpr size_t kCentralSize = 46;
inline constexpr size_t kEnd64Size = 56;
inline constexpr size_t kLocator64Size = 20;
inline constexpr size_t kEndSize = 22;

inline constexpr uint16_t kFlagEncrypted = 1 << 0;
inline constexpr uint16_t kFlagDescriptor = 1 << 3;
inline constexpr uint16_t kFlagUtf8 = 1 << 11;

inline constexpr uint16_t kMethodStored = 0;
inline constexpr uint16_t kMethodDeflated = 8;

inline constexpr uint16_t kExtraZip64 = 0x0001;
inline constexpr uint32_t kSaturated32 = 0xffffffff;
inline constexpr uint16_t kSaturated16 = 0xffff;

template <class T>
T load(const uint8_t* p) {
  T v;
  std::memcpy(&v, p, sizeof(T));
  return v;
}
inline uint16_t u16(const uint8_t* p) { return load<uint16_t>(p); }
inline uint32_t u32(const uint8_t* p) { return load<uint32_t>(p); }
inline uint64_t u64(const uint8_t* p) { return load<uint64_t>(p); }

}  // namespace wick::zip
