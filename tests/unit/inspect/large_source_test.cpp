// Showing the graph of a large model takes time in proportion to its source: lines are looked up, not counted again for
// every node.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>

#include "archive/source_range.h"
#include "fuzz/program_maker.h"
#include "wick/inspect.h"
#include "wick/module.h"

namespace wick {
namespace {

// `lines` statements, with so much text between them that counting lines would be all the work.
std::string source_of(int lines) {
  std::string text =
      "class M(Module):\n"
      "  __parameters__ = []\n"
      "  __buffers__ = []\n"
      "  training : bool\n"
      "  kept : Any\n"
      "  items : List[Any]\n"
      "  table : Dict[str, Any]\n"
      "  count : int\n"
      "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n";
  const std::string comment = "  # " + std::string(400, '.') + "\n";
  for (int i = 0; i < lines; ++i) text += "    x = torch.relu(x)" + comment;
  return text + "    return x\n";
}

// Processor time of the call, the least of a few: a busy machine counts less than by the clock.
template <class Call>
double work_of(const Call& call) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    call();
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

constexpr int kFew = 2000, kTimes = 4;

// Counting the lines before each place would be kTimes * kTimes as much work for kTimes as many lines.
void expect_in_proportion(double of_few, double of_many) { EXPECT_LT(of_many, 2 * kTimes * of_few); }

TEST(LargeSource, GraphsAreShownInProportion) {
  const Module few = load(fuzz::module_file(source_of(kFew))), many = load(fuzz::module_file(source_of(kFew * kTimes)));
  std::string text;
  const double of_few = work_of([&] { text = graph_text(few); });
  EXPECT_NE(text.find("__torch__.py:2000"), std::string::npos) << "the graph does not say where its nodes are from";
  expect_in_proportion(of_few, work_of([&] { graph_text(many); }));
  const double places_of_few = work_of([&] { method_graph(few); });
  expect_in_proportion(places_of_few, work_of([&] { method_graph(many); }));
}

// The debug records of bytecode.
TEST(LargeSource, PlacesInTextsAreFoundInProportion) {
  const auto describe_all = [](int lines) {
    const std::string text = source_of(lines);
    const IValue source = IValue::tuple({IValue(text), IValue("model.py"), IValue(0)});
    SourceTexts texts;
    std::string last;
    for (int i = 0; i < lines; ++i) {
      const auto begin = static_cast<int64_t>(text.size() / static_cast<size_t>(lines) * static_cast<size_t>(i));
      SourceRange range;
      range.range = IValue::tuple({source, IValue(begin), IValue(begin + 1)});
      last = texts.describe(range);
    }
    EXPECT_NE(last.find("model.py:" + std::to_string(lines + 8)), std::string::npos) << last;
  };
  expect_in_proportion(work_of([&] { describe_all(kFew); }), work_of([&] { describe_all(kFew * kTimes); }));
}

}  // namespace
}  // namespace wick
