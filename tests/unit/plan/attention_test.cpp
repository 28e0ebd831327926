// Attention in plans: the forms programs write it in become one step, with the interpreter's results.
#include <gtest/gtest.h>

#include <cmath>

#include "core/copy.h"
#include "plan/planned.h"
#include "plan/profile.h"
#include "unit/frontend/script/run.h"

namespace wick::script {
namespace {

Tensor waves(IntVec sizes, float pace) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = std::sin(pace * static_cast<float>(i));
  return t;
}

// Bools, true for every `each`th element from the second on.
Tensor spots(IntVec sizes, int64_t each) {
  Tensor t = Tensor::empty(sizes, DType::kBool);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<bool>()[i] = i % each == 1;
  return t;
}

// Runs f plainly and twice planned; the plan must have `steps` steps named as an attention.
void expect_attention(const std::string& text, const std::vector<IValue>& args, int steps = 1) {
  SCOPED_TRACE(text);
  Text plain(text), planned(text);
  const Tensor want = plain.executor->run(plain.function("f"), args).to_tensor();
  for (int run = 0; run < 2; ++run) {
    plan::Profile profile;
    const plan::ProfileScope scope(profile);
    const Tensor got = planned.planner.run(planned.function("f"), args).to_tensor();
    ASSERT_EQ(got.sizes(), want.sizes());
    ASSERT_EQ(got.strides(), want.strides());
    int found = 0;
    for (const plan::StepTime& step : profile.steps) found += step.name.starts_with("attention") ? 1 : 0;
    EXPECT_EQ(found, steps);
    const Tensor a = Tensor::empty(want.sizes()), b = Tensor::empty(want.sizes());
    copy_into(a, got);
    copy_into(b, want);
    for (int64_t i = 0; i < a.numel(); ++i) {
      const float x = a.data<float>()[i], y = b.data<float>()[i];
      if (std::isnan(y)) {
        ASSERT_TRUE(std::isnan(x)) << i;
      } else {
        ASSERT_NEAR(x, y, 2e-6) << i;
      }
    }
  }
}

std::vector<IValue> projected(int64_t batch = 2, int64_t length = 9, int64_t width = 24) {
  return {waves({batch, length, width}, 0.7F), waves({batch, length, width}, 1.3F),
          waves({batch, length, width}, 2.1F)};
}

const char* const kHeads =
    "  q = torch.permute(torch.view(torch.mul(x, 2.), [2, 9, 4, 6]), [0, 2, 1, 3])\n"
    "  k = torch.permute(torch.view(torch.mul(y, 3.), [2, 9, 4, 6]), [0, 2, 1, 3])\n"
    "  v = torch.permute(torch.view(torch.mul(z, 2.), [2, 9, 4, 6]), [0, 2, 1, 3])\n";

TEST(PlanAttention, ProductsAndSoftmax) {
  expect_attention(std::string("def f(x: Tensor, y: Tensor, z: Tensor) -> Tensor:\n") + kHeads +
                       "  s = torch.div(torch.matmul(q, torch.transpose(k, -1, -2)), 2.4)\n"
                       "  c = torch.matmul(torch.softmax(s, -1), v)\n"
                       "  c = torch.contiguous(torch.permute(c, [0, 2, 1, 3]))\n"
                       "  return torch.neg(torch.view(c, [2, 9, 24]))\n",
                   projected());
}

TEST(PlanAttention, ResultInItsOwnOrder) {
  expect_attention(std::string("def f(x: Tensor, y: Tensor, z: Tensor) -> Tensor:\n") + kHeads +
                       "  s = torch.matmul(q, torch.transpose(k, 2, 3))\n"
                       "  return torch.matmul(torch.softmax(s, 3), v)\n",
                   projected());
}

TEST(PlanAttention, MaskThatIsAdded) {
  std::vector<IValue> args = projected();
  args.emplace_back(waves({2, 1, 1, 9}, 0.9F));
  expect_attention(std::string("def f(x: Tensor, y: Tensor, z: Tensor, m: Tensor) -> Tensor:\n") + kHeads +
                       "  s = torch.mul(torch.matmul(q, torch.transpose(k, -1, -2)), 0.3)\n"
                       "  p = torch.softmax(torch.add(s, m), -1)\n"
                       "  return torch.reshape(torch.transpose(torch.matmul(p, v), 1, 2), [2, 9, 24])\n",
                   args);
}

TEST(PlanAttention, MaskThatIsFilled) {
  std::vector<IValue> args = projected();
  args.emplace_back(spots({9, 9}, 3));
  expect_attention(std::string("def f(x: Tensor, y: Tensor, z: Tensor, m: Tensor) -> Tensor:\n") + kHeads +
                       "  s = torch.masked_fill(torch.matmul(q, torch.transpose(k, -1, -2)), m, -1e9)\n"
                       "  return torch.matmul(torch.softmax(s, -1), v)\n",
                   args);
}

TEST(PlanAttention, BatchesOfMatrices) {
  std::vector<IValue> args{waves({6, 5, 8}, 0.7F), waves({6, 7, 8}, 1.3F), waves({6, 7, 3}, 2.1F),
                           waves({6, 5, 7}, 0.4F)};
  expect_attention(
      "def f(q: Tensor, k: Tensor, v: Tensor, m: Tensor) -> Tensor:\n"
      "  s = torch.baddbmm(m, torch.div(q, 3.), torch.transpose(k, -2, -1))\n"
      "  return torch.bmm(torch.softmax(s, -1), v)\n",
      args);
}

TEST(PlanAttention, TheOperator) {
  const std::string head = std::string("def f(x: Tensor, y: Tensor, z: Tensor, m: Tensor) -> Tensor:\n") + kHeads;
  const std::string tail = "  return torch.reshape(torch.transpose(o, 1, 2), [2, 9, 24])\n";
  std::vector<IValue> args = projected();
  args.emplace_back(spots({9, 9}, 2));
  for (const char* call : {"q, k, v", "q, k, v, None, 0., True", "q, k, v, m", "q, k, v, None, 0., False, scale=0.4"}) {
    expect_attention(head + "  o = torch.scaled_dot_product_attention(" + call + ")\n" + tail, args);
  }
  // A query that sees nothing.
  args.back() = IValue(Tensor::zeros({2, 1, 9, 9}, DType::kBool));
  expect_attention(head + "  o = torch.scaled_dot_product_attention(q, k, v, m)\n" + tail, args);
}

TEST(PlanAttention, SharedHeads) {
  const std::vector<IValue> args{waves({1, 6, 5, 8}, 0.7F), waves({1, 2, 7, 8}, 1.3F), waves({1, 2, 7, 8}, 2.1F)};
  expect_attention(
      "def f(q: Tensor, k: Tensor, v: Tensor) -> Tensor:\n"
      "  return torch.scaled_dot_product_attention(q, k, v, None, 0., False, enable_gqa=True)\n",
      args);
}

TEST(PlanAttention, NotWhenTheWeightsAreWanted) {
  expect_attention(std::string("def f(x: Tensor, y: Tensor, z: Tensor) -> Tensor:\n") + kHeads +
                       "  p = torch.softmax(torch.matmul(q, torch.transpose(k, -1, -2)), -1)\n"
                       "  return torch.add(torch.matmul(p, v), torch.sum(p))\n",
                   projected(), 0);
}

}  // namespace
}  // namespace wick::script
