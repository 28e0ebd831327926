// Seeded damage to printed code: tokens and lines taken out, doubled or exchanged, bytes flipped.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "fuzz/fuzz_script_input.h"

namespace wick::script {
namespace {

std::vector<std::string> seeds() {
  const std::filesystem::path folder = std::filesystem::path(WICK_TEST_DATA) / ".." / "fuzz" / "seeds" / "fuzz_script";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> out;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return out;
}

// Words, numbers, blanks and single characters.
std::vector<std::string> pieces(const std::string& text) {
  const auto kind = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? 1 : c == ' ' ? 2 : 0;
  };
  std::vector<std::string> out;
  for (char c : text) {
    if (!out.empty() && kind(c) != 0 && kind(out.back().back()) == kind(c)) {
      out.back() += c;
    } else {
      out.emplace_back(1, c);
    }
  }
  return out;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += part;
  return out;
}

TEST(ScriptFuzz, SeedsAreLowered) {
  for (const std::string& text : seeds()) EXPECT_EQ(fuzz::check_code(text), "") << text;
}

TEST(ScriptFuzz, DamagedTokens) {
  std::mt19937 random(1);
  for (const std::string& text : seeds()) {
    const std::vector<std::string> good = pieces(text);
    for (int round = 0; round < 60; ++round) {
      std::vector<std::string> bad = good;
      for (size_t k = 0; k < 1 + random() % 3; ++k) {
        const size_t at = random() % bad.size();
        switch (random() % 4) {
          case 0:
            bad.erase(bad.begin() + static_cast<std::ptrdiff_t>(at));
            break;
          case 1:
            bad.insert(bad.begin() + static_cast<std::ptrdiff_t>(at), bad[random() % bad.size()]);
            break;
          case 2:
            std::swap(bad[at], bad[random() % bad.size()]);
            break;
          default:
            bad[at] = bad[random() % bad.size()];
        }
      }
      const std::string code = joined(bad);
      EXPECT_EQ(fuzz::check_code(code), "") << code;
    }
  }
}

TEST(ScriptFuzz, DamagedBytes) {
  std::mt19937 random(2);
  for (const std::string& text : seeds()) {
    for (int round = 0; round < 20; ++round) {
      std::string bad = text;
      for (size_t k = 0; k < 1 + random() % 3; ++k) bad[random() % bad.size()] ^= static_cast<char>(1u << random() % 8);
      EXPECT_EQ(fuzz::check_code(bad), "") << bad;
      EXPECT_EQ(fuzz::check_code(text.substr(0, random() % text.size())), "");
    }
  }
}

}  // namespace
}  // namespace wick::script
