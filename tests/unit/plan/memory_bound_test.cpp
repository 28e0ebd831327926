// Plans within a bound on the memory they keep.
#include <gtest/gtest.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "plan/memory/pack_cache.h"
#include "plan/profile.h"
#include "unit/frontend/script/run.h"

namespace wick::plan {
namespace {

Tensor filled(IntVec sizes, int seed) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) {
    t.data<float>()[i] = 0.25F * static_cast<float>((i * 7 + seed * 13) % 11 - 5) + 0.125F;
  }
  return t;
}

TEST(PlanMemory, CountsNoWeightsThatWerePackedForPlansThatAreGone) {
  script::Text text(
      "def f(x: Tensor) -> Tensor:\n"
      "  if torch.gt(torch.size(x, 0), 20):\n"
      "    y = torch.linear(x, CONSTANTS.c0, None)\n"
      "  else:\n"
      "    y = torch.linear(x, CONSTANTS.c1, None)\n"
      "  return torch.relu(y)\n",
      {IValue(Tensor::zeros({256, 256})), IValue(Tensor::zeros({256, 256}))});
  ir::Function& f = text.function("f");
  const auto is_planned = [&](int64_t rows) {
    Profile profile;
    {
      const ProfileScope scope(profile);
      text.planner.run(f, {IValue(Tensor::zeros({rows, 256}))});
    }
    return profile.regions == 1;
  };
  constexpr uint64_t kOne = 256 * 256 * sizeof(float);
  text.planner.set_max_memory(kOne + kOne / 2);  // the weights of one layer, and what is computed with them
  for (int i = 0; i < 3; ++i) {
    for (const int64_t rows : {32, 16}) {
      is_planned(rows);  // the weights of the other layer may stand in its way
      EXPECT_TRUE(is_planned(rows)) << rows << ", round " << i;
      EXPECT_TRUE(is_planned(rows)) << rows << ", round " << i;
    }
  }
  text.planner.set_max_memory(kOne / 2);
  EXPECT_FALSE(is_planned(32));
  EXPECT_FALSE(is_planned(32));
}

#if defined(__GLIBC__)
// Bytes of large pieces of memory that are in use; sanitizers do not count them.
size_t large_bytes() { return mallinfo2().hblkhd; }

bool counts_large_bytes() {
  const size_t before = large_bytes();
  const Tensor t = Tensor::empty({1 << 24});
  return large_bytes() - before >= t.nbytes();
}

// What other plans have computed in goes as well: their workspaces are no reason to keep it.
TEST(PlanMemory, GivesUpTheMemoryOfRunsOfPlansThatAreGone) {
  if (!counts_large_bytes()) GTEST_SKIP() << "memory is not counted";
  script::Text text(
      "def f(x: Tensor) -> Tensor:\n"
      "  y = torch.linear(torch.linear(x, CONSTANTS.c0, None), CONSTANTS.c1, None)\n"
      "  if torch.gt(torch.size(x, 0), 40000):\n"
      "    y = torch.sum(y)\n"
      "  return y\n",
      {IValue(Tensor::zeros({256, 4})), IValue(Tensor::zeros({256, 256}))});
  ir::Function& f = text.function("f");
  const auto run = [&](int64_t rows) { text.planner.run(f, {IValue(Tensor::zeros({rows, 4}))}); };
  constexpr uint64_t kMega = uint64_t{1} << 20;
  text.planner.set_max_memory(140 * kMega);
  const size_t before = large_bytes();
  for (int i = 0; i < 2; ++i) run(60000);  // 118 MB to compute in
  for (int i = 0; i < 2; ++i) run(100);    // in the same
  EXPECT_GT(large_bytes() - before, 100 * kMega);
  for (int i = 0; i < 2; ++i) run(39000);  // 39 MB for a result, and as much to compute in
  EXPECT_LT(large_bytes() - before, 100 * kMega);
}
#endif

// A weight-normed convolution computes its weights of constants: every recording would, and packed them again.
TEST(PlanMemory, WeightsThatAreComputedArePackedOnce) {
  script::Text text(
      "def f(x: Tensor) -> Tensor:\n"
      "  w = torch._weight_norm(CONSTANTS.c0, CONSTANTS.c1, 0)\n"
      "  y = torch.conv1d(x, w, CONSTANTS.c2, [1], [1], [1], 1)\n"
      "  return torch.conv1d(torch.relu(y), torch.mul(w, 0.5), None, [1], [1], [1], 1)\n",
      {IValue(filled({16, 16, 3}, 1)), IValue(filled({16, 1, 1}, 2)), IValue(filled({16}, 3))});
  ir::Function& f = text.function("f");
  const auto packed_at = [&](int64_t length) {
    const Tensor x = filled({1, 16, length}, 4);
    const Tensor want = text.executor->run(f, {IValue(x)}).to_tensor();
    Profile profile;
    const ProfileScope scope(profile);
    for (int run = 0; run < 2; ++run) {
      const Tensor got = text.planner.run(f, {IValue(x)}).to_tensor();
      for (int64_t i = 0; i < want.numel(); ++i) EXPECT_NEAR(got.data<float>()[i], want.data<float>()[i], 1e-4F);
    }
    EXPECT_EQ(profile.regions, 2U) << length;
    return profile.packed_bytes;
  };
  packed_at(8);
  const size_t packed = packed_at(9);
  for (int64_t length = 10; length < 210; ++length) EXPECT_LE(packed_at(length), packed + packed / 2) << length;
}

// One convolution and the tensors of one batch norm, with two epsilons.
TEST(PlanMemory, EpsilonsTellPackedWeightsApart) {
  script::Text text(
      "def f(x: Tensor) -> Tensor:\n"
      "  a = torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [0, 0], [1, 1], 1)\n"
      "  a = torch.batch_norm(a, CONSTANTS.c1, CONSTANTS.c1, CONSTANTS.c2, CONSTANTS.c2, False, 0.1, 1.0, False)\n"
      "  b = torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [0, 0], [1, 1], 1)\n"
      "  b = torch.batch_norm(b, CONSTANTS.c1, CONSTANTS.c1, CONSTANTS.c2, CONSTANTS.c2, False, 0.1, 9.0, False)\n"
      "  return torch.sub(a, b)\n",
      {IValue(filled({8, 8, 3, 3}, 1)), IValue(filled({8}, 2)),
       IValue(Tensor::from_values<float>({1, 2, 3, 4, 5, 6, 7, 8}))});
  ir::Function& f = text.function("f");
  const Tensor x = filled({1, 8, 6, 6}, 4);
  const Tensor want = text.executor->run(f, {IValue(x)}).to_tensor();
  const Tensor got = text.planner.run(f, {IValue(x)}).to_tensor();
  for (int64_t i = 0; i < want.numel(); ++i) ASSERT_NEAR(got.data<float>()[i], want.data<float>()[i], 1e-4F) << i;
}

// Slices of a table, another for each length: plans that are gone keep nothing.
TEST(PlanMemory, PartsOfATableGoWithTheirPlans) {
  FoldCache cache;
  const Tensor table = filled({16, 4}, 1);
  const auto fold_of = [&](int64_t length) {
    Fold fold(nullptr);
    fold.add_source(table, false);
    EXPECT_TRUE(fold.add_static(IValue::int_list({0, length})));
    fold.add_result(filled({length, 4}, 2));
    return cache.share(std::move(fold));
  };
  const std::shared_ptr<const Fold> kept = fold_of(3);
  EXPECT_EQ(fold_of(3), kept);
  EXPECT_NE(fold_of(4), kept);
  EXPECT_EQ(cache.bytes(), 7 * 4 * sizeof(float));
  cache.drop_unused();
  EXPECT_EQ(cache.bytes(), 3 * 4 * sizeof(float));
  EXPECT_EQ(fold_of(3), kept);
}

TEST(PlanMemory, PackedFormsGoWithTheirPlans) {
  PackCache cache;
  const auto key_of = [](const Tensor& t) { return PackKey({t}, {1}); };
  const Tensor a = filled({4, 4}, 1), b = filled({4, 4}, 1);
  const auto add = [&](const Tensor& t) {
    Packed form = cache.memory.take(16);
    cache.add(key_of(t), form, 16 * sizeof(float));
    return form;
  };
  Packed used = add(a);
  add(b);
  EXPECT_EQ(cache.bytes, 32 * sizeof(float));
  cache.drop_unused();
  EXPECT_EQ(cache.bytes, 16 * sizeof(float));
  EXPECT_EQ(cache.find(key_of(a)), used);
  EXPECT_EQ(cache.find(key_of(b)), nullptr);
  EXPECT_EQ(b.impl()->use_count(), 1);
  used = nullptr;
  cache.drop_unused();
  EXPECT_EQ(cache.bytes, 0U);
  EXPECT_EQ(cache.kept_bytes(), 0U);
}

}  // namespace
}  // namespace wick::plan
