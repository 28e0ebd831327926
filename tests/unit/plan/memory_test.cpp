// Memory of plans: a run that has been planned allocates nothing but what the caller keeps, and plans are kept within
// bounds.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <new>

#include "core/parallel.h"
#include "plan/planned.h"
#include "plan/profile.h"
#include "unit/frontend/script/run.h"

// Sanitizers keep their own allocator, which finds what they are for; nothing is counted then.
#if defined(__SANITIZE_ADDRESS__)
#define WICK_OWN_ALLOCATOR 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WICK_OWN_ALLOCATOR 0
#endif
#endif
#ifndef WICK_OWN_ALLOCATOR
#define WICK_OWN_ALLOCATOR 1
#endif

namespace {

std::atomic<int64_t> g_allocations{0};

#if WICK_OWN_ALLOCATOR
// Null when there is no such memory.
void* counted(size_t bytes, size_t alignment) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  if (bytes > PTRDIFF_MAX / 2) return nullptr;
  const size_t align = std::max<size_t>(alignment, alignof(std::max_align_t));
  return std::aligned_alloc(align, (std::max<size_t>(bytes, 1) + align - 1) / align * align);
}
void* counted_or_throw(size_t bytes, size_t alignment) {
  void* p = counted(bytes, alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
#endif

}  // namespace

#if WICK_OWN_ALLOCATOR
// Of this program only: everything the library takes goes through one of these.
[[gnu::noinline]] void* operator new(size_t bytes) { return counted_or_throw(bytes, 0); }
[[gnu::noinline]] void* operator new[](size_t bytes) { return counted_or_throw(bytes, 0); }
[[gnu::noinline]] void* operator new(size_t bytes, std::align_val_t align) {
  return counted_or_throw(bytes, static_cast<size_t>(align));
}
[[gnu::noinline]] void* operator new[](size_t bytes, std::align_val_t align) {
  return counted_or_throw(bytes, static_cast<size_t>(align));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, size_t, std::align_val_t) noexcept { std::free(p); }
extern "C" int posix_memalign(void** out, size_t alignment, size_t bytes) noexcept {
  *out = counted(bytes, alignment);
  return *out == nullptr ? ENOMEM : 0;
}
#endif

namespace wick::script {
namespace {

Tensor waves(const IntVec& sizes, float scale = 0.1F) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = scale * std::sin(0.7F * static_cast<float>(i) + 1);
  return t;
}

Tensor variances() {
  Tensor t = waves({16});
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] += 2;
  return t;
}

struct Model {
  std::string text;
  std::vector<IValue> constants;
  std::vector<IValue> inputs;
};

// Allocations of a planned run; `kept`: while the caller still holds the result of the run before.
int64_t allocations(const Model& model, bool kept) {
  Text text(model.text, model.constants);
  ir::Function& f = text.function("f");
  IValue result, before;
  int64_t counted = 0;
  for (int run = 0; run < 5; ++run) {
    std::vector<IValue> args = model.inputs;
    before = kept ? result : IValue();
    result = IValue();
    const int64_t start = g_allocations.load();
    result = text.planner.run(f, std::move(args));
    counted = g_allocations.load() - start;
  }
  return counted;
}

// A result is a tensor, its storage and the storage's memory.
constexpr int64_t kResult = 3;

void expect_none(const Model& model, int64_t results = 1) {
  for (const int threads : {1, 2}) {
    set_num_threads(threads);
    EXPECT_EQ(allocations(model, false), 0) << threads << " threads\n" << model.text;
    EXPECT_LE(allocations(model, true), kResult * results) << threads << " threads\n" << model.text;
  }
  set_num_threads(0);
}

Model conv_net() {
  return {
      "def f(x: Tensor) -> Tensor:\n"
      "  a = torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [2, 2], [1, 1])\n"
      "  a = torch.batch_norm(a, CONSTANTS.c1, CONSTANTS.c1, CONSTANTS.c1, CONSTANTS.c2, False, 0.1, 1e-5, False)\n"
      "  a = torch.relu_(a)\n"
      "  a = torch.max_pool2d(a, [3, 3], [2, 2], [1, 1])\n"
      "  b = torch.hardswish(torch.conv2d(a, CONSTANTS.c3, None, [1, 1], [1, 1], [1, 1], 16))\n"
      "  s = torch.adaptive_avg_pool2d(b, [1, 1])\n"
      "  s = torch.sigmoid(torch.conv2d(s, CONSTANTS.c4, None))\n"
      "  b = torch.mul(b, s)\n"
      "  c = torch.cat([torch.conv2d(b, CONSTANTS.c4, None), torch.conv2d(b, CONSTANTS.c5, None, [1, 1], [1, 1])], 1)\n"
      "  d = torch.flatten(torch.mean(torch.relu(c), [2, 3], True), 1)\n"
      "  return torch.linear(torch.dropout_(d, 0.2, False), CONSTANTS.c6, CONSTANTS.c7)\n",
      {waves({16, 3, 3, 3}), waves({16}), variances(), waves({16, 1, 3, 3}), waves({16, 16, 1, 1}),
       waves({16, 16, 3, 3}), waves({10, 32}), waves({10})},
      {waves({1, 3, 64, 64})}};
}

Model encoder() {
  Tensor tokens = Tensor::empty({1, 12}, DType::kLong);
  for (int64_t i = 0; i < 12; ++i) tokens.data<int64_t>()[i] = i * 5 % 20;
  return {
      "def f(tokens: Tensor) -> Tensor:\n"
      "  x = torch.add(torch.embedding(CONSTANTS.c0, tokens), CONSTANTS.c1)\n"
      "  x = torch.layer_norm(x, [32], CONSTANTS.c2, CONSTANTS.c2)\n"
      "  q = torch.transpose(torch.view(torch.linear(x, CONSTANTS.c3, CONSTANTS.c2), [1, 12, 4, 8]), 1, 2)\n"
      "  k = torch.transpose(torch.view(torch.linear(x, CONSTANTS.c3, CONSTANTS.c2), [1, 12, 4, 8]), 1, 2)\n"
      "  v = torch.transpose(torch.view(torch.linear(x, CONSTANTS.c3, CONSTANTS.c2), [1, 12, 4, 8]), 1, 2)\n"
      "  p = torch.softmax(torch.div(torch.matmul(q, torch.transpose(k, -2, -1)), 2.8284271), -1)\n"
      "  a = torch.reshape(torch.transpose(torch.matmul(p, v), 1, 2), [1, 12, 32])\n"
      "  x = torch.add(torch.linear(a, CONSTANTS.c3, CONSTANTS.c2), x)\n"
      "  h = torch.gelu(torch.linear(x, CONSTANTS.c4, None))\n"
      "  return torch.add(torch.linear(h, CONSTANTS.c5, None), x)\n",
      {waves({20, 32}), waves({1, 12, 32}), waves({32}), waves({32, 32}), waves({64, 32}), waves({32, 64})},
      {tokens}};
}

Model lstm() {
  return {
      "def f(x: Tensor, h: Tensor, c: Tensor) -> Tensor:\n"
      "  w = [CONSTANTS.c0, CONSTANTS.c1, CONSTANTS.c2, CONSTANTS.c2]\n"
      "  y, hn, cn = torch.lstm(x, [h, c], w, True, 1, 0., False, False, True)\n"
      "  return torch.linear(torch.select(y, 1, -1), CONSTANTS.c3, None)\n",
      {waves({64, 8}), waves({64, 16}), waves({64}), waves({5, 16})},
      {waves({1, 6, 8}), waves({1, 1, 16}), waves({1, 1, 16})}};
}

Model reductions() {
  return {
      "def f(x: Tensor) -> Tensor:\n"
      "  a = torch.sub(x, torch.mean(x, [1], True))\n"
      "  b = torch.div(a, torch.add(torch.std(a, [0, 2], False, True), 1))\n"
      "  c = torch.sum(torch.mul(b, torch.amax(b, [0], True)), [2, 0])\n"
      "  v, i = torch.max(b, 1)\n"
      "  d = torch.add(torch.sum(c), torch.norm(v, 2, [0, 1]))\n"
      "  return torch.add(torch.amin(torch.abs(b), [0, 1]), d)\n",
      {},
      {waves({70, 30, 50})}};
}

TEST(PlanMemory, RepeatedRunsAllocateNothing) {
  expect_none(reductions());
  expect_none(conv_net());
  expect_none(encoder());
  expect_none(lstm());
}

TEST(PlanMemory, ViewsOfInputsAllocateNothing) {
  expect_none(
      {"def f(x: Tensor) -> Tensor:\n"
       "  a = torch.select(torch.view(x, [2, 3, 4]), 0, 1)\n"
       "  return torch.relu(torch.add(a, torch.slice(torch.view(x, [6, 4]), 0, 0, 3)))\n",
       {},
       {waves({24})}});
}

// How often `run` made a plan instead of using one.
int64_t plans_made(Text& text, ir::Function& f, int64_t length) {
  const int64_t start = g_allocations.load();
  text.planner.run(f, {IValue(waves({length}))});
  // A run by a plan that is there takes its argument's and result's memory, one that plans hundreds of pieces.
  return g_allocations.load() - start > 40 ? 1 : 0;
}

TEST(PlanMemory, TheLatestShapesKeepTheirPlans) {
  if (!WICK_OWN_ALLOCATOR) GTEST_SKIP() << "allocations are not counted";
  // Arenas of about 4 MB: no more than the eight latest shapes stay.
  Text text("def f(x: Tensor) -> Tensor:\n  return torch.sum(torch.neg(torch.cumsum(torch.exp(x), 0)))\n");
  ir::Function& f = text.function("f");
  const auto length = [](int64_t k) { return (int64_t{1} << 20) + 64 * k; };
  for (int64_t k = 0; k < 8; ++k) EXPECT_EQ(plans_made(text, f, length(k)), 1) << k;
  for (int64_t k = 0; k < 8; ++k) EXPECT_EQ(plans_made(text, f, length(k)), 0) << k;
  EXPECT_EQ(plans_made(text, f, length(8)), 1);  // length(0), used longest ago, goes
  EXPECT_EQ(plans_made(text, f, length(1)), 0);
  EXPECT_EQ(plans_made(text, f, length(0)), 1);  // length(2) goes
  EXPECT_EQ(plans_made(text, f, length(8)), 0);
  EXPECT_EQ(plans_made(text, f, length(2)), 1);
}

}  // namespace
}  // namespace wick::script
