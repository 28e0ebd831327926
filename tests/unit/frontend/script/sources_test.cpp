// Where code comes from, told of many nodes at the cost of reading the text and its debug record once.
#include "frontend/script/sources.h"

#include <gtest/gtest.h>

namespace wick::script {
namespace {

// Counts what is read of it.
class CountedRecords : public CodeRecords {
 public:
  CountedRecords(std::string text, IValue debug, size_t& reads)
      : text_(std::move(text)), debug_(std::move(debug)), reads_(reads) {}
  std::optional<std::string> text(const std::string&) const override { return text_; }
  std::optional<IValue> debug(const std::string&) const override {
    ++reads_;
    return debug_;
  }

 private:
  std::string text_;
  IValue debug_;
  size_t& reads_;
};

// A debug record of ranges: one for each line of the code, in the lines of one original text.
IValue debug_record(size_t lines, size_t line_length, const std::string& original) {
  const IValue table = IValue::tuple({original, "model.py"});
  const IValue source = IValue::tuple({IValue::int_list({0}), 1, 10});
  std::vector<IValue> ranges;
  for (size_t i = 0; i < lines; ++i) {
    const IValue range = IValue::tuple({source, static_cast<int64_t>(i * 10), static_cast<int64_t>(i * 10 + 3)});
    ranges.push_back(IValue::tuple({static_cast<int64_t>(i * line_length), range, static_cast<int64_t>(i)}));
  }
  return IValue::tuple({"FORMAT_WITH_STRING_TABLE", table, IValue::tuple(std::move(ranges))});
}

TEST(Sources, DebugRecordsAreReadOnceForManyNodes) {
  constexpr size_t kLines = 20000;
  std::string text, original;
  for (size_t i = 0; i < kLines; ++i) {
    std::string line = "  x = torch.relu(x)";
    line.resize(49, ' ');
    text += line + "\n";
    std::string python = "x" + std::to_string(i);
    python.resize(9, '.');
    original += python + "\n";
  }
  size_t reads = 0;
  Sources sources(std::make_unique<CountedRecords>(text, debug_record(kLines, 50, original), reads));
  const SourceFile* file = sources.read("__torch__.m");
  ASSERT_TRUE(file);
  for (size_t i = 0; i < kLines; i += i < 100 ? 1 : 97) {
    const std::string told = sources.describe(file->handle({static_cast<uint32_t>(i * 50 + 7), 0}));
    const std::string line = std::to_string(i + 1), python = std::to_string(i + 11);
    EXPECT_EQ(told.substr(0, told.find(": ")), "  code/__torch__/m.py:" + line);
    EXPECT_NE(told.find("\n  model.py:" + python + ": x" + std::to_string(i) + "."), std::string::npos) << told;
  }
  EXPECT_EQ(reads, 1u);
}

TEST(Sources, ABadDebugRecordIsReadOnceToo) {
  size_t reads = 0;
  Sources sources(std::make_unique<CountedRecords>("x = 1\ny = 2\n", IValue(5), reads));
  const SourceFile* file = sources.read("__torch__.m");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(sources.describe(file->handle({6, 0})), "  code/__torch__/m.py:2: y = 2");
  EXPECT_EQ(reads, 1u);
}

}  // namespace
}  // namespace wick::script
