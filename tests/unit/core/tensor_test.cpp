// Tensors: strides, views, memory formats, copies between dtypes and layouts.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/copy.h"
#include "core/shape.h"
#include "wick/tensor.h"

namespace wick {
namespace {

Tensor counting(IntSpan sizes) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data_ptr<float>()[i] = static_cast<float>(i);
  return t;
}

TEST(Tensor, ContiguousStridesOfEmptySizesCountAsOne) {
  EXPECT_EQ(Tensor::empty({2, 0, 3}).strides(), (IntSpan{3, 3, 1}));
  EXPECT_EQ(Tensor::empty({2, 3, 4, 5}, DType::kFloat, MemoryFormat::kChannelsLast).strides(), (IntSpan{60, 1, 15, 3}));
}

TEST(Tensor, HugeSizesAreRefused) {
  EXPECT_THROW(Tensor::empty({int64_t{1} << 40, int64_t{1} << 40}), Error);
  EXPECT_THROW(Tensor::empty({int64_t{1} << 61, 2}), Error);
  EXPECT_THROW(Tensor::empty({-1}), Error);
  if constexpr (sizeof(size_t) == sizeof(int64_t)) {
    EXPECT_NO_THROW(Tensor::empty({int64_t{1} << 40, 0}));
  } else {  // operators convert sizes to size_t
    EXPECT_THROW(Tensor::empty({int64_t{1} << 40, 0}), Error);
    EXPECT_THROW(Tensor::empty({int64_t{1} << 16, int64_t{1} << 16}, DType::kByte), Error);
    EXPECT_THROW(Tensor::empty({1}).as_strided({int64_t{1} << 33}, {0}, 0), Error);
  }
}

TEST(Tensor, ViewsOutsideTheStorageAreRefused) {
  const Tensor t = counting({2, 3});
  EXPECT_THROW(t.as_strided({7}, {1}, 0), Error);
  EXPECT_THROW(t.as_strided({2}, {1}, 5), Error);
  EXPECT_THROW(t.as_strided({2}, {-1}, 1), Error);
  EXPECT_THROW(t.as_strided({2}, {std::numeric_limits<int64_t>::max()}, 1), Error);
  const Tensor v = t.as_strided({3, 2}, {1, 3}, 0);
  EXPECT_EQ(v.data_ptr<float>(), t.data_ptr<float>());
  EXPECT_EQ(contiguous(v).data_ptr<float>()[1], 3.f);
}

TEST(Tensor, TypedPointersAreChecked) {
  const Tensor t = counting({2, 3});
  const Tensor tail = t.as_strided({2}, {1}, 4);
  EXPECT_EQ(tail.data_ptr<float>(), t.data_ptr<float>() + 4);
  EXPECT_EQ(tail.data_ptr<const float>()[1], 5.f);
  EXPECT_EQ(tail.data_ptr(), tail.raw_data());
  EXPECT_THROW(t.data_ptr<double>(), Error);
  EXPECT_THROW(t.data_ptr<const int32_t>(), Error);
}

TEST(Tensor, AliasesShareAStorageAndNotAHandle) {
  const Tensor t = counting({2, 3});
  const Tensor handle = t;
  EXPECT_TRUE(handle.is_same(t));
  EXPECT_TRUE(t.alias().is_alias_of(t));
  EXPECT_FALSE(t.alias().is_same(t));
  EXPECT_FALSE(clone(t).is_alias_of(t));
}

TEST(Tensor, SuggestedFormatFollowsPyTorch) {
  EXPECT_EQ(Tensor::empty({1, 3, 4, 5}, DType::kFloat, MemoryFormat::kChannelsLast).suggest_memory_format(),
            MemoryFormat::kChannelsLast);
  EXPECT_EQ(Tensor::empty({2, 3, 1, 1}).suggest_memory_format(), MemoryFormat::kContiguous);
  EXPECT_EQ(Tensor::empty({2, 1, 1, 1}).suggest_memory_format(), MemoryFormat::kContiguous);
}

TEST(Copy, EveryPairOfDTypes) {
  const DType all[] = {DType::kByte,         DType::kChar,          DType::kShort,  DType::kInt,      DType::kLong,
                       DType::kHalf,         DType::kFloat,         DType::kDouble, DType::kUInt16,   DType::kUInt32,
                       DType::kComplexFloat, DType::kComplexDouble, DType::kBool,   DType::kBFloat16, DType::kUInt64};
  for (DType from : all) {
    for (DType to : all) {
      SCOPED_TRACE(std::string(name_of(from)) + " to " + name_of(to));
      const Tensor source = Tensor::empty({2, 3}, from);
      fill(source, Scalar(1));
      const Tensor target = Tensor::zeros({2, 3}, to);
      copy_into(target, source);
      EXPECT_EQ(target.as_strided({}, {}, 5).item().to_complex(), std::complex<double>(1, 0));
    }
  }
}

TEST(Copy, TransposedPlanesAndBroadcast) {
  const Tensor t = counting({2, 70, 33});
  const Tensor dense = contiguous(t.as_strided({2, 33, 70}, {70 * 33, 1, 33}, 0));
  for (int64_t b = 0; b < 2; ++b) {
    for (int64_t i = 0; i < 33; ++i) {
      for (int64_t j = 0; j < 70; ++j) {
        ASSERT_EQ(dense.data_ptr<float>()[(b * 33 + i) * 70 + j], t.data_ptr<float>()[(b * 70 + j) * 33 + i]);
      }
    }
  }
  const Tensor target = Tensor::zeros({3, 2});
  copy_into(target, counting({2}));
  EXPECT_EQ(target.data_ptr<float>()[5], 1.f);
  EXPECT_THROW(copy_into(target, counting({3})), Error);
}

TEST(Half, RoundsToNearestEven) {
  EXPECT_EQ(Half(1.0f).bits, 0x3c00);
  EXPECT_EQ(Half(65504.0f).bits, 0x7bff);
  EXPECT_EQ(Half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(Half(1e9f).bits, 0x7c00);
  EXPECT_EQ(Half(6e-8f).bits, 0x0001);
  EXPECT_EQ(Half(1.0f + 0x1p-11f).bits, 0x3c00);
  EXPECT_EQ(Half(1.0f + 0x3p-11f).bits, 0x3c02);
  for (int bits = 0; bits < 0x10000; ++bits) {
    Half h;
    h.bits = static_cast<uint16_t>(bits);
    const float f = h;
    if (std::isnan(f)) continue;
    ASSERT_EQ(Half(f).bits, bits);
  }
}

TEST(ResultType, DimensionsBeforeNumbers) {
  const Tensor ints = Tensor::empty({2}, DType::kInt), half = Tensor::empty({2}, DType::kHalf);
  const Tensor zero_dim = Tensor::empty({}, DType::kDouble);
  EXPECT_EQ(ResultType().add(ints).add(Scalar(1.5)).get(), DType::kFloat);
  EXPECT_EQ(ResultType().add(ints).add(Scalar(int64_t{1})).get(), DType::kInt);
  EXPECT_EQ(ResultType().add(half).add(zero_dim).get(), DType::kHalf);
  EXPECT_EQ(ResultType().add(ints).add(zero_dim).get(), DType::kDouble);
  EXPECT_EQ(promote_types(DType::kByte, DType::kChar), DType::kShort);
  EXPECT_EQ(promote_types(DType::kHalf, DType::kBFloat16), DType::kFloat);
  EXPECT_EQ(promote_types(DType::kComplexFloat, DType::kDouble), DType::kComplexDouble);
}

}  // namespace
}  // namespace wick
