// Seeded alike, the generator gives the numbers PyTorch's CPU generator gives.
#include <gtest/gtest.h>

#include <thread>

#include "core/operator.h"
#include "ops/random/generator.h"
#include "wick/module.h"

namespace wick {
namespace {

Tensor call(std::string_view op, std::vector<IValue> args) {
  return call_operator(op, std::move(args)).at(0).to_tensor();
}

TEST(RandomGenerator, UniformNumbersOfPyTorch) {
  manual_seed(0);
  const Tensor t = call("aten::rand", {IValue::int_list({3})});
  EXPECT_FLOAT_EQ(t.data<float>()[0], 0.49625658988952637f);
  EXPECT_FLOAT_EQ(t.data<float>()[1], 0.7682217955589294f);
  EXPECT_FLOAT_EQ(t.data<float>()[2], 0.08847743272781372f);
}

TEST(RandomGenerator, AModelMakesAndSeedsGenerators) {
  const IValue g = call_operator("aten::Generator", {IValue(), int64_t{0}}).at(0);
  EXPECT_EQ(call_operator("aten::initial_seed", {g}).at(0).to_int(), 0);
  const Tensor like = Tensor::empty({3});
  const Tensor t = call("aten::rand_like.generator", {like, g});
  EXPECT_FLOAT_EQ(t.data<float>()[0], 0.49625658988952637f);
  call_operator("aten::manual_seed.generator", {g, int64_t{0}});
  EXPECT_FLOAT_EQ(call("aten::rand_like.generator", {like, g}).data<float>()[2], 0.08847743272781372f);
  const int64_t fresh = call_operator("aten::seed", {g}).at(0).to_int();
  EXPECT_EQ(call_operator("aten::initial_seed", {g}).at(0).to_int(), fresh);
}

TEST(RandomGenerator, NormalNumbersOfPyTorch) {
  manual_seed(0);
  const Tensor few = call("aten::randn", {IValue::int_list({3})});
  EXPECT_NEAR(few.data<float>()[0], 1.5409960746765137, 1e-6);
  EXPECT_NEAR(few.data<float>()[1], -0.293428897857666, 1e-6);
  EXPECT_NEAR(few.data<float>()[2], -2.1787893772125244, 1e-6);
  // The fourth is the second of a pair drawn before.
  const Tensor next = call("aten::randn", {IValue::int_list({1})});
  EXPECT_NEAR(next.data<float>()[0], 0.5684312582015991, 1e-6);
}

TEST(RandomGenerator, SeedingForgetsThePairedNormal) {
  manual_seed(0);
  const Tensor a = call("aten::randn", {IValue::int_list({3})});
  manual_seed(0);
  const Tensor b = call("aten::randn", {IValue::int_list({3})});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(a.data<float>()[i], b.data<float>()[i]);
}

TEST(RandomGenerator, OwnGeneratorsAreIndependentOfTheDefault) {
  const auto draw = [] {
    return call("aten::rand.generator", {IValue::int_list({4}), make_ref<GeneratorImpl>(uint64_t{5})});
  };
  const Tensor a = draw();
  manual_seed(9);
  const Tensor b = draw();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(a.data<float>()[i], b.data<float>()[i]);
}

TEST(RandomGenerator, ThreadsMayDrawAtOnce) {
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([] {
      for (int i = 0; i < 50; ++i) call("aten::randn", {IValue::int_list({100})});
    });
  }
  for (std::thread& t : threads) t.join();
}

TEST(RandomGenerator, DistributionsEndForAnyParameter) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (double v : {0.0, 1e-300, 1e300, inf}) {
    call("aten::poisson", {Tensor::scalar(v, DType::kDouble)});
    call("aten::_standard_gamma", {Tensor::scalar(v, DType::kDouble)});
    for (double p : {0.0, 1e-12, 0.5, 1.0, nan, inf, -inf}) {
      call("aten::binomial", {Tensor::scalar(v, DType::kDouble), Tensor::scalar(p, DType::kDouble)});
    }
  }
  call("aten::_standard_gamma", {Tensor::scalar(nan, DType::kDouble)});
  EXPECT_THROW(call("aten::poisson", {Tensor::scalar(nan, DType::kDouble)}), Error);
}

}  // namespace
}  // namespace wick
