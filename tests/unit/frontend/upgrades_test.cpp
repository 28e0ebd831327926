// Operators whose meaning changed: the list that selective builds go by.
#include "frontend/upgrades.h"

#include <gtest/gtest.h>

#include <set>

#include "core/operator.h"

namespace wick {
namespace {

constexpr int64_t kNewestVersion = 10;

TEST(Upgrades, TheListHasEveryOperatorWhoseCallsChange) {
  std::set<std::string> upgraded;
  for (const std::string_view text : all_operator_schemas()) {
    const FunctionSchema schema = parse_schema(std::string(text));
    for (int64_t version = 0; version <= kNewestVersion; ++version) {
      if (is_upgraded(schema, version)) upgraded.insert(schema.name);
    }
  }
  upgraded.insert("aten::gelu");  // by the reader of bytecode alone
  EXPECT_EQ(upgraded, std::set<std::string>(std::begin(kUpgradedOperators), std::end(kUpgradedOperators)));
  EXPECT_TRUE(kHasUpgrades);
}

}  // namespace
}  // namespace wick
