// Appends the instructions of a protocol-2 pickle.
#include "archive/write_pickle.h"

#include <bit>

#include "core/check.h"

namespace wick {

PickleWriter::PickleWriter() : out_{0x80, 2} {}

void PickleWriter::little_endian(uint64_t v, size_t n) {
  for (size_t i = 0; i < n; ++i) op(static_cast<uint8_t>(v >> (8 * i)));
}

void PickleWriter::integer(int64_t v) {
  const uint64_t bits = static_cast<uint64_t>(v);
  if (v >= 0 && v <= 0xff) {
    op('K');
    little_endian(bits, 1);
  } else if (v >= 0 && v <= 0xffff) {
    op('M');
    little_endian(bits, 2);
  } else if (v >= INT32_MIN && v <= INT32_MAX) {
    op('J');
    little_endian(bits, 4);
  } else {
    op(0x8a);
    op(8);
    little_endian(bits, 8);
  }
}

void PickleWriter::floating(double v) {
  const auto bits = std::bit_cast<uint64_t>(v);
  op('G');
  for (int shift = 56; shift >= 0; shift -= 8) op(static_cast<uint8_t>(bits >> shift));
}

void PickleWriter::complex(std::complex<double> v) {
  global("builtins", "complex");
  mark();
  floating(v.real());
  floating(v.imag());
  tuple();
  reduce();
}

void PickleWriter::text(std::string_view v) {
  WICK_CHECK(v.size() <= UINT32_MAX, kUnsupported, "a string of ", v.size(), " bytes is too long to be saved");
  op('X');
  little_endian(v.size(), 4);
  out_.insert(out_.end(), v.begin(), v.end());
}

uint32_t PickleWriter::put() {
  const uint32_t memo = next_memo_++;
  op(memo <= 0xff ? 'q' : 'r');
  little_endian(memo, memo <= 0xff ? 1 : 4);
  return memo;
}

void PickleWriter::get(uint32_t memo) {
  op(memo <= 0xff ? 'h' : 'j');
  little_endian(memo, memo <= 0xff ? 1 : 4);
}

bool PickleWriter::recall(const std::string& what) {
  const auto it = known_.find(what);
  if (it == known_.end()) return false;
  get(it->second);
  return true;
}

void PickleWriter::global(std::string_view module, std::string_view name) {
  const std::string lines = cat(module, "\n", name, "\n");
  if (recall(lines)) return;
  op('c');
  out_.insert(out_.end(), lines.begin(), lines.end());
  known_[lines] = put();
}

void PickleWriter::shared_text(std::string_view v) {
  const std::string key(v);
  if (recall(key)) return;
  text(v);
  known_[key] = put();
}

}  // namespace wick
