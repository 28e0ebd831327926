// The pointwise iterator: broadcasting, layouts, overlapping operands, threads.
#include <gtest/gtest.h>

#include "core/copy.h"
#include "core/parallel.h"
#include "core/shape.h"
#include "ops/pointwise/activation.h"
#include "ops/pointwise/pointwise.h"

namespace wick::ops {
namespace {

Tensor ramp(IntSpan sizes) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data_ptr<float>()[i] = static_cast<float>(i);
  return t;
}

float at(const Tensor& t, int64_t row, int64_t column) {
  return t.data_ptr<float>()[row * t.strides()[0] + column * t.strides()[1]];
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.message();
  }
  return "no error";
}

TEST(PointwiseIterator, BroadcastsShortAndLongRows) {
  for (int64_t columns : {3, 700}) {
    const Tensor a = ramp({50, columns}), b = ramp({columns});
    const Tensor sum = add(a, b);
    for (int64_t r = 0; r < 50; ++r) {
      for (int64_t c = 0; c < columns; ++c) ASSERT_EQ(at(sum, r, c), at(a, r, c) + static_cast<float>(c));
    }
  }
}

TEST(PointwiseIterator, MixesLayouts) {
  for (int64_t n : {4, 600}) {
    const Tensor a = ramp({n, n}), t = a.as_strided({n, n}, {1, n}, 0);
    const Tensor product = sub(t, a);
    EXPECT_EQ(product.strides(), t.strides());
    for (int64_t r = 0; r < n; ++r) {
      for (int64_t c = 0; c < n; ++c) ASSERT_EQ(at(product, r, c), at(a, c, r) - at(a, r, c));
    }
  }
}

TEST(PointwiseIterator, KeepsChannelsLast) {
  const Tensor x = Tensor::empty({2, 3, 4, 5}, DType::kFloat, MemoryFormat::kChannelsLast);
  fill(x, 1);
  EXPECT_TRUE(add_scalar(x, 2).is_contiguous(MemoryFormat::kChannelsLast));
  EXPECT_TRUE(mul(x, ramp({3, 1, 1})).is_contiguous(MemoryFormat::kChannelsLast));
}

TEST(PointwiseIterator, WritesStridedOutputsAndConverts) {
  const Tensor base = Tensor::zeros({6, 8}, DType::kDouble);
  const Tensor out = base.as_strided({6, 4}, {8, 2}, 1);
  const Tensor a = ramp({6, 4});
  add(a, a, 1, Out{&out});
  for (int64_t r = 0; r < 6; ++r) {
    for (int64_t c = 0; c < 8; ++c) {
      const double expected = c % 2 == 1 ? 2.0 * at(a, r, c / 2) : 0.0;
      ASSERT_EQ(base.data_ptr<double>()[r * 8 + c], expected);
    }
  }
}

TEST(PointwiseIterator, OverlappingStridedInputIsReadBeforeItIsWritten) {
  const Tensor base = ramp({5, 6});
  const Tensor to = base.as_strided({4, 3}, {6, 2}, 6), from = base.as_strided({4, 3}, {6, 2}, 0);
  const Tensor before = clone(base);
  add(to, from, 1, Out{&to});
  for (int64_t r = 0; r < 4; ++r) {
    for (int64_t c = 0; c < 3; ++c) ASSERT_EQ(at(to, r, c), at(before, r + 1, 2 * c) + at(before, r, 2 * c));
  }
}

TEST(PointwiseIterator, RefusesAmbiguousWrites) {
  const Tensor square = ramp({4, 4}), transposed = square.as_strided({4, 4}, {1, 4}, 0);
  EXPECT_NE(message_of([&] { add(square, transposed, 1, Out{&square}); }).find("some elements of the input tensor"),
            std::string::npos);
  const Tensor repeated = expand(ramp({1}), {4});
  EXPECT_NE(message_of([&] { add(repeated, ramp({4}), 1, Out{&repeated}); }).find("more than one element"),
            std::string::npos);
  const Tensor small = ramp({4});
  EXPECT_EQ(message_of([&] { add(small, square, 1, Out{&small}); }),
            "output with shape [4] doesn't match the broadcast shape [4, 4]");
}

TEST(PointwiseIterator, ThreadsGiveTheSameAnswer) {
  const Tensor a = ramp({300, 1000}), b = ramp({1000});
  set_num_threads(1);
  const Tensor one = silu(mul(a, b));
  set_num_threads(2);
  const Tensor two = silu(mul(a, b));
  set_num_threads(0);
  EXPECT_TRUE(equal_tensors(one, two));
}

TEST(PointwiseIterator, SmallIntegersWrap) {
  const int8_t values[] = {100, -128};
  const Tensor t = Tensor::from_values(Span<int8_t>(values, 2));
  EXPECT_EQ(add(t, t).data_ptr<int8_t>()[0], static_cast<int8_t>(200));
  EXPECT_EQ(neg(t).data_ptr<int8_t>()[1], -128);
  EXPECT_EQ(add_scalar(t, 300).data_ptr<int8_t>()[0], static_cast<int8_t>(400));
}

TEST(PointwiseIterator, LeastIntegerDividedByMinusOneDoesNotTrap) {
  const int64_t values[] = {INT64_MIN, 7}, divisors[] = {-1, -2};
  const Tensor a = Tensor::from_values(Span<int64_t>(values, 2)), b = Tensor::from_values(Span<int64_t>(divisors, 2));
  EXPECT_EQ(floor_divide(a, b).data_ptr<int64_t>()[0], INT64_MIN);
  EXPECT_EQ(floor_divide(a, b).data_ptr<int64_t>()[1], -4);
  EXPECT_EQ(remainder(a, b).data_ptr<int64_t>()[0], 0);
  EXPECT_EQ(fmod(a, b).data_ptr<int64_t>()[1], 1);
  EXPECT_EQ(gcd(a, b).data_ptr<int64_t>()[0], 1);
}

}  // namespace
}  // namespace wick::ops
