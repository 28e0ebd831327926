// Guessed inputs: bounded in number and size, whatever the file declares.
#include "passes/sample_inputs.h"

#include <gtest/gtest.h>

#include <string>

#include "unit/frontend/script/run.h"

namespace wick::passes {
namespace {

std::optional<SampleInputs> samples_of(const std::string& arguments, const std::string& result) {
  script::Text text(
      "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n"
      "  def forward(self: __torch__.M" +
      arguments + ") -> Tensor:\n    return " + result + "\n");
  script::module_of(text);
  return sample_inputs(*text.program, *text.program, "forward", 1);
}

TEST(SampleInputs, AreFound) {
  const auto found = samples_of(", x: List[Tensor], n: int", "torch.cat(x)");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->arguments.size(), 2u);
}

// Two items a list: 2^40 tensors.
TEST(SampleInputs, OfListsInLists) {
  std::string type = "Tensor";
  for (int i = 0; i < 40; ++i) type = "List[" + type + "]";
  EXPECT_FALSE(samples_of(", x: " + type, "torch.zeros([1])"));
}

TEST(SampleInputs, OfManyArguments) {
  std::string arguments;
  for (int i = 0; i < 2000; ++i) arguments += ", a" + std::to_string(i) + ": Tensor";
  const auto found = samples_of(arguments, "torch.add(a0, a1999)");
  if (!found) return;
  int64_t elements = 0;
  for (const IValue& argument : found->arguments) elements += argument.to_tensor().numel();
  EXPECT_LT(elements, int64_t{1} << 26);
}

}  // namespace
}  // namespace wick::passes
