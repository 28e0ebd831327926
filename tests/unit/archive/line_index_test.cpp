// Lines of a text, looked up by offset.
#include "archive/line_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "archive/source_range.h"

namespace wick {
namespace {

TEST(LineIndex, AgreesWithCounting) {
  for (const std::string text : {"", "\n", "a", "a\n", "\n\nab\n  c\n", "one\ntwo\n\nthree"}) {
    const LineIndex lines(text);
    for (size_t offset = 0; offset <= text.size() + 2; ++offset) {
      SCOPED_TRACE(text + " " + std::to_string(offset));
      const size_t at = std::min(offset, text.size());
      const LineIndex::Line line = lines.at(offset);
      EXPECT_EQ(line.number,
                static_cast<size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')));
      EXPECT_EQ(line.begin, at == 0 ? 0 : text.rfind('\n', at - 1) + 1);
      EXPECT_EQ(line.end, std::min(text.find('\n', at), text.size()));
    }
  }
}

TEST(LineIndex, LongLinesAreCutOff) {
  const std::string text = "a\n    " + std::string(1000000, 'b');
  const std::string_view shown = shown_line(text, LineIndex(text).at(500000));
  EXPECT_LT(shown.size(), 1000u);
  EXPECT_EQ(shown.substr(0, 3), "bbb");
}

// Sources that list the same text again and again, each in a list of its own.
TEST(SourceTexts, AllTextsTogetherAreBounded) {
  const IValue table = IValue::tuple({std::string(size_t{1} << 21, 'x'), "f.py"});
  SourceTexts texts;
  std::vector<SourceRange> ranges(100);
  size_t told = 0;
  for (SourceRange& range : ranges) {
    range.strings = table;
    range.range = IValue::tuple({IValue::tuple({IValue::int_list({0, 0}), 1, 0}), 5, 6});
    told += texts.describe(range).empty() ? 0 : 1;
  }
  EXPECT_GE(told, 10u);
  EXPECT_LT(told, 20u);
  EXPECT_FALSE(texts.describe(ranges[0]).empty());
}

}  // namespace
}  // namespace wick
