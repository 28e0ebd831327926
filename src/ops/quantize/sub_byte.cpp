// Packing and unpacking quantized tensors of four and two bits.
#include "ops/quantize/sub_byte.h"

#include <algorithm>
#include <cstring>

#include "core/check.h"
#include "core/copy.h"
#include "core/tensor_impl.h"

namespace wick::ops {

namespace {

int bits_of(DType dtype) { return dtype == DType::kQUInt4x2 ? 4 : 2; }

// A contiguous tensor of the same sizes and parameters; its bytes are zero.
Tensor like(const Tensor& t, DType dtype) {
  Tensor out = Tensor::empty(t.sizes(), dtype);
  out.impl()->quantizer = t.impl()->quantizer;
  if (out.numel() > 0) std::memset(out.raw_data(), 0, out.nbytes());
  return out;
}

const uint8_t* bytes_of(const Tensor& packed) {
  WICK_CHECK(packed.is_contiguous(), kUnsupported, "a ", name_of(packed.dtype()), " tensor should be contiguous");
  return static_cast<const uint8_t*>(packed.raw_data());
}

}  // namespace

Tensor pack_sub_byte(const Tensor& wide, DType dtype) {
  const int bits = bits_of(dtype), per_byte = 8 / bits, most = (1 << bits) - 1;
  const Tensor x = contiguous(wide);
  Tensor out = like(x, dtype);
  const auto* from = static_cast<const uint8_t*>(x.raw_data());
  auto* to = static_cast<uint8_t*>(out.raw_data());
  for (int64_t i = 0, count = x.numel(); i < count; ++i) {
    const int level = std::min<int>(from[i], most);
    to[i / per_byte] = static_cast<uint8_t>(to[i / per_byte] | level << (i % per_byte * bits));
  }
  return out;
}

Tensor unpack_sub_byte(const Tensor& packed) {
  const int bits = bits_of(packed.dtype()), per_byte = 8 / bits, most = (1 << bits) - 1;
  const uint8_t* from = bytes_of(packed);
  Tensor out = like(packed, DType::kQUInt8);
  auto* to = static_cast<uint8_t*>(out.raw_data());
  for (int64_t i = 0, count = out.numel(); i < count; ++i) {
    to[i] = static_cast<uint8_t>(from[i / per_byte] >> (i % per_byte * bits) & most);
  }
  return out;
}

Tensor sub_byte_ints(const Tensor& packed) {
  const int64_t per_byte = 8 / bits_of(packed.dtype());
  const uint8_t* from = bytes_of(packed);
  Tensor out = Tensor::empty({packed.numel() / per_byte + (packed.numel() % per_byte != 0)}, DType::kByte);
  if (out.numel() > 0) std::memcpy(out.raw_data(), from, out.nbytes());
  return out;
}

}  // namespace wick::ops
