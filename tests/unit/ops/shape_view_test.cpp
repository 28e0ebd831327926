// Views share memory, and no sizes, strides or offsets a program may pass lead outside the storage.
#include <gtest/gtest.h>

#include <climits>

#include "core/copy.h"
#include "core/operator.h"
#include "core/tensor_impl.h"
#include "ops/shape/view.h"

namespace wick {
namespace {

Tensor counting(IntSpan sizes) {
  Tensor t = Tensor::empty(sizes, DType::kFloat);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = static_cast<float>(i);
  return t;
}

Tensor call(std::string_view op, std::vector<IValue> args) {
  return call_operator(op, std::move(args)).at(0).to_tensor();
}

TEST(ShapeView, ViewsShareTheStorage) {
  const Tensor t = counting({2, 3, 4});
  for (const Tensor& v :
       {ops::view(t, {6, 4}), ops::transpose(t, 0, 2), ops::select(t, 1, 2), ops::slice(t, 2, 1, 3, 1),
        ops::diagonal(t, 0, 0, 1), ops::unfold(t, 2, 2, 1), ops::unsqueeze(t, 1)}) {
    EXPECT_EQ(v.storage(), t.storage());
  }
  fill(ops::select(t, 0, 1), 7);
  EXPECT_EQ(ops::select(ops::select(ops::select(t, 0, 1), 0, 0), 0, 0).item().to_double(), 7);
}

TEST(ShapeView, ReshapeCopiesOnlyWhenItMust) {
  const Tensor t = counting({2, 3});
  EXPECT_EQ(ops::reshape(t, {3, 2}).storage(), t.storage());
  const Tensor transposed = ops::transpose(t, 0, 1);
  EXPECT_NE(ops::reshape(transposed, {6}).storage(), t.storage());
  EXPECT_THROW(ops::view(transposed, {6}), Error);
}

TEST(ShapeView, InPlaceFormsChangeTheHandle) {
  const Tensor t = counting({2, 1, 3});
  call("aten::squeeze_", {t});
  EXPECT_EQ(t.sizes(), IntSpan({2, 3}));
  call("aten::t_", {t});
  EXPECT_EQ(t.strides(), IntSpan({1, 3}));
}

TEST(ShapeView, StridesOutsideTheStorageAreRefused) {
  const Tensor t = counting({4, 5});
  const int64_t huge = LLONG_MAX;
  for (const auto& [size, stride, offset] :
       std::vector<std::tuple<std::vector<int64_t>, std::vector<int64_t>, int64_t>>{{{21}, {1}, 0},
                                                                                    {{2}, {huge}, 0},
                                                                                    {{huge, huge}, {1, 1}, 0},
                                                                                    {{2}, {1}, 19},
                                                                                    {{1}, {1}, huge},
                                                                                    {{2}, {-1}, 5},
                                                                                    {{-1}, {1}, 0},
                                                                                    {{1}, {1}, -1},
                                                                                    {{huge, 2}, {0, huge}, 0}}) {
    EXPECT_THROW(call("aten::as_strided", {t, IValue::int_list(size), IValue::int_list(stride), offset}), Error);
    EXPECT_THROW(call("aten::as_strided_", {t, IValue::int_list(size), IValue::int_list(stride), offset}), Error);
    EXPECT_THROW(call("aten::set_.source_Tensor_storage_offset",
                      {counting({1}), t, offset, IValue::int_list(size), IValue::int_list(stride)}),
                 Error);
  }
}

TEST(ShapeView, EmptyViewsWithWildStridesStayHarmless) {
  const Tensor t = counting({4});
  const int64_t huge = int64_t{1} << 62;
  const Tensor empty =
      call("aten::as_strided", {t, IValue::int_list({0, int64_t{1} << 40}), IValue::int_list({1, huge}), 0});
  const Tensor part = ops::select(empty, 1, (int64_t{1} << 40) - 1);
  EXPECT_EQ(part.numel(), 0);
  EXPECT_GE(part.storage_offset(), 0);
  // Growing it either fails or makes space for every element.
  try {
    call("aten::resize_", {part, IValue::int_list({8})});
    fill(part, 1);
  } catch (const Error&) {
  }
}

TEST(ShapeView, PartsOfHugeDimensionsAreLimited) {
  const Tensor wide = call("aten::expand", {counting({1}), IValue::int_list({int64_t{1} << 40})});
  EXPECT_THROW(call_operator("aten::unbind.int", {wide}), Error);
  EXPECT_THROW(call_operator("aten::split.Tensor", {wide, 1}), Error);
  EXPECT_THROW(call_operator("aten::tensor_split.sections", {wide, int64_t{1} << 40}), Error);
}

TEST(ShapeView, SizesThatOverflowAreRefused) {
  const int64_t huge = LLONG_MAX;
  const Tensor t = counting({2, 3});
  EXPECT_THROW(call("aten::view", {t, IValue::int_list({huge, huge})}), Error);
  EXPECT_THROW(call("aten::reshape", {t, IValue::int_list({huge, 2, -1})}), Error);
  EXPECT_THROW(call("aten::repeat", {t, IValue::int_list({huge, huge})}), Error);
  EXPECT_THROW(call("aten::tril_indices", {huge, huge}), Error);
  EXPECT_THROW(call("aten::triu_indices", {huge, huge, -huge}), Error);
  EXPECT_THROW(call("aten::zeros", {IValue::int_list({huge, 4})}), Error);
  EXPECT_THROW(call("aten::diag_embed", {t, huge}), Error);
  EXPECT_THROW(call("aten::arange", {1e300}), Error);
  EXPECT_THROW(call("aten::slice.Tensor", {t, 0, 0, 1, -1}), Error);
  EXPECT_EQ(call("aten::slice.Tensor", {t, 0, 0, 2, huge}).sizes(), IntSpan({1, 3}));
}

}  // namespace
// PyTorch's own select moves the axis whichever dimension is gone.
TEST(ShapeView, SelectBehindTheAxisKeepsIt) {
  const Tensor scales = counting({3}), zeros = Tensor::zeros({3}, DType::kLong);
  for (int64_t i = 0; i < 3; ++i) scales.data<float>()[i] += 1;
  const auto dtype = static_cast<int64_t>(DType::kQInt8);
  const Tensor q = call("aten::quantize_per_channel", {counting({3, 4}), scales, zeros, int64_t{0}, dtype});
  const Tensor column = call("aten::select.int", {q, int64_t{1}, int64_t{2}});
  EXPECT_EQ(column.quantizer().axis, 0);
  const Tensor read = call("aten::dequantize.self", {column});
  EXPECT_EQ(read.data<float>()[0], 2.0f);
  EXPECT_EQ(read.data<float>()[1], 6.0f);
  EXPECT_EQ(read.data<float>()[2], 9.0f);
}

}  // namespace wick
