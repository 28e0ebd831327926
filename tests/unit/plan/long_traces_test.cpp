// Plans of many steps: little stack, and time in proportion to the steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "plan/memory/arena.h"
#include "unit/frontend/script/run.h"
#include "unit/small_stack.h"

namespace wick::plan {
namespace {

struct Buffer {
  size_t first, last, nbytes;
};

// Their offsets; every buffer is read at its first and its last step.
std::vector<size_t> place(const std::vector<Buffer>& buffers, size_t steps, size_t& total) {
  std::vector<SlotInfo> slots(buffers.size());
  std::vector<Emission> emissions(steps);
  for (Slot slot = 0; slot < buffers.size(); ++slot) {
    slots[slot].kind = SlotInfo::Kind::kArena;
    slots[slot].nbytes = buffers[slot].nbytes;
    emissions[buffers[slot].first].writes.push_back(slot);
    emissions[buffers[slot].last].reads.push_back(slot);
  }
  total = assign_arena(slots, Lifetimes(slots, emissions, {}));
  std::vector<size_t> out;
  for (const SlotInfo& slot : slots) out.push_back(slot.arena_offset);
  return out;
}

bool meet(const Buffer& a, const Buffer& b) { return a.first <= b.last && b.first <= a.last; }

// The first place that is free, the largest buffer first: what assign_arena does, buffer by buffer.
std::vector<size_t> first_fit(const std::vector<Buffer>& buffers) {
  std::vector<size_t> order(buffers.size()), out(buffers.size());
  for (size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return buffers[a].nbytes > buffers[b].nbytes; });
  for (size_t k = 0; k < order.size(); ++k) {
    std::vector<std::pair<size_t, size_t>> taken;
    for (size_t j = 0; j < k; ++j) {
      if (meet(buffers[order[j]], buffers[order[k]])) {
        taken.emplace_back(out[order[j]], out[order[j]] + buffers[order[j]].nbytes);
      }
    }
    std::sort(taken.begin(), taken.end());
    size_t at = 0;
    for (const auto& [from, to] : taken) {
      if (at + buffers[order[k]].nbytes <= from) break;
      at = std::max(at, (to + 63) / 64 * 64);
    }
    out[order[k]] = at;
  }
  return out;
}

TEST(Arena, PlacesBuffersWhereTheyFitFirst) {
  std::mt19937 random(1);
  for (size_t round = 0; round < 40; ++round) {
    const size_t steps = 1 + random() % 60;
    std::vector<Buffer> buffers(random() % 200);
    for (Buffer& b : buffers) {
      b.first = random() % steps;
      b.last = std::min(steps - 1, b.first + random() % (round % 2 ? 4 : 60));
      b.nbytes = (random() % 5) * 40;
    }
    size_t total = 0;
    EXPECT_EQ(place(buffers, steps, total), first_fit(buffers)) << "round " << round;
  }
}

TEST(Arena, KeepsManyBuffersApartWithoutComparingAll) {
  // Half of them in use all the time, the others for one step: a buffer has more neighbors than are looked at.
  constexpr size_t kCount = 20000;
  std::vector<Buffer> buffers;
  for (size_t k = 0; k < kCount; ++k) {
    buffers.push_back({k, k % 2 ? kCount - 1 : k, 64 + 64 * (k % 3)});
  }
  size_t total = 0;
  const std::vector<size_t> at = place(buffers, kCount, total);
  size_t alive = 0;
  for (size_t k = 1; k < kCount; k += 2) alive += buffers[k].nbytes;
  EXPECT_GE(total, alive);
  EXPECT_LE(total, alive + 64 * 1024);  // those of one step share their memory
  for (size_t a = 0; a < kCount; a += 97) {
    for (size_t b = 0; b < kCount; ++b) {
      if (a == b || !meet(buffers[a], buffers[b])) continue;
      ASSERT_TRUE(at[a] + buffers[a].nbytes <= at[b] || at[b] + buffers[b].nbytes <= at[a]) << a << " and " << b;
    }
  }
}

// The same answer from plans as from the interpreter, on a thread with little stack.
void expect_agreement(const std::string& body, const Tensor& x, const std::string& prologue = "") {
  const std::string text = "def f(x: Tensor) -> Tensor:\n" + prologue + "  y = x\n  for i in range(30000):\n    " +
                           body + "\n    y = z\n  return y\n";
  std::string plain, planned;
  test::run_on_stack(256 << 10, [&] {
    script::Text a(text), b(text);
    plain = repr(a.run("f", {IValue(x)}));
    ir::Function& f = b.function("f");
    for (int i = 0; i < 2; ++i) planned = repr(b.planner.run(f, {IValue(x)}));
  });
  EXPECT_EQ(plain, planned) << text;
}

TEST(LongTraces, NeedLittleStack) {
  const Tensor x = Tensor::zeros({2, 3});
  expect_agreement("z = torch.relu(y)", x);
  expect_agreement("z = torch.sub(torch.add(y, 1.), x)", x);
  expect_agreement("z = torch.slice(y, 0, 0, 2)", x);
  expect_agreement("z = torch.add_(torch.view(torch.mul(y, 1.), [2, 3]), 1.)", x);
  expect_agreement("z = torch.mul(y, f)", Tensor::zeros({1, 3, 2, 2}), "  f = torch.ones([1, 3, 1, 1])\n");
}

// Comparing every result of a step with all arguments and results would not end.
TEST(LongTraces, StepsOfManyResultsTakeTimeInProportion) {
  script::Text code(
      "def f(x: Tensor) -> Tensor:\n"
      "  some = torch.mul([x], 50000)\n"
      "  sums = torch._foreach_add(some, 1.)\n"
      "  more = torch._foreach_add(sums, 1.)\n"
      "  return torch.add(more[49999], sums[0])\n");
  ir::Function& f = code.function("f");
  const Tensor x = Tensor::zeros({1});
  std::string first;
  for (int i = 0; i < 3; ++i) {
    const std::string result = repr(code.planner.run(f, {IValue(x)}));
    if (i == 0) first = result;
    EXPECT_EQ(result, first);
  }
  EXPECT_EQ(first, repr(code.run("f", {IValue(x)})));
}

}  // namespace
}  // namespace wick::plan
