// tensor[...] in C++: the results are those of PyTorch 1.13 for the Python expressions beside them.
#include <gtest/gtest.h>

#include "wick/wick.h"

namespace wick {
namespace {

Tensor numbers(IntSpan sizes) { return arange(checked_numel(sizes)).reshape(sizes); }

std::vector<int64_t> values_of(const Tensor& t) {
  const Tensor c = t.contiguous();
  const int64_t* data = c.data<const int64_t>();
  return {data, data + c.numel()};
}

void expect(const Tensor& t, IntSpan sizes, std::vector<int64_t> values) {
  EXPECT_EQ(t.sizes(), sizes);
  EXPECT_EQ(values_of(t), values);
}

std::string failure(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.message();
  }
  return "";
}

TEST(Indexing, ANumberTakesADimAway) {
  const Tensor x = numbers({2, 3});
  expect(x[1], {3}, {3, 4, 5});
  expect(x[-1][0], {}, {3});
  expect(x.index({1, 2}), {}, {5});
  x[0][1].fill_(100);  // a view
  expect(x[0], {3}, {0, 100, 2});
}

TEST(Indexing, Slices) {
  const Tensor x = numbers({2, 4});
  expect(x.index({Slice(), Slice(1, 3)}), {2, 2}, {1, 2, 5, 6});                  // x[:, 1:3]
  expect(x.index({Slice(), Slice(std::nullopt, -1, 2)}), {2, 2}, {0, 2, 4, 6});   // x[:, :-1:2]
  expect(x.index({kEllipsis, 0}), {2}, {0, 4});                                   // x[..., 0]
  expect(x.index({0, kEllipsis}), {4}, {0, 1, 2, 3});                             // x[0, ...]
  expect(x.index({std::nullopt, 1, std::nullopt}), {1, 1, 4}, {4, 5, 6, 7});      // x[None, 1, None]
  expect(numbers({2, 2, 2}).index({kEllipsis, 1, Slice(0, 1)}), {2, 1}, {2, 6});  // x[..., 1, 0:1]
}

TEST(Indexing, TensorsOfIndicesAndMasks) {
  const Tensor x = numbers({3, 2});
  expect(x[Tensor::from_values<int64_t>({2, 0})], {2, 2}, {4, 5, 0, 1});
  expect(x[x > 2], {3}, {3, 4, 5});
  expect(x.index({Tensor::from_values<int64_t>({0, 2}), 1}), {2}, {1, 5});
  expect(x.index({Slice(), Tensor::from_values<int64_t>({1, 0})}), {3, 2}, {1, 0, 3, 2, 5, 4});
  expect(x.index({Slice(1, 3), Tensor::from_values<int64_t>({1})}), {2, 1}, {3, 5});
  expect(x.index({Tensor::scalar(1, DType::kLong)}), {2}, {2, 3});
  expect(x.index({true}), {1, 3, 2}, {0, 1, 2, 3, 4, 5});
  expect(x.index({false}), {0, 3, 2}, {});
}

TEST(Indexing, Assignment) {
  const Tensor x = numbers({2, 3});
  x.index_put_({0, Slice(1, 3)}, 9);
  expect(x, {2, 3}, {0, 9, 9, 3, 4, 5});
  x.index_put_({x == 9}, -1);
  expect(x, {2, 3}, {0, -1, -1, 3, 4, 5});
  x.index_put_({1}, Tensor::from_values<int64_t>({7, 8, 9}));
  expect(x, {2, 3}, {0, -1, -1, 7, 8, 9});
  x.index_put_({Slice(), 0}, Tensor::from_values<int64_t>({1, 2}).reshape({1, 2}));  // x[:, 0] = [[1, 2]]
  expect(x, {2, 3}, {1, -1, -1, 2, 8, 9});
}

TEST(Indexing, WrongIndicesAreRefused) {
  const Tensor x = numbers({2, 3});
  EXPECT_EQ(failure([&] { x[2]; }), "index 2 is out of bounds for dimension 0 with size 2");
  EXPECT_EQ(failure([&] { x.index({0, 5}); }), "index 5 is out of bounds for dimension 1 with size 3");
  EXPECT_EQ(failure([&] { x.index({0, 0, 0}); }), "too many indices for tensor of dimension 2");
  EXPECT_EQ(failure([&] { x.index({Slice(0, 2, 0)}); }), "step must be greater than zero");
  EXPECT_NE(failure([&] { x[0][0][0]; }).find("invalid index of a 0-dim tensor"), std::string::npos);
  EXPECT_NE(failure([&] { Tensor()[0]; }), "");
}

}  // namespace
}  // namespace wick
