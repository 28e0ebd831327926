// Operators as functions and methods of Tensor, and its operators of C++.
#include "wick/functions.h"

#include <gtest/gtest.h>

#include <sstream>

#include "wick/wick.h"

namespace wick {
namespace {

Tensor floats(IntSpan sizes, std::vector<float> values) { return Tensor::from_values(values).reshape(sizes); }

template <class T = float>
std::vector<T> values_of(const Tensor& t) {
  const Tensor c = t.contiguous();
  const T* data = c.data<const T>();
  return std::vector<T>(data, data + c.numel());
}

TEST(Functions, AMethodAndItsFunctionGiveTheSame) {
  const Tensor t = floats({2, 3}, {1, 2, 3, 3, 2, 1});
  EXPECT_EQ(values_of(t.softmax(-1)), values_of(softmax(t, -1)));
  EXPECT_EQ(values_of<int64_t>(t.argmax(1)), (std::vector<int64_t>{2, 0}));
  EXPECT_EQ(t.argmax().item<int64_t>(), 2);
}

TEST(Functions, SeveralResultsAreATuple) {
  const Tensor t = floats({5}, {3, 1, 5, 2, 4});
  auto [values, indices] = t.topk(2);
  EXPECT_EQ(values_of(values), (std::vector<float>{5, 4}));
  EXPECT_EQ(values_of<int64_t>(indices), (std::vector<int64_t>{2, 4}));
  auto [highest, where] = t.max(0);
  EXPECT_EQ(highest.item<float>(), 5);
  EXPECT_EQ(where.item<int64_t>(), 2);
}

TEST(Functions, OneNumberIsAListOfOne) {
  const Tensor t = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(values_of(t.sum(0)), (std::vector<float>{5, 7, 9}));
  EXPECT_EQ(values_of(t.sum({0, 1})), (std::vector<float>{21}));
  EXPECT_EQ(t.sum().item<float>(), 21);
  EXPECT_EQ(values_of(t.std(1, false)), values_of(t.std({1}, false)));
  EXPECT_EQ(max_pool2d(t.reshape({1, 1, 2, 3}), 2).sizes(), (IntVec{1, 1, 1, 1}));
}

TEST(Functions, DefaultsAreTheSchemas) {
  const Tensor t = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(values_of(t.clamp(2, 3)), (std::vector<float>{2, 2, 3, 3}));
  EXPECT_EQ(values_of(t.add(t, 10)), (std::vector<float>{11, 22, 33, 44}));
  EXPECT_EQ(cat({t, t}).sizes(), (IntVec{4, 2}));
  EXPECT_EQ(values_of(t.div(2, "floor")), (std::vector<float>{0, 1, 1, 2}));
  EXPECT_EQ(tril_indices(2, 2).dtype(), DType::kLong);
}

TEST(Functions, FactoriesTakeOptions) {
  EXPECT_EQ(zeros({2, 3}).dtype(), DType::kFloat);
  EXPECT_EQ(zeros({2, 3}, DType::kLong).dtype(), DType::kLong);
  EXPECT_EQ(values_of<int64_t>(arange(4)), (std::vector<int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(full({2}, 1.5, DType::kDouble).dtype(), DType::kDouble);
  manual_seed(1);
  const std::vector<float> first = values_of(rand({3}));
  manual_seed(1);
  EXPECT_EQ(values_of(rand({3})), first);
}

TEST(Functions, InPlaceWritesToTheTensor) {
  const Tensor t = floats({2}, {1, 2});
  const Tensor same = t.add_(1).mul_(2);
  EXPECT_TRUE(same.is_same(t));
  EXPECT_EQ(values_of(t), (std::vector<float>{4, 6}));
  Tensor out = Tensor::zeros({2});
  add_out(out, t, t);
  EXPECT_EQ(values_of(out), (std::vector<float>{8, 12}));
}

TEST(Functions, OptionalTensorsMayBeLeftOutOrUndefined) {
  const Tensor x = floats({1, 2}, {1, 2}), w = floats({1, 2}, {3, 4});
  EXPECT_EQ(linear(x, w).item<float>(), 11);
  EXPECT_EQ(linear(x, w, Tensor()).item<float>(), 11);
  EXPECT_EQ(linear(x, w, floats({1}, {1})).item<float>(), 12);
}

TEST(Functions, AnUndefinedTensorIsRefused) {
  EXPECT_THROW(Tensor().relu(), Error);
  EXPECT_THROW(floats({1}, {1}).add(Tensor()), Error);
  EXPECT_THROW(cat({Tensor(), Tensor()}), Error);
}

TEST(Functions, ErrorsArePyTorchs) {
  try {
    floats({2, 3}, {1, 2, 3, 4, 5, 6}).matmul(floats({2}, {1, 2}));
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(e.message().find("size mismatch"), std::string::npos) << e.message();
  }
}

TEST(Functions, OperatorsOfCpp) {
  const Tensor a = floats({2}, {6, 8}), b = floats({2}, {2, 4});
  EXPECT_EQ(values_of(a + b), (std::vector<float>{8, 12}));
  EXPECT_EQ(values_of(a - 1), (std::vector<float>{5, 7}));
  EXPECT_EQ(values_of(10 - a), (std::vector<float>{4, 2}));
  EXPECT_EQ(values_of(a * 0.5), (std::vector<float>{3, 4}));
  EXPECT_EQ(values_of(a / b), (std::vector<float>{3, 2}));
  EXPECT_EQ(values_of(24 / a), (std::vector<float>{4, 3}));
  EXPECT_EQ(values_of(-a), (std::vector<float>{-6, -8}));
  EXPECT_EQ(values_of<bool>(a > 7), (std::vector<bool>{false, true}));
  EXPECT_EQ(values_of<bool>(a == b), (std::vector<bool>{false, false}));
  a += b;
  EXPECT_EQ(values_of(a), (std::vector<float>{8, 12}));
}

TEST(Functions, OfOtherNamespaces) {
  const Tensor boxes = floats({2, 4}, {0, 0, 10, 10, 1, 1, 11, 11});
  EXPECT_EQ(values_of<int64_t>(torchvision::nms(boxes, floats({2}, {0.5, 0.9}), 0.5)), (std::vector<int64_t>{1}));
}

TEST(Functions, PrintsAsPyTorchDoes) {
  std::ostringstream out;
  out << floats({2, 2}, {1, 2, 3, 4}) << "|" << Tensor() << "|" << IValue::tuple({1, 2.5});
  EXPECT_EQ(out.str(), " 1  2\n 3  4\n[ CPUFloatType{2,2} ]|[ Tensor (undefined) ]|(1, 2.5)");
}

}  // namespace
}  // namespace wick
