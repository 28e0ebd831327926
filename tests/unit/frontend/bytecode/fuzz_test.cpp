// Seeded damage: random bytecode, and fixture files with bytes flipped or cut off.
#include <fstream>
#include <iterator>
#include <random>

#include "fuzz/fuzz_verifier_input.h"
#include "unit/frontend/bytecode/fixtures.h"

namespace wick::test {
namespace {

std::vector<uint8_t> file_bytes(const std::string& file) {
  std::ifstream in(lite_path(file), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Loads, and runs nothing. Anything but wick::Error fails the test; kInternal is a defect too.
void load_damaged(const std::vector<uint8_t>& bytes, const std::string& what) {
  LoadOptions options;
  options.allow_missing_operators = true;
  try {
    auto program = load_source(ByteSource::copy_of(bytes), options);
    for (const auto& function : program->functions) ir::verify(*function);
  } catch (const Error& e) {
    EXPECT_NE(e.code(), ErrorCode::kInternal) << what << ": " << e.what();
  }
}

TEST(LiteFuzz, RandomBytecode) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::vector<uint8_t> bytes(random() % 160);
    for (uint8_t& b : bytes) b = static_cast<uint8_t>(random() % 4 == 0 ? random() : random() % 12);
    EXPECT_NO_THROW(fuzz::verify_bytes(bytes.data(), bytes.size()));
  }
}

TEST(LiteFuzz, FlippedBytes) {
  std::mt19937 random(2);
  for (const char* file : {"containers.ff", "stateful.ff", "aliases.ff", "stateful.ptl", "containers.ptl"}) {
    const std::vector<uint8_t> good = file_bytes(file);
    ASSERT_FALSE(good.empty());
    for (int round = 0; round < 400; ++round) {
      std::vector<uint8_t> bad = good;
      const size_t flips = 1 + random() % 3;
      for (size_t k = 0; k < flips; ++k) bad[random() % bad.size()] ^= static_cast<uint8_t>(1u << (random() % 8));
      load_damaged(bad, cat(file, " round ", round));
    }
  }
}

TEST(LiteFuzz, Truncations) {
  for (const char* file : {"containers.ff", "aliases.ff", "stateful.ptl"}) {
    const std::vector<uint8_t> good = file_bytes(file);
    for (size_t size = 8; size < good.size(); size += 61) {
      load_damaged({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}, cat(file, " cut at ", size));
    }
  }
}

}  // namespace
}  // namespace wick::test
