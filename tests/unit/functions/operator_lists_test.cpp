// scripts/operator_lists.py reads the table as the compiler does.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/operator.h"

namespace wick {
namespace {

TEST(OperatorLists, EverySchemaOfTheTableIsRead) {
  std::ifstream file(WICK_GENERATED "/schemas.txt");
  std::vector<std::string> read;
  for (std::string line; std::getline(file, line);) read.push_back(line);
  std::vector<std::string> known;
  for (const std::string_view schema : all_operator_schemas()) known.emplace_back(schema);
  if (!find_operator("aten::linalg_svd")) {  // built without linear algebra
    std::erase_if(read, [&](const std::string& s) { return std::find(known.begin(), known.end(), s) == known.end(); });
  }
  std::sort(read.begin(), read.end());
  std::sort(known.begin(), known.end());
  EXPECT_EQ(read, known);
}

}  // namespace
}  // namespace wick
