// Whatever loads can be saved, or is refused: damaged models, and models saved and damaged again.
#include <fstream>
#include <iterator>
#include <random>

#include "api/module_access.h"
#include "core/check.h"
#include "unit/frontend/bytecode/fixtures.h"
#include "wick/save.h"

namespace wick::test {
namespace {

std::vector<uint8_t> file_bytes(const std::string& file) {
  std::ifstream in(lite_path(file), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// What was loaded is written in every form; what was written loads. Anything but wick::Error fails the test.
size_t save_damaged(const std::vector<uint8_t>& bytes, bool keep_archive, const std::string& what) {
  std::shared_ptr<ir::Program> program;
  try {
    program = program_of(load(bytes));
  } catch (const Error&) {
    return 0;
  }
  if (!keep_archive) program->archive = nullptr;
  for (int64_t version : {4, 6, 8}) {
    SaveOptions options;
    options.bytecode_version = version;
    try {
      load(save_lite(make_module(program), options));
    } catch (const Error& e) {
      EXPECT_NE(e.code(), ErrorCode::kInternal) << what << ": " << e.what();
    }
  }
  try {
    load(save_torchscript(make_module(program)));
  } catch (const Error& e) {
    EXPECT_NE(e.code(), ErrorCode::kInternal) << what << ": " << e.what();
  }
  return 1;
}

TEST(SaveFuzz, FlippedBytes) {
  std::mt19937 random(3);
  size_t loaded = 0;
  for (const char* file : {"containers.ff", "stateful.ff", "aliases.ff", "language.ff", "stateful.ptl",
                           "containers.ptl", "control_flow.ptl", "enums.ptl", "named_tuples.ptl", "failing.ptl"}) {
    const std::vector<uint8_t> good = file_bytes(file);
    ASSERT_FALSE(good.empty());
    for (int round = 0; round < 120; ++round) {
      std::vector<uint8_t> bad = good;
      const size_t flips = 1 + random() % 3;
      for (size_t k = 0; k < flips; ++k) bad[random() % bad.size()] ^= static_cast<uint8_t>(1u << (random() % 8));
      loaded += save_damaged(bad, round % 2 == 0, cat(file, " round ", round));
    }
  }
  EXPECT_GT(loaded, 100u);
}

}  // namespace
}  // namespace wick::test
