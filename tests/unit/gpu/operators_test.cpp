// Operators on the GPU beyond float layers: comparisons and choices, indices, rearrangements, running sums, recurrent
// layers. Each is compared with the processor, in float32 and float16 storage, and must run on the GPU alone.
#include <gtest/gtest.h>

#include <cmath>

#include "core/copy.h"
#include "gpu/target.h"
#include "plan/profile.h"
#include "unit/frontend/script/run.h"

namespace wick::gpu {
namespace {

using script::Text;

// Multiples of a quarter, which float16 holds.
Tensor quarters(IntVec sizes, int64_t seed = 3) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = static_cast<float>((i * 7 + seed) % 23 - 11) / 4;
  return t;
}
Tensor integers(IntVec sizes, int64_t below, int64_t seed = 1) {
  Tensor t = Tensor::empty(sizes, DType::kLong);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<int64_t>()[i] = (i * 5 + seed) % below;
  return t;
}

DevicePtr device(const Limits* lower = nullptr) {
  Settings settings;
  settings.lower = lower;
  for (const bool validate : {true, false}) {
    settings.validate = validate;
    try {
      return Device::open(settings);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kUnsupported) << e.what();
    }
  }
  return nullptr;
}

// Empty: they are equal within `part` of the largest value, integers and truth values exactly.
std::string difference(const Tensor& want, const Tensor& got, double part) {
  if (want.dtype() != got.dtype()) return "dtype";
  if (!(want.sizes() == got.sizes())) return "sizes";
  if (!(want.strides() == got.strides())) return "strides";
  const Tensor x = Tensor::empty(want.sizes(), DType::kDouble), y = Tensor::empty(want.sizes(), DType::kDouble);
  copy_into(x, want);
  copy_into(y, got);
  double largest = 1;
  for (int64_t i = 0; i < x.numel(); ++i) largest = std::max(largest, std::abs(x.data_ptr<double>()[i]));
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double p = x.data_ptr<double>()[i], q = y.data_ptr<double>()[i];
    const double allowed = want.dtype() == DType::kFloat ? part * largest : 0;
    if (p == q || (std::isnan(p) && std::isnan(q)) || std::abs(p - q) <= allowed) continue;
    return std::to_string(q) + " instead of " + std::to_string(p) + " at " + std::to_string(i);
  }
  return {};
}

struct Case {
  std::string text;
  std::vector<IValue> inputs, constants;
};

std::string function(const std::string& arguments, const std::string& result, const std::string& body) {
  return "def f(" + arguments + ") -> " + result + ":\n" + body;
}

// Runs it on both; every step must be the GPU's.
void expect_same(const DevicePtr& on, const Case& c, bool half) {
  Text plain(c.text, c.constants), gpu(c.text, c.constants);
  const IValue want = plain.executor->run(plain.function("f"), c.inputs);
  auto target = std::make_shared<GpuTarget>(on, half);
  gpu.planner.set_target(target, false);
  for (int k = 0; k < 2; ++k) {
    plan::Profile profile;
    IValue got;
    {
      const plan::ProfileScope scope(profile);
      got = gpu.planner.run(gpu.function("f"), c.inputs);
    }
    std::vector<IValue> a{want}, b{got};
    if (want.is_tuple()) {
      a = want.to_tuple().items;
      b = got.to_tuple().items;
    }
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(difference(a[i].to_tensor(), b[i].to_tensor(), half ? 4e-3 : 2e-5), "") << c.text;
    }
    size_t on_gpu = 0;
    for (const plan::StepTime& step : profile.steps) {
      if (step.name == plan::kPlanning) continue;
      EXPECT_EQ(step.kind, "gpu") << step.name << " of\n" << c.text;
      ++on_gpu;
    }
    EXPECT_GT(on_gpu, 0u) << c.text;
  }
  for (const std::string& message : on->complaints()) ADD_FAILURE() << message << "\n" << c.text;
}

void expect_all(const std::vector<Case>& cases) {
  const DevicePtr on = device();
  if (!on) GTEST_SKIP() << "no Vulkan device";
  // What the least device has, and less.
  Limits low;
  low.max_invocations = 16;
  low.max_shared_bytes = 2048;
  const DevicePtr least = device(&low);
  // A driver compiles each of them anew: the other forms take turns.
  for (size_t k = 0; k < cases.size(); ++k) {
    expect_same(on, cases[k], false);
    if (on->limits().half && k % 2 == 0) expect_same(on, cases[k], true);
    if (least && k % 4 == 1) expect_same(least, cases[k], false);
  }
}

Case of_floats(const std::string& expression, IntVec sizes = {3, 4, 6}) {
  return {function("x: Tensor", "Tensor", "  return torch.add(" + expression + ", 1.)\n"), {quarters(sizes)}, {}};
}

TEST(GpuOperators, ComparisonsAndChoices) {
  const std::string two = "x: Tensor, y: Tensor", three = "x: Tensor, y: Tensor, i: Tensor";
  const Tensor x = quarters({3, 4, 6}), y = quarters({4, 6}, 9), i = integers({3, 4, 6}, 3);
  expect_all({
      {function(two, "Tensor", "  return torch.gt(x, y)\n"), {x, y}, {}},
      {function(two, "Tensor", "  return torch.where(torch.le(x, y), torch.mul(x, 2.), y)\n"), {x, y}, {}},
      {function(two, "Tensor",
                "  return torch.masked_fill(x, torch.logical_and(torch.lt(x, y), torch.gt(x, -1.)), -5.)\n"),
       {x, y},
       {}},
      {function(three, "Tensor", "  return torch.masked_fill(torch.add(x, y), torch.eq(i, 1), 0.5)\n"), {x, y, i}, {}},
      {function(three, "Tensor", "  return torch.where(torch.ne(i, 0), i, torch.where(torch.gt(x, y), i, 7))\n"),
       {x, y, i},
       {}},
      {function("x: Tensor, i: Tensor", "Tensor", "  return torch.mul(x, torch.to(torch.ge(i, 1), 6))\n"), {x, i}, {}},
      {function("x: Tensor, i: Tensor", "Tensor", "  return torch.div(torch.to(i, 6), torch.add(torch.abs(x), 1.))\n"),
       {x, i},
       {}},
      {function("x: Tensor", "Tensor", "  return torch.any(torch.gt(x, 2.), 1)\n"), {x}, {}},
      {function("x: Tensor", "Tensor", "  return torch.sum(torch.gt(x, 0.), [1])\n"), {x}, {}},
      {function("i: Tensor", "Tensor", "  return torch.cumsum(torch.ne(i, 2), 1)\n"), {i}, {}},
  });
}

TEST(GpuOperators, NanAndInfinityInComparisons) {
  Tensor x = quarters({30});
  x.data<float>()[0] = NAN;
  x.data<float>()[1] = INFINITY;
  x.data<float>()[2] = -INFINITY;
  std::vector<Case> cases;
  for (const std::string body :
       {"torch.ne(x, x)", "torch.eq(x, x)", "torch.lt(x, 0.)", "torch.isnan(x)", "torch.isinf(x)", "torch.isfinite(x)",
        "torch.nan_to_num(x, 1., 2., 3.)", "torch.masked_fill(x, torch.isnan(x), 4.)", "torch.sign(x)", "torch.atan(x)",
        "torch.argmax(x)", "torch.pow(x, 3.)", "torch.expm1(torch.mul(x, 0.01))"}) {
    cases.push_back({function("x: Tensor", "Tensor", "  return " + body + "\n"), {x}, {}});
  }
  expect_all(cases);
}

TEST(GpuOperators, Indices) {
  const Tensor table = quarters({11, 6}), x = quarters({3, 5, 6});
  expect_all({
      {function("i: Tensor", "Tensor", "  return torch.mul(torch.embedding(CONSTANTS.c0, i), 2.)\n"),
       {integers({2, 7}, 11)},
       {table}},
      {function("i: Tensor", "Tensor", "  return torch.mul(torch.embedding(CONSTANTS.c0, i), 2.)\n"),
       {integers({2, 4}, 3000)},
       {quarters({3000, 2})}},
      {function("x: Tensor, i: Tensor", "Tensor", "  return torch.index_select(torch.relu(x), 1, i)\n"),
       {x, integers({4}, 5)},
       {}},
      {function("x: Tensor, i: Tensor", "Tensor", "  return torch.gather(torch.relu(x), 2, i)\n"),
       {x, integers({3, 5, 2}, 6)},
       {}},
      {function("x: Tensor", "Tensor", "  i = torch.argmax(x, 2, True)\n  return torch.gather(torch.relu(x), 2, i)\n"),
       {x},
       {}},
      {function("x: Tensor", "Tuple[Tensor, Tensor]", "  a, b = torch.max(x, 1, True)\n  return (torch.neg(a), b)\n"),
       {x},
       {}},
      {function("x: Tensor", "Tensor", "  return torch.argmin(x, -1)\n"), {x}, {}},
      {function("x: Tensor", "Tensor", "  return torch.argmax(torch.transpose(torch.relu(x), 0, 1))\n"), {x}, {}},
  });
}

// An index that is out of range is the error that the processor gives, and the next run is the GPU's again.
TEST(GpuOperators, WrongIndicesAreErrors) {
  const DevicePtr on = device();
  if (!on) GTEST_SKIP() << "no Vulkan device";
  Text gpu(function("i: Tensor", "Tensor", "  return torch.embedding(CONSTANTS.c0, i)\n"), {quarters({5, 2})});
  gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
  ir::Function& f = gpu.function("f");
  EXPECT_EQ(gpu.planner.run(f, {IValue(integers({3}, 5))}).to_tensor().size(1), 2);
  for (const int64_t wrong : {int64_t{5}, int64_t{-1}, int64_t{1} << 40}) {
    Tensor i = integers({3}, 5);
    i.data<int64_t>()[1] = wrong;
    EXPECT_THROW(gpu.planner.run(f, {IValue(i)}), Error) << wrong;
  }
  plan::Profile profile;
  const plan::ProfileScope scope(profile);
  gpu.planner.run(f, {IValue(integers({3}, 5))});
  for (const plan::StepTime& step : profile.steps) EXPECT_EQ(step.kind, "gpu") << step.name;
}

// Integers beyond what a float holds are the processor's.
TEST(GpuOperators, LargeIntegersFallBack) {
  const DevicePtr on = device();
  if (!on) GTEST_SKIP() << "no Vulkan device";
  Text gpu(function("i: Tensor", "Tensor", "  return torch.eq(i, 16777217)\n"));
  Text large(function("i: Tensor", "Tensor", "  return torch.eq(i, 3)\n"));
  gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
  large.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
  Tensor i = integers({3}, 5);
  i.data<int64_t>()[0] = 16777217;
  i.data<int64_t>()[1] = 16777216;
  i.data<int64_t>()[2] = 3;
  const Tensor a = gpu.planner.run(gpu.function("f"), {IValue(i)}).to_tensor();
  EXPECT_TRUE(a.data<bool>()[0]);
  EXPECT_FALSE(a.data<bool>()[1]);
  const Tensor b = large.planner.run(large.function("f"), {IValue(i)}).to_tensor();
  EXPECT_FALSE(b.data<bool>()[0]);
  EXPECT_TRUE(b.data<bool>()[2]);
}

TEST(GpuOperators, Rearrangements) {
  std::vector<Case> cases;
  for (const std::string body :
       {"torch.flip(x, [0, 2])", "torch.roll(x, [1, -2], [0, 2])", "torch.roll(x, [5])", "torch.repeat(x, [2, 1, 3])",
        "torch.repeat(x, [2, 1, 1, 2])", "torch.repeat_interleave(x, 3, 1)", "torch.stack([x, torch.neg(x)], 1)",
        "torch.tril(x, 1)", "torch.triu(x, -1)", "torch.glu(x, 1)", "torch.cumsum(x, 1)", "torch.cumsum(x, 2)",
        "torch.cumprod(torch.mul(x, 0.5), 0)", "torch.prod(x, 1)", "torch.norm(x, 2, [1], False)",
        "torch.std(x, [1], True, False)"}) {
    cases.push_back(of_floats(body));
  }
  for (const std::string body : {"torch.pixel_shuffle(x, 2)", "torch.channel_shuffle(x, 4)"}) {
    cases.push_back(of_floats(body, {2, 8, 3, 5}));
  }
  cases.push_back(of_floats("torch.pixel_unshuffle(x, 2)", {2, 3, 4, 6}));
  cases.push_back(of_floats("torch.upsample_bicubic2d(x, [9, 7], False, None, None)", {1, 2, 4, 5}));
  cases.push_back(of_floats("torch.upsample_nearest1d(x, [9], None)", {1, 2, 4}));
  cases.push_back(of_floats("torch.upsample_linear1d(x, [9], True, None)", {1, 2, 4}));
  cases.push_back(of_floats("torch.max_pool1d(x, [3], [2], [1], [1], False)", {2, 3, 9}));
  cases.push_back(of_floats("torch.avg_pool1d(x, [3], [2], [1], False, True)", {2, 3, 9}));
  cases.push_back(of_floats("torch.adaptive_avg_pool1d(x, [4])", {2, 3, 9}));
  expect_all(cases);
}

TEST(GpuOperators, RecurrentLayers) {
  const auto scaled = [](IntVec sizes, int64_t seed) {
    Tensor t = quarters(std::move(sizes), seed);
    for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] /= 8;
    return t;
  };
  std::vector<IValue> lstm, gru;
  for (int64_t k = 0; k < 4; ++k) {
    const int64_t in = k < 2 ? 6 : 10;
    for (const auto& [list, gates] : {std::pair(&lstm, 20), std::pair(&gru, 15)}) {
      list->push_back(scaled({gates, in}, k));
      list->push_back(scaled({gates, 5}, k + 1));
      list->push_back(scaled({gates}, k + 2));
      list->push_back(scaled({gates}, k + 3));
    }
  }
  std::string params = "[";
  for (size_t k = 0; k < lstm.size(); ++k) params += (k > 0 ? ", CONSTANTS.c" : "CONSTANTS.c") + std::to_string(k);
  params += "]";
  const Tensor x = quarters({2, 7, 6}), state = scaled({4, 2, 5}, 1);
  expect_all({
      {function("x: Tensor, h: Tensor, c: Tensor", "Tuple[Tensor, Tensor, Tensor]",
                "  a, b, d = torch.lstm(x, [h, c], " + params +
                    ", True, 2, 0., False, True, True)\n"
                    "  return (torch.neg(a), torch.neg(b), torch.neg(d))\n"),
       {x, state, scaled({4, 2, 5}, 4)},
       lstm},
      {function("x: Tensor, h: Tensor", "Tuple[Tensor, Tensor]",
                "  a, b = torch.gru(torch.transpose(x, 0, 1), h, " + params +
                    ", True, 2, 0., False, True, False)\n"
                    "  return (torch.neg(a), torch.neg(b))\n"),
       {x, state},
       gru},
  });
}

}  // namespace
}  // namespace wick::gpu
