// The operator table as a whole: every line must be parseable, unique and agree with its C++ function.
#include <gtest/gtest.h>

#include <set>

#include "ops/op_entry.h"

namespace wick {
namespace {

TEST(OpTable, EverySchemaParsesAndMatchesItsFunction) {
  std::set<std::string> names;
  for (const OpEntry* entry : all_operator_entries()) {
    SCOPED_TRACE(entry->schema);
    FunctionSchema schema;
    ASSERT_NO_THROW(schema = parse_schema(entry->schema));
    EXPECT_TRUE(names.insert(schema.full_name()).second) << "listed twice";
    if (entry->arity >= 0) {
      EXPECT_FALSE(schema.is_vararg);
      EXPECT_EQ(static_cast<size_t>(entry->arity), schema.arguments.size());
    }
  }
  EXPECT_GT(names.size(), 100u);
}

TEST(OpTable, LookUp) {
  EXPECT_EQ(find_operator("aten::no_such_operator"), nullptr);
  EXPECT_EQ(find_operator(""), nullptr);
  const Operator* add = find_operator("aten::add", "Tensor");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(add, find_operator("aten::add.Tensor"));
  EXPECT_EQ(add->schema.arguments.size(), 3u);
}

TEST(OpTable, MissingArgumentsTakeDefaults) {
  const Tensor x = Tensor::scalar(2.0, DType::kFloat);
  const std::vector<IValue> sum = call_operator("aten::add.Tensor", {x, x});
  EXPECT_EQ(sum.at(0).to_tensor().item().to_double(), 4.0);
  EXPECT_THROW(call_operator("aten::add.Tensor", {x}), Error);
  EXPECT_THROW(call_operator("aten::add.Tensor", {x, x, 1, 1}), Error);
}

}  // namespace
}  // namespace wick
