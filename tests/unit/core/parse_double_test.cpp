// Decimal text as doubles without std::from_chars gives what it gives.
#include "core/parse_double.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

namespace wick {
namespace {

void expect_same(const std::string& text) {
  double expected = -1, found = -1;
  const char* first = text.data();
  const char* last = first + text.size();
  const auto right = parse_double(first, last, expected);
  const auto ours = parse_double_portably(first, last, found);
  EXPECT_EQ(ours.ec, right.ec) << text;
  EXPECT_EQ(ours.ptr - first, right.ptr - first) << text;
  EXPECT_EQ(std::bit_cast<uint64_t>(found), std::bit_cast<uint64_t>(expected)) << text;
}

TEST(ParseDouble, GrammarIsThatOfFromChars) {
  for (const char* text : {"",
                           "-",
                           "+1",
                           " 1",
                           "1",
                           "-1",
                           "1.",
                           "1.5",
                           ".5",
                           ".",
                           "-.5e3",
                           "1e",
                           "1e+",
                           "1e-",
                           "1e5",
                           "1E+05",
                           "1e-5x",
                           "0x10",
                           "1,5",
                           "1_000",
                           "1e5.5",
                           "00012",
                           "-0",
                           "-0.0",
                           "0e999",
                           "0.0e-9",
                           "inf",
                           "-INF",
                           "infinity",
                           "Infinit",
                           "nan",
                           "in",
                           "e5",
                           "1e309",
                           "-1e309",
                           "1e-400",
                           "-1e-400",
                           "4.9e-324",
                           "2.4e-324",
                           "2.5e-324",
                           "2.2250738585072011e-308",
                           "1.7976931348623157e308",
                           "1.7976931348623159e308",
                           "1)",
                           "2.5]",
                           "3 4"}) {
    expect_same(text);
  }
}

TEST(ParseDouble, EveryBitIsRight) {
  std::mt19937_64 random(7);
  char text[64];
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (value != value) continue;
    std::snprintf(text, sizeof text, i % 2 ? "%.17g" : "%.9g", value);
    expect_same(text);
  }
  // Halfway between two doubles, and a digit beside it, which only exact arithmetic decides.
  for (const char* tail : {"", "0", "1", "000000000000000000001"}) {
    expect_same(std::string("9007199254740993") + (*tail ? "." : "") + tail);
    expect_same(std::string("1.00000000000000011102230246251565404236316680908203125") + tail);
  }
  expect_same("0." + std::string(400, '0') + "1e400");
  expect_same(std::string(400, '9') + "e-399");
}

}  // namespace
}  // namespace wick
